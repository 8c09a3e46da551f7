//! Recognizes sources that have been imported before, and finds the new part of sources that have grown.
//!
//! A source is identified by its bytes, not by its name: first by its head, then by the hashes of all bytes before the
//! recorded marks of known sources. The known part is split into games but not replayed. So the new part is split into
//! the same batches as in a full import.

use std::collections::VecDeque;

use super::hashed::{HashedBatch, HashedBatches};
use crate::storage::{HEAD_BYTES, KnownSource, Mark};

/// The start of the import of a source.
pub(super) enum Start {
    /// At the beginning of the source.
    New,
    /// The source is skipped, because a source with equal content has been imported.
    Known(KnownSource),
    /// At the place where an earlier import of the source was interrupted.
    Unfinished(KnownSource),
    /// After the part that has been imported as another source.
    Grown {
        known: KnownSource,
        /// `true` if the last game of the other source may continue in this source, so that it must be read again.
        has_cut_game: bool,
    },
}

/// The start of an import, and the batches read to determine it.
pub(super) struct Recognized<'f> {
    pub(super) start: Start,
    pub(super) next: VecDeque<HashedBatch<'f>>,
    /// Known sources that were imported with another filter, and begin like this source up to at least one of their
    /// marks. Each has only the marks whose hashes match this source.
    pub(super) others: Vec<KnownSource>,
}

/// The error if recognizing a source has read more bytes than are kept in memory. The source must be reread.
pub(super) struct ReadAgain {
    /// The known sources with which the reread source is compared.
    pub(super) known: Vec<KnownSource>,
    /// Known sources imported with another filter, as in [`Recognized`].
    pub(super) others: Vec<KnownSource>,
}

/// The maximum weight of the batches kept because they may have to be imported.
const MAX_KEPT_WEIGHT: usize = 64;

/// Returns the known sources that begin with a head: with its first [`HEAD_BYTES`] bytes, or with all bytes of a
/// shorter known source.
pub(super) fn with_head(known: Vec<KnownSource>, head: &[u8]) -> Vec<KnownSource> {
    known
        .into_iter()
        .filter(|source| has_head(source, head))
        .collect()
}

/// `true` if a head begins with the first bytes of a known source.
fn has_head(source: &KnownSource, head: &[u8]) -> bool {
    // Only as many bytes are hashed as the known source had, because the source may have grown since.
    let mark = source.content.or(source.known);
    let known_bytes = mark.map_or(0, |mark| mark.bytes);
    let length = HEAD_BYTES.min(known_bytes as usize);

    match head.get(..length) {
        Some(known_head) => source.head_hash == blake3::hash(known_head).as_bytes(),
        None => false,
    }
}

/// Reads a source up to the last mark of the known sources with an equal head, and determines the start of the import.
///
/// The import may start after a known source only if all games of that source were imported, or all games that match
/// the filter.
pub(super) fn recognize<'f>(
    batches: &mut HashedBatches<'f>,
    known: Vec<KnownSource>,
    filter: Option<&str>,
) -> Result<Recognized<'f>, ReadAgain> {
    let has_games =
        |source: &KnownSource| source.filter.is_none() || source.filter.as_deref() == filter;
    let (known, with_other_games): (Vec<KnownSource>, Vec<KnownSource>) =
        known.into_iter().partition(has_games);

    // Batches are hashed while they are read, so all places must be requested before the first batch.
    let mut furthest = 0;
    for source in known.iter().chain(&with_other_games) {
        for mark in marks_of(source) {
            batches.request_hash(mark.bytes);
            furthest = furthest.max(mark.bytes);
        }
    }

    let read = read_known_part(batches, &known, furthest);
    let others: Vec<KnownSource> = with_other_games
        .iter()
        .map(|source| only_matching(batches, source))
        .filter(|source| matching_bytes(source) > 0)
        .collect();
    let Some((source, place)) = longest_match(batches, &known) else {
        return read.begin(Start::New, 0, Vec::new(), others);
    };

    let start = read.start(source.clone(), place);
    // A cut-off game is read again from its beginning, which is the mark before the last game.
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
    read.begin(start, from, matching, others)
}

/// Reads batches up to `furthest`, the last mark of all known sources, and one batch more. Sources that were imported
/// with another filter are included.
fn read_known_part<'f>(
    batches: &mut HashedBatches<'f>,
    known: &[KnownSource],
    furthest: u64,
) -> ReadBatches<'f> {
    let mut read = ReadBatches {
        next: VecDeque::new(),
        dropped_to: 0,
    };
    let mut here = 0;
    while here < furthest
        && let Some(hashed) = batches.next()
    {
        here = hashed.marks.end.bytes;
        let known_to = longest_match(batches, known).map_or(0, |(_, place)| place);
        read.keep(hashed, known_to);
    }

    // One batch more shows whether the source goes on behind the mark, which distinguishes `Start::Grown` from
    // `Start::Known`.
    read.next.extend(batches.next());
    read
}

/// The marks of a known source: its end, and the place before its last game or, while its import is unfinished, the end
/// of the imported part.
fn marks_of(source: &KnownSource) -> impl Iterator<Item = Mark> {
    [source.content, source.known].into_iter().flatten()
}

/// The number of bytes before the last mark of a source. `source` must be a result of [`only_matching`].
pub(super) fn matching_bytes(source: &KnownSource) -> u64 {
    marks_of(source).map(|mark| mark.bytes).max().unwrap_or(0)
}

/// A known source, restricted to the marks whose hashes match the batches.
fn only_matching(batches: &HashedBatches<'_>, source: &KnownSource) -> KnownSource {
    let is_match = |mark: &Mark| batches.hash_at(mark.bytes) == Some(mark.hash);

    KnownSource {
        content: source.content.filter(is_match),
        known: source.known.filter(is_match),
        ..source.clone()
    }
}

/// The known source with the longest match, and the length of the match.
fn longest_match<'k>(
    batches: &HashedBatches<'_>,
    known: &'k [KnownSource],
) -> Option<(&'k KnownSource, u64)> {
    let mut longest: Option<(&KnownSource, u64)> = None;
    for source in known {
        for mark in marks_of(source) {
            let is_match = batches.hash_at(mark.bytes) == Some(mark.hash);
            // If several matches are equally long, the latest source is chosen.
            let is_longest = longest.is_none_or(|(_, bytes)| mark.bytes >= bytes);
            if is_match && is_longest {
                longest = Some((source, mark.bytes));
            }
        }
    }
    longest
}

/// The batches that have been read to recognize a source.
struct ReadBatches<'f> {
    next: VecDeque<HashedBatch<'f>>,
    /// The end of the dropped batches.
    dropped_to: u64,
}

impl<'f> ReadBatches<'f> {
    /// Keeps a batch. Drops the earliest batches that end before `known_to`, or exceed the weight.
    fn keep(&mut self, hashed: HashedBatch<'f>, known_to: u64) {
        self.next.push_back(hashed);

        while let Some(first) = self.next.front() {
            let end = first.marks.end.bytes;
            let is_known = end < known_to;
            let is_too_much = || self.next.len() > 1 && self.weight() > MAX_KEPT_WEIGHT;
            if !is_known && !is_too_much() {
                break;
            }

            self.dropped_to = end;
            self.next.pop_front();
        }
    }

    /// The total weight of the kept batches.
    fn weight(&self) -> usize {
        self.next.iter().map(|hashed| hashed.batch.weight()).sum()
    }

    /// The start of the import of a source whose bytes up to `place` belong to a known source.
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

        // The last game of the known source may continue in this source. It does not if all bytes of the known source
        // match, and a new game or text begins behind them.
        let ends_between_games = is_whole && self.is_cut_at(place);
        Start::Grown {
            known,
            has_cut_game: !ends_between_games,
        }
    }

    /// `true` if a new game or text begins at an offset, or the source ends there.
    fn is_cut_at(&self, place: u64) -> bool {
        let batch = self
            .next
            .iter()
            .find(|hashed| hashed.marks.end.bytes >= place);
        batch.is_none_or(|hashed| hashed.batch.is_cut_at(place))
    }

    /// The batches from an offset on. If they have been dropped, the source must be reread, and is then compared with
    /// `known`.
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

        let mut next = VecDeque::new();
        for HashedBatch { batch, marks } in self.next {
            if let Some(batch) = batch.starting_at(place) {
                next.push_back(HashedBatch { batch, marks });
            }
        }
        Ok(Recognized {
            start,
            next,
            others,
        })
    }
}
