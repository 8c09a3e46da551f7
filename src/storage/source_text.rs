//! Text of sources between games.

use std::ops::Range;

use rusqlite::{Rows, Statement};

use super::{Database, GameId, InDatabase};
use crate::error::Result;

/// A text between games, ready to be stored.
#[derive(Debug)]
pub(crate) struct SourceTextRow {
    /// The number of games of its batch that precede it.
    pub(crate) games_before: usize,
    /// The bytes of the text in the source.
    pub(crate) bytes: Range<u64>,
    /// The text, as [`read_between`](crate::pgn::read_between()) returns it.
    pub(crate) text: String,
}

/// Text after the last game of a source belongs to that game.
const SELECT: &str =
    "SELECT before_game, text FROM source_text JOIN source ON source.id = source_id
    WHERE min(before_game, coalesce(last_game, before_game)) BETWEEN ?1 AND ?2
    ORDER BY before_game, source_text.id";

/// Reads the texts between games.
pub struct TextReader<'d> {
    database: &'d Database,
    select: Statement<'d>,
}

impl<'d> TextReader<'d> {
    /// Prepares the statement.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn new(database: &'d Database) -> Result<TextReader<'d>> {
        let select = database.connection.prepare(SELECT).in_database(database)?;
        Ok(TextReader { database, select })
    }

    /// The texts before, between and after the games from `first` to `last`, in their order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn of_games(&mut self, first: GameId, last: GameId) -> Result<Texts<'_>> {
        let database = self.database;
        let rows = self.select.query([first, last]).in_database(database)?;
        let mut texts = Texts {
            database,
            rows,
            next: None,
        };

        texts.advance()?;
        Ok(texts)
    }
}

/// An iterator over texts between games.
pub struct Texts<'r> {
    database: &'r Database,
    rows: Rows<'r>,
    /// The next text, and the number of the game after it.
    next: Option<(i64, String)>,
}

impl Texts<'_> {
    /// The next text, if it comes before the game with a number.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn next_before(&mut self, game: GameId) -> Result<Option<String>> {
        let Some((_, text)) = self.next.take_if(|(before, _)| *before <= game.get()) else {
            return Ok(None);
        };
        self.advance()?;
        Ok(Some(text))
    }

    /// Reads the next text.
    fn advance(&mut self) -> Result<()> {
        let row = self.rows.next().in_database(self.database)?;
        self.next = match row {
            Some(row) => {
                let before = row.get(0).in_database(self.database)?;
                let text = row.get(1).in_database(self.database)?;
                Some((before, text))
            }
            None => None,
        };
        Ok(())
    }
}
