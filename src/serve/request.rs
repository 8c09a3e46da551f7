//! The filters, positions and sources of a request.

use super::failure::Failure;
use super::line::PlayedLine;
use super::options::GameOptions;
use super::pool::limit_user_sql;
use super::route::{DatabaseRequest, Request};
use stamma::board::Position;
use stamma::query::expand_partial_fen;
use stamma::study::repertoire::NewGames;

/// The maximum number of positions that a FEN with missing trailing fields may match.
const MAX_POSITIONS: usize = 64;

impl Request<'_> {
    /// The filters, patterns and order of the parameters.
    pub(super) fn game_options(&self) -> Result<GameOptions, Failure> {
        // The parameters of the route are no options of a search.
        let read = self.state.options.read_game_options;
        let description = &self.route.description;
        let others = self.parameters.without(|name| description.has_own(name));
        let options = read(&others).map_err(Failure::bad_request)?;

        if options.has_sql && !self.state.options.has_sql {
            let sentence = "conditions in SQL are answered with `stamma serve --sql` only";
            return Err(Failure::bad_request(sentence));
        }
        Ok(options)
    }

    /// The positions of the parameters; `None` without a position. Without `play`, trailing fields of a FEN may be
    /// missing.
    pub(super) fn positions(&self) -> Result<Option<Vec<Position>>, Failure> {
        // Moves can be played from a complete position only.
        if self.value("play").is_some() {
            let line = PlayedLine::read(self.parameters)?;
            return Ok(Some(vec![line.here]));
        }

        let Some(partial_fen) = self.value("fen") else {
            return Ok(None);
        };
        let with_spaces = partial_fen.replace('_', " ");
        let positions = match expand_partial_fen(&with_spaces, None) {
            Ok(positions) => positions,
            Err(error) => return Err(Failure::bad_request(format!("fen: {error}"))),
        };

        if positions.len() > MAX_POSITIONS {
            let sentence = "fen: too many positions; give all fields";
            return Err(Failure::bad_request(sentence));
        }
        Ok(Some(positions))
    }

    /// The value of a parameter, unless it is blank.
    fn value(&self, name: &str) -> Option<&str> {
        let value = self.parameters.get(name)?;
        if value.trim().is_empty() {
            return None;
        }
        Some(value)
    }

    /// The choice of new games by the parameter `source`; `None` without it.
    pub(super) fn new_games(&self) -> Option<NewGames> {
        match self.parameters.get("source")? {
            "" => None,
            "last" => Some(NewGames::LastSource),
            name => Some(NewGames::Sources(vec![name.to_owned()])),
        }
    }
}

impl DatabaseRequest<'_> {
    /// The filters, patterns and order of the parameters.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(super) fn game_options(&self) -> Result<GameOptions, Failure> {
        let options = self.common.game_options()?;

        // A condition of a user runs on the connection of the snapshot.
        if options.has_sql {
            limit_user_sql(self.database, self.common.budget)?;
        }
        Ok(options)
    }
}
