//! Importing PGN into a database: a sink that writes rows, positions and columns, with checkpoints and known sources.
//!
//! The content of the database depends only on the files and their order: batches are cut by their size in bytes, and
//! their results are written in the order of the input.

mod accepted;
mod checkpoint;
mod hashed;
mod importer;
mod known;
mod options;
mod replace;
mod rows;
mod source;
mod text;
mod update;

use importer::Import;
pub use options::{
    AmbiguousGame, EarlierImport, Event, ImportOptions, Imported, Summary, UpdatedGame,
};
pub use text::import_text;

use crate::error::Result;
use crate::ingest;
pub use crate::ingest::{ProblemLine, ProblemLog, ReadOptions, Tally, has_game};
use crate::input::Input;
pub use crate::memory::Memory;
use crate::storage::Database;

/// Imports files or other [`Input`]s into a database. Each step is durable, and a repeated import resumes after an
/// interruption.
///
/// `progress` is called regularly. [`Summary::failures`] names sources that cannot be read or have no game; the others
/// are imported, and so are the games before damage.
///
/// # Errors
/// If the database cannot be written, or variations are to be indexed in a database without them; it then stays as it
/// was after the last step.
pub fn import(
    database: &mut Database,
    inputs: impl IntoIterator<Item = impl Into<Input>>,
    options: ImportOptions,
    mut progress: impl FnMut(Event<'_>),
) -> Result<Summary> {
    let database = &*database;
    let cache_bytes = options.memory.cache_bytes();
    let reading = ingest::Options {
        readings: options.readings.clone(),
        batches: options.memory.batches(),
        stop: options.stop.clone(),
    };

    // Triggers note games for a later index. The import indexes its games itself.
    database.set_triggers(false)?;
    let summary = database.change_in_steps(cache_bytes, |steps| {
        let mut import = Import::begin(database, steps, options, &mut progress)?;
        let read = ingest::ingest(inputs.into_iter().map(Into::into), reading, &mut import)?;
        import.end(read)
    });
    database.set_triggers(true)?;
    summary
}
