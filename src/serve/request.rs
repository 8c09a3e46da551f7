//! What a request asks for: filters, positions, sources.

use super::failure::Failure;
use super::line::Line;
use super::options::GameOptions;
use super::pool::limit_user_sql;
use super::route::{DatabaseRequest, Request};
use stamma::board::Position;
use stamma::query::expand_partial_fen;
use stamma::study::repertoire::NewGames;

/// The most positions that a FEN with fields left out may stand for.
const MAX_POSITIONS: usize = 64;

impl Request<'_> {
    /// The filters, patterns and order of the parameters.
    pub(super) fn game_options(&self) -> Result<GameOptions, Failure> {
        let read = self.state.options.read_game_options;
        let description = &self.route.description;
        let others = self.parameters.without(|name| description.has_own(name));
        let options = read(&others).map_err(Failure::bad_request)?;

        if options.has_sql && !self.state.options.has_sql {
            return Err(Failure::bad_request(
                "conditions in SQL are answered with `stamma serve --sql` only",
            ));
        }
        Ok(options)
    }

    /// The positions of the parameters, `None` without any. Without `play`, fields at the end of a FEN may be left out.
    pub(super) fn positions(&self) -> Result<Option<Vec<Position>>, Failure> {
        let has_play = self.given("play").is_some();
        let partial_fen = match self.given("fen") {
            None if !has_play => return Ok(None),
            Some(fen) if !has_play => fen,
            _ => return Ok(Some(vec![Line::read(self.parameters)?.here])),
        };

        let positions = expand_partial_fen(&partial_fen.replace('_', " "), None)
            .map_err(|error| Failure::bad_request(format!("fen: {error}")))?;
        if positions.len() > MAX_POSITIONS {
            return Err(Failure::bad_request(
                "fen: too many positions; give all fields",
            ));
        }
        Ok(Some(positions))
    }

    /// The value of a parameter, unless it is blank.
    fn given(&self, name: &str) -> Option<&str> {
        self.parameters
            .get(name)
            .filter(|text| !text.trim().is_empty())
    }

    /// The source of the parameters, `None` without one.
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
        if options.has_sql {
            limit_user_sql(self.database, self.common.budget)?;
        }
        Ok(options)
    }
}
