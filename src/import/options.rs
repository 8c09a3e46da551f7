//! Options and events of an import.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::error::Error;
use crate::ingest::{ProblemLog, ReadOptions, Tally};
use crate::memory::Memory;
use crate::replay::Readings;

/// The size of a step: less than a second's work, which a power failure may cost.
const STEP_BYTES: u64 = 16 << 20;

/// Options of an import.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The memory limit.
    pub memory: Memory,
    /// Whether to index positions; `true` by default. Without this, no position is found until [`optimize`](crate::maintenance::optimize)
    /// has indexed them; benchmarks use it to measure the cost.
    pub positions: bool,
    /// The readings of moves to try.
    pub readings: Readings,
    /// How the bytes of files are read as games.
    pub read: ReadOptions,
    /// Whether to index the positions of variations, too; `false` by default. Decided by the first import into a database, and followed by
    /// later ones.
    pub index_variations: bool,
    /// The log of all problems.
    pub problem_log: Option<ProblemLog>,
    /// Whether to import sources again that have been imported before; `false` by default.
    pub again: bool,
    /// The number of source bytes per step; completed steps stay if a later one fails.
    pub step_bytes: u64,
    /// Set from outside to end the import after the current batch.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions {
            memory: Memory::default(),
            positions: true,
            readings: Readings::default(),
            read: ReadOptions::default(),
            index_variations: false,
            problem_log: None,
            again: false,
            step_bytes: STEP_BYTES,
            stop: None,
        }
    }
}

/// The result of an import.
#[derive(Debug, Default)]
pub struct Summary {
    /// The totals.
    pub tally: Tally,
    /// The first problems, each as a line with its place.
    pub first_problems: Vec<String>,
    /// The imported sources, in order.
    pub imported: Vec<Imported>,
    /// The sources that had been imported before, in full or in part.
    pub met: Vec<SourceStatus>,
    /// The ids of all sources that were read, including those imported before; a source without a game is no longer in
    /// the database.
    pub sources: Vec<i64>,
    /// The inputs that could not be read, and why.
    pub failures: Vec<Error>,
    /// Whether the import was stopped early.
    pub is_interrupted: bool,
}

/// A progress event of an import.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// Before anything is read, games that an interrupted import had left have been indexed: so many of all of them.
    CaughtUp {
        /// The number of games indexed so far.
        games: u64,
        /// The number of all games that had not been indexed.
        all: u64,
    },
    /// Games have been written, or their positions indexed; with the totals so far.
    Written(&'e Tally),
    /// A source has been imported.
    Ended(&'e Imported),
}

/// A source that has been imported, including its part from interrupted imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Its path.
    pub path: PathBuf,
    /// Its size in bytes, after decompression.
    pub bytes: u64,
    /// The number of its games.
    pub games: u64,
    /// The number of its problems.
    pub problems: u64,
}

/// A source that had been imported before, in full or in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceStatus {
    /// All of it was, so it was skipped.
    Known {
        /// Its path.
        path: PathBuf,
        /// The number of games imported from it.
        games: u64,
        /// The number of these deleted since.
        deleted: u64,
    },
    /// Its import was interrupted, and has been resumed after this many bytes.
    Unfinished {
        /// Its path.
        path: PathBuf,
        /// The number of bytes imported before.
        bytes: u64,
    },
    /// Its import was interrupted, and has been restarted, because other games were added after its own.
    BegunAgain(PathBuf),
    /// It begins with the content of another source, and the rest was imported.
    Grown {
        /// Its path.
        path: PathBuf,
        /// The path of the other when it was imported.
        known: String,
    },
}
