//! Letters with several spellings: `ü` as `ue`, `ø` as `o` or `oe`, `ß` as `ss`.
//!
//! FTS5 removes accents that Unicode treats as combining marks, so that `ü` becomes `u`. The other spellings are
//! derived from the words of a query; the stored text is unchanged.

use unicode_normalization::UnicodeNormalization;

use super::words::words;

/// Parts of words, and their other spellings, without the accents that FTS5 removes.
const SPELLINGS: &[(&str, &[&str])] = &[
    ("ø", &["o", "oe"]),
    ("ö", &["oe", "ø"]),
    ("ä", &["ae", "æ"]),
    ("ü", &["ue"]),
    ("å", &["aa"]),
    ("æ", &["ae"]),
    ("œ", &["oe"]),
    ("ß", &["ss"]),
    ("ł", &["l"]),
    ("đ", &["d", "dj"]),
    ("ð", &["d"]),
    ("þ", &["th"]),
    ("ı", &["i"]),
    ("oe", &["ø", "œ"]),
    ("ae", &["æ"]),
    ("ss", &["ß"]),
    ("dj", &["đ"]),
    ("th", &["þ"]),
    ("o", &["ø"]),
    ("l", &["ł"]),
    ("d", &["đ", "ð"]),
    ("i", &["ı"]),
];

/// Two letters for an accented one whose accent FTS5 removes: `mueller` is looked up as `muller`, but then matches only
/// names with an `ü` there.
const DIGRAPHS: &[(&str, &str)] = &[("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a")];

/// Accented letters, and their spellings with two letters.
const ACCENTED: [(char, &str); 6] = [
    ('ä', "ae"),
    ('ö', "oe"),
    ('ü', "ue"),
    ('å', "aa"),
    ('ø', "oe"),
    ('æ', "ae"),
];

/// The maximum number of spellings of a word that are looked up. Their number doubles with each letter that has two.
const MAX_SPELLINGS: usize = 64;

/// A word and its other spellings. The word itself is the first. `exists` returns whether any indexed word has a
/// prefix; it is called for spellings with letters that are rare in names.
pub(super) fn spellings(original: &str, mut exists: impl FnMut(&str) -> bool) -> Vec<String> {
    let word: String = original.nfc().flat_map(char::to_lowercase).collect();

    // A stack of begun spellings, each with the rest of the word behind it.
    let mut begun = vec![(String::new(), word.as_str())];
    let mut spelled: Vec<String> = Vec::new();

    while let Some((before, rest)) = begun.pop() {
        let Some(letter) = rest.chars().next() else {
            spelled.push(before);
            continue;
        };

        let is_full = spelled.len() + begun.len() + 1 >= MAX_SPELLINGS;
        for (part, others) in SPELLINGS {
            if is_full || !rest.starts_with(part) {
                continue;
            }
            let behind = &rest[part.len()..];
            for other in *others {
                let with_other = format!("{before}{other}");
                // Few names have letters such as "ø". A spelling with such a letter is followed only if it exists.
                if other.is_ascii() || exists(&with_other) {
                    begun.push((with_other, behind));
                }
            }
        }

        // The word itself must be the first spelling, and the last pushed is the first popped.
        begun.push((format!("{before}{letter}"), &rest[letter.len_utf8()..]));
    }

    // FTS5 lacks the letters of later versions of Unicode, and does not fold their case. So the original word is added.
    if !original.is_ascii() && !spelled.iter().any(|word| word == original) {
        spelled.push(original.to_owned());
    }
    spelled
}

/// The word with single letters for pairs, in all combinations that change it.
pub(super) fn contracted(word: &str) -> Vec<String> {
    let word = word.to_lowercase();

    // A stack of begun spellings, each with the rest of the word behind it.
    let mut begun = vec![(String::new(), word.as_str())];
    let mut spelled: Vec<String> = Vec::new();

    while let Some((before, rest)) = begun.pop() {
        let Some(letter) = rest.chars().next() else {
            spelled.push(before);
            continue;
        };
        let with_letter = format!("{before}{letter}");
        begun.push((with_letter, &rest[letter.len_utf8()..]));

        let is_full = spelled.len() + begun.len() >= MAX_SPELLINGS;
        let digraph = DIGRAPHS.iter().find(|(two, _)| rest.starts_with(two));
        if let Some((two, one)) = digraph
            && !is_full
        {
            let with_one = format!("{before}{one}");
            begun.push((with_one, &rest[two.len()..]));
        }
    }

    spelled.retain(|spelling| *spelling != word);
    spelled
}

/// `true` if a name has, for each word, a word that begins with it. Accented letters may be written as two letters.
pub(super) fn has_all_words(name: &str, wanted: &[Vec<String>]) -> bool {
    let mut words_of_name = words(name);
    words_of_name.extend(words(&with_two_letters(name)));
    let begins_a_word = |begin: String| words_of_name.iter().any(|word| word.starts_with(&begin));

    for spellings in wanted {
        let mut folded = spellings.iter().flat_map(|spelling| words(spelling));
        if !folded.any(begins_a_word) {
            return false;
        }
    }
    true
}

/// A name in lower case with two letters for accented ones.
pub(super) fn with_two_letters(name: &str) -> String {
    let mut long = String::with_capacity(name.len() + 4);
    // Composed letters, since the table has `ü` as one character.
    for letter in name.nfc().flat_map(char::to_lowercase) {
        let accented = ACCENTED.iter().find(|(accented, _)| *accented == letter);
        match accented {
            Some((_, two)) => long.push_str(two),
            None => long.push(letter),
        }
    }
    long
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_other_alphabets() {
        let spelled = |word| spellings(word, |_| true);
        for (word, other) in [
            ("bjorn", "bjørn"),
            ("bjoern", "bjørn"),
            ("bjørn", "bjorn"),
            ("bjørn", "bjoern"),
            ("lukasz", "łukasz"),
            ("łukasz", "lukasz"),
            ("strasse", "straße"),
            ("straße", "strasse"),
            ("müller", "mueller"),
            ("aereboe", "ærebø"),
            ("djordje", "đorđe"),
            ("đorđe", "dorde"),
            ("yilmaz", "yılmaz"),
            ("yılmaz", "yilmaz"),
        ] {
            let found = spelled(word);

            let has_other = found.iter().any(|spelling| spelling == other);
            assert!(has_other, "{word}: {found:?}");
            assert_eq!(found[0], word);
        }
    }

    #[test]
    fn letters_that_no_name_has_are_not_looked_for() {
        assert_eq!(spellings("godlidi", |_| false), ["godlidi"]);
        let begins = |begin: &str| "łukasz".starts_with(begin);
        assert_eq!(spellings("LUKASZ", begins), ["lukasz", "łukasz"]);
        assert!(spellings(&"old".repeat(100), |_| true).len() <= 2 * MAX_SPELLINGS);
    }

    #[test]
    fn two_letters_are_one_with_an_accent_there_alone() {
        assert_eq!(contracted("mueller"), ["muller"]);
        assert!(contracted("karpov").is_empty());

        for (name, word, expected) in [
            ("Müller, Karsten", "mueller", true),
            ("Mu\u{308}ller", "mueller", true),
            ("Muller, Karsten", "mueller", false),
            ("Morphy, Paul", "moe", false),
            ("Sämisch, Fritz", "saem", true),
            ("Ågård", "aagaard", true),
        ] {
            let wanted = [vec![word.to_owned()]];
            assert_eq!(has_all_words(name, &wanted), expected, "{word} in {name}");
        }
    }
}
