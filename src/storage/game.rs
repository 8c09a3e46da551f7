//! Games read from the database.

use std::borrow::Cow;

use rusqlite::{Connection, OptionalExtension, Row, Statement};

use super::address::site_of_game;
use super::annotations::read_annotations;
use super::tags::{self, TagColumns};
use super::{Database, GameId, InDatabase, RowFault, number_cell, text_cell, variant_cell};
use crate::error::{Error, Result};
use crate::game::{Game, TagPair};
use crate::pgn::Termination;

const COLUMNS: &str = concat!(
    "SELECT game.id, event.name, ",
    site_of_game!(),
    ", game.date, game.round, white.name,
    black.name, game.result, game.terminator, game.white_elo, game.black_elo, game.eco, game.fen,
    game.variant, tag_order.names, movetext.moves, movetext.tags, movetext.annotations,
    movetext.rest, game.final_key IS NOT NULL
    FROM game
    CROSS JOIN movetext ON movetext.game_id = game.id
    CROSS JOIN tag_order ON tag_order.id = game.tag_order_id
    LEFT JOIN event ON event.id = game.event_id
    LEFT JOIN site ON site.id = game.site_id
    LEFT JOIN player AS white ON white.id = game.white_id
    LEFT JOIN player AS black ON black.id = game.black_id"
);

/// The columns of [`COLUMNS`] that tags are joined from.
const TAG_ORDER_COLUMN: usize = 14;
const TAGS_COLUMN: usize = 16;

/// Reads games by their numbers.
pub struct GameReader<'d> {
    database: &'d Database,
    one: Statement<'d>,
    range: Statement<'d>,
}

impl<'d> GameReader<'d> {
    /// Prepares the statements.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn new(database: &'d Database) -> Result<GameReader<'d>> {
        let prepare = |end: &str| {
            let sql = format!("{COLUMNS} WHERE {end}");
            database.connection.prepare(&sql).in_database(database)
        };

        Ok(GameReader {
            database,
            one: prepare("game.id = ?1")?,
            range: prepare("game.id BETWEEN ?1 AND ?2 ORDER BY game.id")?,
        })
    }

    /// The game with a number, if there is one.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub fn game(&mut self, id: GameId) -> Result<Option<Game<'static>>> {
        let database = self.database;
        let found = self.one.query_row([id], stored_game).optional();
        let Some(stored) = found.in_database(database)? else {
            return Ok(None);
        };

        let game = stored.map_err(|unreadable| unreadable.error(database, id))?;
        Ok(Some(game))
    }

    /// Calls `visit` with the number and the content of each game of a range, in their order.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged, and any error of `visit`.
    pub fn each(
        &mut self,
        first: GameId,
        last: GameId,
        mut visit: impl FnMut(GameId, Game<'static>) -> Result<()>,
    ) -> Result<()> {
        let database = self.database;
        let mut rows = self.range.query([first, last]).in_database(database)?;

        while let Some(row) = rows.next().in_database(database)? {
            let id: GameId = row.get(0).in_database(database)?;
            let stored = stored_game(row).in_database(database)?;

            let game = stored.map_err(|unreadable| unreadable.error(database, id))?;
            visit(id, game)?;
        }
        Ok(())
    }
}

/// A value of a game that another program has written and Stamma cannot parse.
enum Unreadable {
    Tags,
    Annotations(serde_json::Error),
}

impl Unreadable {
    /// A sentence about the value and the game.
    fn sentence(&self, game: GameId) -> String {
        match self {
            Unreadable::Tags => format!("the tags of game {game} cannot be read"),
            Unreadable::Annotations(error) => {
                format!("the annotations of game {game} cannot be read: {error}")
            }
        }
    }

    /// The error for the value of a game of a database.
    fn error(self, database: &Database, game: GameId) -> Error {
        database.damaged(self.sentence(game))
    }
}

impl Database {
    /// Games with unreadable tags or annotations, or tags that contradict each other, among the games whose numbers are
    /// divisible by `divisor`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn unreadable_games(&self, divisor: i64) -> Result<Vec<RowFault>> {
        let mut faults = Vec::new();
        let mut read = || -> rusqlite::Result<()> {
            let sql = format!("{COLUMNS} WHERE game.id % ?1 = 0");
            let mut select = self.connection.prepare(&sql)?;
            let mut rows = select.query([divisor])?;

            while let Some(row) = rows.next()? {
                let game: GameId = row.get(0)?;
                if let Some(what) = fault_of_row(row, game)? {
                    faults.push(RowFault::new(format!("game {game}"), what));
                }
            }
            Ok(())
        };
        read().in_database(self)?;
        Ok(faults)
    }
}

/// The fault of a game's row, as a sentence; `None` if the row is sound.
fn fault_of_row(row: &Row<'_>, game: GameId) -> rusqlite::Result<Option<String>> {
    if let Err(unreadable) = stored_game(row)? {
        return Ok(Some(unreadable.sentence(game)));
    }

    let columns = tag_columns(row)?;
    let json = text_cell(row, TAGS_COLUMN)?;
    let order = text_cell(row, TAG_ORDER_COLUMN)?.unwrap_or_default();
    Ok(tags::contradiction(&columns, json, order))
}

/// The tag pairs of a game, in their order; `None` if there is no such game, or its tags contradict each other.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn all_tags(
    connection: &Connection,
    game: GameId,
) -> rusqlite::Result<Option<Vec<TagPair<'static>>>> {
    let sql = format!("{COLUMNS} WHERE game.id = ?1");
    let mut select = connection.prepare_cached(&sql)?;
    let tags = select.query_row([game], stored_tags).optional()?;
    Ok(tags.flatten())
}

/// The tag pairs of a row, in their order; `None` if they contradict each other.
fn stored_tags(row: &Row<'_>) -> rusqlite::Result<Option<Vec<TagPair<'static>>>> {
    let columns = tag_columns(row)?;
    let json = text_cell(row, TAGS_COLUMN)?;
    let order = text_cell(row, TAG_ORDER_COLUMN)?.unwrap_or_default();
    Ok(tags::join(&columns, json, order))
}

/// The columns of tags.
fn tag_columns<'r>(row: &'r Row<'_>) -> rusqlite::Result<TagColumns<'r>> {
    let text = |at| text_cell(row, at);
    let elo = |at| -> rusqlite::Result<Option<u16>> {
        let number = number_cell(row, at)?;
        Ok(number.and_then(|elo| u16::try_from(elo).ok()))
    };

    Ok(TagColumns {
        event: text(1)?,
        site: text(2)?,
        date: text(3)?,
        round: text(4)?,
        white: text(5)?,
        black: text(6)?,
        result: Some(text(7)?.unwrap_or("*")),
        eco: text(11)?,
        white_elo: elo(9)?,
        black_elo: elo(10)?,
        fen: text(12)?,
    })
}

/// The game of a row, or the value of the row that cannot be read.
fn stored_game(row: &Row<'_>) -> rusqlite::Result<std::result::Result<Game<'static>, Unreadable>> {
    let text = |at| text_cell(row, at);
    let owned = |text: Option<&str>| text.map(|text| Cow::Owned(text.to_owned()));
    let termination = |text: &str| Termination::from_ascii(text.as_bytes());

    let Some(tags) = stored_tags(row)? else {
        return Ok(Err(Unreadable::Tags));
    };
    let annotations = match read_annotations(text(17)?) {
        Ok(annotations) => annotations,
        Err(error) => return Ok(Err(Unreadable::Annotations(error))),
    };
    let result = text(7)?
        .and_then(termination)
        .unwrap_or(Termination::Unknown);

    Ok(Ok(Game {
        tags,
        variant: variant_cell(row, 13)?,
        start: owned(text(12)?),
        is_played: row.get(19)?,
        moves: owned(text(15)?).unwrap_or_default(),
        annotations: Cow::Owned(annotations),
        rest: owned(text(18)?),
        result,
        termination: text(8)?.map_or(Some(result), termination),
    }))
}
