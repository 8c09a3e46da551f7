//! Several databases that are queried as one.

mod hits;
mod results;
mod session;

use std::path::Path;

use super::{Query, Watch};
use crate::error::Result;
use crate::storage::{Database, database_names};
pub use hits::CombinedHits;
pub use results::{CombinedResults, GameOfDatabase};

/// Several databases that are queried as one, in parallel.
///
/// A game belongs to one database: [`GameOfDatabase`] has the index of the database and the number of the game there. A
/// game that occurs in two databases counts as two games.
///
/// ```
/// use stamma::query::{Databases, Watch};
/// use stamma::{Query, SortKey};
/// # use stamma::import::{ImportOptions, import};
/// # let folder = tempfile::tempdir().expect("a temporary folder");
/// # for name in ["early", "today"] {
/// #     let path = folder.path().join(name).with_extension("db");
/// #     let mut database = stamma::Database::open_or_create(path)?;
/// #     let games = format!("{}/tests/data/games/{name}.pgn", env!("CARGO_MANIFEST_DIR"));
/// #     import(&mut database, [games], ImportOptions::default(), |_| {})?;
/// # }
/// # std::env::set_current_dir(&folder).expect("a folder");
///
/// let mut databases = Databases::open(["early.db", "today.db"])?;
/// let names = databases.names().to_vec();
/// let query = Query::new().position("1. e4 e5")?.order(SortKey::Date).limit(3);
/// databases.query(&query, Watch::new(), |results| {
///     println!("{} games", results.count()?);
///     for played in results.moves()? {
///         println!("{}: {} games", played.san().unwrap_or("(end)"), played.counts.all_games());
///     }
///     let headings = results.hits(|database, hits| {
///         hits.into_iter().map(|hit| database.heading(hit.game)).collect()
///     });
///     for heading in headings {
///         let (database, heading) = heading?;
///         println!("{}: {}", names[database], heading.unwrap_or_default());
///     }
///     Ok(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Databases {
    databases: Vec<Database>,
    names: Vec<String>,
}

impl Databases {
    /// Opens databases for queries. Each database answers from one snapshot until the value is dropped. Together they
    /// use the memory of one database.
    ///
    /// # Errors
    /// When a database cannot be opened, or is given twice.
    pub fn open<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Databases> {
        Ok(Databases::from(Database::open_all(paths)?))
    }

    /// The names of the databases, as [`database_names`] gives them.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The names of the databases, with which answers label each game; `None` for a single database.
    pub fn names_of_several(&self) -> Option<&[String]> {
        if self.names.len() > 1 {
            Some(&self.names)
        } else {
            None
        }
    }

    /// The databases, in their order.
    pub fn iter(&self) -> std::slice::Iter<'_, Database> {
        self.databases.iter()
    }

    /// Plans a query on all databases, and calls `answer` with the results, which are computed when they are used.
    ///
    /// Each database has a thread. As many of these threads work at once as rayon's global pool has threads.
    ///
    /// # Errors
    /// When a database cannot be read, the filter's condition is not valid SQL, or the query is cancelled. Also any
    /// error of `answer`.
    pub fn query<T>(
        &mut self,
        query: &Query,
        watch: Watch<'_>,
        answer: impl FnOnce(&mut CombinedResults<'_>) -> Result<T>,
    ) -> Result<T> {
        query_databases(self.databases.iter_mut().collect(), query, watch, answer)
    }
}

/// Plans a query on borrowed databases, as [`Databases::query`] does.
///
/// # Errors
/// As for [`Databases::query`].
pub fn query_databases<T>(
    databases: Vec<&mut Database>,
    query: &Query,
    watch: Watch<'_>,
    answer: impl FnOnce(&mut CombinedResults<'_>) -> Result<T>,
) -> Result<T> {
    session::with_sessions(databases, query, watch, |sessions| {
        let mut results = CombinedResults::new(sessions, query)?;
        answer(&mut results)
    })
}

impl From<Vec<Database>> for Databases {
    fn from(databases: Vec<Database>) -> Databases {
        let names = database_names(databases.iter().map(Database::path));
        Databases { databases, names }
    }
}

impl<'d> IntoIterator for &'d Databases {
    type Item = &'d Database;
    type IntoIter = std::slice::Iter<'d, Database>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
