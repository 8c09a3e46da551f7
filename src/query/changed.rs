//! Games that have changed since they were indexed: the rows of `stale_game`.

use rusqlite::Connection;

use crate::game::GameFacts;
use crate::storage::{GameId, facts_of_row};

/// A game that differs from its entries in the index.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangedGame {
    id: GameId,
    /// The facts that the index counts for it.
    pub(super) indexed: GameFacts,
    /// `true` if its positions differ or it is deleted. Otherwise only its facts differ.
    pub(super) moved: bool,
}

/// All changed games of a database, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct ChangedGames(Vec<ChangedGame>);

impl ChangedGames {
    /// Reads all changed games.
    pub(super) fn all(connection: &Connection) -> rusqlite::Result<ChangedGames> {
        let sql =
            "SELECT id, moved, result, white_elo, black_elo, date FROM stale_game ORDER BY id";
        let mut select = connection.prepare_cached(sql)?;
        let rows = select.query_map([], |row| {
            Ok(ChangedGame {
                id: row.get(0)?,
                indexed: facts_of_row(row, 2)?,
                moved: row.get(1)?,
            })
        })?;

        let games = rows.collect::<rusqlite::Result<_>>()?;
        Ok(ChangedGames(games))
    }

    /// The changed game with a number, if there is one.
    pub(super) fn get(&self, id: GameId) -> Option<&ChangedGame> {
        let at = self.0.binary_search_by_key(&id, |game| game.id).ok()?;
        self.0.get(at)
    }

    /// `true` if the positions of a game have changed since it was indexed.
    pub(super) fn has_moved(&self, id: GameId) -> bool {
        self.get(id).is_some_and(|game| game.moved)
    }

    /// `true` if any game from `first` to `last` has changed.
    pub(super) fn any_between(&self, first: i64, last: i64) -> bool {
        let at = self.0.partition_point(|game| game.id.get() < first);
        self.0.get(at).is_some_and(|game| game.id.get() <= last)
    }

    /// The numbers of the games whose positions have changed.
    pub(super) fn moved(&self) -> impl Iterator<Item = GameId> {
        self.0.iter().filter(|game| game.moved).map(|game| game.id)
    }
}
