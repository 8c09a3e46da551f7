//! Writing of the table of all positions as FEN, for SQL queries.

use super::change::CACHE_BYTES;
use crate::error::Result;
use crate::storage::{
    Database, GameSet, InDatabase, Materialized, SourceId, games_without_fens, write_position_fens,
};

impl Database {
    /// Writes every mainline position of games to the table `position_fen`, replacing the rows of these games.
    ///
    /// `choose` returns the games, `None` for all, and runs in the same transaction; on failure, nothing is written.
    /// `progress` is called regularly with the number of games done and the number of games to do.
    ///
    /// # Errors
    /// Any error of `choose`, or when the database cannot be written; it is then as it was before.
    pub fn materialize(
        &self,
        choose: impl FnOnce() -> Result<Option<GameSet>>,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Materialized> {
        self.change(CACHE_BYTES, || {
            let chosen = choose()?;
            let games = match &chosen {
                Some(set) => set.len(),
                None => self.count_games()?,
            };

            let progress = |done| progress(done, games);
            write_position_fens(&self.connection, chosen.as_ref(), progress).in_database(self)
        })
    }

    /// Like `materialize`, for games without rows in the table that are of some sources, or of sources that these
    /// continue.
    ///
    /// # Errors
    /// When the database cannot be written; it is then as it was before.
    pub fn materialize_sources(
        &self,
        sources: &[SourceId],
        progress: impl FnMut(u64, u64),
    ) -> Result<Materialized> {
        let choose = || -> Result<Option<GameSet>> {
            let games = games_without_fens(&self.connection, sources).in_database(self)?;
            Ok(Some(games))
        };
        self.materialize(choose, progress)
    }
}
