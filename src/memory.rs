//! The memory that an import or a conversion may take, and how it is divided.

use crate::input::UnpackLimits;

/// How much of a source is replayed at once.
pub(crate) const BATCH_BYTES: usize = 1 << 20;
/// The most bytes of a game where no other limit is given.
pub(crate) const GAME_BYTES: u64 = 64 << 20;

/// What the program takes besides: its code, stacks, buffers.
const BASE_BYTES: u64 = 112 << 20;
/// What is under way of a batch: its text, rows and postings, and what the allocator keeps of those
/// before it.
const BATCH_MEMORY_BYTES: u64 = 8 * BATCH_BYTES as u64;
/// What is counted of a game.
const FACTS_BYTES: u64 = 8;

/// A segment counts its games in 32 bits.
const MOST_GAMES: u64 = 1 << 32;

/// A limit to the memory that is taken, in bytes of the whole process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory(u64);

impl Default for Memory {
    /// One gibibyte.
    fn default() -> Memory {
        Memory(1 << 30)
    }
}

impl Memory {
    /// The least that an import can do with.
    pub const LEAST_BYTES: u64 = 128 << 20;

    /// A limit in bytes, not below [`Memory::LEAST_BYTES`].
    pub fn new(bytes: u64) -> Memory {
        Memory(bytes.max(Memory::LEAST_BYTES))
    }

    /// For pages of the database.
    pub(crate) fn cache_bytes(self) -> u64 {
        self.0 / 16
    }

    /// For names that have been met.
    pub(crate) fn name_bytes(self) -> usize {
        (self.0 / 16) as usize
    }

    /// How many batches may be under way.
    pub(crate) fn batches(self) -> usize {
        self.batches_in(8)
    }

    /// How many batches a conversion may have under way.
    pub(crate) fn converted_batches(self) -> usize {
        self.batches_in(2)
    }

    /// The batches that keep all threads at work, or as many as there is room for in one part of so many.
    fn batches_in(self, parts: u64) -> usize {
        let wanted = 4 * crate::threads::count();
        wanted.min((self.0 / parts / BATCH_MEMORY_BYTES) as usize).max(2)
    }

    /// The most bytes of a game where nothing else is said: 64 MiB if the memory that may be taken
    /// is a gibibyte or more, and else as much less as that is.
    pub fn game_bytes(self) -> u64 {
        GAME_BYTES.min(self.0 / 16)
    }

    /// How much decompressing may take.
    pub fn window_bytes(self) -> u64 {
        (self.0 / 4).max(UnpackLimits::LEAST_WINDOW_BYTES)
    }

    /// For the postings and the counted facts of a segment under way, in bytes.
    pub(crate) fn posting_bytes(self) -> usize {
        let batches = self.batches() as u64 * BATCH_MEMORY_BYTES;
        let others = BASE_BYTES + self.cache_bytes() + self.name_bytes() as u64 + batches;
        self.0.saturating_sub(others).max(self.0 / 4) as usize
    }

    /// How many games a segment may have.
    pub(crate) fn segment_games(self) -> usize {
        (self.0 / 8 / FACTS_BYTES).min(MOST_GAMES) as usize
    }
}
