//! Counts of the games that reach positions; only games that the index cannot decide are replayed.

use rusqlite::Connection;

use super::position::PositionSearch;
use crate::board::Position;
use crate::index::{Popular, Reached, Segment};
use crate::store_fault::StoreResult;

impl PositionSearch {
    /// The number of games that reach at least one of some positions.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn count(&self, connection: &Connection, positions: &[Position]) -> StoreResult<u64> {
        let mut count = self.count_moved(connection, positions)?;
        for segment in &self.segments {
            count += self.count_within(connection, segment, positions)?;
        }
        Ok(count)
    }

    /// Counts the games whose positions have changed since they were indexed.
    fn count_moved(
        &self,
        connection: &Connection,
        positions: &[Position],
    ) -> rusqlite::Result<u64> {
        let mut count = 0;
        for game in self.changed.moved() {
            let visited = self.visit(connection, game, positions)?;
            count += u64::from(visited.is_some());
        }
        Ok(count)
    }

    /// The number of unchanged games of a segment that reach at least one of some positions.
    fn count_within(
        &self,
        connection: &Connection,
        segment: &Segment,
        positions: &[Position],
    ) -> StoreResult<u64> {
        let mut found = Vec::new();
        for position in positions {
            match self.find(connection, segment, position)? {
                Reached::Never => {}
                reached => found.push((position, reached)),
            }
        }

        // Counts of several positions cannot be added, since a game may reach several of them.
        match &found[..] {
            [(_, Reached::Often(popular))] => self.count_popular(connection, segment, popular),
            _ => self.count_distinct(connection, found),
        }
    }

    /// The number of unchanged games of a segment that reach a popular position, from the counts of its moves.
    fn count_popular(
        &self,
        connection: &Connection,
        segment: &Segment,
        popular: &Popular,
    ) -> StoreResult<u64> {
        let mut games: u64 = 0;
        for (_, counts) in popular.moves() {
            games += counts.all_games();
        }

        let has_changed = self
            .changed
            .any_between(segment.first_game, segment.last_game);
        if !has_changed {
            return Ok(games);
        }

        // `count_moved` counts the games whose positions have changed, so they are subtracted here.
        let mut moved = 0;
        for entry in popular.clone().games(connection)? {
            let (game, _) = entry?;
            if self.changed.has_moved(game) {
                moved += 1;
            }
        }
        Ok(games.saturating_sub(moved))
    }

    /// The number of games that reach at least one of several positions. Each game is counted once.
    fn count_distinct(
        &self,
        connection: &Connection,
        found: Vec<(&Position, Reached)>,
    ) -> StoreResult<u64> {
        let mut reaching = Vec::new();
        for (position, reached) in found {
            match reached {
                Reached::Never => {}
                Reached::Perhaps(games) => {
                    let visits = self.visits_among(connection, games, position)?;
                    reaching.extend(visits.iter().map(|visited| visited.game));
                }
                Reached::Often(popular) => {
                    for entry in popular.games(connection)? {
                        let (game, _) = entry?;
                        reaching.push(game);
                    }
                }
            }
        }

        reaching.retain(|&game| !self.changed.has_moved(game));
        // The lists of popular positions are already sorted, which a stable sort detects.
        reaching.sort();
        reaching.dedup();
        Ok(reaching.len() as u64)
    }
}
