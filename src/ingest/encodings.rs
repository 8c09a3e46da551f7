//! Detects the encodings of a file's games.
//!
//! Detection runs before games are replayed. It processes batches in the order of the input, and the cuts between
//! batches depend only on the file. So the result depends only on the file, too.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::batch::Batch;
use crate::input::{Encoding, Evidence, has_utf8_mark};

/// Detects the encodings of a file's games, batch by batch.
pub(crate) struct Encodings {
    method: Method,
    is_first: bool,
}

/// The method by which the encoding of a game is determined.
enum Method {
    /// The file is UTF-16, transcoded to UTF-8.
    Utf16(Encoding),
    /// The user has given an encoding.
    Given(Encoding),
    /// The file has a UTF-8 byte order mark; games that are not UTF-8 are in another encoding.
    Marked(Encoding),
    /// UTF-8 where valid, otherwise detected.
    Detected(Box<Evidence>),
}

impl Encodings {
    /// A detector for a file in UTF-16, in a given encoding, or unknown.
    pub(crate) fn new(utf16: Option<Encoding>, given: Option<Encoding>) -> Encodings {
        let given = given.filter(|encoding| !encoding.is_unicode());
        let method = match (utf16, given) {
            (Some(encoding), _) => Method::Utf16(encoding),
            (None, Some(encoding)) => Method::Given(encoding),
            (None, None) => Method::Detected(Box::default()),
        };

        Encodings {
            method,
            is_first: true,
        }
    }

    /// Sets the encodings of a batch's games.
    pub(crate) fn assign<'f>(&mut self, mut batch: Batch<'f>) -> Batch<'f> {
        self.look_for_mark(batch.bytes());

        // ASCII text is equal in all encodings except UTF-16, which has been transcoded to UTF-8.
        let is_utf16 = matches!(self.method, Method::Utf16(_));
        if is_utf16 || !batch.bytes().is_ascii() {
            let encodings = self.span_encodings(&batch);
            let are_detected = matches!(self.method, Method::Detected(_));
            batch.set_encodings(encodings, are_detected);
        }

        batch
    }

    /// Looks for a mark at the beginning of the file, once.
    pub(crate) fn look_for_mark(&mut self, beginning: &[u8]) {
        if std::mem::take(&mut self.is_first)
            && has_utf8_mark(beginning)
            && let Method::Given(encoding) = self.method
        {
            self.method = Method::Marked(encoding);
        }
    }

    /// The encodings of all spans; `None` for ASCII.
    fn span_encodings(&mut self, batch: &Batch<'_>) -> Vec<Option<Encoding>> {
        let texts: Vec<&[u8]> = batch.texts().collect();

        match &mut self.method {
            Method::Utf16(encoding) => vec![Some(*encoding); texts.len()],
            Method::Given(encoding) => given_encodings(&texts, *encoding),
            Method::Marked(encoding) => utf8_or(&texts, |others| vec![*encoding; others.len()]),
            Method::Detected(evidence) => utf8_or(&texts, |others| evidence.encodings(others)),
        }
    }
}

/// An encoding for each text; `None` for ASCII.
fn given_encodings(texts: &[&[u8]], encoding: Encoding) -> Vec<Option<Encoding>> {
    let mut encodings = Vec::with_capacity(texts.len());
    for text in texts {
        let is_other = !text.is_ascii();
        encodings.push(is_other.then_some(encoding));
    }
    encodings
}

/// UTF-8 for valid texts, and the results of `find` for the other texts; `None` for ASCII.
///
/// `find` is called once with all other texts, because a single game is too little text to distinguish encodings of
/// Latin letters.
fn utf8_or<F>(texts: &[&[u8]], find: F) -> Vec<Option<Encoding>>
where
    F: FnOnce(&[&[u8]]) -> Vec<Encoding>,
{
    let is_utf8 = |text: &[u8]| str::from_utf8(text).is_ok();
    let others: Vec<&[u8]> = texts
        .iter()
        .copied()
        .filter(|text| !is_utf8(text))
        .collect();
    let mut other_encodings = find(&others).into_iter();

    let mut encodings = Vec::with_capacity(texts.len());
    for text in texts {
        let encoding = if text.is_ascii() {
            None
        } else if is_utf8(text) {
            Some(Encoding::UTF_8)
        } else {
            other_encodings.next()
        };
        encodings.push(encoding);
    }

    encodings
}

/// The number of games per encoding, not counting ASCII.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct EncodingCounts(BTreeMap<Cow<'static, str>, u64>);

impl EncodingCounts {
    pub(crate) fn add(&mut self, encoding: Option<Encoding>) {
        if let Some(encoding) = encoding {
            *self.0.entry(encoding.name().into()).or_default() += 1;
        }
    }

    /// The name of the encoding of most games; UTF-8 if all games are ASCII.
    pub(crate) fn most_common(&self) -> &str {
        let mut most_games = 0;
        let mut most_common = Encoding::UTF_8.name();
        for (name, &games) in &self.0 {
            if games > most_games {
                most_games = games;
                most_common = &**name;
            }
        }

        most_common
    }
}
