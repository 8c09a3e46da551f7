//! Parallel scans: all threads replay games for a pattern query, and hits come in the order of the games.

use rusqlite::Connection;

use super::position_query::PositionQuery;
use super::rows::{Batch, Candidate, CandidateGame};
use crate::board::Position;
use crate::game::Ply;
use crate::ordered::ordered_here;
use crate::replay::Mainline;
use crate::storage::{GameId, Readers};
use crate::threads;

/// A game that a pattern query matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternHit {
    /// The number of the game.
    pub game: GameId,
    /// Half-moves played before the first match.
    pub ply: Ply,
}

/// The number of games that one thread replays at once. The first batches have fewer, so that the first hits come soon.
const BATCH_GAMES: usize = 512;
const FIRST_BATCH_GAMES: usize = 16;

/// The number of batches that are read ahead or in work, for each thread.
const BATCHES_AHEAD: usize = 3;

/// Scans the mainlines of some games, in ascending order of their numbers, and returns up to `limit` games that match,
/// in ascending order, too. The calling thread reads the games, and all threads replay them.
///
/// `progress` receives the number of candidates scanned, from time to time. A thread of the pool that calls this works
/// alone, since it must not wait for the others.
///
/// # Errors
/// When the database cannot be read.
pub fn scan(
    connection: &Connection,
    query: &PositionQuery,
    candidates: impl Iterator<Item = Candidate>,
    limit: usize,
    progress: impl FnMut(u64),
) -> rusqlite::Result<Vec<PatternHit>> {
    let read = |chosen: Vec<Candidate>| Batch::read(connection, &chosen);
    let search = |batch: Batch| Ok(search_batch(query, &batch));
    in_batches(candidates, limit, progress, read, search)
}

/// Like [`scan`], but all threads read, through a connection for each thread. All connections see one snapshot.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn scan_parallel(
    readers: &Readers,
    query: &PositionQuery,
    candidates: impl Iterator<Item = Candidate>,
    limit: usize,
    progress: impl FnMut(u64),
) -> rusqlite::Result<Vec<PatternHit>> {
    let read_and_search = |chosen: Vec<Candidate>| {
        // Other threads may share the connection, so it is free again before the batch is searched.
        let batch = Batch::read(&readers.for_thread().connection, &chosen)?;
        Ok(search_batch(query, &batch))
    };
    in_batches(candidates, limit, progress, Ok, read_and_search)
}

/// The cause of the end of a scan before its last candidate.
enum End {
    Enough,
    Failed(rusqlite::Error),
}

impl From<rusqlite::Error> for End {
    fn from(error: rusqlite::Error) -> End {
        End::Failed(error)
    }
}

/// Passes candidates to `prepare` on this thread, a batch at a time, and its results to `work` on all threads.
fn in_batches<T: Send>(
    candidates: impl Iterator<Item = Candidate>,
    limit: usize,
    mut progress: impl FnMut(u64),
    mut prepare: impl FnMut(Vec<Candidate>) -> rusqlite::Result<T>,
    work: impl Fn(T) -> rusqlite::Result<Vec<PatternHit>> + Sync,
) -> rusqlite::Result<Vec<PatternHit>> {
    if limit == 0 {
        return Ok(Vec::new());
    }

    let batches = Batches {
        candidates,
        batch_size: FIRST_BATCH_GAMES,
    };
    let prepared = batches.map(|chosen| {
        let games = chosen.len() as u64;
        Ok((games, prepare(chosen)?))
    });

    let mut found = Vec::new();
    let mut scanned = 0;
    let sink = |(games, answer): (u64, rusqlite::Result<Vec<PatternHit>>)| {
        // The last batch may have more hits than are left to the limit. The scan ends as soon as the limit is reached.
        let hits = answer?;
        let left = limit - found.len();
        found.extend(hits.into_iter().take(left));
        scanned += games;
        progress(scanned);

        if found.len() < limit {
            Ok(())
        } else {
            Err(End::Enough)
        }
    };

    let ahead = BATCHES_AHEAD * threads::count();
    let in_work = |(games, batch)| (games, work(batch));
    match ordered_here(prepared, ahead, in_work, sink) {
        Err(End::Failed(error)) => Err(error),
        Ok(()) | Err(End::Enough) => Ok(found),
    }
}

/// An iterator over batches of candidates.
struct Batches<I> {
    candidates: I,
    /// The size of the next batch.
    batch_size: usize,
}

impl<I: Iterator<Item = Candidate>> Iterator for Batches<I> {
    type Item = Vec<Candidate>;

    fn next(&mut self) -> Option<Vec<Candidate>> {
        let chosen: Vec<Candidate> = self.candidates.by_ref().take(self.batch_size).collect();
        if chosen.is_empty() {
            return None;
        }

        self.batch_size = (2 * self.batch_size).min(BATCH_GAMES);
        Some(chosen)
    }
}

/// The games of a batch that match.
fn search_batch(query: &PositionQuery, batch: &Batch) -> Vec<PatternHit> {
    let mut found = Vec::new();
    for game in &batch.games {
        if let Some(ply) = first_match(query, batch, game) {
            let game = game.id;
            found.push(PatternHit { game, ply });
        }
    }
    found
}

/// The number of plies before the first match in a game; `None` without a match, or if the start position is invalid.
fn first_match(query: &PositionQuery, batch: &Batch, game: &CandidateGame) -> Option<Ply> {
    let start = match game.fen.as_deref() {
        Some(fen) => Some(Position::from_fen(fen).ok()?),
        None => None,
    };

    let moves = batch.moves(game);
    if game.is_trusted {
        return query.first_in_trusted(start.as_ref(), moves);
    }

    // Another program may have written these moves, so the legality of each move is checked.
    let movetext = str::from_utf8(moves).unwrap_or_default();
    let line = Mainline::from_position(start.unwrap_or_default(), movetext);
    query.first_in(line)
}
