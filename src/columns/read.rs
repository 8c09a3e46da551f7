//! Reading values: a column of many games, or all columns of one game.

use std::collections::BTreeMap;
use std::num::NonZeroU16;
use std::ops::RangeInclusive;

use rusqlite::Connection;

use super::block::{Values, encode};
use super::row::entries;
use super::stored::described_games;
use super::{BLOCK_BITS, BLOCK_GAMES, Column, Entry, GameFlags};
use crate::game::{GameFacts, PartialDate, known_elo};
use crate::storage::game_set::block_and_slot;
use crate::storage::{GameId, GameSet};
use crate::store_fault::{StoreFault, StoreResult};

/// The attributes of all games of a database, in the state that it has when this is made.
pub(crate) struct ColumnStore<'c> {
    connection: &'c Connection,
    /// The current values of games that have changed since they were described, or have never been.
    changed: BTreeMap<GameId, Option<Box<Entry>>>,
}

impl<'c> ColumnStore<'c> {
    /// Reads the changed games.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn new(connection: &'c Connection) -> rusqlite::Result<ColumnStore<'c>> {
        // Where many games have changed, most of them are deleted.
        let sql = "SELECT id, EXISTS (SELECT 1 FROM game WHERE game.id = changed.id) FROM
            (SELECT id FROM stale_game UNION SELECT id FROM game WHERE id > ?1
             UNION SELECT id FROM game WHERE id < 0) AS changed";
        let mut select = connection.prepare_cached(sql)?;
        let mut rows = select.query([described_games(connection)?])?;
        let (mut changed, mut there) = (BTreeMap::new(), Vec::new());
        while let Some(row) = rows.next()? {
            let game: GameId = row.get(0)?;
            changed.insert(game, None);
            if row.get(1)? {
                there.push(game.get());
            }
        }
        for (game, entry) in entries(connection, &there)? {
            changed.insert(GameId::new(game), Some(Box::new(entry)));
        }
        Ok(ColumnStore {
            connection,
            changed,
        })
    }

    /// Reads the state of a single game.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn of_game(
        connection: &'c Connection,
        game: GameId,
    ) -> rusqlite::Result<ColumnStore<'c>> {
        let mut select = connection.prepare_cached("SELECT 1 FROM stale_game WHERE id = ?1")?;
        let is_described = (0..=described_games(connection)?).contains(&game.get());
        let mut changed = BTreeMap::new();
        if !is_described || select.exists([game])? {
            let entry = entries(connection, &[game.get()])?.pop();
            changed.insert(game, entry.map(|(_, entry)| Box::new(entry)));
        }
        Ok(ColumnStore {
            connection,
            changed,
        })
    }

    /// The games whose flags satisfy a condition.
    ///
    /// # Errors
    /// When the database cannot be read, or a block is damaged.
    pub(crate) fn games(&self, holds: impl Fn(GameFlags) -> bool) -> StoreResult<GameSet> {
        let mut games = GameSet::default();
        let sql = "SELECT id, data FROM game_column WHERE id >= 0 AND id < ?1 ORDER BY id";
        let mut select = self.connection.prepare_cached(sql)?;
        let mut rows = select.query([Column::White.row(0)])?;
        let holds = |value| {
            let flags = GameFlags::from_value(value);
            flags.exists() && holds(flags)
        };
        while let Some(row) = rows.next()? {
            let block: i64 = row.get(0)?;
            let values = row.get_ref(1)?.as_blob().ok().and_then(Values::read);
            let values = values.ok_or_else(|| damaged(block))?;
            games.insert_in(block, values.len(), |slot| holds(values.get(slot)));
        }
        for (&game, entry) in &self.changed {
            match entry
                .as_ref()
                .is_some_and(|entry| holds(entry.get(Column::GameFlags)))
            {
                true => games.insert(game),
                false => games.remove(game),
            }
        }
        Ok(games)
    }

    /// Keeps the games whose values satisfy a condition.
    ///
    /// # Errors
    /// When the database cannot be read, or a block is damaged.
    pub(crate) fn retain<const N: usize>(
        &self,
        games: &mut GameSet,
        columns: [Column; N],
        holds: impl Fn([u64; N]) -> bool,
    ) -> StoreResult<()> {
        self.retain_bounded(games, columns, |_| true, holds)
    }

    /// The same, where no game of a block is kept if `may_hold` is `false` for the bounds of its values.
    ///
    /// # Errors
    /// When the database cannot be read, or a block is damaged.
    pub(crate) fn retain_bounded<const N: usize>(
        &self,
        games: &mut GameSet,
        columns: [Column; N],
        may_hold: impl Fn([RangeInclusive<u64>; N]) -> bool,
        holds: impl Fn([u64; N]) -> bool,
    ) -> StoreResult<()> {
        let changed: Vec<(GameId, bool)> = self
            .changed
            .iter()
            .filter(|(game, _)| games.contains(**game))
            .map(|(&game, entry)| {
                let values = |entry: &Entry| columns.map(|column| entry.get(column));
                (
                    game,
                    entry.as_ref().is_some_and(|entry| holds(values(entry))),
                )
            })
            .collect();
        for block in games.block_numbers() {
            self.with_block(block, columns, |values| {
                match may_hold(values.map(|column| column.bounds())) {
                    true => {
                        games.retain_in(block, |slot| holds(values.map(|column| column.get(slot))))
                    }
                    false => games.retain_in(block, |_| false),
                }
            })?;
        }
        for (game, holds) in changed {
            if holds {
                games.insert(game)
            } else {
                games.remove(game)
            }
        }
        Ok(())
    }

    /// Calls `take` with each game of a set, in their order, and its values.
    ///
    /// # Errors
    /// When the database cannot be read, or a block is damaged.
    pub(crate) fn each<const N: usize>(
        &self,
        games: impl IntoIterator<Item = GameId>,
        columns: [Column; N],
        mut take: impl FnMut(GameId, [u64; N]),
    ) -> StoreResult<()> {
        let mut games = games.into_iter().peekable();
        while let Some(&first) = games.peek() {
            let (block, _) = block_and_slot(first);
            self.with_block(block, columns, |values| {
                while let Some(game) = games.next_if(|&game| block_and_slot(game).0 == block) {
                    let (_, slot) = block_and_slot(game);
                    let found = match self.changed.get(&game) {
                        Some(entry) => {
                            let value =
                                |column| entry.as_ref().map_or(0, |entry| entry.get(column));
                            columns.map(value)
                        }
                        None => values.map(|column| column.get(slot)),
                    };
                    take(game, found);
                }
            })?;
        }
        Ok(())
    }

    /// Calls `take` with each game of a set, in their order, and its values.
    ///
    /// # Errors
    /// When the database cannot be read, or a block is damaged.
    pub(crate) fn each_of<const N: usize>(
        &self,
        games: &GameSet,
        columns: [Column; N],
        mut take: impl FnMut(GameId, [u64; N]),
    ) -> StoreResult<()> {
        for block in games.block_numbers() {
            let first = block << BLOCK_BITS;
            let last = first + (BLOCK_GAMES as i64 - 1);
            if self
                .changed
                .range(GameId::new(first)..=GameId::new(last))
                .next()
                .is_some()
            {
                let of_block = games
                    .of_block(block)
                    .map(|slot| GameId::new(first + slot as i64));
                self.each(of_block, columns, &mut take)?;
                continue;
            }
            self.with_block(block, columns, |values| {
                for slot in games.of_block(block) {
                    take(
                        GameId::new(first + slot as i64),
                        std::array::from_fn(|at| values[at].get(slot)),
                    );
                }
            })?;
        }
        Ok(())
    }

    /// Calls `take` with each of some games, in their order, and its counted facts.
    ///
    /// # Errors
    /// When the database cannot be read, or a block is damaged.
    pub(crate) fn each_facts(
        &self,
        games: impl IntoIterator<Item = GameId>,
        mut take: impl FnMut(GameId, GameFacts),
    ) -> StoreResult<()> {
        self.each(games, FACT_COLUMNS, |game, values| {
            take(game, facts(values))
        })
    }

    /// The same for the games of a set.
    ///
    /// # Errors
    /// When the database cannot be read, or a block is damaged.
    pub(crate) fn each_facts_of(
        &self,
        games: &GameSet,
        mut take: impl FnMut(GameId, GameFacts),
    ) -> StoreResult<()> {
        self.each_of(games, FACT_COLUMNS, |game, values| {
            take(game, facts(values))
        })
    }

    /// `true` if a game has changed since it was described.
    pub(crate) fn has_changed(&self, game: GameId) -> bool {
        self.changed.contains_key(&game)
    }

    /// Calls `take` with the values of a block, which are all 0 if it does not exist.
    fn with_block<const N: usize>(
        &self,
        block: i64,
        columns: [Column; N],
        take: impl FnOnce([Values<'_>; N]),
    ) -> StoreResult<()> {
        let data = self.block(block, &columns)?;
        let values = values_of_block(block, &data)?;
        let values = <[Values<'_>; N]>::try_from(values).map_err(|_| damaged(block))?;
        take(values);
        Ok(())
    }

    /// The data of a block in some columns. Like the next function, it is compiled once, not for each caller.
    fn block(&self, block: i64, columns: &[Column]) -> StoreResult<Vec<Vec<u8>>> {
        let mut select = self
            .connection
            .prepare_cached("SELECT data FROM game_column WHERE id = ?1")?;

        let mut data = Vec::with_capacity(columns.len());
        for column in columns {
            let mut rows = select.query([column.row(block)])?;
            data.push(match rows.next()? {
                Some(row) => row.get_ref(0)?.as_blob().unwrap_or_default().to_vec(),
                None => encode(&[]),
            });
        }
        Ok(data)
    }
}

/// The values that are encoded in the data of a block.
fn values_of_block(block: i64, data: &[Vec<u8>]) -> StoreResult<Vec<Values<'_>>> {
    let mut values = Vec::with_capacity(data.len());
    for data in data {
        values.push(Values::read(data).ok_or_else(|| damaged(block))?);
    }

    let are_of_one_block = values.windows(2).all(|pair| pair[0].len() == pair[1].len());
    if are_of_one_block {
        Ok(values)
    } else {
        Err(damaged(block).into())
    }
}

/// The columns of counted facts.
const FACT_COLUMNS: [Column; 4] = [
    Column::GameFlags,
    Column::WhiteElo,
    Column::BlackElo,
    Column::Date,
];

fn facts([flags, white, black, date]: [u64; 4]) -> GameFacts {
    GameFacts {
        result: GameFlags::from_value(flags).result(),
        white_elo: known_elo(white),
        black_elo: known_elo(black),
        year: PartialDate::from_code(date).and_then(|date| NonZeroU16::new(date.year())),
    }
}

fn damaged(block: i64) -> StoreFault {
    StoreFault::ColumnBlock(block)
}
