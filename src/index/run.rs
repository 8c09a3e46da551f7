//! Runs: postings collected until they are written as a segment.
//!
//! Workers return the postings of a batch already divided by the first bits of their keys. Postings that do not fit
//! into memory go, bucket by bucket, into a temporary file. At the end, all threads collect one key range after the
//! other from all batches and the file, and sort and encode it. So the parts are merged as a stream, and memory holds a
//! few key ranges.

use std::cmp::Ordering;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::batch::{BUCKET_BITS, BUCKETS, BatchPostings};
use super::encode::{Block, encode};
use super::posting::{Posting, Widths};
use super::spill::Spill;
use super::store;
use crate::game::GameFacts;
use crate::memory::{Memory, return_freed_memory};
use crate::ordered::ordered;
use crate::storage::IndexedLines;
use crate::store_fault::{StoreFault, StoreResult};

/// The number of postings sorted at once: with a copy, at 16 bytes each, they stay in the processor's cache.
const SORTED_POSTINGS: u64 = 1 << 15;
/// If a shelf has more than this multiple of [`SORTED_POSTINGS`], most of its postings are probably of one position.
const LONG_SHELF_FACTOR: u64 = 4;
/// The maximum number of postings of a bucket that are sorted together. To bound memory, a larger bucket is read
/// several times and sorted in parts.
const MAX_SORTED_POSTINGS: u64 = 1 << 21;

/// The maximum size of an encoded posting on average, in bytes.
const ENCODED_POSTING_BYTES: usize = 4;

/// When memory is full, the number of postings divided by this number is spilled.
const SPILLED_PART: usize = 16;

/// The memory of spilled postings that the allocator may keep: returning it in smaller portions takes more time.
const MAX_FREED_BYTES: usize = 64 << 20;

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunLimits {
    /// The memory for postings and facts of games, in bytes; further postings go into a temporary file.
    pub(crate) bytes: usize,
    /// The games of a segment; the facts of each take 8 bytes while it is written. With a further batch, their number
    /// is at most 2³².
    pub(crate) games: usize,
    /// The memory for blocks that wait to be written, in bytes, so that threads can encode more meanwhile.
    pub(crate) waiting_bytes: usize,
}

impl RunLimits {
    /// The limits within a limit of all memory.
    pub(crate) fn within(memory: Memory) -> RunLimits {
        RunLimits {
            bytes: memory.posting_bytes(),
            games: memory.segment_games(),
            waiting_bytes: memory.block_bytes(),
        }
    }
}

/// The postings of consecutive games.
#[derive(Debug)]
pub(crate) struct Run {
    lines: IndexedLines,
    limits: RunLimits,
    /// Memory beyond the limit that other parts of an import leave unused.
    unused_bytes: usize,
    /// The folder for temporary files.
    folder: PathBuf,
    /// The batches in memory, each with the number of its first game in the run.
    batches: Vec<(u32, BatchPostings)>,
    /// The number of postings in memory.
    held_postings: usize,
    /// The bytes of spilled postings since freed memory was last returned to the system.
    freed_bytes: usize,
    spill: Option<Spill>,
    /// The number of all postings, in memory and spilled.
    postings: u64,
    facts: Vec<GameFacts>,
}

/// A range of keys: some buckets, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KeyRange {
    buckets: Range<usize>,
    /// The number of key bits after the bucket's bits that divide a bucket into parts.
    part_bits: u32,
    /// The number of this part.
    part: u64,
}

impl Run {
    /// An empty run for these lines; temporary files are created in `folder`.
    pub(crate) fn new(folder: &Path, lines: IndexedLines, limits: RunLimits) -> Run {
        Run {
            lines,
            limits,
            unused_bytes: 0,
            folder: folder.to_owned(),
            batches: Vec::new(),
            held_postings: 0,
            freed_bytes: 0,
            spill: None,
            postings: 0,
            facts: Vec::new(),
        }
    }

    /// Adds the games that follow the present ones. `unused_bytes` is memory beyond the limit that other parts of an
    /// import leave unused.
    pub(crate) fn push(&mut self, batch: BatchPostings, unused_bytes: usize) -> StoreResult<()> {
        self.unused_bytes = unused_bytes;

        // Every game of a run has a number of 32 bits, since whoever adds batches writes the run at its limit of games.
        let first_game = self.facts.len() as u32;
        for (number, facts) in batch.games() {
            self.facts
                .resize((first_game + number) as usize, GameFacts::default());
            self.facts.push(facts);
        }

        self.held_postings += batch.len();
        self.postings += batch.len() as u64;
        self.batches.push((first_game, batch));

        if self.held_bytes() >= self.memory_limit() {
            self.spill().map_err(|error| self.spill_error(error))?;
        }
        Ok(())
    }

    /// The lines of games whose positions are collected.
    pub(crate) fn lines(&self) -> IndexedLines {
        self.lines
    }

    /// The number of games.
    pub(crate) fn games(&self) -> usize {
        self.facts.len()
    }

    /// The maximum number of games that a segment should have.
    pub(crate) fn max_games(&self) -> usize {
        self.limits.games
    }

    /// Skips numbers of games, so that the next game has `number`, counted from 0.
    pub(crate) fn skip_to(&mut self, number: usize) {
        self.facts
            .resize(number.max(self.facts.len()), GameFacts::default());
    }

    /// Moves the first batches in memory to the temporary file: just enough of them to spill a sixteenth of the
    /// postings in memory.
    fn spill(&mut self) -> io::Result<()> {
        let spill = match &mut self.spill {
            Some(spill) => spill,
            None => self.spill.insert(Spill::new(&self.folder)?),
        };

        let min_postings = (self.held_postings / SPILLED_PART).max(1);
        let mut count = 0;
        let mut postings = 0;

        while postings < min_postings && count < self.batches.len() {
            let (_, batch) = &self.batches[count];
            postings += batch.len();
            count += 1;
        }

        spill.add(&self.batches[..count])?;
        self.batches.drain(..count);
        self.held_postings -= postings;

        self.freed_bytes += postings * BatchPostings::POSTING_BYTES;
        if self.freed_bytes >= MAX_FREED_BYTES {
            return_freed_memory();
            self.freed_bytes = 0;
        }
        Ok(())
    }

    /// The error for a failure to write or read the temporary file.
    fn spill_error(&self, source: io::Error) -> StoreFault {
        StoreFault::TemporaryFile {
            folder: self.folder.clone(),
            source,
        }
    }

    /// Writes everything as a segment, and empties the run. `first_game` is the number of its first game in the
    /// database.
    pub(crate) fn write(&mut self, connection: &Connection, first_game: i64) -> StoreResult<()> {
        self.write_blocks(connection, first_game, 0, &mut |_| Ok(()))
    }

    /// Like [`write`](Run::write), when no batches are in progress, so that their memory is free for blocks. `progress`
    /// is called with the fraction done, from 0 to 1. It may use the connection itself, while other threads go on
    /// encoding.
    pub(crate) fn write_with_progress(
        &mut self,
        connection: &Connection,
        first_game: i64,
        progress: &mut dyn FnMut(f64) -> StoreResult<()>,
    ) -> StoreResult<()> {
        self.write_blocks(connection, first_game, self.limits.waiting_bytes, progress)
    }

    /// Writes a segment. `waiting_bytes` is further memory for blocks that wait, and also for postings that are sorted.
    fn write_blocks(
        &mut self,
        connection: &Connection,
        first_game: i64,
        waiting_bytes: usize,
        progress: &mut dyn FnMut(f64) -> StoreResult<()>,
    ) -> StoreResult<()> {
        let next = Run::new(&self.folder, self.lines, self.limits);
        let mut run = std::mem::replace(self, next);
        if run.facts.is_empty() {
            return Ok(());
        }

        run.make_room_to_sort(waiting_bytes)
            .map_err(|error| run.spill_error(error))?;

        let games = run.facts.len();
        let widths = Widths::for_size(run.postings, games);
        let mut segment = store::SegmentWriter::begin(
            connection,
            run.lines,
            first_game,
            games as i64,
            run.postings,
            widths,
        )?;

        let key_ranges = run.key_ranges();
        let range_count = key_ranges.len();
        let at_once = run.ranges_at_once(range_count, waiting_bytes);

        let mut done = 0;
        ordered(
            key_ranges.into_iter(),
            at_once,
            |range| run.encode_range(&range, widths),
            |blocks| {
                for block in &blocks.map_err(|error| run.spill_error(error))? {
                    segment.block(block)?;
                }

                done += 1;
                progress(f64::from(done) / range_count as f64)
            },
        )
    }

    /// Spills until the postings that are sorted at once fit into memory beside the postings that stay there.
    fn make_room_to_sort(&mut self, spare_bytes: usize) -> io::Result<()> {
        // There is always a key range.
        let range_postings = self.postings as usize / self.key_ranges().len();
        // Besides, two threads may each sort a position of nearly all games, such as the start position.
        let sorted_postings = crate::threads::count() * range_postings + 2 * self.facts.len();
        let sorted_bytes = sorted_postings * size_of::<Posting>();
        let limit = self.memory_limit().saturating_add(spare_bytes);

        while self.held_postings > 0 && self.held_bytes() + sorted_bytes > limit {
            self.spill()?;
        }
        Ok(())
    }

    /// The limit to the memory for postings and facts.
    fn memory_limit(&self) -> usize {
        self.limits.bytes.saturating_add(self.unused_bytes)
    }

    /// The memory for postings and facts.
    fn held_bytes(&self) -> usize {
        let posting_bytes = self.held_postings * BatchPostings::POSTING_BYTES;
        let fact_bytes = self.facts.len() * size_of::<GameFacts>();
        posting_bytes + fact_bytes
    }

    /// The maximum number of key ranges that are being encoded, or are encoded and not yet written. `ranges` is the
    /// number of key ranges, which is at least 1.
    fn ranges_at_once(&self, ranges: usize, waiting_bytes: usize) -> usize {
        let range_bytes = self.postings as usize * ENCODED_POSTING_BYTES / ranges;
        let waiting = waiting_bytes / range_bytes.max(1);
        let min = crate::threads::count() + 1;
        waiting.clamp(min, ranges.max(min))
    }

    /// Key ranges of neighbouring buckets, or of parts of a bucket, each of a size that is efficient to sort.
    fn key_ranges(&self) -> Vec<KeyRange> {
        let ranges = (self.postings / SORTED_POSTINGS).clamp(1, BUCKETS as u64);
        let width = BUCKETS / (ranges.next_power_of_two() as usize).min(BUCKETS);

        let bucket_postings = self.postings / BUCKETS as u64;
        let parts = bucket_postings.div_ceil(MAX_SORTED_POSTINGS).max(1);
        let part_bits = parts.next_power_of_two().ilog2();

        let mut key_ranges = Vec::new();
        for start in (0..BUCKETS).step_by(width) {
            for part in 0..1 << part_bits {
                key_ranges.push(KeyRange {
                    buckets: start..start + width,
                    part_bits,
                    part,
                });
            }
        }
        key_ranges
    }

    /// Collects, sorts and encodes the postings of a key range.
    fn encode_range(&self, range: &KeyRange, widths: Widths) -> io::Result<Vec<Block>> {
        let mut shelves = Shelves::new(range, self.postings);

        // The spilled games precede the games in memory, so the postings of a key stay in the order of their games.
        if let Some(spill) = &self.spill {
            spill.read(&range.buckets, |posting| shelves.push(posting))?;
        }
        for (first_game, batch) in &self.batches {
            for bucket in range.buckets.clone() {
                for posting in batch.bucket(bucket, *first_game) {
                    shelves.push(posting);
                }
            }
        }

        let sorted = shelves.into_sorted(widths);
        Ok(encode(&sorted, widths, &self.facts))
    }
}

/// The postings of a key range, distributed by the next bits of their keys into shelves small enough to be sorted in
/// the processor's cache.
struct Shelves<'s> {
    range: &'s KeyRange,
    /// The position of the key bits that select a shelf.
    shift: u32,
    mask: u64,
    shelves: Vec<Vec<Posting>>,
}

impl<'s> Shelves<'s> {
    /// Empty shelves for a key range of a run with `run_postings` postings.
    fn new(range: &'s KeyRange, run_postings: u64) -> Shelves<'s> {
        let buckets = range.buckets.len();
        let expected = (run_postings * buckets as u64 / BUCKETS as u64) >> range.part_bits;
        // A range of several buckets is small enough for one shelf.
        let bits = if buckets == 1 {
            (expected / SORTED_POSTINGS).max(1).ilog2()
        } else {
            0
        };

        // A sixteenth more than the mean, since uniformly distributed keys vary around the mean.
        let capacity = (expected >> bits) + (expected >> (bits + 4));
        let shelf = || Vec::with_capacity(capacity as usize);
        Shelves {
            range,
            shift: u64::BITS - BUCKET_BITS - range.part_bits - bits,
            mask: (1 << bits) - 1,
            shelves: (0..1 << bits).map(|_| shelf()).collect(),
        }
    }

    /// Adds a posting to its shelf, if it belongs to the key range.
    #[inline]
    fn push(&mut self, posting: Posting) {
        if self.range.contains(&posting) {
            let shelf = posting.key >> self.shift & self.mask;
            self.shelves[shelf as usize].push(posting);
        }
    }

    /// Lists in order, each sorted by key, check key and game; no truncated key is in two of them.
    fn into_sorted(self, widths: Widths) -> Vec<Vec<Posting>> {
        let mut spare = Vec::new();
        let mut sorted = Vec::with_capacity(self.shelves.len());

        for shelf in self.shelves {
            append_sorted(&mut sorted, shelf, &mut spare, widths);
        }
        sorted
    }
}

impl KeyRange {
    /// `true` if a posting of the buckets belongs to this part of them.
    #[inline]
    fn contains(&self, posting: &Posting) -> bool {
        // A shift by 64 bits would overflow.
        if self.part_bits == 0 {
            return true;
        }
        let part = posting.key << BUCKET_BITS >> (u64::BITS - self.part_bits);
        part == self.part
    }
}

/// The maximum number of key bits in one pass of the sort; 4096 counters stay in the first-level cache.
const MAX_DIGIT_BITS: u32 = 12;

/// Sorts postings, which are in the order of their games, and appends them in one or more lists.
///
/// A position of most games, such as the start position, has a shelf a hundred times as long as others. Its postings
/// are in order already and stay where they are, so that no copy of them is needed.
fn append_sorted(
    sorted: &mut Vec<Vec<Posting>>,
    mut postings: Vec<Posting>,
    spare: &mut Vec<Posting>,
    widths: Widths,
) {
    let is_long = postings.len() as u64 > LONG_SHELF_FACTOR * SORTED_POSTINGS;
    let mut majority = None;
    if is_long {
        majority = majority_key(&postings, widths);
    }
    let Some(majority) = majority else {
        radix_sort(&mut postings, spare, widths);
        sorted.push(postings);
        return;
    };

    let mut before = Vec::new();
    let mut after = Vec::new();
    postings.retain(|posting| {
        let order = widths.truncate(posting.key).cmp(&majority);
        match order {
            Ordering::Less => before.push(*posting),
            Ordering::Equal => {}
            Ordering::Greater => after.push(*posting),
        }
        order.is_eq()
    });

    append_sorted(sorted, before, spare, widths);
    sort_by_full_key(&mut postings);
    sorted.push(postings);
    append_sorted(sorted, after, spare, widths);
}

/// The truncated key of more than half of the postings, if there is one.
///
/// This is the majority vote of Boyer and Moore: when pairs of different keys cancel each other out, only a majority
/// can be left. A second pass counts the candidate.
fn majority_key(postings: &[Posting], widths: Widths) -> Option<u64> {
    let mut candidate = 0;
    let mut lead = 0_usize;
    for posting in postings {
        let key = widths.truncate(posting.key);
        if lead == 0 {
            candidate = key;
            lead = 1;
        } else if key == candidate {
            lead += 1;
        } else {
            lead -= 1;
        }
    }

    let has_candidate = |posting: &&Posting| widths.truncate(posting.key) == candidate;
    let count = postings.iter().filter(has_candidate).count();
    if count <= postings.len() / 2 {
        return None;
    }
    Some(candidate)
}

/// Sorts postings, which are in the order of their games, by key, check key and game.
///
/// A stable radix sort from the lowest digit keeps the order of the games. It covers only the bits of truncated keys;
/// the few postings with equal truncated keys are compared afterwards.
fn radix_sort(postings: &mut Vec<Posting>, spare: &mut Vec<Posting>, widths: Widths) {
    // The bits in which all keys agree, such as the bits of the bucket, need no pass.
    let first = postings.first().map_or(0, |posting| posting.key);
    let differing = postings
        .iter()
        .fold(0, |bits, posting| bits | posting.key ^ first);
    let highest = u64::BITS - differing.leading_zeros();
    let lowest = widths.rest_bits();

    // Passes of equal digits write to as few places at once as possible.
    let bits = highest.saturating_sub(lowest);
    let passes = bits.div_ceil(MAX_DIGIT_BITS).max(1);
    let digit_bits = bits.div_ceil(passes);

    spare.resize(postings.len(), Posting::default());
    for shift in (lowest..highest).step_by(digit_bits.max(1) as usize) {
        distribute_by_digit(postings, spare, shift, digit_bits);
        std::mem::swap(postings, spare);
    }

    for unit in postings.chunk_by_mut(|a, b| widths.truncate(a.key) == widths.truncate(b.key)) {
        sort_by_full_key(unit);
    }
}

/// Sorts postings with one truncated key, at least one of them, by key and check key. The sort is stable, so that games
/// stay in order.
fn sort_by_full_key(unit: &mut [Posting]) {
    let is_one_position = unit
        .iter()
        .all(|posting| posting.is_same_position(&unit[0]));
    if !is_one_position {
        unit.sort_by_key(|posting| (posting.key, posting.check_key));
    }
}

/// One pass of the radix sort: copies postings in the order of one digit, stably.
fn distribute_by_digit(from: &[Posting], to: &mut [Posting], shift: u32, digit_bits: u32) {
    let mask = (1 << digit_bits) - 1;
    let digit = |posting: &Posting| (posting.key >> shift) as usize & mask;

    // The number of postings of each digit, then the place of the next posting of the digit.
    let mut places = [0u32; 1 << MAX_DIGIT_BITS];
    for posting in from {
        places[digit(posting)] += 1;
    }

    let mut start = 0;
    for place in &mut places[..=mask] {
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
    use crate::replay::{PositionKey, Visit};

    #[test]
    fn radix_sort_sorts() {
        let mut state = 3_u64;
        let mut random = move || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            state ^ state >> 31
        };

        for (length, key_bits) in [(0, 5), (1, 5), (5000, 8), (5000, 31), (5000, 32)] {
            let keys: Vec<u64> = (0..300).map(|_| random()).collect();
            let posting = |game| {
                let key = keys[random() as usize % keys.len()] ^ (random() & 1) << (random() & 63);
                let check_key = (random() >> 62) as u16;
                Posting {
                    key,
                    game,
                    check_key,
                    next: random() as u16,
                }
            };
            let postings: Vec<Posting> = (0..length).map(posting).collect();
            let mut expected = postings.clone();
            expected.sort_by_key(|posting| (posting.key, posting.check_key, posting.game));

            let widths = Widths {
                key: key_bits,
                game: 13,
            };
            let mut found = postings.clone();
            radix_sort(&mut found, &mut Vec::new(), widths);

            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_shelf_of_a_position_of_most_games_is_sorted_in_three_lists() {
        let widths = Widths { key: 32, game: 20 };
        let postings: Vec<Posting> = (0..300_000_u32)
            .map(|game| {
                let random = u64::from(game).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let key = match game % 10 {
                    // A position with an equal truncated key.
                    0 => 0x7777_7777_0000_0001,
                    1..4 => random,
                    _ => 0x7777_7777_0000_0002,
                };
                Posting {
                    key,
                    game,
                    check_key: (random & 1) as u16,
                    next: game as u16,
                }
            })
            .collect();
        let mut expected = postings.clone();
        expected.sort_by_key(|posting| (posting.key, posting.check_key, posting.game));

        let mut sorted = Vec::new();
        append_sorted(&mut sorted, postings, &mut Vec::new(), widths);

        assert_eq!(sorted.len(), 3);
        let has_key = |posting: &Posting| posting.key >> 32 == 0x7777_7777;
        assert!(sorted[1].iter().all(has_key));
        assert!(sorted.concat() == expected);
    }

    #[test]
    fn a_key_of_most_has_more_than_half() {
        let widths = Widths { key: 8, game: 20 };
        let majority_of = |keys: &[u64]| {
            let posting = |&key: &u64| Posting {
                key: key << 56,
                ..Posting::default()
            };
            let postings: Vec<Posting> = keys.iter().map(posting).collect();
            majority_key(&postings, widths)
        };

        assert_eq!(majority_of(&[3, 1, 3, 2, 3]), Some(3));
        assert_eq!(majority_of(&[3, 1, 3, 2, 3, 4]), None);
        assert_eq!(majority_of(&[]), None);
    }

    /// The positions of a game: five of all games, and others of this game alone.
    fn visits(state: &mut u64) -> Vec<Visit> {
        let mut visits = Vec::new();
        for ply in 0..40 {
            *state = state.wrapping_mul(6364136223846793005).wrapping_add(ply);
            let key = if ply < 5 { ply << 60 } else { *state };
            visits.push(Visit {
                key: PositionKey(key),
                check_key: 1,
                next: ply as u16,
                ply: 0,
            });
        }
        visits
    }

    /// The blocks of segments that are written within limits.
    fn written_blocks(limits: RunLimits, segments: usize) -> Vec<(i64, Vec<u8>)> {
        let schema = include_str!("../../migrations/0001_games.sql");
        let connection = Connection::open_in_memory().expect("a database");
        connection.execute_batch(schema).expect("the tables");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut run = Run::new(folder.path(), IndexedLines::Mainline, limits);
        let mut state = 5_u64;
        let mut first_game = 1;
        for segment in 0..segments {
            for _ in 0..60 {
                let mut batch = BatchPostings::default();
                for _ in 0..10 {
                    batch.push_game(visits(&mut state), GameFacts::default());
                }
                batch.divide();
                run.push(batch, 0).expect("room");
            }

            let must_spill = limits.bytes < 100_000;
            assert_eq!(run.spill.is_some(), must_spill, "in segment {segment}");
            run.write(&connection, first_game).expect("a segment");
            first_game += 600;
        }

        let mut select = connection
            .prepare("SELECT id, data FROM position_block ORDER BY id")
            .expect("SQL");
        let rows = select
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .expect("rows");
        rows.map(|row| row.expect("a row")).collect()
    }

    #[test]
    fn spilled_postings_give_the_same_segment() {
        let ample = RunLimits {
            bytes: usize::MAX,
            games: 1000,
            waiting_bytes: 1 << 20,
        };
        let all = written_blocks(ample, 2);
        assert!(all.len() > 20);

        for bytes in [1, 20_000, 90_000] {
            let blocks = written_blocks(RunLimits { bytes, ..ample }, 2);
            assert!(blocks == all, "{bytes} bytes of memory");
        }
    }

    #[test]
    fn the_parts_of_a_bucket_are_all_of_it() {
        let parts = [0, 1, 2, 3].map(|part| KeyRange {
            buckets: 5..6,
            part_bits: 2,
            part,
        });
        for key in [0x0155 << 52, 0x0155 << 52 | 0xff << 44, 0x015f << 52, !0] {
            let posting = Posting {
                key,
                ..Posting::default()
            };
            let parts_of_posting = parts.iter().filter(|part| part.contains(&posting));
            assert_eq!(parts_of_posting.count(), 1);
        }
    }
}
