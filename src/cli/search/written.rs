//! Matching games as PGN, and their matching positions as EPD.

use std::io::Write;

use crate::cli::{args, damaged, say, say_unplayed};
use stamma::error::{Error, Result};
use stamma::export::{Positions, add_comment, write_epd, write_pgn};
use stamma::game::Game;
use stamma::notation::Style;
use stamma::query::Hit;
use stamma::report::counted;
use stamma::storage::{Database, GameReader};

/// The format of a game's text.
#[derive(Clone, Copy, Debug)]
pub(super) enum TextFormat {
    /// The game, with a comment at the match.
    Pgn,
    /// The matching position.
    Epd,
}

/// The form of a game's text.
pub(super) struct TextStyle {
    format: TextFormat,
    /// The comment at the match; empty for none. Unused for EPD.
    comment: String,
}

/// The text of a game.
#[derive(Default)]
pub(super) struct GameText {
    bytes: Vec<u8>,
    /// `true` if the match is not on the mainline, and could not be written.
    is_without_place: bool,
    /// `true` if the game has no positions, and the query has no place in a game.
    is_unplayed: bool,
}

impl TextStyle {
    pub(super) fn new(format: TextFormat, arguments: &args::Search) -> TextStyle {
        TextStyle {
            format,
            comment: arguments.comment().to_owned(),
        }
    }

    /// The texts of hits, a text for each hit.
    pub(super) fn texts(&self, database: &Database, hits: Vec<Hit>) -> Result<Vec<GameText>> {
        let mut reader = GameReader::new(database)?;
        let mut texts = Vec::with_capacity(hits.len());

        for hit in hits {
            // A game that has been deleted meanwhile has an empty text.
            let Some(game) = reader.game(hit.game)? else {
                texts.push(GameText::default());
                continue;
            };
            let text = match self.format {
                TextFormat::Pgn => pgn(database, game, &hit, &self.comment)?,
                TextFormat::Epd => epd(&game, &hit),
            };
            texts.push(text);
        }
        Ok(texts)
    }
}

/// A game as PGN, with a comment at the match unless the comment is empty.
fn pgn(database: &Database, mut game: Game<'_>, hit: &Hit, comment: &str) -> Result<GameText> {
    let mut text = GameText::default();

    if let Some(ply) = hit.ply
        && !comment.is_empty()
    {
        if hit.in_variation {
            text.is_without_place = true;
        } else {
            add_comment(&mut game, ply, comment);
        }
    }

    let written = write_pgn(&game, &Style::pgn(), &mut text.bytes);
    written.map_err(damaged(database, hit.game.get()))?;
    Ok(text)
}

/// The matching position as EPD; without a place, the last position.
fn epd(game: &Game<'_>, hit: &Hit) -> GameText {
    let mut text = GameText::default();
    let positions = match hit.ply {
        Some(ply) => Positions::After(ply),
        None => Positions::Last,
    };

    let is_written = !hit.in_variation && write_epd(hit.game, game, positions, &mut text.bytes);
    if !is_written {
        text.is_without_place = hit.ply.is_some();
        text.is_unplayed = hit.ply.is_none();
    }
    text
}

/// A writer of texts. It counts the games whose match or position could not be written.
pub(super) struct TextWriter {
    format: TextFormat,
    without_place: u64,
    unplayed: u64,
}

impl TextWriter {
    pub(super) fn new(format: TextFormat) -> TextWriter {
        TextWriter {
            format,
            without_place: 0,
            unplayed: 0,
        }
    }

    pub(super) fn write(&mut self, text: &GameText, out: &mut impl Write) -> Result<()> {
        self.without_place += u64::from(text.is_without_place);
        self.unplayed += u64::from(text.is_unplayed);
        out.write_all(&text.bytes).map_err(Error::Output)
    }

    /// Reports the number of games whose match could not be written.
    pub(super) fn report(&self) {
        if self.unplayed > 0 {
            say_unplayed(self.unplayed);
        }

        if self.without_place == 0 {
            return;
        }
        let games = counted(self.without_place, "game", "games");
        match self.format {
            TextFormat::Pgn => say!("{games} without a comment: the match is in variations only"),
            TextFormat::Epd => say!("{games} skipped: the match is not a position of the mainline"),
        }
    }
}
