//! The table of all positions as FEN, for SQL queries.

use std::rc::Rc;

use rusqlite::types::Value;
use rusqlite::vtab::array;
use rusqlite::{Connection, Statement, params};

use super::{GameSet, IndexedLines, PlayedGame, SourceId, replay_stored};
use crate::replay::Mainline;

/// Created on first use, since most databases do without it, together with the trigger that removes the rows of deleted
/// games.
pub(super) const TABLE: &str = "
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

/// The result of [`Database::materialize`](crate::storage::Database::materialize).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Materialized {
    /// The number of games replayed.
    pub games: u64,
    /// The number of positions written.
    pub positions: u64,
}

/// The games without rows in the table, among the games of some sources and of the sources that they continue.
pub(crate) fn games_without_fens(
    connection: &Connection,
    sources: &[SourceId],
) -> rusqlite::Result<GameSet> {
    connection.execute_batch(TABLE)?;
    array::load_module(connection)?;

    let sources: Vec<Value> = sources
        .iter()
        .map(|source| Value::Integer(source.get()))
        .collect();

    let mut select = connection.prepare(GAMES_WITHOUT_FENS)?;
    let games = select.query_map([Rc::new(sources)], |row| row.get(0))?;
    games.collect()
}

/// Writes every mainline position of some games, or of all, replacing their rows.
pub(crate) fn write_position_fens(
    connection: &Connection,
    games: Option<&GameSet>,
    mut progress: impl FnMut(u64),
) -> rusqlite::Result<Materialized> {
    connection.execute_batch(TABLE)?;

    match games {
        None => {
            connection.execute("DELETE FROM position_fen", [])?;
        }
        Some(games) => {
            let mut delete = connection.prepare("DELETE FROM position_fen WHERE game_id = ?1")?;
            for game in games.iter() {
                delete.execute([game])?;
            }
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

/// The positions of some games, with their FENs in one string.
#[derive(Default)]
struct Fens {
    games: u64,
    text: String,
    rows: Vec<FenRow>,
}

/// A row of the table. Its FEN begins in [`Fens::text`] where the FEN of the row before it ends.
struct FenRow {
    game: i64,
    /// The number of half-moves played before the position.
    ply: u32,
    /// The end of the FEN in [`Fens::text`].
    end: usize,
}

impl Fens {
    /// The positions of some games, each up to its last legal move.
    fn of(games: &[PlayedGame]) -> Fens {
        let mut fens = Fens {
            games: games.len() as u64,
            ..Fens::default()
        };
        for game in games {
            if let Some(line) = game.mainline() {
                fens.push(game.id.get(), line);
            }
        }
        fens
    }

    /// Adds the positions of a game, up to its last legal move.
    fn push(&mut self, game: i64, mut line: Mainline<'_>) {
        loop {
            let fen = line.position().fen();
            self.text.push_str(&fen);
            let end = self.text.len();
            self.rows.push(FenRow {
                game,
                ply: line.ply().get(),
                end,
            });

            match line.step() {
                Some((_, mv)) => line.play(mv),
                None => return,
            }
        }
    }

    /// Inserts all rows.
    fn insert(&self, insert: &mut Statement<'_>) -> rusqlite::Result<()> {
        let mut start = 0;
        for row in &self.rows {
            let fen = &self.text[start..row.end];
            insert.execute(params![row.game, row.ply, fen])?;
            start = row.end;
        }
        Ok(())
    }
}
