//! Conformance to the PGN standard of 1994: omissions and changes, with remarks.
//!
//! This room handles lines and tag pairs only; the writer ensures short lines, the roster first, and a single game
//! termination marker.

mod comment;
mod movetext;
mod tag_section;

pub(super) use comment::tidy_comments;
pub(super) use movetext::only_standard_moves;
pub(super) use tag_section::only_standard_tags;
