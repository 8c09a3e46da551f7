//! Segments and their blocks as rows.
//!
//! The row number of a block is made of its segment (13 bits), the first truncated key in it (32
//! bits) and its place in a chain (18 bits), so that one step down the tree finds the block that may
//! hold a key.

use rusqlite::{CachedStatement, Connection, OptionalExtension, Statement, params};

use super::block::{self, Block, FORMAT, Found, MAX_KEY_BITS, Widths};

const LINK_BITS: u32 = 18;
const MAX_SEGMENTS: i64 = (1 << (63 - MAX_KEY_BITS - LINK_BITS)) - 1;

/// Writes the blocks of a new segment.
pub(super) struct SegmentWriter<'c> {
    insert: Statement<'c>,
    segment: i64,
}

impl<'c> SegmentWriter<'c> {
    /// Adds a segment for so many games from `first_game` on.
    pub(super) fn begin(
        connection: &'c Connection,
        first_game: i64,
        games: i64,
        postings: usize,
        widths: Widths,
    ) -> rusqlite::Result<SegmentWriter<'c>> {
        let sql = "INSERT INTO position_segment
            (format, first_game, last_game, postings, key_bits, game_bits)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id";
        let last_game = first_game + games - 1;
        let postings = postings as i64;
        let values = params![FORMAT, first_game, last_game, postings, widths.key, widths.game];
        let segment = connection.query_row(sql, values, |row| row.get(0))?;
        if segment > MAX_SEGMENTS {
            return Err(failure("the position index is full: it can have 8191 segments"));
        }
        let insert = connection.prepare("INSERT INTO position_block (id, data) VALUES (?1, ?2)")?;
        Ok(SegmentWriter { insert, segment })
    }

    /// Adds a block, which comes after all before it.
    pub(super) fn block(&mut self, block: &Block) -> rusqlite::Result<()> {
        if block.link >> LINK_BITS != 0 {
            return Err(failure("the position index is full: a position stands in too many games"));
        }
        let id = block_id(self.segment, block.first_key, block.link);
        self.insert.execute(params![id, block.data]).map(drop)
    }
}

fn block_id(segment: i64, first_key: u64, link: u32) -> i64 {
    (segment << MAX_KEY_BITS | first_key as i64) << LINK_BITS | i64::from(link)
}

/// A stretch of games whose positions stand in blocks together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    id: i64,
    /// The number of the first game.
    pub(super) first_game: i64,
    widths: Widths,
}

impl Segment {
    /// All segments, in the order of their games.
    ///
    /// One of an unknown format, or with widths that cannot be, gives an error that says so.
    pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<Segment>> {
        let sql = "SELECT id, first_game, key_bits, game_bits, format
            FROM position_segment ORDER BY first_game";
        let mut select = connection.prepare(sql)?;
        let segments = select.query_map([], |row| {
            let segment = Segment {
                id: row.get(0)?,
                first_game: row.get(1)?,
                widths: Widths { key: row.get(2)?, game: row.get(3)? },
            };
            let format: i64 = row.get(4)?;
            let is_known = format == FORMAT
                && (1..=MAX_KEY_BITS).contains(&segment.widths.key)
                && segment.widths.game <= 32;
            if is_known { Ok(segment) } else { Err(damaged(segment.id)) }
        })?;
        segments.collect()
    }

    /// What this segment knows of a key; the games of a popular position only when asked for.
    pub(super) fn find(
        &self,
        connection: &Connection,
        key: u64,
        with_games: bool,
    ) -> rusqlite::Result<Found> {
        let wanted = self.widths.truncate(key) << (MAX_KEY_BITS - self.widths.key);
        let lowest = block_id(self.id, 0, 0);
        let target = block_id(self.id, wanted, 0);
        let mut select = floor_statement(connection)?;
        let head: Option<(i64, Vec<u8>)> =
            select.query_row([lowest, target], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let Some((head, data)) = head else {
            return Ok(Found::default());
        };
        if head & ((1 << LINK_BITS) - 1) != 0 {
            // The last link of a chain: its one key is smaller than the key asked for.
            return Ok(Found::default());
        }
        let first_key = (head >> LINK_BITS) as u64 & ((1 << MAX_KEY_BITS) - 1);
        let look = |data: &[u8]| block::find(data, self.widths, first_key, key, with_games);
        match look(&data) {
            Some(found) => Ok(found),
            None => look(&self.chain(connection, head, data)?).ok_or_else(|| damaged(head)),
        }
    }

    /// A chain of blocks put together.
    fn chain(
        &self,
        connection: &Connection,
        head: i64,
        mut data: Vec<u8>,
    ) -> rusqlite::Result<Vec<u8>> {
        let sql = "SELECT data FROM position_block WHERE id > ?1 AND id <= ?2 ORDER BY id";
        let mut select = connection.prepare_cached(sql)?;
        let mut rows = select.query([head, head | ((1 << LINK_BITS) - 1)])?;
        while let Some(row) = rows.next()? {
            data.extend_from_slice(row.get_ref(0)?.as_blob()?);
        }
        Ok(data)
    }
}

fn floor_statement(connection: &Connection) -> rusqlite::Result<CachedStatement<'_>> {
    connection.prepare_cached(
        "SELECT id, data FROM position_block WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1",
    )
}

fn damaged(id: i64) -> rusqlite::Error {
    failure(format!("the position index is damaged at {id}"))
}

fn failure(message: impl Into<String>) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(message.into().into())
}
