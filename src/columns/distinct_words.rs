//! Whether each word of a query has a word of its own in a name.

use super::spelling::with_two_letters;
use super::words;

/// The scripts up to this letter: Latin, Greek and Cyrillic. In others, FTS5 divides words at their vowel signs, and one
/// word of people is several of the query.
const LAST_LETTER: char = '\u{52f}';

/// Whether one word of a name may begin with two words of a query.
pub(super) fn may_share_a_word(wanted: &[Vec<String>]) -> bool {
    let begins = |a: &[String], b: &[String]| {
        let is_whole = |begin: &&String| begin.chars().all(|letter| letter <= LAST_LETTER);
        let mut beginnings = a.iter().filter(is_whole);
        beginnings.any(|begin| b.iter().any(|word| word.starts_with(begin.as_str())))
    };
    wanted.iter().enumerate().any(|(at, word)| {
        let others = wanted.iter().skip(at + 1);
        others.into_iter().any(|other| begins(word, other) || begins(other, word))
    })
}

/// Whether a name has a word for each of some, each in one of its spellings, and no word for two of them.
pub(super) fn has_distinct(name: &str, wanted: &[Vec<String>]) -> bool {
    let mut forms = vec![words(name)];
    if !name.is_ascii() {
        forms.push(words(&with_two_letters(name)));
    }
    if name.contains(['\'', '’']) {
        forms.push(words(&name.replace(['\'', '’'], "")));
    }
    forms.iter().any(|words| are_distinct(words, wanted))
}

fn are_distinct(words: &[String], wanted: &[Vec<String>]) -> bool {
    let wanted: Vec<Vec<String>> = wanted
        .iter()
        .map(|spellings| spellings.iter().flat_map(|spelling| super::words(spelling)).collect())
        .collect();

    // The wanted word that each word of the name is for.
    let mut taken: Vec<Option<usize>> = vec![None; words.len()];
    (0..wanted.len()).all(|at| {
        let mut seen = vec![false; words.len()];
        assign(at, words, &wanted, &mut taken, &mut seen)
    })
}

/// Finds a word for a wanted one; a word that another one has is taken if the other finds a word as well.
fn assign(
    at: usize,
    words: &[String],
    wanted: &[Vec<String>],
    taken: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    let Some(spellings) = wanted.get(at) else { return false };

    for (place, word) in words.iter().enumerate() {
        let is_begun = spellings.iter().any(|begin| word.starts_with(begin.as_str()));
        let Some(is_seen) = seen.get_mut(place) else { continue };
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
                assert!(may_share_a_word(&wanted));
                assert_eq!(has_distinct($written, &wanted), $is_found);
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
            assert!(!may_share_a_word(&wanted), "{words}");
        }
    }
}
