//! Which games a command works on: the same options for every command.

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
    /// Whether nothing is given, so that all games match.
    pub(in crate::cli) fn is_empty(&self) -> bool {
        self.filter().is_empty() && self.question().is_none()
    }

    /// All that is given, as one query.
    pub(in crate::cli) fn query(&self) -> Query {
        let query = Query::new().filter(self.filter());
        match self.question() {
            Some(question) => query.pattern(question),
            None => query,
        }
    }

    /// What must hold of the games.
    pub(in crate::cli) fn filter(&self) -> Filter {
        self.filters.filter()
    }

    /// What must hold of their positions, if anything must.
    pub(in crate::cli) fn question(&self) -> Option<PositionQuery> {
        self.patterns.question()
    }

    /// Why options that are understood one by one cannot be given together.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        self.patterns.contradiction().or_else(|| self.filters.contradiction())
    }
}
