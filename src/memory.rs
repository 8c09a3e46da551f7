//! The memory limit of an import or a conversion, and its division among buffers, caches and batches.

mod freed;
mod key_set;

pub(crate) use freed::return_freed_memory;
pub(crate) use key_set::{Inserted, KeySet};

use crate::input::UnpackLimits;

/// The amount of source text that is replayed at once.
pub(crate) const BATCH_BYTES: usize = 1 << 20;
/// The default maximum size of a game.
pub(crate) const GAME_BYTES: u64 = 16 << 20;
/// The memory for the replay of a game, as a multiple of the game's size. The replay of a game of 64 MB took 1.2 GB, a
/// factor of 19, so the largest game takes less than a third of the limit.
const GAME_FACTOR: u64 = 64;

/// The fixed needs of the program: its code, stacks, buffers.
const BASE_BYTES: u64 = 112 << 20;
/// The needs of a batch in progress: its text, rows and postings, and the memory that the allocator retains from
/// earlier batches.
const BATCH_MEMORY_BYTES: u64 = 8 * BATCH_BYTES as u64;
/// The number of batches in progress that keep a thread busy.
const BATCHES_PER_THREAD: usize = 4;
/// The minimum number of batches in progress, whatever the memory limit.
const MIN_BATCHES: usize = 2;
/// The needs of a row group of a data set that is being encoded.
#[cfg(feature = "dataset")]
const ROW_GROUP_MEMORY_BYTES: u64 = 80 << 20;
/// The size of the counted attributes of a game.
const FACTS_BYTES: u64 = 8;

// The parts of the limit for what grows with the input, as the numbers by which the limit is divided.

/// The parts of an import: the page cache, the numbers of names, and the batches in progress. Together they take
/// five sixteenths of the limit, and postings get what is left.
const CACHE_PART: u64 = 16;
const NAMES_PART: u64 = 8;
const IMPORT_BATCHES_PART: u64 = 8;
/// The minimum part of the postings, if the other needs leave less.
const MIN_POSTINGS_PART: u64 = 8;
/// The part of the counted attributes of the games of a segment.
const FACTS_PART: u64 = 8;

/// The part of the batches of a conversion, which has no cache, names and postings.
const CONVERSION_BATCHES_PART: u64 = 2;
/// The part of the batches of a conversion into positions. The positions of a batch are in memory with it, and are many
/// times longer.
const POSITION_BATCHES_PART: u64 = 16;

/// The parts of the keys by which equal games and repeated positions are dropped. Both sets may be in memory at once,
/// beside a decompression window.
const EQUAL_GAMES_PART: u64 = 4;
const DISTINCT_POSITIONS_PART: u64 = 4;
const WINDOW_PART: u64 = 4;

/// The part of the set of positions of a database, which is in memory beside the page cache, batches and waiting
/// evaluations.
const KNOWN_POSITIONS_PART: u64 = 2;
/// The part of the evaluations that wait to be written.
const WAITING_EVALUATIONS_PART: u64 = 64;
/// The part of the younger half of the analysed positions.
const ANALYZED_POSITIONS_PART: u64 = 16;

/// The parts of a data set: positions that wait to be written, and row groups that are being encoded.
#[cfg(feature = "dataset")]
const SPILLED_PART: u64 = 4;
#[cfg(feature = "dataset")]
const ROW_GROUPS_PART: u64 = 4;

/// The number of games after which a segment is written, whatever memory is left. A segment counts its games in 32
/// bits, and the last batch may go beyond this number: there is room for a batch, which has at most 2¹¹ games.
const MAX_GAMES: u64 = (1 << 32) - (1 << 11);

/// A memory limit for the whole process, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory(u64);

impl Default for Memory {
    /// One gibibyte.
    fn default() -> Memory {
        Memory(1 << 30)
    }
}

impl Memory {
    /// The minimum that an import can work with.
    pub const MIN_BYTES: u64 = 128 << 20;

    /// A limit in bytes, raised to [`Memory::MIN_BYTES`] if lower.
    pub fn new(bytes: u64) -> Memory {
        Memory(bytes.max(Memory::MIN_BYTES))
    }

    /// The page cache of the database.
    pub(crate) fn cache_bytes(self) -> u64 {
        self.0 / CACHE_PART
    }

    /// The memory for the numbers of names: one gibibyte has room for the names of more than three million players.
    pub(crate) fn name_bytes(self) -> usize {
        (self.0 / NAMES_PART) as usize
    }

    /// The memory for the set of positions that a database has.
    pub(crate) fn known_position_bytes(self) -> u64 {
        self.0 / KNOWN_POSITIONS_PART
    }

    /// The number of evaluations of positions that may wait to be written.
    pub(crate) fn waiting_evaluations(self) -> usize {
        const EVALUATION_BYTES: u64 = 64;
        (self.0 / WAITING_EVALUATIONS_PART / EVALUATION_BYTES) as usize
    }

    /// The number of analysed positions after which older ones are forgotten; twice as many are remembered at most.
    pub(crate) fn analyzed_positions(self) -> usize {
        // The size includes eight moves of the line.
        const POSITION_BYTES: u64 = 128;
        (self.0 / ANALYZED_POSITIONS_PART / POSITION_BYTES) as usize
    }

    /// The maximum number of batches in progress.
    pub(crate) fn batches(self) -> usize {
        self.batches_in(IMPORT_BATCHES_PART)
    }

    /// The maximum number of batches in progress in a conversion.
    pub(crate) fn converted_batches(self) -> usize {
        self.batches_in(CONVERSION_BATCHES_PART)
    }

    /// The maximum number of batches in progress in a conversion into positions, whose lines are many times longer than
    /// the moves that lead to them.
    pub(crate) fn position_batches(self) -> usize {
        self.batches_in(POSITION_BATCHES_PART)
    }

    /// The number of batches that keep all threads busy, but no more than fit into the memory limit divided by `part`.
    fn batches_in(self, part: u64) -> usize {
        let for_threads = BATCHES_PER_THREAD * crate::threads::count();
        let for_memory = (self.0 / part / BATCH_MEMORY_BYTES) as usize;

        for_threads.min(for_memory).max(MIN_BATCHES)
    }

    /// The default maximum size of a game: 16 MiB if the memory limit is at least one gibibyte, and proportionally less
    /// under a lower limit.
    pub fn game_bytes(self) -> u64 {
        GAME_BYTES.min(self.0 / GAME_FACTOR)
    }

    /// The memory for the keys of games, by which equal games are dropped.
    pub(crate) fn equal_games_bytes(self) -> u64 {
        self.0 / EQUAL_GAMES_PART
    }

    /// The memory without the keys of equal games.
    pub(crate) fn without_equal_games(self) -> Memory {
        Memory(self.0 - self.equal_games_bytes())
    }

    /// The memory for the keys of positions, by which repeated positions are dropped.
    pub(crate) fn distinct_position_bytes(self) -> u64 {
        self.0 / DISTINCT_POSITIONS_PART
    }

    /// The memory for positions of a data set that are not on the disk yet.
    #[cfg(feature = "dataset")]
    pub(crate) fn spilled_bytes(self) -> usize {
        (self.0 / SPILLED_PART) as usize
    }

    /// The number of row groups of a data set that may be encoded at once.
    #[cfg(feature = "dataset")]
    pub(crate) fn row_groups(self) -> usize {
        let for_memory = (self.0 / ROW_GROUPS_PART / ROW_GROUP_MEMORY_BYTES) as usize;
        let threads = crate::threads::count().max(1);

        for_memory.clamp(1, threads)
    }

    /// The memory for decompression windows.
    pub fn window_bytes(self) -> u64 {
        (self.0 / WINDOW_PART).max(UnpackLimits::MIN_WINDOW_BYTES)
    }

    /// The memory for the postings and counted attributes of a segment in progress, in bytes.
    pub(crate) fn posting_bytes(self) -> usize {
        let names = self.name_bytes() as u64;
        let batches = self.batches() as u64 * BATCH_MEMORY_BYTES;
        let other_needs = BASE_BYTES + self.cache_bytes() + names + batches;
        let rest = self.0.saturating_sub(other_needs);

        // The other needs alone may exceed a small limit. Postings then get their minimum in addition.
        let min_bytes = self.0 / MIN_POSTINGS_PART;
        rest.max(min_bytes) as usize
    }

    /// The memory for encoded blocks that wait to be written, when no batches are in progress.
    pub(crate) fn block_bytes(self) -> usize {
        // Without batches, half of their memory is used for blocks.
        let batches = self.batches() as u64 * BATCH_MEMORY_BYTES;
        (batches / 2) as usize
    }

    /// The maximum number of games in a segment.
    pub(crate) fn segment_games(self) -> usize {
        (self.0 / FACTS_PART / FACTS_BYTES).min(MAX_GAMES) as usize
    }
}
