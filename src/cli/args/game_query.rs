//! Query options, the same for every command that selects games.

use clap::Args;

use super::{Filters, Patterns};
use stamma::query::{Filter, PositionQuery, Query};

/// Games, by what is known of them and by positions that they have; all that is given must hold.
#[derive(Args, Clone, Debug)]
pub(in crate::cli) struct GameQuery {
    #[command(flatten)]
    pub(super) patterns: Patterns,
    #[command(flatten)]
    pub(super) filters: Filters,
}

impl GameQuery {
    /// `true` if no option is given, so that all games match.
    pub(in crate::cli) fn is_empty(&self) -> bool {
        self.filter().is_empty() && self.pattern_query().is_none()
    }

    /// All options as one query.
    pub(in crate::cli) fn query(&self) -> Query {
        let query = Query::new().filter(self.filter());
        match self.pattern_query() {
            Some(pattern_query) => query.pattern(pattern_query),
            None => query,
        }
    }

    /// The same for games in no database, among which equal ones are left out otherwise.
    pub(super) fn query_of_texts(&self) -> Query {
        self.query().filter(Filter { unique: false, ..self.filter() })
    }

    /// The conditions on games.
    pub(in crate::cli) fn filter(&self) -> Filter {
        self.filters.filter()
    }

    /// The pattern for their positions, if any.
    pub(in crate::cli) fn pattern_query(&self) -> Option<PositionQuery> {
        self.patterns.pattern_query()
    }

    /// The contradiction between options that are valid one by one.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        self.patterns.contradiction().or_else(|| self.filters.contradiction())
    }
}
