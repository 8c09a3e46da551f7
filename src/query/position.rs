//! The games that reach a position, by any order of moves.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension, Statement};

use crate::board::Position;
use crate::error::Result;
use crate::index::PositionIndex;
use crate::replay::{Mainline, PositionKey, Variant};
use crate::storage::Database;

/// A game that reaches a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visited {
    /// The game.
    pub game: i64,
    /// Half-moves played when the position stands for the first time.
    pub ply: u32,
    /// The move played there in SAN, none when the game ends.
    pub next: Option<String>,
}

/// Searches a database for positions.
pub struct PositionSearch<'d> {
    database: &'d Database,
    index: PositionIndex<'d>,
    moves: Statement<'d>,
}

impl<'d> PositionSearch<'d> {
    /// Prepares to search.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn new(database: &'d Database) -> Result<PositionSearch<'d>> {
        let fail = |e| database.error(e);
        let sql = "SELECT movetext.moves, game.fen, game.variant
            FROM movetext JOIN game ON game.id = movetext.game_id WHERE movetext.game_id = ?1";
        Ok(PositionSearch {
            database,
            index: PositionIndex::open(&database.connection).map_err(fail)?,
            moves: database.connection.prepare(sql).map_err(fail)?,
        })
    }

    /// The number of games that reach one of these positions.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn count(&mut self, positions: &[Position]) -> Result<u64> {
        match positions {
            [position] => self.count_one(position),
            // Positions that differ in castling rights alone may stand in one game.
            _ => self.games(positions, usize::MAX).map(|games| games.len() as u64),
        }
    }

    fn count_one(&mut self, position: &Position) -> Result<u64> {
        if self.has_deletions()? {
            return self.games_of_one(position, usize::MAX).map(|games| games.len() as u64);
        }
        let key = PositionKey::new(position, Variant::Standard);
        let mut count = 0;
        for postings in self.index.find(key, false) {
            let postings = postings.map_err(|e| self.database.error(e))?;
            count += postings.certain_count;
            for game in postings.possible {
                count +=
                    u64::from(visit(self.database, &mut self.moves, game, position)?.is_some());
            }
        }
        Ok(count)
    }

    /// `true` when games have been deleted whose postings are still there; those that are listed
    /// are looked up and not found, those that are counted are not looked up.
    fn has_deletions(&self) -> Result<bool> {
        self.database.ask("SELECT EXISTS (SELECT 1 FROM deleted_game)").map(|found| found != 0)
    }

    /// The first `limit` games that reach one of these positions, in the order of their numbers,
    /// each once, with the first visit.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn games(&mut self, positions: &[Position], limit: usize) -> Result<Vec<Visited>> {
        let mut found: BTreeMap<i64, Visited> = BTreeMap::new();
        for position in positions {
            for visited in self.games_of_one(position, limit)? {
                found
                    .entry(visited.game)
                    .and_modify(|first| {
                        if visited.ply < first.ply {
                            first.clone_from(&visited);
                        }
                    })
                    .or_insert(visited);
            }
        }
        Ok(found.into_values().take(limit).collect())
    }

    fn games_of_one(&mut self, position: &Position, limit: usize) -> Result<Vec<Visited>> {
        let key = PositionKey::new(position, Variant::Standard);
        let mut found = Vec::new();
        for postings in self.index.find(key, true) {
            let postings = postings.map_err(|e| self.database.error(e))?;
            // A segment knows a position as popular or as rare, so one of the two is empty.
            for game in postings.certain.into_iter().chain(postings.possible) {
                if found.len() >= limit {
                    return Ok(found);
                }
                found.extend(visit(self.database, &mut self.moves, game, position)?);
            }
        }
        Ok(found)
    }
}

/// Replays a game until a position stands.
fn visit(
    database: &Database,
    moves: &mut Statement<'_>,
    game: i64,
    position: &Position,
) -> Result<Option<Visited>> {
    let row = moves
        .query_row([game], |row| {
            let variant: Option<String> = row.get(2)?;
            Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?, variant))
        })
        .optional()
        .map_err(|e| database.error(e))?;
    let Some((moves, fen, variant)) = row else {
        return Ok(None);
    };
    if Variant::from_name(variant.as_deref()).plays_apart() {
        return Ok(None);
    }
    let mut line =
        Mainline::new(fen.as_deref(), &moves).map_err(|_| damaged_game(database, game))?;
    if !line.find(position).map_err(|_| damaged_game(database, game))? {
        return Ok(None);
    }
    let next = line.next().map_err(|_| damaged_game(database, game))?;
    Ok(Some(Visited { game, ply: line.ply(), next: next.map(|(san, _)| san.to_owned()) }))
}

fn damaged_game(database: &Database, game: i64) -> crate::error::Error {
    database.damaged(format!("the moves of game {game} cannot be replayed"))
}
