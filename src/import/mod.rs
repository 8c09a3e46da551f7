//! A sink into a database: rows, positions and columns, a checkpoint now and then, and sources that are known.
//!
//! The content of the database depends on the files and their order alone: batches are cut by their
//! size in bytes, and their results are written in the order of the input.

mod checkpoint;
mod hashed;
mod importer;
mod known;
mod rows;
mod source;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use importer::Import;

use crate::error::{Error, Result};
use crate::ingest;
pub use crate::ingest::{ProblemLine, ProblemLog, ReadOptions, Tally, has_game};
use crate::input::Input;
pub use crate::memory::Memory;
use crate::replay::Readings;
use crate::storage::Database;

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

/// What is imported in a step: less than a second's work, which is lost where the power fails.
const STEP_BYTES: u64 = 16 << 20;

/// Imports files, or what else is an [`Input`], into a database, step by step: what has been done stays, whatever
/// happens, and the same import goes on from there.
///
/// `progress` is called now and then. A source that cannot be read, or has no
/// game in it, is named in [`Summary::failures`]; the others are imported, and so are the games before
/// some damage.
///
/// # Errors
/// When the database cannot be written, or variations are to be indexed where they have not been; it is then as it
/// was after the last step.
pub fn import(
    database: &mut Database,
    inputs: impl IntoIterator<Item = impl Into<Input>>,
    options: Options,
    mut progress: impl FnMut(Event<'_>),
) -> Result<Summary> {
    let database = &*database;
    database.set_triggers(false)?;
    let cache_bytes = options.memory.cache_bytes();
    let summary = database.change_in_steps(cache_bytes, |steps| {
        let reading = ingest::Options {
            readings: options.readings.clone(),
            batches: options.memory.batches(),
            stop: options.stop.clone(),
        };
        let mut import = Import::begin(database, steps, options, &mut progress)?;
        let read = ingest::ingest(inputs.into_iter().map(Into::into), reading, &mut import)?;
        import.end(read)
    });
    database.set_triggers(true)?;
    summary
}
