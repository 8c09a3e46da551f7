//! Several connections that see one state of a database, for threads that answer together.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{Database, WAIT_FOR_WRITERS};
use crate::error::{Error, Result};

/// How long to wait before the next attempt, so that a writer can end its step.
const PAUSE: Duration = Duration::from_millis(2);

impl Database {
    /// Opens a database so many times to ask it; all answers of all of them are of one state, whatever others
    /// write meanwhile.
    ///
    /// # Errors
    /// As for [`Database::open`], and when others write without a pause.
    pub fn open_readers(path: &Path, count: usize) -> Result<Vec<Database>> {
        // Between transactions, it is told of every change.
        let observer = Database::open(path)?;
        observer.end_reading()?;
        let readers = (0..count).map(|_| Database::open(path)).collect::<Result<Vec<_>>>()?;
        let end = Instant::now() + WAIT_FOR_WRITERS;
        while !begin_together(&observer, &readers)? {
            if Instant::now() > end {
                return Err(Error::Busy(path.to_owned()));
            }
            readers.iter().try_for_each(Database::end_reading)?;
            sleep(PAUSE);
            let begin = |reader: &Database| reader.execute_alone("BEGIN");
            readers.iter().try_for_each(begin)?;
        }
        Ok(readers)
    }

    fn end_reading(&self) -> Result<()> {
        self.execute_alone("ROLLBACK")
    }

    fn execute_alone(&self, sql: &str) -> Result<()> {
        self.connection.execute_batch(sql).map_err(|e| self.error(e))
    }
}

/// Settles the state that each connection sees; `false` when they may differ, or a writer waits for one of
/// them while another waits for the writer.
fn begin_together(observer: &Database, readers: &[Database]) -> Result<bool> {
    let changes = || observer.ask("PRAGMA data_version");
    let before = changes()?;
    for (number, reader) in readers.iter().enumerate() {
        let wait = if number == 0 { WAIT_FOR_WRITERS } else { Duration::ZERO };
        reader.connection.busy_timeout(wait).map_err(|e| reader.error(e))?;
        match reader.ask("SELECT count(*) FROM sqlite_schema") {
            Err(Error::Busy(_)) if number > 0 => return Ok(false),
            settled => settled.map(drop)?,
        }
    }
    Ok(changes()? == before)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    const NEXT_GAME: &str = "SELECT value FROM counter WHERE name = 'next_game'";

    fn read_while_another_writes(journal_mode: &str, times: u32) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("games.db");
        let writer = Database::open_or_create(&path).expect("a new database");
        writer.connection.pragma_update(None, "journal_mode", journal_mode).expect("a mode");
        writer.connection.pragma_update(None, "synchronous", 0).expect("a mode");
        let is_done = &AtomicBool::new(false);
        std::thread::scope(|threads| {
            threads.spawn(move || {
                while !is_done.load(Ordering::Relaxed) {
                    // Readers may hold it off.
                    let _ = writer.execute_alone("UPDATE counter SET value = value + 1");
                    sleep(Duration::from_micros(300));
                }
            });
            for _ in 0..times {
                let readers = Database::open_readers(&path, 6).expect("a pause");
                let seen: Vec<_> = readers.iter().map(|reader| reader.ask(NEXT_GAME)).collect();
                let first = seen[0].as_ref().expect("a number");
                assert!(seen.iter().all(|value| value.as_ref().ok() == Some(first)), "{seen:?}");
            }
            is_done.store(true, Ordering::Relaxed);
        });
        let written = Database::open(&path).and_then(|database| database.ask(NEXT_GAME));
        assert!(written.expect("a number") > 1);
    }

    #[test]
    fn all_see_one_state_beside_a_log() {
        read_while_another_writes("wal", 100);
    }

    #[test]
    fn all_see_one_state_of_the_file_alone() {
        // Each holds the other off, and waits for it.
        read_while_another_writes("delete", 5);
    }
}
