//! Several connections to one snapshot of a database, for parallel queries.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::OpenFlags;

use super::{Database, InDatabase, WAIT_FOR_WRITERS};
use crate::error::{Error, Result};

/// The maximum time of attempts to begin one snapshot for all connections.
const PATIENCE: Duration = Duration::from_millis(500);
/// The pause between attempts, in which a writer can finish its step.
const PAUSE: Duration = Duration::from_millis(2);

/// The page cache of a reader that scans games once, in KiB: enough for the inner pages of the tables.
const BESIDE_CACHE_KIB: i64 = 4 * 1024;

/// Connections to one snapshot of a database, at most one for each thread of a rayon pool.
#[derive(Debug)]
pub(crate) struct Readers(Vec<Mutex<Database>>);

impl Readers {
    /// Connections to one snapshot.
    pub(crate) fn new(databases: Vec<Database>) -> Readers {
        Readers(databases.into_iter().map(Mutex::new).collect())
    }

    /// `true` if there is no connection.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The connection of this thread, shared with other threads if there are fewer connections. There must be at least
    /// one.
    pub(crate) fn for_thread(&self) -> MutexGuard<'_, Database> {
        let thread = rayon::current_thread_index().unwrap_or_default();
        self.0[thread % self.0.len()]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Database {
    /// Opens a database for queries, one to `max` times; all answers of all connections are from one snapshot,
    /// whatever others write meanwhile. There are fewer connections than `max` if writers never pause, or if no more
    /// files can be opened.
    ///
    /// # Errors
    /// As for [`Database::open`].
    pub(crate) fn open_readers(path: &Path, max: usize) -> Result<Vec<Database>> {
        // Between transactions, this connection notices every change.
        let observer = Database::open(path)?;
        observer.roll_back()?;

        let mut readers = vec![Database::open(path)?];
        readers.extend((1..max).map_while(|_| Database::open(path).ok()));

        let end = Instant::now() + PATIENCE;
        loop {
            let together = begin_together(&observer, &readers)?;

            if together == readers.len() || Instant::now() > end {
                readers.truncate(together);
                for reader in &readers {
                    reader.wait_for(WAIT_FOR_WRITERS)?;
                }
                return Ok(readers);
            }

            // All end and begin again, so that none keeps an older snapshot.
            for reader in &readers {
                reader.roll_back()?;
            }
            sleep(PAUSE);
            for reader in &readers {
                reader.execute("BEGIN")?;
            }
        }
    }

    /// Opens up to `max` more connections to the file, in the snapshot of this connection, which must be reading.
    ///
    /// There are none while there is a write-ahead log, because others may have written since this connection began
    /// to read. There are fewer than `max` while a writer waits, or if no more files can be opened.
    pub(crate) fn open_more_readers(&self, max: usize) -> Vec<Database> {
        let is_reading = self.lock.is_none() && !self.connection.is_autocommit();
        let has_log = self.ensure_snapshot().and_then(|()| self.has_log());
        let may_read_along = is_reading && matches!(has_log, Ok(false));
        if !may_read_along {
            return Vec::new();
        }

        let mut readers = Vec::new();
        while readers.len() < max
            && let Some(reader) = self.open_beside()
        {
            readers.push(reader);
        }
        readers
    }

    /// Another connection to the file, with a snapshot; `None` if it cannot be opened, or if a writer waits.
    fn open_beside(&self) -> Option<Database> {
        let opened = Database::connect(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
        // Another file may have replaced this one.
        if opened.file != self.file {
            return None;
        }

        opened.wait_for(Duration::ZERO).ok()?;
        let reader = opened.ready_for_queries().ok()?;
        reader
            .connection
            .pragma_update(None, "cache_size", -BESIDE_CACHE_KIB)
            .ok()?;
        reader.ensure_snapshot().ok()?;
        Some(reader)
    }

    /// Begins the snapshot of a connection, unless it has one.
    fn ensure_snapshot(&self) -> Result<()> {
        self.ask("SELECT count(*) FROM sqlite_schema")?;
        Ok(())
    }

    /// Ends the snapshot of a connection.
    fn roll_back(&self) -> Result<()> {
        self.execute("ROLLBACK")
    }

    /// Executes a statement without parameters or rows.
    fn execute(&self, sql: &str) -> Result<()> {
        self.connection.execute_batch(sql).in_database(self)
    }

    /// Sets the time for which this connection waits for a lock that another connection holds.
    pub(super) fn wait_for(&self, others: Duration) -> Result<()> {
        self.connection.busy_timeout(others).in_database(self)
    }

    /// `true` if there is a write-ahead log, so that readers block no writer.
    pub(super) fn has_log(&self) -> Result<bool> {
        let mode = self
            .connection
            .pragma_query_value(None, "journal_mode", |row| {
                let mode = row.get_ref(0)?.as_str()?;
                Ok(mode == "wal")
            });
        mode.in_database(self)
    }
}

/// Begins the snapshot of each connection, of which there is at least one. Returns the number of connections, from the
/// first on, that certainly share a snapshot.
fn begin_together(observer: &Database, readers: &[Database]) -> Result<usize> {
    let changes = || observer.ask("PRAGMA data_version");
    let before = changes()?;

    let mut begun = 0;
    for reader in readers {
        // A writer may wait for the first connection. A later connection that waits for this writer would wait in vain.
        let wait = if begun == 0 {
            WAIT_FOR_WRITERS
        } else {
            Duration::ZERO
        };
        reader.wait_for(wait)?;

        match reader.ensure_snapshot() {
            Err(Error::Busy(_)) if begun > 0 => break,
            result => result?,
        }
        begun += 1;
    }

    // Without a log, the snapshot of the first connection blocks all writers, so nothing can have changed.
    let has_changed = readers[0].has_log()? && changes()? != before;
    Ok(if has_changed { 1 } else { begun })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    const NEXT_GAME: &str = "SELECT value FROM counter WHERE name = 'next_game'";

    /// Stops the writer, even if the readers panic.
    struct EndWriter<'a>(&'a AtomicBool);

    impl Drop for EndWriter<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    fn read_while_another_writes(journal_mode: &str, times: u32) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("games.db");
        let writer = Database::open_or_create(&path).expect("a new database");
        writer
            .connection
            .pragma_update(None, "journal_mode", journal_mode)
            .expect("a mode");
        writer
            .connection
            .pragma_update(None, "synchronous", 0)
            .expect("a mode");

        let count = |writer: &Database| {
            writer.execute("UPDATE counter SET value = value + 1 WHERE name = 'next_game'")
        };
        count(&writer).expect("nobody reads");

        let is_done = &AtomicBool::new(false);
        std::thread::scope(|threads| {
            let _end = EndWriter(is_done);
            threads.spawn(move || {
                while !is_done.load(Ordering::Relaxed) {
                    // Readers may block it.
                    let _ = count(&writer);
                    sleep(Duration::from_micros(300));
                }
            });

            for _ in 0..times {
                let readers = Database::open_readers(&path, 6).expect("a state to read");
                let seen: Vec<_> = readers.iter().map(|reader| reader.ask(NEXT_GAME)).collect();
                let first = seen[0].as_ref().expect("a number");
                assert!(
                    seen.iter().all(|value| value.as_ref().ok() == Some(first)),
                    "{seen:?}"
                );
            }
        });

        let written = Database::open(&path).and_then(|database| database.ask(NEXT_GAME));
        assert!(written.expect("a number") > 1);
    }

    #[test]
    fn readers_beside_one_hold_writers_off_as_it_does() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("games.db");
        let writer = Database::open_or_create(&path).expect("a new database");
        writer
            .connection
            .busy_timeout(Duration::ZERO)
            .expect("no wait");
        let count = "UPDATE counter SET value = value + 1 WHERE name = 'next_game'";

        let reader = Database::open(&path).expect("a database");
        assert_eq!(reader.open_more_readers(3).len(), 3);
        assert!(matches!(writer.execute(count), Err(Error::Busy(_))));
        assert_eq!(writer.open_more_readers(3).len(), 0);
        drop(reader);

        writer
            .connection
            .pragma_update(None, "journal_mode", "wal")
            .expect("a mode");
        let reader = Database::open(&path).expect("a database");
        assert_eq!(reader.open_more_readers(3).len(), 0);
        writer.execute(count).expect("nobody holds it off");
    }

    #[cfg(unix)]
    #[test]
    fn no_reader_is_of_a_file_that_took_the_place() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [path, other] = ["games.db", "other.db"].map(|name| folder.path().join(name));
        for path in [&path, &other] {
            drop(Database::open_or_create(path).expect("a new database"));
        }

        let reader = Database::open(&path).expect("a database");
        assert_eq!(reader.open_more_readers(2).len(), 2);

        std::fs::rename(&other, &path).expect("a replacement");
        assert_eq!(reader.open_more_readers(2).len(), 0);
    }

    #[test]
    fn all_see_one_state_beside_a_log() {
        read_while_another_writes("wal", 100);
    }

    #[test]
    fn all_see_one_state_of_the_file_alone() {
        // Each blocks the other, and waits for it.
        read_while_another_writes("delete", 5);
    }
}
