//! Every position of games as a FEN in a plain table, for queries in SQL.

use super::change::CACHE_BYTES;
use crate::error::Result;
use crate::storage::{Database, GameSet, Materialized, games_without_fens, write_position_fens};

impl Database {
    /// Writes every position of the mainlines of games to the table `position_fen`, in place of what
    /// it has of these games.
    ///
    /// `choose` names the games, nothing for all, in the state in which they are written; when it fails, nothing is
    /// written. `progress` is called now and then with the games that are done and the number of all.
    ///
    /// # Errors
    /// Whatever `choose` returns, or when the database cannot be written; it is then as it was before.
    pub fn materialize(
        &self,
        choose: impl FnOnce() -> Result<Option<GameSet>>,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Materialized> {
        self.change(CACHE_BYTES, || {
            let chosen = choose()?;
            let games = chosen.as_ref().map_or_else(|| self.count_games(), |set| Ok(set.len()))?;
            let progress = |done| progress(done, games);
            write_position_fens(&self.connection, chosen.as_ref(), progress)
                .map_err(|e| self.error(e))
        })
    }

    /// The same for the games of sources, and of those that they continue, that have no row in the table.
    ///
    /// # Errors
    /// When the database cannot be written; it is then as it was before.
    pub fn materialize_sources(
        &self,
        sources: &[i64],
        progress: impl FnMut(u64, u64),
    ) -> Result<Materialized> {
        let choose = || {
            let games = games_without_fens(&self.connection, sources);
            games.map(Some).map_err(|e| self.error(e))
        };
        self.materialize(choose, progress)
    }
}
