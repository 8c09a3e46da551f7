//! Games to show beside the moves of a position: the only game with a move, the best-rated games and the latest games.
//!
//! Games without a result are left out, since opening explorers leave them out.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use rusqlite::Connection;

use super::{GameOfDatabase, MoveCount, PositionSearch, Results};
use crate::board::Position;
use crate::columns::{Column, ColumnStore, GameFlags};
use crate::error::Result;
use crate::game::PartialDate;
use crate::pgn::Termination;
use crate::replay::Visit;
use crate::storage::{Database, GameId, InDatabase};
use crate::store_fault::StoreResult;

/// The bits of a game's number within a block. The keys of the games of a block are together in memory.
const BLOCK_BITS: u32 = 10;
/// The number of keys of a block.
const BLOCK_GAMES: usize = 1 << BLOCK_BITS;

/// The ratings, dates and results of all games in memory, eight bytes for each game.
#[derive(Debug, Default)]
pub struct GameKeys(HashMap<i64, Box<[GameKey; BLOCK_GAMES]>, foldhash::fast::RandomState>);

/// The values of a game by which it is featured.
#[derive(Clone, Copy, Debug)]
struct GameKey {
    /// The sum of both ratings, plus the bit [`BETWEEN_PEOPLE`]. An unknown rating counts as 0.
    strength: u16,
    result: Termination,
    /// `false` for a number without a game.
    is_game: bool,
    /// The code of the date; 0 for a game without a date.
    date: u32,
}

/// The highest bit of a game's strength, set if no program plays. Ratings of programs are higher than people's:
/// programs at Elo 4000 filled every list of best games of a mixed archive.
const BETWEEN_PEOPLE: u16 = 1 << 15;

const NO_KEY: GameKey = GameKey {
    strength: 0,
    result: Termination::Unknown,
    is_game: false,
    date: 0,
};

/// Limits to the numbers of featured games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeaturedLimits {
    /// The maximum number of best-rated games.
    pub top: usize,
    /// The maximum number of latest games.
    pub recent: usize,
    /// `true` to count games by month.
    pub months: bool,
}

/// Games to show beside the moves of a position, of one database or, with [`GameOfDatabase`], of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeaturedGames<G = GameId> {
    /// The codes of moves that a single game of a database has played, each with its game.
    single: Vec<(u16, G)>,
    top: Vec<(Strongest, G, u16)>,
    recent: Vec<(Latest<G>, u16)>,
    /// The games won by White, drawn and won by Black in each month, by year and month.
    pub months: BTreeMap<(u16, u8), [u64; 3]>,
}

/// The sort key of the best-rated game.
type Strongest = Reverse<u16>;
/// The sort key of the latest game. It has the game itself, since the last game of a day is the latest.
type Latest<G> = Reverse<(u32, G)>;

impl GameKeys {
    /// Reads the keys of all games.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(database: &Database) -> Result<GameKeys> {
        GameKeys::read_all(&database.connection).in_database(database)
    }

    /// Reads the keys of all games by one scan of the column store.
    fn read_all(connection: &Connection) -> StoreResult<GameKeys> {
        let column_store = ColumnStore::new(connection)?;
        let games = column_store.games(GameFlags::exists)?;
        let columns = [
            Column::WhiteElo,
            Column::BlackElo,
            Column::Date,
            Column::GameFlags,
        ];

        let mut keys = GameKeys::default();
        column_store.each_of(
            &games,
            columns,
            |game, [white_elo, black_elo, date, flags]| {
                let flags = GameFlags::from_value(flags);
                let elo = white_elo.saturating_add(black_elo);
                let key = GameKey {
                    strength: packed_strength(elo, flags.has_engine()),
                    result: flags.result(),
                    is_game: true,
                    date: date as u32,
                };
                keys.insert(game, key);
            },
        )?;
        Ok(keys)
    }

    /// The number of games in each year. Games without a year are left out.
    pub fn years(&self) -> BTreeMap<u16, u64> {
        let mut years = BTreeMap::new();
        for key in self.games() {
            if let Some(date) = PartialDate::from_code(key.date.into()) {
                *years.entry(date.year()).or_default() += 1;
            }
        }
        years
    }

    /// The number of games with a result.
    pub fn with_result(&self, result: Termination) -> u64 {
        self.games().filter(|key| key.result == result).count() as u64
    }

    /// The keys of all games, in no particular order.
    fn games(&self) -> impl Iterator<Item = &GameKey> {
        let keys = self.0.values().flat_map(|block| block.iter());
        keys.filter(|key| key.is_game)
    }

    /// Sets the key of a game.
    fn insert(&mut self, game: GameId, key: GameKey) {
        let block = self
            .0
            .entry(block_of(game))
            .or_insert_with(|| Box::new([NO_KEY; BLOCK_GAMES]));
        block[slot(game)] = key;
    }

    /// The key of a game; [`NO_KEY`] for a number without a game.
    #[inline]
    fn get(&self, game: GameId) -> GameKey {
        // A game that was added after the keys were read has no key.
        match self.0.get(&block_of(game)) {
            Some(block) => block[slot(game)],
            None => NO_KEY,
        }
    }
}

/// The strength of a game with a sum of ratings.
fn packed_strength(elo: u64, has_engine: bool) -> u16 {
    let elo_bits = u16::try_from(elo).unwrap_or(u16::MAX);
    let low_bits = elo_bits.min(BETWEEN_PEOPLE - 1);
    if has_engine {
        low_bits
    } else {
        low_bits | BETWEEN_PEOPLE
    }
}

/// The number of the block that has the key of a game.
fn block_of(game: GameId) -> i64 {
    game.get() >> BLOCK_BITS
}

/// The index of a game within its block, which is below [`BLOCK_GAMES`].
fn slot(game: GameId) -> usize {
    (game.get() & ((1 << BLOCK_BITS) - 1)) as usize
}

impl<G: Copy + Ord> FeaturedGames<G> {
    /// The only game with a result in which a move was played.
    pub fn single(&self, counted: &MoveCount) -> Option<G> {
        // `single` lists the only game of a move in one database; other databases may have more games with the move.
        // `counted` has the counts of all databases.
        if counted.counts.finished() != 1 {
            return None;
        }

        let (_, mv) = counted.played.as_ref()?;
        let (_, game) = self.single.iter().find(|(code, _)| *code == mv.code())?;
        Some(*game)
    }

    /// The games with the highest sums of ratings, each with the code of its move. Games with equal sums are in their
    /// order. Games in which programs play are left out, unless there are no others.
    pub fn top(&self) -> impl Iterator<Item = (G, u16)> {
        // Games between people sort first, so the first game has a program only if all games have.
        let kind_of_best = match self.top.first() {
            Some((Reverse(strength), ..)) => strength & BETWEEN_PEOPLE,
            None => 0,
        };

        let of_kind = self
            .top
            .iter()
            .filter(move |(Reverse(strength), ..)| strength & BETWEEN_PEOPLE == kind_of_best);
        of_kind.map(|(_, game, code)| (*game, *code))
    }

    /// The latest games, each with the code of its move. The last game of a day is first.
    pub fn recent(&self) -> impl Iterator<Item = (G, u16)> {
        self.recent
            .iter()
            .map(|(Reverse((_, game)), code)| (*game, *code))
    }
}

impl FeaturedGames<GameOfDatabase> {
    /// The games of several databases in one order, up to the limits.
    pub fn joined<'f>(
        parts: impl IntoIterator<Item = &'f FeaturedGames>,
        limits: FeaturedLimits,
    ) -> FeaturedGames<GameOfDatabase> {
        let mut joined = FeaturedGames {
            single: Vec::new(),
            top: Vec::new(),
            recent: Vec::new(),
            months: BTreeMap::new(),
        };

        for (database, part) in parts.into_iter().enumerate() {
            // Games with equal keys are in the order of the databases.
            let named = |game| GameOfDatabase { database, game };

            for &(code, game) in &part.single {
                joined.single.push((code, named(game)));
            }
            for &(strength, game, code) in &part.top {
                let item = (strength, named(game), code);
                keep_first(&mut joined.top, item, limits.top);
            }
            for &(Reverse((date, game)), code) in &part.recent {
                let item = (Reverse((date, named(game))), code);
                keep_first(&mut joined.recent, item, limits.recent);
            }
            for (month, results) in &part.months {
                let sums = joined.months.entry(*month).or_default();
                for (sum, games) in sums.iter_mut().zip(results) {
                    *sum += games;
                }
            }
        }
        joined
    }
}

/// Finds the featured games among the games that are added to it.
struct Finder<'k> {
    keys: &'k GameKeys,
    limits: FeaturedLimits,
    seen: Vec<SeenMove>,
    top: Vec<(Strongest, GameId, u16)>,
    recent: Vec<(Latest<GameId>, u16)>,
    months: BTreeMap<(u16, u8), [u64; 3]>,
}

/// A move of the games passed to a [`Finder`] so far.
struct SeenMove {
    /// The code of the move.
    code: u16,
    first_game: GameId,
    /// `true` if no other game has the move.
    is_single: bool,
}

impl<'k> Finder<'k> {
    fn new(keys: &'k GameKeys, limits: FeaturedLimits) -> Finder<'k> {
        Finder {
            keys,
            limits,
            seen: Vec::new(),
            top: Vec::new(),
            recent: Vec::new(),
            months: BTreeMap::new(),
        }
    }

    /// Adds a game with a result that has played the move with a code. Other games are ignored.
    #[inline]
    fn add(&mut self, game: GameId, code: u16) {
        let key = self.keys.get(game);
        let has_move = !matches!(code, Visit::END | Visit::VARIATION);
        if !has_move || key.result == Termination::Unknown {
            return;
        }

        // A position has few different moves, so a list suffices.
        let seen = self.seen.iter_mut().find(|seen| seen.code == code);
        match seen {
            Some(seen) => seen.is_single = false,
            None => self.seen.push(SeenMove {
                code,
                first_game: game,
                is_single: true,
            }),
        }

        let strongest = (Reverse(key.strength), game, code);
        keep_first(&mut self.top, strongest, self.limits.top);

        let latest = (Reverse((key.date, game)), code);
        keep_first(&mut self.recent, latest, self.limits.recent);

        if self.limits.months {
            self.count_month(key);
        }
    }

    /// Counts the result of a game in its month; ignores a game whose month is unknown.
    fn count_month(&mut self, key: GameKey) {
        let Some(date) = PartialDate::from_code(key.date.into()) else {
            return;
        };
        let Some(month) = date.known_month() else {
            return;
        };

        let counts = self.months.entry((date.year(), month)).or_default();
        let [white_wins, draws, black_wins] = counts;
        match key.result {
            Termination::WhiteWins => *white_wins += 1,
            Termination::Draw => *draws += 1,
            // `add` has left out games without a result.
            _ => *black_wins += 1,
        }
    }

    /// The featured games among all games that were added.
    fn finish(self) -> FeaturedGames {
        let mut single = Vec::new();
        for seen in self.seen {
            if seen.is_single {
                single.push((seen.code, seen.first_game));
            }
        }

        FeaturedGames {
            single,
            top: self.top,
            recent: self.recent,
            months: self.months,
        }
    }
}

/// Inserts an item into a sorted list, and truncates the list to `limit` items.
#[inline]
fn keep_first<T: Copy + Ord>(kept: &mut Vec<T>, item: T, limit: usize) {
    // Most games of a popular position end here, since they are not among the first.
    let is_full = kept.len() >= limit;
    if is_full && kept.last().is_none_or(|last| *last <= item) {
        return;
    }

    let place = kept.partition_point(|other| *other < item);
    kept.insert(place, item);
    kept.truncate(limit);
}

impl PositionSearch {
    /// The moves played in a position, as by [`PositionSearch::moves`], and games to show beside them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn explore(
        &self,
        connection: &Connection,
        position: &Position,
        keys: &GameKeys,
        limits: FeaturedLimits,
    ) -> StoreResult<(Vec<MoveCount>, FeaturedGames)> {
        let mut finder = Finder::new(keys, limits);
        let mut add = |game, code| finder.add(game, code);
        let moves = self.moves_of_one(connection, position, Some(&mut add))?;

        let featured = finder.finish();
        Ok((moves, featured))
    }
}

impl Results<'_> {
    /// Games to show beside the moves in the first position of the query, or the start position. Only games that match
    /// the query are featured.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn featured_games(
        &mut self,
        keys: &GameKeys,
        limits: FeaturedLimits,
    ) -> Result<FeaturedGames> {
        let mut finder = Finder::new(keys, limits);
        self.each_played(|game, code| finder.add(game, code))?;
        Ok(finder.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_some_items_are_kept() {
        let mut kept = Vec::new();
        for item in [5, 3, 9, 1, 4, 1] {
            keep_first(&mut kept, item, 3);
        }
        assert_eq!(kept, [1, 1, 3]);

        let mut none = Vec::new();
        keep_first(&mut none, 1, 0);
        assert!(none.is_empty());
    }
}
