//! Merging of databases: games are appended to one database without a replay.
//!
//! Rows are copied with new numbers, and segments of the index block by block. Segments that cannot be copied whole are
//! rebuilt from their games. These are segments with games of a skipped source, and segments of another format, as when
//! only one database has its variations indexed or a limit of half-moves.

use super::reindex::{catch_up, compact, index_games};
use crate::columns;
use crate::error::{Error, Result};
use crate::index::{StoredSegment, copy_segment};
use crate::memory::Memory;
use crate::storage::{CopySummary, Database, InDatabase, IndexedLines};

/// The result of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeSummary {
    /// The number of games added.
    pub games: u64,
    /// The paths of the sources added.
    pub sources: Vec<String>,
    /// The paths of the sources skipped, since their content was already present.
    pub passed_over: Vec<String>,
    /// The number of games replayed because their segments could not be copied.
    pub indexed: u64,
}

/// Appends all games of other databases to one, in the given order; all of it or, on failure, nothing. The other
/// databases are not changed.
///
/// `progress` is called regularly with the number of games added.
///
/// # Errors
/// When a database cannot be read or written; the first one is then as it was before.
pub fn merge(
    database: &mut Database,
    others: &[Database],
    memory: Memory,
    mut progress: impl FnMut(u64),
) -> Result<Vec<MergeSummary>> {
    let database = &*database;

    // Copied games do not count as changed.
    database.set_triggers(false)?;
    let merged = database.change(memory.cache_bytes(), || {
        catch_up(database, memory, &mut |_, _| {})?;

        let mut added = 0;
        for other in others {
            added += database.count_new_games(other)?;
        }
        // Adding many games to the indexes one by one takes longer than building them at the end.
        database.put_off_name_indexes(database.count_games()?, added)?;

        let mut summaries = Vec::with_capacity(others.len());
        let mut games = 0;
        for other in others {
            let merged = append(database, other, memory, &mut |appended| {
                progress(games + appended);
            })?;
            games += merged.games;
            summaries.push(merged);
        }

        columns::catch_up(&database.connection).in_database(database)?;
        database.build_name_indexes()?;
        compact(database, memory)?;
        Ok(summaries)
    });

    database.set_triggers(true)?;
    merged
}

/// Appends all games of another database, which is not changed.
fn append(
    database: &Database,
    other: &Database,
    memory: Memory,
    progress: &mut impl FnMut(u64),
) -> Result<MergeSummary> {
    // An empty database adopts the index settings of the other database.
    if database.count_games()? == 0 {
        database.index_plies(other.indexed_plies()?)?;
        if other.indexed_lines()? == IndexedLines::All {
            database.index_variations()?;
        }
    }
    // The last games of an interrupted import are in no segment, so their positions would be missing
    // in the index.
    if other.unindexed_games()? > 0 {
        return Err(Error::ImportUnfinished(other.path().to_owned()));
    }

    let copied = database.copy_rows(other, progress)?;
    // Openings that another table names are not copied.
    if !database.names_games_like(other)? {
        database.name_games((copied.numbers.first(), i64::MAX))?;
    }
    let indexed = append_segments(database, other, &copied, memory)?;

    Ok(MergeSummary {
        games: copied.games,
        sources: copied.sources,
        passed_over: copied.passed_over,
        indexed,
    })
}

/// Copies the segments that can be copied whole, and rebuilds the others. Returns the number of games in rebuilt
/// segments.
fn append_segments(
    database: &Database,
    other: &Database,
    copied: &CopySummary,
    memory: Memory,
) -> Result<u64> {
    let numbers = &copied.numbers;
    let lines = database.indexed_lines()?;
    let has_equal_plies = database.indexed_plies()? == other.indexed_plies()?;
    let mut indexed = 0;

    for segment in StoredSegment::all(&other.connection, lines).in_database(other)? {
        let first = numbers.number(segment.first_game)?;
        let has_format = segment.is_current && has_equal_plies;
        let is_whole = !numbers.is_any_skipped(segment.first_game, segment.last_game);

        if has_format && is_whole {
            copy_segment(&other.connection, &database.connection, &segment, first)
                .in_database(database)?;
        } else {
            // A skipped last game would have the number of the next copied game. The number of the game after it, minus
            // 1, is the last number of the range in any case. A damaged segment may end at any number.
            let next_game = segment.last_game.saturating_add(1);
            let last = numbers.number(next_game)?.saturating_sub(1);
            indexed += index_games(database, (first, last), memory)?;
        }
    }
    Ok(indexed)
}
