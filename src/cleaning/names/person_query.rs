//! A player's name as people type it, compared with names as games write them.
//!
//! People type "magnus carlsen"; games have `Carlsen,M`. A name matches if the family name agrees in full and each
//! given name agrees with the given name in its place: the two are equal, sound equal, or one is an abbreviation of the
//! other. An abbreviation is an initial, a word with a point, two or three letters behind a comma (archives write
//! `Nakamura,Hi`), or a prefix of four letters and more. Two or three letters without a comma may be truncated, as in
//! `Karpov An`, or a full name. Written in a game, they match a typed name that is at least two letters longer. Typed,
//! they match a longer name only without a vowel.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::compare::is_similar;
use super::{PersonName, fold, sound};

/// The greatest number that tells players of one name apart, as in `Fedoseev,Vl3`.
const MAX_NAMESAKES: u32 = 9;

/// A typed name of at least two words, in every order in which family and given names may stand.
///
/// ```
/// use stamma::cleaning::names::PersonQuery;
/// let query = PersonQuery::parse("magnus carlsen").expect("a name");
/// assert!(query.matches("Carlsen,M") && query.matches("Carlsen, Magnus (NOR)"));
/// assert!(!query.matches("Carlsen,H") && !query.matches("Carlsen"));
/// ```
#[derive(Clone, Debug)]
pub struct PersonQuery {
    readings: Vec<Reading>,
}

/// Family and given names, as folded words.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reading {
    family: Vec<String>,
    given: Vec<GivenName>,
}

/// A given name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct GivenName {
    word: String,
    /// `true` if the word may be an abbreviation of a longer given name.
    is_shortened: bool,
}

impl GivenName {
    fn is_full(&self) -> bool {
        self.word.chars().count() > 2
    }

    /// `true` if a typed and a written given name may be one.
    fn agrees(&self, written: &GivenName) -> bool {
        self.surely_agrees(written) || is_cut_off(&written.word, &self.word)
    }

    /// `true` if the given names are equal, sound equal, or one is an abbreviation of the other.
    fn surely_agrees(&self, written: &GivenName) -> bool {
        let (short, long) = if self.word.len() <= written.word.len() {
            (self, written)
        } else {
            (written, self)
        };

        if let Some(rest) = long.word.strip_prefix(&*short.word) {
            // "Alexandr" may be short for "Alexandra", but is another name more often.
            let is_long = short.word.chars().count() > MAX_ABBREVIATION;
            return rest.is_empty() || short.is_shortened && !(is_long && rest == "a");
        }

        let has_sound = short.word.chars().count() >= 3;
        has_sound && sound(&self.word) == sound(&written.word)
    }
}

/// `true` if `short`, of at most [`MAX_ABBREVIATION`] letters, may be a truncated `long`. A single letter is never cut
/// off.
pub(crate) fn is_cut_off(short: &str, long: &str) -> bool {
    let rest = long.strip_prefix(short).unwrap_or_default();
    rest.chars().count() > 1 && short.chars().count() <= MAX_ABBREVIATION
}

impl PersonQuery {
    /// Parses a typed name; `None` for a single word, and for a text that is not a person's name.
    pub fn parse(text: &str) -> Option<PersonQuery> {
        let readings = readings(text);
        let has_family = |reading: &Reading| !reading.is_initials();
        let readings: Vec<Reading> = readings.into_iter().filter(has_family).collect();

        if readings.is_empty() {
            None
        } else {
            Some(PersonQuery { readings })
        }
    }

    /// `true` for a written name that does not match, but has the typed family name, and either no given name or a
    /// given name that may be a slip of the typed one.
    ///
    /// ```
    /// use stamma::cleaning::names::PersonQuery;
    /// let query = PersonQuery::parse("gregory kaidanov").expect("a name");
    /// assert!(query.nearly_matches("Kaidanov, Grigory S") && query.nearly_matches("Kaidanov"));
    /// assert!(!query.nearly_matches("Kaidanov, Gregory") && !query.nearly_matches("Kaidanov, Boris"));
    /// ```
    pub fn nearly_matches(&self, name: &str) -> bool {
        if !self.may_match(name) || self.matches(name) {
            return false;
        }

        let written = PersonName::parse(name);
        if !written.is_person() || written.number().is_some() {
            return false;
        }

        let family: Vec<&str> = written.family().collect();
        let given = written.given().next();
        let nearly_agrees = |typed: &Reading| {
            if typed.family != family {
                return false;
            }

            match (typed.given.first(), given) {
                (_, None) => true,
                (Some(typed_given), Some(given)) => {
                    is_similar(&sound(&typed_given.word), &sound(given))
                }
                (None, Some(_)) => false,
            }
        };
        self.readings.iter().any(nearly_agrees)
    }

    /// `true` for a written name that has the typed family name and any given name.
    pub(crate) fn has_family(&self, name: &str) -> bool {
        if !self.may_match(name) {
            return false;
        }

        let written = readings(name);
        self.readings
            .iter()
            .any(|typed| written.iter().any(|written| typed.family == written.family))
    }

    /// A query for the other spellings of a written name whose family name has several words and whose given name is
    /// written in full.
    pub(crate) fn of_longer_family(name: &str) -> Option<PersonQuery> {
        let readings = readings(name);
        let is_longer = |reading: &Reading| {
            reading.family.len() > 1 && reading.given.first().is_some_and(GivenName::is_full)
        };
        let is_written = PersonName::parse(name).is_order_known();

        if is_written && !readings.is_empty() && readings.iter().all(is_longer) {
            Some(PersonQuery { readings })
        } else {
            None
        }
    }

    /// `true` if a written name agrees with the typed one: the family names in full, and the given names as far as both
    /// have them. A name without a given name does not match.
    pub fn matches(&self, name: &str) -> bool {
        if !self.may_match(name) {
            return false;
        }

        self.agrees(name, Reading::agrees)
    }

    /// `true` for a certain match, as far as the form of names tells: a short given name matches a longer one only if
    /// it may be an abbreviation by its form. The typed family name may be the beginning of the written one.
    pub(crate) fn surely_matches(&self, name: &str) -> bool {
        self.may_match(name) && self.agrees(name, Reading::surely_agrees)
    }
}

impl PersonQuery {
    /// `true` if `agree` holds for a reading of the typed name and a reading of a written name.
    fn agrees(&self, name: &str, agree: fn(&Reading, &Reading) -> bool) -> bool {
        let written = readings(name);
        self.readings
            .iter()
            .any(|typed| written.iter().any(|written| agree(typed, written)))
    }

    /// `false` if a name has none of the typed family names. Most names are ruled out by this before they are taken
    /// apart.
    fn may_match(&self, name: &str) -> bool {
        if !name.is_ascii() || name.contains(['\'', '`']) {
            return true;
        }

        let lower = name.to_ascii_lowercase();
        let has_family =
            |reading: &Reading| reading.family.iter().all(|word| lower.contains(&**word));
        self.readings.iter().any(has_family)
    }
}

impl Reading {
    fn new(text: &str, family: &[&str], given: &[&str]) -> Reading {
        let mut reading = Reading {
            family: Vec::new(),
            given: Vec::new(),
        };

        for &word in family {
            reading.family.push(word.to_owned());
        }

        for &word in given {
            let is_shortened = is_shortened(text, word);
            reading.given.push(GivenName {
                word: word.to_owned(),
                is_shortened,
            });
        }

        reading
    }

    /// `true` if the family name is no more than initials.
    fn is_initials(&self) -> bool {
        self.family.iter().all(|word| is_initial(word))
    }

    fn agrees(&self, written: &Reading) -> bool {
        let is_family = self.family == written.family || self.is_short_for_family(written);
        if !is_family {
            return false;
        }

        let mut given = self.given.iter().zip(&written.given);
        given.all(|(typed, written)| typed.agrees(written))
    }

    fn surely_agrees(&self, written: &Reading) -> bool {
        if !written.family.starts_with(&self.family) {
            return false;
        }

        let mut given = self.given.iter().zip(&written.given);
        given.all(|(typed, written)| typed.surely_agrees(written))
    }

    /// `true` if the family name is the beginning of another's, and both have a full given name: "leinier dominguez" is
    /// `Dominguez Perez, Leinier`.
    fn is_short_for_family(&self, written: &Reading) -> bool {
        let has_full = |reading: &Reading| reading.given.first().is_some_and(GivenName::is_full);
        let are_full = has_full(self) && has_full(written);

        are_full && written.family.starts_with(&self.family)
    }
}

/// The ways to read a text as family and given names, none of which is empty. Accented letters are read as two letters
/// (`mueller`) and as one (`muller`).
fn readings(text: &str) -> Vec<Reading> {
    let mut found = readings_of(text);

    if !text.is_ascii() {
        found.extend(readings_of(&without_accents(text)));
    }

    found
}

/// The readings of a text, as [`readings`] without a second reading of accented letters. None if the text is not a
/// person's name.
fn readings_of(text: &str) -> Vec<Reading> {
    let name = PersonName::parse(text);
    if !name.is_person() || is_account(&name) {
        return Vec::new();
    }

    if name.is_order_known() {
        let family: Vec<&str> = name.family().collect();
        let given: Vec<&str> = name.given().collect();
        if family.is_empty() || given.is_empty() {
            return Vec::new();
        }
        return vec![Reading::new(text, &family, &given)];
    }

    // Nothing tells the family name from the given names, which may stand on either side of it.
    let words = in_written_order(&name);
    let mut found = Vec::new();
    for at in 1..words.len() {
        let (first, last) = words.split_at(at);
        found.push(Reading::new(text, first, last));
        found.push(Reading::new(text, last, first));
    }
    found
}

/// `true` if the number in a name is the number of an account.
fn is_account(name: &PersonName) -> bool {
    let Some(number) = name.number() else {
        return false;
    };

    // A small number tells players of one name apart, who all match.
    let is_of_namesake = number <= MAX_NAMESAKES && name.is_order_known();
    !is_of_namesake
}

/// The words of a name of unknown order. [`PersonName::parse`] takes the first word for the family name then, so that
/// the words are in the order in which they were written.
fn in_written_order(name: &PersonName) -> Vec<&str> {
    name.words()
        .split(' ')
        .filter(|word| !word.is_empty())
        .collect()
}

/// The most letters of a given name that is either an abbreviation or a full name, depending on the text around it.
pub(crate) const MAX_ABBREVIATION: usize = 3;

/// `true` if a folded word of the given names may be short for a longer word. An initial may, and so may a word of more
/// than three letters. A word of two or three letters may if it has a point behind it or no vowel, or if it is the only
/// given name behind a comma.
pub(crate) fn is_shortened(text: &str, word: &str) -> bool {
    let letters = word.chars().count();
    let has_vowel = word.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    if letters == 1 || letters > MAX_ABBREVIATION || !has_vowel {
        return true;
    }

    for part in text.split([' ', ',', '-', '_']) {
        let before_point = part.strip_suffix('.');
        if before_point.is_some_and(|abbreviation| fold(abbreviation) == word) {
            return true;
        }
    }

    let Some((_, behind_comma)) = text.split_once(',') else {
        return false;
    };
    let is_separator = |letter: char| !letter.is_alphabetic();
    let mut given = behind_comma
        .split(is_separator)
        .filter(|part| !part.is_empty());
    let is_first = given.next().is_some_and(|first| fold(first) == word);

    // Initials and the code of a country may follow.
    is_first && given.all(|part| part.chars().all(char::is_uppercase))
}

/// `true` for a word of one letter.
fn is_initial(word: &str) -> bool {
    word.chars().nth(1).is_none()
}

/// A text with each accented letter replaced by its base letter.
fn without_accents(text: &str) -> String {
    let letters = text.nfd().filter(|&letter| !is_combining_mark(letter));
    let mut plain = String::with_capacity(text.len());

    for letter in letters {
        match letter {
            'ø' | 'Ø' => plain.push('o'),
            'ł' | 'Ł' => plain.push('l'),
            'đ' | 'Đ' | 'ð' | 'Ð' => plain.push('d'),
            'ı' => plain.push('i'),
            other => plain.push(other),
        }
    }

    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! typed {
        ($($name:ident: $typed:literal, $written:literal => $matches:literal;)*) => {
            $(#[test] fn $name() {
                let query = PersonQuery::parse($typed);
                let is_found = query.as_ref().is_some_and(|query| query.matches($written));
                assert_eq!(is_found, $matches, "{query:?} {:?}", readings($written));
            })*
        };
    }

    typed! {
        initial: "magnus carlsen", "Carlsen,M" => true;
        family_first: "carlsen magnus", "Carlsen,M" => true;
        with_a_comma: "Carlsen, Magnus", "Carlsen M" => true;
        abbreviation: "hikaru nakamura", "Nakamura,Hi" => true;
        typed_initial: "m carlsen", "Carlsen, Magnus" => true;
        typed_initial_behind: "Carlsen M.", "Carlsen, Magnus" => true;
        no_comma: "garry kasparov", "Kasparov Garry" => true;
        initial_without_comma: "garry kasparov", "Kasparov G (URS)" => true;
        of_one_sound: "garry kasparov", "Kasparov, Gary" => true;
        title: "garry kasparov", "GM Kasparov, G" => true;
        second_initial: "viktor kortschnoj", "Kortschnoj V L" => true;
        two_initials: "alexander v ivanov", "Ivanov,AV" => true;
        two_family_words: "maxime vachier-lagrave", "Vachier Lagrave,M" => true;
        particle: "loek van wely", "Van Wely,L" => true;
        particle_in_front: "Van Wely Loek", "Van Wely,L" => true;
        umlaut: "karsten mueller", "Müller,K" => true;
        umlaut_as_one_letter: "karsten muller", "Müller,K" => true;
        typed_umlaut: "karsten müller", "Mueller,K" => true;
        typed_umlaut_without: "karsten müller", "Muller,K" => true;
        two_letters_for_one: "karsten mueller", "Muller,K" => false;
        apostrophe: "alberic o'kelly", "O'Kelly,A" => true;
        cyrillic: "anatoly karpov", "Карпов, А" => true;
        longer_family_name_in_full: "leinier dominguez", "Dominguez Perez, Lenier" => true;
        longer_family_name_with_an_initial: "leinier dominguez", "Dominguez Perez,L" => false;
        other_initial: "magnus carlsen", "Carlsen,H" => false;
        other_given: "vladimir krapivin", "Krapivin, Vladislav" => false;
        other_second_initial: "alexander v ivanov", "Ivanov,AS" => false;
        part_of_the_family_name: "magnus carls", "Carlsen,M" => false;
        longer_family_name: "sergey kasparov", "Kasparova,S" => false;
        no_given_name: "garry kasparov", "Kasparov" => false;
        one_word: "kasparov", "Kasparov,G" => false;
        initial_of_the_given_name_alone: "anatoly karpov", "Anatoly,K" => true;
        initials_alone: "a b", "B,A" => false;
        an_account: "magnus carlsen", "magnus_carlsen48" => false;
        a_numbered_name: "vladimir fedoseev", "Fedoseev,Vl3" => true;
        a_guest: "magnus carlsen", "Carlsen,M28" => false;
        a_country: "alexander ivanov", "Ivanov,AV USA" => true;
        a_team: "hikaru nakamura", "Nakamura,Hikaru:Hodgson,Jeremy" => false;
        shorter_name: "wang yue", "Wang Yu A" => false;
        shorter_name_behind_a_comma: "wang yue", "Wang,Yu Sen" => false;
        longer_name: "wang yue", "Wang Yuemin" => false;
        typed_shorter_name: "wang yu", "Wang Yue" => false;
        cut_off_after_two_letters: "anatoly karpov", "Karpov An (URS)" => true;
        three_letters_behind_a_comma: "peter nielsen", "Nielsen,Pet" => true;
        abbreviation_with_a_country: "vladimir moiseenko", "Moiseenko,Vl RUS" => true;
        abbreviation_with_a_point: "vladimir moiseenko", "Moiseenko Vla." => true;
        no_vowel: "zsofia polgar", "Polgar Zs" => true;
        cut_off: "alexander ivanov", "Ivanov Alexa" => true;
        man_and_woman: "alexandra ivanov", "Ivanov, Alexandr" => false;
        a_program: "deep blue", "Deep Blue 2" => false;
    }
}
