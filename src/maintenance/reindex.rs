//! Rebuilding segments of the position index from the stored games.
//!
//! A segment can always be rebuilt from its games, so one procedure joins segments, removes deleted games, updates
//! changed ones, and upgrades an index of an earlier version: it replays the moves, which takes some microseconds per
//! game.

use crate::columns;
use crate::error::Result;
use crate::index::{BatchPostings, Run, RunLimits, Stored, forget_changes, remove_all};
use crate::memory::Memory;
use crate::storage::{
    Database, InDatabase, IndexedPlies, PlayedGame, remove_unused_names, replay_stored,
};
use crate::store_fault::StoreResult;

/// The most segments that an import leaves, since a look-up visits each.
const MOST_SEGMENTS: usize = 7;

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
    /// If the index has several segments, or lacks games as they are now. Blocks of the index are not read, so a damaged
    /// block stays as it is.
    #[default]
    IfStale,
    /// Always, which replaces damaged blocks.
    Always,
}

/// Joins all segments of the position index into one, without deleted games and with changed ones as they are now, and
/// returns free pages of the file to the system.
///
/// One segment holds 16 million games with one gibibyte of memory, in proportion with more or less.
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

fn renew(
    database: &Database,
    memory: Memory,
    rebuild: Rebuild,
    progress: &mut impl FnMut(u64),
) -> Result<Reindexed> {
    let segments = stored_segments(database)?;
    let mut renewed = Reindexed {
        segments_before: segments.len(),
        segments: segments.len(),
        games: 0,
    };

    let is_stale = rebuild == Rebuild::Always || !is_tidy(database, &segments, memory)?;
    if is_stale {
        // Rows of damaged segments may not say which blocks and games are theirs.
        if rebuild == Rebuild::Always {
            remove_all(&database.connection).in_database(database)?;
        }

        let all = (1, i64::MAX);
        renewed.games = index_again(database, &segments, all, memory, progress)?;
        let connection = &database.connection;
        columns::rebuild(connection)
            .and_then(|()| forget_changes(connection, all.into()))
            .in_database(database)?;
        renewed.segments = stored_segments(database)?.len();
    }
    Ok(renewed)
}

/// `true` if one segment has all games as they are.
fn is_tidy(database: &Database, segments: &[Stored], memory: Memory) -> Result<bool> {
    let has_changes = database.has_changed_games()?;
    let full = RunLimits::within(memory).games as i64;
    let is_whole =
        |segment: &Stored| segment.last_game.saturating_sub(segment.first_game) >= full - 1;
    let are_few = segments.iter().rev().skip(1).all(is_whole);
    let are_current = segments.iter().all(|segment| segment.is_current);
    let is_complete = database.unindexed_games()? == 0;
    let is_readable = columns::is_readable(&database.connection).in_database(database)?;
    Ok(!has_changes && are_few && are_current && is_complete && is_readable)
}

/// Indexes the games after all segments: those of an interrupted import, which has only stored them. `progress` is called
/// with the number of games indexed and that of all of them.
pub(crate) fn catch_up(
    database: &Database,
    memory: Memory,
    progress: &mut impl FnMut(u64, u64),
) -> Result<()> {
    let segments = stored_segments(database)?;
    match database.unindexed_games()? {
        0 => Ok(()),
        all => {
            let behind = (last_game(&segments) + 1, i64::MAX);
            reindex(database, &[], behind, memory, &mut |games| {
                progress(games, all)
            })
            .map(drop)
        }
    }
}

/// The last game that is in a segment.
fn last_game(segments: &[Stored]) -> i64 {
    segments
        .iter()
        .map(|segment| segment.last_game)
        .max()
        .unwrap_or(0)
}

/// Joins the last segments if there are too many, so that few are left and no large one is rebuilt for the sake of a
/// small one.
pub(crate) fn compact(database: &Database, memory: Memory) -> Result<()> {
    let segments = stored_segments(database)?;
    let postings: Vec<i64> = segments.iter().map(|segment| segment.postings).collect();
    let (joined, from) = if segments.iter().any(|segment| !segment.is_current) {
        // Its row may not say correctly which games it has.
        (&segments[..], 1)
    } else if segments.len() > MOST_SEGMENTS {
        let joined = &segments[first_to_join(&postings)..];
        (joined, joined[0].first_game)
    } else {
        return Ok(());
    };
    reindex(database, joined, (from, i64::MAX), memory, &mut |_| {}).map(drop)
}

/// The first segment that is no larger than all later ones together; at least two are joined.
fn first_to_join(postings: &[i64]) -> usize {
    let mut after: i64 = postings.iter().sum();
    let is_no_larger = |&here: &i64| {
        after -= here;
        here <= after
    };
    let first = postings.iter().position(is_no_larger);
    first
        .unwrap_or(usize::MAX)
        .min(postings.len().saturating_sub(2))
}

fn stored_segments(database: &Database) -> Result<Vec<Stored>> {
    let lines = database.indexed_lines()?;
    Stored::all(&database.connection, lines).in_database(database)
}

/// Indexes a range of games that is in no segment; returns their number.
pub(crate) fn index_games(database: &Database, range: (i64, i64), memory: Memory) -> Result<u64> {
    reindex(database, &[], range, memory, &mut |_| {})
}

/// Rebuilds the segments of a range of games, and describes changed games anew. `segments` are all that have any of them.
fn reindex(
    database: &Database,
    segments: &[Stored],
    range: (i64, i64),
    memory: Memory,
    progress: &mut impl FnMut(u64),
) -> Result<u64> {
    let games = index_again(database, segments, range, memory, progress)?;
    database.name_changed_games(range)?;
    let connection = &database.connection;
    columns::renew(connection, range)
        .and_then(|()| forget_changes(connection, range.into()))
        .in_database(database)?;
    Ok(games)
}

/// Rebuilds the segments of a range of games. `segments` are all that have any of them.
fn index_again(
    database: &Database,
    segments: &[Stored],
    (first, last): (i64, i64),
    memory: Memory,
    progress: &mut impl FnMut(u64),
) -> Result<u64> {
    let connection = &database.connection;
    let (lines, plies) = (database.indexed_lines()?, database.indexed_plies()?);
    for segment in segments {
        segment.remove(connection).in_database(database)?;
    }
    let mut gathering = Gathering {
        database,
        run: Run::new(database.folder(), lines, RunLimits::within(memory)),
        first_game: first,
        games: 0,
    };
    let postings = |games: &[PlayedGame]| postings(games, plies);
    replay_stored(
        connection,
        (first, last),
        None,
        lines,
        postings,
        |batches| {
            batches
                .into_iter()
                .try_for_each(|(first, batch)| gathering.take(first, batch))?;
            progress((gathering.games as f64 * READING_SHARE) as u64);
            StoreResult::Ok(())
        },
    )
    .in_database(database)?;
    let Gathering {
        mut run,
        first_game,
        games,
        ..
    } = gathering;
    let mut written = |share: f64| {
        progress((games as f64 * (READING_SHARE + (1.0 - READING_SHARE) * share)) as u64);
        Ok(())
    };
    run.write_with_progress(connection, first_game, &mut written)
        .in_database(database)?;
    Ok(games)
}

struct Gathering<'d> {
    database: &'d Database,
    run: Run,
    /// The number of the run's first game.
    first_game: i64,
    games: u64,
}

impl Gathering<'_> {
    fn take(&mut self, first: i64, batch: Indexed) -> StoreResult<()> {
        let games = first - self.first_game + i64::from(batch.postings.numbers());
        if self.run.games() > 0 && games > self.run.most_games() as i64 {
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
struct Indexed {
    postings: BatchPostings,
    /// The number of games, without skipped numbers.
    games: u64,
}

/// The most consecutive skipped numbers within one batch.
const MOST_LEFT_OUT: i64 = 1 << 12;

/// The positions of games in batches, each with the number of its first game.
fn postings(games: &[PlayedGame], plies: IndexedPlies) -> Vec<(i64, Indexed)> {
    let batches = games.chunk_by(|one, next| next.id.get() - one.id.get() <= MOST_LEFT_OUT);
    batches
        .map(|games| {
            let first = games[0].id.get();
            (first, batch(first, games, plies))
        })
        .collect()
}

fn batch(first: i64, games: &[PlayedGame], plies: IndexedPlies) -> Indexed {
    let mut postings = BatchPostings::default();
    for game in games {
        postings.skip_to((game.id.get() - first) as u32);
        postings.push_game(game.indexed_visits(plies), game.facts);
    }
    postings.divide();
    Indexed {
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
