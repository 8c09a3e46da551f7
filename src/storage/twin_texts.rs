//! The texts of games that a search for duplicates compares.

use rusqlite::{Connection, OptionalExtension, Row};

use super::address::site_of_game;
use super::annotations::without_clock_arrays;
use super::cell::owned_text_cell;
use super::{MergedTag, SourceId, number_cell, other_tags, text_cell};
use crate::game::TagPair;

/// The compared texts of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct TwinTexts {
    pub(crate) date: Option<String>,
    pub(crate) round: Option<String>,
    pub(crate) eco: Option<String>,
    pub(crate) fen: Option<String>,
    pub(crate) variant: Option<String>,
    pub(crate) moves: String,
    /// Tags without a column.
    pub(crate) tags: Vec<TagPair<'static>>,
    pub(crate) event: Option<String>,
    pub(crate) site: Option<String>,
    pub(crate) white_elo: Option<i64>,
    pub(crate) black_elo: Option<i64>,
    pub(crate) source: SourceId,
    pub(crate) moves_hash: i64,
    /// The number of characters of the annotations, with clock times as comments.
    pub(crate) annotation_length: usize,
}

const TEXTS: &str = concat!(
    "SELECT game.date, game.round, game.eco, game.fen, game.variant,
    movetext.moves, movetext.tags, event.name, ",
    site_of_game!(),
    ", game.white_elo, game.black_elo,
    game.source_id, game.moves_hash, movetext.annotations, tag_order.names
    FROM game CROSS JOIN movetext ON movetext.game_id = game.id
    LEFT JOIN tag_order ON tag_order.id = game.tag_order_id
    LEFT JOIN event ON event.id = game.event_id
    LEFT JOIN site ON site.id = game.site_id
    WHERE game.id = ?1"
);

impl TwinTexts {
    /// The texts of a game; `None` if it does not exist.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn read(connection: &Connection, game: i64) -> rusqlite::Result<Option<TwinTexts>> {
        let mut select = connection.prepare_cached(TEXTS)?;
        select.query_row([game], TwinTexts::of_row).optional()
    }

    /// Reverts a tag that comes from a duplicate, unless the tag has changed since.
    pub(crate) fn revert(&mut self, tag: &MergedTag) {
        let text = match tag.name.as_str() {
            "Date" => &mut self.date,
            "Round" => &mut self.round,
            "ECO" => &mut self.eco,
            "Event" => &mut self.event,
            "Site" => &mut self.site,
            "WhiteElo" => return revert_elo(&mut self.white_elo, tag),
            "BlackElo" => return revert_elo(&mut self.black_elo, tag),
            _ => return,
        };

        if text.as_ref() == Some(&tag.value) {
            text.clone_from(&tag.written);
        }
    }

    /// Reads a row of a game.
    fn of_row(row: &Row<'_>) -> rusqlite::Result<TwinTexts> {
        let text = |at| owned_text_cell(row, at);
        let number = |at| number_cell(row, at).map(Option::unwrap_or_default);

        let json = text_cell(row, 6)?;
        let order = text_cell(row, 14)?;
        let annotations = text_cell(row, 13)?.map(without_clock_arrays);

        Ok(TwinTexts {
            date: text(0)?,
            round: text(1)?,
            eco: text(2)?,
            fen: text(3)?,
            variant: text(4)?,
            moves: text(5)?.unwrap_or_default(),
            tags: other_tags(json, order),
            event: text(7)?,
            site: text(8)?,
            white_elo: number_cell(row, 9)?,
            black_elo: number_cell(row, 10)?,
            source: SourceId::new(number(11)?),
            moves_hash: number(12)?,
            annotation_length: annotations.map_or(0, |json| json.chars().count()),
        })
    }
}

/// Reverts a rating to the value in the source, if it is still the merged value.
fn revert_elo(elo: &mut Option<i64>, tag: &MergedTag) {
    let merged: Option<i64> = tag.value.parse().ok();
    if elo.is_none() || *elo != merged {
        return;
    }

    let written = tag.written.as_deref();
    *elo = written.and_then(|written| written.parse().ok());
}
