//! A database of Scid with any changes is read to its end, without a panic and with bounded text.

use std::sync::LazyLock;

#[path = "scid_database.rs"]
pub(crate) mod scid_database;

use super::changed_database;
use scid_database::ScidDatabase;

static DATABASES: LazyLock<[ScidDatabase; 2]> =
    LazyLock::new(|| [ScidDatabase::version_4(), ScidDatabase::version_5()]);

/// More than the text of these games, however often a change repeats one of them.
const MAX_TEXT_BYTES: usize = 4 << 20;

/// The bytes of a record of the index: 47 in Scid 4, and more in Scid 5.
const MIN_RECORD_BYTES: usize = 47;

/// Checks the changes that some bytes describe, four each: the file and the kind of change, the place, and a value. The
/// first byte chooses the version.
///
/// # Panics
/// If the invariant is violated.
pub(crate) fn hold(bytes: &[u8]) {
    let Some((version, changes)) = bytes.split_first() else {
        return;
    };
    let mut database = DATABASES[usize::from(version & 1)].clone();
    changed_database::change(&mut database.files, changes);

    let folder = tempfile::tempdir().expect("a temporary folder");
    database.write(folder.path(), "changed");
    let [index, ..] = database.extensions();
    let path = folder.path().join(format!("changed.{index}"));
    let (text_bytes, games) = changed_database::read(&path);
    assert!(text_bytes <= MAX_TEXT_BYTES, "{text_bytes} bytes");

    let index_bytes = database.files[0].len();
    let max_games = index_bytes / MIN_RECORD_BYTES + 1;
    assert!(games <= max_games as u64, "{games} games");
}
