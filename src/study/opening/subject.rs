//! Which opening a report is on.

use crate::board::Position;
use crate::columns::EcoRange;
use crate::query::{Filter, NameQuery};

/// Which games are of an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSubject {
    /// Those with this name, by their moves.
    Named(NameQuery),
    /// Those with such a code, by their moves.
    Eco(EcoRange),
    /// Those that reach one of these positions.
    Positions(Vec<Position>),
}

/// What [`super::OpeningReport::read`] reports on.
#[derive(Clone, Debug)]
pub struct OpeningQuery {
    /// The opening.
    pub subject: OpeningSubject,
    /// The games; shares are of these.
    pub filter: Filter,
    /// The half-moves of the main lines.
    pub depth: usize,
    /// Moves of fewer games are left out of the main lines; by default those of less than a thirtieth of all games.
    pub least_games: Option<u64>,
}
