//! Every position of games as a FEN in a plain table, for whoever wants to ask in SQL.

use std::rc::Rc;

use rusqlite::types::Value;
use rusqlite::vtab::array;
use rusqlite::{Connection, Statement, params};

use super::{CHANGE_CACHE_BYTES, Database, GameSet, IndexedLines, PlayedGame, replay_stored};
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

const GAMES_WITHOUT_FENS: &str = "
    WITH RECURSIVE of_source (id) AS (
        SELECT value FROM rarray(?1)
        UNION
        SELECT continues FROM source JOIN of_source USING (id) WHERE continues IS NOT NULL
    )
    SELECT id FROM game WHERE source_id IN of_source
        AND NOT EXISTS (SELECT 1 FROM position_fen WHERE game_id = game.id)
    ORDER BY id";

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
        self.change(CHANGE_CACHE_BYTES, || {
            let chosen = choose()?;
            let games = chosen.as_ref().map_or_else(|| self.count_games(), |set| Ok(set.len()))?;
            let progress = |done| progress(done, games);
            write(&self.connection, chosen.as_ref(), progress).map_err(|e| self.error(e))
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

/// The games of sources, and of those that they continue, that have no row in the table.
fn games_without_fens(connection: &Connection, sources: &[i64]) -> rusqlite::Result<GameSet> {
    connection.execute_batch(TABLE)?;
    array::load_module(connection)?;
    let sources: Vec<Value> = sources.iter().copied().map(Value::Integer).collect();
    let mut select = connection.prepare(GAMES_WITHOUT_FENS)?;
    let games = select.query_map([Rc::new(sources)], |row| row.get(0))?;
    games.collect()
}

fn write(
    connection: &Connection,
    games: Option<&GameSet>,
    mut progress: impl FnMut(u64),
) -> rusqlite::Result<Materialized> {
    connection.execute_batch(TABLE)?;
    match games {
        None => drop(connection.execute("DELETE FROM position_fen", [])?),
        Some(games) => {
            let mut delete = connection.prepare("DELETE FROM position_fen WHERE game_id = ?1")?;
            games.iter().try_for_each(|game| delete.execute([game]).map(drop))?;
        }
    }
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
    replay_stored(connection, (1, i64::MAX), games, lines, Fens::of, sink)?;
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
