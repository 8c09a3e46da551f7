//! Words quoted for shells, in commands that messages suggest.

use std::path::Path;

/// A path quoted for shells.
pub(super) fn quoted_path(path: &Path) -> String {
    quoted(&path.display().to_string())
}

/// A word quoted for shells.
pub(super) fn quoted(word: &str) -> String {
    // These letters have no special meaning in shells.
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./,:+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }

    // Within single quotes, a single quote cannot be escaped. So the quotes are closed before an escaped quote, and
    // opened again after it.
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_cut_them() {
        assert_eq!(quoted("fischer"), "fischer");
        assert_eq!(quoted("bobby fischer"), "'bobby fischer'");
        assert_eq!(quoted("O'Kelly"), r"'O'\''Kelly'");
    }
}
