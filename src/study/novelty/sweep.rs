//! Novelties of many games: all games are replayed, and a table of the positions that several games have lists the
//! games of each position by age.
//!
//! The first replay sets the bits of a filter. If many games are chosen, it replays all games: a position whose bit is
//! set once occurs in one game only, and is new in this game. If few games are chosen, it replays only the chosen
//! games, since only their positions matter. The second replay, of all games, enters the positions that matter into the
//! table. The third replay compares the chosen games with the table. If the table would not fit into memory, positions
//! are divided into parts by their keys. Then the second and the third replay are repeated for each part.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::ages::{Ages, NumberedAges};
use super::found::Novelty;
use super::steps::{Identity, each_position, positions};
use crate::error::Result;
use crate::game::Ply;
use crate::query::Watch;
use crate::storage::{Database, GameId, GameSet, PlayedGame};
use crate::study::replays::replay_games;
use crate::threads;

/// The bits of the filter for each position of a game. With 8 bits, few positions share a bit with another position.
const BITS_PER_POSITION: u64 = 8;
/// The assumed maximum share of positions that several games have. The table is divided into parts by this estimate.
const MAX_SHARED_PART: f64 = 0.5;
/// The chosen games are a subset if they are fewer than one in this many games. Then only their positions matter.
const SUBSET_PART: u64 = 4;
/// The assumed number of positions that a game shares with a subset of all games: the positions of its opening.
const SHARED_WITH_SUBSET: u64 = 24;

/// Finds the novelties of games, in the order of their numbers.
pub(super) fn novelties(
    database: &Database,
    ages: &Ages,
    chosen: &GameSet,
    memory: usize,
    watch: &Watch<'_>,
) -> Result<Vec<Novelty>> {
    let numbered_ages = ages.numbered();
    // More positions than counted make the filter less exact, not the result.
    let positions = database.count_visited_positions()?;
    // The positions of a subset alone make a small table: a year of 36,004 among a million games takes a fifth of the
    // time.
    let is_subset = chosen.len() < ages.len() / SUBSET_PART;

    let entries = table_entries(positions, ages.len(), chosen.len(), is_subset);
    let parts = table_parts(entries, memory);
    let sweep = Sweep {
        database,
        ages: &numbered_ages,
        watch,
        games_replayed: Cell::new(0),
        games_to_replay: count_games_to_replay(ages.len(), chosen.len(), parts, is_subset),
    };

    let filter = if is_subset {
        sweep.positions_of_games(chosen, positions)?
    } else {
        sweep.shared_positions(positions)?
    };
    let (firsts, last_table) = sweep.first_new_positions(chosen, &filter, parts)?;

    let mut novelties = Vec::with_capacity(firsts.len());
    for &(game, First { ply, after, .. }) in &firsts {
        novelties.push(Novelty {
            game,
            ply,
            after,
            before: 0,
            last: None,
        });
    }
    sweep.count_games_before(&mut novelties, &firsts, &filter, parts, last_table)?;
    Ok(novelties)
}

/// The number of games that all replays together replay, with repetitions, for the progress.
fn count_games_to_replay(games: u64, chosen: u64, parts: u64, is_subset: bool) -> u64 {
    let for_filter = if is_subset { chosen } else { games };

    // Only one table is in memory. If there are several parts, each table is made again for the games before novelties.
    let tables = if parts > 1 { 2 * parts } else { 1 };
    for_filter + tables * games + parts * chosen
}

/// Adds the number of games before a novelty, and the last of them, by the table with the position before it.
fn add_games_before(novelty: &mut Novelty, first: &First, ages: &NumberedAges<'_>, table: &Table) {
    let Some(age) = ages.age_of(novelty.game) else {
        return;
    };
    let (before, last) = table.before(first.parent, age);
    novelty.before = before;
    novelty.last = last.and_then(|age| ages.game(age));
}

/// The approximate number of entries of the table.
fn table_entries(positions: u64, games: u64, chosen: u64, is_subset: bool) -> u64 {
    let shared = (positions as f64 * MAX_SHARED_PART) as u64;
    if !is_subset {
        return shared;
    }

    let positions_a_game = positions / games.max(1);
    let of_chosen = positions_a_game * chosen;
    let of_openings = games * SHARED_WITH_SUBSET;
    shared.min(of_openings + of_chosen)
}

/// The number of parts of a table that has to fit into some bytes of memory.
fn table_parts(entries: u64, memory: usize) -> u64 {
    let table_bytes = entries as f64 * size_of::<Identity>() as f64;
    let parts = table_bytes / memory.max(1) as f64;
    parts.ceil().max(1.0) as u64
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
    parts: u64,
}

impl Part {
    fn contains(self, identity: Identity) -> bool {
        if self.parts == 1 {
            return true;
        }
        key_of(identity) % self.parts == self.number
    }
}

/// The first new position of a game in a part.
fn first_in_part(
    game: &PlayedGame,
    age: u32,
    filter: &PositionFilter,
    table: &Table,
    part: Part,
) -> Option<First> {
    let mut found = None;
    let mut parent = 0;
    each_position(game, |ply, identity| {
        // No move leads to the position at the start, so it is no novelty.
        if ply > Ply::START && part.contains(identity) {
            // The table has no entries of a position that the filter excludes: the position is in this game only.
            let later = if filter.may_be_shared(identity) {
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

/// The key of a position: the upper half of its identity.
fn key_of(identity: Identity) -> u64 {
    (identity >> 64) as u64
}

/// The age in an entry of the table: the lowest 32 bits, which the identity of a position leaves free.
fn age_of(entry: Identity) -> u32 {
    entry as u32
}

/// A bit for each position that was met, and a bit for each position that was met again. If several positions have one
/// bit, a position may wrongly count as shared. The table, which has whole identities, corrects that.
struct PositionFilter {
    once: Vec<AtomicU64>,
    again: Vec<AtomicU64>,
}

impl PositionFilter {
    /// No bits yet, with room for a number of positions.
    fn new(positions: u64) -> PositionFilter {
        let bits = positions * BITS_PER_POSITION;
        let words = bits.div_ceil(64).next_power_of_two().max(1);
        let empty_words = || (0..words).map(|_| AtomicU64::new(0)).collect();
        PositionFilter {
            once: empty_words(),
            again: empty_words(),
        }
    }

    /// The word and the bit of a position.
    fn place(&self, identity: Identity) -> (usize, u64) {
        let key = key_of(identity);
        // The number of words is a power of two.
        let word = (key >> 6) as usize & (self.once.len() - 1);
        (word, 1 << (key & 63))
    }

    fn add(&self, identity: Identity) {
        let (word, bit) = self.place(identity);
        // The order of games does not matter: whichever thread comes second finds the bit set.
        let before = self.once[word].fetch_or(bit, Ordering::Relaxed);
        if before & bit != 0 {
            self.again[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Adds a position as if it had been met before.
    fn add_as_shared(&self, identity: Identity) {
        let (word, bit) = self.place(identity);
        self.again[word].fetch_or(bit, Ordering::Relaxed);
    }

    /// `false` if only one game has the position, or if no chosen game has it.
    fn may_be_shared(&self, identity: Identity) -> bool {
        let (word, bit) = self.place(identity);
        self.again[word].load(Ordering::Relaxed) & bit != 0
    }
}

/// Positions with the ages of their games, sorted: an entry is the identity of a position, with an age in its lowest
/// bits.
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
        let count = rest[..end].partition_point(|entry| *entry <= last);
        &rest[..count]
    }

    /// The number of later games if the game of an age is the first with a position; `None` if an earlier game has it.
    fn later_than_first(&self, identity: Identity, age: u32) -> Option<u64> {
        let games = self.games(identity);
        if let Some(&first) = games.first()
            && age_of(first) != age
        {
            return None;
        }
        Some(games.len().saturating_sub(1) as u64)
    }

    /// The number of games with a position that are earlier than `age`, and the age of the last of these games.
    fn before(&self, identity: Identity, age: u32) -> (u64, Option<u32>) {
        let games = self.games(identity);
        let count = games.partition_point(|&entry| age_of(entry) < age);
        let last = games[..count].last().map(|&entry| age_of(entry));
        (count as u64, last)
    }
}

/// Replays of the games of a database.
struct Sweep<'d> {
    database: &'d Database,
    ages: &'d NumberedAges<'d>,
    watch: &'d Watch<'d>,
    /// The number of games replayed so far. A game counts in each replay.
    games_replayed: Cell<u64>,
    /// The number of games that all replays together replay.
    games_to_replay: u64,
}

impl Sweep<'_> {
    /// A filter in which all positions of some games count as shared with another game.
    fn positions_of_games(&self, games: &GameSet, count: u64) -> Result<PositionFilter> {
        let filter = PositionFilter::new(count);
        let add_positions = |game: &PlayedGame, _| {
            for identity in positions(game) {
                filter.add_as_shared(identity);
            }
        };

        self.replay(Some(games), |_| true, add_positions, |_, ()| {})?;
        Ok(filter)
    }

    /// The positions that several games have.
    fn shared_positions(&self, count: u64) -> Result<PositionFilter> {
        let filter = PositionFilter::new(count);
        let add_positions = |game: &PlayedGame, _| {
            for identity in positions(game) {
                filter.add(identity);
            }
        };

        self.replay_all(add_positions, |()| {})?;
        Ok(filter)
    }

    /// The positions of a part that matter, with the ages of their games.
    fn table(&self, filter: &PositionFilter, part: Part) -> Result<Table> {
        let entries_of = |game: &PlayedGame, age: u32| -> Vec<Identity> {
            let matters =
                |&identity: &Identity| part.contains(identity) && filter.may_be_shared(identity);
            let matching = positions(game).filter(matters);
            matching
                .map(|identity| identity | Identity::from(age))
                .collect()
        };

        let mut entries: Vec<Identity> = Vec::new();
        self.replay_all(entries_of, |of_game| entries.extend(of_game))?;
        threads::install(|| entries.par_sort_unstable());
        Ok(Table(entries))
    }

    /// The first new positions of the chosen games, by the first new positions in earlier parts and the table of a
    /// part.
    fn merge_firsts(
        &self,
        firsts: Vec<(GameId, First)>,
        chosen: &GameSet,
        filter: &PositionFilter,
        table: &Table,
        part: Part,
    ) -> Result<Vec<(GameId, First)>> {
        // Both lists are in the order of the games' numbers, so they are merged from their beginnings.
        let mut earlier_parts = firsts.into_iter().peekable();
        let mut merged = Vec::new();
        self.replay_chosen(
            chosen,
            |game, age| first_in_part(game, age, filter, table, part),
            |game, in_part| {
                let in_earlier_parts = earlier_parts.next_if(|(other, _)| *other == game);
                let known = in_earlier_parts.map(|(_, first)| first);
                if let Some(first) = First::earlier(known, in_part) {
                    merged.push((game, first));
                }
            },
        )?;
        Ok(merged)
    }

    /// The first new position of each chosen game that has one, and the table of the last part.
    fn first_new_positions(
        &self,
        chosen: &GameSet,
        filter: &PositionFilter,
        parts: u64,
    ) -> Result<(Vec<(GameId, First)>, Table)> {
        // The first new position of a game may be in any part.
        let mut firsts = Vec::new();
        let mut table = Table::default();
        for number in 0..parts {
            let part = Part { number, parts };
            table = self.table(filter, part)?;
            firsts = self.merge_firsts(firsts, chosen, filter, &table, part)?;
        }
        Ok((firsts, table))
    }

    /// Adds the number of games before each novelty, and the last of them. `table` is the table of the last part.
    fn count_games_before(
        &self,
        novelties: &mut [Novelty],
        firsts: &[(GameId, First)],
        filter: &PositionFilter,
        parts: u64,
        mut table: Table,
    ) -> Result<()> {
        // The games before a novelty are games of the position before it, which may be in another part.
        for number in 0..parts {
            let part = Part { number, parts };
            // A single part has its table already.
            if parts > 1 {
                table = self.table(filter, part)?;
            }

            for (novelty, (_, first)) in novelties.iter_mut().zip(firsts) {
                if part.contains(first.parent) {
                    add_games_before(novelty, first, self.ages, &table);
                }
            }
        }
        Ok(())
    }

    /// Replays all games.
    fn replay_all<R: Send>(
        &self,
        work: impl Fn(&PlayedGame, u32) -> R + Sync,
        mut on_result: impl FnMut(R),
    ) -> Result<()> {
        self.replay(None, |_| true, work, |_, result| on_result(result))
    }

    /// Replays the chosen games, in the order of their numbers.
    fn replay_chosen<R: Send>(
        &self,
        games: &GameSet,
        work: impl Fn(&PlayedGame, u32) -> R + Sync,
        on_result: impl FnMut(GameId, R),
    ) -> Result<()> {
        // If most games are chosen, all rows are scanned, and the other games are skipped: a scan in order reads a row
        // faster than a look-up by number.
        let are_most = 2 * games.len() > self.ages.len();
        let listed = if are_most { None } else { Some(games) };
        let is_chosen = |game: GameId| !are_most || games.contains(game);
        self.replay(listed, is_chosen, work, on_result)
    }

    /// Replays the listed games, by default all, if they are chosen and have an age. `work` receives each game with its
    /// age, and `on_result` the results in the order of the games' numbers.
    fn replay<R: Send>(
        &self,
        listed: Option<&GameSet>,
        is_chosen: impl Fn(GameId) -> bool + Sync,
        work: impl Fn(&PlayedGame, u32) -> R + Sync,
        mut on_result: impl FnMut(GameId, R),
    ) -> Result<()> {
        let ages = self.ages;
        let work_on_batch = |games: &[PlayedGame]| -> Vec<(GameId, R)> {
            let mut results = Vec::new();
            for game in games {
                if !is_chosen(game.id) {
                    continue;
                }
                // Duplicates and games of other variants have no age.
                if let Some(age) = ages.age_of(game.id) {
                    results.push((game.id, work(game, age)));
                }
            }
            results
        };

        let finish_batch = |results: Vec<(GameId, R)>| -> Result<()> {
            let games_replayed = self.games_replayed.get() + results.len() as u64;
            self.games_replayed.set(games_replayed);
            self.watch.report(games_replayed, self.games_to_replay);
            self.watch.check()?;

            for (game, result) in results {
                on_result(game, result);
            }
            Ok(())
        };
        replay_games(self.database, listed, work_on_batch, finish_batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entry of a position with a key, and of the game of an age.
    fn entry(key: u64, age: u32) -> Identity {
        Identity::from(key) << 64 | Identity::from(age)
    }

    #[test]
    fn the_games_of_a_position_are_found_by_age() {
        let table = Table(vec![
            entry(1, 5),
            entry(2, 0),
            entry(2, 3),
            entry(2, 4),
            entry(2, 7),
            entry(9, 1),
        ]);

        for (key, age, later_than_first, before) in [
            (1, 5, Some(0), (0, None)),
            (2, 0, Some(3), (0, None)),
            (2, 4, None, (2, Some(3))),
            (2, 8, None, (4, Some(7))),
            (5, 1, Some(0), (0, None)),
        ] {
            let identity = entry(key, 0);
            let found = table.later_than_first(identity, age);
            assert_eq!(found, later_than_first, "{key} {age}");
            assert_eq!(table.before(identity, age), before, "{key} {age}");
        }
    }
}
