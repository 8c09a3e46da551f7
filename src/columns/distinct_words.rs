//! Whether each word of a query has a word of its own in a name.

use super::spelling::with_two_letters;
use super::words;

/// The scripts up to this letter: Latin, Greek and Cyrillic. In others, FTS5 divides words at their vowel signs, and one
/// word of people is several of the query.
const LAST_LETTER: char = '\u{52f}';

/// The words of a query of which two may begin the same word of a name.
#[derive(Debug)]
pub(super) struct DistinctWords {
    /// For each word, the beginnings of words of a name that it stands for.
    wanted: Vec<Vec<String>>,
}

impl DistinctWords {
    /// The words of a query, each in its spellings; `None` if no word of a name can begin with two of them, so that each
    /// has a word of its own wherever all are found.
    pub(super) fn of(wanted: &[Vec<String>]) -> Option<DistinctWords> {
        if !may_share_a_word(wanted) {
            return None;
        }

        let beginnings = |spellings: &Vec<String>| {
            spellings
                .iter()
                .flat_map(|spelling| words(spelling))
                .collect()
        };
        Some(DistinctWords {
            wanted: wanted.iter().map(beginnings).collect(),
        })
    }

    /// Whether a name has a word for each of them, and no word for two.
    pub(super) fn are_in(&self, name: &str) -> bool {
        let mut forms = vec![words(name)];
        if !name.is_ascii() {
            forms.push(words(&with_two_letters(name)));
        }
        if name.contains(['\'', '’']) {
            forms.push(words(&name.replace(['\'', '’'], "")));
        }
        forms.iter().any(|words| self.are_among(words))
    }

    fn are_among(&self, words: &[String]) -> bool {
        // The wanted word that each word of the name is for.
        let mut taken: Vec<Option<usize>> = vec![None; words.len()];
        (0..self.wanted.len()).all(|at| {
            let mut seen = vec![false; words.len()];
            assign(at, words, &self.wanted, &mut taken, &mut seen)
        })
    }
}

/// Whether one word of a name may begin with two words of a query.
fn may_share_a_word(wanted: &[Vec<String>]) -> bool {
    wanted.iter().enumerate().any(|(at, word)| {
        let others = wanted.iter().skip(at + 1);
        others
            .into_iter()
            .any(|other| may_begin(word, other) || may_begin(other, word))
    })
}

/// Whether a spelling of one word begins a spelling of another.
fn may_begin(one: &[String], other: &[String]) -> bool {
    let is_whole = |spelling: &&String| spelling.chars().all(|letter| letter <= LAST_LETTER);
    let mut beginnings = one.iter().filter(is_whole);
    beginnings.any(|begin| other.iter().any(|word| word.starts_with(begin.as_str())))
}

/// Finds a word for a wanted one; a word that another one has is taken if the other finds a word as well.
fn assign(
    at: usize,
    words: &[String],
    wanted: &[Vec<String>],
    taken: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    let Some(spellings) = wanted.get(at) else {
        return false;
    };

    for (place, word) in words.iter().enumerate() {
        let is_begun = spellings
            .iter()
            .any(|begin| word.starts_with(begin.as_str()));
        let Some(is_seen) = seen.get_mut(place) else {
            continue;
        };
        if !is_begun || std::mem::replace(is_seen, true) {
            continue;
        }

        let holder = taken.get(place).copied().flatten();
        let is_free = match holder {
            None => true,
            Some(holder) => assign(holder, words, wanted, taken, seen),
        };
        if is_free {
            if let Some(slot) = taken.get_mut(place) {
                *slot = Some(at);
            }
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! distinct {
        ($($name:ident: $typed:literal, $written:literal => $is_found:literal;)*) => {
            $(#[test] fn $name() {
                let wanted: Vec<Vec<String>> =
                    $typed.split(' ').map(|word| vec![word.to_owned()]).collect();
                let distinct = DistinctWords::of(&wanted).expect("words that may share one");
                assert_eq!(distinct.are_in($written), $is_found);
            })*
        };
    }

    distinct! {
        one_word_for_two: "ivan ivanov", "Ivanov, Alexander" => false;
        a_word_for_each: "ivan ivanov", "Ivanov, Ivan" => true;
        the_other_way_round: "ivanov ivan", "Ivan Ivanov" => true;
        longer_words: "petr petrov", "Petrovic, Petra" => true;
        one_longer_word: "petr petrov", "Petrovic, Marija" => false;
        a_word_that_moves_on: "a an andre", "Andreas Anton Arno" => true;
        twice_the_same: "li li", "Li, Chao" => false;
        twice_in_the_name: "li li", "Li, Li" => true;
        accents: "mul muller", "Müller, Muleta" => true;
    }

    #[test]
    fn other_words_share_none() {
        for words in ["carlsen magnus", "व श वन"] {
            let wanted: Vec<Vec<String>> =
                words.split(' ').map(|word| vec![word.to_owned()]).collect();
            assert!(DistinctWords::of(&wanted).is_none(), "{words}");
        }
    }
}
