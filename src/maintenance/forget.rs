//! Removal of sources from the database, with everything that came from them.

use super::change::CACHE_BYTES;
use crate::columns;
use crate::error::Result;
use crate::index::{StoredSegment, forget_changes};
use crate::storage::{
    Database, ForgottenSource, GameId, InDatabase, SourceId, forget_source, remove_unused_names,
    sources_with_continuations,
};

/// The result of [`Database::forget_sources`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForgetSummary {
    /// The sources, in the given order.
    pub sources: Vec<ForgottenSource>,
    /// The number of names of players, events and sites that became unused.
    pub names: u64,
}

impl Database {
    /// Deletes the sources with these numbers, and the sources that continue them in a file that has grown: their games
    /// with their positions, their problems and texts, and names that become unused. On failure, nothing is deleted.
    /// Unknown numbers are skipped.
    ///
    /// # Errors
    /// When the database cannot be written; it is then as it was before.
    pub fn forget_sources(&self, sources: &[SourceId]) -> Result<ForgetSummary> {
        self.change(CACHE_BYTES, || forget_all(self, sources))
    }
}

/// Deletes sources with their continuations, empty segments, and unused names.
fn forget_all(database: &Database, sources: &[SourceId]) -> Result<ForgetSummary> {
    let connection = &database.connection;
    let mut forgotten = ForgetSummary::default();

    let with_continuations =
        sources_with_continuations(connection, sources).in_database(database)?;
    for source in with_continuations {
        let removed = forget_source(connection, source).in_database(database)?;
        forgotten.sources.extend(removed);
    }

    // The deleted games of an empty segment would be noted as changed, and every search would read these notes.
    remove_empty_segments(database)?;
    forgotten.names = remove_unused_names(connection).in_database(database)?;
    Ok(forgotten)
}

/// Removes segments without remaining games, and the notes that these games have changed.
fn remove_empty_segments(database: &Database) -> Result<()> {
    let connection = &database.connection;
    let lines = database.indexed_lines()?;

    for segment in StoredSegment::all(connection, lines).in_database(database)? {
        let first = segment.first_game;
        let last = segment.last_game;
        if database.has_game_between(GameId::new(first), GameId::new(last))? {
            continue;
        }

        segment.remove(connection).in_database(database)?;
        columns::renew(connection, (first, last)).in_database(database)?;
        forget_changes(connection, [first, last]).in_database(database)?;
    }
    Ok(())
}
