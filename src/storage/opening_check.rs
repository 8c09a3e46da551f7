//! A check of the openings of games against a replay of their moves.

use std::collections::HashMap;

use super::{
    Database, GameId, GameSet, InDatabase, IndexedLines, OpeningTable, PlayedGame, Remedy,
    RowFault, replay_stored,
};
use crate::error::Result;
use crate::openings::OpeningId;

impl Database {
    /// Compares the openings of the games whose numbers are divisible by `step` with the openings that a replay yields.
    /// Games that have changed since they were indexed are left out.
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

    /// Compares the stored openings with the openings that a table gives.
    fn compare_openings(&self, table: &OpeningTable, step: i64) -> rusqlite::Result<Vec<RowFault>> {
        let sql = "SELECT game.id, opening.eco, opening.name FROM game
            LEFT JOIN opening ON opening.id = game.opening_id
            WHERE game.id % ?1 = 0 AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = game.id)";
        let mut select = self.connection.prepare(sql)?;
        let rows = select.query_map([step], |row| {
            Ok(StoredOpening {
                game: row.get(0)?,
                eco: row.get(1)?,
                name: row.get(2)?,
            })
        })?;
        let mut stored: Vec<StoredOpening> = rows.collect::<rusqlite::Result<_>>()?;
        stored.sort_unstable_by_key(|opening| opening.game);

        let games: GameSet = stored.iter().map(|opening| opening.game).collect();
        let expected = self.openings_of_moves(table, games)?;

        let mut faults = Vec::new();
        for StoredOpening { game, eco, name } in stored {
            let opening = expected.get(&game).map(|&id| table.get(id));
            let expected_eco = opening.map(|opening| opening.eco);
            let expected_name = opening.map(|opening| opening.name);
            if eco.as_deref() == expected_eco && name.as_deref() == expected_name {
                continue;
            }

            let by_row = name.as_deref().unwrap_or("no name");
            let by_moves = expected_name.unwrap_or("no name");
            let what = format!("its opening is {by_row}, and by its moves {by_moves}");
            faults.push(RowFault::new(format!("game {game}"), what));
        }
        Ok(faults)
    }

    /// The openings that the moves of games lead to, by the numbers of the games.
    fn openings_of_moves(
        &self,
        table: &OpeningTable,
        games: GameSet,
    ) -> rusqlite::Result<HashMap<GameId, OpeningId>> {
        let of_batch = |games: &[PlayedGame]| table.of_games(games);

        let mut openings = HashMap::new();
        let collect = |batch: Vec<(GameId, OpeningId)>| -> rusqlite::Result<()> {
            openings.extend(batch);
            Ok(())
        };

        let connection = &self.connection;
        let all = (i64::MIN, i64::MAX);
        let lines = IndexedLines::Mainline;
        replay_stored(connection, all, Some(&games), lines, of_batch, collect)?;
        Ok(openings)
    }
}

/// The opening of a game, as its row gives it.
struct StoredOpening {
    game: GameId,
    eco: Option<String>,
    name: Option<String>,
}
