//! New games: those of a source.

use std::ops::RangeInclusive;
use std::path::Path;

use crate::error::{Error, Result};
use crate::storage::{Database, GameId, InDatabase, SourceId};

/// Which games are new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewGames {
    /// Those of the source that was imported last.
    LastSource,
    /// Those of sources, each named by its path, the name of its file, or its number.
    Sources(Vec<String>),
}

/// An imported file with games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceOfGames {
    /// Its number.
    pub id: SourceId,
    /// Its path, as given on import.
    pub path: String,
    /// The time of its import, in UTC.
    pub imported_at: String,
    /// The numbers of its games.
    pub games: RangeInclusive<GameId>,
}

impl SourceOfGames {
    /// All of a database, in the order of their imports.
    fn all(database: &Database) -> Result<Vec<SourceOfGames>> {
        let sql = "SELECT id, path, imported_at, first_game, last_game FROM source
            WHERE first_game IS NOT NULL AND last_game IS NOT NULL ORDER BY id";
        let read = || -> rusqlite::Result<Vec<SourceOfGames>> {
            let mut select = database.connection.prepare(sql)?;
            let sources = select.query_map([], |row| {
                Ok(SourceOfGames {
                    id: row.get(0)?,
                    path: row.get(1)?,
                    imported_at: row.get(2)?,
                    games: row.get(3)?..=row.get(4)?,
                })
            })?;
            sources.collect()
        };
        read().in_database(database)
    }

    fn has_name(&self, name: &str) -> bool {
        let file = Path::new(&self.path)
            .file_name()
            .and_then(|file| file.to_str());
        self.path == name || file == Some(name)
    }
}

impl NewGames {
    /// The sources of new games in each of several databases; `None` if all games are wanted. The last source of all
    /// is that of the latest import.
    ///
    /// # Errors
    /// When a database cannot be read, or none has a source with a name.
    pub fn in_databases(
        wanted: Option<&NewGames>,
        databases: &[&Database],
    ) -> Result<Option<Vec<Vec<SourceOfGames>>>> {
        let Some(wanted) = wanted else {
            return Ok(None);
        };
        let mut all = Vec::with_capacity(databases.len());
        for database in databases {
            all.push(match wanted {
                NewGames::LastSource => wanted.sources(database)?,
                NewGames::Sources(names) => {
                    let mut found = Vec::new();
                    for name in names {
                        // A name need not be in each database.
                        match NewGames::Sources(vec![name.clone()]).sources(database) {
                            Err(Error::NoSuchSource(_)) => {}
                            sources => found.extend(sources?),
                        }
                    }
                    found
                }
            });
        }

        if let NewGames::Sources(names) = wanted
            && all.iter().all(Vec::is_empty)
        {
            return Err(Error::NoSuchSource(names.join(", ")));
        }
        if *wanted == NewGames::LastSource {
            let times = all
                .iter()
                .flatten()
                .map(|source| source.imported_at.clone());
            let latest = times.max();
            all.iter_mut().for_each(|sources| {
                sources.retain(|source| Some(&source.imported_at) == latest.as_ref());
            });
        }
        Ok(Some(all))
    }

    /// The sources of the new games.
    ///
    /// # Errors
    /// When the database cannot be read, or has no source with a name.
    pub fn sources(&self, database: &Database) -> Result<Vec<SourceOfGames>> {
        let mut all = SourceOfGames::all(database)?;
        let NewGames::Sources(names) = self else {
            return Ok(all.pop().into_iter().collect());
        };
        let mut found: Vec<SourceOfGames> = Vec::new();
        for name in names {
            let mut named: Vec<&SourceOfGames> =
                all.iter().filter(|source| source.has_name(name)).collect();
            if named.is_empty() {
                named.extend(all.iter().find(|source| name.parse() == Ok(source.id)));
            }
            if named.is_empty() {
                return Err(Error::NoSuchSource(name.clone()));
            }
            for source in named {
                if !found.contains(source) {
                    found.push(source.clone());
                }
            }
        }
        Ok(found)
    }
}
