//! Locates third-party files: `STAMMA_CORPUS` names their folder; without it, tests that need them are skipped.

use std::path::{Path, PathBuf};

use stamma_chess::pgn::{Span, split};

/// The path of a file or folder of the corpus; `None`, with a message, if there is no corpus.
#[expect(
    clippy::print_stderr,
    reason = "a skipped test tells the one who runs it"
)]
pub(crate) fn path(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("STAMMA_CORPUS") else {
        eprintln!("skipped: STAMMA_CORPUS is not set");
        return None;
    };
    Some(Path::new(&folder).join(name))
}

/// The factor by which a test with many cases of one kind reduces them: `times` without a corpus, in the tests of every
/// change; 1 where there is a corpus.
pub(crate) fn fewer(times: usize) -> usize {
    if std::env::var_os("STAMMA_CORPUS").is_some() {
        1
    } else {
        times
    }
}

/// The bytes of a file of the corpus; see [`path`].
pub(crate) fn read(name: &str) -> Option<Vec<u8>> {
    let path = path(name)?;
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Some(bytes)
}

/// The text of a file of the corpus; see [`path`].
pub(crate) fn read_text(name: &str) -> Option<String> {
    let bytes = read(name)?;
    Some(String::from_utf8(bytes).expect(name))
}

/// The texts of all games of a file, or of the files of a folder, of the corpus; see [`path`].
pub(crate) fn games(name: &str) -> Option<Vec<String>> {
    let mut games = Vec::new();
    for file in files(&path(name)?) {
        let bytes = std::fs::read(file).expect(name);
        for span in split(&bytes) {
            let Span::Game(range) = span else { continue };
            games.push(String::from_utf8_lossy(&bytes[range]).into_owned());
        }
    }
    Some(games)
}

/// A file, or all files in a folder and its folders, by name.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }

    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).expect("a folder") {
        entries.push(entry.expect("an entry").path());
    }
    // The order of a folder is not the same everywhere.
    entries.sort();

    let mut paths = Vec::new();
    for entry in &entries {
        paths.extend(files(entry));
    }
    paths
}
