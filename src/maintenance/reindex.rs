//! Rebuilding of segments of the position index from the stored games.
//!
//! A segment can always be rebuilt from its games, so one procedure joins segments, removes deleted games, updates
//! changed ones, and upgrades an index of an earlier version: it replays the moves, which takes some microseconds per
//! game.

use crate::columns;
use crate::error::Result;
use crate::index::{BatchPostings, Run, RunLimits, StoredSegment, forget_changes, remove_all};
use crate::memory::Memory;
use crate::storage::{
    Database, InDatabase, IndexedPlies, PlayedGame, remove_unused_names, replay_stored,
};
use crate::store_fault::StoreResult;

/// The maximum number of segments after an import. A look-up visits each segment.
const MAX_SEGMENTS: usize = 7;

/// The share of reading and replaying in the time of a rebuild; the rest is sorting and writing.
const READING_SHARE: f64 = 0.7;

/// The result of [`optimize`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reindexed {
    /// The number of segments before.
    pub segments_before: usize,
    /// The number of segments now.
    pub segments: usize,
    /// The number of games whose positions were indexed again.
    pub games: u64,
}

/// When [`optimize`] builds the position index and the column store again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rebuild {
    /// If the index has several segments, or differs from the games. Blocks of the index are not read, so that a
    /// damaged block stays damaged.
    #[default]
    IfStale,
    /// Always. This replaces damaged blocks.
    Always,
}

/// Joins all segments of the position index into one, without deleted games and with changed games as they are now, and
/// returns free pages of the file to the system.
///
/// With one gibibyte of memory, one segment holds 16 million games; the limit is proportional to the memory.
///
/// # Errors
/// When the database cannot be read or written; it is then as it was before.
pub fn optimize(
    database: &mut Database,
    memory: Memory,
    rebuild: Rebuild,
    mut progress: impl FnMut(u64),
) -> Result<Reindexed> {
    let database = &*database;

    let renewed = database.change(memory.cache_bytes(), || {
        database.build_name_indexes()?;
        database.name_changed_games((i64::MIN, i64::MAX))?;
        remove_unused_names(&database.connection).in_database(database)?;

        let renewed = renew(database, memory, rebuild, &mut progress)?;
        database.check_changed_rows()?;
        Ok(renewed)
    })?;

    database.shrink()?;
    Ok(renewed)
}

/// Rebuilds index and columns, unless they need no rebuild.
fn renew(
    database: &Database,
    memory: Memory,
    rebuild: Rebuild,
    progress: &mut impl FnMut(u64),
) -> Result<Reindexed> {
    let connection = &database.connection;
    let segments = stored_segments(database)?;
    let mut renewed = Reindexed {
        segments_before: segments.len(),
        segments: segments.len(),
        games: 0,
    };

    if rebuild == Rebuild::IfStale && is_tidy(database, &segments, memory)? {
        return Ok(renewed);
    }

    // The rows of damaged segments may refer to wrong blocks and games, so all segments and blocks are removed.
    if rebuild == Rebuild::Always {
        remove_all(connection).in_database(database)?;
    }

    let all_games = (1, i64::MAX);
    renewed.games = rebuild_segments(database, &segments, all_games, memory, progress)?;
    columns::rebuild(connection).in_database(database)?;
    forget_changes(connection, all_games.into()).in_database(database)?;
    renewed.segments = stored_segments(database)?.len();
    Ok(renewed)
}

/// `true` if no rebuild is needed: the index has all games with their current facts, in as few segments as possible.
fn is_tidy(database: &Database, segments: &[StoredSegment], memory: Memory) -> Result<bool> {
    let has_changes = database.has_changed_games()?;
    let are_current = segments.iter().all(|segment| segment.is_current);
    let is_complete = database.unindexed_games()? == 0;
    let is_indexed = are_current && is_complete && !has_changes;

    let is_readable = columns::is_readable(&database.connection).in_database(database)?;

    // All segments but the last have as many games as fit in memory.
    let max_games = RunLimits::within(memory).games as i64;
    let is_full = |segment: &StoredSegment| {
        let games_after_first = segment.last_game.saturating_sub(segment.first_game);
        games_after_first >= max_games - 1
    };
    let are_few = segments.iter().rev().skip(1).all(is_full);

    Ok(is_indexed && are_few && is_readable)
}

/// Indexes the games after all segments, which an interrupted import has only stored. `progress` is called with the
/// number of games indexed and the number of games to index.
pub(crate) fn catch_up(
    database: &Database,
    memory: Memory,
    progress: &mut impl FnMut(u64, u64),
) -> Result<()> {
    let segments = stored_segments(database)?;
    let unindexed = database.unindexed_games()?;
    if unindexed == 0 {
        return Ok(());
    }

    let behind = (last_game(&segments).saturating_add(1), i64::MAX);
    reindex(database, &[], behind, memory, &mut |games| {
        progress(games, unindexed);
    })?;
    Ok(())
}

/// The last game that is in a segment.
fn last_game(segments: &[StoredSegment]) -> i64 {
    segments
        .iter()
        .map(|segment| segment.last_game)
        .max()
        .unwrap_or(0)
}

/// Joins the last segments if there are too many, so that few are left and no large segment is rebuilt for the sake of
/// a small one.
pub(crate) fn compact(database: &Database, memory: Memory) -> Result<()> {
    let segments = stored_segments(database)?;

    let are_current = segments.iter().all(|segment| segment.is_current);
    if !are_current {
        // The row of a segment of another format may name the wrong games.
        let all_games = (1, i64::MAX);
        reindex(database, &segments, all_games, memory, &mut |_| {})?;
        return Ok(());
    }

    // With more segments than the maximum, there are at least two to join.
    if segments.len() > MAX_SEGMENTS {
        let postings: Vec<i64> = segments.iter().map(|segment| segment.postings).collect();
        let joined = &segments[first_to_join(&postings)..];
        let range = (joined[0].first_game, i64::MAX);
        reindex(database, joined, range, memory, &mut |_| {})?;
    }
    Ok(())
}

/// The first segment that is no larger than all later segments together; at least two are joined.
fn first_to_join(postings: &[i64]) -> usize {
    let last_but_one = postings.len().saturating_sub(2);
    let mut later: i64 = postings.iter().sum();

    for (at, &here) in postings.iter().enumerate() {
        later -= here;
        if here <= later {
            return at.min(last_but_one);
        }
    }
    last_but_one
}

/// All segments of a database.
fn stored_segments(database: &Database) -> Result<Vec<StoredSegment>> {
    let lines = database.indexed_lines()?;
    StoredSegment::all(&database.connection, lines).in_database(database)
}

/// Indexes a range of games that is in no segment; returns their number.
pub(crate) fn index_games(database: &Database, range: (i64, i64), memory: Memory) -> Result<u64> {
    reindex(database, &[], range, memory, &mut |_| {})
}

/// Rebuilds the segments of a range of games, and describes changed games anew. `segments` are all segments that have
/// games of the range.
fn reindex(
    database: &Database,
    segments: &[StoredSegment],
    range: (i64, i64),
    memory: Memory,
    progress: &mut impl FnMut(u64),
) -> Result<u64> {
    let connection = &database.connection;
    let games = rebuild_segments(database, segments, range, memory, progress)?;
    database.name_changed_games(range)?;

    columns::renew(connection, range).in_database(database)?;
    forget_changes(connection, range.into()).in_database(database)?;
    Ok(games)
}

/// Rebuilds the segments of a range of games. `segments` are all segments that have games of the range.
fn rebuild_segments(
    database: &Database,
    segments: &[StoredSegment],
    (first, last): (i64, i64),
    memory: Memory,
    progress: &mut impl FnMut(u64),
) -> Result<u64> {
    let connection = &database.connection;
    let lines = database.indexed_lines()?;
    let plies = database.indexed_plies()?;

    for segment in segments {
        segment.remove(connection).in_database(database)?;
    }

    let mut gathering = Gathering {
        database,
        run: Run::new(database.folder(), lines, RunLimits::within(memory)),
        first_game: first,
        games: 0,
    };
    let replay = |games: &[PlayedGame]| postings_in_batches(games, plies);
    let gather = |batches: Vec<IndexedBatch>| -> StoreResult<()> {
        for batch in batches {
            gathering.add(batch)?;
        }
        progress((gathering.games as f64 * READING_SHARE) as u64);
        Ok(())
    };
    replay_stored(connection, (first, last), None, lines, replay, gather).in_database(database)?;

    let Gathering {
        mut run,
        first_game,
        games,
        ..
    } = gathering;
    let mut report_writing = |share: f64| {
        let done = READING_SHARE + (1.0 - READING_SHARE) * share;
        progress((games as f64 * done) as u64);
        Ok(())
    };
    run.write_with_progress(connection, first_game, &mut report_writing)
        .in_database(database)?;
    Ok(games)
}

/// The positions that are gathered for the next segments.
struct Gathering<'d> {
    database: &'d Database,
    run: Run,
    /// The number of the run's first game.
    first_game: i64,
    games: u64,
}

impl Gathering<'_> {
    /// Adds a batch. If the segment would become too large, the segment without the batch is written first.
    fn add(&mut self, batch: IndexedBatch) -> StoreResult<()> {
        let first = batch.first_game;

        // Skipped numbers count, too, since a segment numbers its games from its first game.
        let games = first - self.first_game + i64::from(batch.postings.numbers());
        if self.run.games() > 0 && games > self.run.max_games() as i64 {
            self.run.write(&self.database.connection, self.first_game)?;
        }
        if self.run.games() == 0 {
            self.first_game = first;
        }

        self.games += batch.games;
        self.run.skip_to((first - self.first_game) as usize);
        self.run.push(batch.postings, 0)
    }
}

/// The positions of some stored games.
struct IndexedBatch {
    /// The number of the first game.
    first_game: i64,
    postings: BatchPostings,
    /// The number of games, without skipped numbers.
    games: u64,
}

/// The maximum distance of consecutive games in one batch.
const MAX_DISTANCE: i64 = 1 << 12;

/// The positions of games, in batches. A large gap between numbers begins a new batch.
fn postings_in_batches(games: &[PlayedGame], plies: IndexedPlies) -> Vec<IndexedBatch> {
    let are_near = |one: &PlayedGame, next: &PlayedGame| {
        let distance = next.id.get() - one.id.get();
        distance <= MAX_DISTANCE
    };

    let mut batches = Vec::new();
    for games_of_batch in games.chunk_by(are_near) {
        batches.push(index_batch(games_of_batch, plies));
    }
    batches
}

/// The positions of games, of which there is at least one.
fn index_batch(games: &[PlayedGame], plies: IndexedPlies) -> IndexedBatch {
    let first_game = games[0].id.get();

    let mut postings = BatchPostings::default();
    for game in games {
        postings.skip_to((game.id.get() - first_game) as u32);
        postings.push_game(game.indexed_visits(plies), game.facts);
    }
    postings.divide();

    IndexedBatch {
        first_game,
        postings,
        games: games.len() as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! joins_from {
        ($($name:ident: $sizes:expr => $first:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(first_to_join(&$sizes), $first);
            }
        )*};
    }

    joins_from! {
        small_ones_after_a_large_one: [1000, 10, 10, 10, 10, 10, 10, 10] => 1;
        not_the_larger_one: [1000, 70, 10, 10, 10, 10, 10, 10] => 2;
        equals: [5, 5, 5, 5, 5, 5, 5, 5] => 0;
        halves: [64, 32, 16, 8, 4, 2, 1, 1] => 0;
        steep: [4000, 1000, 300, 80, 30, 9, 3, 1] => 6;
    }
}
