//! Query options, which all commands that select games share.

use clap::Args;

use super::filters::Filters;
use super::patterns::Patterns;
use super::usage::UsageError;
use stamma::query::{Filter, PositionQuery, Query};
use stamma::replay::Readings;

/// The options that select games. A game must match all given options.
#[derive(Args, Clone, Debug)]
pub(in crate::cli) struct GameQuery {
    #[command(flatten)]
    patterns: Patterns,
    #[command(flatten)]
    pub(super) filters: Filters,
}

impl GameQuery {
    /// The selection by all options. Prints a remark on an ambiguous option.
    ///
    /// # Errors
    /// When options contradict each other, or moves cannot be followed.
    pub(in crate::cli) fn resolve(&self) -> Result<GameSelection, UsageError> {
        self.resolve_read_as(None)
    }

    /// Like [`GameQuery::resolve`], with moves read in given piece letters.
    ///
    /// # Errors
    /// As for [`GameQuery::resolve`].
    pub(super) fn resolve_read_as(
        &self,
        readings: Option<&Readings>,
    ) -> Result<GameSelection, UsageError> {
        let pattern = self.patterns.resolve()?;
        let filter = self.filters.resolve_read_as(readings)?;
        Ok(GameSelection { filter, pattern })
    }

    /// Like [`GameQuery::resolve`], without a remark, for a server.
    ///
    /// # Errors
    /// As for [`GameQuery::resolve`].
    pub(super) fn resolve_silently(&self) -> Result<GameSelection, UsageError> {
        let pattern = self.patterns.resolve()?;
        let filter = self.filters.read(None)?;
        Ok(GameSelection { filter, pattern })
    }
}

/// A selection of games: by a filter, and by a pattern of their positions.
#[derive(Clone, Debug)]
pub(in crate::cli) struct GameSelection {
    /// The conditions on games.
    pub(in crate::cli) filter: Filter,
    /// The pattern for their positions, if any.
    pub(in crate::cli) pattern: Option<PositionQuery>,
}

impl GameSelection {
    /// `true` if all games match.
    pub(in crate::cli) fn are_all(&self) -> bool {
        self.filter.is_empty() && self.pattern.is_none()
    }

    /// The filter and the pattern as one query.
    pub(in crate::cli) fn query(&self) -> Query {
        let query = Query::new().filter(self.filter.clone());
        match &self.pattern {
            Some(pattern) => query.pattern(pattern.clone()),
            None => query,
        }
    }
}
