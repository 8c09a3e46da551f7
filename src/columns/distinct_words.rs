//! Names in which each word of a query matches a separate word.

use super::spelling::with_two_letters;
use super::words;

/// The last letter of the Latin, Greek and Cyrillic scripts. FTS5 divides words of other scripts at vowel signs, so a
/// single written word may be several words of a query.
const LAST_LETTER: char = '\u{52f}';

/// The words of a query in which two words may match one word of a name.
#[derive(Debug)]
pub(super) struct DistinctWords {
    /// For each word of the query, the prefixes that match it.
    wanted: Vec<Vec<String>>,
}

impl DistinctWords {
    /// The words of a query, each in its spellings. `None` if no word of a name can match two of them: then a name that
    /// has all words has a separate word for each.
    pub(super) fn if_needed(wanted: &[Vec<String>]) -> Option<DistinctWords> {
        if !may_share_a_word(wanted) {
            return None;
        }

        let mut folded = Vec::with_capacity(wanted.len());
        for spellings in wanted {
            let prefixes = spellings.iter().flat_map(|spelling| words(spelling));
            folded.push(prefixes.collect());
        }
        Some(DistinctWords { wanted: folded })
    }

    /// `true` if a name has a separate word for each word of the query.
    pub(super) fn are_in(&self, name: &str) -> bool {
        let mut forms = vec![words(name)];
        if !name.is_ascii() {
            let with_digraphs = with_two_letters(name);
            forms.push(words(&with_digraphs));
        }
        if name.contains(['\'', '’']) {
            let joined = name.replace(['\'', '’'], "");
            forms.push(words(&joined));
        }

        forms.iter().any(|words| self.are_among(words))
    }

    /// `true` if each word of the query can be assigned to a separate word of a name.
    fn are_among(&self, words: &[String]) -> bool {
        // For each word of the name, the wanted word that it is assigned to.
        let mut assigned: Vec<Option<usize>> = vec![None; words.len()];
        for at in 0..self.wanted.len() {
            let mut seen = vec![false; words.len()];
            if !assign(at, words, &self.wanted, &mut assigned, &mut seen) {
                return false;
            }
        }
        true
    }
}

/// `true` if one word of a name may match two words of a query.
fn may_share_a_word(wanted: &[Vec<String>]) -> bool {
    for (at, word) in wanted.iter().enumerate() {
        for other in wanted.iter().skip(at + 1) {
            if may_be_prefix(word, other) || may_be_prefix(other, word) {
                return true;
            }
        }
    }
    false
}

/// `true` if a spelling of one word is a prefix of a spelling of another word. Spellings with letters after
/// [`LAST_LETTER`] do not count as prefixes.
fn may_be_prefix(prefixes: &[String], words: &[String]) -> bool {
    for begin in prefixes {
        let is_whole = begin.chars().all(|letter| letter <= LAST_LETTER);
        let mut spellings = words.iter();
        if is_whole && spellings.any(|word| word.starts_with(begin.as_str())) {
            return true;
        }
    }
    false
}

/// Assigns a word of the name to the wanted word at a place, by an augmenting path of bipartite matching: a word that
/// is already assigned is free if its wanted word can be assigned to another word.
fn assign(
    at: usize,
    words: &[String],
    wanted: &[Vec<String>],
    assigned: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    let Some(spellings) = wanted.get(at) else {
        return false;
    };

    // Both lists have an element for each word of the name.
    for (place, word) in words.iter().enumerate() {
        let is_begun = spellings
            .iter()
            .any(|begin| word.starts_with(begin.as_str()));
        let Some(is_seen) = seen.get_mut(place) else {
            continue;
        };
        // This search has already reached this word, so it cannot be freed by trying it again.
        if !is_begun || std::mem::replace(is_seen, true) {
            continue;
        }

        let holder = assigned.get(place).copied().flatten();
        let is_free = match holder {
            None => true,
            Some(holder) => assign(holder, words, wanted, assigned, seen),
        };
        if is_free {
            if let Some(slot) = assigned.get_mut(place) {
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
                let distinct = DistinctWords::if_needed(&wanted).expect("words that may share one");
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
            assert!(DistinctWords::if_needed(&wanted).is_none(), "{words}");
        }
    }
}
