//! Do games have the openings that their moves lead to?

use std::collections::HashMap;

use super::{
    Database, GameId, GameSet, InDatabase, IndexedLines, OpeningTable, PlayedGame, Remedy,
    RowFault, replay_stored,
};
use crate::error::Result;
use crate::openings::OpeningId;

impl Database {
    /// Compares the openings of the games whose numbers can be divided by `step` with those that a replay gives. Games
    /// that have changed since they were indexed are left out.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn opening_faults(&self, step: i64) -> Result<Vec<RowFault>> {
        if !self.are_games_named()? {
            let fault = RowFault::new("opening", "games have names of another table");
            return Ok(vec![fault.mended_by(Remedy::NameOpenings)]);
        }
        let table = self.openings()?;
        self.compare_openings(&table, step).in_database(self)
    }

    fn compare_openings(&self, table: &OpeningTable, step: i64) -> rusqlite::Result<Vec<RowFault>> {
        let sql = "SELECT game.id, opening.eco, opening.name FROM game
            LEFT JOIN opening ON opening.id = game.opening_id
            WHERE game.id % ?1 = 0 AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = game.id)";
        let mut select = self.connection.prepare(sql)?;
        let stored =
            select.query_map([step], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?;
        let stored: HashMap<GameId, (Option<String>, Option<String>)> =
            stored.collect::<rusqlite::Result<_>>()?;
        let due = self.openings_due(table, stored.keys().copied().collect())?;
        let mut faults = Vec::new();
        for (game, (eco, name)) in stored {
            let opening = due.get(&game).map(|&id| table.get(id));
            if (eco.as_deref(), name.as_deref()) != opening.map(|o| (o.eco, o.name)).unzip() {
                let named = |name: Option<&str>| name.unwrap_or("no name").to_owned();
                let due = named(opening.map(|opening| opening.name));
                let what = format!(
                    "its opening is {}, and by its moves {due}",
                    named(name.as_deref())
                );
                faults.push((game, what));
            }
        }
        faults.sort_unstable();
        let fault = |(game, what)| RowFault::new(format!("game {game}"), what);
        Ok(faults.into_iter().map(fault).collect())
    }

    /// The openings to which the moves of games lead, by the numbers of the games.
    fn openings_due(
        &self,
        table: &OpeningTable,
        games: GameSet,
    ) -> rusqlite::Result<HashMap<GameId, OpeningId>> {
        let mut due = HashMap::new();
        let of_batch = |games: &[PlayedGame]| -> Vec<(GameId, OpeningId)> {
            let opening = |game: &PlayedGame| Some((game.id, table.of_stored(game)?));
            games.iter().filter_map(opening).collect()
        };
        let all = (i64::MIN, i64::MAX);
        let lines = IndexedLines::Mainline;
        replay_stored(
            &self.connection,
            all,
            Some(&games),
            lines,
            of_batch,
            |batch| {
                due.extend(batch);
                Ok::<(), rusqlite::Error>(())
            },
        )?;
        Ok(due)
    }
}
