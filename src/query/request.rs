//! Queries as plain data: positions, a pattern, a filter, an order and a limit.

use std::ops::RangeInclusive;

use super::{Filter, PositionQuery, ReadPositionError, SortOrder, read_positions};
use crate::board::Position;
use crate::storage::GameId;

/// A query for games: conditions joined by AND. A new query matches all games.
///
/// [`Database::query`](crate::storage::Database::query) answers it.
///
/// ```
/// use stamma::query::{Filter, Query, SortKey};
///
/// let rated = Filter { elo: Some("2600..".parse()?), ..Filter::default() };
/// let query = Query::new().position("1. e4 c5")?.filter(rated).order(SortKey::Date).limit(10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Query {
    pub(super) positions: Option<Vec<Position>>,
    pub(super) pattern: Option<PositionQuery>,
    pub(super) filter: Filter,
    pub(super) ranges: Option<Vec<RangeInclusive<GameId>>>,
    pub(super) order: SortOrder,
    pub(super) limit: Option<usize>,
}

impl Query {
    /// A query for all games, by number.
    pub fn new() -> Query {
        Query::default()
    }

    /// Games that reach a position, given as a FEN, as a partial FEN (missing trailing fields match anything), or as
    /// moves such as `1. e4 c5` in any notation. Transpositions are found. The half-move clock and the move number are
    /// never compared. Replaces the positions given before.
    ///
    /// # Errors
    /// When the text is neither a FEN nor moves, or a move is not legal.
    pub fn position(self, text: &str) -> Result<Query, ReadPositionError> {
        let positions = read_positions(text, None)?;
        Ok(self.positions(positions))
    }

    /// Games that reach at least one of some positions. Replaces the positions given before.
    pub fn positions(self, positions: impl IntoIterator<Item = Position>) -> Query {
        Query {
            positions: Some(positions.into_iter().collect()),
            ..self
        }
    }

    /// Games in which a pattern matches: a board with wildcards, material, a sequence of moves. Replaces the pattern
    /// given before.
    pub fn pattern(self, pattern: PositionQuery) -> Query {
        Query {
            pattern: Some(pattern),
            ..self
        }
    }

    /// Games that a filter matches: players, dates, ratings, tags, comments. Replaces the filter given before.
    pub fn filter(self, filter: Filter) -> Query {
        Query { filter, ..self }
    }

    /// Games whose numbers are in at least one range. Replaces the ranges given before.
    pub fn games(self, ranges: impl IntoIterator<Item = RangeInclusive<GameId>>) -> Query {
        Query {
            ranges: Some(ranges.into_iter().collect()),
            ..self
        }
    }

    /// The order of the games, by default by number.
    pub fn order(self, order: impl Into<SortOrder>) -> Query {
        Query {
            order: order.into(),
            ..self
        }
    }

    /// The maximum number of games listed. It limits neither counts nor moves.
    pub fn limit(self, games: usize) -> Query {
        Query {
            limit: Some(games),
            ..self
        }
    }

    /// `true` if every game of a database matches.
    pub fn matches_all(&self) -> bool {
        let Query {
            positions,
            pattern,
            filter,
            ranges,
            ..
        } = self;
        positions.is_none() && pattern.is_none() && filter.is_empty() && ranges.is_none()
    }

    /// `true` if games must reach a position.
    pub fn has_positions(&self) -> bool {
        self.positions.is_some()
    }

    /// The maximum number of games listed.
    pub(crate) fn max_games(&self) -> u64 {
        match self.limit {
            Some(limit) if limit < usize::MAX => limit as u64,
            _ => u64::MAX,
        }
    }

    /// A part of the query that needs a database, so that single games cannot be checked against it.
    pub(crate) fn part_for_databases(&self) -> Option<&'static str> {
        let Query {
            positions,
            filter,
            ranges,
            order,
            ..
        } = self;
        if positions.is_some() {
            Some("a position")
        } else if ranges.is_some() {
            Some("a number of a game")
        } else if *order != SortOrder::default() {
            Some("an order of games")
        } else if filter.condition.is_some() {
            Some("a condition in SQL")
        } else if filter.unique {
            Some("a mark of duplicates")
        } else {
            None
        }
    }

    /// `true` if the position index alone answers the query, without columns.
    pub(super) fn is_of_index(&self) -> bool {
        self.positions.is_some()
            && self.pattern.is_none()
            && self.filter.is_empty()
            && self.ranges.is_none()
            && self.order == SortOrder::default()
    }
}
