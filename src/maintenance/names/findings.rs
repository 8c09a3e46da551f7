//! Results of a search for spellings of one name.

use crate::cleaning::names::NameKind;
use crate::storage::NameTable;

/// Spellings of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedName {
    /// The table of the name.
    pub table: NameTable,
    /// The canonical name.
    pub name: String,
    /// The spellings of the name, the most frequent first.
    pub spellings: Vec<FoundSpelling>,
}

/// A spelling, and its games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundSpelling {
    /// The name as written.
    pub text: String,
    /// The number of games with this spelling.
    pub games: u32,
    /// The year of the first game, 0 for unknown.
    pub first_year: u16,
    /// The year of the last game.
    pub last_year: u16,
    /// The evidence that joins the spelling: `file`, `list`, `FIDE id`, `twins` or `form`.
    pub source: String,
    /// The differences of the spelling from the name, separated by commas; empty if only punctuation differs.
    pub why: String,
}

impl FoundSpelling {
    /// The evidence and the difference as one text.
    pub fn reason(&self) -> String {
        if self.why.is_empty() {
            self.source.clone()
        } else {
            format!("{}: {}", self.source, self.why)
        }
    }
}

impl JoinedName {
    /// The games of all spellings.
    pub fn games(&self) -> u64 {
        let mut games = 0;
        for spelling in &self.spellings {
            games += u64::from(spelling.games);
        }
        games
    }
}

/// A name that may be another name. The user has to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedName {
    /// The table of the name.
    pub table: NameTable,
    /// The canonical name that it may be.
    pub name: String,
    /// The name, with its games; the canonical spelling if several spellings have been joined.
    pub spelling: FoundSpelling,
}

/// The spellings of a database that are one name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The certain names, the name with most games first.
    pub joined: Vec<JoinedName>,
    /// The likely names, the name with most games first.
    pub proposed: Vec<ProposedName>,
    /// The number of spellings of players, events and sites; 0 for tables that were not searched.
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
