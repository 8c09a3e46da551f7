//! Novelties of many games: all games are replayed, and a table of the positions that several of them have tells the
//! first one of each.
//!
//! The first replay sets bits. If most games are chosen, all are replayed: a position whose bit is met once is in one
//! game only, and new there. If few are chosen, they alone are replayed, and their positions are those of interest. The
//! second replay, of all games, enters the positions of interest into the table; the third holds the chosen games
//! against it. If the table would not fit into memory, positions are divided into parts by their keys, and the second
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

/// The bits of the filter for each position of a game: so few positions of one game share theirs with another.
const BITS_PER_POSITION: u64 = 8;
/// The part of all positions that several games have, at most, as the table is divided by it.
const SHARED_PART: f64 = 0.5;
/// Fewer games than one in this many are a subset, whose positions are looked for in all games.
const SUBSET_PART: u64 = 4;
/// The positions that a game shares with a subset of all games: those of its opening.
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
    let shared = match is_subset {
        true => sweep.positions_of(chosen, positions)?,
        false => sweep.shared(positions)?,
    };
    let mut firsts: Vec<(GameId, First)> = Vec::new();
    let mut table = Table::default();
    for part in 0..parts {
        let part = Part {
            number: part,
            of: parts,
        };
        table = sweep.table(&shared, part)?;
        let mut found = firsts.into_iter().peekable();
        let mut merged = Vec::new();
        sweep.each(
            chosen,
            |game, age| first(game, age, &shared, &table, part),
            |game, first| {
                let before = found
                    .next_if(|(other, _)| *other == game)
                    .map(|(_, first)| first);
                merged.extend(First::earlier(before, first).map(|first| (game, first)));
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
    for part in 0..parts {
        let part = Part {
            number: part,
            of: parts,
        };
        if parts > 1 {
            table = sweep.table(&shared, part)?;
        }
        for (novelty, (game, first)) in novelties.iter_mut().zip(&firsts) {
            if let (true, Some(age)) = (part.has(first.parent), ages.of(*game)) {
                let (before, last) = table.before(first.parent, age);
                (novelty.before, novelty.last) = (before, last.and_then(|age| ages.game(age)));
            }
        }
    }
    Ok(novelties)
}

/// The number of positions of all games, at most.
fn count_positions(connection: &Connection) -> rusqlite::Result<u64> {
    let sql = "SELECT coalesce(sum(ply_count + 1), 0) FROM game";
    connection
        .query_row(sql, [], |row| row.get::<_, i64>(0))
        .map(|sum| sum.max(0) as u64)
}

/// The number of entries of the table, approximately, for some of all games.
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

/// The first position of a game that is new among those of a part.
fn first(game: &PlayedGame, age: u32, shared: &Shared, table: &Table, part: Part) -> Option<First> {
    let mut found = None;
    let mut parent = 0;
    each_position(game, |ply, identity| {
        if ply > Ply::START && part.has(identity) {
            let later = match shared.has(identity) {
                true => table.later_than_first(identity, age),
                false => Some(0),
            };
            found = later.map(|after| First { ply, parent, after });
        }
        parent = identity;
        found.is_none()
    });
    found
}

/// Bits of positions: those met once, and those met again.
struct Shared {
    once: Vec<AtomicU64>,
    again: Vec<AtomicU64>,
}

impl Shared {
    /// Without a position yet, for a number of them.
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
        ((key >> 6) as usize & (self.once.len() - 1), 1 << (key & 63))
    }

    fn add(&self, identity: Identity) {
        let (word, bit) = self.place(identity);
        if self.once[word].fetch_or(bit, Ordering::Relaxed) & bit != 0 {
            self.again[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Adds a position that counts as that of several games.
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
        // Most lists are short.
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

    /// The number of games with a position before that of an age, and the age of the last of them.
    fn before(&self, identity: Identity, age: u32) -> (u64, Option<u32>) {
        let games = self.games(identity);
        let before = games.partition_point(|entry| (*entry as u32) < age);
        (
            before as u64,
            before.checked_sub(1).map(|last| games[last] as u32),
        )
    }
}

/// Replays of the games of a database.
struct Sweep<'d> {
    database: &'d Database,
    ages: &'d NumberedAges<'d>,
    watch: &'d Watch<'d>,
    /// The games replayed so far, each time they are.
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

    fn shared(&self, count: u64) -> Result<Shared> {
        let shared = Shared::new(count);
        self.all(
            |game, _| positions(game).for_each(|identity| shared.add(identity)),
            |()| {},
        )?;
        Ok(shared)
    }

    fn table(&self, shared: &Shared, part: Part) -> Result<Table> {
        let mut entries: Vec<Identity> = Vec::new();
        let entries_of = |game: &PlayedGame, age: u32| -> Vec<Identity> {
            let positions = positions(game);
            let wanted = positions.filter(|&identity| part.has(identity) && shared.has(identity));
            wanted
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

    fn each<R: Send>(
        &self,
        games: &GameSet,
        work: impl Fn(&PlayedGame, u32) -> R + Sync,
        take: impl FnMut(GameId, R),
    ) -> Result<()> {
        let is_most = 2 * games.len() > self.ages.len();
        let (listed, wanted) = if is_most {
            (None, Some(games))
        } else {
            (Some(games), None)
        };
        let is_wanted = |game: GameId| wanted.is_none_or(|wanted| wanted.contains(game));
        self.replay(listed, is_wanted, work, take)
    }

    fn replay<R: Send>(
        &self,
        games: Option<&GameSet>,
        is_wanted: impl Fn(GameId) -> bool + Sync,
        work: impl Fn(&PlayedGame, u32) -> R + Sync,
        mut take: impl FnMut(GameId, R),
    ) -> Result<()> {
        let ages = self.ages;
        let work = |games: &[PlayedGame]| -> Vec<(GameId, R)> {
            let aged = games.iter().filter(|game| is_wanted(game.id));
            let aged = aged.filter_map(|game| Some((game, ages.of(game.id)?)));
            aged.map(|(game, age)| (game.id, work(game, age))).collect()
        };
        let mut sink = |results: Vec<(GameId, R)>| {
            self.replayed
                .update(|replayed| replayed + results.len() as u64);
            self.watch.report(self.replayed.get(), self.replays);
            self.watch.check()?;
            results
                .into_iter()
                .for_each(|(game, result)| take(game, result));
            Ok(())
        };
        let sink = |results| sink(results).map_err(Stopped::Here);
        let range = (i64::MIN, i64::MAX);
        let connection = &self.database.connection;
        let lines = IndexedLines::Mainline;
        replay_stored(connection, range, games, lines, work, sink).map_err(
            |stopped| match stopped {
                Stopped::Here(error) => error,
                Stopped::Read(error) => self.database.error(error),
            },
        )
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
