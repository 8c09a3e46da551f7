//! Names of players, events, sites and rounds: what a spelling says, and which spellings mean one thing.

mod compare;
mod country;
mod display;
mod fide;
mod fold;
mod groups;
mod name_table;
mod person;
mod place;
mod round;
mod sound;
mod spelling_file;
mod text_groups;
mod word_order;

pub use compare::{Comparison, NameReason, NameReasons, Verdict, compare};
pub use country::country_code;
pub use display::canonical_spelling;
pub use fide::{FideList, FidePlayer, match_fide};
pub use fold::{fold, fold_words};
pub use groups::{
    Member, NameEvidence, NameGroup, NameGroups, NameSource, Proposal, Spelling, SpellingPair,
    group_names,
};
pub use name_table::{NameKind, NameRow, NameTableError, read_name_table, write_name_row};
pub use person::PersonName;
pub use place::{AddressMatch, TextKey, TextMatch};
pub use round::{Round, RoundMatch, canonical_round};
pub use sound::{skeleton, sound};
pub use spelling_file::{Entry, Lookup, Section, SpellingFile};
pub use text_groups::{TextGroup, TextSpelling, group_events, group_sites};
pub use word_order::{WordOrder, parse_names};
