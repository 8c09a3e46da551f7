//! A database of Scid with any changes is read to its end, without a panic and with bounded text.

use std::sync::LazyLock;

use stamma::convert::{ConvertOptions, Piece, convert};
use stamma::input::Input;

#[path = "scid_database.rs"]
pub(crate) mod scid_database;

use scid_database::ScidDatabase;

static DATABASES: LazyLock<[ScidDatabase; 2]> =
    LazyLock::new(|| [ScidDatabase::version_4(), ScidDatabase::version_5()]);

/// More than the text of these games, however often a change repeats one of them.
const MAX_TEXT_BYTES: usize = 4 << 20;

/// Checks the changes that some bytes describe, four each: the file and the kind of change, the place, and a value. The
/// first byte chooses the version.
///
/// # Panics
/// If the invariant is violated.
pub(crate) fn hold(bytes: &[u8]) {
    let Some((version, changes)) = bytes.split_first() else { return };
    let mut database = DATABASES[usize::from(version & 1)].clone();
    for change in changes.chunks_exact(4) {
        let file = &mut database.files[usize::from(change[0] % 3)];
        let place = usize::from(change[1]) << 8 | usize::from(change[2]);
        let at = place % (file.len() + 1);
        match change[0] / 3 % 4 {
            0 | 1 => file.get_mut(at).into_iter().for_each(|byte| *byte = change[3]),
            2 => file.insert(at, change[3]),
            _ => file.truncate(at),
        }
    }

    let folder = tempfile::tempdir().expect("a temporary folder");
    database.write(folder.path(), "changed");
    let [index, ..] = database.extensions();
    let input = Input::file(folder.path().join(format!("changed.{index}")));
    let mut text_bytes = 0;
    let write = |piece: Piece<'_>| {
        text_bytes += piece.games().len();
        Ok(())
    };
    let options = ConvertOptions::default();
    let done = convert(&[input], &options, write, |_| Ok(()), |_| ()).expect("a conversion");
    assert!(text_bytes <= MAX_TEXT_BYTES, "{text_bytes} bytes");
    let most_games = database.files[0].len() / 47 + 1;
    assert!(done.summary.tally.games <= most_games as u64, "{:?}", done.summary.tally);
}
