//! Copies of segments of another database, without decoding their blocks.
//!
//! Only the row number of a block names its segment, and blocks number games from the first of the segment, so that
//! neither their bytes nor their order change.

use rusqlite::{Connection, params};

use super::store::{StoredSegment, block_ids, free_segment};
use crate::store_fault::StoreResult;

/// Copies a segment so that its first game becomes `first_game`. The segment is current, so its range of games is
/// valid.
pub(crate) fn copy_segment(
    from: &Connection,
    to: &Connection,
    segment: &StoredSegment,
    first_game: i64,
) -> StoreResult<()> {
    let id = free_segment(to)?;
    let last_game = first_game + (segment.last_game - segment.first_game);

    let select = "SELECT format, variations, postings, key_bits, game_bits FROM position_segment WHERE id = ?1";
    let columns: [i64; 5] = from.query_row(select, [segment.id], |row| {
        Ok([
            row.get(0)?,
            row.get(1)?,
            row.get(2)?,
            row.get(3)?,
            row.get(4)?,
        ])
    })?;
    let [format, variations, postings, key_bits, game_bits] = columns;

    let insert = "INSERT INTO position_segment
        (id, format, variations, first_game, last_game, postings, key_bits, game_bits)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    to.execute(
        insert,
        params![
            id, format, variations, first_game, last_game, postings, key_bits, game_bits
        ],
    )?;

    copy_blocks(from, to, segment.id, id)?;
    Ok(())
}

/// Copies the blocks of a segment to the segment `copy` of the other database.
fn copy_blocks(
    from: &Connection,
    to: &Connection,
    segment: i64,
    copy: i64,
) -> rusqlite::Result<()> {
    let select_blocks =
        "SELECT id, data FROM position_block WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
    let mut select = from.prepare_cached(select_blocks)?;
    let insert_block = "INSERT INTO position_block (id, data) VALUES (?1, ?2)";
    let mut insert = to.prepare_cached(insert_block)?;

    let [first, last] = block_ids(segment);
    let [first_copy, _] = block_ids(copy);

    let mut rows = select.query([first, last])?;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let data = row.get_ref(1)?.as_blob()?;
        insert.execute(params![id - first + first_copy, data])?;
    }
    Ok(())
}
