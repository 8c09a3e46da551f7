//! Look-up of names by their words.

use rusqlite::Connection;

use super::distinct_words::DistinctWords;
use super::spelling::{contracted, has_all_words, spellings};
use super::words;
use crate::cleaning::names::PersonQuery;

/// A table of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    /// Players.
    Player,
    /// Events.
    Event,
    /// Sites.
    Site,
    /// Openings.
    Opening,
}

impl NameKind {
    /// The name of the table, and the noun for one of its names.
    pub(crate) const fn table(self) -> &'static str {
        match self {
            NameKind::Player => "player",
            NameKind::Event => "event",
            NameKind::Site => "site",
            NameKind::Opening => "opening",
        }
    }
}

/// The numbers of the names that match a text: exactly, or by words. Each word of the text must begin a word of the
/// name. Case and accents are folded as FTS5 folds them, and a letter with several spellings matches each of its
/// spellings (`spelling.rs`). A player's name also matches as a person's name ([`PersonQuery`]).
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
    if is_exact {
        let sql = format!("SELECT id FROM {table} WHERE name = ?1");
        let mut found = Vec::new();
        for name in exact_names(text) {
            found.extend(numbers(connection, &sql, name)?);
        }
        return Ok(found);
    }
    if kind == NameKind::Opening {
        return openings(connection, text);
    }

    let words = words_in(connection, table, text);
    let mut found = named_by_words(connection, table, &words)?;
    if kind == NameKind::Player {
        found.extend(persons(connection, text, &words, &found)?);
    }

    // A name may match by its words, by its accents and as a person's.
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The players whose names match a text as a person's, and not by its words.
///
/// # Errors
/// When the database cannot be read.
#[cfg(feature = "program")]
pub(crate) fn named_as_person(connection: &Connection, text: &str) -> rusqlite::Result<Vec<i64>> {
    let table = NameKind::Player.table();
    let words = words_in(connection, table, text);
    let by_words = named_by_words(connection, table, &words)?;

    let mut as_person = persons(connection, text, &words, &by_words)?;
    as_person.retain(|number| !by_words.contains(number));
    Ok(as_person)
}

/// The players who have the family name of a typed name and do not match the typed name.
#[derive(Debug, Default)]
pub(crate) struct NamesOfFamily {
    /// Players whose given name may be a slip of the typed given name, or who have no given name
    /// ([`PersonQuery::nearly_matches`]).
    pub(crate) near: Vec<i64>,
    /// Players with another given name.
    pub(crate) others: Vec<i64>,
}

/// The players with the family name of a text who do not match it as a person's name; none for a single word.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn names_of_family(
    connection: &Connection,
    text: &str,
) -> rusqlite::Result<NamesOfFamily> {
    let mut found = NamesOfFamily::default();
    let Some(query) = PersonQuery::parse(text) else {
        return Ok(found);
    };
    let words = words_in(connection, NameKind::Player.table(), text);

    for (id, name) in with_family_name(connection, &words)? {
        if query.nearly_matches(&name) {
            found.near.push(id);
        } else if query.has_family(&name) && !query.matches(&name) {
            found.others.push(id);
        }
    }
    Ok(found)
}

/// The words of a query, each in all its spellings.
fn words_in(connection: &Connection, table: &str, text: &str) -> Vec<Vec<String>> {
    let exists = |begin: &str| begins_a_word(connection, table, begin);
    let is_separator = |letter| separates(connection, table, letter);

    let mut words = Vec::new();
    for word in text.split(is_separator) {
        if !word.is_empty() {
            words.push(spellings(word, exists));
        }
    }
    words
}

/// The names that have, for each word, a word that begins with it.
fn named_by_words(
    connection: &Connection,
    table: &str,
    words: &[Vec<String>],
) -> rusqlite::Result<Vec<i64>> {
    if words.is_empty() {
        return Ok(Vec::new());
    }

    let distinct = DistinctWords::if_needed(words);
    let mut found = named_with_accents(connection, table, words, distinct.as_ref())?;
    match &distinct {
        Some(distinct) => {
            found.extend(named_by_distinct_words(connection, table, words, distinct)?);
        }
        None => {
            let sql = format!("SELECT rowid FROM {table}_text(?1)");
            found.extend(numbers(connection, &sql, &fts5_expression(words))?);
        }
    }
    Ok(found)
}

/// The names found by FTS5 that have a separate word for each word of the query: "ivan ivanov" does not match
/// `Ivanov, Alexander`.
fn named_by_distinct_words(
    connection: &Connection,
    table: &str,
    words: &[Vec<String>],
    distinct: &DistinctWords,
) -> rusqlite::Result<Vec<i64>> {
    let sql = format!(
        "SELECT id, name FROM {table} WHERE id IN (SELECT rowid FROM {table}_text(?1)) AND id <> 0"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let named = select.query_map([fts5_expression(words)], |row| {
        Ok((row.get(0)?, second_column(row)?))
    })?;

    let mut found = Vec::new();
    for row in named {
        let (id, name) = row?;
        if distinct.are_in(&name) {
            found.push(id);
        }
    }
    Ok(found)
}

/// The maximum number of longer family names that are compared with short names.
const MAX_LONGER_NAMES: usize = 64;

/// The players whose names match a text as a person's name, or abbreviate a name in `found` with a longer family name:
/// "leinier dominguez" finds `Dominguez Perez,Leinier` by its words, and therefore also `Dominguez Perez,L`.
fn persons(
    connection: &Connection,
    text: &str,
    words: &[Vec<String>],
    found: &[i64],
) -> rusqlite::Result<Vec<i64>> {
    let Some(query) = PersonQuery::parse(text) else {
        return Ok(Vec::new());
    };

    let mut matching = Vec::new();
    let mut longer = Vec::new();
    let mut others = Vec::new();
    for (id, name) in with_family_name(connection, words)? {
        let is_matching = query.matches(&name);
        if is_matching {
            matching.push(id);
        }

        // A found name may be spelled out, and any other name may abbreviate it.
        let is_found = is_matching || found.contains(&id);
        if !is_found {
            others.push((id, name));
        } else if longer.len() < MAX_LONGER_NAMES {
            longer.extend(PersonQuery::of_longer_family(&name));
        }
    }

    for (id, name) in &others {
        let abbreviates_longer = longer.iter().any(|longer| longer.matches(name));
        if abbreviates_longer {
            matching.push(*id);
        }
    }
    Ok(matching)
}

/// The players that have the first or the last word of a query as a word. A family name is the first or the last word
/// of a name.
fn with_family_name(
    connection: &Connection,
    words: &[Vec<String>],
) -> rusqlite::Result<Vec<(i64, String)>> {
    // Single letters are initials, and a family name is longer.
    let has_two_letters = |spelling: &String| spelling.chars().nth(1).is_some();
    let mut long_words = words
        .iter()
        .filter(|spellings| spellings.iter().any(has_two_letters));
    let ends = [long_words.next(), long_words.next_back()];

    let mut terms = Vec::new();
    for spelling in ends.into_iter().flatten().flatten() {
        terms.push(format!("\"{spelling}\""));
        for short in contracted(spelling) {
            terms.push(format!("\"{short}\""));
        }
    }
    if terms.is_empty() {
        return Ok(Vec::new());
    }

    let sql =
        "SELECT id, name FROM player WHERE id IN (SELECT rowid FROM player_text(?1)) AND id <> 0";
    let mut select = connection.prepare_cached(sql)?;
    let any_term = terms.join(" OR ");
    let numbered_names = select.query_map([any_term], |row| {
        let number = row.get(0)?;
        let name = second_column(row)?;
        Ok((number, name))
    })?;
    numbered_names.collect()
}

/// The name in the second column; empty if it is no text.
fn second_column(row: &rusqlite::Row<'_>) -> rusqlite::Result<String> {
    Ok(row.get_ref(1)?.as_str().unwrap_or_default().to_owned())
}

/// The names that an exact query accepts, without the `=` in front of the first: `A|=B` accepts `A`, `B`, and the name
/// `A|=B` itself.
pub(crate) fn exact_names(text: &str) -> impl Iterator<Item = &str> {
    // Without a separator, the only part would be the text again.
    let alternatives = if text.contains("|=") {
        Some(text.split("|="))
    } else {
        None
    };

    let whole = std::iter::once(text);
    whole.chain(alternatives.into_iter().flatten())
}

/// The words of a text that names must have, each in all its spellings.
#[derive(Debug)]
pub(super) struct WantedWords {
    words: Vec<Vec<String>>,
    distinct: Option<DistinctWords>,
}

impl WantedWords {
    /// Divides a text into words.
    pub(super) fn parse(text: &str) -> WantedWords {
        let typed = text
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty());

        let mut wanted: Vec<Vec<String>> = Vec::new();
        for word in typed {
            let spelled = spellings(word, |_| false);
            wanted.push(spelled.iter().flat_map(|word| words(word)).collect());
        }

        WantedWords {
            distinct: DistinctWords::if_needed(&wanted),
            words: wanted,
        }
    }

    /// `true` if the text has no words.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// `true` if a name has, for each wanted word, a word that begins with it. The text may omit apostrophes of the
    /// name.
    pub(super) fn are_in(&self, name: &str) -> bool {
        if let Some(distinct) = &self.distinct
            && !distinct.are_in(name)
        {
            return false;
        }
        if !name.is_ascii() {
            let with_joined = format!("{name} {}", name.replace(['\'', '’'], ""));
            return has_all_words(&with_joined, &self.words);
        }

        let lower = name.to_ascii_lowercase();
        // "kings" finds "King's" in the joined form.
        let joined = if lower.contains('\'') {
            Some(lower.replace('\'', ""))
        } else {
            None
        };
        let begins_joined_word = |begin: &str| match &joined {
            Some(joined) => begins_an_ascii_word(joined, begin),
            None => false,
        };

        for spellings in &self.words {
            let mut spelled = spellings.iter();
            let has_word = spelled
                .any(|begin| begins_an_ascii_word(&lower, begin) || begins_joined_word(begin));
            if !has_word {
                return false;
            }
        }
        true
    }
}

/// `true` if a word of a name in ASCII begins with `begin`.
fn begins_an_ascii_word(name: &str, begin: &str) -> bool {
    let mut words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| word.starts_with(begin))
}

/// The openings whose names have, for each word of a text, a word that begins with it. Openings are few, so all names
/// are compared.
fn openings(connection: &Connection, text: &str) -> rusqlite::Result<Vec<i64>> {
    let wanted = WantedWords::parse(text);
    let mut select = connection.prepare_cached("SELECT id, name FROM opening")?;
    let mut rows = select.query([])?;

    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(1)?.as_str().unwrap_or_default();
        // A text without words, such as ":", would match every name, so it matches no name.
        let is_match = !wanted.is_empty() && wanted.are_in(name);
        if is_match {
            found.push(row.get(0)?);
        }
    }
    Ok(found)
}

/// The first column of a statement with one parameter, without 0, which means "no name" in the column store.
pub(super) fn numbers(
    connection: &Connection,
    sql: &str,
    parameter: &str,
) -> rusqlite::Result<Vec<i64>> {
    let mut select = connection.prepare_cached(sql)?;
    let numbers = select.query_map([parameter], |row| row.get(0))?;
    numbers.filter(|number| !matches!(number, Ok(0))).collect()
}

/// The names that have an accented letter where the query has two letters, such as `Müller` for `mueller`. FTS5 keeps
/// no accents, so the names themselves are compared.
fn named_with_accents(
    connection: &Connection,
    table: &str,
    words: &[Vec<String>],
    distinct: Option<&DistinctWords>,
) -> rusqlite::Result<Vec<i64>> {
    let mut has_contraction = false;
    let mut all_spellings: Vec<Vec<String>> = Vec::with_capacity(words.len());
    for spellings in words {
        let mut with_short = spellings.clone();
        for word in spellings {
            with_short.extend(contracted(word));
        }

        has_contraction |= with_short.len() > spellings.len();
        all_spellings.push(with_short);
    }
    // FTS5 answers a query without "ae", "oe", "ue" or "aa" alone.
    if !has_contraction {
        return Ok(Vec::new());
    }

    let sql = format!(
        "SELECT id, name FROM {table} WHERE id IN (SELECT rowid FROM {table}_text(?1)) AND id <> 0"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query([fts5_expression(&all_spellings)])?;

    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(1)?.as_str().unwrap_or_default();
        // A name in ASCII has no accents. FTS5 found it for "muller", but the query is "mueller".
        if name.is_ascii() || !has_all_words(name, words) {
            continue;
        }

        let are_distinct = distinct.is_none_or(|distinct| distinct.are_in(name));
        if are_distinct {
            found.push(row.get(0)?);
        }
    }
    Ok(found)
}

/// `true` if there is a word with a prefix.
fn begins_a_word(connection: &Connection, table: &str, begin: &str) -> bool {
    let sql = format!("SELECT 1 FROM {table}_text(?1)");
    let prefix = format!("\"{begin}\"*");

    // An error, such as a table that cannot be read, is reported by the query that follows.
    let Ok(mut select) = connection.prepare_cached(&sql) else {
        return false;
    };
    select.exists([prefix]).unwrap_or(false)
}

/// The FTS5 expression for words, each in any of its spellings.
fn fts5_expression(words: &[Vec<String>]) -> String {
    let mut terms = Vec::with_capacity(words.len());
    for spellings in words {
        let prefixes: Vec<String> = spellings
            .iter()
            .map(|word| format!("\"{word}\"*"))
            .collect();
        let any_prefix = prefixes.join(" OR ");
        terms.push(format!("({any_prefix})"));
    }
    terms.join(" AND ")
}

/// `true` if FTS5 takes a letter for a separator of words.
///
/// FTS5 knows the letters of Unicode 6.1 and takes later ones for letters. This is detected by a query: an index
/// without word positions refuses a phrase of two words.
pub(super) fn separates(connection: &Connection, table: &str, letter: char) -> bool {
    if letter.is_ascii() {
        return !letter.is_ascii_alphanumeric();
    }

    let phrase = format!("\"a{letter}a\"");
    let sql = format!("SELECT 1 FROM {table}_text(?1)");
    let Ok(mut select) = connection.prepare_cached(&sql) else {
        return true;
    };
    // `exists` stops at the first row, which is when FTS5 has parsed the phrase.
    select.exists([phrase]).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::name_matcher::table_of;

    #[test]
    fn openings_are_found_by_their_words() {
        let najdorf = "Sicilian Defense: Najdorf Variation, Adams Attack";
        let grunfeld = "Grünfeld Defense: Three Knights' Variation";
        let kings_indian = "King's Indian Defense";

        for (name, text, expected) in [
            (najdorf, "najdorf", true),
            (najdorf, "Sic ADAMS", true),
            (najdorf, "nájdorf", true),
            (najdorf, "dorf", false),
            (najdorf, "najdorf poisoned", false),
            (najdorf, ":", false),
            (grunfeld, "grunf", true),
            (grunfeld, "gruenfeld", true),
            (grunfeld, "GRÜNFELD knights", true),
            (kings_indian, "king's indian", true),
            (kings_indian, "kings indian", true),
            (kings_indian, "king indian", true),
        ] {
            let connection = Connection::open_in_memory().expect("a database");
            connection
                .execute_batch("CREATE TABLE opening (id INTEGER PRIMARY KEY, name)")
                .expect("SQL");
            connection
                .execute("INSERT INTO opening (name) VALUES (?1)", [name])
                .expect("a name");

            let found = named(&connection, NameKind::Opening, text, false).expect("numbers");
            assert_eq!(found == [1], expected, "{text} in {name}");
        }
    }

    #[test]
    fn names_are_found_in_every_spelling() {
        let all = [
            "Müller, Karsten",
            "Mueller, Karl",
            "Muller, Jan",
            "Bjørnsson, Ægir",
            "Łukasz, J",
            "Strauß, Đorđe",
            "Yılmaz, O",
            "O'Kelly de Galway",
            "Morphy, Paul",
        ];
        let connection = table_of(&all);
        for (text, expected) in [
            ("mueller", &[1, 2][..]),
            ("Mueller, Karsten", &[1]),
            ("müller", &[1, 2, 3]),
            ("muller", &[1, 3]),
            ("bjornsson", &[4]),
            ("bjoernsson aegir", &[4]),
            ("BJØRN", &[4]),
            ("lukasz", &[5]),
            ("łuk", &[5]),
            ("strauss djordje", &[6]),
            ("dorde", &[6]),
            ("yilmaz", &[7]),
            ("kelly o", &[8]),
            ("moe", &[]),
            ("\"*; --", &[]),
        ] {
            let numbers = named(&connection, NameKind::Player, text, false).expect("numbers");
            assert_eq!(numbers, expected, "{text}");
        }

        let exact = |name| named(&connection, NameKind::Player, name, true).expect("numbers");
        assert_eq!(exact("Mueller, Karl"), [2]);
        assert!(exact("mueller").is_empty());
    }
}
