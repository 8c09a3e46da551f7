//! Recognizes the names of files that may contain PGN.

const COMPRESSED: [&str; 5] = [".zst", ".gz", ".bz2", ".xz", ".lz4"];
const WITH_PGN: [&str; 11] =
    [".pgn", ".zip", ".tar", ".tgz", ".tzst", ".tbz", ".tbz2", ".txz", ".tlz4", ".7z", ".rar"];

/// Returns `true` if a file's name indicates that it may contain PGN.
pub(super) fn may_hold_pgn(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = COMPRESSED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    let is_ours = |ending: &str| name.strip_suffix(ending).is_some_and(|stem| !stem.is_empty());
    // macOS stores a file's metadata beside it in a file prefixed with `._`.
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
