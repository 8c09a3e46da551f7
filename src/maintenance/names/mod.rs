//! Canonical names for the spellings of one player, event or site.
//!
//! [`Database::find_names`] searches, [`Database::apply_names`] searches and writes the certain names. A decision of
//! the user overrides everything else. Spellings that an earlier run has joined stay joined, unless their players have
//! met since. Names are stored by spelling. So a spelling that is deleted with its games has its name again when a game
//! with it is imported later.

mod evidence;
mod findings;
mod join;
mod spellings;
mod table;

use std::collections::{HashMap, HashSet};

pub use findings::{FoundSpelling, JoinedName, Names, ProposedName, kind_of, table_of};

use super::change::CACHE_BYTES;
use crate::cleaning::names::{NameList, NameRow, PersonName, parse_names};
use crate::error::{Error, Result};
use crate::storage::{
    CanonicalName, Database, InDatabase, NameTable, canonical_names, names_of,
    remove_canonical_names, set_canonical_names,
};
use crate::store_fault::StoreResult;
use evidence::{DECIDED, Evidence, PlayerFacts};
use join::Joining;
use spellings::CollectedNames;

/// The options of a search for spellings of one name.
#[derive(Clone, Debug)]
pub struct NameOptions {
    /// The tables to search.
    pub tables: Vec<NameTable>,
    /// The user's list, which is the strongest evidence.
    pub list: Option<NameList>,
}

impl Default for NameOptions {
    fn default() -> NameOptions {
        NameOptions {
            tables: NameTable::ALL.to_vec(),
            list: None,
        }
    }
}

/// The result of applying a table of decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AppliedTable {
    /// Spellings of the table that are in the database.
    pub present: u64,
    /// Spellings of the table that no game has. Their canonical names apply once games with these spellings are
    /// imported.
    pub absent: u64,
    /// The canonical names.
    pub names: u64,
    /// Spellings that had a canonical name and are not in the table. Their canonical names are removed.
    pub removed: u64,
}

impl Database {
    /// Finds spellings that are one player, event or site, and changes nothing.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find_names(&self, options: &NameOptions) -> Result<Names> {
        self.search_names(options).in_database(self)
    }

    /// Searches all tables of the options; see [`Database::find_names`].
    fn search_names(&self, options: &NameOptions) -> StoreResult<Names> {
        let connection = &self.connection;
        let collected = CollectedNames::read(connection)?;

        let mut names = Names::default();
        for (table, count) in NameTable::ALL.into_iter().zip(&mut names.spellings) {
            if !options.tables.contains(&table) {
                continue;
            }

            let spellings = collected.spellings(table);
            *count = spellings.texts.len() as u64;

            // Only players are persons, and have FIDE ids.
            let is_player = table == NameTable::Player;
            let mut persons: Vec<PersonName> = Vec::new();
            let mut players = PlayerFacts::default();
            if is_player {
                persons = parse_persons(&spellings.texts);
                players = PlayerFacts {
                    persons: &persons,
                    fide_ids: &collected.evidence.fide_ids,
                };
            }

            let rows = canonical_names(connection, table)?;
            let list = options.list.as_ref();
            let evidence = Evidence::gather(table, spellings, &rows, list, players);
            let joining = Joining {
                table,
                spellings,
                evidence: &evidence,
            };

            if is_player {
                let (joined, proposed) = joining.players(&persons, &collected.evidence);
                names.joined.extend(joined);
                names.proposed.extend(proposed);
            } else {
                names.joined.extend(joining.texts());
            }
        }
        Ok(names)
    }

    /// Finds spellings that are one player, event or site, and writes the certain canonical names.
    ///
    /// # Errors
    /// When the database cannot be read or written; it is then as it was before.
    pub fn apply_names(&self, options: &NameOptions) -> Result<Names> {
        self.change(CACHE_BYTES, || {
            let names = self.find_names(options)?;
            for &table in &options.tables {
                let before = canonical_names(&self.connection, table).in_database(self)?;
                let texts = names_of(&self.connection, table).in_database(self)?;
                let mut rows = canonical_rows(&names, table, &before, &texts);
                set_canonical_names(&self.connection, table, &mut rows).in_database(self)?;
            }
            Ok(names)
        })
    }

    /// Gives spellings the canonical names of a user's table, and removes all other canonical names of its kinds.
    ///
    /// # Errors
    /// When rows contradict each other, or the database cannot be written; it is then as it was before.
    pub fn apply_name_table(&self, rows: &[NameRow]) -> Result<AppliedTable> {
        self.change(CACHE_BYTES, || {
            self.read_name_table(rows, |table, mut decisions| {
                set_canonical_names(&self.connection, table, &mut decisions)
            })
        })
    }

    /// The result that [`Database::apply_name_table`] would have. Changes nothing.
    ///
    /// # Errors
    /// When rows contradict each other, or the database cannot be read.
    pub fn compare_name_table(&self, rows: &[NameRow]) -> Result<AppliedTable> {
        self.read_name_table(rows, |_, _| Ok(()))
    }

    /// Passes the decisions of a table to `write`, by tables of names.
    fn read_name_table(
        &self,
        rows: &[NameRow],
        mut write: impl FnMut(NameTable, Vec<CanonicalName>) -> rusqlite::Result<()>,
    ) -> Result<AppliedTable> {
        let mut applied = AppliedTable::default();
        for table in NameTable::ALL {
            let names = names_of(&self.connection, table).in_database(self)?;
            let texts: Vec<String> = names.into_iter().map(|(_, name)| name).collect();
            let before = canonical_names(&self.connection, table).in_database(self)?;

            let decisions = table::decisions(rows, table, &texts, &before);
            let Some(decisions) = decisions.map_err(Error::Names)? else {
                continue;
            };
            applied.add_counts(&decisions, &texts, &before);
            write(table, decisions).in_database(self)?;
        }
        Ok(applied)
    }

    /// Removes the canonical names of some tables, and returns the number of spellings that had one.
    ///
    /// # Errors
    /// When the database cannot be written; it is then as it was before.
    pub fn remove_names(&self, tables: &[NameTable]) -> Result<u64> {
        self.change(CACHE_BYTES, || {
            let mut removed = 0;
            for &table in tables {
                removed += remove_canonical_names(&self.connection, table).in_database(self)?;
            }
            Ok(removed)
        })
    }
}

impl AppliedTable {
    /// Adds the counts of one table of names: its decisions, the spellings of the database, and the rows before.
    fn add_counts(
        &mut self,
        decisions: &[CanonicalName],
        texts: &[String],
        before: &[CanonicalName],
    ) {
        let present: HashSet<&str> = texts.iter().map(String::as_str).collect();

        let mut names = HashSet::new();
        let mut kept = HashSet::new();
        for row in decisions {
            names.insert(row.name.as_str());
            kept.insert(row.spelling.as_str());
            if present.contains(row.spelling.as_str()) {
                self.present += 1;
            } else {
                self.absent += 1;
            }
        }

        self.names += names.len() as u64;

        for row in before {
            if !kept.contains(row.spelling.as_str()) {
                self.removed += 1;
            }
        }
    }
}

/// Names divided into family and given names. All names together show the order of their words.
fn parse_persons(texts: &[String]) -> Vec<PersonName> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    parse_names(&texts)
}

/// The rows of canonical names after a search. Spellings that are not in the database keep their names, and follow the
/// other spellings of their names.
fn canonical_rows(
    names: &Names,
    table: NameTable,
    before: &[CanonicalName],
    texts: &[(i64, String)],
) -> Vec<CanonicalName> {
    let mut rows = Vec::new();
    for joined in &names.joined {
        if joined.table != table {
            continue;
        }
        for spelling in &joined.spellings {
            rows.push(CanonicalName {
                spelling: spelling.text.clone(),
                name: joined.name.clone(),
                source: spelling.source.clone(),
                why: spelling.why.clone(),
            });
        }
    }

    let present: HashSet<&str> = texts.iter().map(|(_, name)| name.as_str()).collect();
    let absent = absent_rows(&rows, before, &present);
    rows.extend(absent);
    rows
}

/// The rows of spellings that are not in the database, each with the present name of its earlier name.
fn absent_rows(
    rows: &[CanonicalName],
    before: &[CanonicalName],
    present: &HashSet<&str>,
) -> Vec<CanonicalName> {
    let mut name_of: HashMap<&str, &str> = HashMap::new();
    for row in rows {
        name_of.insert(&row.spelling, &row.name);
    }
    let names: HashSet<&str> = name_of.values().copied().collect();

    // The present name for each earlier name, by the spellings that are still there.
    let mut renamed: HashMap<&str, &str> = HashMap::new();
    for row in before {
        if let Some(name) = name_of.get(row.spelling.as_str()) {
            renamed.insert(&row.name, *name);
        }
    }

    let mut absent = Vec::new();
    for row in before {
        let spelling = row.spelling.as_str();
        // A canonical name is no spelling of another name, unless the user has decided so.
        let is_free = row.source == DECIDED || !names.contains(spelling);
        if present.contains(spelling) || !is_free {
            continue;
        }

        let old_name = row.name.as_str();
        let new_name = renamed.get(old_name).or_else(|| name_of.get(old_name));
        absent.push(CanonicalName {
            name: new_name.copied().unwrap_or(old_name).to_owned(),
            ..row.clone()
        });
    }
    absent
}
