//! New games: the games of the last source, or of named sources.

use std::ops::RangeInclusive;
use std::path::Path;

use crate::error::{Error, Result};
use crate::storage::{Database, GameId, InDatabase, SourceId};

/// The choice of new games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewGames {
    /// The games of the source that was imported last.
    LastSource,
    /// The games of sources, each named by its path, the name of its file, or its number.
    Sources(Vec<String>),
}

/// An imported file with games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceOfGames {
    /// The number of the source.
    pub id: SourceId,
    /// The path of the file, as given on import.
    pub path: String,
    /// The time of its import, in UTC.
    pub imported_at: String,
    /// The numbers of the first and the last game of the source.
    pub games: RangeInclusive<GameId>,
}

impl SourceOfGames {
    /// All sources of a database, in the order of their imports.
    fn all(database: &Database) -> Result<Vec<SourceOfGames>> {
        let sql = "SELECT id, path, imported_at, first_game, last_game FROM source
            WHERE first_game IS NOT NULL AND last_game IS NOT NULL ORDER BY id";
        let read = || -> rusqlite::Result<Vec<SourceOfGames>> {
            let mut select = database.connection.prepare(sql)?;
            let sources = select.query_map([], SourceOfGames::from_row)?;
            sources.collect()
        };
        read().in_database(database)
    }

    /// The source of a row with the columns that [`SourceOfGames::all`] selects.
    fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<SourceOfGames> {
        Ok(SourceOfGames {
            id: row.get(0)?,
            path: row.get(1)?,
            imported_at: row.get(2)?,
            games: row.get(3)?..=row.get(4)?,
        })
    }

    /// `true` if a name is the path of the source, or the name of its file.
    fn has_name(&self, name: &str) -> bool {
        if self.path == name {
            return true;
        }
        match Path::new(&self.path).file_name() {
            Some(file) => file.to_str() == Some(name),
            None => false,
        }
    }
}

impl NewGames {
    /// The sources of new games in each of several databases; `None` without a choice of new games.
    ///
    /// The last source is the source of the latest import into any of the databases.
    ///
    /// # Errors
    /// When a database cannot be read, or a named source is in no database.
    pub fn in_databases(
        new_games: Option<&NewGames>,
        databases: &[&Database],
    ) -> Result<Option<Vec<Vec<SourceOfGames>>>> {
        let sources = match new_games {
            None => return Ok(None),
            Some(NewGames::LastSource) => latest_sources(databases)?,
            Some(NewGames::Sources(names)) => named_sources(names, databases)?,
        };
        Ok(Some(sources))
    }

    /// The sources of the new games.
    ///
    /// # Errors
    /// When the database cannot be read, or does not have a named source.
    pub fn sources(&self, database: &Database) -> Result<Vec<SourceOfGames>> {
        match self {
            NewGames::LastSource => {
                let last = SourceOfGames::all(database)?.pop();
                Ok(last.into_iter().collect())
            }
            NewGames::Sources(names) => {
                let mut of_databases = named_sources(names, &[database])?;
                Ok(of_databases.pop().unwrap_or_default())
            }
        }
    }
}

/// The last source of each database, if its import is as late as the latest import into any of the databases.
fn latest_sources(databases: &[&Database]) -> Result<Vec<Vec<SourceOfGames>>> {
    let mut all = Vec::with_capacity(databases.len());
    for database in databases {
        all.push(NewGames::LastSource.sources(database)?);
    }

    // Times are texts of one form, so their order is the order of texts.
    let times = all.iter().flatten().map(|source| &source.imported_at);
    let Some(latest) = times.max().cloned() else {
        return Ok(all);
    };
    for sources in &mut all {
        sources.retain(|source| source.imported_at == latest);
    }
    Ok(all)
}

/// The named sources in each database. A name that no database has is an error.
fn named_sources(names: &[String], databases: &[&Database]) -> Result<Vec<Vec<SourceOfGames>>> {
    let mut stored = Vec::with_capacity(databases.len());
    for database in databases {
        stored.push(SourceOfGames::all(database)?);
    }

    let mut named: Vec<Vec<SourceOfGames>> = vec![Vec::new(); databases.len()];
    for name in names {
        let mut is_known = false;
        for (stored, named) in stored.iter().zip(&mut named) {
            for source in matching_sources(stored, name) {
                is_known = true;
                // Two names may be names of one source.
                if !named.contains(source) {
                    named.push(source.clone());
                }
            }
        }
        if !is_known {
            return Err(Error::NoSuchSource(name.clone()));
        }
    }
    Ok(named)
}

/// The sources with a path or a file name; without any, the source with this number.
fn matching_sources<'s>(stored: &'s [SourceOfGames], name: &str) -> Vec<&'s SourceOfGames> {
    let mut matching: Vec<&SourceOfGames> = Vec::new();
    for source in stored {
        if source.has_name(name) {
            matching.push(source);
        }
    }

    // A file may have a number as its name, so names come first.
    if matching.is_empty() {
        let numbered = stored.iter().find(|source| name.parse() == Ok(source.id));
        matching.extend(numbered);
    }
    matching
}
