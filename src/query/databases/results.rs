//! Results of a query of several databases: each database answers the query, and the answers are merged.

use super::super::notable_games::RankedNotableGames;
use super::super::{Hit, MoveCount, MoveTree, NotableGames, Query, SortOrder, merge_moves};
use super::hits::CombinedHits;
use super::session::Sessions;
use crate::board::Position;
use crate::error::Result;
use crate::storage::{Database, GameId, PositionEvaluation, best_evaluations};

/// A game of one of several databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameOfDatabase {
    /// The index of the database.
    pub database: usize,
    /// The number of the game in its database.
    pub game: GameId,
}

/// The results of a [`Query`] of several databases, as [`Databases::query`](crate::query::Databases::query) gives them.
///
/// The methods are the methods of [`Results`](crate::query::Results). Counts are added, moves are counted together, and
/// games are listed in one order.
pub struct CombinedResults<'s> {
    sessions: &'s Sessions<'s>,
    positions: Option<Vec<Position>>,
    has_places: bool,
    order: SortOrder,
    limit: usize,
    finds_variations: Vec<bool>,
}

impl<'s> CombinedResults<'s> {
    /// The results of a query that the threads have planned.
    pub(super) fn new(sessions: &'s Sessions<'s>, query: &Query) -> Result<CombinedResults<'s>> {
        Ok(CombinedResults {
            sessions,
            positions: query.positions.clone(),
            has_places: query.positions.is_some() || query.pattern.is_some(),
            order: query.order,
            limit: query.limit.unwrap_or(usize::MAX),
            finds_variations: sessions.run_on_all(|results| Ok(results.finds_variations()))?,
        })
    }

    /// The number of matching games of all databases, regardless of the limit.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn count(&mut self) -> Result<u64> {
        let counts = self.sessions.run_on_all(|results| results.count())?;
        Ok(counts.into_iter().sum())
    }

    /// `true` if [`CombinedResults::count`] need not look at single games.
    ///
    /// # Errors
    /// When the query is cancelled.
    pub fn is_counted_quickly(&self) -> Result<bool> {
        let sessions = self.sessions;
        let quick = sessions.run_on_all(|results| Ok(results.is_counted_quickly()))?;
        Ok(quick.into_iter().all(|is_quick| is_quick))
    }

    /// The matching games, each with the index of its database and the value that `read` returns for the game. `read`
    /// is called with consecutive hits of one database, on the thread of the database, and must return one value for
    /// each hit.
    pub fn hits<T: Send + 'static>(
        &mut self,
        read: impl Fn(&Database, Vec<Hit>) -> Result<Vec<T>> + Send + Sync + 'static,
    ) -> CombinedHits<'_, T> {
        CombinedHits::start(self.sessions, self.order, self.limit, read)
    }

    /// The moves that were played in the positions, as by [`Results::moves`](crate::query::Results::moves), with the
    /// counts of all databases.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn moves(&mut self) -> Result<Vec<MoveCount>> {
        moves_in(self.sessions, &self.positions_to_move())
    }

    /// The tree of moves, as by [`Results::move_tree`](crate::query::Results::move_tree), with the counts of all
    /// databases.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn move_tree(&mut self, depth: usize, min_games: Option<u64>) -> Result<MoveTree<'_>> {
        let sessions = self.sessions;
        let moves = move |positions: &[Position]| moves_in(sessions, positions);
        let positions = self.positions_to_move();
        MoveTree::new(Box::new(moves), positions, depth, min_games)
    }

    /// The first game with each of `moves`, which are the result of [`CombinedResults::moves`], and the best-rated
    /// games.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn notable_games(&mut self, moves: &[MoveCount]) -> Result<NotableGames<GameOfDatabase>> {
        // A task runs on another thread and must own its data, so the moves are copied.
        let owned_moves = moves.to_vec();
        let sessions = self.sessions;
        let of_databases =
            sessions.run_on_all(move |results| results.ranked_notable_games(&owned_moves))?;

        let mut named = Vec::with_capacity(of_databases.len());
        for (database, games) in of_databases.into_iter().enumerate() {
            named.push(games.renamed(|game| GameOfDatabase { database, game }));
        }
        let merged = RankedNotableGames::merge(named);
        Ok(merged.into_games())
    }

    /// The best evaluation of each position in all databases; `None` for `None`.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn evaluations(
        &self,
        positions: Vec<Option<Position>>,
    ) -> Result<Vec<Option<PositionEvaluation>>> {
        let sessions = self.sessions;
        let found = sessions.run_on_all(move |results| results.database.evaluations(&positions))?;
        Ok(best_evaluations(found))
    }

    /// Calls `read` with the database that has an index, on the thread of the database.
    ///
    /// # Errors
    /// Any error of `read`, and when the query is cancelled.
    ///
    /// # Panics
    /// If no database has this index.
    pub fn read<T: Send + 'static>(
        &self,
        database: usize,
        read: impl FnOnce(&Database) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.sessions
            .run_on_one(database, move |results| read(results.database))
    }

    /// The positions of the query, `None` if it has none.
    pub fn positions(&self) -> Option<&[Position]> {
        self.positions.as_deref()
    }

    /// `true` if hits have a place in their game: the query has positions or a pattern.
    pub fn has_places(&self) -> bool {
        self.has_places
    }

    /// For each database, `true` if hits may be in variations.
    pub fn finds_variations(&self) -> &[bool] {
        &self.finds_variations
    }

    /// The positions in which moves are counted.
    fn positions_to_move(&self) -> Vec<Position> {
        match &self.positions {
            Some(positions) => positions.clone(),
            None => vec![Position::start()],
        }
    }
}

/// The moves in some positions, counted together over all databases.
fn moves_in(sessions: &Sessions<'_>, positions: &[Position]) -> Result<Vec<MoveCount>> {
    let owned_positions = positions.to_vec();
    let parts = sessions.run_on_all(move |results| results.moves_and_reached(&owned_positions))?;
    Ok(merge_moves(positions, parts))
}
