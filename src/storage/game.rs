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
        match found.in_database(database)? {
            Some(Err(unreadable)) => Err(unreadable.error(database, id)),
            Some(Ok(game)) => Ok(Some(game)),
            None => Ok(None),
        }
    }

    /// Calls `visit` with the number of each game of a range, in their order, and the game.
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
            let (id, game) = row
                .get(0)
                .and_then(|id| Ok((id, stored_game(row)?)))
                .in_database(database)?;
            visit(
                id,
                game.map_err(|unreadable| unreadable.error(database, id))?,
            )?;
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
    fn sentence(&self, game: GameId) -> String {
        match self {
            Unreadable::Tags => format!("the tags of game {game} cannot be read"),
            Unreadable::Annotations(error) => {
                format!("the annotations of game {game} cannot be read: {error}")
            }
        }
    }

    fn error(self, database: &Database, game: GameId) -> Error {
        database.damaged(self.sentence(game))
    }
}

impl Database {
    /// Games with unreadable tags or annotations, or tags that contradict each other, among those whose numbers are divisible by `divisor`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn unreadable_games(&self, divisor: i64) -> Result<Vec<RowFault>> {
        let mut faults = Vec::new();
        let mut read = || -> rusqlite::Result<()> {
            let mut select = self
                .connection
                .prepare(&format!("{COLUMNS} WHERE game.id % ?1 = 0"))?;
            let mut rows = select.query([divisor])?;
            while let Some(row) = rows.next()? {
                let game: GameId = row.get(0)?;
                let fault = match stored_game(row)? {
                    Err(unreadable) => Some(unreadable.sentence(game)),
                    Ok(_) => {
                        let order = text_cell(row, 14)?.unwrap_or_default();
                        tags::contradiction(&tag_columns(row)?, text_cell(row, 16)?, order)
                    }
                };
                faults.extend(fault.map(|what| RowFault::new(format!("game {game}"), what)));
            }
            Ok(())
        };
        read().in_database(self)?;
        Ok(faults)
    }
}

/// The tag pairs of a game, in their order; `None` if there is no such game, or its tags contradict each other.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn all_tags(
    connection: &Connection,
    game: GameId,
) -> rusqlite::Result<Option<Vec<TagPair<'static>>>> {
    let mut select = connection.prepare_cached(&format!("{COLUMNS} WHERE game.id = ?1"))?;
    Ok(select.query_row([game], stored_tags).optional()?.flatten())
}

/// `None` if the tags contradict each other.
fn stored_tags(row: &Row<'_>) -> rusqlite::Result<Option<Vec<TagPair<'static>>>> {
    let columns = tag_columns(row)?;
    Ok(tags::join(
        &columns,
        text_cell(row, 16)?,
        text_cell(row, 14)?.unwrap_or_default(),
    ))
}

/// The columns of tags.
fn tag_columns<'r>(row: &'r Row<'_>) -> rusqlite::Result<TagColumns<'r>> {
    let text = |at| text_cell(row, at);
    let elo = |at| -> rusqlite::Result<Option<u16>> {
        Ok(number_cell(row, at)?.and_then(|elo| u16::try_from(elo).ok()))
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

fn stored_game(row: &Row<'_>) -> rusqlite::Result<std::result::Result<Game<'static>, Unreadable>> {
    let text = |at| text_cell(row, at);
    let Some(tags) = stored_tags(row)? else {
        return Ok(Err(Unreadable::Tags));
    };
    let annotations = match read_annotations(text(17)?) {
        Ok(annotations) => annotations,
        Err(error) => return Ok(Err(Unreadable::Annotations(error))),
    };
    let owned = |text: Option<&str>| text.map(|text| Cow::Owned(text.to_owned()));
    let termination = |text: &str| Termination::from_ascii(text.as_bytes());
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
