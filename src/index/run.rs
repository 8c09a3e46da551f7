//! Postings gathered in memory until they are written as a segment.
//!
//! Workers bring the postings of a batch of games already divided by the first byte of their keys.
//! When a run is written, each stretch of keys is put together from all batches, sorted and encoded
//! by itself, on all threads.

use std::ops::Range;

use rusqlite::Connection;

use super::block::{Block, Posting, ResultSlot, Widths, encode};
use super::store;
use crate::ordered::ordered;
use crate::pgn::Termination;
use crate::replay::Visit;

const BUCKETS: usize = 256;
/// A stretch of keys is sorted at once; at 16 bytes each, it should stay in the processor's cache.
const SORTED_POSTINGS: usize = 1 << 16;

/// The positions of a batch of games, on their way from a worker to a [`Run`].
#[derive(Debug, Default)]
pub(crate) struct BatchPostings {
    postings: Vec<Posting>,
    /// Where each bucket begins, once [`BatchPostings::divide`] has been called.
    starts: Vec<u32>,
    results: Vec<ResultSlot>,
}

impl BatchPostings {
    /// Adds the positions of the next game.
    pub(crate) fn push_game(&mut self, visits: &[Visit], result: Termination) {
        let game = self.results.len() as u32;
        let posting = |visit: &Visit| Posting { key: visit.key.0, game, next: visit.next };
        self.postings.extend(visits.iter().map(posting));
        self.results.push(result_slot(result));
    }

    /// The number of postings.
    pub(crate) fn len(&self) -> usize {
        self.postings.len()
    }

    /// Sorts the postings into buckets, by counting.
    pub(crate) fn divide(&mut self) {
        let mut counts = [0u32; BUCKETS + 1];
        for posting in &self.postings {
            counts[bucket(posting) + 1] += 1;
        }
        for i in 0..BUCKETS {
            counts[i + 1] += counts[i];
        }
        self.starts = counts.to_vec();
        let mut places = counts;
        let mut divided = vec![Posting { key: 0, game: 0, next: 0 }; self.postings.len()];
        for posting in &self.postings {
            let place = &mut places[bucket(posting)];
            divided[*place as usize] = *posting;
            *place += 1;
        }
        self.postings = divided;
    }

    fn buckets(&self, buckets: &Range<usize>) -> &[Posting] {
        let bound = |bucket: usize| self.starts.get(bucket).copied().unwrap_or(0) as usize;
        &self.postings[bound(buckets.start)..bound(buckets.end)]
    }
}

/// The order in which [`Results`](super::Results) are written.
fn result_slot(result: Termination) -> ResultSlot {
    match result {
        Termination::WhiteWins => 0,
        Termination::Draw => 1,
        Termination::BlackWins => 2,
        Termination::Unknown => 3,
    }
}

fn bucket(posting: &Posting) -> usize {
    (posting.key >> 56) as usize
}

/// Postings of consecutive games.
#[derive(Debug, Default)]
pub(crate) struct Run {
    /// Each with the number of its first game in the run.
    batches: Vec<(u32, BatchPostings)>,
    postings: usize,
    results: Vec<ResultSlot>,
}

impl Run {
    /// Adds the games that follow those already there.
    pub(crate) fn push(&mut self, mut batch: BatchPostings) {
        let first_game = self.results.len() as u32;
        self.results.append(&mut batch.results);
        self.postings += batch.postings.len();
        self.batches.push((first_game, batch));
    }

    /// The number of postings.
    pub(crate) fn len(&self) -> usize {
        self.postings
    }

    /// The number of games.
    pub(crate) fn games(&self) -> usize {
        self.results.len()
    }

    /// Writes everything as a segment and is empty again. `first_game` is the number of its first
    /// game in the database.
    pub(crate) fn write(
        &mut self,
        connection: &Connection,
        first_game: i64,
    ) -> rusqlite::Result<()> {
        if self.results.is_empty() {
            return Ok(());
        }
        let run = std::mem::take(self);
        let widths = Widths::for_size(run.postings, run.results.len());
        let games = run.results.len() as i64;
        let mut segment =
            store::SegmentWriter::begin(connection, first_game, games, run.postings, widths)?;
        ordered(
            run.stretches().into_iter(),
            4 * rayon::current_num_threads(),
            |buckets| run.blocks(&buckets, widths),
            |blocks| blocks.iter().try_for_each(|block| segment.block(block)),
        )
    }

    /// Neighbouring buckets put together, so that each has enough to sort, whatever the size.
    fn stretches(&self) -> Vec<Range<usize>> {
        let count = (self.postings / SORTED_POSTINGS).clamp(1, BUCKETS).next_power_of_two();
        let width = BUCKETS / count.min(BUCKETS);
        (0..BUCKETS).step_by(width).map(|start| start..start + width).collect()
    }

    fn blocks(&self, buckets: &Range<usize>, widths: Widths) -> Vec<Block> {
        let mut postings = Vec::new();
        for (first_game, batch) in &self.batches {
            let in_run =
                |posting: &Posting| Posting { game: first_game + posting.game, ..*posting };
            postings.extend(batch.buckets(buckets).iter().map(in_run));
        }
        encode(&sorted(postings, widths), widths, &self.results)
    }
}

/// Bits of a key by which postings are distributed at once; 4096 counters stay in the first cache.
const DIGIT_BITS: u32 = 12;

/// Sorts postings, which are in the order of their games, by key and game.
///
/// By counting, digit by digit, the lowest first, which keeps the order of the games. Only the bits of
/// truncated keys are worth it; what follows differs in the few keys that share those.
fn sorted(mut postings: Vec<Posting>, widths: Widths) -> Vec<Posting> {
    let first = postings.first().map_or(0, |posting| posting.key);
    let differing = postings.iter().fold(0, |bits, posting| bits | posting.key ^ first);
    let highest = 64 - differing.leading_zeros();
    let mut spare = vec![Posting { key: 0, game: 0, next: 0 }; postings.len()];
    let mut shift = 64 - widths.key;
    while shift < highest {
        distribute(&postings, &mut spare, shift);
        std::mem::swap(&mut postings, &mut spare);
        shift += DIGIT_BITS;
    }
    for unit in postings.chunk_by_mut(|a, b| widths.truncate(a.key) == widths.truncate(b.key)) {
        if unit.iter().any(|posting| posting.key != unit[0].key) {
            unit.sort_by_key(|posting| posting.key);
        }
    }
    postings
}

/// Copies postings in the order of one digit of their keys, equal ones in the order they had.
fn distribute(from: &[Posting], to: &mut [Posting], shift: u32) {
    let digit = |posting: &Posting| (posting.key >> shift) as usize & ((1 << DIGIT_BITS) - 1);
    let mut places = [0u32; 1 << DIGIT_BITS];
    for posting in from {
        places[digit(posting)] += 1;
    }
    let mut start = 0;
    for place in &mut places {
        (*place, start) = (start, start + *place);
    }
    for posting in from {
        let place = &mut places[digit(posting)];
        to[*place as usize] = *posting;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_by_digits_is_sorting() {
        let mut state = 3_u64;
        let mut random = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state >> 31
        };
        for (length, key_bits) in [(0, 5), (1, 5), (5000, 8), (5000, 31), (5000, 32)] {
            let keys: Vec<u64> = (0..300).map(|_| random()).collect();
            let posting = |game| {
                let key = keys[random() as usize % keys.len()] ^ (random() & 1) << (random() & 63);
                Posting { key, game, next: random() as u16 }
            };
            let postings: Vec<Posting> = (0..length).map(posting).collect();
            let mut expected = postings.clone();
            expected.sort_by_key(|posting| (posting.key, posting.game));
            assert_eq!(sorted(postings, Widths { key: key_bits, game: 13 }), expected);
        }
    }
}
