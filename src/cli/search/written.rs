//! Matching games written as PGN, or their positions as EPD.

use std::io::Write;

use crate::cli::args::{self, SearchFormat};
use crate::cli::{damaged, say, say_unplayed};
use stamma::error::{Error, Result};
use stamma::export::{Positions, add_comment, write_epd, write_pgn};
use stamma::game::Game;
use stamma::notation::Style;
use stamma::query::Hit;
use stamma::report::counted;
use stamma::storage::{Database, GameReader};

/// How games are written: as PGN with a comment at the match, or the matching positions as EPD.
pub(super) struct GamesWritten {
    is_epd: bool,
    comment: String,
}

/// The text of a game.
#[derive(Default)]
pub(super) struct Text {
    bytes: Vec<u8>,
    /// The match is not on the mainline, and could not be written.
    is_without_place: bool,
    /// The game has no positions, and the query no place.
    is_unplayed: bool,
}

impl GamesWritten {
    pub(super) fn new(arguments: &args::Search) -> GamesWritten {
        GamesWritten {
            is_epd: arguments.format == SearchFormat::Epd,
            comment: arguments.comment().to_owned(),
        }
    }

    /// The texts of hits.
    pub(super) fn read(&self, database: &Database, hits: Vec<Hit>) -> Result<Vec<Text>> {
        let mut reader = GameReader::new(database)?;
        let text = |hit: Hit| {
            let Some(game) = reader.game(hit.game)? else {
                return Ok(Text::default());
            };
            if self.is_epd {
                Ok(epd(&game, &hit))
            } else {
                self.pgn(database, game, &hit)
            }
        };
        hits.into_iter().map(text).collect()
    }

    fn pgn(&self, database: &Database, mut game: Game<'_>, hit: &Hit) -> Result<Text> {
        let mut text = Text::default();
        match hit.ply {
            Some(_) if self.comment.is_empty() => {}
            Some(_) if hit.in_variation => text.is_without_place = true,
            Some(ply) => add_comment(&mut game, ply, &self.comment),
            None => {}
        }
        let written = write_pgn(&game, &Style::pgn(), &mut text.bytes);
        written.map_err(damaged(database, hit.game.get()))?;
        Ok(text)
    }
}

fn epd(game: &Game<'_>, hit: &Hit) -> Text {
    let mut text = Text::default();
    let positions = hit.ply.map_or(Positions::Last, Positions::After);
    let is_written = !hit.in_variation && write_epd(hit.game, game, positions, &mut text.bytes);
    text.is_without_place = !is_written && hit.ply.is_some();
    text.is_unplayed = !is_written && hit.ply.is_none();
    text
}

/// The numbers of games that could not be written whole.
#[derive(Default)]
pub(super) struct Written {
    without_place: u64,
    unplayed: u64,
}

impl Written {
    pub(super) fn write(&mut self, text: &Text, out: &mut impl Write) -> Result<()> {
        self.without_place += u64::from(text.is_without_place);
        self.unplayed += u64::from(text.is_unplayed);
        out.write_all(&text.bytes).map_err(Error::Output)
    }

    /// Reports how many games have a match that could not be written.
    pub(super) fn report(&self, is_epd: bool) {
        if self.unplayed > 0 {
            say_unplayed(self.unplayed);
        }
        let games = counted(self.without_place, "game", "games");
        match (self.without_place, is_epd) {
            (0, _) => {}
            (_, true) => {
                say!("{games} skipped: the match is not a position of the mainline")
            }
            (_, false) => {
                say!("{games} without a comment: the match is in variations only")
            }
        }
    }
}
