//! The encodings of DOS and of old Macintosh computers for Latin letters, told by the look of words.
//!
//! What is a letter in them is a quotation mark, a dagger or nothing in Windows: read as Windows-1252, `Müller` of DOS
//! has U+0081 among its letters, `Schäfer` a `„`, `Núñez` a `£` and a `¤`, and `André` of a Macintosh ends with a capital
//! `Ž`. A word that makes sense in them and in no encoding of Windows speaks for them, and the other way round.

use std::collections::BTreeSet;

use super::Encoding;

/// Their names, those first that are more usual.
const NAMES: [&str; 3] = ["cp850", "macintosh", "cp852"];
/// Encodings of Windows of which one or the other has all letters between 0x80 and 0x9f, and one that has letters of
/// Central Europe where they have signs.
const WINDOWS: [&str; 3] = ["windows-1252", "windows-1250", "iso-8859-2"];
/// ASCII letters without which nothing is said of a word.
const ASCII_LETTERS: usize = 2;
/// Letters of a word; longer ones are none.
const MOST_LETTERS: usize = 64;

/// Letters that names of Western Europe are written with, besides ASCII.
const WESTERN: &str = "äöüÄÖÜßéèêëÉÈÊáàâåÁÀÂÅíìîïÍÎóòôõøÓÔÕØúùûÚãÃçÇñÑæÆœŒ";
/// The same of Central Europe.
const CENTRAL: &str = "äöüÄÖÜßéÉáÁíÍóÓúÚôçÇëąćęłńśźżĄĆĘŁŃŚŹŻčďěňřšťůžýČĎĚŇŘŠŤŮŽÝőűŐŰđĐăâîşţľĺŕĽ";

/// What Windows-1252 and Windows-1250 have for í ó ú ñ Ñ of DOS, of which several may stand side by side.
const SPANISH_SIGNS: &str = "¡¢£¤¥ˇ˘";
/// What no word begins with, before a small letter.
const ODD_BEGINNINGS: &str = "™ƒ‰¢£¤¥˘";
/// What no word ends with, behind a small letter.
const ODD_ENDS: &str = "„‚¢£¤¥˘";
/// What is no letter, and stands within words: apostrophes, dashes, an ellipsis, the dot of Catalan, a capture, and the
/// hyphen that is not seen.
const USUAL_SIGNS: &str = "’‘–—…·´×\u{ad}";
/// Words of names that are written small.
const PARTICLES: [&str; 18] = [
    "af", "av", "da", "de", "del", "den", "der", "di", "do", "dos", "du", "la", "le", "ten", "ter",
    "van", "von", "zu",
];
/// The space at which no line ends, and `á` of DOS.
const NO_BREAK_SPACE: char = '\u{a0}';

/// How odd a sign is where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Odd {
    /// No text of Windows has it there.
    Surely,
    /// Some have it there.
    Maybe,
}

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

/// Where a text of Windows has a sign at a word that is a letter of DOS, and the sign.
pub(crate) fn odd_sign(text: &str) -> Option<(usize, char)> {
    let is_between = |letter: char| letter.is_ascii() && !letter.is_ascii_alphabetic();
    let mut start = 0;
    for word in text.split_inclusive(is_between) {
        let letters: Vec<char> = word.trim_end_matches(is_between).chars().collect();
        if let Some((before, sign)) = odd_sign_of(&letters) {
            let before: usize = letters[..before].iter().map(|letter| letter.len_utf8()).sum();
            return Some((start + before, sign));
        }
        start += word.len();
    }
    None
}

/// The first odd sign of a word, and how many letters are before it.
fn odd_sign_of(letters: &[char]) -> Option<(usize, char)> {
    let ascii = letters.iter().filter(|letter| letter.is_ascii()).count();
    let is_word = ascii < letters.len() && letters.len() <= MOST_LETTERS;
    let is_latin = is_word && has_latin(ascii, letters.len());
    let at = (0..letters.len()).find(|&at| is_latin && oddness(letters, at).is_some())?;
    Some((at, letters[at]))
}

fn encodings<const N: usize>(names: [&str; N]) -> Vec<Encoding> {
    names.into_iter().filter_map(Encoding::from_name).collect()
}

fn is_latin(word: &[u8]) -> bool {
    let ascii = word.iter().filter(|byte| byte.is_ascii()).count();
    has_latin(ascii, word.len())
}

fn has_latin(ascii: usize, all: usize) -> bool {
    ascii >= ASCII_LETTERS && 2 * ascii >= all
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
    let has_meaning = !letters.iter().any(|letter| letter.is_control());
    let is_odd = |at| oddness(&letters, at) == Some(Odd::Surely);
    has_meaning && !(0..letters.len()).any(is_odd) && has_usual_case(&letters)
}

/// How odd what stands at a place of a word is there, if it is.
fn oddness(letters: &[char], at: usize) -> Option<Odd> {
    let sign = letters[at];
    if !is_sign(sign) {
        return None;
    }
    let is_other = |letter: &char| !SPANISH_SIGNS.contains(*letter);
    let before = letters[..at].iter().rev().copied().find(is_other);
    let next = letters[at + 1..].iter().copied().find(is_other);
    match (before, next) {
        (Some(before), Some(next)) if before.is_alphabetic() && next.is_alphabetic() => {
            let is_between_words =
                next.is_uppercase() && (before.is_lowercase() || sign == NO_BREAK_SPACE);
            let is_sure = sign != NO_BREAK_SPACE || begins_no_word(&letters[at + 1..]);
            if is_sure && !is_between_words {
                return Some(Odd::Surely);
            }
            (!is_between_words && !is_beside_particle(letters, at)).then_some(Odd::Maybe)
        }
        (None, Some(next)) if next.is_lowercase() => match sign {
            '€' => Some(Odd::Maybe),
            _ => ODD_BEGINNINGS.contains(sign).then_some(Odd::Surely),
        },
        (Some(before), None) if before.is_lowercase() => match sign {
            '¡' => Some(Odd::Maybe),
            _ => ODD_ENDS.contains(sign).then_some(Odd::Surely),
        },
        _ => None,
    }
}

/// `true` at a sign before or behind a particle of names, as in `von der Lasa`.
fn is_beside_particle(letters: &[char], at: usize) -> bool {
    let is_letter = |letter: &&char| letter.is_alphabetic();
    let mut before: Vec<char> = letters[..at].iter().rev().take_while(is_letter).copied().collect();
    before.reverse();
    let behind = letters[at + 1..].iter().take_while(is_letter).copied().collect();
    [before, behind].map(String::from_iter).iter().any(|word| PARTICLES.contains(&word.as_str()))
}

/// `true` for what no word has within it. Two accents are letters to Unicode.
fn is_sign(letter: char) -> bool {
    let is_letter = letter.is_alphabetic() && !matches!(letter, 'ˆ' | 'ˇ');
    let is_lost = letter.is_control() || letter == char::REPLACEMENT_CHARACTER;
    !letter.is_ascii() && !is_letter && !is_lost && !USUAL_SIGNS.contains(letter)
}

/// `true` for small letters that are the end of a name and no word, as those behind `á` in `Iván` and `Hernández`. The
/// files of a board are words.
fn begins_no_word(letters: &[char]) -> bool {
    let is_letter = |letter: &&char| letter.is_alphabetic();
    let word: String = letters.iter().take_while(is_letter).collect();
    if letters.get(word.chars().count()) == Some(&NO_BREAK_SPACE) {
        return false;
    }
    match word.as_bytes() {
        [] => false,
        [b'n', b'c' | b'd' | b'g' | b's' | b't' | b'z', ..] => true,
        [only] => b"lmnrstz".contains(only),
        letters => word != "vs" && letters.iter().all(|letter| is_consonant(*letter)),
    }
}

fn is_consonant(letter: u8) -> bool {
    letter.is_ascii_alphabetic() && !b"aeiouyAEIOUY".contains(&letter)
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
        for name in ["García", "Núñez", "Gómez", "Jesús", "España", "Muñoz", "Hernández", "Iván"]
        {
            assert_eq!(is_of(name, "cp850"), Some(0), "{name}");
        }
        for name in ["Adorján", "István", "Szabó", "Kovács", "Ödön"] {
            assert!(is_of(name, "cp852").is_some(), "{name}");
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
            "Magnus\u{a0}Carlsen",
            "von\u{a0}der\u{a0}Lasa",
            "the\u{a0}h",
            "Tal\u{a0}vs\u{a0}Fischer",
            "¡Bravo",
            "Bravo¡",
            "Ja¡Bravo",
            "que\u{a0}¡viva",
            "mot\u{a0}«mot»",
            "Q×f",
            "col·legi",
            "Zug\u{ad}zwang",
            "†Tal",
            "•the",
            "Mª",
        ] {
            assert!(!matches!(of("windows-1252", &[name]), Look::Dos(_)), "{name}");
        }
        for name in ["Dvořák", "Šimák", "Źdźbło", "Ťapák", "Jabłoński", "Łódź", "Gligorić"]
        {
            assert!(!matches!(of("windows-1250", &[name]), Look::Dos(_)), "{name}");
        }
        for name in ["Gąsiorowski", "LEŚNIAK", "Šťastný", "VLAŠIM", "Wąż"] {
            assert!(!matches!(of("iso-8859-2", &[name]), Look::Dos(_)), "{name}");
        }
    }

    #[test]
    fn signs_within_words_are_odd() {
        assert_eq!(odd_sign("Schottl„nder"), Some((7, '„')));
        assert_eq!(odd_sign("é, N£¤ez"), Some((5, '£')));
        assert_eq!(odd_sign("Szab¢ L"), Some((4, '¢')));
        assert_eq!(odd_sign("in M\u{a0}laga"), Some((4, '\u{a0}')));
        assert_eq!(odd_sign("De\u{a0}k"), Some((2, '\u{a0}')));
        assert_eq!(odd_sign("Mart¡, Josep"), Some((4, '¡')));
        assert_eq!(odd_sign("€etin"), Some((0, '€')));
        for text in [
            "„Zug“ und",
            "O’Kelly",
            "a – b",
            "Tal…was",
            "Müller",
            "",
            "Magnus\u{a0}Carlsen",
            "GM\u{a0}Carlsen",
            "von\u{a0}der\u{a0}Lasa",
            "Max\u{a0}van\u{a0}den Berg",
            "coup\u{a0}!",
            "¡Bravo!",
            "N×e5",
            "2ª",
            "Слово»и",
        ] {
            assert_eq!(odd_sign(text), None, "{text}");
        }
    }
}
