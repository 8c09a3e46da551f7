//! The games that reach a position, one after another, or whether one game does.

use std::vec::IntoIter;

use rusqlite::{Connection, Result};

use super::failure;
use crate::board::{Move, Position};
use crate::index::PositionIndex;
use crate::replay::{Mainline, PositionKey, Variant};
use crate::storage::PlayedGame;

/// A game that reaches a position.
pub(super) struct Visited {
    /// The game.
    pub(super) game: i64,
    /// Half-moves played when the position stands for the first time.
    pub(super) ply: u32,
    /// The move played there with its SAN, none when the game ends.
    pub(super) next: Option<(String, Move)>,
}

/// Games that may reach a position, each replayed when it is asked for.
pub(super) struct Visits {
    position: Position,
    games: IntoIter<i64>,
}

impl Visits {
    /// Those that the index knows, in the order of their numbers.
    pub(super) fn in_all_games(connection: &Connection, position: &Position) -> Result<Visits> {
        let key = PositionKey::new(position, Variant::Standard);
        let mut games = Vec::new();
        for postings in PositionIndex::open(connection)?.find(key, true) {
            let postings = postings?;
            games.extend(postings.certain);
            games.extend(postings.possible);
        }
        Ok(Visits { position: position.clone(), games: games.into_iter() })
    }

    /// One game.
    pub(super) fn in_game(game: i64, position: &Position) -> Visits {
        Visits { position: position.clone(), games: vec![game].into_iter() }
    }

    /// The next game that does reach it, nothing at the end.
    pub(super) fn next(&mut self, connection: &Connection) -> Result<Option<Visited>> {
        for game in self.games.by_ref() {
            if let Some(visited) = visit(connection, game, &self.position)? {
                return Ok(Some(visited));
            }
        }
        Ok(None)
    }
}

/// Replays a game until a position stands.
fn visit(connection: &Connection, game: i64, position: &Position) -> Result<Option<Visited>> {
    let Some(played) = PlayedGame::read(connection, game)? else { return Ok(None) };
    if played.variant.plays_apart() {
        return Ok(None);
    }
    let damaged = || failure(format!("the moves of game {game} cannot be replayed"));
    let mut line = Mainline::new(played.fen.as_deref(), &played.moves).map_err(|_| damaged())?;
    if !line.find(position).map_err(|_| damaged())? {
        return Ok(None);
    }
    let next = line.next().map_err(|_| damaged())?;
    let next = next.map(|(san, mv)| (san.to_owned(), mv));
    Ok(Some(Visited { game, ply: line.ply(), next }))
}
