//! Matching games written as PGN, or their positions as EPD.

use std::io::Write;

use super::listed::Listed;
use crate::cli::args::{self, SearchFormat};
use crate::cli::terminal::counted;
use crate::cli::{damaged, say, say_unplayed};
use stamma::error::{Error, Result};
use stamma::export::{EpdPositions, add_comment, write_epd, write_pgn};
use stamma::game::Game;
use stamma::notation::Style;
use stamma::storage::{Database, GameReader};

/// Writes games as PGN with a comment at the match, or the matching positions as EPD.
pub(super) struct GamesWritten<'d> {
    database: &'d Database,
    reader: GameReader<'d>,
    is_epd: bool,
    comment: &'d str,
    text: Vec<u8>,
    /// The number of games whose match is not on the mainline and could not be written.
    without_place: u64,
    /// The number of games without positions, for a query without a place.
    unplayed: u64,
}

impl<'d> GamesWritten<'d> {
    pub(super) fn new(
        database: &'d Database,
        arguments: &'d args::Search,
    ) -> Result<GamesWritten<'d>> {
        Ok(GamesWritten {
            database,
            reader: GameReader::new(database)?,
            is_epd: arguments.format == SearchFormat::Epd,
            comment: arguments.comment(),
            text: Vec::new(),
            without_place: 0,
            unplayed: 0,
        })
    }

    pub(super) fn write(&mut self, games: &[Listed], out: &mut impl Write) -> Result<()> {
        for listed in games {
            let Some(game) = self.reader.game(listed.game)? else { continue };
            self.text.clear();
            if self.is_epd {
                self.epd(&game, listed);
            } else {
                self.pgn(game, listed)?;
            }
            out.write_all(&self.text).map_err(Error::Output)?;
        }
        Ok(())
    }

    fn pgn(&mut self, mut game: Game<'_>, listed: &Listed) -> Result<()> {
        let comment = Some(self.comment).filter(|comment| !comment.is_empty());
        match (listed.ply.zip(comment), listed.variation) {
            (Some(_), Some(true)) => self.without_place += 1,
            (Some((ply, comment)), _) => add_comment(&mut game, ply, comment),
            (None, _) => {}
        }
        write_pgn(&game, &Style::pgn(), &mut self.text).map_err(damaged(self.database, listed.game))
    }

    fn epd(&mut self, game: &Game<'_>, listed: &Listed) {
        let positions = listed.ply.map_or(EpdPositions::Last, EpdPositions::After);
        let is_written = listed.variation != Some(true)
            && write_epd(listed.game, game, positions, &mut self.text);
        match listed.ply {
            _ if is_written => {}
            Some(_) => self.without_place += 1,
            None => self.unplayed += 1,
        }
    }

    /// Reports how many games have a match that could not be written.
    pub(super) fn report(&self) {
        if self.unplayed > 0 {
            say_unplayed(self.unplayed);
        }
        let games = counted(self.without_place, "game", "games");
        match (self.without_place, self.is_epd) {
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
