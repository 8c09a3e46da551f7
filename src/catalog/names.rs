//! Names that somebody asks for, through their words.

use rusqlite::Connection;

/// A table of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    /// Players.
    Player,
    /// Events.
    Event,
    /// Sites.
    Site,
}

impl NameKind {
    /// The name of the table, and the word for one of its names.
    pub(crate) const fn table(self) -> &'static str {
        match self {
            NameKind::Player => "player",
            NameKind::Event => "event",
            NameKind::Site => "site",
        }
    }
}

/// The numbers of the names that mean a text: exactly it, or those that have each of its words as the beginning
/// of one of theirs, capitals and accents folded as FTS5 folds them.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn named(
    connection: &Connection,
    kind: NameKind,
    text: &str,
    is_exact: bool,
) -> rusqlite::Result<Vec<i64>> {
    let table = kind.table();
    let (sql, asked) = match is_exact {
        true => (format!("SELECT id FROM {table} WHERE name = ?1"), text.to_owned()),
        false => match match_of(text, |letter| separates(connection, table, letter)) {
            Some(asked) => (format!("SELECT rowid FROM {table}_text(?1)"), asked),
            None => return Ok(Vec::new()),
        },
    };
    let mut select = connection.prepare_cached(&sql)?;
    // In the catalog, 0 stands for no name.
    let numbers = select.query_map([asked], |row| row.get(0))?;
    numbers.filter(|number| !matches!(number, Ok(0))).collect()
}

/// The words of a name as FTS5 is asked for them, nothing where there is none.
fn match_of(text: &str, separates: impl Fn(char) -> bool) -> Option<String> {
    let words = text.split(separates).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(|word| format!("\"{word}\"*")).collect();
    (!words.is_empty()).then(|| words.join(" AND "))
}

/// Whether a letter stands between words for FTS5.
///
/// It knows the letters of Unicode 6.1 and takes what came later for letters. So it is asked: in an index without
/// places of words, it refuses a phrase of two.
fn separates(connection: &Connection, table: &str, letter: char) -> bool {
    if letter.is_ascii() {
        return !letter.is_ascii_alphanumeric();
    }
    let sql = format!("SELECT 1 FROM {table}_text(?1)");
    let found = connection.prepare_cached(&sql).and_then(|mut select| {
        let mut rows = select.query([format!("\"a{letter}a\"")])?;
        rows.next().map(drop)
    });
    found.is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_asked_for_by_their_beginnings() {
        let match_of = |text| match_of(text, |letter: char| !letter.is_alphanumeric());
        assert_eq!(match_of("Carlsen, M.").as_deref(), Some("\"Carlsen\"* AND \"M\"*"));
        assert_eq!(match_of("\"*; --").as_deref(), None);
        assert_eq!(match_of("O'Kelly").as_deref(), Some("\"O\"* AND \"Kelly\"*"));
    }
}
