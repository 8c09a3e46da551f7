//! Events and sites as sets of words.

use super::fold::fold_words;

/// What two texts of events or sites have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextMatch {
    /// No word in common.
    Different,
    /// One is missing.
    Unknown,
    /// Some words.
    Shared,
    /// The same words.
    Equal,
}

/// The words of a text, folded into a few bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextKey {
    whole: u32,
    words: u64,
}

impl TextKey {
    /// Of an event or a site; empty for `?` and `-`.
    pub fn new(text: &str) -> TextKey {
        let mut key = TextKey::default();
        for word in fold_words(text).split(' ').filter(|word| !word.is_empty()) {
            let hash = hash(word);
            key.whole = key.whole.wrapping_add(hash | 1);
            // Years and numbers of events say little.
            if !word.bytes().all(|byte| byte.is_ascii_digit()) && word.len() > 1 {
                key.words |= 1 << (hash >> 26);
            }
        }
        key
    }

    /// Compares two texts by their words.
    pub fn compare(self, other: TextKey) -> TextMatch {
        if self.whole == 0 || other.whole == 0 {
            TextMatch::Unknown
        } else if self.whole == other.whole {
            TextMatch::Equal
        } else if self.words & other.words != 0 {
            TextMatch::Shared
        } else {
            TextMatch::Different
        }
    }
}

fn hash(word: &str) -> u32 {
    let hash = word
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 15)).wrapping_mul(0x85eb_ca6b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_decide() {
        let of = |a, b| TextKey::new(a).compare(TextKey::new(b));
        assert_eq!(of("Tallinn (Estonia)", "Estonia, Tallinn"), TextMatch::Equal);
        assert_eq!(of("Tallinn (Estonia)", "Tallinn"), TextMatch::Shared);
        assert_eq!(of("?", "Tallinn"), TextMatch::Unknown);
        assert_eq!(of("Open 1990", "1990 Festival"), TextMatch::Different);
    }
}
