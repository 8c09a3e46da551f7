//! The games that reach a position, each with the move that it played there. Games of popular positions are not
//! replayed.

use rusqlite::Connection;

use super::PositionSearch;
use crate::board::Position;
use crate::index::{Popular, Reached};
use crate::replay::Visit;
use crate::storage::{GameId, GameSet};
use crate::store_fault::StoreResult;

impl PositionSearch {
    /// The games whose positions have changed since they were indexed.
    pub(crate) fn moved_games(&self) -> impl Iterator<Item = GameId> {
        self.changed.moved()
    }

    /// The last indexed game.
    pub(crate) fn last_indexed(&self) -> GameId {
        let last_games = self.segments.iter().map(|segment| segment.last_game);
        GameId::new(last_games.max().unwrap_or(0))
    }

    /// Calls `on_game` with each game of a set that reaches a position, in no particular order, and the
    /// [code](crate::board::Move::code) of the move played at its first visit. The code is [`Visit::END`] if the game
    /// ended there, and [`Visit::VARIATION`] if the position occurs in variations only.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn each_played(
        &self,
        connection: &Connection,
        position: &Position,
        games: &GameSet,
        on_game: impl FnMut(GameId, u16),
    ) -> StoreResult<()> {
        self.each_played_of(connection, position, |game| games.contains(game), on_game)
    }

    /// Like [`PositionSearch::each_played`], for the games for which a condition holds.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn each_played_of(
        &self,
        connection: &Connection,
        position: &Position,
        is_wanted: impl Fn(GameId) -> bool,
        mut on_game: impl FnMut(GameId, u16),
    ) -> StoreResult<()> {
        // Games whose positions have changed: the index has the positions before the change, so these games are
        // replayed.
        for visited in self.moved_visits_of(connection, position, &is_wanted)? {
            on_game(visited.game, visited.code());
        }

        for segment in &self.segments {
            match self.find(connection, segment, position)? {
                Reached::Never => {}
                Reached::Perhaps(mut found) => {
                    found.retain(|&game| is_wanted(game));
                    for visited in self.visits_among(connection, found, position)? {
                        on_game(visited.game, visited.code());
                    }
                }
                Reached::Often(popular) => {
                    self.each_popular(connection, popular, |game, code| {
                        if is_wanted(game) {
                            on_game(game, code);
                        }
                    })?
                }
            }
        }
        Ok(())
    }

    /// Calls `on_game` with each game of a popular position and the code of its move. Games whose positions have
    /// changed since are left out.
    pub(super) fn each_popular(
        &self,
        connection: &Connection,
        popular: Popular,
        mut on_game: impl FnMut(GameId, u16),
    ) -> StoreResult<()> {
        let moves = popular.moves().to_vec();
        for entry in popular.games(connection)? {
            let (game, rank) = entry?;
            if self.changed.has_moved(game) {
                continue;
            }
            // The list of games has, for each game, the index of its move among the counted moves.
            let code = match moves.get(rank) {
                Some((code, _)) => *code,
                None => Visit::END,
            };
            on_game(game, code);
        }
        Ok(())
    }
}
