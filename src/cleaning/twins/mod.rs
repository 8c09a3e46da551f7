//! The search for twins: games of a collection that are copies of one game.
//!
//! [`find_twins`] looks for pairs that share a key, weighs the evidence for one game and for two, and joins pairs into
//! groups. Moves are read only where keys do not decide.

mod alignment;
mod candidates;
mod evidence;
mod facts;
mod fingerprint;
mod groups;
mod keep;
mod merge;
mod reasons;

pub use alignment::{Alignment, align};
pub(crate) use candidates::SHORT_PLIES;
pub use evidence::{Finding, TwinKind};
pub use facts::{GameDate, GameFacts};
pub use fingerprint::Fingerprint;
pub use groups::{TwinGroup, TwinSearch, candidate_pairs, find_twins, join_twins};
pub use keep::Preference;
pub use merge::{FilledTag, MergedTags, TagConflict, is_unknown_tag, merge_tags};
pub use reasons::{TwinReason, TwinReasons};

#[cfg(test)]
mod tests;
