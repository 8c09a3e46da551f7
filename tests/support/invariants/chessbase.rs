//! A database of ChessBase with any changes, in its files or in an archive, is read to its end, without a panic and
//! with bounded text.

use std::fs;
use std::path::{Path, PathBuf};

use super::changed_database;
use super::chessbase_archive::{BlockMode, archive};

/// The files of a small database.
const FILES: [(&str, &[u8]); 9] = [
    ("cbh", include_bytes!("../../data/chessbase/own.cbh")),
    ("cbg", include_bytes!("../../data/chessbase/own.cbg")),
    ("cba", include_bytes!("../../data/chessbase/own.cba")),
    ("cbp", include_bytes!("../../data/chessbase/own.cbp")),
    ("cbt", include_bytes!("../../data/chessbase/own.cbt")),
    ("cbc", include_bytes!("../../data/chessbase/own.cbc")),
    ("cbs", include_bytes!("../../data/chessbase/own.cbs")),
    ("cbe", include_bytes!("../../data/chessbase/own.cbe")),
    ("cbj", include_bytes!("../../data/chessbase/own.cbj")),
];
const RECORD_BYTES: usize = 46;
/// More than the text of these games, however often a change repeats one of them.
const MAX_TEXT_BYTES: usize = 4 << 20;

/// Checks the changes that some bytes describe; the first one chooses the files themselves or a kind of archive, whose
/// bytes are changed instead.
///
/// # Panics
/// If the invariant is violated.
pub(crate) fn hold(bytes: &[u8]) {
    let Some((form, changes)) = bytes.split_first() else {
        return;
    };
    let mode = match form % 8 {
        4 => Some(BlockMode::Stored),
        5 => Some(BlockMode::Lz),
        6 => Some(BlockMode::Huffman),
        7 => Some(BlockMode::HuffmanLz),
        _ => None,
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = match mode {
        Some(mode) => write_changed_archive(folder.path(), mode, changes),
        None => write_changed_files(folder.path(), changes),
    };

    let (text_bytes, games) = changed_database::read(&path);
    assert!(text_bytes <= MAX_TEXT_BYTES, "{text_bytes} bytes");

    if mode.is_none() {
        let index_bytes = fs::metadata(&path).expect("an index").len();
        let max_games = index_bytes / RECORD_BYTES as u64 + 1;
        assert!(games <= max_games, "{games} games");
    }
}

/// Writes the files with changes, and returns the path of the index.
fn write_changed_files(folder: &Path, changes: &[u8]) -> PathBuf {
    let mut files = FILES.map(|(_, content)| content.to_vec());
    changed_database::change(&mut files, changes);

    for ((extension, _), content) in FILES.iter().zip(&files) {
        let path = folder.join(format!("changed.{extension}"));
        fs::write(path, content).expect("space");
    }
    folder.join("changed.cbh")
}

/// Writes an archive of the files with changes in its bytes, and returns its path.
fn write_changed_archive(folder: &Path, mode: BlockMode, changes: &[u8]) -> PathBuf {
    let mut members = Vec::new();
    for (extension, content) in FILES {
        members.push((format!("own.{extension}"), content.to_vec()));
    }
    let mut whole = [archive(&members, mode)];
    changed_database::change(&mut whole, changes);

    let path = folder.join("changed.cbv");
    fs::write(&path, &whole[0]).expect("space");
    path
}
