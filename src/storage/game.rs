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

/// The indices of the columns of [`COLUMNS`].
mod column {
    pub(super) const ID: usize = 0;
    pub(super) const EVENT: usize = 1;
    pub(super) const SITE: usize = 2;
    pub(super) const DATE: usize = 3;
    pub(super) const ROUND: usize = 4;
    pub(super) const WHITE: usize = 5;
    pub(super) const BLACK: usize = 6;
    pub(super) const RESULT: usize = 7;
    pub(super) const TERMINATOR: usize = 8;
    pub(super) const WHITE_ELO: usize = 9;
    pub(super) const BLACK_ELO: usize = 10;
    pub(super) const ECO: usize = 11;
    pub(super) const FEN: usize = 12;
    pub(super) const VARIANT: usize = 13;
    pub(super) const TAG_ORDER: usize = 14;
    pub(super) const MOVES: usize = 15;
    pub(super) const TAGS: usize = 16;
    pub(super) const ANNOTATIONS: usize = 17;
    pub(super) const REST: usize = 18;
    pub(super) const IS_PLAYED: usize = 19;
}

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
            let id: GameId = row.get(column::ID).in_database(database)?;
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
                let game: GameId = row.get(column::ID)?;
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
    let json = text_cell(row, column::TAGS)?;
    let order = text_cell(row, column::TAG_ORDER)?.unwrap_or_default();
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
    let json = text_cell(row, column::TAGS)?;
    let order = text_cell(row, column::TAG_ORDER)?.unwrap_or_default();
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
        event: text(column::EVENT)?,
        site: text(column::SITE)?,
        date: text(column::DATE)?,
        round: text(column::ROUND)?,
        white: text(column::WHITE)?,
        black: text(column::BLACK)?,
        result: Some(text(column::RESULT)?.unwrap_or("*")),
        eco: text(column::ECO)?,
        white_elo: elo(column::WHITE_ELO)?,
        black_elo: elo(column::BLACK_ELO)?,
        fen: text(column::FEN)?,
    })
}

/// The game of a row, or the value of the row that cannot be read.
fn stored_game(row: &Row<'_>) -> rusqlite::Result<std::result::Result<Game<'static>, Unreadable>> {
    let text = |at| text_cell(row, at);
    let owned_text = |at| -> rusqlite::Result<Option<Cow<'static, str>>> {
        let cell = text_cell(row, at)?;
        Ok(cell.map(|text| Cow::Owned(text.to_owned())))
    };
    let parse_termination = |marker: &str| Termination::from_ascii(marker.as_bytes());

    let Some(tags) = stored_tags(row)? else {
        return Ok(Err(Unreadable::Tags));
    };
    let annotations = match read_annotations(text(column::ANNOTATIONS)?) {
        Ok(annotations) => annotations,
        Err(error) => return Ok(Err(Unreadable::Annotations(error))),
    };
    let result = text(column::RESULT)?
        .and_then(parse_termination)
        .unwrap_or(Termination::Unknown);

    Ok(Ok(Game {
        tags,
        variant: variant_cell(row, column::VARIANT)?,
        start: owned_text(column::FEN)?,
        is_played: row.get(column::IS_PLAYED)?,
        moves: owned_text(column::MOVES)?.unwrap_or_default(),
        annotations: Cow::Owned(annotations),
        rest: owned_text(column::REST)?,
        result,
        // A marker is stored only if it differs from the result. An empty text stands for a missing marker.
        termination: text(column::TERMINATOR)?.map_or(Some(result), parse_termination),
    }))
}
