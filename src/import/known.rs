//! Has a source been met before, and how much of it is new?
//!
//! A source is known by its bytes and not by its name: first by its head, then by the hashes of all that stands before
//! the places that were noted of known ones. What is known is cut as if it were imported, so that what follows is what it
//! would have been, but it is not replayed.

use std::collections::VecDeque;

use super::hashed::{HashedBatch, HashedBatches};
use crate::storage::{HEAD_BYTES, KnownSource, Mark};

/// How an import of a source begins.
pub(super) enum Start {
    /// At its beginning.
    New,
    /// Not at all: a source with the same content has been imported.
    Known(KnownSource),
    /// Where the import of the same source was interrupted.
    Unfinished(KnownSource),
    /// Behind what has been imported as another source.
    Grown {
        known: KnownSource,
        /// Whether the last game of that one goes on here, and has to be read again.
        has_cut_game: bool,
    },
}

/// How an import begins, and the batches that have been read to find that out.
pub(super) struct Recognized<'f> {
    pub(super) start: Start,
    pub(super) next: VecDeque<HashedBatch<'f>>,
}

/// More had to be read to recognize a source than can be kept; it has to be read once more, beside other sources.
pub(super) struct ReadAgain(pub(super) Vec<KnownSource>);

/// Batches of so much weight are kept that might have to be imported.
const KEPT_WEIGHT: usize = 64;

/// The known sources that begin like one of which this is the head: its first [`HEAD_BYTES`], or all of it. Of
/// sources from earlier versions the head is not known; they may be one of the same size in bytes.
pub(super) fn with_head(
    known: Vec<KnownSource>,
    head: &[u8],
    bytes: Option<u64>,
) -> Vec<KnownSource> {
    let begins_alike = |source: &KnownSource| {
        if source.head_hash.is_empty() {
            return bytes.is_some() && source.content.map(|mark| mark.bytes) == bytes;
        }
        let bytes = source.content.or(source.known).map_or(0, |mark| mark.bytes);
        let length = HEAD_BYTES.min(bytes as usize);
        head.get(..length).is_some_and(|head| source.head_hash == blake3::hash(head).as_bytes())
    };
    known.into_iter().filter(begins_alike).collect()
}

/// Reads a source as far as one of the known ones may go that begin like it.
pub(super) fn recognize<'f>(
    feed: &mut HashedBatches<'f>,
    known: Vec<KnownSource>,
) -> Result<Recognized<'f>, ReadAgain> {
    let places = known.iter().flat_map(|source| [source.content, source.known]);
    let places: Vec<u64> = places.flatten().map(|mark| mark.bytes).collect();
    places.iter().for_each(|&place| feed.want(place));
    let furthest = places.iter().copied().max().unwrap_or(0);
    let mut reading = Reading { next: VecDeque::new(), dropped_to: 0 };
    let mut here = 0;
    while here < furthest
        && let Some(fed) = feed.next()
    {
        here = fed.marks.end.bytes;
        reading.keep(fed, matched(feed, &known).map_or(0, |(_, place)| place));
    }
    // Whether anything follows is part of the answer.
    reading.next.extend(feed.next());
    let Some((source, place)) = matched(feed, &known) else {
        return reading.begin(Start::New, 0, Vec::new());
    };
    let start = reading.start(source.clone(), place);
    let from = match &start {
        Start::Grown { known, has_cut_game: true } => known.known.map_or(0, |mark| mark.bytes),
        _ => place,
    };
    let matching = known.iter().map(|source| only_matching(feed, source)).collect();
    reading.begin(start, from, matching)
}

/// A known source without the places of which the hash is another here.
fn only_matching(feed: &HashedBatches<'_>, source: &KnownSource) -> KnownSource {
    let matching = |mark: &Mark| feed.hash_at(mark.bytes) == Some(mark.hash);
    KnownSource {
        content: source.content.filter(matching),
        known: source.known.filter(matching),
        ..source.clone()
    }
}

/// Of the known sources the one of which most stands at the beginning, and how much.
fn matched<'k>(
    feed: &HashedBatches<'_>,
    known: &'k [KnownSource],
) -> Option<(&'k KnownSource, u64)> {
    let marks = known.iter().flat_map(|source| {
        [source.known, source.content].into_iter().flatten().map(move |mark| (source, mark))
    });
    let matching = marks.filter(|(_, mark)| feed.hash_at(mark.bytes) == Some(mark.hash));
    matching.map(|(source, mark)| (source, mark.bytes)).max_by_key(|&(_, bytes)| bytes)
}

/// What has been read of a source to recognize it.
struct Reading<'f> {
    next: VecDeque<HashedBatch<'f>>,
    /// Up to where nothing is kept.
    dropped_to: u64,
}

impl<'f> Reading<'f> {
    /// Keeps a batch, unless all of it is known to stand before `place`, or too many are kept.
    fn keep(&mut self, fed: HashedBatch<'f>, place: u64) {
        self.next.push_back(fed);
        while let Some(first) = self.next.front()
            && (first.marks.end.bytes < place || self.next.len() > 1 && self.weight() > KEPT_WEIGHT)
        {
            self.dropped_to = first.marks.end.bytes;
            self.next.pop_front();
        }
    }

    fn weight(&self) -> usize {
        self.next.iter().map(|fed| fed.batch.weight()).sum()
    }

    /// How an import begins of which so much is known.
    fn start(&self, known: KnownSource, place: u64) -> Start {
        if known.state.is_some() {
            return Start::Unfinished(known);
        }
        let is_whole = known.content.is_some_and(|content| content.bytes == place);
        match is_whole {
            true if self.next.back().is_none_or(|fed| fed.marks.end.bytes == place) => {
                Start::Known(known)
            }
            true => Start::Grown { known, has_cut_game: !self.is_cut_at(place) },
            false => Start::Grown { known, has_cut_game: true },
        }
    }

    fn is_cut_at(&self, place: u64) -> bool {
        let batch = self.next.iter().find(|fed| fed.marks.end.bytes >= place);
        batch.is_none_or(|fed| fed.batch.is_cut_at(place))
    }

    /// Begins with what stands behind a place; the known sources are those to be looked for if that is not kept.
    fn begin(
        self,
        start: Start,
        place: u64,
        known: Vec<KnownSource>,
    ) -> Result<Recognized<'f>, ReadAgain> {
        if self.dropped_to > place {
            return Err(ReadAgain(known));
        }
        let behind =
            |fed: HashedBatch<'f>| Some(HashedBatch { batch: fed.batch.behind(place)?, ..fed });
        Ok(Recognized { start, next: self.next.into_iter().filter_map(behind).collect() })
    }
}
