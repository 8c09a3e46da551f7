//! Canonical names of a database: spellings found that are one player, event or site, names applied, and taken back.
//!
//! [`Database::find_names`] reads, [`Database::apply_names`] does the same and writes what is certain. What the user has
//! decided stands before everything else, and what an earlier run has joined stays joined, unless its players have met
//! since. Names are kept by spelling, so that one that goes with its games and comes back has its name.

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
use evidence::{DECIDED, Evidence};
use join::Joining;
use spellings::Collected;

/// Which names are looked for, and by what.
#[derive(Clone, Debug)]
pub struct NameOptions {
    /// Names of these tables.
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

/// What a table of decisions has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AppliedTable {
    /// Spellings of the table that are in the database.
    pub present: u64,
    /// Those that are not; they have their names when they come.
    pub absent: u64,
    /// The canonical names.
    pub names: u64,
    /// Spellings that had a canonical name, and are not in the table: they are as written again.
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

    fn search_names(&self, options: &NameOptions) -> StoreResult<Names> {
        let connection = &self.connection;
        let collected = Collected::read(connection)?;
        let mut names = Names::default();
        for (table, count) in NameTable::ALL.into_iter().zip(&mut names.spellings) {
            if !options.tables.contains(&table) {
                continue;
            }
            let spellings = collected.of(table);
            *count = spellings.texts.len() as u64;
            let is_player = table == NameTable::Player;
            let persons: Vec<PersonName> = if is_player {
                persons(&spellings.texts)
            } else {
                Vec::new()
            };
            let fide_ids: &[u32] = if is_player {
                &collected.evidence.fide_ids
            } else {
                &[]
            };
            let rows = canonical_names(connection, table)?;
            let list = options.list.as_ref();
            let evidence = Evidence::gather(table, spellings, &rows, list, (&persons, fide_ids));
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

    /// The same, and gives all spellings that are certain their canonical names.
    ///
    /// # Errors
    /// When the database cannot be read or written; it is then as it was before.
    pub fn apply_names(&self, options: &NameOptions) -> Result<Names> {
        self.change(CACHE_BYTES, || {
            let names = self.find_names(options)?;
            let write = || {
                options.tables.iter().try_for_each(|&table| {
                    let before = canonical_names(&self.connection, table)?;
                    let texts = names_of(&self.connection, table)?;
                    let mut rows = rows(&names, table, &before, &texts);
                    set_canonical_names(&self.connection, table, &mut rows)
                })
            };
            write().in_database(self)?;
            Ok(names)
        })
    }

    /// Gives spellings the canonical names of a table of the user's, and takes all others of its kinds away.
    ///
    /// # Errors
    /// When rows contradict each other, or the database cannot be written; it is then as it was before.
    pub fn apply_name_table(&self, rows: &[NameRow]) -> Result<AppliedTable> {
        self.change(CACHE_BYTES, || {
            self.read_name_table(rows, |table, mut decided| {
                set_canonical_names(&self.connection, table, &mut decided)
            })
        })
    }

    /// What [`Database::apply_name_table`] would do.
    ///
    /// # Errors
    /// When rows contradict each other, or the database cannot be read.
    pub fn compare_name_table(&self, rows: &[NameRow]) -> Result<AppliedTable> {
        self.read_name_table(rows, |_, _| Ok(()))
    }

    fn read_name_table(
        &self,
        rows: &[NameRow],
        mut take: impl FnMut(NameTable, Vec<CanonicalName>) -> rusqlite::Result<()>,
    ) -> Result<AppliedTable> {
        let mut applied = AppliedTable::default();
        for table in NameTable::ALL {
            let texts = names_of(&self.connection, table).in_database(self)?;
            let texts: Vec<String> = texts.into_iter().map(|(_, name)| name).collect();
            let before = canonical_names(&self.connection, table).in_database(self)?;
            let decided = table::decided(rows, table, &texts, &before).map_err(Error::Names)?;
            let Some(decided) = decided else { continue };
            applied.count(&decided, &texts, &before);
            take(table, decided).in_database(self)?;
        }
        Ok(applied)
    }

    /// Removes the canonical names of some tables, and returns the number of spellings that had one.
    ///
    /// # Errors
    /// When the database cannot be written; it is then as it was before.
    pub fn remove_names(&self, tables: &[NameTable]) -> Result<u64> {
        self.change(CACHE_BYTES, || {
            let removed = tables
                .iter()
                .map(|&table| remove_canonical_names(&self.connection, table));
            removed.sum::<rusqlite::Result<u64>>().in_database(self)
        })
    }
}

impl AppliedTable {
    fn count(&mut self, decided: &[CanonicalName], texts: &[String], before: &[CanonicalName]) {
        let texts: HashSet<&str> = texts.iter().map(String::as_str).collect();
        let names: HashSet<&str> = decided.iter().map(|row| row.name.as_str()).collect();
        let present = decided
            .iter()
            .filter(|row| texts.contains(row.spelling.as_str()))
            .count();
        self.present += present as u64;
        self.absent += (decided.len() - present) as u64;
        self.names += names.len() as u64;
        let kept: HashSet<&str> = decided.iter().map(|row| row.spelling.as_str()).collect();
        let removed = before
            .iter()
            .filter(|row| !kept.contains(row.spelling.as_str()))
            .count();
        self.removed += removed as u64;
    }
}

/// Names taken apart, with what all of them tell.
fn persons(texts: &[String]) -> Vec<PersonName> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    parse_names(&texts)
}

/// The rows of canonical names after a search. Spellings that are not in the database keep their names, and follow the
/// others of their names.
fn rows(
    names: &Names,
    table: NameTable,
    before: &[CanonicalName],
    texts: &[(i64, String)],
) -> Vec<CanonicalName> {
    let present: HashSet<&str> = texts.iter().map(|(_, name)| name.as_str()).collect();
    let joined = names.joined.iter().filter(|joined| joined.table == table);
    let rows = joined.flat_map(|joined| {
        joined.spellings.iter().map(|spelling| CanonicalName {
            spelling: spelling.text.clone(),
            name: joined.name.clone(),
            source: spelling.source.clone(),
            why: spelling.why.clone(),
        })
    });
    let mut rows: Vec<CanonicalName> = rows.collect();
    let now: HashMap<&str, &str> = rows
        .iter()
        .map(|row| (row.spelling.as_str(), row.name.as_str()))
        .collect();
    let renamed: HashMap<String, String> = before
        .iter()
        .filter_map(|row| {
            Some((
                row.name.clone(),
                (*now.get(row.spelling.as_str())?).to_owned(),
            ))
        })
        .collect();
    let name_of = |name: &str| {
        let renamed = renamed.get(name).map(String::as_str);
        renamed
            .or_else(|| now.get(name).copied())
            .unwrap_or(name)
            .to_owned()
    };
    let names: HashSet<&str> = now.values().copied().collect();
    let absent = before.iter().filter(|row| {
        let is_decided = row.source == DECIDED;
        !present.contains(row.spelling.as_str())
            && (is_decided || !names.contains(row.spelling.as_str()))
    });
    let absent: Vec<CanonicalName> = absent
        .map(|row| CanonicalName {
            name: name_of(&row.name),
            ..row.clone()
        })
        .collect();
    rows.extend(absent);
    rows
}
