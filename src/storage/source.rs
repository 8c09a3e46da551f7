//! Rows of sources: sources that an import begins, continues and ends, and sources that a later import recognizes.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};

use super::cell::unsigned_cell;

/// The number of bytes at the beginning of a source whose hash is compared first to recognize the source.
pub(crate) const HEAD_BYTES: usize = 4096;

/// A place in a source, and the BLAKE3 hash of all bytes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    pub(crate) bytes: u64,
    pub(crate) hash: [u8; 32],
}

impl Mark {
    /// The mark at the beginning of a source.
    pub(crate) fn start() -> Mark {
        Mark {
            bytes: 0,
            hash: blake3::hash(b"").into(),
        }
    }
}

/// A source at the beginning of its import.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewSource<'s> {
    pub(crate) path: &'s Path,
    /// The size in bytes, if known.
    pub(crate) bytes: Option<u64>,
    /// The BLAKE3 hash of the first [`HEAD_BYTES`].
    pub(crate) head_hash: [u8; 32],
    /// The source whose games precede the games of this source in the file.
    pub(crate) continues: Option<i64>,
    /// The conditions on its games, as a JSON object; `None` for all games.
    pub(crate) filter: Option<&'s str>,
}

/// The progress of an import through a source.
#[derive(Debug)]
pub(crate) struct SourceProgress<'s> {
    pub(crate) id: i64,
    /// The part read so far.
    pub(crate) known: Mark,
    pub(crate) first_game: i64,
    /// The games added.
    pub(crate) games: u64,
    /// The stored games that it has newer texts of.
    pub(crate) updated: u64,
    /// The number of games that are not imported.
    pub(crate) passed_over: u64,
    pub(crate) problems: u64,
    /// The state of the import.
    pub(crate) state: &'s str,
}

/// A source at the end of its import.
#[derive(Debug)]
pub(crate) struct SourceRow<'s> {
    pub(crate) id: i64,
    /// The whole source.
    pub(crate) content: Mark,
    /// The part before its last game.
    pub(crate) known: Mark,
    pub(crate) first_game: i64,
    /// The games added.
    pub(crate) games: u64,
    /// The stored games that it has newer texts of.
    pub(crate) updated: u64,
    /// The number of games that are not imported.
    pub(crate) passed_over: u64,
    pub(crate) problems: u64,
    /// The notation of most of its games.
    pub(crate) notation: &'s str,
    pub(crate) language: &'s str,
    pub(crate) encoding: &'s str,
}

/// A source that an earlier import has read.
#[derive(Clone, Debug)]
pub(crate) struct KnownSource {
    pub(crate) id: i64,
    pub(crate) path: String,
    /// The whole source, if it was read to its end.
    pub(crate) content: Option<Mark>,
    /// The part before its last game, or the part read so far.
    pub(crate) known: Option<Mark>,
    pub(crate) head_hash: Vec<u8>,
    pub(crate) first_game: i64,
    pub(crate) last_game: i64,
    /// The games before `first_game` that it had newer texts of.
    pub(crate) updated: u64,
    /// The number of games that are not imported.
    pub(crate) passed_over: u64,
    pub(crate) problems: u64,
    /// The state of its import when it was interrupted.
    pub(crate) state: Option<String>,
    /// The conditions on its games, as a JSON object; `None` for all games.
    pub(crate) filter: Option<String>,
}

/// All sources that have a game, in the order of their numbers.
pub(crate) fn known_sources(connection: &Connection) -> rusqlite::Result<Vec<KnownSource>> {
    let sql =
        "SELECT id, path, bytes, content_hash, known_bytes, known_hash, head_hash, first_game,
        last_game, problems, unfinished, filter, passed_over, games FROM source WHERE first_game IS NOT NULL ORDER BY id";
    let mut select = connection.prepare(sql)?;
    let sources = select.query_map([], known_source_of_row)?;
    sources.collect()
}

impl KnownSource {
    /// The number of games imported from it.
    pub(crate) fn games(&self) -> u64 {
        count_of_range(self.first_game, self.last_game).cast_unsigned()
    }

    /// The number of games imported from it and from the sources that it continues, as they are now.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn games_with_continued(&self, connection: &Connection) -> rusqlite::Result<u64> {
        let sql = "WITH RECURSIVE part(id, continues, games) AS (
                SELECT id, continues, games FROM source WHERE id = ?1
                UNION
                SELECT source.id, source.continues, source.games
                FROM source JOIN part ON source.id = part.continues)
            SELECT coalesce(sum(max(games, 0)), 0) FROM part";
        connection.query_row(sql, [self.id], |row| unsigned_cell(row, 0))
    }

    /// The number of the games added from it that are still present, including games that another source has updated.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn games_left(&self, connection: &Connection) -> rusqlite::Result<u64> {
        let sql = "SELECT count(*) FROM game WHERE id BETWEEN ?1 AND ?2";
        let range = [self.first_game, self.last_game];
        connection.query_row(sql, range, |row| unsigned_cell(row, 0))
    }

    /// The places of its games that begin before an offset.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn places_before(
        &self,
        connection: &Connection,
        end: u64,
    ) -> rusqlite::Result<Vec<u64>> {
        let sql = "SELECT byte_offset FROM game
            WHERE id BETWEEN ?1 AND ?2 AND source_id = ?3 AND byte_offset < ?4";
        let first_game = self.first_possible_game();
        let values = params![first_game, self.last_game, self.id, end.cast_signed()];

        let mut select = connection.prepare(sql)?;
        let places = select.query_map(values, |row| unsigned_cell(row, 0))?;
        places.collect()
    }

    /// The lowest number that a game of this source can have. If the source has updated games, this may be the number
    /// of any earlier game.
    fn first_possible_game(&self) -> i64 {
        if self.updated > 0 {
            i64::MIN
        } else {
            self.first_game
        }
    }

    /// The last game of its text, which may be cut off there; `None` if the game was not imported, or has been deleted
    /// or updated since.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn last_of_text(&self, connection: &Connection) -> rusqlite::Result<Option<i64>> {
        let Some(known) = self.known else {
            return Ok(None);
        };

        let sql = "SELECT id FROM game
            WHERE id BETWEEN ?1 AND ?2 AND source_id = ?3 AND byte_offset >= ?4";
        // The last game may be a newer text of any earlier game.
        let first = if self.updated > 0 {
            i64::MIN
        } else {
            self.last_game
        };
        let offset = known.bytes.cast_signed();
        let values = params![first, self.last_game, self.id, offset];
        let game = connection.query_row(sql, values, |row| row.get(0));
        game.optional()
    }
}

/// Reads a row of a source, with the columns of [`known_sources`].
fn known_source_of_row(row: &Row<'_>) -> rusqlite::Result<KnownSource> {
    // The column `games` has the added and the updated games.
    let first_game: i64 = row.get(7)?;
    let last_game: i64 = row.get(8)?;
    let games: i64 = row.get(13)?;
    let added = count_of_range(first_game, last_game);
    let updated = games.saturating_sub(added).max(0);

    let bytes: Option<i64> = row.get(2)?;
    let content_hash: Vec<u8> = row.get(3)?;
    let known_bytes: Option<i64> = row.get(4)?;
    let known_hash: Option<Vec<u8>> = row.get(5)?;

    Ok(KnownSource {
        id: row.get(0)?,
        path: row.get(1)?,
        content: mark(bytes, &content_hash),
        known: mark(known_bytes, &known_hash.unwrap_or_default()),
        head_hash: row.get(6)?,
        first_game,
        last_game,
        updated: updated.cast_unsigned(),
        problems: unsigned_cell(row, 9)?,
        state: row.get(10)?,
        filter: row.get(11)?,
        passed_over: unsigned_cell(row, 12)?,
    })
}

/// The number of games from `first` to `last`; 0 if the range ends before it begins. A damaged database may have any
/// numbers.
pub(super) fn count_of_range(first: i64, last: i64) -> i64 {
    last.saturating_sub(first).saturating_add(1).max(0)
}

/// A mark, if there is a hash for it.
fn mark(bytes: Option<i64>, hash: &[u8]) -> Option<Mark> {
    let hash = hash.try_into().ok()?;
    Some(Mark {
        bytes: bytes?.cast_unsigned(),
        hash,
    })
}

/// The sources that a source continues, directly or through others.
pub(crate) fn continued_by(connection: &Connection, source: i64) -> rusqlite::Result<Vec<i64>> {
    let sql = "WITH RECURSIVE part(id) AS (
            SELECT continues FROM source WHERE id = ?1
            UNION
            SELECT source.continues FROM source JOIN part ON source.id = part.id)
        SELECT id FROM part WHERE id IS NOT NULL";
    let mut select = connection.prepare(sql)?;
    let sources = select.query_map([source], |row| row.get(0))?;
    sources.collect()
}

/// The number of games in the texts of the sources that a source continues, also of games that have no row.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn continued_games(connection: &Connection, source: i64) -> rusqlite::Result<u64> {
    let sql = "WITH RECURSIVE part(id) AS (
            SELECT continues FROM source WHERE id = ?1
            UNION
            SELECT source.continues FROM source JOIN part ON source.id = part.id)
        SELECT coalesce(sum(max(games, 0) + max(passed_over, 0)), 0) FROM source
        WHERE id IN (SELECT id FROM part)";
    connection.query_row(sql, [source], |row| unsigned_cell(row, 0))
}

/// Adds a source that is about to be read; returns its number.
pub(crate) fn begin_source(
    connection: &Connection,
    source: &NewSource<'_>,
) -> rusqlite::Result<i64> {
    let sql = "INSERT INTO source
        (path, bytes, content_hash, imported_at, games, problems, head_hash, continues, filter,
            passed_over)
        VALUES (?1, ?2, x'', datetime('now'), 0, 0, ?3, ?4, ?5, 0) RETURNING id";
    let values = params![
        source.path.to_string_lossy(),
        source.bytes.unwrap_or(0).cast_signed(),
        source.head_hash,
        source.continues,
        source.filter,
    ];
    connection.query_row(sql, values, |row| row.get(0))
}

/// Deletes a source that had no game.
pub(crate) fn delete_source(connection: &Connection, source: i64) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM problem WHERE source_id = ?1", [source])?;
    connection.execute("DELETE FROM source_text WHERE source_id = ?1", [source])?;
    connection.execute("DELETE FROM source WHERE id = ?1", [source])?;
    Ok(())
}

/// Reduces a source whose added games have been deleted to the origin of the games that it has updated. The source is
/// not recognized any more.
pub(crate) fn keep_as_origin(connection: &Connection, source: i64) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM source_text WHERE source_id = ?1", [source])?;

    let sql = "DELETE FROM problem WHERE source_id = ?1 AND game_id IS NULL";
    connection.execute(sql, [source])?;

    let sql = "UPDATE source SET first_game = NULL, last_game = NULL, unfinished = NULL,
        games = (SELECT count(*) FROM game WHERE source_id = ?1),
        problems = (SELECT count(*) FROM problem WHERE source_id = ?1) WHERE id = ?1";
    connection.execute(sql, [source])?;
    Ok(())
}

/// Deletes a source whose games have all been deleted or updated by other sources; returns `true` if it was deleted.
pub(crate) fn remove_if_unused(connection: &Connection, source: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM game WHERE source_id = ?1)";
    let is_used: bool = connection.query_row(sql, [source], |row| row.get(0))?;
    if !is_used {
        delete_source(connection, source)?;
    }
    Ok(!is_used)
}

/// Deletes the games of a range; triggers note that their positions are gone.
pub(crate) fn delete_game_range(
    connection: &Connection,
    first: i64,
    last: i64,
) -> rusqlite::Result<()> {
    let sql = "DELETE FROM game WHERE id BETWEEN ?1 AND ?2";
    connection.execute(sql, [first, last])?;
    Ok(())
}

/// Shortens a source by its last game, which has been deleted. The text before this game becomes the whole content of
/// the source.
pub(crate) fn end_before_last_game(connection: &Connection, source: i64) -> rusqlite::Result<()> {
    // A source whose only game was deleted has no range of games any more.
    let sql = "UPDATE source SET games = games - 1, last_game = nullif(last_game, first_game) - 1,
        first_game = iif(last_game > first_game, first_game, NULL) WHERE id = ?1";
    connection.execute(sql, [source])?;
    end_before_last_text(connection, source)
}

/// Shortens a source by its last game, which was a newer text of a game of an earlier source.
pub(crate) fn end_before_updated(connection: &Connection, source: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE source SET games = games - 1 WHERE id = ?1";
    connection.execute(sql, [source])?;
    end_before_last_text(connection, source)
}

/// Shortens a source by its last game, which did not match the filter of its import and so has no row.
pub(crate) fn end_before_passed_over(connection: &Connection, source: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE source SET passed_over = passed_over - 1 WHERE id = ?1";
    connection.execute(sql, [source])?;
    end_before_last_text(connection, source)
}

/// Makes the part that is known the whole content of a source.
fn end_before_last_text(connection: &Connection, source: i64) -> rusqlite::Result<()> {
    // The head of a source that is shorter than HEAD_BYTES is the whole source.
    let sql = "UPDATE source SET bytes = known_bytes, content_hash = known_hash,
        head_hash = iif(known_bytes < ?2, known_hash, head_hash),
        problems = (SELECT count(*) FROM problem WHERE source_id = ?1) WHERE id = ?1";
    connection.execute(sql, params![source, HEAD_BYTES as i64])?;
    Ok(())
}

/// Stores the progress of an import through a source that has games.
pub(crate) fn keep_progress(
    connection: &Connection,
    progress: &SourceProgress<'_>,
) -> rusqlite::Result<()> {
    let sql = "UPDATE source SET known_bytes = ?2, known_hash = ?3, first_game = ?4,
        last_game = ?5, games = ?6, problems = ?7, unfinished = ?8, passed_over = ?9
        WHERE id = ?1";

    let games = progress.games.cast_signed();
    let values = params![
        progress.id,
        progress.known.bytes.cast_signed(),
        progress.known.hash,
        progress.first_game,
        progress.first_game + games - 1,
        games + progress.updated.cast_signed(),
        progress.problems.cast_signed(),
        progress.state,
        progress.passed_over.cast_signed(),
    ];
    connection.execute(sql, values)?;
    Ok(())
}

/// Completes the row of a source that has been read to its end, or to the last game within a limit. If the source is
/// shorter than [`HEAD_BYTES`], its head is the whole source.
pub(crate) fn end_source(connection: &Connection, source: &SourceRow<'_>) -> rusqlite::Result<()> {
    let sql = "UPDATE source SET bytes = ?2, content_hash = ?3, known_bytes = ?4, known_hash = ?5,
        first_game = ?6, last_game = ?7, games = ?8, problems = ?9, notation = ?10,
        language = ?11, encoding = ?12, unfinished = NULL, passed_over = ?13,
        head_hash = iif(?2 < ?14, ?3, head_hash) WHERE id = ?1";

    let games = source.games.cast_signed();
    let values = params![
        source.id,
        source.content.bytes.cast_signed(),
        source.content.hash,
        source.known.bytes.cast_signed(),
        source.known.hash,
        source.first_game,
        source.first_game + games - 1,
        games + source.updated.cast_signed(),
        source.problems.cast_signed(),
        source.notation,
        source.language,
        source.encoding,
        source.passed_over.cast_signed(),
        HEAD_BYTES as i64,
    ];
    connection.execute(sql, values)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_games_are_counted() {
        let rows = [
            (1, 3, 3),
            (5, 5, 1),
            (5, 4, 0),
            (5, 1, 0),
            (i64::MIN, i64::MAX, i64::MAX),
            (i64::MAX, i64::MIN, 0),
        ];
        for (first, last, count) in rows {
            assert_eq!(count_of_range(first, last), count, "{first} to {last}");
        }
    }
}
