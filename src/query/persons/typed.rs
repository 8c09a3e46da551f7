//! Typed names, and the fit of other names to them.

use crate::cleaning::names::{PersonName, PersonQuery, fold_words};

/// A typed name.
pub(super) struct TypedName {
    words: Vec<String>,
    person: Option<PersonQuery>,
}

/// The fit of a name to a typed name, from worst to best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// A name that does not fit, but has the family name.
    #[default]
    Other,
    /// A name that does not fit, but may be another spelling of the typed name.
    Near,
    /// A name with words that begin with the typed words.
    Beginnings,
    /// A name with the typed words.
    Words,
    /// The typed name of a person, or a name with the typed family name.
    Name,
}

impl TypedName {
    /// Parses a typed name.
    pub(super) fn new(text: &str) -> TypedName {
        let mut words = Vec::new();
        for word in fold_words(text).split(' ') {
            if !word.is_empty() {
                words.push(word.to_owned());
            }
        }

        TypedName {
            words,
            person: PersonQuery::parse(text),
        }
    }

    /// `true` if the typed name has several words, and none of them is an initial.
    pub(super) fn is_full(&self) -> bool {
        // Words of two letters may be two initials.
        let is_whole = |word: &String| word.chars().count() > 2;
        self.words.len() > 1 && self.words.iter().all(is_whole)
    }

    /// The fit of a name that has words that begin with the typed words, or is another spelling of such a name.
    pub(super) fn fit(&self, text: &str, name: &PersonName) -> Fit {
        if self.is_name(text, name) {
            return Fit::Name;
        }

        // The names of programs have no family and given names, and their authors stand in brackets.
        let without_brackets = fold_words(text.split('(').next().unwrap_or_default());
        let words: Vec<&str> = if name.is_person() {
            name.family().chain(name.given()).collect()
        } else {
            without_brackets.split(' ').collect()
        };
        let has_word = |typed: &String| words.contains(&typed.as_str());
        if self.words.iter().all(has_word) {
            return Fit::Words;
        }

        // A person's name without the typed words is found as another spelling of a name that fits.
        let is_begun = |typed: &String| words.iter().any(|word| word.starts_with(typed.as_str()));
        let is_other_person = match &self.person {
            Some(person) => !person.matches(text),
            None => false,
        };
        let is_by_words = !is_other_person || self.words.iter().all(is_begun);
        if is_by_words {
            Fit::Beginnings
        } else {
            Fit::Name
        }
    }

    /// `true` if the typed name is the name of a person, or the family name alone.
    fn is_name(&self, text: &str, name: &PersonName) -> bool {
        if let Some(person) = &self.person {
            return person.surely_matches(text);
        }

        let [word] = self.words.as_slice() else {
            return false;
        };
        if name.is_program() {
            return name.family().next() == Some(word);
        }

        let family: String = name.family().collect();
        let is_first_of_several = !text.contains('-') && name.family().next() == Some(word);
        name.is_person() && (family == *word || is_first_of_several)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! fits {
        ($($name:ident: $typed:literal, $written:literal => $fit:ident;)*) => {
            $(#[test] fn $name() {
                let found = TypedName::new($typed).fit($written, &PersonName::parse($written));
                assert_eq!(found, Fit::$fit);
            })*
        };
    }

    fits! {
        family_name: "li", "Li, Chao" => Name;
        beginning_of_a_given_name: "li", "Ding, Liren" => Beginnings;
        given_name: "magnus", "Carlsen, Magnus" => Words;
        family_name_with_an_apostrophe: "D'Angelo", "D'Angelo, Angelo" => Name;
        given_name_without_the_apostrophe: "D'Angelo", "Oliveira, Danyel Angelo" => Beginnings;
        first_of_two_family_names: "dominguez", "Dominguez Perez, Leinier" => Name;
        second_of_two_family_names: "lagrave", "Vachier Lagrave, M" => Words;
        double_name: "magnus", "Magnus-Romanishin, Oleg" => Words;
        program: "stockfish", "Stockfish 15" => Name;
        author_of_a_program: "magnus", "Reckless Ragnar (by: Magnus Magnusson)" => Beginnings;
        whole_name: "wang yue", "Wang, Yue" => Name;
        longer_name: "wang yue", "Wang, Yuemin" => Beginnings;
        name_that_may_be_cut_off: "wang yuemin", "Wang Yue" => Beginnings;
        longer_family_name: "dominguez l.", "Dominguez Perez,L" => Name;
        initials: "magnus carlsen", "Carlsen,M" => Name;
        other_given_name: "ivan ivanov", "Ivanov, Alexander" => Beginnings;
    }
}
