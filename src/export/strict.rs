//! Conformance to the PGN standard of 1994: omissions and changes, with remarks.
//!
//! Only lines of play and tag pairs are handled here. The writer ensures short lines of text, the order of the roster,
//! and a single game termination marker.

mod comment;
mod movetext;
mod tag_section;

pub(super) use comment::tidy_comments;
pub(super) use movetext::only_standard_moves;
pub(super) use tag_section::only_standard_tags;
