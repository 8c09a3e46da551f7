//! Rows of segments and their blocks.
//!
//! The row number of a block consists of its segment (13 bits), the first truncated key in it (32 bits) and its place
//! in a chain (18 bits), so that one descent of the B-tree finds the block that may hold a key.

use rusqlite::{Connection, OptionalExtension, Row, Statement, params};

use super::counts::Counts;
use super::decode::{self, Group, GroupGames, Lookup};
use super::encode::Block;
use super::posting::{FORMAT, MAX_KEY_BITS, Widths};
use crate::replay::PositionKey;
use crate::storage::{GameId, IndexedLines};
use crate::store_fault::{StoreFault, StoreResult};

/// The bits of a block's place in its chain.
const LINK_BITS: u32 = 18;
pub(super) const LINK_MASK: i64 = (1 << LINK_BITS) - 1;
/// The greatest number of a segment: row numbers are never negative, so they have 63 bits.
const MAX_SEGMENTS: i64 = (1 << (63 - MAX_KEY_BITS - LINK_BITS)) - 1;
/// The maximum number of games of a segment: blocks number them in 32 bits.
const MAX_GAMES: i64 = 1 << 32;

/// Writes the blocks of a new segment.
pub(super) struct SegmentWriter<'c> {
    insert: Statement<'c>,
    segment: i64,
}

impl<'c> SegmentWriter<'c> {
    /// Adds a segment for the games from `first_game` on.
    pub(super) fn begin(
        connection: &'c Connection,
        lines: IndexedLines,
        first_game: i64,
        games: i64,
        postings: u64,
        widths: Widths,
    ) -> StoreResult<SegmentWriter<'c>> {
        let sql = "INSERT INTO position_segment
            (id, format, variations, first_game, last_game, postings, key_bits, game_bits)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let segment = free_segment(connection)?;

        let last_game = first_game + games - 1;
        let postings = postings.cast_signed();
        let values = params![
            segment,
            FORMAT,
            lines == IndexedLines::All,
            first_game,
            last_game,
            postings,
            widths.key,
            widths.game,
        ];
        connection.execute(sql, values)?;

        let insert = connection.prepare("INSERT INTO position_block (id, data) VALUES (?1, ?2)")?;
        Ok(SegmentWriter { insert, segment })
    }

    /// Appends a block.
    pub(super) fn block(&mut self, block: &Block) -> StoreResult<()> {
        if block.link >> LINK_BITS != 0 {
            return Err(StoreFault::TooManyGames.into());
        }

        let id = block_id(self.segment, block.first_key, block.link);
        self.insert.execute(params![id, block.data])?;
        Ok(())
    }
}

/// A free number for a segment: the successor of the greatest number in use, or any free one if there is no successor.
pub(super) fn free_segment(connection: &Connection) -> StoreResult<i64> {
    let select_next = "SELECT coalesce(max(id), 0) + 1 FROM position_segment";
    let next: i64 = connection.query_row(select_next, [], |row| row.get(0))?;
    if next <= MAX_SEGMENTS {
        return Ok(next);
    }

    // The first free number after a number in use.
    let select_free = "SELECT min(id) + 1 FROM position_segment AS used WHERE NOT EXISTS
        (SELECT 1 FROM position_segment WHERE id = used.id + 1)";
    let free: i64 = connection.query_row(select_free, [], |row| row.get(0))?;
    if free <= MAX_SEGMENTS {
        Ok(free)
    } else {
        first_free_segment(connection)
    }
}

/// The number 1 if it is free: all others are in use, or before the first number in use.
fn first_free_segment(connection: &Connection) -> StoreResult<i64> {
    let sql = "SELECT EXISTS (SELECT 1 FROM position_segment WHERE id = 1)";
    let is_taken: bool = connection.query_row(sql, [], |row| row.get(0))?;
    if is_taken {
        return Err(StoreFault::TooManySegments(MAX_SEGMENTS).into());
    }
    Ok(1)
}

/// The lowest and the highest possible block number of a segment.
pub(super) fn block_ids(segment: i64) -> [i64; 2] {
    let first = block_id(segment, 0, 0);
    let last = first | ((1 << (MAX_KEY_BITS + LINK_BITS)) - 1);
    [first, last]
}

/// Deletes the notes that games of a range have changed since they were indexed and described.
pub(crate) fn forget_changes(connection: &Connection, games: [i64; 2]) -> rusqlite::Result<()> {
    let sql = "DELETE FROM stale_game WHERE id BETWEEN ?1 AND ?2";
    connection.execute(sql, games)?;
    Ok(())
}

/// The numbers of blocks that belong to no segment: the first such block of each gap between segments.
pub(crate) fn orphan_blocks(
    connection: &Connection,
    segments: &[StoredSegment],
) -> rusqlite::Result<Vec<i64>> {
    let mut ids: Vec<i64> = segments.iter().map(|segment| segment.id).collect();
    ids.sort_unstable();

    // The gaps before each segment, and the gap after the last.
    let mut gaps = Vec::with_capacity(ids.len() + 1);
    let mut gap_start = i64::MIN;
    for id in ids {
        let [first, last] = block_ids(id);
        gaps.push([gap_start, first]);
        gap_start = last;
    }
    gaps.push([gap_start, i64::MAX]);

    let sql = "SELECT id FROM position_block WHERE id > ?1 AND id < ?2 LIMIT 1";
    let mut select = connection.prepare(sql)?;
    let mut orphans = Vec::new();
    for gap in gaps {
        let orphan: Option<i64> = select.query_row(gap, |row| row.get(0)).optional()?;
        orphans.extend(orphan);
    }
    Ok(orphans)
}

/// Removes all segments and all blocks, including orphans.
pub(crate) fn remove_all(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM position_block", [])?;
    connection.execute("DELETE FROM position_segment", [])?;
    Ok(())
}

/// The first truncated key in a block, left-aligned in [`MAX_KEY_BITS`] bits.
pub(super) fn first_key(block: i64) -> u64 {
    (block >> LINK_BITS) as u64 & ((1 << MAX_KEY_BITS) - 1)
}

/// The row number of a block, by its segment, its first truncated key and its place in a chain.
fn block_id(segment: i64, first_key: u64, link: u32) -> i64 {
    let segment_and_key = segment << MAX_KEY_BITS | first_key as i64;
    segment_and_key << LINK_BITS | i64::from(link)
}

/// A range of games whose positions are indexed together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    /// The number of the segment.
    pub(crate) id: i64,
    /// The number of the first game.
    pub(crate) first_game: i64,
    /// The number of the last game.
    pub(crate) last_game: i64,
    pub(super) widths: Widths,
}

/// The row of a segment, which may have another format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredSegment {
    /// The number of the segment.
    pub(crate) id: i64,
    /// The number of the first game.
    pub(crate) first_game: i64,
    /// The number of the last game.
    pub(crate) last_game: i64,
    /// The number of postings.
    pub(crate) postings: i64,
    /// `true` if it can be read, and has the lines that the database indexes.
    pub(crate) is_current: bool,
}

impl StoredSegment {
    /// All segments, in the order of their games; `lines` are the lines that the database indexes.
    pub(crate) fn all(
        connection: &Connection,
        lines: IndexedLines,
    ) -> rusqlite::Result<Vec<StoredSegment>> {
        let sql = "SELECT id, first_game, last_game, postings, format, variations
            FROM position_segment ORDER BY first_game";
        let mut select = connection.prepare(sql)?;

        let segments = select.query_map([], |row| {
            let first_game = row.get(1)?;
            let last_game = row.get(2)?;
            let format = row.get(4)?;
            let variations = row.get(5)?;
            let has_format = has_format(format, variations, lines);

            Ok(StoredSegment {
                id: row.get(0)?,
                first_game,
                last_game,
                postings: row.get(3)?,
                is_current: has_format && are_games(first_game, last_game),
            })
        })?;
        segments.collect()
    }

    /// Removes the segment from the index.
    pub(crate) fn remove(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "DELETE FROM position_block WHERE id BETWEEN ?1 AND ?2";
        connection.execute(sql, block_ids(self.id))?;

        let sql = "DELETE FROM position_segment WHERE id = ?1";
        connection.execute(sql, [self.id])?;
        Ok(())
    }
}

/// `true` if a segment has the format that this version writes, and the lines that the database indexes.
fn has_format(format: i64, variations: i64, lines: IndexedLines) -> bool {
    let has_variations = variations != 0;
    format == FORMAT && has_variations == (lines == IndexedLines::All)
}

/// `true` if a segment may have this range of games.
fn are_games(first: i64, last: i64) -> bool {
    let is_range = (1..=last).contains(&first);
    is_range && last - first < MAX_GAMES
}

/// The result of looking up a position in a segment.
#[derive(Clone, Debug)]
pub(crate) enum Reached {
    /// No game reaches the position.
    Never,
    /// These games, in their order, reach the position or another one with its truncated key. Only a replay can tell.
    Perhaps(Vec<GameId>),
    /// The position is popular.
    Often(Popular),
}

/// The bytes of a block, or of a chain that is joined into its first block.
#[derive(Clone, Debug)]
struct BlockData {
    /// The number of the first block.
    id: i64,
    bytes: Vec<u8>,
}

/// A popular position of a segment.
#[derive(Clone, Debug)]
pub(crate) struct Popular {
    /// The content of its first block, or chain of blocks.
    group: Group,
    segment: Segment,
    /// The first block, or the joined chain.
    head: BlockData,
}

impl Segment {
    /// All segments, in the order of their games; `lines` are the lines that the database indexes.
    ///
    /// Fails for a segment with another format, or with impossible widths or numbers of games.
    pub(crate) fn all(connection: &Connection, lines: IndexedLines) -> StoreResult<Vec<Segment>> {
        let sql = "SELECT id, first_game, last_game, key_bits, game_bits, format, variations
            FROM position_segment ORDER BY first_game";
        let mut select = connection.prepare_cached(sql)?;

        let mut rows = select.query([])?;
        let mut segments = Vec::new();
        while let Some(row) = rows.next()? {
            segments.push(Segment::from_row(row, lines)?);
        }
        Ok(segments)
    }

    /// The segment of a row of `position_segment`. Fails for a segment with another format, or with impossible widths
    /// or numbers of games.
    fn from_row(row: &Row<'_>, lines: IndexedLines) -> StoreResult<Segment> {
        let segment = Segment {
            id: row.get(0)?,
            first_game: row.get(1)?,
            last_game: row.get(2)?,
            widths: Widths {
                key: row.get(3)?,
                game: row.get(4)?,
            },
        };
        let format = row.get(5)?;
        let variations = row.get(6)?;
        if !has_format(format, variations, lines) {
            return Err(StoreFault::IndexFormat.into());
        }

        let has_key_width = (1..=MAX_KEY_BITS).contains(&segment.widths.key);
        let has_game_width = segment.widths.game <= u32::BITS;
        let has_widths = has_key_width && has_game_width;
        if !has_widths || !are_games(segment.first_game, segment.last_game) {
            return Err(damaged_block(segment.id).into());
        }
        Ok(segment)
    }

    /// Looks up a position.
    pub(crate) fn find(
        &self,
        connection: &Connection,
        key: PositionKey,
        check_key: u16,
    ) -> StoreResult<Reached> {
        let Some(mut head) = self.last_block_up_to(connection, key)? else {
            return Ok(Reached::Never);
        };

        let link = head.id & LINK_MASK;
        if link != 0 {
            // The last link of a chain: the only key of the chain is less than the target.
            return Ok(Reached::Never);
        }

        let first_key = first_key(head.id);
        let look_up = |data: &[u8]| decode::find(data, self.widths, first_key, key.0, check_key);
        let lookup = match look_up(&head.bytes) {
            Some(lookup) => lookup,
            // A block that ends too early is the first of a chain, or damaged.
            None => {
                append_chain(connection, &mut head)?;
                look_up(&head.bytes).ok_or_else(|| damaged_block(head.id))?
            }
        };
        self.reached(lookup, head)
    }

    /// The last block of this segment that begins at a key or before it; `None` if all blocks begin after the key. No
    /// other block can hold the key.
    fn last_block_up_to(
        &self,
        connection: &Connection,
        key: PositionKey,
    ) -> rusqlite::Result<Option<BlockData>> {
        let target_key = self.widths.truncate(key.0) << (MAX_KEY_BITS - self.widths.key);
        let first = block_id(self.id, 0, 0);
        let target = block_id(self.id, target_key, 0);

        let sql = "SELECT id, data FROM position_block WHERE id BETWEEN ?1 AND ?2
            ORDER BY id DESC LIMIT 1";
        let mut select = connection.prepare_cached(sql)?;
        let found = select.query_row([first, target], |row| {
            Ok(BlockData {
                id: row.get(0)?,
                bytes: row.get(1)?,
            })
        });
        found.optional()
    }

    /// The result of a look-up in a block, with the numbers that games have in the database.
    fn reached(&self, lookup: Lookup, head: BlockData) -> StoreResult<Reached> {
        match lookup {
            Lookup::Absent => Ok(Reached::Never),
            Lookup::Rare(games) => {
                let mut numbers = Vec::with_capacity(games.len());
                for game in games {
                    let number = self.number(game).ok_or_else(|| damaged_block(head.id))?;
                    numbers.push(number);
                }
                Ok(Reached::Perhaps(numbers))
            }
            Lookup::Popular(group) => Ok(Reached::Often(Popular {
                group,
                segment: *self,
                head,
            })),
        }
    }

    /// The number in the database of a game of this segment; `None` for a game after its last.
    fn number(&self, game: u32) -> Option<GameId> {
        let number = self.first_game.checked_add(i64::from(game))?;
        if number > self.last_game {
            return None;
        }
        Some(GameId::new(number))
    }
}

impl Popular {
    /// The [codes](crate::board::Move::code) of the moves played, with the counts of their games, by descending number
    /// of games.
    pub(crate) fn moves(&self) -> &[(u16, Counts)] {
        &self.group.moves
    }

    /// All games of the position.
    pub(crate) fn games(mut self, connection: &Connection) -> StoreResult<PopularGames> {
        let widths = self.segment.widths;
        let head = self.head.id;

        // The counts may have been found in the first block of a chain, whose other blocks have the rest of the games.
        let is_alone = decode::unit_count(&self.head.bytes) == Some(1);
        if is_alone && self.head.bytes.len() <= super::posting::BLOCK_BYTES {
            append_chain(connection, &mut self.head)?;
        }

        let list = GroupGames::in_block(self.head.bytes, &self.group, widths);
        let list = list.ok_or_else(|| damaged_block(head))?;
        Ok(PopularGames {
            list,
            segment: self.segment,
            head,
        })
    }
}

/// An iterator over the games of a popular position in their order, each with the index of its move in
/// [`Popular::moves`].
#[derive(Clone, Debug)]
pub(crate) struct PopularGames {
    list: GroupGames<Vec<u8>>,
    segment: Segment,
    /// The number of the first block.
    head: i64,
}

impl Iterator for PopularGames {
    type Item = StoreResult<(GameId, usize)>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.list.next()?;
        let numbered = read.and_then(|(game, rank)| {
            let number = self.segment.number(game)?;
            Some((number, usize::from(rank)))
        });

        match numbered {
            Some(game) => Some(Ok(game)),
            None => Some(Err(damaged_block(self.head).into())),
        }
    }
}

/// Appends the bytes of the further blocks of a chain to its first block.
fn append_chain(connection: &Connection, head: &mut BlockData) -> rusqlite::Result<()> {
    let sql = "SELECT data FROM position_block WHERE id > ?1 AND id <= ?2 ORDER BY id";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query([head.id, head.id | LINK_MASK])?;

    while let Some(row) = rows.next()? {
        let part = row.get_ref(0)?.as_blob()?;
        head.bytes.extend_from_slice(part);
    }
    Ok(())
}

/// The fault of a block that cannot be decoded.
fn damaged_block(id: i64) -> StoreFault {
    StoreFault::IndexBlock(id)
}
