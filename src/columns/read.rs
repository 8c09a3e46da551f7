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
        // If many games have changed, most of them are deleted.
        let sql = "SELECT id, EXISTS (SELECT 1 FROM game WHERE game.id = changed.id) FROM
            (SELECT id FROM stale_game UNION SELECT id FROM game WHERE id > ?1
             UNION SELECT id FROM game WHERE id < 0) AS changed";
        let mut select = connection.prepare_cached(sql)?;
        let mut rows = select.query([described_games(connection)?])?;

        let mut changed = BTreeMap::new();
        let mut existing = Vec::new();
        while let Some(row) = rows.next()? {
            let game: GameId = row.get(0)?;
            changed.insert(game, None);

            let exists: bool = row.get(1)?;
            if exists {
                existing.push(game.get());
            }
        }

        for (game, entry) in entries(connection, &existing)? {
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
            let current = entries(connection, &[game.get()])?.pop();
            changed.insert(game, current.map(|(_, entry)| Box::new(entry)));
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
        // The flags are the first column, so their row numbers are below the first row number of the second column.
        let sql = "SELECT id, data FROM game_column WHERE id >= 0 AND id < ?1 ORDER BY id";
        let mut select = self.connection.prepare_cached(sql)?;
        let mut rows = select.query([Column::White.row(0)])?;
        let is_wanted = |value| {
            let flags = GameFlags::from_value(value);
            flags.exists() && holds(flags)
        };

        let mut games = GameSet::default();
        while let Some(row) = rows.next()? {
            let block: i64 = row.get(0)?;
            let data = row.get_ref(1)?.as_blob().ok();
            let values = data.and_then(Values::read).ok_or_else(|| damaged(block))?;
            games.insert_in(block, values.len(), |slot| is_wanted(values.get(slot)));
        }

        for (&game, entry) in &self.changed {
            let holds_now = match entry {
                Some(entry) => is_wanted(entry.get(Column::GameFlags)),
                None => false,
            };
            if holds_now {
                games.insert(game)
            } else {
                games.remove(game)
            }
        }
        Ok(games)
    }

    /// Retains the games whose values satisfy a condition.
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

    /// Like [`ColumnStore::retain`], but drops all games of a block if `may_hold` is `false` for the bounds of its
    /// values.
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
        // Blocks have the old values of changed games. So the current values of these games are compared first.
        let mut changed: Vec<(GameId, bool)> = Vec::new();
        for (&game, entry) in &self.changed {
            if !games.contains(game) {
                continue;
            }
            let holds_now = match entry {
                Some(entry) => holds(columns.map(|column| entry.get(column))),
                None => false,
            };
            changed.push((game, holds_now));
        }

        for block in games.block_numbers() {
            self.with_block(block, columns, |values| {
                let bounds = values.map(|column| column.bounds());
                if may_hold(bounds) {
                    games.retain_in(block, |slot| holds(values.map(|column| column.get(slot))))
                } else {
                    games.retain_in(block, |_| false)
                }
            })?;
        }

        for (game, holds_now) in changed {
            if holds_now {
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
        let mut rest = games.into_iter().peekable();
        while let Some(&first) = rest.peek() {
            let (block, _) = block_and_slot(first);
            let is_in_block = |game: &GameId| block_and_slot(*game).0 == block;

            // The games are in order, so a block is read once for all of its games.
            self.with_block(block, columns, |values| {
                while let Some(game) = rest.next_if(is_in_block) {
                    let (_, slot) = block_and_slot(game);
                    let values_of_game = match self.changed.get(&game) {
                        Some(Some(entry)) => columns.map(|column| entry.get(column)),
                        Some(None) => [0; N],
                        None => values.map(|column| column.get(slot)),
                    };
                    take(game, values_of_game);
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
            let mut changed = self.changed.range(GameId::new(first)..=GameId::new(last));

            // Only a block with a changed game needs a look-up for each of its games.
            if changed.next().is_some() {
                let of_block = games
                    .of_block(block)
                    .map(|slot| GameId::new(first + slot as i64));
                self.each(of_block, columns, &mut take)?;
                continue;
            }

            self.with_block(block, columns, |values| {
                for slot in games.of_block(block) {
                    let game = GameId::new(first + slot as i64);
                    let values_of_game = std::array::from_fn(|at| values[at].get(slot));
                    take(game, values_of_game);
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

    /// Calls `take` with each game of a set, in their order, and its counted facts.
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

    /// Calls `take` with the values of a block in some columns. All values are 0 if the block does not exist.
    fn with_block<const N: usize>(
        &self,
        block: i64,
        columns: [Column; N],
        take: impl FnOnce([Values<'_>; N]),
    ) -> StoreResult<()> {
        let data = self.block(block, &columns)?;
        let decoded = values_of_block(block, &data)?;
        let values = <[Values<'_>; N]>::try_from(decoded).map_err(|_| damaged(block))?;

        take(values);
        Ok(())
    }

    /// The encoded values of a block in some columns. This function and [`values_of_block`] are not generic, so that
    /// they are compiled once and not for each caller.
    fn block(&self, block: i64, columns: &[Column]) -> StoreResult<Vec<Vec<u8>>> {
        let sql = "SELECT data FROM game_column WHERE id = ?1";
        let mut select = self.connection.prepare_cached(sql)?;

        let mut data = Vec::with_capacity(columns.len());
        for column in columns {
            let mut rows = select.query([column.row(block)])?;
            let bytes = match rows.next()? {
                // A cell that is no blob becomes no bytes, which are reported as damage.
                Some(row) => row.get_ref(0)?.as_blob().unwrap_or_default().to_vec(),
                // Without a row, all games of the block are changed or do not exist.
                None => encode(&[]),
            };
            data.push(bytes);
        }
        Ok(data)
    }
}

/// The values that are encoded in the data of a block.
fn values_of_block(block: i64, data: &[Vec<u8>]) -> StoreResult<Vec<Values<'_>>> {
    let mut columns: Vec<Values<'_>> = Vec::with_capacity(data.len());
    for bytes in data {
        let values = Values::read(bytes).ok_or_else(|| damaged(block))?;
        columns.push(values);
    }

    // All columns of a block are written together, so they have an equal number of values.
    let have_one_length = columns
        .windows(2)
        .all(|pair| pair[0].len() == pair[1].len());
    if have_one_length {
        Ok(columns)
    } else {
        Err(damaged(block).into())
    }
}

/// The columns of [`GameFacts`].
const FACT_COLUMNS: [Column; 4] = [
    Column::GameFlags,
    Column::WhiteElo,
    Column::BlackElo,
    Column::Date,
];

/// The facts of a game, by its values in [`FACT_COLUMNS`].
fn facts([flags, white_elo, black_elo, date_code]: [u64; 4]) -> GameFacts {
    let date = PartialDate::from_code(date_code);
    let year = date.and_then(|date| NonZeroU16::new(date.year()));

    GameFacts {
        result: GameFlags::from_value(flags).result(),
        white_elo: known_elo(white_elo),
        black_elo: known_elo(black_elo),
        year,
    }
}

/// The fault of a block that cannot be decoded.
fn damaged(block: i64) -> StoreFault {
    StoreFault::ColumnBlock(block)
}
