//! Every position of games as a FEN in a plain table, for whoever wants to ask in SQL.

use rusqlite::{Connection, Statement, params};

use super::chosen::IS_CHOSEN;
use super::{CHANGE_CACHE_BYTES, Database, IndexedLines, PlayedGame, replay_stored};
use crate::error::Result;
use crate::replay::Mainline;

/// The table is made when it is first asked for, since most databases do without, and with it what
/// keeps it free of deleted games.
const TABLE: &str = "
CREATE TABLE IF NOT EXISTS position_fen (
    game_id  INTEGER NOT NULL,
    ply      INTEGER NOT NULL,   -- half-moves played
    fen      TEXT    NOT NULL,   -- all six fields
    PRIMARY KEY (game_id, ply)
) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS position_fen_game_is_deleted AFTER DELETE ON game BEGIN
    DELETE FROM position_fen WHERE game_id = old.id;
END;";

/// What [`Database::materialize`] has written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Materialized {
    /// Games that have been played through.
    pub games: u64,
    /// Positions written.
    pub positions: u64,
}

impl Database {
    /// Writes every position of the mainlines of games to the table `position_fen`, in place of what
    /// it has of these games; all games, or those for which a condition holds.
    ///
    /// The condition is SQL over the columns of the view `games`. `progress` is called now and then
    /// with the games that are done and the number of all.
    ///
    /// # Errors
    /// When the condition is none, or the database cannot be written; it is then as it was before.
    pub fn materialize(
        &self,
        condition: Option<&str>,
        progress: impl FnMut(u64, u64),
    ) -> Result<Materialized> {
        self.change(CHANGE_CACHE_BYTES, || {
            let games = match condition {
                Some(condition) => self.choose_games(condition)?,
                None => self.count_games()?,
            };
            self.write_fens(condition.map(|_| IS_CHOSEN), games, progress)
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
        self.change(CHANGE_CACHE_BYTES, || {
            self.connection.execute_batch(TABLE).map_err(|e| self.error(e))?;
            let games = self.choose_games_without_fens(sources)?;
            self.write_fens(Some(IS_CHOSEN), games, progress)
        })
    }

    fn write_fens(
        &self,
        condition: Option<&str>,
        games: u64,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Materialized> {
        write(&self.connection, condition, |done| progress(done, games)).map_err(|e| self.error(e))
    }
}

fn write(
    connection: &Connection,
    condition: Option<&str>,
    mut progress: impl FnMut(u64),
) -> rusqlite::Result<Materialized> {
    connection.execute_batch(TABLE)?;
    let of_games = match condition {
        Some(condition) => format!("WHERE game_id IN (SELECT id FROM game WHERE {condition})"),
        None => String::new(),
    };
    connection.execute(&format!("DELETE FROM position_fen {of_games}"), [])?;
    let mut insert = connection.prepare("INSERT INTO position_fen VALUES (?1, ?2, ?3)")?;
    let mut written = Materialized::default();
    let sink = |fens: Fens| {
        fens.insert(&mut insert)?;
        written.games += fens.games;
        written.positions += fens.rows.len() as u64;
        progress(written.games);
        Ok::<(), rusqlite::Error>(())
    };
    let lines = IndexedLines::Mainline;
    replay_stored(connection, (1, i64::MAX), condition, lines, Fens::of, sink)?;
    Ok(written)
}

/// The positions of some games, their FENs one behind the other in one string.
#[derive(Default)]
struct Fens {
    games: u64,
    text: String,
    /// Game, half-moves played, and where in the text the FEN ends.
    rows: Vec<(i64, u32, usize)>,
}

impl Fens {
    /// Plays games through, as far as they go.
    fn of(games: &[PlayedGame]) -> Fens {
        let mut fens = Fens { games: games.len() as u64, ..Fens::default() };
        for game in games {
            if let Some(line) = game.mainline() {
                fens.push(game.id, line);
            }
        }
        fens
    }

    fn push(&mut self, game: i64, mut line: Mainline<'_>) {
        loop {
            self.text.push_str(&line.position().fen());
            self.rows.push((game, line.ply(), self.text.len()));
            match line.step() {
                Some((_, mv)) => line.play(mv),
                None => return,
            }
        }
    }

    fn insert(&self, insert: &mut Statement<'_>) -> rusqlite::Result<()> {
        let mut start = 0;
        for &(game, ply, end) in &self.rows {
            insert.execute(params![game, ply, &self.text[start..end]])?;
            start = end;
        }
        Ok(())
    }
}
