//! The query planner: which of index, columns and replays answer a query, and in which order.
//!
//! | query | plan |
//! |---|---|
//! | positions alone, by number | the position index lists games, counts them, and has their moves |
//! | with a filter or an order | columns give candidates, the index drops games that do not reach the positions, rows decide the rest |
//! | with a pattern | as with a filter, and the remaining candidates are replayed |

use std::rc::Rc;

use super::hits::{Cursor, Hits, Numbers};
use super::notable_games::RankedNotableGames;
use super::scanner::Scanner;
use super::{
    MoveCount, MoveTree, NotableGames, PositionQuery, PositionSearch, Query, Selection, SortOrder,
    Watch,
};
use crate::board::Position;
use crate::error::Result;
use crate::game::Game;
use crate::storage::{Database, GameId, GameReader, GameSet, InDatabase, IndexedPlies};

/// The results of a [`Query`], computed lazily.
///
/// All results are from one snapshot if the database was opened by [`Database::open`], whatever others write meanwhile.
pub struct Results<'d> {
    pub(super) database: &'d Database,
    pub(super) watch: Watch<'d>,
    plan: Plan<'d>,
    pattern: Option<PositionQuery>,
    order: SortOrder,
    limit: usize,
    /// The conditions that the selected games satisfy so far.
    stage: Stage,
}

/// The source of the games.
enum Plan<'d> {
    /// The position index alone.
    Index(Reaching),
    /// Columns, whose candidates include all matches.
    Columns(Selection<'d>, Option<Reaching>),
}

/// Positions, and the index to look them up in.
#[derive(Clone)]
pub(super) struct Reaching {
    pub(super) search: Rc<PositionSearch>,
    pub(super) positions: Vec<Position>,
}

/// The part of a query that the selected games satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// The conditions that columns decide.
    Columns,
    /// The conditions that columns decide, and the positions.
    Positions,
    /// The whole query: exactly the matching games are left.
    All,
}

impl Database {
    /// Plans a query. Columns are read now, everything else when the results are used.
    ///
    /// # Errors
    /// When the database cannot be read, or the filter's condition is not valid SQL.
    pub fn query(&self, query: &Query) -> Result<Results<'_>> {
        self.query_watched(query, Watch::new())
    }

    /// Like [`Database::query`], with callbacks for progress and cancellation.
    ///
    /// # Errors
    /// As for [`Database::query`], and [`Error::Interrupted`](crate::error::Error::Interrupted) on cancellation.
    pub fn query_watched<'d>(&'d self, query: &Query, watch: Watch<'d>) -> Result<Results<'d>> {
        watch.check()?;

        let reaching = match &query.positions {
            Some(positions) => Some(Reaching::new(self, positions.clone())?),
            None => None,
        };
        let plan = match reaching {
            Some(reaching) if query.is_of_index() => Plan::Index(reaching),
            // The position index has no names, dates and sort values, so columns give the candidates.
            reaching => {
                let mut selection = Selection::new(self, &query.filter)?;
                if let Some(ranges) = &query.ranges {
                    selection.restrict_to_numbers(ranges);
                }
                Plan::Columns(selection, reaching)
            }
        };

        Ok(Results {
            database: self,
            watch,
            plan,
            pattern: query.pattern.clone(),
            order: query.order,
            limit: query.limit.unwrap_or(usize::MAX),
            stage: Stage::Columns,
        })
    }
}

impl Reaching {
    /// Prepares a search for positions.
    fn new(database: &Database, positions: Vec<Position>) -> Result<Reaching> {
        let search = PositionSearch::new(&database.connection).in_database(database)?;
        Ok(Reaching {
            search: Rc::new(search),
            positions,
        })
    }
}

impl<'d> Results<'d> {
    /// The hits, each with the place where the position or pattern is first found. Games are read lazily.
    ///
    /// # Errors
    /// When the database cannot be read; also for each hit.
    pub fn hits(&mut self) -> Result<Hits<'_, 'd>> {
        self.require_positions()?;
        // A replay costs more than a look at rows, so rows exclude games first.
        if self.pattern.is_some()
            && let Plan::Columns(selection, _) = &mut self.plan
        {
            selection.settle(&self.watch)?;
        }

        let cursor = self.cursor()?;
        Ok(Hits::new(self, cursor, self.limit))
    }

    /// The numbers of the games in the order of [`Results::hits`], without their places.
    ///
    /// # Errors
    /// As for [`Results::hits`].
    pub fn numbers(&mut self) -> Result<Numbers<'_, 'd>> {
        Ok(Numbers(self.hits()?))
    }

    /// The games in the order of [`Results::hits`], each with its number and all that is stored of it. Games are read
    /// one by one, so that any number of games takes the memory of a single game.
    ///
    /// # Errors
    /// As for [`Results::hits`].
    pub fn games(&mut self) -> Result<impl Iterator<Item = Result<(GameId, Game<'static>)>>> {
        let mut reader = GameReader::new(self.database)?;
        let mut read = move |number: Result<GameId>| {
            let id = number?;
            let game = reader.game(id)?;
            Ok(game.map(|game| (id, game)))
        };

        let numbers = self.numbers()?;
        Ok(numbers.filter_map(move |number| read(number).transpose()))
    }

    /// The number of matching games, regardless of the limit.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn count(&mut self) -> Result<u64> {
        self.watch.check()?;
        if let Plan::Index(Reaching { search, positions }) = &self.plan {
            let count = search.count(&self.database.connection, positions);
            return count.in_database(self.database);
        }

        self.settle()?;
        match self.selection() {
            Some(selection) => Ok(selection.candidates().len()),
            None => Ok(0),
        }
    }

    /// `true` if [`Results::count`] need not look at single games.
    pub fn is_counted_quickly(&self) -> bool {
        if self.stage == Stage::All {
            return true;
        }
        let is_settled = self.selection().is_none_or(Selection::is_settled);
        self.pattern.is_none() && is_settled
    }

    /// The set of matching games, regardless of order and limit.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn into_games(mut self) -> Result<GameSet> {
        self.settle()?;
        self.limit = usize::MAX;
        match self.plan {
            Plan::Columns(selection, _) => Ok(selection.into_candidates()),
            Plan::Index(_) => self.numbers()?.collect(),
        }
    }

    /// The moves that were played in the positions, by default in the start position, with the counts of the matching
    /// games. The most played move is first. A game that reaches several of the positions counts at the first. A game
    /// that reaches them in variations only does not count.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn moves(&mut self) -> Result<Vec<MoveCount>> {
        let Reaching { search, positions } = self.reaching_to_move()?;
        self.moves_in(&search, &positions)
    }

    /// The moves that the matching games played in some positions, and the positions that at least one game of the
    /// database reaches.
    pub(super) fn moves_and_reached(
        &mut self,
        positions: &[Position],
    ) -> Result<(Vec<MoveCount>, Vec<Position>)> {
        let Reaching { search, .. } = self.reaching_to_move()?;
        let found = search.reached(&self.database.connection, positions);
        let reached = found.in_database(self.database)?;

        let moves = self.moves_in(&search, positions)?;
        Ok((moves, reached))
    }

    /// The moves that the settled games played in some positions.
    fn moves_in(&self, search: &PositionSearch, positions: &[Position]) -> Result<Vec<MoveCount>> {
        let moves = search.moves_among(&self.database.connection, positions, self.selection());
        moves.in_database(self.database)
    }

    /// The moves as by [`Results::moves`], each followed by the moves played after it, `depth` half-moves deep. Moves
    /// of fewer than `min_games` games are left out, by default moves of fewer than a hundredth of all games.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn move_tree(&mut self, depth: usize, min_games: Option<u64>) -> Result<MoveTree<'_>> {
        let Reaching { search, positions } = self.reaching_to_move()?;

        let results = &*self;
        let moves = move |positions: &[Position]| {
            // A deep tree looks up thousands of positions, so a cancellation is noticed at each.
            results.watch.check()?;
            results.moves_in(&search, positions)
        };
        MoveTree::new(Box::new(moves), positions, depth, min_games)
    }

    /// The first game with each of `moves`, which are the result of [`Results::moves`], and the best-rated games.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn notable_games(&mut self, moves: &[MoveCount]) -> Result<NotableGames> {
        let ranked = self.ranked_notable_games(moves)?;
        Ok(ranked.into_games())
    }

    /// The notable games with their sort keys, by which the games of several databases are merged.
    pub(super) fn ranked_notable_games(
        &mut self,
        moves: &[MoveCount],
    ) -> Result<RankedNotableGames<GameId>> {
        let Reaching { search, positions } = self.reaching_to_move()?;

        let connection = &self.database.connection;
        let selection = self.selection();
        let games = search.notable_games(connection, &positions, moves, selection);
        games.in_database(self.database)
    }

    /// Calls `take` with each matching game that reaches the first position of the query, by default the start, and the
    /// code of its move, as [`PositionSearch::each_played`] does.
    pub(super) fn each_played(&mut self, take: impl FnMut(GameId, u16)) -> Result<()> {
        let Reaching { search, positions } = self.reaching_to_move()?;
        let Some(position) = positions.first() else {
            return Ok(());
        };

        let connection = &self.database.connection;
        let selection = self.selection();
        let is_candidate = |game| match selection {
            Some(selection) => selection.candidates().contains(game),
            None => true,
        };
        let played = search.each_played_of(connection, position, is_candidate, take);
        played.in_database(self.database)
    }

    /// The positions of the query, `None` if it has none.
    pub fn positions(&self) -> Option<&[Position]> {
        self.reaching().map(|reaching| &*reaching.positions)
    }

    /// The half-moves of games after which positions are still found, if the query has positions.
    pub fn indexed_plies(&self) -> IndexedPlies {
        match self.reaching() {
            Some(reaching) => reaching.search.plies(),
            None => IndexedPlies::default(),
        }
    }

    /// `true` if hits may be in variations: the query has positions, and variations are indexed.
    pub fn finds_variations(&self) -> bool {
        let has_variations = |reaching: &Reaching| reaching.search.finds_variations();
        self.pattern.is_none() && self.reaching().is_some_and(has_variations)
    }

    /// `true` if hits have a place in their game: the query has positions or a pattern.
    pub fn has_places(&self) -> bool {
        self.reaching().is_some() || self.pattern.is_some()
    }

    /// The positions of the query with their search; `None` if the query has none.
    pub(super) fn reaching(&self) -> Option<&Reaching> {
        match &self.plan {
            Plan::Index(reaching) => Some(reaching),
            Plan::Columns(_, reaching) => reaching.as_ref(),
        }
    }

    /// The candidates of the columns; `None` if the index alone answers the query.
    pub(super) fn selection(&self) -> Option<&Selection<'d>> {
        match &self.plan {
            Plan::Index(_) => None,
            Plan::Columns(selection, _) => Some(selection),
        }
    }

    /// The source of the matching games in the order of the query.
    fn cursor(&self) -> Result<Cursor<'_, 'd>> {
        let selection = match &self.plan {
            Plan::Index(Reaching { search, positions }) => {
                let found = search.visits_of(&self.database.connection, positions);
                let visits = found.in_database(self.database)?;
                return Ok(Cursor::Index(visits));
            }
            Plan::Columns(selection, _) => selection,
        };
        let Some(pattern) = &self.pattern else {
            let games = selection.in_order(self.order, self.watch)?;
            return Ok(Cursor::Selected(games));
        };

        let scanner = Scanner::new(self.database, selection, pattern, self.watch)?;
        if self.order == SortOrder::default() {
            return Ok(Cursor::Pattern(scanner));
        }

        // In another order than by number, the first hit may be the last that the scan finds.
        let hits = scanner.into_all()?;
        let sorted = selection.sort(hits, self.order)?;
        Ok(Cursor::Sorted(sorted.into_iter()))
    }

    /// Retains the games that reach one of the positions.
    fn require_positions(&mut self) -> Result<()> {
        // The index answers this, so positions exclude games before rows are read.
        if let Plan::Columns(selection, Some(reaching)) = &mut self.plan
            && self.stage == Stage::Columns
        {
            selection.reach(&reaching.search, &reaching.positions, &self.watch)?;
            self.stage = Stage::Positions;
        }
        Ok(())
    }

    /// Retains exactly the games that match.
    fn settle(&mut self) -> Result<()> {
        self.require_positions()?;
        let Plan::Columns(selection, _) = &mut self.plan else {
            return Ok(());
        };
        if self.stage == Stage::All {
            return Ok(());
        }

        // A replay costs more than a look at rows, so the pattern is last.
        selection.settle(&self.watch)?;
        if let Some(pattern) = &self.pattern {
            let scanner = Scanner::new(self.database, selection, pattern, self.watch)?;
            let hits = scanner.into_all()?;
            let games: GameSet = hits.iter().map(|hit| hit.game).collect();
            selection.restrict_to(games);
        }

        self.stage = Stage::All;
        Ok(())
    }

    /// The positions in which moves are counted. Settles the games, unless columns have decided all conditions.
    fn reaching_to_move(&mut self) -> Result<Reaching> {
        self.watch.check()?;
        if !self.is_counted_quickly() {
            self.settle()?;
        }

        match self.reaching() {
            Some(reaching) => Ok(reaching.clone()),
            None => Reaching::new(self.database, vec![Position::start()]),
        }
    }
}
