//! The player whom a name means, and the other players whom it matches.
//!
//! "kasparov" matches Garry in six spellings, Sergey, and Tatiana Kasparova. Spellings of one player are joined as far
//! as names, years and ratings allow. The name means the player with the most games among the players whose names fit
//! best.
//!
//! An initial is counted with the full name that it stands for. If it may stand for several names, it is counted with
//! the name that was typed, or with a player who has most of the games; otherwise it is listed as a player of its own.

mod facts;
mod joined;
mod joining;
mod person;
mod spelling;
mod typed;

use rusqlite::Connection;

use super::canonical_numbers::CanonicalNumbers;
use super::filter::NameNumbers;
use super::{NameQuery, Watch};
use crate::cleaning::names::{fold_words, sound};
use crate::columns::{NameKind, named, names_of_family};
use crate::error::Result;
use crate::storage::{Database, InDatabase};
use crate::store_fault::StoreResult;
use facts::SpellingFacts;
pub(crate) use joined::PersonsOfDatabase;
use joining::Joining;
pub(crate) use person::Person;
use person::sort;
use spelling::{GivenForm, Spelling, read_spellings};
use typed::{Fit, TypedName};

/// The players that a name matches.
#[derive(Debug, Default)]
pub(crate) struct Persons {
    /// The player who is meant. Without games, all names that match.
    pub(crate) best: Person,
    /// The other players, in descending order of their games.
    pub(crate) others: Vec<Person>,
}

impl Persons {
    /// Finds the players that a name matches. An exact name is one player.
    ///
    /// # Errors
    /// When the database cannot be read, or the query is cancelled.
    pub(crate) fn read(
        database: &Database,
        query: &NameQuery,
        watch: &Watch<'_>,
    ) -> Result<Persons> {
        let numbers = query
            .numbers(&database.connection, NameKind::Player)
            .in_database(database)?;
        if query.is_exact || numbers.is_empty() {
            return Ok(Persons::single(numbers));
        }

        let typed = TypedName::new(&query.text);
        let names = Names::read(&database.connection, &query.text, &typed, &numbers);
        let Names {
            seen,
            joined,
            listed,
        } = names.in_database(database)?;

        let mut joining = Joining::new(&joined, &seen, typed.is_full());
        joining.join(watch)?;
        let mut people = joining.people();

        // Whole names fit better than beginnings of words. The players are in descending order of their games, so the
        // first with the best fit has the most games.
        let best_fit = people.iter().map(|person| person.fit).max();
        let first_of_best = people
            .iter()
            .position(|person| Some(person.fit) == best_fit);
        let Some(at) = first_of_best else {
            return Ok(Persons::single(numbers));
        };
        let best = people.remove(at);

        people.extend(listed.into_iter().map(Person::from));
        sort(&mut people);
        Ok(Persons {
            best,
            others: people,
        })
    }

    /// The names of the other players with their games, in descending order of the games.
    pub(crate) fn others_with_games(&self) -> Vec<(String, u64)> {
        let mut others = Vec::with_capacity(self.others.len());
        for other in &self.others {
            others.push((other.name.clone(), other.games));
        }
        others
    }

    /// A single player with all matching names.
    fn single(numbers: NameNumbers) -> Persons {
        Persons {
            best: Person {
                numbers,
                ..Person::default()
            },
            others: Vec::new(),
        }
    }
}

/// The names with games that a typed name may mean.
struct Names {
    seen: SpellingFacts,
    /// All names that match, to be joined into players. If the typed name has an initial, also the other names of the
    /// family, since the initial may stand for any of them.
    joined: Vec<Spelling>,
    /// Names that do not match and are only listed.
    listed: Vec<Spelling>,
}

impl Names {
    /// Reads the names that match, and the names of the family that an initial or a slip may stand for.
    fn read(
        connection: &Connection,
        text: &str,
        typed: &TypedName,
        matching: &NameNumbers,
    ) -> StoreResult<Names> {
        let family = names_of_family(connection, text)?;
        let mut near: NameNumbers = family.near.into_iter().map(i64::cast_unsigned).collect();
        near.extend(sounding_alike(connection, text, matching)?);

        // An initial may stand for any given name of the family.
        let mut all = matching.clone();
        all.extend(&near);
        if !typed.is_full() {
            all.extend(family.others.into_iter().map(i64::cast_unsigned));
        }

        let seen = SpellingFacts::read(connection, &all)?;
        let mut names = Names {
            seen,
            joined: Vec::new(),
            listed: Vec::new(),
        };
        for mut name in read_spellings(connection, &names.seen, typed, matching)? {
            let is_near = name.numbers.iter().any(|number| near.contains(number));
            if name.fit == Fit::Other && is_near {
                name.fit = Fit::Near;
            }

            let has_given = name.given != GivenForm::Missing;
            let may_be_initial = !typed.is_full() && has_given;
            if name.fit > Fit::Near || may_be_initial {
                names.joined.push(name);
            } else if name.fit == Fit::Near {
                names.listed.push(name);
            }
        }
        Ok(names)
    }
}

/// The maximum number of family names of one sound that are looked up.
const MAX_FAMILY_NAMES: usize = 8;
/// The minimum number of letters of a word that replaces a typed word.
const MIN_RESPELLED_LETTERS: usize = 3;

/// The names that match if a typed word is replaced by a word of equal sound in a name that was found. "viktor
/// kortschnoi" also finds `Korchnoi Viktor`, so the names that "viktor korchnoi" finds are added, such as `Korchnoi,V`.
fn sounding_alike(
    connection: &Connection,
    text: &str,
    matching: &NameNumbers,
) -> rusqlite::Result<NameNumbers> {
    let folded = fold_words(text);
    let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
    // A single word would find all names of equal sound.
    if words.len() < 2 {
        return Ok(NameNumbers::default());
    }

    // Only the first `MAX_FAMILY_NAMES` texts are kept, so the order of the names must not depend on a hash set.
    let mut numbers: Vec<u64> = matching.iter().copied().collect();
    numbers.sort_unstable();

    let canonical = CanonicalNumbers::new(connection, NameKind::Player)?;
    let mut other_texts: Vec<String> = Vec::new();
    for number in numbers {
        let name = fold_words(&canonical.name(number)?);
        for word in name.split(' ') {
            let Some(other_text) = respelled(&words, word) else {
                continue;
            };
            if other_texts.len() < MAX_FAMILY_NAMES && !other_texts.contains(&other_text) {
                other_texts.push(other_text);
            }
        }
    }

    let mut found = NameNumbers::default();
    for other_text in other_texts {
        let others = named(connection, NameKind::Player, &other_text, false)?;
        found.extend(others.into_iter().map(i64::cast_unsigned));
    }
    found.retain(|number| !matching.contains(number));
    Ok(found)
}

/// The typed words, with the typed word that sounds like `word` replaced by `word`. `None` if no other typed word
/// sounds like it.
fn respelled(words: &[&str], word: &str) -> Option<String> {
    // One or two letters may be initials.
    let is_short = word.chars().count() < MIN_RESPELLED_LETTERS;
    if is_short || words.contains(&word) {
        return None;
    }

    let sound_of_word = sound(word);
    let typed = words.iter().find(|typed| sound(typed) == sound_of_word)?;

    let mut other_words: Vec<&str> = Vec::with_capacity(words.len());
    for other in words {
        let replacement = if other == typed { word } else { *other };
        other_words.push(replacement);
    }
    Some(other_words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::respelled;

    #[test]
    fn a_word_replaces_the_typed_word_that_sounds_like_it() {
        let typed = ["viktor", "kortschnoj"];

        for (word, expected) in [
            ("korchnoi", Some("viktor korchnoi")),
            ("kortschnoj", None),
            ("karpov", None),
            ("v", None),
        ] {
            let text = respelled(&typed, word);
            assert_eq!(text.as_deref(), expected, "{word}");
        }
    }
}
