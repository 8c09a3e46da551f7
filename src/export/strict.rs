//! What the standard of 1994 does not allow, left out or changed, and told.
//!
//! Only lines and tag pairs are looked at here; that lines are short, that the roster comes first and that
//! there is one terminator is the writer's business.

mod comment;
mod movetext;
mod tag_section;

pub(super) use comment::tidy_comments;
pub(super) use movetext::only_standard_moves;
pub(super) use tag_section::only_standard_tags;
