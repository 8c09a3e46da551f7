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
pub struct Found {
    /// Its number.
    pub game: GameId,
    /// Half-moves played before the first match.
    pub ply: Ply,
}

/// Games that one thread replays at once; the first batches have fewer, so that the first hits come soon.
const BATCH_GAMES: usize = 512;
const FIRST_BATCH_GAMES: usize = 16;

/// Batches read ahead or in work, for each thread.
const BATCHES_AHEAD: usize = 3;

/// Scans the mainlines of some games, in ascending order of their numbers, and returns up to `limit` games that match,
/// in the same order. The calling thread reads them, all threads replay them.
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
) -> rusqlite::Result<Vec<Found>> {
    let read = |chosen: Vec<Candidate>| Batch::read(connection, &chosen);
    in_batches(candidates, limit, progress, read, |batch| {
        Ok(search_batch(query, &batch))
    })
}

/// Like [`scan`], with a connection for each thread, all of which see one snapshot: all threads read.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn scan_parallel(
    readers: &Readers,
    query: &PositionQuery,
    candidates: impl Iterator<Item = Candidate>,
    limit: usize,
    progress: impl FnMut(u64),
) -> rusqlite::Result<Vec<Found>> {
    in_batches(candidates, limit, progress, Ok, |chosen| {
        let batch = Batch::read(&readers.own().connection, &chosen)?;
        Ok(search_batch(query, &batch))
    })
}

/// Why a scan ends before its last candidate.
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
    work: impl Fn(T) -> rusqlite::Result<Vec<Found>> + Sync,
) -> rusqlite::Result<Vec<Found>> {
    let (mut found, mut looked_at) = (Vec::new(), 0);
    if limit == 0 {
        return Ok(found);
    }
    let batches = Batches {
        candidates,
        games: FIRST_BATCH_GAMES,
    };
    let batches = batches.map(|chosen| Ok((chosen.len() as u64, prepare(chosen)?)));
    let sink = |(candidates, answer): (u64, rusqlite::Result<Vec<Found>>)| {
        found.extend(answer?.into_iter().take(limit - found.len()));
        looked_at += candidates;
        progress(looked_at);
        if found.len() < limit {
            Ok(())
        } else {
            Err(End::Enough)
        }
    };
    let ahead = BATCHES_AHEAD * threads::count();
    match ordered_here(
        batches,
        ahead,
        |(candidates, batch)| (candidates, work(batch)),
        sink,
    ) {
        Err(End::Failed(error)) => Err(error),
        Ok(()) | Err(End::Enough) => Ok(found),
    }
}

/// An iterator over batches of candidates.
struct Batches<I> {
    candidates: I,
    /// The size of the next batch.
    games: usize,
}

impl<I: Iterator<Item = Candidate>> Iterator for Batches<I> {
    type Item = Vec<Candidate>;

    fn next(&mut self) -> Option<Vec<Candidate>> {
        let chosen: Vec<Candidate> = self.candidates.by_ref().take(self.games).collect();
        self.games = (2 * self.games).min(BATCH_GAMES);
        Some(chosen).filter(|chosen| !chosen.is_empty())
    }
}

/// The games of a batch that match.
fn search_batch(query: &PositionQuery, batch: &Batch) -> Vec<Found> {
    let ply = |game: &CandidateGame| first_match(query, batch, game);
    batch
        .games
        .iter()
        .filter_map(|game| {
            Some(Found {
                game: game.id,
                ply: ply(game)?,
            })
        })
        .collect()
}

fn first_match(query: &PositionQuery, batch: &Batch, game: &CandidateGame) -> Option<Ply> {
    let start = game
        .fen
        .as_deref()
        .map(Position::from_fen)
        .transpose()
        .ok()?;
    let moves = batch.moves(game);
    if game.is_trusted {
        return query.first_in_trusted(start.as_ref(), moves);
    }
    let moves = str::from_utf8(moves).unwrap_or_default();
    query.first_in(Mainline::from_position(start.unwrap_or_default(), moves))
}
