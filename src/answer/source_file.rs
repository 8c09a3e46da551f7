//! The name of a source in answers: the name of the source's file, without folders, which could be private.

/// The name of a source's file. A source in an archive has the name of the archive's member.
pub fn source_file(path: &str) -> &str {
    // Paths of imports on Windows have backslashes.
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
