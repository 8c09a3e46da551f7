//! The stored state of the column store: its format, its last game, and the games of a block.

use rusqlite::{Connection, OptionalExtension};

use super::block::Values;
use super::{BLOCK_BITS, Column, Entry, FORMAT};

/// The content of `game_column` for a block.
pub(super) enum Stored {
    /// No row.
    Nothing,
    /// The games of the block.
    Entries(Vec<Entry>),
    /// A column is missing, cannot be decoded, or has another number of games than the first column.
    Damaged(Column),
}

/// Reads all columns of a block.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn stored(connection: &Connection, block: i64) -> rusqlite::Result<Stored> {
    let mut select = connection.prepare_cached("SELECT data FROM game_column WHERE id = ?1")?;

    let mut entries = Vec::new();
    let mut damaged = None;
    let mut missing = 0;
    for column in Column::ALL {
        let row = select.query_row([column.row(block)], |row| {
            Ok(row.get_ref(0)?.as_blob().unwrap_or_default().to_vec())
        });
        let found: Option<Vec<u8>> = row.optional()?;
        if found.is_none() {
            missing += 1;
        }

        // A missing row, or a cell that is not a blob, gives no bytes. No block is that short, so decoding fails.
        let data = found.unwrap_or_default();
        let is_first = column == Column::ALL[0];
        match Values::read(&data) {
            Some(values) if is_first || values.len() == entries.len() => {
                entries.resize(values.len(), Entry::default());
                for (slot, entry) in entries.iter_mut().enumerate() {
                    entry.0[column as usize] = values.get(slot);
                }
            }
            _ => {
                damaged.get_or_insert(column);
            }
        }
    }

    if missing == Column::COUNT {
        return Ok(Stored::Nothing);
    }
    Ok(match damaged {
        Some(column) => Stored::Damaged(column),
        None => Stored::Entries(entries),
    })
}

/// `true` if the blocks of the column store can be read.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn has_readable_format(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM counter WHERE name = 'column_format' AND value = ?1";
    connection.prepare_cached(sql)?.exists([FORMAT])
}

/// Notes that blocks of the current format are written.
///
/// # Errors
/// When the database cannot be written.
pub(super) fn note_format(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO counter VALUES ('column_format', ?1)";
    connection.execute(sql, [FORMAT])?;
    Ok(())
}

/// The last game of the column store: all games up to it have been described, changed or not. -1 if the store has
/// an unreadable format.
pub(super) fn described_games(connection: &Connection) -> rusqlite::Result<i64> {
    if !has_readable_format(connection)? {
        return Ok(-1);
    }

    // The flags are the first column, so their last row is the last row below the row numbers of the second column.
    let sql = "SELECT id, data FROM game_column WHERE id < ?1 ORDER BY id DESC LIMIT 1";
    let mut select = connection.prepare_cached(sql)?;
    let last = select.query_row([Column::White.row(0)], |row| {
        let block: i64 = row.get(0)?;
        let data = row.get_ref(1)?.as_blob_or_null().ok().flatten();
        let games = match data.and_then(Values::read) {
            Some(values) => values.len() as i64,
            None => 0,
        };

        // Other programs may write any row number, so the last game may be beyond all numbers.
        Ok((block << BLOCK_BITS).saturating_add(games - 1))
    });
    Ok(last.optional()?.unwrap_or(-1))
}
