//! Detects the DOS and classic Macintosh encodings of Latin letters by the look of words.
//!
//! Their letters are quotation marks, daggers or undefined in Windows encodings: read as Windows-1252, `Müller` in DOS
//! has U+0081 among its letters, `Schäfer` a `„`, `Núñez` a `£` and a `¤`, and `André` from a Macintosh ends with a
//! capital `Ž`. A word that makes sense in such an encoding and in no Windows encoding is evidence for this encoding. A
//! word that makes sense only in a Windows encoding is evidence against it.

use std::collections::BTreeSet;

use super::Encoding;

/// The names of the detected encodings, most common first.
const NAMES: [&str; 3] = ["cp850", "macintosh", "cp852"];
/// Windows encodings. Together, the first two have all letters between 0x80 and 0x9f. The third has Central European
/// letters in place of signs.
const WINDOWS: [&str; 3] = ["windows-1252", "windows-1250", "iso-8859-2"];
/// The minimum number of ASCII letters of a word that is evidence.
const MIN_ASCII_LETTERS: usize = 2;
/// The maximum number of letters of a word; longer words are ignored.
const MAX_LETTERS: usize = 64;

/// The non-ASCII letters of Western European names.
const WESTERN: &str = "äöüÄÖÜßéèêëÉÈÊáàâåÁÀÂÅíìîïÍÎóòôõøÓÔÕØúùûÚãÃçÇñÑæÆœŒ";
/// The non-ASCII letters of Central European names.
const CENTRAL: &str = "äöüÄÖÜßéÉáÁíÍóÓúÚôçÇëąćęłńśźżĄĆĘŁŃŚŹŻčďěňřšťůžýČĎĚŇŘŠŤŮŽÝőűŐŰđĐăâîşţľĺŕĽ";

/// The characters of Windows-1252 and Windows-1250 whose bytes mean í ó ú ñ Ñ in DOS. They may be adjacent.
const SPANISH_SIGNS: &str = "¡¢£¤¥ˇ˘";
/// Signs that do not begin a word before a lower-case letter.
const ODD_BEGINNINGS: &str = "™ƒ‰¢£¤¥˘";
/// Signs that do not end a word after a lower-case letter.
const ODD_ENDS: &str = "„‚¢£¤¥˘";
/// Non-letters that occur within words: apostrophes, dashes, an ellipsis, the Catalan dot, a capture, and the soft
/// hyphen.
const COMMON_SIGNS: &str = "’‘–—…·´×\u{ad}";
/// Particles of names. A no-break space often follows them in Windows text.
const PARTICLES: [&str; 18] = [
    "af", "av", "da", "de", "del", "den", "der", "di", "do", "dos", "du", "la", "le", "ten", "ter",
    "van", "von", "zu",
];
/// The no-break space, which is `á` in DOS.
const NO_BREAK_SPACE: char = '\u{a0}';

/// The oddness of a sign in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Oddness {
    /// Impossible in Windows text.
    Surely,
    /// Unusual in Windows text.
    Maybe,
}

/// The evidence of the words of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WordEvidence {
    /// Encodings of DOS in which the words fit best. At least one word makes sense in no Windows encoding.
    Dos(Vec<Encoding>),
    /// Encodings of DOS in which the words fit best. The words make sense in Windows encodings, too.
    Either(Vec<Encoding>),
    /// No evidence for DOS.
    Windows,
}

/// Judges non-ASCII words: the evidence for the encodings of DOS and the Macintosh.
pub(super) fn judge_words(words: &BTreeSet<&[u8]>) -> WordEvidence {
    let windows = encodings(WINDOWS);
    let mut judged = Vec::new();
    for word in words.iter().copied().filter(|word| is_latin(word)) {
        let fits_windows = windows.iter().any(|&windows| fits_windows(word, windows));
        judged.push(JudgedWord { word, fits_windows });
    }

    let mut scored = Vec::new();
    for encoding in encodings(NAMES) {
        let score = Score::of(&judged, encoding);
        if score.fitting > 0 {
            scored.push((score, encoding));
        }
    }
    let Some(best) = scored.iter().map(|(score, _)| *score).max() else {
        return WordEvidence::Windows;
    };

    let best_encodings = scored
        .into_iter()
        .filter(|(score, _)| *score == best)
        .map(|(_, encoding)| encoding)
        .collect();
    if best.fitting_alone > 0 {
        WordEvidence::Dos(best_encodings)
    } else {
        WordEvidence::Either(best_encodings)
    }
}

/// A word with its judgement.
struct JudgedWord<'w> {
    word: &'w [u8],
    /// `true` if the word makes sense in a Windows encoding.
    fits_windows: bool,
}

/// The fit of words to an encoding. Scores are compared by `fitting_alone`, then by `fitting`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    /// The number of words that make sense in this encoding and in no Windows encoding.
    fitting_alone: usize,
    /// The number of words that make sense in this encoding.
    fitting: usize,
}

impl Score {
    /// The score of an encoding. It is zero if the encoding is contradicted: some words make sense only in Windows
    /// encodings, and they are not fewer than the words that make sense only in this encoding.
    fn of(words: &[JudgedWord<'_>], encoding: Encoding) -> Score {
        let mut score = Score::default();
        let mut fitting_windows_alone = 0;
        for JudgedWord { word, fits_windows } in words {
            if fits_encoding(word, encoding) {
                score.fitting += 1;
                score.fitting_alone += usize::from(!fits_windows);
            } else if *fits_windows {
                fitting_windows_alone += 1;
            }
        }

        let is_contradicted =
            fitting_windows_alone > 0 && fitting_windows_alone >= score.fitting_alone;
        if is_contradicted {
            Score::default()
        } else {
            score
        }
    }
}

/// The name of an encoding that may have been guessed from words, as users give it; `None` for other encodings.
pub(crate) fn guessed_name(encoding: Encoding) -> Option<&'static str> {
    NAMES
        .into_iter()
        .find(|name| Encoding::from_name(name) == Some(encoding))
}

/// The first sign next to a word in Windows text that would be a letter in DOS, with its offset.
pub(crate) fn odd_sign(text: &str) -> Option<(usize, char)> {
    // Only ASCII separates words here, since other signs may be letters of DOS.
    let is_separator = |letter: char| letter.is_ascii() && !letter.is_ascii_alphabetic();
    let mut start = 0;
    for word in text.split_inclusive(is_separator) {
        let letters: Vec<char> = word.trim_end_matches(is_separator).chars().collect();
        if let Some(at) = first_odd_sign(&letters) {
            let before = letters[..at].iter();
            let bytes_before: usize = before.map(|letter| letter.len_utf8()).sum();
            return Some((start + bytes_before, letters[at]));
        }
        start += word.len();
    }
    None
}

/// The index of the first odd sign of a word.
fn first_odd_sign(letters: &[char]) -> Option<usize> {
    let all = letters.len();
    let ascii = letters.iter().filter(|letter| letter.is_ascii()).count();
    let is_ascii = ascii == all;
    if is_ascii || all > MAX_LETTERS || !has_latin(ascii, all) {
        return None;
    }

    (0..all).find(|&at| oddness(letters, at).is_some())
}

/// The encodings with these names.
fn encodings<const N: usize>(names: [&str; N]) -> Vec<Encoding> {
    names.into_iter().filter_map(Encoding::from_name).collect()
}

/// Returns `true` if a word is in Latin letters.
fn is_latin(word: &[u8]) -> bool {
    let ascii = word.iter().filter(|byte| byte.is_ascii()).count();
    has_latin(ascii, word.len())
}

/// Returns `true` if a word of `all` characters, `ascii` of them ASCII, is in Latin letters.
fn has_latin(ascii: usize, all: usize) -> bool {
    ascii >= MIN_ASCII_LETTERS && 2 * ascii >= all
}

/// Returns `true` if all characters are letters of names, in the case of their neighbours.
fn fits_encoding(word: &[u8], encoding: Encoding) -> bool {
    let letters: Vec<char> = encoding.decode(word).chars().collect();
    let is_central = Encoding::from_name("cp852") == Some(encoding);
    let known = if is_central { CENTRAL } else { WESTERN };

    for &letter in &letters {
        if !letter.is_ascii() && !known.contains(letter) {
            return false;
        }
    }
    has_usual_case(&letters)
}

/// Returns `true` if letters have the case of their neighbours, and signs are in usual places.
fn fits_windows(word: &[u8], encoding: Encoding) -> bool {
    let letters: Vec<char> = encoding.decode(word).chars().collect();
    // Undefined bytes of Windows encodings decode to control characters.
    let has_undefined = letters.iter().any(|letter| letter.is_control());
    if has_undefined {
        return false;
    }

    let is_surely_odd = |at: usize| oddness(&letters, at) == Some(Oddness::Surely);
    let has_odd_sign = (0..letters.len()).any(is_surely_odd);
    !has_odd_sign && has_usual_case(&letters)
}

/// The oddness of a character in a word, if any.
fn oddness(letters: &[char], at: usize) -> Option<Oddness> {
    let sign = letters[at];
    if !is_sign(sign) {
        return None;
    }

    // `Núñez` becomes `N£¤ez`: such signs may be adjacent, so the other characters decide.
    let is_no_spanish_sign = |letter: &char| !SPANISH_SIGNS.contains(*letter);
    let before = letters[..at].iter().rev().copied().find(is_no_spanish_sign);
    let next = letters[at + 1..].iter().copied().find(is_no_spanish_sign);

    match (before, next) {
        (Some(before), Some(next)) if before.is_alphabetic() && next.is_alphabetic() => {
            oddness_between(letters, at, before, next)
        }
        (None, Some(next)) if next.is_lowercase() => match sign {
            // `€etin` is Çetin in DOS, but `€uro` is a word of Windows.
            '€' => Some(Oddness::Maybe),
            _ if ODD_BEGINNINGS.contains(sign) => Some(Oddness::Surely),
            _ => None,
        },
        (Some(before), None) if before.is_lowercase() => match sign {
            // `Mart¡` is Martí in DOS, but the sign may also be misplaced.
            '¡' => Some(Oddness::Maybe),
            _ if ODD_ENDS.contains(sign) => Some(Oddness::Surely),
            _ => None,
        },
        _ => None,
    }
}

/// The oddness of a sign between two letters.
fn oddness_between(letters: &[char], at: usize, before: char, next: char) -> Option<Oddness> {
    let is_space = letters[at] == NO_BREAK_SPACE;

    // A capital begins a word: `Ja¡Bravo`, `GM Carlsen`.
    let is_between_words = next.is_uppercase() && (before.is_lowercase() || is_space);
    if is_between_words {
        return None;
    }
    if !is_space {
        return Some(Oddness::Surely);
    }

    // A no-break space also separates words, so it is `á` only before letters that are no word.
    if begins_no_word(&letters[at + 1..]) {
        Some(Oddness::Surely)
    } else if is_beside_particle(letters, at) {
        None
    } else {
        Some(Oddness::Maybe)
    }
}

/// Returns `true` for a sign next to a particle of names, as in `von der Lasa`.
fn is_beside_particle(letters: &[char], at: usize) -> bool {
    let word_start = letters[..at]
        .iter()
        .rposition(|letter| !letter.is_alphabetic())
        .map_or(0, |space| space + 1);
    let word_before: String = letters[word_start..at].iter().collect();
    let word_behind: String = letters[at + 1..]
        .iter()
        .take_while(|letter| letter.is_alphabetic())
        .collect();

    PARTICLES.contains(&word_before.as_str()) || PARTICLES.contains(&word_behind.as_str())
}

/// Returns `true` for signs that do not occur within words. Unicode classifies two accents as letters.
fn is_sign(letter: char) -> bool {
    let is_letter = letter.is_alphabetic() && !matches!(letter, 'ˆ' | 'ˇ');
    let is_lost = letter.is_control() || letter == char::REPLACEMENT_CHARACTER;
    !letter.is_ascii() && !is_letter && !is_lost && !COMMON_SIGNS.contains(letter)
}

/// Returns `true` for lower-case letters that may end a name but are not a word, such as the letters after `á` in
/// `Iván` and `Hernández`. The letters of files, `a` to `h`, count as words.
fn begins_no_word(letters: &[char]) -> bool {
    let is_letter = |letter: &&char| letter.is_alphabetic();
    let word: String = letters.iter().take_while(is_letter).collect();

    // Letters between two no-break spaces are a word.
    let following = letters.get(word.chars().count());
    if following == Some(&NO_BREAK_SPACE) {
        return false;
    }

    match word.as_bytes() {
        [] => false,
        // Syllables like `nchez`, `ndez`, `ngel`.
        [b'n', b'c' | b'd' | b'g' | b's' | b't' | b'z', ..] => true,
        [only] => b"lmnrstz".contains(only),
        letters => word != "vs" && letters.iter().all(|letter| is_consonant(*letter)),
    }
}

fn is_consonant(letter: u8) -> bool {
    letter.is_ascii_alphabetic() && !b"aeiouyAEIOUY".contains(&letter)
}

/// Returns `true` if no non-ASCII letter is upper case after lower case, or lower case between upper case.
fn has_usual_case(letters: &[char]) -> bool {
    for (at, &letter) in letters.iter().enumerate() {
        // The first letter may have any case.
        if letter.is_ascii() || at == 0 {
            continue;
        }

        let before = letters[at - 1];
        let next = letters.get(at + 1).copied();
        if !has_usual_case_between(before, letter, next) {
            return false;
        }
    }
    true
}

/// Returns `true` if a non-ASCII letter has a usual case between its neighbours; `next` is `None` at the end of a word.
fn has_usual_case_between(before: char, letter: char, next: Option<char>) -> bool {
    if letter.is_uppercase() {
        let is_before_small = next.is_some_and(|next| next.is_lowercase());
        let is_odd = before.is_lowercase() || before.is_uppercase() && is_before_small;
        return !is_odd;
    }

    // `ß` has no usual capital letter, so it occurs in names in capitals.
    let may_be_among_capitals = letter == 'ß' || !letter.is_lowercase();
    let is_among_capitals =
        before.is_ascii_uppercase() && next.is_some_and(|next| next.is_ascii_uppercase());
    may_be_among_capitals || !is_among_capitals
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(encoding: &str, names: &[&str]) -> WordEvidence {
        let encoding = Encoding::from_name(encoding).expect("an encoding");

        let mut words = Vec::new();
        for name in names {
            let mut bytes = Vec::new();
            let lost = encoding.encode(name, &mut bytes).count;
            assert_eq!(lost, 0, "{name}");
            words.push(bytes);
        }
        judge_words(&words.iter().map(Vec::as_slice).collect())
    }

    #[test]
    fn one_word_of_dos_is_enough() {
        // The rank of the encoding among the encodings that a name fits best.
        let rank_of = |name: &str, encoding: &str| match of(encoding, &[name]) {
            WordEvidence::Dos(candidates) => candidates
                .iter()
                .position(|&candidate| guessed_name(candidate) == Some(encoding)),
            _ => None,
        };

        for name in [
            "Müller",
            "Schäfer",
            "Köln",
            "Schottländer",
            "André",
            "Grünfeld",
            "MÜLLER",
            "Besançon",
        ] {
            assert_eq!(rank_of(name, "cp850"), Some(0), "{name}");
        }
        for name in [
            "García",
            "Núñez",
            "Gómez",
            "Jesús",
            "España",
            "Muñoz",
            "Hernández",
            "Iván",
        ] {
            assert_eq!(rank_of(name, "cp850"), Some(0), "{name}");
        }
        for name in ["Adorján", "István", "Szabó", "Kovács", "Ödön"] {
            assert!(rank_of(name, "cp852").is_some(), "{name}");
        }
        for name in ["Schäfer", "André", "Fernández"] {
            assert!(rank_of(name, "macintosh").is_some(), "{name}");
        }
        for name in ["Jabłoński", "Wałbrzych", "Źdźbło"] {
            assert!(rank_of(name, "cp852").is_some(), "{name}");
        }
    }

    #[test]
    fn words_of_windows_are_not_taken_for_dos() {
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
            let is_dos = matches!(of("windows-1252", &[name]), WordEvidence::Dos(_));
            assert!(!is_dos, "{name}");
        }
        for name in [
            "Dvořák",
            "Šimák",
            "Źdźbło",
            "Ťapák",
            "Jabłoński",
            "Łódź",
            "Gligorić",
        ] {
            let is_dos = matches!(of("windows-1250", &[name]), WordEvidence::Dos(_));
            assert!(!is_dos, "{name}");
        }
        for name in ["Gąsiorowski", "LEŚNIAK", "Šťastný", "VLAŠIM", "Wąż"] {
            let is_dos = matches!(of("iso-8859-2", &[name]), WordEvidence::Dos(_));
            assert!(!is_dos, "{name}");
        }
    }

    #[test]
    fn signs_within_words_are_odd() {
        let rows = [
            ("Schottl„nder", 7, '„'),
            ("é, N£¤ez", 5, '£'),
            ("Szab¢ L", 4, '¢'),
            ("in M\u{a0}laga", 4, '\u{a0}'),
            ("De\u{a0}k", 2, '\u{a0}'),
            ("Mart¡, Josep", 4, '¡'),
            ("€etin", 0, '€'),
        ];
        for (text, at, sign) in rows {
            assert_eq!(odd_sign(text), Some((at, sign)), "{text}");
        }

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
