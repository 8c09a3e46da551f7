//! The main lines of an opening.

use super::chosen::Chosen;
use super::sample::OpeningRoot;
use super::subject::OpeningQuery;
use crate::board::Position;
use crate::error::Result;
use crate::query::{MoveTree, PositionSearch, TreeMove, Watch};
use crate::storage::Database;

/// By default, moves of fewer games than one in this many are left out.
const LEAST_SHARE: u64 = 30;

/// A tree of moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpeningLines {
    /// The number of games that reach the root.
    pub games: u64,
    /// The least number of games of a listed move.
    pub least_games: u64,
    /// The number of moves left out, not counting those after them.
    pub left_out: u64,
    /// The moves, each followed by the next ones.
    pub moves: Vec<TreeMove>,
}

pub(super) fn read(
    database: &Database,
    chosen: &Chosen<'_>,
    root: Option<&OpeningRoot>,
    query: &OpeningQuery,
    watch: &Watch<'_>,
) -> Result<OpeningLines> {
    let Some(root) = root else { return Ok(OpeningLines::default()) };
    let connection = &database.connection;
    let search = PositionSearch::new(connection).map_err(|error| database.error(error))?;
    let moves = |positions: &[Position]| {
        watch.check()?;
        let moves = search.moves_among(connection, positions, Some(&chosen.selection));
        moves.map_err(|error| database.error(error))
    };
    let least = query.least_games.unwrap_or(chosen.games().len().div_ceil(LEAST_SHARE).max(2));
    let positions = vec![root.position.clone()];
    let mut tree = MoveTree::new(Box::new(moves), positions, query.depth, Some(least))?;
    let games = tree.games();
    let moves: Result<Vec<TreeMove>> = tree.by_ref().collect();
    Ok(OpeningLines { games, least_games: least, left_out: tree.left_out(), moves: moves? })
}
