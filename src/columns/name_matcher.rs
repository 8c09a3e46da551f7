//! Names compared one at a time, with the answers that [`named`] gives for a table of them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, params};

use super::NameKind;
use super::distinct_words::DistinctWords;
use super::names::{WantedWords, exact_names, named, separates};
use super::spelling::spellings;
use crate::cleaning::names::PersonQuery;

/// The maximum number of names whose answers are cached.
const MAX_CACHED_NAMES: usize = 1 << 14;

/// The tables for one name, with the tokenizer of the tables in a database.
const TABLES: &str = "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT);
    CREATE VIRTUAL TABLE player_text USING fts5(name, content = 'player', content_rowid = 'id',
        tokenize = 'unicode61 remove_diacritics 2', detail = none, columnsize = 0);
    CREATE VIRTUAL TABLE player_word USING fts5vocab(player_text, 'row')";

/// A query for names: the whole name, or words of which each must begin a word of the name.
#[derive(Debug)]
pub(crate) struct NameMatcher {
    text: String,
    comparison: Comparison,
    /// The text as a player's name.
    person: Option<PersonQuery>,
}

/// The rule by which a name is compared with the text of the query.
#[derive(Debug)]
enum Comparison {
    /// The name equals the text, or one of the alternatives in the text.
    Whole,
    /// The name of an opening has all words of the text, in any of their spellings.
    Opening(WantedWords),
    /// The name of a player, event or site has all words of the text, in any of their spellings.
    Words(Box<Words>),
}

/// The words of a query. Most names are ASCII and are compared here. FTS5 compares the other names, since it decides
/// how their letters are folded and where their words end.
#[derive(Debug)]
struct Words {
    /// For each word, the spellings that are prefixes of words in ASCII names.
    ascii: Vec<Vec<String>>,
    distinct: Option<DistinctWords>,
    others: Mutex<OneName>,
}

/// A table with one name at a time.
#[derive(Debug)]
struct OneName {
    connection: Connection,
    /// The cached answers by name.
    known: HashMap<String, bool>,
}

impl NameMatcher {
    /// A matcher for names of a kind.
    ///
    /// # Errors
    /// When SQLite has no memory left.
    pub(crate) fn new(kind: NameKind, text: &str, is_exact: bool) -> rusqlite::Result<NameMatcher> {
        let comparison = if is_exact {
            Comparison::Whole
        } else if kind == NameKind::Opening {
            Comparison::Opening(WantedWords::parse(text))
        } else {
            let words = Words::new(text)?;
            Comparison::Words(Box::new(words))
        };

        let person = if kind == NameKind::Player && !is_exact {
            PersonQuery::parse(text)
        } else {
            None
        };

        Ok(NameMatcher {
            text: text.to_owned(),
            comparison,
            person,
        })
    }

    /// `true` if a name matches.
    pub(crate) fn matches(&self, name: &str) -> bool {
        self.has_words(name) || self.is_person(name)
    }

    /// `true` if a name matches as the name of a person.
    fn is_person(&self, name: &str) -> bool {
        self.person
            .as_ref()
            .is_some_and(|person| person.matches(name))
    }

    /// `true` if a name matches by [`Comparison`].
    fn has_words(&self, name: &str) -> bool {
        match &self.comparison {
            Comparison::Whole => {
                let mut accepted = exact_names(&self.text);
                accepted.any(|text| text == name)
            }
            Comparison::Opening(words) => !words.is_empty() && words.are_in(name),
            Comparison::Words(words) if name.is_ascii() => words.are_in_ascii(name),
            Comparison::Words(words) => {
                // Another thread may have panicked and left its name in the table. The next name replaces it.
                let lock = words.others.lock();
                let mut others = lock.unwrap_or_else(PoisonError::into_inner);
                others.matches(&self.text, name)
            }
        }
    }

    /// The words that names must have, in the spellings that begin words of ASCII names.
    pub(crate) fn ascii_words(&self) -> impl Iterator<Item = &str> {
        let words = match &self.comparison {
            Comparison::Words(words) => words.ascii.as_slice(),
            Comparison::Whole | Comparison::Opening(_) => &[],
        };

        let spellings = words.iter().flatten();
        spellings.map(String::as_str)
    }

    /// `true` for a query of a single word.
    pub(crate) fn is_one_word(&self) -> bool {
        matches!(&self.comparison, Comparison::Words(words) if words.ascii.len() == 1)
    }

    /// `true` if a word begins an id, and all words are in the site or in the tag that has the id.
    pub(crate) fn matches_link(&self, site: Option<&str>, (id, link): (&str, &str)) -> bool {
        let begins_id = |begin: &str| {
            id.get(..begin.len())
                .is_some_and(|letters| letters.eq_ignore_ascii_case(begin))
        };
        if !self.ascii_words().any(begins_id) {
            return false;
        }

        let site_and_link = format!("{} {link}", site.unwrap_or_default());
        self.matches(&site_and_link)
    }
}

impl Words {
    /// Divides a text into words as FTS5 does.
    fn new(text: &str) -> rusqlite::Result<Words> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(TABLES)?;
        let others = OneName {
            connection,
            known: HashMap::new(),
        };

        let is_separator = |letter| separates(&others.connection, "player", letter);
        let typed = text.split(is_separator).filter(|word| !word.is_empty());

        let mut ascii: Vec<Vec<String>> = Vec::new();
        for word in typed {
            // Spellings with rare letters are not in ASCII, so they are left out.
            let spelled = spellings(word, |_| false);
            ascii.push(others.folded(&spelled)?);
        }

        Ok(Words {
            distinct: DistinctWords::if_needed(&ascii),
            ascii,
            others: Mutex::new(others),
        })
    }

    /// `true` if an ASCII name has all words.
    fn are_in_ascii(&self, name: &str) -> bool {
        if self.ascii.is_empty() {
            return false;
        }

        let has_word = |begin: &String| {
            let mut words = name
                .as_bytes()
                .split(|letter| !letter.is_ascii_alphanumeric());
            words.any(|word| begins_in_any_case(word, begin.as_bytes()))
        };
        for spelled in &self.ascii {
            if !spelled.iter().any(has_word) {
                return false;
            }
        }

        match &self.distinct {
            Some(distinct) => distinct.are_in(name),
            None => true,
        }
    }
}

/// `true` if `begin` is a prefix of a word, ignoring case.
fn begins_in_any_case(word: &[u8], begin: &[u8]) -> bool {
    word.get(..begin.len())
        .is_some_and(|letters| letters.eq_ignore_ascii_case(begin))
}

impl OneName {
    /// The words as FTS5 folds them, without words that are not ASCII after folding.
    fn folded(&self, words: &[String]) -> rusqlite::Result<Vec<String>> {
        let mut select = self
            .connection
            .prepare_cached("SELECT term FROM player_word")?;

        let mut folded = Vec::new();
        for word in words {
            self.set_name(word)?;
            for row in select.query_map([], |row| row.get::<_, String>(0))? {
                let term = row?;
                if term.is_ascii() {
                    folded.push(term);
                }
            }
        }
        Ok(folded)
    }

    /// Replaces the name in the table.
    fn set_name(&self, name: &str) -> rusqlite::Result<()> {
        let removals = [
            "INSERT INTO player_text (player_text) VALUES ('delete-all')",
            "DELETE FROM player",
        ];
        for sql in removals {
            let mut remove = self.connection.prepare_cached(sql)?;
            remove.execute([])?;
        }

        let insertions = [
            "INSERT INTO player (id, name) VALUES (1, ?1)",
            "INSERT INTO player_text (rowid, name) VALUES (1, ?1)",
        ];
        for sql in insertions {
            let mut insert = self.connection.prepare_cached(sql)?;
            insert.execute(params![name])?;
        }
        Ok(())
    }

    /// `true` if a name matches a text. If SQLite has no memory left, the name does not match.
    fn matches(&mut self, text: &str, name: &str) -> bool {
        if let Some(&known) = self.known.get(name) {
            return known;
        }

        let is_match = self.is_found(text, name).unwrap_or(false);
        // Players and events recur in a file, so answers are cached. A full cache is cleared.
        if self.known.len() >= MAX_CACHED_NAMES {
            self.known.clear();
        }
        self.known.insert(name.to_owned(), is_match);

        is_match
    }

    /// `true` if FTS5 finds a name by a text.
    fn is_found(&self, text: &str, name: &str) -> rusqlite::Result<bool> {
        self.set_name(name)?;

        let is_exact = false;
        let numbers = named(&self.connection, NameKind::Player, text, is_exact)?;
        Ok(!numbers.is_empty())
    }
}

/// A database with names of players only, and their words.
#[cfg(test)]
pub(super) fn table_of(names: &[&str]) -> Connection {
    let connection = Connection::open_in_memory().expect("a database");
    connection.execute_batch(TABLES).expect("tables");
    for name in names {
        connection
            .execute("INSERT INTO player (name) VALUES (?1)", [name])
            .expect("a name");
    }
    connection
        .execute_batch("INSERT INTO player_text (player_text) VALUES ('rebuild')")
        .expect("words");
    connection
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of a table that match, as a database finds them and as they are found one at a time.
    fn both<'n>(names: &[&'n str], text: &str) -> [Vec<&'n str>; 2] {
        let connection = table_of(names);
        let numbers = named(&connection, NameKind::Player, text, false).expect("numbers");
        let in_table = numbers
            .iter()
            .map(|&number| names[number as usize - 1])
            .collect();

        let matcher = NameMatcher::new(NameKind::Player, text, false).expect("a matcher");
        let one_by_one = names
            .iter()
            .copied()
            .filter(|name| matcher.matches(name))
            .collect();

        [in_table, one_by_one]
    }

    #[test]
    fn the_same_names_as_in_a_table() {
        // Names in ASCII are compared here, and the others by FTS5.
        let names = [
            "Müller, Karsten",
            "Mueller, Karl",
            "MULLER, Jan",
            "Bjørnsson, Ægir",
            "Bjornsson,A",
            "Łukasz, J",
            "Lukasz",
            "Strauß, Đorđe",
            "Strauss, Dorde",
            "O'Kelly de Galway",
            "Tal, Mikhail",
            "Talbot 2nd",
            "Алехин",
            "हिन्दी, विश्वनाथन",
            "a\u{358}b ﬁ",
            "",
            "?",
        ];

        for text in [
            "mueller",
            "müller",
            "muller",
            "MÜLLER k",
            "bjorn",
            "bjørn a",
            "bjoern",
            "łuk",
            "luk",
            "strauss",
            "strauß dj",
            "dorde",
            "kelly o",
            "o'k",
            "tal",
            "tal mik",
            "2",
            "ал",
            "АЛЕХИН",
            "हिन्दी",
            "a",
            "?",
            "tal; --",
            "ﬁ",
            "fi",
        ] {
            let [table, single] = both(&names, text);
            assert_eq!(single, table, "{text}");
        }
    }

    #[test]
    fn whole_names_and_openings() {
        let matcher = |kind, text, is_exact| NameMatcher::new(kind, text, is_exact).expect("SQL");

        let whole = matcher(NameKind::Site, "Mueller", true);
        assert!(whole.matches("Mueller"));
        assert!(!whole.matches("mueller"));

        let opening = matcher(NameKind::Opening, "gruenfeld knights", false);
        assert!(opening.matches("Grünfeld Defense: Three Knights' Variation"));

        let without_words = matcher(NameKind::Opening, ":", false);
        assert!(!without_words.matches("Grünfeld Defense"));
    }
}
