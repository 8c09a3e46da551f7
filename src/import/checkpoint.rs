//! Serialized checkpoints: the state of a source in an import, saved so that an interrupted import can be resumed.

use serde::{Deserialize, Serialize};

use crate::ingest::{EncodingCounts, FileReadings, Findings, ReadOptions};
use crate::replay::Readings;
use crate::storage::Mark;

/// The state of a source, as serialized.
#[derive(Serialize)]
struct SavedState<'s> {
    /// The hash of the options with which the source is read.
    options: &'s str,
    readings: &'s FileReadings,
    encodings: &'s EncodingCounts,
    /// The place before the last game of the source.
    last_game: Mark,
}

/// The state of a source, as deserialized.
#[derive(Deserialize)]
struct LoadedState {
    options: String,
    readings: FileReadings,
    encodings: EncodingCounts,
    last_game: Mark,
}

/// Serializes the state of a source as JSON.
pub(super) fn write(options: &str, findings: &Findings, last_game: Mark) -> String {
    let Findings {
        readings,
        encodings,
    } = findings;
    let state = SavedState {
        options,
        readings,
        encodings,
        last_game,
    };

    serde_json::to_string(&state).expect("numbers, texts and lists of both are JSON")
}

/// Deserializes the state of a source: the findings, and the mark before the last game. `None` if the state was written
/// with other options.
pub(super) fn resume(options: &str, json: &str) -> Option<(Findings, Mark)> {
    let LoadedState {
        options: found,
        readings,
        encodings,
        last_game,
    } = serde_json::from_str(json).ok()?;
    if found != options {
        return None;
    }

    let findings = Findings {
        readings,
        encodings,
    };
    Some((findings, last_game))
}

/// A fingerprint of the options, equal for equal options only.
pub(super) fn options(readings: &Readings, read: ReadOptions, filter: Option<&str>) -> String {
    let encoding = read.encoding.map(|encoding| encoding.name());
    let described = format!("{readings:?} {encoding:?} {filter:?}");
    blake3::hash(described.as_bytes()).to_string()
}
