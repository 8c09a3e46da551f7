//! Names of players, events, sites and rounds: parses spellings, and groups the spellings of one name.

mod compare;
mod country;
mod display;
mod fide;
mod fide_players;
mod fold;
mod groups;
mod name_list;
mod name_table;
mod person;
mod person_query;
mod place;
mod round;
mod separation;
mod sound;
mod spelling;
mod spelling_file;
mod text_groups;
mod word_order;

pub use compare::{Comparison, NameReason, NameReasons, Verdict, compare};
pub use fide::{FideList, FidePlayer};
pub use fide_players::FidePlayers;
pub use fold::fold;
pub(crate) use fold::fold_words;
pub use groups::{
    Member, NameEvidence, NameGroup, NameGroups, Proposal, SpellingPair, group_names,
};
pub use name_list::{
    ListedName, NameList, NameQuery, ReadNamesError, SpellingTable, Spellings, decode_names,
};
pub use name_table::{
    NameConflict, NameKind, NameRow, NameTableError, read_name_table, write_name_row,
};
pub use person::PersonName;
pub use person_query::PersonQuery;
pub(crate) use person_query::{MAX_ABBREVIATION, is_cut_off, is_shortened};
pub use place::{AddressMatch, TextKey, TextMatch};
pub(crate) use round::canonical_round;
pub use round::{Round, RoundMatch};
pub(crate) use separation::lesser_first;
pub use sound::sound;
pub use spelling::{NameSource, Spelling};
pub use spelling_file::{Entry, Lookup, Section, SpellingFile};
pub use text_groups::{TextGroup, TextSpelling, group_events, group_sites};
pub use word_order::{WordOrder, parse_names};
