//! Maintenance of a database: rebuilding index and columns, merging, checking, deleting games and forgetting sources.
//!
//! Rows belong to `storage`, positions to `index`, and attributes of games to `columns`. This module changes all three
//! together: every change of a database goes through `Database::change`, which leaves rows, index and columns in
//! agreement.

mod change;
mod check;
mod delete;
mod forget;
mod materialize;
mod merge;
mod names;
mod openings;
mod reindex;
mod twins;

pub use crate::storage::Remedy;
pub use check::{Depth, DigestReport, Fault, Faults, Report, check, digest};
pub use forget::ForgetSummary;
pub use merge::{MergeSummary, merge};
pub use names::{
    AppliedTable, FoundSpelling, JoinedName, NameOptions, Names, ProposedName, kind_of, table_of,
};
pub use reindex::{Rebuild, Reindexed, optimize};
pub(crate) use reindex::{catch_up, compact};
pub use twins::{
    DuplicateOptions, Duplicates, MergedGroup, MergedValue, ParsePreferredCopyError, PreferredCopy,
    UndecidedTag, UnmarkSummary,
};
