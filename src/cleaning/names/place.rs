//! Compares two texts of events or sites: texts as sets of words, and addresses of web pages by host and page.

use super::fold::{fold_words, hash};

/// The likeness of two texts of events or sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextMatch {
    /// No word in common.
    Different,
    /// A text is missing.
    Unknown,
    /// Some words are equal.
    Shared,
    /// All words are equal.
    Equal,
}

/// The likeness of two addresses of web pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressMatch {
    /// Equal pages.
    Equal,
    /// Different pages of one host.
    OtherPage,
    /// Different hosts, or a text that is not the address of a page.
    Unknown,
}

/// The words of a text, folded into a few bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextKey {
    /// A hash of all words, or of the page of an address; 0 for an empty text.
    whole: u32,
    /// The host of an address of a page; 0 for any other text.
    host: u32,
    /// One bit for each word that is longer than a letter and not a number, by the word's hash.
    words: u64,
}

impl TextKey {
    /// The key of an event's or a site's text; empty for `?` and `-`.
    pub fn new(text: &str) -> TextKey {
        let mut key = TextKey::default();

        if let Some((host, page)) = address(text) {
            // The lowest bit keeps a hash from being 0, which means "none".
            key.host = hash(host) | 1;
            key.whole = hash(page) | 1;
            return key;
        }

        for word in fold_words(text).split(' ').filter(|word| !word.is_empty()) {
            let hash = hash(word);
            // A sum does not depend on the order of the words.
            key.whole = key.whole.wrapping_add(hash | 1);

            // Years and numbers of events say little.
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
            if !is_number && word.len() > 1 {
                // The highest six bits of the hash number the bit.
                key.words |= 1 << (hash >> 26);
            }
        }
        key
    }

    /// Compares two texts by their words.
    pub fn compare(self, other: TextKey) -> TextMatch {
        let is_one_empty = self.whole == 0 || other.whole == 0;
        let is_one_address = (self.host == 0) != (other.host == 0);

        if is_one_empty || is_one_address {
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
        if self.host == 0 || self.host != other.host {
            AddressMatch::Unknown
        } else if self.whole == other.whole {
            AddressMatch::Equal
        } else {
            AddressMatch::OtherPage
        }
    }
}

/// The host and the page of an address. `None` for other texts, and for addresses of whole hosts.
fn address(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.trim().split_once("://")?;
    let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_scheme || rest.contains(' ') {
        return None;
    }

    // A fragment is a place in the page, such as the number of a half-move.
    let without_fragment = rest.split('#').next().unwrap_or_default();
    let (host, path) = without_fragment.split_once('/')?;
    let page = path.trim_end_matches('/');
    if page.is_empty() {
        return None;
    }

    let bare_host = host.trim_start_matches("www.");
    Some((bare_host, page))
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
