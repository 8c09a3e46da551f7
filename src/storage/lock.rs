//! One writer at a time: a file beside the database that is locked as long as somebody is at work.
//!
//! Between the steps of an import the database itself is free, so that others may read it. The lock is the system's, and
//! ends with whoever holds it, however that ends; what the file says is for people.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// How often somebody who waits looks again.
const PAUSE: Duration = Duration::from_millis(50);

/// A right to write into a database, given back when it is dropped.
#[derive(Debug)]
pub(super) struct WriterLock {
    path: PathBuf,
    file: File,
}

impl WriterLock {
    /// Waits for the right to write into a database, so long and no longer. Looks twice at least: whoever only asks
    /// whether it is held holds it for a moment.
    ///
    /// # Errors
    /// When somebody else has it, or the folder cannot be written.
    pub(super) fn acquire(database: &Path, wait: Duration) -> Result<WriterLock> {
        let path = lock_path(database);
        let wait = wait.max(PAUSE);
        let begin = Instant::now();
        loop {
            match WriterLock::try_acquire(&path, database)? {
                Some(lock) => return Ok(lock),
                None if begin.elapsed() < wait => sleep(PAUSE),
                None => {
                    return Err(Error::Locked { path: database.to_owned(), holder: holder(&path) });
                }
            }
        }
    }

    fn try_acquire(path: &Path, database: &Path) -> Result<Option<WriterLock>> {
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let file = options.open(path).map_err(|error| not_writable(database, error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(Error::file(path)(error)),
        }
        // Whoever had it may have taken the file away since it was opened; what is there now is another's, and stays.
        if !is_in_place(path, &file) {
            return Ok(None);
        }
        let mut lock = WriterLock { path: path.to_owned(), file };
        lock.name_holder();
        Ok(Some(lock))
    }

    /// Says who holds it; where that cannot be written, nobody can read it, and nothing else is lost.
    fn name_holder(&mut self) {
        let command = std::env::args_os().nth(1).unwrap_or_default();
        let text = format!("stamma {}, process {}", command.display(), std::process::id());
        let _ = self.file.set_len(0).and_then(|()| self.file.write_all(text.as_bytes()));
    }
}

/// `true` when somebody has the right to write into a database.
pub(super) fn is_held(database: &Path) -> bool {
    let lock = File::open(lock_path(database));
    lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        // One that is left behind is locked by nobody, and taken by the next.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// `true` when an open file is the one that a path leads to.
#[cfg(unix)]
fn is_in_place(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let there = std::fs::metadata(path).map(|there| (there.dev(), there.ino()));
    let here = file.metadata().map(|here| (here.dev(), here.ino()));
    matches!((there, here), (Ok(there), Ok(here)) if there == here)
}

/// Elsewhere an open file cannot be taken away.
#[cfg(not(unix))]
fn is_in_place(path: &Path, _: &File) -> bool {
    path.exists()
}

/// The file that is locked: that of the database itself, whatever link it is named by.
fn lock_path(database: &Path) -> PathBuf {
    let file = std::fs::canonicalize(database).unwrap_or_else(|_| database.to_owned());
    file.with_added_extension("lock")
}

/// What the file says of who holds it.
fn holder(path: &Path) -> String {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(200).read_to_string(&mut text));
    match read {
        Ok(_) if !text.is_empty() => text,
        _ => "another program".to_owned(),
    }
}

fn not_writable(database: &Path, error: std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            Error::ReadOnly(database.to_owned())
        }
        _ => Error::file(database)(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let database = folder.path().join("games.db");
        let lock = WriterLock::acquire(&database, Duration::ZERO).expect("nobody else");
        let refused = WriterLock::acquire(&database, Duration::from_millis(60));
        let message = refused.expect_err("somebody has it").to_string();
        assert!(message.contains(&format!("process {}", std::process::id())), "{message}");
        drop(lock);
        let waits_for_ever = WriterLock::acquire(&database, Duration::MAX);
        drop(waits_for_ever.expect("nobody else"));
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
        WriterLock::acquire(&database, Duration::ZERO).expect("it has been given back");
    }

    #[test]
    fn many_threads_never_hold_it_together() {
        use std::sync::atomic::{AtomicU32, Ordering};
        let folder = tempfile::tempdir().expect("a temporary folder");
        let database = folder.path().join("games.db");
        let holders = AtomicU32::new(0);
        let path = folder.path().join("games.db.lock");
        // Nobody sleeps before trying again, so that many try while a file is taken away.
        let acquire = || loop {
            match WriterLock::try_acquire(&path, &database).expect("a folder that can be written") {
                Some(lock) => return lock,
                None => std::thread::yield_now(),
            }
        };
        std::thread::scope(|threads| {
            for _ in 0..16 {
                threads.spawn(|| {
                    for _ in 0..100 {
                        let lock = acquire();
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        sleep(Duration::from_micros(100));
                        holders.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
    }
}
