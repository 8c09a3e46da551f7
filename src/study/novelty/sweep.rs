//! Novelties of many games: all games are replayed, and a table of the positions that several games have tells the first
//! game of each position.
//!
//! The first replay sets bits. If most games are chosen, all are replayed: a position whose bit is met once is in one
//! game only, and new there. If few are chosen, only the chosen games are replayed, and only their positions matter. The
//! second replay, of all games, enters the positions that matter into the table. The third replay compares the chosen games
//! with the table. If the table would not fit into memory, positions are divided into parts by their keys, and the second
//! and the third replay are repeated for each part.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use rusqlite::Connection;

use super::ages::{Ages, NumberedAges};
use super::found::Novelty;
use super::steps::{Identity, each_position, positions};
use crate::error::Result;
use crate::game::Ply;
use crate::query::Watch;
use crate::storage::{
    Database, GameId, GameSet, InDatabase, IndexedLines, PlayedGame, replay_stored,
};
use crate::threads;

/// The bits of the filter for each position of a game, so that few positions share a bit with another one.
const BITS_PER_POSITION: u64 = 8;
/// The greatest part of all positions that several games have. The table is divided into parts by this estimate.
const SHARED_PART: f64 = 0.5;
/// Chosen games are a subset, whose positions alone matter, if they are fewer than one in this many.
const SUBSET_PART: u64 = 4;
/// The positions that a game shares with a subset of all games: the positions of its opening.
const SHARED_WITH_SUBSET: u64 = 24;

/// Finds the novelties of games, in the order of their numbers.
pub(super) fn novelties(
    database: &Database,
    ages: &Ages,
    chosen: &GameSet,
    memory: usize,
    watch: &Watch<'_>,
) -> Result<Vec<Novelty>> {
    let ages = &ages.numbered();
    let positions = count_positions(&database.connection).in_database(database)?;
    let is_subset = chosen.len() < ages.len() / SUBSET_PART;
    let entries = entries(positions, ages.len(), chosen.len(), is_subset);
    let bytes = entries as f64 * size_of::<Identity>() as f64;
    let parts = (bytes / memory.max(1) as f64).ceil().max(1.0) as u64;

    // The table is made again for the second look at each part, if there are several.
    let tables = if parts > 1 { 2 * parts } else { 1 };
    let first_replay = if is_subset { chosen.len() } else { ages.len() };
    let replays = first_replay + tables * ages.len() + parts * chosen.len();
    let sweep = Sweep {
        database,
        ages,
        watch,
        replayed: Cell::new(0),
        replays,
    };
    let shared = if is_subset {
        sweep.positions_of(chosen, positions)?
    } else {
        sweep.shared(positions)?
    };

    // The first new position of a game may be in any part.
    let mut firsts: Vec<(GameId, First)> = Vec::new();
    let mut table = Table::default();
    for number in 0..parts {
        let part = Part { number, of: parts };
        table = sweep.table(&shared, part)?;

        // Both lists are in the order of games.
        let mut earlier_parts = firsts.into_iter().peekable();
        let mut merged = Vec::new();
        sweep.each(
            chosen,
            |game, age| first(game, age, &shared, &table, part),
            |game, in_part| {
                let before = earlier_parts
                    .next_if(|(other, _)| *other == game)
                    .map(|(_, first)| first);
                let earliest = First::earlier(before, in_part);
                merged.extend(earliest.map(|first| (game, first)));
            },
        )?;
        firsts = merged;
    }

    let mut novelties: Vec<Novelty> = firsts
        .iter()
        .map(|&(game, First { ply, after, .. })| Novelty {
            game,
            ply,
            after,
            before: 0,
            last: None,
        })
        .collect();

    // The games before a novelty are games of the position before it, which may be in another part.
    for number in 0..parts {
        let part = Part { number, of: parts };
        if parts > 1 {
            table = sweep.table(&shared, part)?;
        }
        for (novelty, (game, first)) in novelties.iter_mut().zip(&firsts) {
            if !part.has(first.parent) {
                continue;
            }
            if let Some(age) = ages.of(*game) {
                let (before, last) = table.before(first.parent, age);
                novelty.before = before;
                novelty.last = last.and_then(|age| ages.game(age));
            }
        }
    }
    Ok(novelties)
}

/// The number of positions of all games, at most.
fn count_positions(connection: &Connection) -> rusqlite::Result<u64> {
    let sql = "SELECT coalesce(sum(ply_count + 1), 0) FROM game";
    let sum: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(sum.max(0) as u64)
}

/// The approximate number of entries of the table.
fn entries(positions: u64, games: u64, chosen: u64, is_subset: bool) -> u64 {
    let shared = (positions as f64 * SHARED_PART) as u64;
    if !is_subset {
        return shared;
    }

    let of_chosen = positions / games.max(1) * chosen;
    shared.min(games * SHARED_WITH_SUBSET + of_chosen)
}

/// The first new position of a game.
#[derive(Clone, Copy, Debug)]
struct First {
    ply: Ply,
    /// The position before.
    parent: Identity,
    /// The number of later games.
    after: u64,
}

impl First {
    fn earlier(one: Option<First>, other: Option<First>) -> Option<First> {
        one.into_iter().chain(other).min_by_key(|first| first.ply)
    }
}

/// A part of all positions.
#[derive(Clone, Copy, Debug)]
struct Part {
    number: u64,
    of: u64,
}

impl Part {
    fn has(self, identity: Identity) -> bool {
        self.of == 1 || (identity >> 64) as u64 % self.of == self.number
    }
}

/// The first new position of a game in a part.
fn first(game: &PlayedGame, age: u32, shared: &Shared, table: &Table, part: Part) -> Option<First> {
    let mut found = None;
    let mut parent = 0;
    each_position(game, |ply, identity| {
        if ply > Ply::START && part.has(identity) {
            let later = if shared.has(identity) {
                table.later_than_first(identity, age)
            } else {
                Some(0)
            };
            found = later.map(|after| First { ply, parent, after });
        }
        parent = identity;
        found.is_none()
    });
    found
}

/// A bit for each position that was met, and a bit for each position that was met again.
struct Shared {
    once: Vec<AtomicU64>,
    again: Vec<AtomicU64>,
}

impl Shared {
    /// No bits yet, with room for a number of positions.
    fn new(positions: u64) -> Shared {
        let words = (positions * BITS_PER_POSITION)
            .div_ceil(64)
            .next_power_of_two()
            .max(1);
        let bits = || (0..words).map(|_| AtomicU64::new(0)).collect();
        Shared {
            once: bits(),
            again: bits(),
        }
    }

    /// The word and the bit of a position.
    fn place(&self, identity: Identity) -> (usize, u64) {
        let key = (identity >> 64) as u64;
        // The number of words is a power of two.
        let word = (key >> 6) as usize & (self.once.len() - 1);
        (word, 1 << (key & 63))
    }

    fn add(&self, identity: Identity) {
        let (word, bit) = self.place(identity);
        if self.once[word].fetch_or(bit, Ordering::Relaxed) & bit != 0 {
            self.again[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Adds a position as if it had been met before.
    fn add_shared(&self, identity: Identity) {
        let (word, bit) = self.place(identity);
        self.again[word].fetch_or(bit, Ordering::Relaxed);
    }

    /// `false` if only one game has the position, or if it is of no interest.
    fn has(&self, identity: Identity) -> bool {
        let (word, bit) = self.place(identity);
        self.again[word].load(Ordering::Relaxed) & bit != 0
    }
}

/// Positions with the ages of their games, sorted.
#[derive(Debug, Default)]
struct Table(Vec<Identity>);

impl Table {
    /// The entries of a position, by age.
    fn games(&self, identity: Identity) -> &[Identity] {
        let start = self.0.partition_point(|entry| *entry < identity);
        let rest = &self.0[start..];
        let last = identity | Identity::from(u32::MAX);

        // Most lists are short, so the end is searched from the start, in steps that double.
        let mut end = 1;
        while end < rest.len() && rest[end] <= last {
            end *= 2;
        }
        let end = end.min(rest.len());
        &rest[..rest[..end].partition_point(|entry| *entry <= last)]
    }

    /// The number of later games if the game of an age is the first with a position.
    fn later_than_first(&self, identity: Identity, age: u32) -> Option<u64> {
        let games = self.games(identity);
        let is_first = games.first().is_none_or(|first| *first as u32 == age);
        is_first.then(|| games.len().saturating_sub(1) as u64)
    }

    /// The number of games with a position before the game of an age, and the age of the last of these games.
    fn before(&self, identity: Identity, age: u32) -> (u64, Option<u32>) {
        let games = self.games(identity);
        let before = games.partition_point(|entry| (*entry as u32) < age);
        let last = before.checked_sub(1).map(|last| games[last] as u32);
        (before as u64, last)
    }
}

/// Replays of the games of a database.
struct Sweep<'d> {
    database: &'d Database,
    ages: &'d NumberedAges<'d>,
    watch: &'d Watch<'d>,
    /// The number of replays so far.
    replayed: Cell<u64>,
    /// The number of all replays.
    replays: u64,
}

impl Sweep<'_> {
    /// The positions of some games, as if each occurred in another game, too.
    fn positions_of(&self, games: &GameSet, count: u64) -> Result<Shared> {
        let shared = Shared::new(count);
        let add =
            |game: &PlayedGame, _| positions(game).for_each(|identity| shared.add_shared(identity));
        self.replay(Some(games), |_| true, add, |_, ()| {})?;
        Ok(shared)
    }

    /// The positions that several games have.
    fn shared(&self, count: u64) -> Result<Shared> {
        let shared = Shared::new(count);
        self.all(
            |game, _| positions(game).for_each(|identity| shared.add(identity)),
            |()| {},
        )?;
        Ok(shared)
    }

    /// The positions of a part that matter, with the ages of their games.
    fn table(&self, shared: &Shared, part: Part) -> Result<Table> {
        let mut entries: Vec<Identity> = Vec::new();
        let entries_of = |game: &PlayedGame, age: u32| -> Vec<Identity> {
            let in_part =
                positions(game).filter(|&identity| part.has(identity) && shared.has(identity));
            in_part
                .map(|identity| identity | Identity::from(age))
                .collect()
        };
        self.all(entries_of, |of_game| entries.extend(of_game))?;
        threads::install(|| entries.par_sort_unstable());
        Ok(Table(entries))
    }

    fn all<R: Send>(
        &self,
        work: impl Fn(&PlayedGame, u32) -> R + Sync,
        mut take: impl FnMut(R),
    ) -> Result<()> {
        self.replay(None, |_| true, work, |_, result| take(result))
    }

    /// Replays some games, in the order of their numbers.
    fn each<R: Send>(
        &self,
        games: &GameSet,
        work: impl Fn(&PlayedGame, u32) -> R + Sync,
        take: impl FnMut(GameId, R),
    ) -> Result<()> {
        // If most games are chosen, all rows are scanned, and the other games are skipped.
        let is_most = 2 * games.len() > self.ages.len();
        let listed = if is_most { None } else { Some(games) };
        let is_chosen = |game: GameId| !is_most || games.contains(game);
        self.replay(listed, is_chosen, work, take)
    }

    /// Replays the listed games, by default all, if they are chosen and have an age. `take` gets the results in the order of
    /// the games' numbers.
    fn replay<R: Send>(
        &self,
        listed: Option<&GameSet>,
        is_chosen: impl Fn(GameId) -> bool + Sync,
        work: impl Fn(&PlayedGame, u32) -> R + Sync,
        mut take: impl FnMut(GameId, R),
    ) -> Result<()> {
        let ages = self.ages;
        let work_on_batch = |games: &[PlayedGame]| -> Vec<(GameId, R)> {
            let chosen = games.iter().filter(|game| is_chosen(game.id));
            let aged = chosen.filter_map(|game| Some((game, ages.of(game.id)?)));
            aged.map(|(game, age)| (game.id, work(game, age))).collect()
        };
        let mut take_batch = |results: Vec<(GameId, R)>| -> Result<()> {
            let replayed = self.replayed.get() + results.len() as u64;
            self.replayed.set(replayed);
            self.watch.report(replayed, self.replays);
            self.watch.check()?;

            for (game, result) in results {
                take(game, result);
            }
            Ok(())
        };
        let sink = |results| take_batch(results).map_err(Stopped::Here);

        let range = (i64::MIN, i64::MAX);
        let connection = &self.database.connection;
        let lines = IndexedLines::Mainline;
        replay_stored(connection, range, listed, lines, work_on_batch, sink).map_err(|stopped| {
            match stopped {
                Stopped::Here(error) => error,
                Stopped::Read(error) => self.database.error(error),
            }
        })
    }
}

/// Why a replay of all games ended.
enum Stopped {
    Here(crate::error::Error),
    Read(rusqlite::Error),
}

impl From<rusqlite::Error> for Stopped {
    fn from(error: rusqlite::Error) -> Stopped {
        Stopped::Read(error)
    }
}
