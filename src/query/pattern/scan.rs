//! A question asked of many stored games: all threads replay, and answers come in the order of the games.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use rusqlite::Connection;

use super::position_query::PositionQuery;
use super::rows::{Batch, CandidateGame};
use crate::board::Position;
use crate::replay::Mainline;
use crate::storage::Readers;
use crate::threads;

/// A game that is to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its number.
    pub game: i64,
    /// Whether it is known to have positions from the usual start on, so that its row in `game` need not be read.
    pub starts_as_usual: bool,
    /// Whether its moves are canonical SAN, as an import has written them.
    pub is_trusted: bool,
}

/// A game in which a question holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its number.
    pub game: i64,
    /// Half-moves played where it first holds.
    pub ply: u32,
}

/// Games that one thread replays at once; the first batches have fewer, so that the first answers come soon.
const BATCH_GAMES: usize = 512;
const FIRST_BATCH_GAMES: usize = 16;

/// Batches that are read or under way, for each thread.
const BATCHES_AHEAD: usize = 3;

/// Asks a question of the mainlines of some games, in the ascending order of their numbers, and gives up to `limit`
/// games in which it holds, in the same order. This thread reads them, all replay them.
///
/// `progress` is told how many candidates have been looked at, from time to time. A thread of the pool that would do
/// the work does it alone: it may not wait for the others.
///
/// # Errors
/// When the database cannot be read.
pub fn scan(
    connection: &Connection,
    question: &PositionQuery,
    candidates: impl Iterator<Item = Candidate>,
    limit: usize,
    progress: impl FnMut(u64),
) -> rusqlite::Result<Vec<Found>> {
    in_batches(candidates, limit, progress, |chosen| {
        let batch = Batch::read(connection, &chosen)?;
        Ok(move || Ok(ask(question, &batch)))
    })
}

/// The same, with a connection for each thread, all of which see one state of the database: all threads read.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn scan_parallel(
    readers: &Readers,
    question: &PositionQuery,
    candidates: impl Iterator<Item = Candidate>,
    limit: usize,
    progress: impl FnMut(u64),
) -> rusqlite::Result<Vec<Found>> {
    in_batches(candidates, limit, progress, |chosen| {
        Ok(move || {
            let batch = Batch::read(&readers.own().connection, &chosen)?;
            Ok(ask(question, &batch))
        })
    })
}

/// Hands candidates to `prepare` on this thread, some at a time, and does what it gives on all threads.
fn in_batches<W>(
    candidates: impl Iterator<Item = Candidate>,
    limit: usize,
    progress: impl FnMut(u64),
    mut prepare: impl FnMut(Vec<Candidate>) -> rusqlite::Result<W>,
) -> rusqlite::Result<Vec<Found>>
where
    W: FnOnce() -> rusqlite::Result<Vec<Found>> + Send,
{
    let is_done = AtomicBool::new(limit == 0);
    let (sender, results) = channel();
    let mut answers = Answers::new(results, limit, progress);
    let is_alone = threads::is_one();
    threads::in_place_scope(|pool| {
        // Whatever ends this, what is still under way is for nobody.
        let _end = SetOnDrop(&is_done);
        let mut batches = Batches { candidates, games: FIRST_BATCH_GAMES };
        for number in 0.. {
            answers.take(BATCHES_AHEAD * threads::count())?;
            if answers.are_complete() {
                break;
            }
            let Some(chosen) = batches.next() else { break };
            let looked_at = chosen.len() as u64;
            let work = prepare(chosen)?;
            let (sender, is_done) = (sender.clone(), &is_done);
            answers.under_way += 1;
            let answer = move || {
                let mut answer = Answer { sender, number, looked_at, found: Ok(Vec::new()) };
                if !is_done.load(Ordering::Relaxed) {
                    answer.found = work();
                }
            };
            match is_alone {
                true => answer(),
                false => pool.spawn(move |_| answer()),
            }
        }
        answers.take(1)?;
        Ok(answers.found)
    })
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What a batch is going to give, which is handed over whatever happens to it: somebody waits for it.
struct Answer {
    sender: Sender<Answered>,
    number: usize,
    looked_at: u64,
    found: rusqlite::Result<Vec<Found>>,
}

impl Drop for Answer {
    fn drop(&mut self) {
        let found = std::mem::replace(&mut self.found, Ok(Vec::new()));
        // Nobody listens any more when enough has been found.
        let _ = self.sender.send((self.number, self.looked_at, found));
    }
}

/// Cuts candidates into batches.
struct Batches<I> {
    candidates: I,
    /// How many the next batch has.
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

/// The games of a batch in which a question holds.
fn ask(question: &PositionQuery, batch: &Batch) -> Vec<Found> {
    let ply = |game: &CandidateGame| ask_one(question, batch, game);
    batch.games.iter().filter_map(|game| Some(Found { game: game.id, ply: ply(game)? })).collect()
}

fn ask_one(question: &PositionQuery, batch: &Batch, game: &CandidateGame) -> Option<u32> {
    let start = game.fen.as_deref().map(Position::from_fen).transpose().ok()?;
    let moves = batch.moves(game);
    if game.is_trusted {
        return question.first_in_trusted(start.as_ref(), moves);
    }
    let moves = str::from_utf8(moves).unwrap_or_default();
    question.first_in(Mainline::from_position(start.unwrap_or_default(), moves))
}

/// What a batch has given: its number, its candidates, and where the question holds.
type Answered = (usize, u64, rusqlite::Result<Vec<Found>>);

/// Puts the answers of batches in their order.
struct Answers<P> {
    results: Receiver<Answered>,
    /// Those that came before their turn.
    early: BTreeMap<usize, (u64, Vec<Found>)>,
    next: usize,
    under_way: usize,
    looked_at: u64,
    found: Vec<Found>,
    limit: usize,
    progress: P,
}

impl<P: FnMut(u64)> Answers<P> {
    fn new(results: Receiver<Answered>, limit: usize, progress: P) -> Answers<P> {
        let early = BTreeMap::new();
        let found = Vec::new();
        Answers { results, early, next: 0, under_way: 0, looked_at: 0, found, limit, progress }
    }

    fn are_complete(&self) -> bool {
        self.found.len() >= self.limit
    }

    /// Takes answers until fewer batches than so many are under way, or enough has been found.
    fn take(&mut self, batches: usize) -> rusqlite::Result<()> {
        while self.under_way >= batches && !self.are_complete() {
            let Ok((number, candidates, found)) = self.results.recv() else { break };
            self.under_way -= 1;
            self.early.insert(number, (candidates, found?));
            self.put_in_order();
        }
        Ok(())
    }

    fn put_in_order(&mut self) {
        while let Some((candidates, found)) = self.early.remove(&self.next) {
            self.next += 1;
            self.looked_at += candidates;
            let missing = self.limit - self.found.len();
            self.found.extend(found.into_iter().take(missing));
            (self.progress)(self.looked_at);
        }
    }
}
