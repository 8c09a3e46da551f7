//! What a search for spellings of one name gives.

use crate::cleaning::names::NameKind;
use crate::storage::NameTable;

/// Spellings of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedName {
    /// What it names.
    pub table: NameTable,
    /// The canonical name.
    pub name: String,
    /// Its spellings, the most frequent first.
    pub spellings: Vec<FoundSpelling>,
}

/// A spelling, and its games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundSpelling {
    /// The name as written.
    pub text: String,
    /// How many games have it.
    pub games: u32,
    /// The year of the first of them, 0 for unknown.
    pub first_year: u16,
    /// The year of the last.
    pub last_year: u16,
    /// The evidence that joins it: `file`, `list`, `FIDE id`, `twins` or `form`.
    pub source: String,
    /// How it differs, with commas; empty for punctuation alone.
    pub why: String,
}

impl FoundSpelling {
    /// The evidence and the difference as one text.
    pub fn reason(&self) -> String {
        match (self.source.as_str(), self.why.as_str()) {
            (source, "") => source.to_owned(),
            (source, why) => format!("{source}: {why}"),
        }
    }
}

impl JoinedName {
    /// The games of all spellings.
    pub fn games(&self) -> u64 {
        self.spellings
            .iter()
            .map(|spelling| u64::from(spelling.games))
            .sum()
    }
}

/// A name that may be another one: what the user has to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedName {
    /// What it names.
    pub table: NameTable,
    /// The canonical name that it may be.
    pub name: String,
    /// The name, with its games; where several spellings have been joined, the canonical one.
    pub spelling: FoundSpelling,
}

/// The spellings of a database that are one name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// What is certain, the name with most games first.
    pub joined: Vec<JoinedName>,
    /// What is likely, the name with most games first.
    pub proposed: Vec<ProposedName>,
    /// How many spellings there are of players, events and sites; 0 for those that were not looked for.
    pub spellings: [u64; NameTable::ALL.len()],
}

/// The table of a kind of names; none for rounds.
pub fn table_of(kind: NameKind) -> Option<NameTable> {
    match kind {
        NameKind::Player => Some(NameTable::Player),
        NameKind::Event => Some(NameTable::Event),
        NameKind::Site => Some(NameTable::Site),
        NameKind::Round => None,
    }
}

/// The kind of the names of a table.
pub fn kind_of(table: NameTable) -> NameKind {
    match table {
        NameTable::Player => NameKind::Player,
        NameTable::Event => NameKind::Event,
        NameTable::Site => NameKind::Site,
    }
}
