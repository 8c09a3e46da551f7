//! What an import knows of a source besides its games, kept where it may be interrupted.

use serde::{Deserialize, Serialize};

use crate::ingest::{EncodingCounts, FileReadings, Findings, ReadOptions};
use crate::replay::Readings;
use crate::storage::Mark;

/// The state of a source, as it is written.
#[derive(Serialize)]
struct Written<'s> {
    /// The hash of the options that it is read with.
    options: &'s str,
    readings: &'s FileReadings,
    encodings: &'s EncodingCounts,
    /// All before its last game.
    last_game: Mark,
}

/// The same as it is read.
#[derive(Deserialize)]
struct Read {
    options: String,
    readings: FileReadings,
    encodings: EncodingCounts,
    last_game: Mark,
}

/// Writes the state of a source as JSON.
pub(super) fn write(options: &str, findings: &Findings, last_game: Mark) -> String {
    let Findings { readings, encodings } = findings;
    let state = Written { options, readings, encodings, last_game };
    serde_json::to_string(&state).expect("numbers, texts and lists of both are JSON")
}

/// Reads a state that was written with the same options.
pub(super) fn resume(options: &str, json: &str) -> Option<(Findings, Mark)> {
    let Read { options: found, readings, encodings, last_game } =
        serde_json::from_str(json).ok()?;
    (found == options).then_some((Findings { readings, encodings }, last_game))
}

/// A text that is the same for the same options alone.
pub(super) fn options(readings: &Readings, read: ReadOptions) -> String {
    let named = format!("{readings:?} {:?}", read.encoding.map(|encoding| encoding.name()));
    blake3::hash(named.as_bytes()).to_string()
}
