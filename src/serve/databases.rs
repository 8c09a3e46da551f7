//! The databases that are served: by the paths of databases and of folders that the server was started with.
//!
//! Folders are read again on requests, so that a new database is served, and a missing database is dropped.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::locks::lock;
use super::parameters::Parameters;
use super::pool::Pool;
use stamma::error::{Error, Result};
use stamma::storage::database_names;

/// The shortest time after which folders are read again.
const MIN_REREAD_PAUSE: Duration = Duration::from_secs(1);

/// The databases that are served.
pub(super) struct Databases {
    /// The databases and folders that the server was started with, in their order.
    served: Vec<ServedPath>,
    is_read_only: bool,
    state: Mutex<State>,
}

/// A path that the server was started with.
enum ServedPath {
    Database(PathBuf),
    Folder(PathBuf),
}

#[derive(Default)]
struct State {
    /// The databases in their order.
    pools: Vec<Arc<Pool>>,
    /// All databases that have ever been served, by their numbers. A file that comes back is served by its earlier
    /// pool, which knows the connections to the earlier file that are still open.
    known: Vec<Arc<Pool>>,
    /// The time at which folders were last read.
    read_at: Option<Instant>,
}

/// The way in which a request names its database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedBy {
    /// By the name of the database. A request without a name is for all databases.
    Name,
    /// Not at all: the answer is always about all databases.
    Nothing,
}

/// The databases of a request.
pub(super) struct ChosenDatabases {
    /// The databases, in their order.
    pub(super) pools: Vec<Arc<Pool>>,
    /// `true` if answers have names of databases: there are several databases, or the path names a database with a
    /// game.
    pub(super) has_names: bool,
    /// The part of the path at `{id}`, without the name of a database.
    pub(super) id: String,
}

/// The name of the database and the number of the game in `NAME:17`, or the number alone.
pub(super) fn named_game(text: &str) -> (Option<&str>, &str) {
    match text.rsplit_once(':') {
        Some((name, number)) => (Some(name), number),
        None => (None, text),
    }
}

impl Databases {
    /// Opens databases, and the databases in folders. Also returns the files in folders that cannot be served, with
    /// reasons.
    ///
    /// # Errors
    /// When a database cannot be opened or is given twice, and when a folder has none.
    pub(super) fn open(
        paths: &[PathBuf],
        is_read_only: bool,
    ) -> Result<(Databases, Vec<(PathBuf, Error)>)> {
        let mut served = Vec::with_capacity(paths.len());
        for path in paths {
            if path.is_dir() {
                served.push(ServedPath::Folder(path.clone()));
            } else {
                served.push(ServedPath::Database(path.clone()));
            }
        }

        let databases = Databases {
            served,
            is_read_only,
            state: Mutex::default(),
        };

        let mut state = lock(&databases.state);
        let refused = databases.read_folders(&mut state)?;

        for path in &databases.served {
            let ServedPath::Folder(folder) = path else {
                continue;
            };
            let has_database = state.pools.iter().any(|pool| is_in(pool.path(), folder));
            if has_database {
                continue;
            }

            // The reason why a file cannot be served says more than that the folder has no database.
            return match refused.into_iter().next() {
                Some((_, reason)) => Err(reason),
                None => Err(Error::NoDatabaseIn(folder.clone())),
            };
        }

        drop(state);
        Ok((databases, refused))
    }

    /// The names of the databases that are served now.
    pub(super) fn names(&self) -> Vec<String> {
        self.all().iter().map(|pool| pool.name.clone()).collect()
    }

    /// The databases of a request: the named database, or all databases.
    ///
    /// A database is named by the parameter `db`, or before the number of a game in the path: `NAME:17`.
    ///
    /// # Errors
    /// When there is no database of this name.
    pub(super) fn choose(
        &self,
        named_by: NamedBy,
        parameters: &Parameters,
        id: String,
    ) -> std::result::Result<ChosenDatabases, Failure> {
        let pools = self.all();
        let (name_of_game, number) = named_game(&id);
        let db = parameters.get("db").filter(|name| !name.is_empty());

        // The name before the number of a game overrides `db`.
        let (Some(name), NamedBy::Name) = (name_of_game.or(db), named_by) else {
            return Ok(ChosenDatabases {
                has_names: pools.len() > 1,
                pools,
                id: number.to_owned(),
            });
        };

        let found = pools.into_iter().find(|pool| pool.name == name);
        let Some(pool) = found else {
            let sentence = format!("there is no database {name} here");
            return Err(Failure::not_found(sentence));
        };

        Ok(ChosenDatabases {
            pools: vec![pool],
            has_names: name_of_game.is_some(),
            id: number.to_owned(),
        })
    }

    /// The databases that are served now, in their order.
    fn all(&self) -> Vec<Arc<Pool>> {
        let mut state = lock(&self.state);
        if self.must_read_folders(&state) {
            // The databases that the server was started with are open already, so only files of folders can fail, and
            // these are not served.
            let _ = self.read_folders(&mut state);
        }
        state.pools.clone()
    }

    /// `true` if folders were last read more than [`MIN_REREAD_PAUSE`] ago, or a file of a folder is missing.
    fn must_read_folders(&self, state: &State) -> bool {
        let is_folder = |path: &ServedPath| matches!(path, ServedPath::Folder(_));
        if !self.served.iter().any(is_folder) {
            return false;
        }

        let is_due = match state.read_at {
            Some(at) => at.elapsed() >= MIN_REREAD_PAUSE,
            None => true,
        };
        is_due || state.pools.iter().any(|pool| self.is_gone(pool))
    }

    /// `true` if the file of a database in a folder is missing.
    fn is_gone(&self, pool: &Pool) -> bool {
        self.is_of_folder(pool.path()) && pool.file().is_none()
    }

    /// Reads the folders, and opens the databases that are not yet served. Returns the files in folders that cannot be
    /// served, with reasons.
    fn read_folders(&self, state: &mut State) -> Result<Vec<(PathBuf, Error)>> {
        let mut refused = Vec::new();
        let mut present: Vec<Arc<Pool>> = Vec::new();

        for served in &self.served {
            let (paths, is_folder) = match served {
                ServedPath::Database(path) => (vec![path.clone()], false),
                ServedPath::Folder(folder) => (databases_in(folder), true),
            };

            for path in paths {
                match self.pool(&path, state, &present) {
                    Ok(pool) => present.push(pool),
                    // Another program may be about to make this file a database.
                    Err(reason) if is_folder => refused.push((path, reason)),
                    Err(reason) => return Err(reason),
                }
            }
        }

        for pool in &state.pools {
            let is_present = present.iter().any(|other| Arc::ptr_eq(pool, other));
            if !is_present {
                pool.close_idle();
            }
        }
        state.pools = present;
        state.read_at = Some(Instant::now());
        Ok(refused)
    }

    /// The database at a path, opened unless it has been served before; `present` are the databases before it.
    fn pool(&self, path: &Path, state: &mut State, present: &[Arc<Pool>]) -> Result<Arc<Pool>> {
        let is_given_twice = present.iter().any(|other| other.path() == path);
        if is_given_twice {
            return Err(Error::DatabaseTwice(path.to_owned()));
        }

        let known = state.known.iter().find(|pool| pool.path() == path);
        if let Some(pool) = known {
            return Ok(Arc::clone(pool));
        }

        // A number is never reused for another database, since ids of games contain it.
        let name = unused_name(&state.known, path);
        let number = u32::try_from(state.known.len()).unwrap_or(u32::MAX);
        let pool = Arc::new(Pool::open(path, name, number, self.is_read_only)?);

        // Two paths may lead to one file. A file must not have two pools, since a pool does not know the connections of
        // another pool.
        let is_same_file = present.iter().any(|other| other.file() == pool.file());
        if is_same_file {
            return Err(Error::DatabaseTwice(path.to_owned()));
        }

        state.known.push(Arc::clone(&pool));
        Ok(pool)
    }

    /// `true` if a path is in one of the folders.
    fn is_of_folder(&self, path: &Path) -> bool {
        self.served.iter().any(|served| match served {
            ServedPath::Folder(folder) => is_in(path, folder),
            ServedPath::Database(_) => false,
        })
    }
}

/// The name of a new database: the name of its file, with a number if a known database has this name.
fn unused_name(known: &[Arc<Pool>], path: &Path) -> String {
    // Names are given in the order of the files, and an earlier file keeps its name.
    let mut files = Vec::with_capacity(known.len() + 1);
    for pool in known {
        let file = format!("{}.db", pool.name);
        files.push(PathBuf::from(file));
    }
    files.push(path.to_owned());

    let mut names = database_names(files);
    names.pop().unwrap_or_default()
}

/// `true` if a path is directly in a folder.
fn is_in(path: &Path, folder: &Path) -> bool {
    path.parent() == Some(folder)
}

/// The files of a folder whose names end in `.db`, by name; no files if the folder cannot be read.
fn databases_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };

    let mut paths = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.extension() == Some(OsStr::new("db")) && path.is_file() {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    paths
}
