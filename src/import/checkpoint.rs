//! What an import knows of a source besides its games, kept where it may be interrupted.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::ingest::{Counted, FileReadings};
use crate::input::Encoding;
use crate::replay::Readings;
use crate::storage::Mark;

/// What the games of a source so far say of those to come, and of the source.
#[derive(Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// The hash of the options that it is read with.
    options: Cow<'static, str>,
    pub(super) readings: FileReadings,
    pub(super) encodings: Counted,
    /// All before its last game.
    pub(super) last_game: Mark,
}

impl Checkpoint {
    /// Nothing read yet behind a place, with such options.
    pub(super) fn new(readings: &Readings, encoding: Option<Encoding>, from: Mark) -> Checkpoint {
        Checkpoint {
            options: options(readings, encoding).into(),
            readings: FileReadings::new(readings),
            encodings: Counted::default(),
            last_game: from,
        }
    }

    /// The same as a text.
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What such a text says, if that was written with the same options as this.
    pub(super) fn resumed(&self, json: &str) -> Option<Checkpoint> {
        let found: Checkpoint = serde_json::from_str(json).ok()?;
        (found.options == self.options).then_some(found)
    }
}

/// A text that is the same for the same options alone.
fn options(readings: &Readings, encoding: Option<Encoding>) -> String {
    let named = format!("{readings:?} {:?}", encoding.map(Encoding::name));
    blake3::hash(named.as_bytes()).to_string()
}
