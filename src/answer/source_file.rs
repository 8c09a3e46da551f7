//! What answers tell of the path of a source: the name of its file, and no folder of this machine.

/// The name of a source's file. That of an archive's member is the member's.
pub fn source_file(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::source_file;

    #[test]
    fn folders_are_left_out() {
        for (path, file) in [
            ("games.pgn", "games.pgn"),
            ("/home/a/games.pgn", "games.pgn"),
            ("old/twic.zip/2020/twic1.pgn", "twic1.pgn"),
            (r"C:\chess\games.pgn", "games.pgn"),
            ("-", "-"),
            ("", ""),
        ] {
            assert_eq!(source_file(path), file);
        }
    }
}
