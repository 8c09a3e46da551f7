//! SQL indexes from names to games: built in bulk after the first import, and maintained from then on.

use super::Database;
use crate::error::Result;

const NAME_INDEXES: [(&str, &str); 3] =
    [("game_white", "white_id"), ("game_black", "black_id"), ("game_event", "event_id")];

impl Database {
    /// Drops the indexes while the database has no game, since building them at the end is faster.
    pub(crate) fn put_off_name_indexes(&self) -> Result<()> {
        if self.count_games()? > 0 {
            return Ok(());
        }
        self.for_each_index(|name, _| format!("DROP INDEX IF EXISTS {name}"))
    }

    /// Builds missing indexes.
    pub(crate) fn build_name_indexes(&self) -> Result<()> {
        self.for_each_index(|name, column| {
            format!("CREATE INDEX IF NOT EXISTS {name} ON game({column})")
        })
    }

    fn for_each_index(&self, sql: impl Fn(&str, &str) -> String) -> Result<()> {
        for (name, column) in NAME_INDEXES {
            let done = self.connection.execute_batch(&sql(name, column));
            done.map_err(|e| self.error(e))?;
        }
        Ok(())
    }
}
