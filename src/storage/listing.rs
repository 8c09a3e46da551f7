//! The values of a game that lists may show.

use rusqlite::{OptionalExtension, Row};

use super::address::site_of_game;
use super::cell::owned_text_cell;
use super::{Database, GameId, InDatabase, number_cell, other_tags, text_cell};
use crate::error::Result;
use crate::game::tag_value;

/// A game in a list, with more than its [`Heading`](super::Heading).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The White tag, if any.
    pub white: Option<String>,
    /// The Black tag.
    pub black: Option<String>,
    /// White's Elo.
    pub white_elo: Option<i64>,
    /// Black's Elo.
    pub black_elo: Option<i64>,
    /// The WhiteTitle tag.
    pub white_title: Option<String>,
    /// The BlackTitle tag.
    pub black_title: Option<String>,
    /// The Date tag.
    pub date: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The ECO tag, or the code of the opening without one.
    pub eco: Option<String>,
    /// The name of the opening, by its moves.
    pub opening: Option<String>,
    /// The Event tag.
    pub event: Option<String>,
    /// The Site tag.
    pub site: Option<String>,
    /// The Round tag.
    pub round: Option<String>,
    /// The number of half-moves.
    pub plies: i64,
    /// The path of the file that the game was imported from.
    pub source: String,
    /// The offset of the game's text in this file.
    pub byte_offset: i64,
}

const SQL: &str = concat!(
    "SELECT white.name, black.name, game.white_elo, game.black_elo,
    movetext.tags, tag_order.names, game.date, game.result, coalesce(game.eco, opening.eco), opening.name, event.name, ",
    site_of_game!(),
    ",
    game.round, game.ply_count, source.path, game.byte_offset
    FROM game
    LEFT JOIN movetext ON movetext.game_id = game.id
    LEFT JOIN tag_order ON tag_order.id = game.tag_order_id
    LEFT JOIN source ON source.id = game.source_id
    LEFT JOIN opening ON opening.id = game.opening_id
    LEFT JOIN event ON event.id = game.event_id
    LEFT JOIN site ON site.id = game.site_id
    LEFT JOIN player AS white ON white.id = game.white_id
    LEFT JOIN player AS black ON black.id = game.black_id
    WHERE game.id = ?1"
);

impl Database {
    /// The values of the game with a number that a list may show, if there is one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn listing(&self, game: GameId) -> Result<Option<Listing>> {
        let read = || -> rusqlite::Result<Option<Listing>> {
            let mut select = self.connection.prepare_cached(SQL)?;
            select.query_row([game], listing_of_row).optional()
        };
        read().in_database(self)
    }
}

/// Reads a row of a game.
fn listing_of_row(row: &Row<'_>) -> rusqlite::Result<Listing> {
    let text = |at| owned_text_cell(row, at);
    let number = |at| number_cell(row, at);

    // Titles of players have no columns of their own.
    let json = text_cell(row, 4)?;
    let order = text_cell(row, 5)?;
    let tags = other_tags(json, order);
    let title = |name| tag_value(&tags, name).map(str::to_owned);

    Ok(Listing {
        white: text(0)?,
        black: text(1)?,
        white_elo: number(2)?,
        black_elo: number(3)?,
        white_title: title("WhiteTitle"),
        black_title: title("BlackTitle"),
        date: text(6)?,
        result: text(7)?.unwrap_or_default(),
        eco: text(8)?,
        opening: text(9)?,
        event: text(10)?,
        site: text(11)?,
        round: text(12)?,
        plies: number(13)?.unwrap_or_default(),
        source: text(14)?.unwrap_or_default(),
        byte_offset: number(15)?.unwrap_or_default(),
    })
}
