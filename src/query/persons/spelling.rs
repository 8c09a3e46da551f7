//! The names with games, parsed as persons' names, in the order in which they are joined.

use std::cmp::Reverse;
use std::collections::HashMap;

use rusqlite::Connection;

use super::facts::{Facts, SpellingFacts};
use super::person::Person;
use super::typed::{Fit, TypedName};
use crate::cleaning::names::{PersonName, is_shortened, parse_names};
use crate::columns::NameKind;
use crate::query::canonical_numbers::CanonicalNumbers;
use crate::query::filter::NameNumbers;

/// A spelling of a player's name. Spellings that share a canonical name count as one.
pub(super) struct Spelling {
    pub(super) name: String,
    pub(super) person: PersonName,
    /// The numbers of all spellings that share its canonical name.
    pub(super) numbers: Vec<u64>,
    pub(super) facts: Facts,
    /// The form of its given names.
    pub(super) given: GivenForm,
    /// The fit of the name to the typed name.
    pub(super) fit: Fit,
}

impl From<Spelling> for Person {
    /// A player with a single spelling.
    fn from(spelling: Spelling) -> Person {
        Person {
            name: spelling.name,
            numbers: spelling.numbers.into_iter().collect(),
            games: spelling.facts.games,
            by_initials: Vec::new(),
            fit: spelling.fit,
        }
    }
}

/// The form of the given names in a spelling, in the order in which spellings are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GivenForm {
    /// A full given name, or the name of no person.
    Full,
    /// Initials or two letters of a name.
    Initials,
    Missing,
    /// A number, which distinguishes several players of one name.
    Numbered,
}

impl GivenForm {
    /// The form of the given names of a name, which is spelled as `text`.
    fn new(name: &PersonName, text: &str) -> GivenForm {
        if !name.is_person() {
            return GivenForm::Full;
        }
        if name.number().is_some() {
            return GivenForm::Numbered;
        }

        let Some(word) = name.given().next() else {
            return GivenForm::Missing;
        };
        // Two letters may be a whole name, such as Bo or Yi.
        if word.chars().count() <= 2 && is_shortened(text, word) {
            GivenForm::Initials
        } else {
            GivenForm::Full
        }
    }
}

impl Spelling {
    /// A name that matches the typed name.
    #[cfg(test)]
    pub(super) fn new(
        name: String,
        numbers: Vec<u64>,
        facts: Facts,
        typed: &TypedName,
    ) -> Spelling {
        let person = PersonName::parse(&name);
        let given = GivenForm::new(&person, &name);
        let fit = typed.fit(&name, &person);
        Spelling {
            name,
            person,
            numbers,
            facts,
            given,
            fit,
        }
    }

    /// The first letter of the given names; `None` if it is unknown which words are given names.
    pub(super) fn first_letter(&self) -> Option<char> {
        if !self.person.is_order_known() {
            return None;
        }
        self.person.given().next()?.chars().next()
    }

    /// All words in alphabetical order, by which names with equal words in other orders are found.
    pub(super) fn sorted_words(&self) -> String {
        let family = self.person.family();
        let given = self.person.given();

        let mut words: Vec<&str> = family.chain(given).collect();
        words.sort_unstable();
        words.join(" ")
    }

    /// `true` if `word`, a given name in this spelling, may abbreviate a longer name.
    pub(super) fn is_shortened(&self, word: &str) -> bool {
        is_shortened(&self.name, word)
    }
}

/// The names with games, in the order in which they are joined: full names, then initials, then names without a given
/// name, then names with a number. Within each kind, the most frequent name is first.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn read_spellings(
    connection: &Connection,
    seen: &SpellingFacts,
    typed: &TypedName,
    matching: &NameNumbers,
) -> rusqlite::Result<Vec<Spelling>> {
    let mut canonical = CanonicalNumbers::new(connection, NameKind::Player)?;
    let joined = joined_spellings(&mut canonical, seen)?;

    let mut names = Vec::with_capacity(joined.len());
    for name in &joined {
        names.push(canonical.name(name.number)?);
    }
    let texts: Vec<&str> = names.iter().map(String::as_str).collect();
    let persons = parse_names(&texts);

    let mut spellings: Vec<Spelling> = Vec::with_capacity(joined.len());
    let parsed = names.into_iter().zip(persons);
    for ((name, person), joined_spellings) in parsed.zip(joined) {
        let JoinedSpellings {
            spellings: numbers,
            facts,
            ..
        } = joined_spellings;
        let given = GivenForm::new(&person, &name);
        let is_matching = numbers.iter().any(|number| matching.contains(number));
        let fit = if is_matching {
            typed.fit(&name, &person)
        } else {
            Fit::Other
        };
        spellings.push(Spelling {
            name,
            person,
            numbers,
            facts,
            given,
            fit,
        });
    }

    sort_to_join(&mut spellings);
    Ok(spellings)
}

/// Sorts names in the order in which they are joined.
fn sort_to_join(spellings: &mut [Spelling]) {
    // "Garry" is joined before "G", so that an initial finds the player whom it stands for.
    spellings.sort_by_key(|spelling| {
        let letters = if spelling.given == GivenForm::Initials {
            given_letters(&spelling.person)
        } else {
            0
        };
        (
            spelling.given,
            Reverse(letters),
            Reverse(spelling.facts.games),
        )
    });
}

/// All spellings of one canonical name.
struct JoinedSpellings {
    /// The number that stands for all spellings.
    number: u64,
    /// The numbers of the spellings.
    spellings: Vec<u64>,
    /// The facts of the games of all spellings.
    facts: Facts,
}

/// The spellings with games, joined by their canonical names.
fn joined_spellings(
    canonical: &mut CanonicalNumbers<'_>,
    seen: &SpellingFacts,
) -> rusqlite::Result<Vec<JoinedSpellings>> {
    // The first number that is looked up stands for the others, so the order must not depend on the hash map.
    let mut numbers: Vec<u64> = seen.facts.keys().copied().collect();
    numbers.sort_unstable();

    let mut joined: Vec<JoinedSpellings> = Vec::new();
    let mut places: HashMap<u64, usize> = HashMap::new();
    for number in numbers {
        let first = canonical.number(number)?;
        let place = *places.entry(first).or_insert(joined.len());
        let is_first = place == joined.len();
        if is_first {
            joined.push(JoinedSpellings {
                number: first,
                spellings: Vec::new(),
                facts: Facts::default(),
            });
        }

        let facts_of_number = seen.facts.get(&number).copied().unwrap_or_default();
        if let Some(name) = joined.get_mut(place) {
            name.spellings.push(number);
            name.facts.join(facts_of_number);
        }
    }
    Ok(joined)
}

/// The number of letters of the given names.
fn given_letters(name: &PersonName) -> usize {
    name.given().map(|word| word.chars().count()).sum()
}
