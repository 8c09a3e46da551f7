//! What is searched for, and the games that are found, as they are asked for.

use super::listed::{Count, Listed, columns};
use crate::cli::args;
use crate::cli::progress::Progress;
use stamma::board::Position;
use stamma::error::Result;
use stamma::query::{Found, PositionQuery, PositionSearch, Selection, SortOrder, Visited};
use stamma::storage::{Database, Heading, san_at};

/// What is searched for.
pub(super) struct Asked<'d> {
    database: &'d Database,
    search: PositionSearch,
    pub(super) positions: Option<Vec<Position>>,
    question: Option<PositionQuery>,
    /// The games that the filters leave; nothing where there is no filter, and the index alone knows them in their order.
    selection: Option<Selection<'d>>,
    order: SortOrder,
}

/// What takes games over, some at a time.
pub(super) type Take<'t> = dyn FnMut(&[Listed]) -> Result<()> + 't;

impl<'d> Asked<'d> {
    pub(super) fn new(
        database: &'d Database,
        positions: Option<Vec<Position>>,
        arguments: &args::Search,
    ) -> Result<Asked<'d>> {
        let search = PositionSearch::new(database.connection()).map_err(|e| database.error(e))?;
        let (filter, question) = (arguments.games.filter(), arguments.games.question());
        let order = arguments.order.order();
        let is_by_id = order == SortOrder::default();
        let is_index_alone = arguments.games.is_empty() && is_by_id && positions.is_some();
        let selection = match is_index_alone {
            true => None,
            false => {
                let mut found = Selection::new(database, &filter)?;
                if let Some(positions) = &positions {
                    found.reach(&search, positions)?;
                }
                Some(found)
            }
        };
        Ok(Asked { database, search, positions, question, selection, order })
    }

    /// The fields of a game in the list.
    pub(super) fn columns(&self) -> &'static [&'static str] {
        let has_positions = self.positions.is_some() || self.question.is_some();
        let has_variations = self.search.finds_variations() && self.question.is_none();
        columns(has_positions, has_variations)
    }

    /// How many games there are.
    pub(super) fn count(&mut self) -> Result<u64> {
        if self.question.is_some() {
            return Ok(self.matching(usize::MAX)?.len() as u64);
        }
        match &mut self.selection {
            Some(selection) => Ok(selection.settle()?.len()),
            None => {
                let positions = self.positions.as_deref().unwrap_or_default();
                let count = self.search.count(self.database.connection(), positions);
                count.map_err(|e| self.database.error(e))
            }
        }
    }

    /// The first `limit` games, and how many there are as far as that is known without looking at all.
    pub(super) fn first(&mut self, limit: usize) -> Result<(Vec<Listed>, Count)> {
        let mut games = Vec::new();
        self.each(limit.saturating_add(1), &mut |more| {
            games.extend_from_slice(more);
            Ok(())
        })?;
        let has_more = games.len() > limit;
        games.truncate(limit);
        let is_counted = self.question.is_none()
            && self.selection.as_ref().is_none_or(|selection| selection.is_settled());
        let count = match (has_more, is_counted) {
            (false, _) => Count::Known(games.len() as u64),
            (true, true) => Count::Known(self.count()?),
            (true, false) => Count::More,
        };
        Ok((games, count))
    }

    /// Hands over the first `limit` games, some at a time.
    pub(super) fn each(&mut self, limit: usize, take: &mut Take<'_>) -> Result<()> {
        if self.question.is_some() {
            let found = self.matching(limit)?;
            let mut games = found.into_iter().map(|found| self.found(found));
            return hand_over(limit, &mut games, take);
        }
        match &self.selection {
            Some(selection) => {
                let mut games = selection.in_order(self.order)?.map(|game| self.listed(game?));
                hand_over(limit, &mut games, take)
            }
            None => {
                let (connection, fail) = (self.database.connection(), |e| self.database.error(e));
                let positions = self.positions.as_deref().unwrap_or_default();
                let mut visits = self.search.visits_of(connection, positions).map_err(fail)?;
                let mut games = std::iter::from_fn(|| visits.next(connection).transpose())
                    .map(|visited| self.visited(visited.map_err(fail)?));
                hand_over(limit, &mut games, take)
            }
        }
    }

    /// The first `limit` games in which the question about positions holds.
    fn matching(&mut self, limit: usize) -> Result<Vec<Found>> {
        let (Some(question), Some(selection)) = (&self.question, &mut self.selection) else {
            return Ok(Vec::new());
        };
        // What comes first in another order may be found last.
        let is_by_id = self.order == SortOrder::default();
        let bar = Progress::of_games(0);
        let looked = |done, all| bar.show_games_of(done, all);
        let found = selection.matching(question, if is_by_id { limit } else { usize::MAX }, looked);
        bar.finish();
        let mut found = found?;
        if !is_by_id {
            selection.sort(&mut found, self.order)?;
            found.truncate(limit);
        }
        Ok(found)
    }

    fn listed(&self, game: i64) -> Result<Listed> {
        let Some(positions) = &self.positions else { return self.heading(game) };
        let visited = self.search.visit(self.database.connection(), game, positions);
        match visited.map_err(|e| self.database.error(e))? {
            Some(visited) => self.visited(visited),
            None => Err(self.database.damaged(format!("game {game} does not reach the position"))),
        }
    }

    fn visited(&self, visited: Visited) -> Result<Listed> {
        let listed = self.heading(visited.game)?;
        Ok(listed.visited(visited, self.search.finds_variations()))
    }

    fn found(&self, found: Found) -> Result<Listed> {
        let next = san_at(self.database.connection(), found.game, found.ply);
        let next = next.map_err(|e| self.database.error(e))?;
        Ok(self.heading(found.game)?.at(found.ply, next))
    }

    fn heading(&self, game: i64) -> Result<Listed> {
        let heading = Heading::read(self.database.connection(), game);
        let heading = heading.map_err(|e| self.database.error(e))?;
        Ok(Listed::of(game, heading.unwrap_or_default()))
    }
}

/// Games that are handed over at once.
const BATCH_GAMES: usize = 256;

/// Hands the first `limit` games over, some at a time.
fn hand_over(
    limit: usize,
    games: &mut dyn Iterator<Item = Result<Listed>>,
    take: &mut Take<'_>,
) -> Result<()> {
    let mut left = limit;
    while left > 0 {
        let some: Vec<Listed> = games.take(left.min(BATCH_GAMES)).collect::<Result<_>>()?;
        if some.is_empty() {
            break;
        }
        left -= some.len();
        take(&some)?;
    }
    Ok(())
}
