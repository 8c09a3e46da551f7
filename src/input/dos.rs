//! The encodings of DOS and of old Macintosh computers for Latin letters, told by the look of words.
//!
//! What is a letter in them is a quotation mark, a dagger or nothing in Windows: read as Windows-1252, `Müller` of DOS
//! has U+0081 among its letters, `Schäfer` a `„`, and `André` of a Macintosh ends with a capital `Ž`. A word that makes
//! sense in them and in no encoding of Windows speaks for them, and the other way round.

use std::collections::BTreeSet;

use super::Encoding;

/// Their names, those first that are more usual.
const NAMES: [&str; 3] = ["cp850", "macintosh", "cp852"];
/// Encodings of Windows of which one or the other has all letters between 0x80 and 0x9f.
const WINDOWS: [&str; 2] = ["windows-1252", "windows-1250"];
/// ASCII letters without which nothing is said of a word.
const ASCII_LETTERS: usize = 2;

/// Letters that names of Western Europe are written with, besides ASCII.
const WESTERN: &str = "äöüÄÖÜßéèêëÉÈÊáàâåÁÀÂÅíìîïÍÎóòôõøÓÔÕØúùûÚãÃçÇñÑæÆœŒ";
/// The same of Central Europe.
const CENTRAL: &str = "äöüÄÖÜßéÉáÁíÍóÓúÚôçÇëąćęłńśźżĄĆĘŁŃŚŹŻčďěňřšťůžýČĎĚŇŘŠŤŮŽÝőűŐŰđĐăâîşţľĺŕĽ";

/// What the words of a text say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// They make sense in each of these encodings and in none of Windows.
    Dos(Vec<Encoding>),
    /// They make sense in each of these, and in one of Windows.
    Either(Vec<Encoding>),
    /// Nothing speaks for DOS.
    Windows,
}

/// What some words that are not ASCII look like.
pub(super) fn look(words: &BTreeSet<&[u8]>) -> Look {
    let windows = encodings(WINDOWS);
    let words: Vec<(&[u8], bool)> = words
        .iter()
        .filter(|word| is_latin(word))
        .map(|&word| (word, windows.iter().any(|&windows| fits_windows(word, windows))))
        .collect();
    let scored = encodings(NAMES).into_iter().map(|encoding| (score(&words, encoding), encoding));
    let scored: Vec<((usize, usize), Encoding)> = scored.filter(|(score, _)| score.1 > 0).collect();
    let Some(best) = scored.iter().map(|(score, _)| *score).max() else { return Look::Windows };
    let found = scored.into_iter().filter(|(score, _)| *score == best);
    let found = found.map(|(_, encoding)| encoding).collect();
    if best.0 > 0 { Look::Dos(found) } else { Look::Either(found) }
}

/// How many words make sense in an encoding alone, and how many in it at all; none if as many make sense in Windows
/// alone.
fn score(words: &[(&[u8], bool)], encoding: Encoding) -> (usize, usize) {
    let count = |here: bool, there: bool| {
        let found = |word: &&(&[u8], bool)| (fits(word.0, encoding), word.1) == (here, there);
        words.iter().filter(found).count()
    };
    let (alone, against) = (count(true, false), count(false, true));
    if against > 0 && against >= alone { (0, 0) } else { (alone, alone + count(true, true)) }
}

/// `true` for an encoding that was taken by the look of words, and the name that an option takes for it.
pub(crate) fn guessed_name(encoding: Encoding) -> Option<&'static str> {
    NAMES.into_iter().find(|name| Encoding::from_name(name) == Some(encoding))
}

/// Where a text of Windows has a sign within a word that is a letter of DOS, and the sign.
pub(crate) fn odd_sign(text: &str) -> Option<(usize, char)> {
    let mut before = ' ';
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or(' ', |&(_, next)| next);
        if is_odd_sign(letter) && before.is_ascii_lowercase() && next.is_ascii_lowercase() {
            return Some((at, letter));
        }
        before = letter;
    }
    None
}

fn encodings<const N: usize>(names: [&str; N]) -> Vec<Encoding> {
    names.into_iter().filter_map(Encoding::from_name).collect()
}

fn is_latin(word: &[u8]) -> bool {
    let ascii = word.iter().filter(|byte| byte.is_ascii()).count();
    ascii >= ASCII_LETTERS && 2 * ascii >= word.len()
}

/// `true` where all is a letter that names have, small or large as its neighbours are.
fn fits(word: &[u8], encoding: Encoding) -> bool {
    let letters: Vec<char> = encoding.decode(word).chars().collect();
    let known = if Encoding::from_name("cp852") == Some(encoding) { CENTRAL } else { WESTERN };
    let is_known = |letter: &char| letter.is_ascii() || known.contains(*letter);
    letters.iter().all(is_known) && has_usual_case(&letters)
}

/// `true` where letters are small or large as their neighbours are, and signs are where words may have some.
fn fits_windows(word: &[u8], encoding: Encoding) -> bool {
    let letters: Vec<char> = encoding.decode(word).chars().collect();
    let between = |sign: fn(char) -> bool| {
        letters
            .windows(3)
            .any(|three| three[0].is_alphabetic() && sign(three[1]) && three[2].is_alphabetic())
    };
    let ends_with_opening =
        matches!(letters[..], [.., before, '„' | '‚'] if before.is_alphabetic());
    let has_meaning = !letters.iter().any(|letter| letter.is_control());
    has_meaning && !between(is_odd_sign) && !ends_with_opening && has_usual_case(&letters)
}

/// Signs that no word has within it; apostrophes, dashes and ellipses are others.
fn is_odd_sign(letter: char) -> bool {
    matches!(
        letter,
        '€' | '‚'
            | 'ƒ'
            | '„'
            | '†'
            | '‡'
            | 'ˆ'
            | '‰'
            | '‹'
            | '“'
            | '”'
            | '•'
            | '˜'
            | '™'
            | '›'
    )
}

/// `true` where no letter that is not ASCII is large behind a small one, or small between large ones.
fn has_usual_case(letters: &[char]) -> bool {
    letters.iter().enumerate().filter(|(_, letter)| !letter.is_ascii()).all(|(at, letter)| {
        let before = at.checked_sub(1).map(|before| letters[before]);
        let next = letters.get(at + 1);
        let is_large = |letter: &char| letter.is_ascii_uppercase();
        let is_odd_capital = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_uppercase() && next.is_some_and(|next| next.is_lowercase())
            });
        let is_odd_small = letter.is_lowercase()
            && *letter != 'ß'
            && before.as_ref().is_some_and(is_large)
            && next.is_some_and(is_large);
        !is_odd_capital && !is_odd_small
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(encoding: &str, names: &[&str]) -> Look {
        let encoding = Encoding::from_name(encoding).expect("an encoding");
        let words: Vec<Vec<u8>> = names
            .iter()
            .map(|name| {
                let mut bytes = Vec::new();
                assert_eq!(encoding.encode(name, &mut bytes).count, 0, "{name}");
                bytes
            })
            .collect();
        look(&words.iter().map(Vec::as_slice).collect())
    }

    #[test]
    fn one_word_of_dos_is_enough() {
        let is_of = |name: &str, encoding: &str| match of(encoding, &[name]) {
            Look::Dos(found) => found.iter().position(|&one| guessed_name(one) == Some(encoding)),
            _ => None,
        };
        for name in
            ["Müller", "Schäfer", "Köln", "Schottländer", "André", "Grünfeld", "MÜLLER", "Besançon"]
        {
            assert_eq!(is_of(name, "cp850"), Some(0), "{name}");
        }
        for name in ["Schäfer", "André", "Fernández"] {
            assert!(is_of(name, "macintosh").is_some(), "{name}");
        }
        for name in ["Jabłoński", "Wałbrzych", "Źdźbło"] {
            assert!(is_of(name, "cp852").is_some(), "{name}");
        }
    }

    #[test]
    fn words_of_windows_are_none_of_dos() {
        for name in [
            "Müller",
            "Réti",
            "Ståhlberg",
            "O’Kelly",
            "Smith–Jones",
            "word…",
            "don’t",
            "„Zug“",
            "Ødegård",
            "naïve",
            "Weiß",
            "€uro",
        ] {
            assert!(!matches!(of("windows-1252", &[name]), Look::Dos(_)), "{name}");
        }
        for name in ["Dvořák", "Šimák", "Źdźbło", "Ťapák", "Jabłoński", "Łódź", "Gligorić"]
        {
            assert!(!matches!(of("windows-1250", &[name]), Look::Dos(_)), "{name}");
        }
    }

    #[test]
    fn signs_within_words_are_odd() {
        assert_eq!(odd_sign("Schottl„nder"), Some((7, '„')));
        for text in ["„Zug“ und", "O’Kelly", "a – b", "Tal…was", "Müller", ""] {
            assert_eq!(odd_sign(text), None, "{text}");
        }
    }
}
