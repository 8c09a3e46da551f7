//! Marks of duplicates, and the state of the last search for them.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, params};

use super::{Database, GameId, GameSet, InDatabase, number_cell, text_cell};
use crate::error::Result;

/// Games that are duplicates of each other.
#[derive(Clone, Debug, PartialEq)]
pub struct DuplicateGroup {
    /// The game that is kept.
    pub keep: GameId,
    /// The other games, by descending preference.
    pub duplicates: Vec<GameId>,
    /// The difference of their moves: `same`, `short`, `prefix` or `variant`.
    pub kind: String,
    /// The certainty, from 0 to 1.
    pub score: f64,
    /// The equal parts: `moves`, `players`, `date` and others.
    pub why: Vec<String>,
}

impl DuplicateGroup {
    /// All of its games, the kept one first.
    pub fn games(&self) -> impl Iterator<Item = GameId> {
        std::iter::once(self.keep).chain(self.duplicates.iter().copied())
    }
}

/// The state of the last search for duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TwinSearchState {
    /// The last game that was compared.
    pub(crate) last_game: GameId,
    /// The rule that decides which game of a group is kept.
    pub(crate) preference: String,
}

/// The separator of reasons, which are stored in one text.
const REASON_SEPARATOR: &str = ", ";

impl TwinSearchState {
    /// Reads the state; `None` if there has been no search.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn read(connection: &Connection) -> rusqlite::Result<Option<TwinSearchState>> {
        let sql = "SELECT last_game, preference FROM duplicate_search WHERE id = 1";
        let state = connection.query_row(sql, [], |row| {
            let preference = text_cell(row, 1)?.unwrap_or_default().to_owned();
            let last_game = number_cell(row, 0)?;
            Ok(last_game.map(|last_game| TwinSearchState {
                last_game: GameId::new(last_game),
                preference,
            }))
        });
        Ok(state.optional()?.flatten())
    }

    /// Stores the state, and that all games up to the last have been compared as they are now.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "INSERT OR REPLACE INTO duplicate_search (id, last_game, preference)
            VALUES (1, ?1, ?2)";
        connection.execute(sql, params![self.last_game, self.preference])?;

        connection.execute("DELETE FROM unexamined_game", [])?;
        Ok(())
    }
}

/// The games that have changed since the last search, including deleted games.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn unexamined_games(connection: &Connection) -> rusqlite::Result<BTreeSet<GameId>> {
    let mut select = connection.prepare("SELECT id FROM unexamined_game")?;
    let games = select.query_map([], |row| row.get(0))?;
    games.collect()
}

/// Notes that games have not changed since the last search.
///
/// # Errors
/// When the database cannot be written.
pub(crate) fn note_examined(
    connection: &Connection,
    games: impl IntoIterator<Item = GameId>,
) -> rusqlite::Result<()> {
    let mut delete = connection.prepare("DELETE FROM unexamined_game WHERE id = ?1")?;
    for game in games {
        delete.execute([game])?;
    }
    Ok(())
}

/// `true` if no game has changed or been added since the last search, which ended with a game.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn are_all_examined(
    connection: &Connection,
    last_game: GameId,
) -> rusqlite::Result<bool> {
    // Another program may have deleted a game of a mark, or marked a kept game.
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM unexamined_game)
        AND NOT EXISTS (SELECT 1 FROM game WHERE id > ?1)
        AND NOT EXISTS (SELECT 1 FROM duplicate_of AS mark
            WHERE NOT EXISTS (SELECT 1 FROM game WHERE game.id = mark.game_id)
            OR NOT EXISTS (SELECT 1 FROM game WHERE game.id = mark.kept_id)
            OR EXISTS (SELECT 1 FROM duplicate_of AS other WHERE other.game_id = mark.kept_id))";
    connection.query_row(sql, [last_game], |row| row.get(0))
}

/// All marked groups, in the order of the kept games.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn duplicate_groups(connection: &Connection) -> rusqlite::Result<Vec<DuplicateGroup>> {
    let sql = "SELECT kept_id, game_id, kind, score, why FROM duplicate_of
        ORDER BY kept_id, place, game_id";
    let mut select = connection.prepare(sql)?;
    let mut rows = select.query([])?;

    let mut groups: Vec<DuplicateGroup> = Vec::new();
    while let Some(row) = rows.next()? {
        // Another program may have written other values, which count as empty.
        let text = |at| text_cell(row, at).map(Option::unwrap_or_default);
        let keep = GameId::new(number_cell(row, 0)?.unwrap_or_default());
        let game = row.get(1)?;

        if let Some(group) = groups.last_mut()
            && group.keep == keep
        {
            group.duplicates.push(game);
            continue;
        }

        let score = row.get_ref(3)?.as_f64();
        let why = text(4)?.split(REASON_SEPARATOR);
        groups.push(DuplicateGroup {
            keep,
            duplicates: vec![game],
            kind: text(2)?.to_owned(),
            score: score.unwrap_or_default(),
            why: why.map(str::to_owned).collect(),
        });
    }
    Ok(groups)
}

/// The games that are marked as duplicates.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn duplicates(connection: &Connection) -> rusqlite::Result<GameSet> {
    let mut select = connection.prepare_cached("SELECT game_id FROM duplicate_of")?;
    select.query_map([], |row| row.get(0))?.collect()
}

/// Removes the marks of a group.
///
/// # Errors
/// When the database cannot be written.
pub(crate) fn unmark_group(
    connection: &Connection,
    group: &DuplicateGroup,
) -> rusqlite::Result<()> {
    let mut delete = connection.prepare_cached("DELETE FROM duplicate_of WHERE game_id = ?1")?;
    for game in &group.duplicates {
        delete.execute([game])?;
    }
    Ok(())
}

/// Marks the games of a group. None of them may be marked already.
///
/// # Errors
/// When the database cannot be written.
pub(crate) fn mark_group(connection: &Connection, group: &DuplicateGroup) -> rusqlite::Result<()> {
    let sql = "INSERT INTO duplicate_of (game_id, kept_id, kind, score, why, place)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut insert = connection.prepare_cached(sql)?;
    let why = group.why.join(REASON_SEPARATOR);

    for (place, game) in (1_i64..).zip(&group.duplicates) {
        insert.execute(params![
            game,
            group.keep,
            group.kind,
            group.score,
            why,
            place
        ])?;
    }
    Ok(())
}

/// Removes all marks and the state of the last search; returns the number of marks.
///
/// # Errors
/// When the database cannot be written.
pub(crate) fn unmark_all(connection: &Connection) -> rusqlite::Result<u64> {
    let marks = connection.execute("DELETE FROM duplicate_of", [])? as u64;
    connection.execute_batch("DELETE FROM duplicate_search; DELETE FROM unexamined_game")?;
    Ok(marks)
}

impl Database {
    /// The number of games that are marked as duplicates.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn count_duplicates(&self) -> Result<u64> {
        self.ask_unsigned("SELECT count(*) FROM duplicate_of")
    }

    /// All marked groups, in the order of the kept games.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn duplicate_groups(&self) -> Result<Vec<DuplicateGroup>> {
        duplicate_groups(&self.connection).in_database(self)
    }
}
