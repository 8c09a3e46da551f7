//! Several databases that are queried together: their names, and opening each file once.

use std::fs;
use std::path::Path;

#[cfg(feature = "program")]
use super::InDatabase;
use super::{Database, MIN_CACHE_KIB, READ_CACHE_KIB};
use crate::error::{Error, Result};

impl Database {
    /// Opens several databases for queries, each as by [`Database::open`]. Together they use the memory limit of one.
    ///
    /// # Errors
    /// When one of them cannot be opened, or is given twice.
    pub fn open_all<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Vec<Database>> {
        let paths: Vec<P> = paths.into_iter().collect();
        refuse_twice(&paths)?;

        let mut databases = Vec::with_capacity(paths.len());
        for path in &paths {
            databases.push(Database::open(path)?);
        }

        if databases.len() > 1 {
            let kib = shared_cache_kib(databases.len());
            for database in &databases {
                database.limit_page_cache(kib)?;
            }
        }
        Ok(databases)
    }

    /// Opens several databases for statements of SQL, as by [`Database::open_immutable`]: the first, with the others
    /// attached as `db2`, `db3` and so on.
    ///
    /// # Errors
    /// When one of them cannot be opened or is given twice, or there are more than SQLite attaches.
    #[cfg(feature = "program")]
    pub fn open_all_immutable(paths: &[std::path::PathBuf]) -> Result<Database> {
        refuse_twice(paths)?;
        let [first, others @ ..] = paths else {
            return Err(Error::NoDatabase(std::path::PathBuf::new()));
        };
        Database::open_immutable_with(first, others)
    }

    /// Opens a database, and attaches others.
    #[cfg(feature = "program")]
    pub(super) fn open_immutable_with(
        path: &Path,
        others: &[std::path::PathBuf],
    ) -> Result<Database> {
        // If a writer was killed, this rolls the unfinished transaction back. An immutable connection cannot do that.
        let database = Database::open(path)?;
        let sealed = match Database::connect(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY) {
            Ok(sealed) => {
                let set_up = format!("PRAGMA cache_size = -{READ_CACHE_KIB}");
                sealed
                    .connection
                    .execute_batch(&set_up)
                    .in_database(&sealed)?;
                sealed
            }
            Err(_) => database,
        };

        sealed.end_snapshot()?;
        for (number, other) in (2..).zip(others) {
            sealed.attach(&format!("db{number}"), other)?;
        }

        sealed
            .connection
            .execute_batch("BEGIN")
            .in_database(&sealed)?;

        // The authorizer would deny the statements above, so it comes last.
        let authorized = sealed.connection.authorizer(Some(super::sealed::authorize));
        authorized.in_database(&sealed)?;
        Ok(sealed)
    }

    /// Attaches another database under a name; it is as read-only as this one.
    #[cfg(feature = "program")]
    fn attach(&self, name: &str, other: &Path) -> Result<()> {
        // Opening the database checks its version, and rolls back the unfinished transaction of a killed writer.
        let opened = Database::open(other)?;
        drop(opened);

        let absolute = std::path::absolute(other).map_err(Error::file(other))?;
        let file = absolute
            .to_str()
            .ok_or_else(|| Error::NotADatabase(other.to_owned()))?;
        let attached = self.connection.execute("ATTACH ?1 AS ?2", [file, name]);
        match attached {
            Ok(_) => Ok(()),
            Err(source) => Err(Error::Database {
                path: other.to_owned(),
                source,
            }),
        }
    }
}

/// The page cache of each of several connections.
pub(crate) fn shared_cache_kib(connections: usize) -> u32 {
    match u32::try_from(connections) {
        // A single connection, or none, has all of it.
        Ok(connections) => (READ_CACHE_KIB / connections.max(1)).max(MIN_CACHE_KIB),
        Err(_) => MIN_CACHE_KIB,
    }
}

/// Fails if two paths name one file.
///
/// # Errors
/// When a path is given twice.
pub(crate) fn refuse_twice(paths: &[impl AsRef<Path>]) -> Result<()> {
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        // A missing file is reported when it is opened.
        let Ok(file) = fs::canonicalize(path) else {
            continue;
        };
        if files.contains(&file) {
            return Err(Error::DatabaseTwice(path.as_ref().to_owned()));
        }
        files.push(file);
    }
    Ok(())
}

/// Names for databases: the names of their files without the extension. Repeated names get a number, from the second
/// on.
pub fn database_names<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for path in paths {
        let file_stem = path.as_ref().file_stem().unwrap_or_default();
        let stem = file_stem.to_string_lossy().into_owned();

        let mut name = stem.clone();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{stem}-{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ() {
        let paths = [
            "games.db",
            "old/games.db",
            "games-2.db",
            "x/games",
            "2024.01.db",
        ];
        let names = ["games", "games-2", "games-2-2", "games-3", "2024.01"];
        assert_eq!(database_names(paths), names);
    }
}
