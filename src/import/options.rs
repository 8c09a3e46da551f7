//! How an import is carried out, and what it tells.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::error::Error;
use crate::ingest::{ProblemLog, ReadOptions, Tally};
use crate::memory::Memory;
use crate::replay::Readings;

/// What is imported in a step: less than a second's work, which is lost where the power fails.
const STEP_BYTES: u64 = 16 << 20;

/// How an import is carried out.
#[derive(Clone, Debug)]
pub struct Options {
    /// The memory that it may take.
    pub memory: Memory,
    /// Whether positions are indexed. Without them nothing is found until
    /// [`optimize`](crate::maintenance::optimize) has made up for it; a benchmark wants to know what they cost.
    pub positions: bool,
    /// How moves may be written.
    pub readings: Readings,
    /// How the bytes of files are taken for games.
    pub read: ReadOptions,
    /// Whether the positions of variations are indexed, too, from the first import into a database on;
    /// later ones do as the database has it.
    pub index_variations: bool,
    /// Where all problems are written as they are found.
    pub problem_log: Option<ProblemLog>,
    /// Whether what has been imported before is imported again.
    pub again: bool,
    /// How many bytes of sources make a step of an import, which stays when a later one fails.
    pub step_bytes: u64,
    /// Set by somebody who wants the import to end with the batch that is being written.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
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

/// What an import has done in the end.
#[derive(Debug, Default)]
pub struct Summary {
    /// What it has done.
    pub tally: Tally,
    /// The first problems, each as a line that names its place.
    pub first_problems: Vec<String>,
    /// The sources that have been imported, in their order.
    pub imported: Vec<Imported>,
    /// The sources that have been met before, all of them or a part.
    pub met: Vec<SourceStatus>,
    /// The numbers of all sources of the inputs that were read, also of those that have been met before; one in which
    /// there was no game is not in the database any more.
    pub sources: Vec<i64>,
    /// What could not be read of the inputs, and why.
    pub failures: Vec<Error>,
    /// Whether somebody has asked it to stop before its end.
    pub is_interrupted: bool,
}

/// What an import tells while it runs.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// Some games have been written, or their positions indexed; this has been done so far.
    Written(&'e Tally),
    /// A source has been imported.
    Ended(&'e Imported),
}

/// A source that has been imported, by this import and those that were interrupted before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Its path.
    pub path: PathBuf,
    /// Its bytes, after what is compressed has been decompressed.
    pub bytes: u64,
    /// Its games.
    pub games: u64,
    /// What was wrong with them.
    pub problems: u64,
}

/// A source that an import has met before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceStatus {
    /// All of it, so that it was passed over.
    Known {
        /// Its path.
        path: PathBuf,
        /// The games that were imported of it.
        games: u64,
        /// How many of them have been deleted since.
        deleted: u64,
    },
    /// Its import was interrupted, and has gone on behind so many bytes.
    Unfinished {
        /// Its path.
        path: PathBuf,
        /// What had been imported.
        bytes: u64,
    },
    /// Its import was interrupted, and has begun again, since other games have come after its own.
    BegunAgain(PathBuf),
    /// It begins with all that was in another, and what stands behind that was imported.
    Grown {
        /// Its path.
        path: PathBuf,
        /// The path of the other when it was imported.
        known: String,
    },
}
