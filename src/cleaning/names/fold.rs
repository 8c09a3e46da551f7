//! Folds letters of any European script to lower-case ASCII, and hashes texts.

use std::hash::Hasher;

use fnv::FnvHasher;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Letters that Unicode does not decompose into a base letter and a mark, or that are commonly written as two letters.
const LETTERS: &[(char, &str)] = &[
    ('ä', "ae"),
    ('ö', "oe"),
    ('ü', "ue"),
    ('ß', "ss"),
    ('ø', "oe"),
    ('æ', "ae"),
    ('œ', "oe"),
    ('å', "aa"),
    ('ł', "l"),
    ('đ', "d"),
    ('ð', "d"),
    ('þ', "th"),
    ('ı', "i"),
    ('а', "a"),
    ('б', "b"),
    ('в', "v"),
    ('г', "g"),
    ('ґ', "g"),
    ('д', "d"),
    ('е', "e"),
    ('ё', "e"),
    ('є', "ye"),
    ('ж', "zh"),
    ('з', "z"),
    ('и', "i"),
    ('і', "i"),
    ('ї', "i"),
    ('й', "y"),
    ('к', "k"),
    ('л', "l"),
    ('м', "m"),
    ('н', "n"),
    ('о', "o"),
    ('п', "p"),
    ('р', "r"),
    ('с', "s"),
    ('т', "t"),
    ('у', "u"),
    ('ф', "f"),
    ('х', "kh"),
    ('ц', "ts"),
    ('ч', "ch"),
    ('ш', "sh"),
    ('щ', "shch"),
    ('ъ', ""),
    ('ы', "y"),
    ('ь', ""),
    ('э', "e"),
    ('ю', "yu"),
    ('я', "ya"),
];

/// Adds a letter to a text as lower-case ASCII; letters of other scripts stay as they are.
fn push_folded(letter: char, folded: &mut String) {
    if letter.is_ascii() {
        folded.push(letter.to_ascii_lowercase());
        return;
    }

    for lower in letter.to_lowercase() {
        let known = LETTERS.iter().find(|(known, _)| *known == lower);
        match known {
            Some((_, text)) => folded.push_str(text),
            None => {
                let parts = std::iter::once(lower).nfd();
                folded.extend(parts.filter(|&part| !is_combining_mark(part)));
            }
        }
    }
}

/// A text in lower-case ASCII as far as its letters have such forms, without apostrophes.
///
/// ```
/// use stamma::cleaning::names::fold;
/// assert_eq!(fold("Möhring, O'Kelly Корчной"), "moehring, okelly korchnoy");
/// ```
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());

    if text.is_ascii() {
        for letter in text.bytes().map(char::from) {
            if !is_apostrophe(letter) {
                folded.push(letter.to_ascii_lowercase());
            }
        }
        return folded;
    }

    // An accent may be a separate character.
    for letter in text.nfc() {
        if !is_apostrophe(letter) {
            push_folded(letter, &mut folded);
        }
    }
    folded
}

/// The 64-bit FNV-1a hash of a text.
pub(super) fn hash_64(text: &str) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// The 64-bit FNV-1a hash of a text, folded to 32 bits.
pub(super) fn hash(text: &str) -> u32 {
    // Both halves, since a short text leaves the lower one poorly mixed.
    let hash = hash_64(text);
    (hash ^ (hash >> 32)) as u32
}

/// A folded text as words of letters and digits with one space between them.
pub(crate) fn fold_words(text: &str) -> String {
    let folded = fold(text);
    let mut words = String::with_capacity(folded.len());

    for word in folded.split(|letter: char| !letter.is_alphanumeric()) {
        if word.is_empty() {
            continue;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

fn is_apostrophe(letter: char) -> bool {
    let is_on_keyboards = matches!(letter, '\'' | '`' | '\u{b4}');
    let is_quotation_mark = matches!(letter, '\u{2018}' | '\u{2019}');
    // The letter that Unicode has for an apostrophe within a word.
    let is_letter = letter == '\u{2bc}';

    is_on_keyboards || is_quotation_mark || is_letter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_of_their_own() {
        assert_eq!(fold("Mu\u{308}ller"), fold("Müller"));
        assert_eq!(fold("Čeče\u{301}n"), "cecen");
    }

    #[test]
    fn other_scripts_stay() {
        assert_eq!(fold("王皓"), "王皓");
    }

    #[test]
    fn words_have_one_space_between_them() {
        assert_eq!(
            fold_words("Ch. URS (team) - Möhring"),
            "ch urs team moehring"
        );
    }
}
