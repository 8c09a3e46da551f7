//! Events and sites as sets of words, and sites that are addresses of games.

use std::hash::Hasher;

use fnv::FnvHasher;

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

/// What two addresses in the Internet say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressMatch {
    /// The same page.
    Equal,
    /// Another page of the same host.
    OtherPage,
    /// Another host, or one is no address of a page.
    Unknown,
}

/// The words of a text, folded into a few bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextKey {
    whole: u32,
    /// The host of an address of a page; 0 for any other text.
    host: u32,
    words: u64,
}

impl TextKey {
    /// Of an event or a site; empty for `?` and `-`.
    pub fn new(text: &str) -> TextKey {
        let mut key = TextKey::default();
        if let Some((host, page)) = address(text) {
            key.host = hash(host) | 1;
            key.whole = hash(page) | 1;
            return key;
        }
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
        if self.whole == 0 || other.whole == 0 || (self.host == 0) != (other.host == 0) {
            TextMatch::Unknown
        } else if self.host != other.host {
            TextMatch::Different
        } else if self.whole == other.whole {
            TextMatch::Equal
        } else if self.words & other.words != 0 {
            TextMatch::Shared
        } else {
            TextMatch::Different
        }
    }

    /// Compares two texts that may be addresses.
    ///
    /// ```
    /// use stamma::cleaning::names::{AddressMatch, TextKey};
    /// let of = |a, b| TextKey::new(a).compare_addresses(TextKey::new(b));
    /// assert_eq!(of("https://example.org/abcd", "http://example.org/abcd#12"), AddressMatch::Equal);
    /// assert_eq!(of("https://example.org/abcd", "https://example.org/efgh"), AddressMatch::OtherPage);
    /// assert_eq!(of("https://example.org/", "https://example.org/efgh"), AddressMatch::Unknown);
    /// ```
    pub fn compare_addresses(self, other: TextKey) -> AddressMatch {
        match (self.host, self.whole == other.whole) {
            (0, _) => AddressMatch::Unknown,
            (host, _) if host != other.host => AddressMatch::Unknown,
            (_, true) => AddressMatch::Equal,
            (_, false) => AddressMatch::OtherPage,
        }
    }
}

/// The host and the page of an address; nothing for other texts, and for addresses of whole hosts.
fn address(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.trim().split_once("://")?;
    let is_address = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !rest.contains(' ');
    let rest = rest.split('#').next().unwrap_or_default();
    let (host, page) = rest.split_once('/')?;
    let page = page.trim_end_matches('/');
    (is_address && !page.is_empty()).then_some((host.trim_start_matches("www."), page))
}

fn hash(word: &str) -> u32 {
    let mut hasher = FnvHasher::default();
    hasher.write(word.as_bytes());
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_decide() {
        let of = |a, b| TextKey::new(a).compare(TextKey::new(b));
        assert_eq!(
            of("Tallinn (Estonia)", "Estonia, Tallinn"),
            TextMatch::Equal
        );
        assert_eq!(of("Tallinn (Estonia)", "Tallinn"), TextMatch::Shared);
        assert_eq!(of("?", "Tallinn"), TextMatch::Unknown);
        assert_eq!(of("Open 1990", "1990 Festival"), TextMatch::Different);
        assert_eq!(
            of("https://example.org/abcd", "https://example.org/efgh"),
            TextMatch::Different
        );
        assert_eq!(
            of("https://example.org/abcd", "Tallinn"),
            TextMatch::Unknown
        );
        assert_eq!(
            of("https://example.org", "https://example.org/"),
            TextMatch::Equal
        );
    }
}
