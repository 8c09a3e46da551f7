//! A lock file beside the database, which admits one writer at a time.
//!
//! Between the steps of an import the database itself is unlocked for readers, since SQLite's own locks end with each
//! step. A system lock on the database file is no alternative. On macOS, Windows and network drives it is of one kind
//! with SQLite's locks and would block readers. On Unix SQLite's locks are lost as soon as the process closes any other
//! handle to the file. So the lock is on a separate file. The lock ends with the process that holds it, even if the
//! process is killed.
//!
//! The file is created with its full content and never rewritten. The content distinguishes it from files of other
//! programs, which are never opened for writing, followed or deleted.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

use super::beside::{LOCK, beside, folder_of, open_regular};
use crate::error::{Error, Result};

/// The pause between attempts.
const PAUSE: Duration = Duration::from_millis(50);
/// The text at the beginning of the file. The holder of the lock follows.
const MAGIC: &str =
    "This is a lock of Stamma. It is deleted by whoever holds it, or by the next.\n";
/// The maximum number of bytes that are read of a file.
const MAX_READ_BYTES: u64 = 400;

/// The right to write to a database, released on drop.
#[derive(Debug)]
pub(super) struct WriterLock {
    path: PathBuf,
    file: File,
}

impl WriterLock {
    /// Waits up to `wait` for the right to write to a database. Tries at least twice, because [`is_held`] holds the
    /// lock for a moment while it tests it.
    ///
    /// # Errors
    /// When another process holds it, a file with its name is not a lock, or the folder is not writable.
    pub(super) fn acquire(database: &Path, wait: Duration) -> Result<WriterLock> {
        let path = beside(database, LOCK);
        let wait = wait.max(PAUSE);
        let begin = Instant::now();

        loop {
            if let Some(lock) = WriterLock::try_acquire(&path, database)? {
                return Ok(lock);
            }

            if begin.elapsed() >= wait {
                let holder = holder(&path).unwrap_or_else(|| "another program".to_owned());
                return Err(Error::Locked {
                    path: database.to_owned(),
                    holder,
                });
            }
            sleep(PAUSE);
        }
    }

    /// Tries once to get the lock; `None` if another process has it, or if the file of a killed process was deleted.
    fn try_acquire(path: &Path, database: &Path) -> Result<Option<WriterLock>> {
        let fail = |error| write_error(database, error);

        let file = match open_to_lock(path) {
            Ok(Some(file)) if is_lock(&file) => file,
            Ok(_) => {
                return Err(Error::ForeignFile {
                    path: path.to_owned(),
                    database: database.to_owned(),
                });
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return WriterLock::create(path, database);
            }
            Err(error) => return Err(fail(error)),
        };

        if try_lock(&file, path)? && is_in_place(path, &file) {
            // The holder was killed. The file deleted here is in place, and no other process has locked it.
            fs::remove_file(path).map_err(fail)?;
        }
        Ok(None)
    }

    /// Creates the lock file under a temporary name, locks it, and renames it to `path`. `None` if another writer has
    /// created `path` first, has deleted the temporary file, or holds its lock.
    fn create(path: &Path, database: &Path) -> Result<Option<WriterLock>> {
        let folder = folder_of(path);
        let prefix = unnamed_prefix(path);
        delete_abandoned(folder, &prefix);

        let temporary = create_unnamed(folder, &prefix, database)?;
        if !try_lock(temporary.as_file(), path)? {
            return Ok(None);
        }

        match temporary.persist_noclobber(path) {
            Ok(file) => Ok(Some(WriterLock {
                path: path.to_owned(),
                file,
            })),
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(None),
            // Another writer has deleted the file as abandoned, before it was locked.
            Err(error) if error.error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(write_error(database, error.error)),
        }
    }
}

/// Creates a lock file with its full content, under a temporary name.
fn create_unnamed(folder: &Path, prefix: &OsStr, database: &Path) -> Result<NamedTempFile> {
    let fail = |error| write_error(database, error);

    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    {
        // Other users may read the name of the holder.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }

    let not_created = |error| {
        if folder.is_dir() {
            return fail(error);
        }
        let what = format!("there is no folder {}", folder.display());
        fail(io::Error::new(ErrorKind::NotFound, what))
    };
    let mut temporary = builder.tempfile_in(folder).map_err(not_created)?;

    let command = std::env::args_os().nth(1).unwrap_or_default();
    let process = std::process::id();
    let text = format!("{MAGIC}stamma {}, process {process}", command.display());
    temporary.write_all(text.as_bytes()).map_err(fail)?;
    Ok(temporary)
}

/// The prefix of lock files that have not been given their final name yet.
fn unnamed_prefix(path: &Path) -> OsString {
    let mut prefix = path.file_name().unwrap_or_default().to_owned();
    prefix.push("-");
    prefix
}

/// Deletes the lock files of writers that were killed before they could name them.
fn delete_abandoned(folder: &Path, prefix: &OsStr) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };

    for entry in entries.flatten() {
        let name = entry.file_name();
        let bytes = name.as_encoded_bytes();
        if !bytes.starts_with(prefix.as_encoded_bytes()) {
            continue;
        }

        let path = entry.path();
        let Ok(Some(file)) = open_to_lock(&path) else {
            continue;
        };

        let Some(text) = read_beginning(&file) else {
            continue;
        };
        // The writer may have been killed before it wrote the text.
        let is_ours = text.is_empty() || text.starts_with(MAGIC);
        if is_ours && file.try_lock().is_ok() {
            let _ = fs::remove_file(path);
        }
    }
}

/// Opens a file for writing, as network drives require for locking, or for reading if permissions allow no more.
fn open_to_lock(path: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.read(true);
    let read_only = options.clone();

    match open_regular(options.write(true), path) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => open_regular(&read_only, path),
        opened => opened,
    }
}

/// Locks a file; `false` if it is already locked.
fn try_lock(file: &File, path: &Path) -> Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(Error::file(path)(error)),
    }
}

/// `true` if a writer holds the lock of a database.
pub(super) fn is_held(database: &Path) -> bool {
    let path = beside(database, LOCK);
    let Ok(Some(file)) = open_regular(OpenOptions::new().read(true), &path) else {
        return false;
    };

    if !is_lock(&file) {
        return false;
    }
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        // A file left behind is not locked; the next writer deletes it.
        if is_in_place(&self.path, &self.file) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// `true` if an open file is the file at a path.
#[cfg(unix)]
fn is_in_place(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(there), Ok(here)) = (fs::symlink_metadata(path), file.metadata()) else {
        return false;
    };

    // Files have distinct numbers on one device only.
    let is_same_device = there.dev() == here.dev();
    let has_same_number = there.ino() == here.ino();
    is_same_device && has_same_number
}

/// On other systems, an open file cannot be replaced.
#[cfg(not(unix))]
fn is_in_place(path: &Path, _: &File) -> bool {
    path.exists()
}

/// `true` for a lock file of Stamma.
fn is_lock(file: &File) -> bool {
    read_beginning(file).is_some_and(|text| text.starts_with(MAGIC))
}

/// The beginning of a file as text; `None` if it cannot be read.
fn read_beginning(file: &File) -> Option<String> {
    let mut bytes = Vec::new();
    file.take(MAX_READ_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The holder of the lock, as the file names it.
fn holder(path: &Path) -> Option<String> {
    let opened = open_regular(OpenOptions::new().read(true), path);
    let file = opened.ok().flatten()?;

    let text = read_beginning(&file)?;
    let holder = text.strip_prefix(MAGIC)?;
    if holder.is_empty() {
        return None;
    }
    Some(holder.to_owned())
}

/// The error for a lock file that cannot be written.
fn write_error(database: &Path, error: io::Error) -> Error {
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            Error::ReadOnly(database.to_owned())
        }
        // The system's error would name the temporary file.
        kind @ (ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
            let full = io::Error::new(kind, "the disk is full; nothing has been changed");
            Error::file(database)(full)
        }
        _ => Error::file(database)(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_writer_at_a_time() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let database = folder.path().join("games.db");
        let lock = WriterLock::acquire(&database, Duration::ZERO).expect("nobody else");

        let refused = WriterLock::acquire(&database, Duration::from_millis(60));
        let message = refused.expect_err("somebody has it").to_string();
        let holder = format!("process {}", std::process::id());
        assert!(message.contains(&holder), "{message}");

        drop(lock);
        let waits_for_ever = WriterLock::acquire(&database, Duration::MAX);
        drop(waits_for_ever.expect("nobody else"));
        let files = std::fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(files.count(), 0);

        WriterLock::acquire(&database, Duration::ZERO).expect("it has been given back");
    }

    #[test]
    fn many_threads_never_hold_it_together() {
        use std::sync::atomic::{AtomicU32, Ordering};

        let folder = tempfile::tempdir().expect("a temporary folder");
        let database = folder.path().join("games.db");
        let path = folder.path().join("games.db-lock");
        let holders = AtomicU32::new(0);

        // No thread sleeps between attempts, so that many try while a file is being deleted.
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

    #[test]
    fn files_of_other_programs_are_kept() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let database = folder.path().join("games.db");
        let path = folder.path().join("games.db-lock");
        for text in ["", "a text\n", "This is a lock"] {
            fs::write(&path, text).expect("a file");

            let refused = WriterLock::acquire(&database, Duration::ZERO);
            assert!(
                matches!(refused, Err(Error::ForeignFile { .. })),
                "{refused:?}"
            );
            assert!(!is_held(&database));
            assert_eq!(fs::read_to_string(&path).expect("the file"), text);
        }
    }

    #[test]
    fn locks_without_a_name_are_deleted_by_the_next_writer() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let database = folder.path().join("games.db");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("a file");
            path
        };
        let abandoned = [
            file("games.db-lock-a1B2c3", MAGIC),
            file("games.db-lock-d4E5f6", ""),
        ];
        let of_others = [
            file("games.db-lock-notes", "a text"),
            file("other.db-lock-g7", MAGIC),
        ];
        let locked = file("games.db-lock-h8I9", MAGIC);
        let holder = File::open(&locked).expect("a file");
        holder.lock().expect("a lock");

        drop(WriterLock::acquire(&database, Duration::ZERO).expect("nobody holds it"));

        assert!(abandoned.iter().all(|path| !path.exists()));
        assert!(of_others.iter().all(|path| path.exists()) && locked.exists());
    }

    #[test]
    fn an_abandoned_lock_is_taken_over() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let database = folder.path().join("games.db");
        fs::write(beside(&database, LOCK), MAGIC).expect("a file");
        assert!(!is_held(&database));

        let lock = WriterLock::acquire(&database, Duration::ZERO).expect("nobody holds it");
        assert!(is_held(&database));

        // A file of another program in its place is kept.
        fs::remove_file(&lock.path).expect("the file");
        fs::write(&lock.path, MAGIC).expect("a file");
        let path = lock.path.clone();
        drop(lock);
        assert!(path.exists());
    }
}
