//! The files beside a database: SQLite's journals, and the lock of the writer.
//!
//! SQLite deletes or overwrites any file that has the name of one of its journals: `import poetry games.pgn` would
//! delete a text `poetry-journal`. So Stamma inspects such a file first.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The magic bytes of a rollback journal, which are zero until it is complete.
const JOURNAL_MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
/// The magic bytes of a write-ahead log, without the last bit. This bit is the byte order of the checksums.
const LOG_MAGIC: [u8; 4] = [0x37, 0x7f, 0x06, 0x82];

/// The size to which SQLite truncates the index of a new log before the first use.
const NEW_LOG_INDEX_BYTES: u64 = 3;
/// The steps in which SQLite extends the index of a log. Each part has eight of them, but another process may be between
/// two of them when the file is inspected.
const LOG_INDEX_STEP_BYTES: u64 = 4 << 10;

/// The maximum length of a chain of symbolic links, as on Linux.
const MAX_LINKS: usize = 40;
/// The suffix of the file that a writer locks.
pub(super) const LOCK: &str = "-lock";
const JOURNAL: &str = "-journal";
pub(super) const LOG: &str = "-wal";
pub(super) const LOG_INDEX: &str = "-shm";

/// All files that SQLite and Stamma may keep beside a database.
pub fn database_files(database: &Path) -> [PathBuf; 4] {
    [LOCK, JOURNAL, LOG, LOG_INDEX].map(|end| beside(database, end))
}

/// The folder of a file; `.` for a bare file name, whose parent is an empty path.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// The path of a file beside the database file itself, after resolving links.
pub(super) fn beside(database: &Path, end: &str) -> PathBuf {
    let mut name = file_of(database).into_os_string();
    name.push(OsStr::new(end));
    name.into()
}

/// The database file after resolving links, which SQLite follows even to a file that it has yet to create.
fn file_of(database: &Path) -> PathBuf {
    let mut path = database.to_owned();
    for _ in 0..MAX_LINKS {
        if let Ok(file) = fs::canonicalize(&path) {
            return file;
        }
        let Ok(target) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }

    // The file does not exist yet, but its folder may be reached through links.
    let folder = path
        .parent()
        .and_then(|folder| fs::canonicalize(folder).ok());
    match folder.zip(path.file_name()) {
        Some((folder, name)) => folder.join(name),
        None => path,
    }
}

/// Fails if a file beside the database has the name of a journal but is not one.
pub(super) fn refuse_foreign_journals(database: &Path) -> Result<()> {
    let foreign = |path| Error::ForeignFile {
        path,
        database: database.to_owned(),
    };

    let may_be_journal: fn(&[u8]) -> bool = is_journal;
    let may_be_log: fn(&[u8]) -> bool = is_log;
    for (end, may_be) in [(JOURNAL, may_be_journal), (LOG, may_be_log)] {
        let path = beside(database, end);
        let is_ours = match head(&path) {
            Ok(Some(head)) => may_be(&head),
            Ok(None) => false,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(Error::file(&path)(error)),
        };
        if !is_ours {
            return Err(foreign(path));
        }
    }

    let path = beside(database, LOG_INDEX);
    if let Ok(metadata) = fs::symlink_metadata(&path)
        && !is_log_index(&metadata)
    {
        return Err(foreign(path));
    }
    Ok(())
}

/// The rollback journal beside a database, if it exists without any content that SQLite would roll back.
///
/// A writer that was killed early leaves such a file. SQLite ignores it, and deletes it only at the end of the next
/// transaction, which may never come.
pub(super) fn unused_journal(database: &Path) -> Option<PathBuf> {
    let journal = beside(database, JOURNAL);
    let head = head(&journal).ok().flatten()?;

    let is_unused = head.iter().all(|&byte| byte == 0);
    is_unused.then_some(journal)
}

/// `true` if a file may be the index of a log. Only its size is checked: opening and closing the file would drop the
/// locks that other connections of the process have on it.
fn is_log_index(metadata: &fs::Metadata) -> bool {
    let bytes = metadata.len();
    let has_size = bytes == NEW_LOG_INDEX_BYTES || bytes.is_multiple_of(LOG_INDEX_STEP_BYTES);
    metadata.is_file() && has_size
}

/// `true` if a file that begins with these bytes may be a rollback journal.
fn is_journal(head: &[u8]) -> bool {
    head.iter().all(|&byte| byte == 0) || head.starts_with(&JOURNAL_MAGIC)
}

/// `true` if a file that begins with these bytes may be a write-ahead log.
fn is_log(head: &[u8]) -> bool {
    if head.iter().all(|&byte| byte == 0) {
        return true;
    }
    let Some([first, second, third, fourth]) = head.first_chunk() else {
        return false;
    };
    [*first, *second, *third, fourth & !1] == LOG_MAGIC
}

/// The first bytes of a regular file, at most eight; `None` for anything else.
fn head(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = open_regular(OpenOptions::new().read(true), path)? else {
        return Ok(None);
    };

    let mut head = Vec::new();
    file.take(JOURNAL_MAGIC.len() as u64)
        .read_to_end(&mut head)?;
    Ok(Some(head))
}

/// Opens a regular file; `None` for anything else, including a symbolic link. Never blocks.
///
/// # Errors
/// When the file is missing or cannot be opened.
pub(super) fn open_regular(options: &OpenOptions, path: &Path) -> io::Result<Option<File>> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Ok(None);
    }

    let mut options = options.clone();
    #[cfg(unix)]
    {
        // The file may have been replaced since it was inspected.
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }

    let file = options.open(path)?;
    let is_file = file.metadata()?.is_file();
    Ok(is_file.then_some(file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Database;

    #[test]
    fn a_journal_that_was_not_begun_is_removed_by_the_next_writer() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("games.db");
        drop(Database::open_or_create(&path).expect("a new database"));
        let journal = beside(&path, JOURNAL);

        for content in [&[][..], &[0; 512]] {
            fs::write(&journal, content).expect("a journal");

            drop(Database::open(&path).expect("a reader"));
            assert!(journal.exists(), "a reader leaves it to writers");

            drop(Database::open_to_write(&path).expect("a writer"));
            assert!(!journal.exists(), "{} bytes", content.len());
        }
    }

    #[test]
    fn the_index_of_a_log_may_be_new_whole_or_only_partly_extended() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("games.db-shm");

        for (bytes, expected) in [
            (0, true),
            (3, true),
            (4 << 10, true),
            (28 << 10, true),
            (32 << 10, true),
            (1, false),
            (5_000, false),
        ] {
            fs::write(&path, vec![0; bytes]).expect("a file");
            let metadata = fs::symlink_metadata(&path).expect("its size");
            assert_eq!(is_log_index(&metadata), expected, "{bytes}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_a_file_that_is_missing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let folder = fs::canonicalize(folder.path()).expect("its path");
        fs::create_dir(folder.join("there")).expect("a folder");
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(to, folder.join(name)).expect("a link");
            beside(&folder.join(name), LOCK)
        };
        let lock = folder.join("there/games.db-lock");

        assert_eq!(link("there/games.db", "link"), lock);
        assert_eq!(link("link", "link to it"), lock);
        assert_eq!(link("round", "round"), folder.join("round-lock"));

        fs::write(folder.join("there/games.db"), "").expect("the file");
        assert_eq!(beside(&folder.join("link"), LOCK), lock);
    }
}
