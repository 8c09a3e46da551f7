//! Novelties: the first new position of a game, in one database or in several databases.

use crate::board::{Move, Position};
use crate::error::Result;
use crate::game::Ply;
use crate::query::GameOfDatabase;
use crate::storage::{
    Database, GameId, InDatabase, IndexedLines, NumberedMove, PlayedGame, numbered_move_at,
};

/// The first new position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Novelty {
    /// The game.
    pub game: GameId,
    /// The number of half-moves that lead to the new position. The last half-move is the novelty.
    pub ply: Ply,
    /// The number of earlier games that had the position before it.
    pub before: u64,
    /// The last of the earlier games with the position before it.
    pub last: Option<GameId>,
    /// The number of later games that reach the new position.
    pub after: u64,
}

/// A novelty of one of several databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoveltyOfDatabase {
    /// The index of the database of the game.
    pub database: usize,
    /// The novelty. Its numbers of earlier and later games count the games of all databases.
    pub novelty: Novelty,
    /// The index of the database of [`Novelty::last`].
    pub last_database: Option<usize>,
}

impl NoveltyOfDatabase {
    /// The game of the novelty.
    pub fn game(&self) -> GameOfDatabase {
        GameOfDatabase {
            database: self.database,
            game: self.novelty.game,
        }
    }
}

impl Novelty {
    /// The move of the novelty, with its number in the game; `None` if the game has changed since.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn played(&self, database: &Database) -> Result<Option<NumberedMove>> {
        let before = self.ply.before();
        numbered_move_at(&database.connection, self.game, before).in_database(database)
    }

    /// The position before the novelty, and the move; `None` if the game has changed since.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn move_in_position(&self, database: &Database) -> Result<Option<(Position, Move)>> {
        let connection = &database.connection;
        let read = PlayedGame::read(connection, self.game, IndexedLines::Mainline);
        let played = read.in_database(database)?;
        let Some(mut line) = played.as_ref().and_then(PlayedGame::mainline) else {
            return Ok(None);
        };

        while let Some((_, mv)) = line.step() {
            let position = line.position().clone();
            line.play(mv);
            if line.ply() == self.ply {
                return Ok(Some((position, mv)));
            }
        }
        Ok(None)
    }
}
