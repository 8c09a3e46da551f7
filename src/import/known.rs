//! Recognizes sources that have been imported before, and finds the new part of those that have grown.
//!
//! A source is identified by its bytes, not its name: first by its head, then by the hashes of all bytes before the
//! recorded marks of known sources. The known part is split as if it were imported, so that the rest is the same as in
//! a full import, but it is not replayed.

use std::collections::VecDeque;

use super::hashed::{HashedBatch, HashedBatches};
use crate::storage::{HEAD_BYTES, KnownSource, Mark};

/// Where the import of a source starts.
pub(super) enum Start {
    /// At its beginning.
    New,
    /// Nowhere: a source with the same content has been imported.
    Known(KnownSource),
    /// Where the import of the same source was interrupted.
    Unfinished(KnownSource),
    /// After the part that has been imported as another source.
    Grown {
        known: KnownSource,
        /// Whether the last game of the other source continues here, and has to be read again.
        has_cut_game: bool,
    },
}

/// The start of an import, and the batches read to determine it.
pub(super) struct Recognized<'f> {
    pub(super) start: Start,
    pub(super) next: VecDeque<HashedBatch<'f>>,
    /// The sources with the same bytes, or the first of them, of which other games were imported; restricted to the marks
    /// whose hashes match.
    pub(super) others: Vec<KnownSource>,
}

/// The error if more had to be read to recognize a source than can be kept; it has to be reread.
pub(super) struct ReadAgain {
    /// The sources to compare it with then.
    pub(super) known: Vec<KnownSource>,
    /// As in [`Recognized`].
    pub(super) others: Vec<KnownSource>,
}

/// The maximum weight of the batches kept because they may have to be imported.
const KEPT_WEIGHT: usize = 64;

/// The known sources with this head: the first [`HEAD_BYTES`] of a source, or all of it.
pub(super) fn with_head(known: Vec<KnownSource>, head: &[u8]) -> Vec<KnownSource> {
    known
        .into_iter()
        .filter(|source| has_head(source, head))
        .collect()
}

fn has_head(source: &KnownSource, head: &[u8]) -> bool {
    let bytes = source.content.or(source.known).map_or(0, |mark| mark.bytes);
    let length = HEAD_BYTES.min(bytes as usize);
    match head.get(..length) {
        Some(head) => source.head_hash == blake3::hash(head).as_bytes(),
        None => false,
    }
}

/// Reads a source as far as it may equal one of the known sources with its head. It can be one of those of which all games
/// were imported, or those that match the same filter.
pub(super) fn recognize<'f>(
    batches: &mut HashedBatches<'f>,
    known: Vec<KnownSource>,
    filter: Option<&str>,
) -> Result<Recognized<'f>, ReadAgain> {
    let has_games =
        |source: &KnownSource| source.filter.is_none() || source.filter.as_deref() == filter;
    let (known, with_other_games): (Vec<KnownSource>, Vec<KnownSource>) =
        known.into_iter().partition(has_games);

    let mut furthest = 0;
    for source in known.iter().chain(&with_other_games) {
        for mark in [source.content, source.known].into_iter().flatten() {
            batches.request_hash(mark.bytes);
            furthest = furthest.max(mark.bytes);
        }
    }

    let mut reading = Reading {
        next: VecDeque::new(),
        dropped_to: 0,
    };
    let mut here = 0;
    while here < furthest
        && let Some(hashed) = batches.next()
    {
        here = hashed.marks.end.bytes;
        let known_to = matched(batches, &known).map_or(0, |(_, place)| place);
        reading.keep(hashed, known_to);
    }
    // Whether anything follows affects the result.
    reading.next.extend(batches.next());

    let others: Vec<KnownSource> = with_other_games
        .iter()
        .map(|source| only_matching(batches, source))
        .filter(|source| matching_bytes(source) > 0)
        .collect();
    let Some((source, place)) = matched(batches, &known) else {
        return reading.begin(Start::New, 0, Vec::new(), others);
    };

    let start = reading.start(source.clone(), place);
    let from = match &start {
        Start::Grown {
            known,
            has_cut_game: true,
        } => known.known.map_or(0, |mark| mark.bytes),
        _ => place,
    };
    let matching = known
        .iter()
        .map(|source| only_matching(batches, source))
        .collect();
    reading.begin(start, from, matching, others)
}

/// How many bytes of a source, restricted to matching marks, are the same.
pub(super) fn matching_bytes(source: &KnownSource) -> u64 {
    let marks = [source.content, source.known].into_iter().flatten();
    marks.map(|mark| mark.bytes).max().unwrap_or(0)
}

/// A known source, restricted to the marks whose hashes match here.
fn only_matching(batches: &HashedBatches<'_>, source: &KnownSource) -> KnownSource {
    let matching = |mark: &Mark| batches.hash_at(mark.bytes) == Some(mark.hash);
    KnownSource {
        content: source.content.filter(matching),
        known: source.known.filter(matching),
        ..source.clone()
    }
}

/// The known source with the longest match, and the length of the match.
fn matched<'k>(
    batches: &HashedBatches<'_>,
    known: &'k [KnownSource],
) -> Option<(&'k KnownSource, u64)> {
    let mut longest: Option<(&KnownSource, u64)> = None;
    for source in known {
        for mark in [source.known, source.content].into_iter().flatten() {
            let is_match = batches.hash_at(mark.bytes) == Some(mark.hash);
            // Of equally long matches, the latest source is taken.
            if is_match && longest.is_none_or(|(_, bytes)| mark.bytes >= bytes) {
                longest = Some((source, mark.bytes));
            }
        }
    }
    longest
}

/// What has been read of a source to recognize it.
struct Reading<'f> {
    next: VecDeque<HashedBatch<'f>>,
    /// The offset before which nothing is kept.
    dropped_to: u64,
}

impl<'f> Reading<'f> {
    /// Keeps a batch, unless all of it is known to precede `place`, or too many are kept.
    fn keep(&mut self, hashed: HashedBatch<'f>, place: u64) {
        self.next.push_back(hashed);
        while let Some(first) = self.next.front()
            && (first.marks.end.bytes < place || self.next.len() > 1 && self.weight() > KEPT_WEIGHT)
        {
            self.dropped_to = first.marks.end.bytes;
            self.next.pop_front();
        }
    }

    fn weight(&self) -> usize {
        self.next.iter().map(|hashed| hashed.batch.weight()).sum()
    }

    /// The start of an import of which this much is known.
    fn start(&self, known: KnownSource, place: u64) -> Start {
        if known.state.is_some() {
            return Start::Unfinished(known);
        }

        let is_whole = known.content.is_some_and(|content| content.bytes == place);
        let last = self.next.back();
        let ends_here = last.is_none_or(|hashed| hashed.marks.end.bytes == place);
        if is_whole && ends_here {
            return Start::Known(known);
        }
        Start::Grown {
            known,
            has_cut_game: !(is_whole && self.is_cut_at(place)),
        }
    }

    fn is_cut_at(&self, place: u64) -> bool {
        let batch = self
            .next
            .iter()
            .find(|hashed| hashed.marks.end.bytes >= place);
        batch.is_none_or(|hashed| hashed.batch.is_cut_at(place))
    }

    /// Starts after an offset; `known` are the sources to compare with if the batches there have not been kept.
    fn begin(
        self,
        start: Start,
        place: u64,
        known: Vec<KnownSource>,
        others: Vec<KnownSource>,
    ) -> Result<Recognized<'f>, ReadAgain> {
        if self.dropped_to > place {
            return Err(ReadAgain { known, others });
        }
        let rest = |hashed: HashedBatch<'f>| {
            Some(HashedBatch {
                batch: hashed.batch.starting_at(place)?,
                ..hashed
            })
        };
        Ok(Recognized {
            start,
            next: self.next.into_iter().filter_map(rest).collect(),
            others,
        })
    }
}
