//! Databases made by the benchmark, and their content according to SQLite.

use std::fs;
use std::path::Path;

use memchr::memmem;
use rusqlite::Connection;
use stamma::import::{ImportOptions, Tally, import};
use stamma::storage::Database;

/// Imports a file and checks that all its games are stored.
pub(crate) fn import_file(pgn: &Path, database: &Path, options: ImportOptions) -> Tally {
    let mut database = Database::open_or_create(database).expect("a database");
    let sources = [pgn.to_owned()];
    let result = import(&mut database, &sources, options, |_| {});

    let summary = result.expect("an import");
    assert!(summary.failures.is_empty(), "{:?}", summary.failures);
    // An import skips a file that it knows, and would be measured as fast.
    assert!(summary.earlier.is_empty(), "the file was imported before");
    summary.tally
}

/// Opens a database for queries as Stamma does: with a page cache, and in one snapshot.
pub(crate) fn open(database: &Path) -> Connection {
    let connection = Connection::open(database).expect("a database");
    connection
        .execute_batch("PRAGMA query_only = 1; PRAGMA cache_size = -32768; BEGIN")
        .expect("a database that can be read");
    connection
}

/// The content of a database.
pub(crate) struct Stored {
    pub(crate) games: u64,
    pub(crate) plies: u64,
    /// The number of positions, each once per game.
    pub(crate) positions: u64,
    pub(crate) database_bytes: u64,
    /// The bytes of all pages of the position index, including unused space.
    pub(crate) index_bytes: u64,
}

impl Stored {
    /// Reads the figures of a database.
    pub(crate) fn read(path: &Path) -> Stored {
        let connection = open(path);
        let query = |sql: &str| {
            let figure: i64 = connection.query_row(sql, [], |row| row.get(0)).expect(sql);
            figure as u64
        };

        Stored {
            games: query("SELECT count(*) FROM game"),
            plies: query("SELECT sum(ply_count) FROM game"),
            positions: query("SELECT sum(postings) FROM position_segment"),
            database_bytes: size(path),
            index_bytes: query(
                "SELECT sum(pgsize) FROM dbstat('main', 1)
                    WHERE name IN ('position_block', 'position_segment')",
            ),
        }
    }
}

/// The bytes of a file.
pub(crate) fn size(path: &Path) -> u64 {
    fs::metadata(path)
        .expect("a file that was just written or read")
        .len()
}

/// The number of games in a file: of lines that begin with an `Event` tag, which no comment in the corpus contains.
pub(crate) fn event_tags(pgn: &[u8]) -> u64 {
    let first = u64::from(pgn.starts_with(b"[Event "));
    first + memmem::find_iter(pgn, b"\n[Event ").count() as u64
}
