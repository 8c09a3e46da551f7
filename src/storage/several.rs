//! Several databases that are queried together: their names, and opening each file once.

use std::fs;
use std::path::Path;

use super::{Database, LEAST_CACHE_KIB, READ_CACHE_KIB};
use crate::error::{Error, Result};

impl Database {
    /// Opens several databases for queries, each as by [`Database::open`]. Together they use the memory of one.
    ///
    /// # Errors
    /// When one of them cannot be opened, or is given twice.
    pub fn open_all<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Vec<Database>> {
        let paths: Vec<P> = paths.into_iter().collect();
        refuse_twice(&paths)?;
        let databases: Vec<Database> = paths.iter().map(Database::open).collect::<Result<_>>()?;
        if databases.len() > 1 {
            let kib = shared_cache_kib(databases.len());
            databases.iter().try_for_each(|database| database.limit_page_cache(kib))?;
        }
        Ok(databases)
    }
}

/// The page cache of each of several connections.
pub(crate) fn shared_cache_kib(connections: usize) -> u32 {
    let share = u32::try_from(connections).map_or(0, |connections| READ_CACHE_KIB / connections);
    share.max(LEAST_CACHE_KIB)
}

/// Fails if two paths name the same file.
///
/// # Errors
/// If they do.
pub(crate) fn refuse_twice(paths: &[impl AsRef<Path>]) -> Result<()> {
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        // One that is missing is reported when it is opened.
        let Ok(file) = fs::canonicalize(path) else { continue };
        if files.contains(&file) {
            return Err(Error::DatabaseTwice(path.as_ref().to_owned()));
        }
        files.push(file);
    }
    Ok(())
}

/// Names for databases: those of their files without the extension, and with a number from the second of one name on.
pub fn database_names<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for path in paths {
        let stem = path.as_ref().file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let numbered = (2..).map(|number| format!("{stem}-{number}"));
        let mut free = std::iter::once(stem.clone()).chain(numbered);
        let name = free.find(|name| !names.contains(name));
        names.push(name.unwrap_or(stem));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ() {
        let paths = ["games.db", "old/games.db", "games-2.db", "x/games", "2024.01.db"];
        let names = ["games", "games-2", "games-2-2", "games-3", "2024.01"];
        assert_eq!(database_names(paths), names);
    }
}
