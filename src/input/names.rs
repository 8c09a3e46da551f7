//! Recognizes the names of files that may contain PGN.

#[cfg(feature = "program")]
use super::compressed_name::COMPRESSED;
use super::compressed_name::without_compression;

const WITH_PGN: [&str; 11] = [
    ".pgn", ".zip", ".tar", ".tgz", ".tzst", ".tbz", ".tbz2", ".txz", ".tlz4", ".7z", ".rar",
];

const PARQUET: &str = ".parquet";
/// The extensions of the index files of Scid and ChessBase databases, and of ChessBase archives. An index represents
/// all files of its database.
#[cfg(feature = "chessbase")]
const INDEXES: &[&str] = &[".si4", ".si5", ".cbh", ".cbv"];
#[cfg(not(feature = "chessbase"))]
const INDEXES: &[&str] = &[".si4", ".si5"];

/// Returns `true` for the extension, without a dot, of files that hold games, of archives or of compressed files.
#[cfg(feature = "program")]
pub fn is_extension_of_games(extension: &str) -> bool {
    let extension = extension.to_ascii_lowercase();

    let mut endings = COMPRESSED
        .iter()
        .chain(&WITH_PGN)
        .chain([&PARQUET])
        .chain(INDEXES);

    endings.any(|ending| ending.strip_prefix('.') == Some(&*extension))
}

/// Returns `true` if a file's name indicates that it may contain PGN.
pub(super) fn may_hold_pgn(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    if is_index(&name) {
        return true;
    }

    let stored_name = without_compression(&name);
    // macOS stores a file's metadata beside it in a file prefixed with `._`.
    let is_metadata = stored_name.starts_with("._");
    let has_ending = WITH_PGN.iter().any(|ending| {
        stored_name
            .strip_suffix(ending)
            .is_some_and(|stem| !stem.is_empty())
    });
    has_ending && !is_metadata || is_parquet(stored_name)
}

/// Returns `true` for the name of the index of a database. In a folder, only the index of a database is listed.
fn is_index(name: &str) -> bool {
    let stem = INDEXES.iter().find_map(|ending| name.strip_suffix(ending));
    stem.is_some_and(|stem| !stem.is_empty() && !stem.starts_with("._"))
}

/// Returns `true` for the name of a Parquet file. Engines ignore names that begin with a dot or an underscore, which
/// files have while they are being written.
pub(super) fn is_parquet(name: &str) -> bool {
    let is_hidden = name.starts_with(['.', '_']);
    cfg!(feature = "dataset") && !is_hidden && name.to_ascii_lowercase().ends_with(PARQUET)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in [
            "a.pgn",
            "A.PGN",
            "a.b.Pgn.Zst",
            "twic.zip",
            "a.tar",
            "a.tar.xz",
            "a.tgz",
            "a.7z",
            "a.Parquet",
            "a.SI4",
            "a.si5",
        ] {
            assert!(may_hold_pgn(name), "{name}");
        }
        for name in [
            ".pgn",
            "_a.parquet",
            "a.txt",
            "pgn",
            "a.gz",
            "a.png.gz",
            "._a.pgn",
            "a.pgn.txt",
            ".pgn.zst",
            "a.sg4",
            "a.sn5",
            "a.si4.gz",
            "._a.si4",
        ] {
            assert!(!may_hold_pgn(name), "{name}");
        }
    }
}
