//! The identity of the file at a path, by which a replaced file is detected, and its stamp, by which a change is
//! detected.

use std::fs::{self, Metadata};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Values that distinguish a file from a file that replaces it at its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileIdentity {
    /// The numbers of the device and the file, where the system has them.
    numbers: Option<(u64, u64)>,
    /// The time of creation: a new file may soon get the number of a deleted one.
    created: Option<SystemTime>,
}

/// The values of a file that change when it is written: its size and the time of the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl FileIdentity {
    /// The identity of the file at a path; `None` if there is none.
    pub fn of(path: &Path) -> Option<FileIdentity> {
        let metadata = fs::metadata(path).ok()?;
        Some(FileIdentity {
            numbers: numbers(&metadata),
            created: metadata.created().ok(),
        })
    }

    /// A number for this identity that can be stored: a hash of the time at which the file was created and of its
    /// number in the file system, as far as the system has them. The number of the device is left out, since it may
    /// change when the device is mounted again.
    pub(super) fn lasting_number(&self) -> Option<i64> {
        let since_epoch = self.created?.duration_since(UNIX_EPOCH).ok()?;
        let nanoseconds = since_epoch.as_nanos();

        let mut hasher = blake3::Hasher::new();
        hasher.update(&nanoseconds.to_le_bytes());
        if let Some((_device, file)) = self.numbers {
            hasher.update(&file.to_le_bytes());
        }

        let hash = hasher.finalize();
        let first_bytes = *hash.as_bytes().first_chunk()?;
        Some(i64::from_le_bytes(first_bytes))
    }
}

impl FileStamp {
    /// The stamp of the file at a path; `None` if there is none.
    pub fn of(path: &Path) -> Option<FileStamp> {
        let metadata = fs::metadata(path).ok()?;
        Some(FileStamp {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// The numbers of the device and the file.
#[cfg(unix)]
fn numbers(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

/// Windows does not let an open file be replaced.
#[cfg(not(unix))]
fn numbers(_metadata: &Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replaced_file_has_another_identity_and_a_written_one_another_stamp() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [path, other] = ["games.db", "other.db"].map(|name| folder.path().join(name));
        assert_eq!(FileIdentity::of(&path), None);

        fs::write(&path, "a").expect("a file");
        let identity = FileIdentity::of(&path);
        let stamp = FileStamp::of(&path);
        fs::write(&path, "ab").expect("a file");
        assert_eq!(FileIdentity::of(&path), identity);
        assert_ne!(FileStamp::of(&path), stamp);

        fs::write(&other, "a").expect("a file");
        fs::rename(&other, &path).expect("a replacement");
        assert_ne!(FileIdentity::of(&path), identity);
    }
}
