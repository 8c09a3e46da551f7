//! The moves in a position, counted over all databases of a request, and games to show beside the moves.

use std::sync::Arc;

use crate::serve::failure::Failure;
use crate::serve::route::{DatabaseRequest, Joined};
use stamma::Filter;
use stamma::board::Position;
use stamma::query::{
    FeaturedGames, FeaturedLimits, GameOfDatabase, MoveCount, Query, joined_moves,
};

/// The moves in a position, and games to show beside them.
pub(super) struct Explored {
    pub(super) moves: Vec<MoveCount>,
    pub(super) featured: FeaturedGames<GameOfDatabase>,
}

impl Explored {
    /// No game.
    pub(super) fn nothing() -> Explored {
        let featured = FeaturedGames::joined([], FeaturedLimits::default());
        Explored {
            moves: Vec::new(),
            featured,
        }
    }

    /// Counts the games that a filter matches.
    ///
    /// # Errors
    /// When a database cannot be read, and when the budget is over.
    pub(super) fn read(
        joined: &Joined<'_>,
        position: &Position,
        filter: &Filter,
        limits: FeaturedLimits,
    ) -> Result<Explored, Failure> {
        let by_database = joined.run(|request| explore(request, position, filter, limits))?;
        let (moves, featured): (Vec<_>, Vec<_>) = by_database.into_iter().unzip();

        // The featured games of a popular position are shared with other answers.
        let parts = featured.iter().map(|part| &**part);
        Ok(Explored {
            moves: joined_moves(position, moves),
            featured: FeaturedGames::joined(parts, limits),
        })
    }
}

/// The moves and the games of one database.
fn explore(
    request: &DatabaseRequest<'_>,
    position: &Position,
    filter: &Filter,
    limits: FeaturedLimits,
) -> Result<(Vec<MoveCount>, Arc<FeaturedGames>), Failure> {
    let database = request.database;
    let budget = request.common.budget;

    // `Prepared::explore` counts all games, and has no counts by month.
    if filter.is_empty() && !limits.months {
        let of_all_games = request.prepared.explore(database, position, budget)?;
        return Ok(of_all_games);
    }

    let query = Query::new()
        .positions([position.clone()])
        .filter(filter.clone());
    let mut results = database.query_watched(&query, request.watch)?;
    let moves = results.moves()?;

    let keys = request.prepared.keys(database, budget)?;
    let featured = results.featured_games(&keys, limits)?;
    Ok((moves, Arc::new(featured)))
}
