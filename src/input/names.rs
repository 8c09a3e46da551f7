//! Whether a file's name says that there is PGN in it.

const COMPRESSED: [&str; 5] = [".zst", ".gz", ".bz2", ".xz", ".lz4"];
const WITH_PGN: [&str; 11] =
    [".pgn", ".zip", ".tar", ".tgz", ".tzst", ".tbz", ".tbz2", ".txz", ".tlz4", ".7z", ".rar"];

/// `true` when a file's name says that there is or may be PGN in it.
pub(super) fn may_hold_pgn(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = COMPRESSED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    let is_ours = |ending: &str| name.strip_suffix(ending).is_some_and(|stem| !stem.is_empty());
    // With `._` macOS names what it knows of a file beside that file.
    !name.starts_with("._") && WITH_PGN.iter().any(|ending| is_ours(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in
            ["a.pgn", "A.PGN", "a.b.Pgn.Zst", "twic.zip", "a.tar", "a.tar.xz", "a.tgz", "a.7z"]
        {
            assert!(may_hold_pgn(name), "{name}");
        }
        for name in [".pgn", "a.txt", "pgn", "a.gz", "a.png.gz", "._a.pgn", "a.pgn.txt", ".pgn.zst"]
        {
            assert!(!may_hold_pgn(name), "{name}");
        }
    }
}
