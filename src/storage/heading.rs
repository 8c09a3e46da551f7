//! Headings: players, result, date and event of a game, as lists of games show them.

use std::fmt;

use rusqlite::{Connection, OptionalExtension};

use super::cell::owned_text_cell;
use super::{Database, GameId, InDatabase, number_cell};
use crate::error::Result;

/// The heading of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// The White tag, if any.
    pub white: Option<String>,
    /// The Black tag.
    pub black: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The Date tag.
    pub date: Option<String>,
    /// The Event tag.
    pub event: Option<String>,
    /// White's Elo.
    pub white_elo: Option<i64>,
    /// Black's Elo.
    pub black_elo: Option<i64>,
    /// The ECO tag.
    pub eco: Option<String>,
    /// The name of the opening, by its moves.
    pub opening: Option<String>,
    /// The ECO code of the opening, by its moves.
    pub opening_eco: Option<String>,
    /// The number of half-moves.
    pub plies: i64,
}

impl Database {
    /// The heading of the game with a number, if there is one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn heading(&self, game: GameId) -> Result<Option<Heading>> {
        Heading::read(&self.connection, game.get()).in_database(self)
    }
}

impl fmt::Display for Heading {
    /// Formats the players, the result, the event and the date: `Lasker - Tal, 1-0, Candidates 1959.10.04`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In the seven tag roster (PGN §8.1.1), a question mark stands for an unknown value.
        let white = self.white.as_deref().unwrap_or("?");
        let black = self.black.as_deref().unwrap_or("?");
        write!(formatter, "{white} - {black}, {}", self.result)?;

        let occasion: Vec<&str> = [&self.event, &self.date]
            .into_iter()
            .flatten()
            .map(|text| &**text)
            .collect();
        if occasion.is_empty() {
            return Ok(());
        }
        write!(formatter, ", {}", occasion.join(" "))
    }
}

impl Heading {
    /// The heading of the game with a number, if there is one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn read(connection: &Connection, id: i64) -> rusqlite::Result<Option<Heading>> {
        let sql = "SELECT white.name, black.name, game.result, game.date, event.name,
            game.white_elo, game.black_elo, game.eco, game.ply_count, opening.name,
            opening.eco FROM game
            LEFT JOIN opening ON opening.id = game.opening_id
            LEFT JOIN event ON event.id = game.event_id
            LEFT JOIN player AS white ON white.id = game.white_id
            LEFT JOIN player AS black ON black.id = game.black_id
            WHERE game.id = ?1";

        let mut select = connection.prepare_cached(sql)?;
        let heading = select.query_row([id], |row| {
            let text = |at| owned_text_cell(row, at);
            let number = |at| number_cell(row, at);

            Ok(Heading {
                white: text(0)?,
                black: text(1)?,
                result: text(2)?.unwrap_or_default(),
                date: text(3)?,
                event: text(4)?,
                white_elo: number(5)?,
                black_elo: number(6)?,
                eco: text(7)?,
                plies: number(8)?.unwrap_or_default(),
                opening: text(9)?,
                opening_eco: text(10)?,
            })
        });
        heading.optional()
    }
}
