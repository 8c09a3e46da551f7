//! The request of an opening report.

use crate::board::Position;
use crate::columns::EcoRange;
use crate::query::{Filter, NameQuery};

/// The condition by which a game is of an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSubject {
    /// The moves of the game lead to an opening with this name.
    Named(NameQuery),
    /// The moves of the game lead to an opening with a code in this range.
    Eco(EcoRange),
    /// The game reaches one of these positions.
    Positions(Vec<Position>),
}

/// The request that [`super::OpeningReport::read`] answers.
#[derive(Clone, Debug)]
pub struct OpeningQuery {
    /// The opening.
    pub subject: OpeningSubject,
    /// The games among which the opening's games are counted.
    pub filter: Filter,
    /// The half-moves of the main lines.
    pub depth: usize,
    /// The minimum number of games of a move in the main lines. It defaults to a thirtieth of the opening's games, but
    /// at least two.
    pub min_games: Option<u64>,
}
