//! Checksums of the rows of games, names, sources and problems, to detect damage.
//!
//! A checksum is a CRC-32, which detects any single changed bit. The checksums of 4096 rows of a table form a block,
//! which is a row of `row_checksum`; `docs/checking.md` specifies the bytes. Triggers note rows that other programs
//! have written in `changed_row`.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, Statement, params};

/// A table whose rows have checksums; its number is part of the number of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum CheckedTable {
    /// Games, each with its row of `movetext`.
    Game,
    Problem,
    Source,
    SourceText,
    Player,
    Event,
    Site,
    TagOrder,
}

impl CheckedTable {
    pub(super) const COUNT: usize = 8;
    pub(super) const ALL: [CheckedTable; CheckedTable::COUNT] = [
        CheckedTable::Game,
        CheckedTable::Problem,
        CheckedTable::Source,
        CheckedTable::SourceText,
        CheckedTable::Player,
        CheckedTable::Event,
        CheckedTable::Site,
        CheckedTable::TagOrder,
    ];

    /// The name of the table in SQL.
    pub(super) const fn name(self) -> &'static str {
        match self {
            CheckedTable::Game => "game",
            CheckedTable::Problem => "problem",
            CheckedTable::Source => "source",
            CheckedTable::SourceText => "source_text",
            CheckedTable::Player => "player",
            CheckedTable::Event => "event",
            CheckedTable::Site => "site",
            CheckedTable::TagOrder => "tag_order",
        }
    }

    /// The table of names with this name in SQL.
    pub(super) fn of_names(name: &str) -> CheckedTable {
        match name {
            "player" => CheckedTable::Player,
            "event" => CheckedTable::Event,
            "site" => CheckedTable::Site,
            _ => CheckedTable::TagOrder,
        }
    }

    /// The columns that a checksum covers, in their order; the number of the row comes first. The opening of a game is
    /// left out, since it follows from the moves.
    const fn columns(self) -> &'static str {
        match self {
            CheckedTable::Game => {
                "game.id, source_id, byte_offset, byte_length, event_id, site_id, date, round,
                white_id, black_id, result, white_elo, black_elo, eco, ply_count, final_fen,
                final_key, moves_hash, tag_order_id, address, ending, terminator, encoding, language,
                notation, fen, variant, fifty_moves_ply, threefold_ply, seventy_five_moves_ply,
                fivefold_ply, moves, tags, annotations, rest
                FROM game CROSS JOIN movetext ON movetext.game_id = game.id"
            }
            CheckedTable::Problem => {
                "id, source_id, game_id, kind, byte_offset, byte_length, line, column, ply, text,
                message FROM problem"
            }
            CheckedTable::Source => {
                "id, path, bytes, content_hash, imported_at, first_game, last_game, games, problems,
                notation, language, encoding, known_bytes, known_hash, head_hash, continues,
                unfinished, filter, passed_over FROM source"
            }
            CheckedTable::SourceText => {
                "id, source_id, before_game, byte_offset, byte_length, text FROM source_text"
            }
            CheckedTable::Player => "id, name FROM player",
            CheckedTable::Event => "id, name FROM event",
            CheckedTable::Site => "id, name FROM site",
            CheckedTable::TagOrder => "id, names FROM tag_order",
        }
    }

    /// An SQL query for the rows from ?1 to ?2 whose numbers are divisible by ?3, in their order.
    pub(super) fn select(self) -> String {
        let (columns, name) = (self.columns(), self.name());
        format!(
            "SELECT {columns} WHERE {name}.id BETWEEN ?1 AND ?2 AND {name}.id % ?3 = 0 ORDER BY {name}.id"
        )
    }
}

/// The bytes of a row that its checksum covers.
#[derive(Debug, Default)]
pub(super) struct RowBytes(Vec<u8>);

impl RowBytes {
    /// Begins a row.
    pub(super) fn begin(&mut self, id: i64) -> &mut RowBytes {
        self.0.clear();
        self.integer(id)
    }

    /// Appends a number; NULL for `None`.
    pub(super) fn integer(&mut self, value: impl Into<Option<i64>>) -> &mut RowBytes {
        match value.into() {
            Some(number) => self.push_number(b'i', number.cast_unsigned()),
            None => self.0.push(b'-'),
        }
        self
    }

    /// Appends a text; NULL for `None`.
    pub(super) fn text<'t>(&mut self, value: impl Into<Option<&'t str>>) -> &mut RowBytes {
        match value.into() {
            Some(text) => self.push_bytes(b't', text.as_bytes()),
            None => self.0.push(b'-'),
        }
        self
    }

    /// Appends a type and its value, so that different rows have different bytes.
    pub(super) fn value(&mut self, value: ValueRef<'_>) -> &mut RowBytes {
        match value {
            ValueRef::Null => self.0.push(b'-'),
            ValueRef::Integer(number) => self.push_number(b'i', number.cast_unsigned()),
            ValueRef::Real(number) => self.push_number(b'r', number.to_bits()),
            ValueRef::Text(text) => self.push_bytes(b't', text),
            ValueRef::Blob(blob) => self.push_bytes(b'b', blob),
        }
        self
    }

    /// Appends a type, a length of eight bytes, and a value.
    fn push_bytes(&mut self, kind: u8, value: &[u8]) {
        self.push_number(kind, value.len() as u64);
        self.0.extend_from_slice(value);
    }

    /// Appends a type and a number, with a single capacity check.
    fn push_number(&mut self, kind: u8, number: u64) {
        let mut bytes = [kind; 9];
        bytes[1..].copy_from_slice(&number.to_le_bytes());
        self.0.extend_from_slice(&bytes);
    }

    /// The checksum of a row of a query for a table.
    pub(super) fn checksum_of(&mut self, row: &Row<'_>, columns: usize) -> rusqlite::Result<u32> {
        self.0.clear();
        for column in 0..columns {
            self.value(row.get_ref(column)?);
        }
        Ok(self.checksum())
    }

    /// The checksum; never 0, which means "no row".
    pub(super) fn checksum(&self) -> u32 {
        crc32fast::hash(&self.0).max(1)
    }
}

/// The number of rows in a block, as a power of two.
const BLOCK_BITS: u32 = 12;
/// The bits of a row's number that are its slot in a block.
const SLOT_MASK: i64 = (1 << BLOCK_BITS) - 1;
/// The position of the table's bits in the number of a block. A row number of 63 bits has 51 bits without its slot.
const TABLE_SHIFT: u32 = 52;
const CHECKSUM_BYTES: usize = 4;

/// The number of the block that has the checksum of a row, and its place there; `None` for a row that no import has
/// written.
pub(super) fn block_and_slot(table: CheckedTable, id: i64) -> Option<(i64, usize)> {
    // Numbers of imported rows are never negative.
    if id < 0 {
        return None;
    }

    let slot = id & SLOT_MASK;
    let block_of_table = id >> BLOCK_BITS;
    let block = (table as i64) << TABLE_SHIFT | block_of_table;
    Some((block, slot as usize))
}

/// The content of `row_checksum` for a block.
#[derive(Debug)]
pub(super) enum StoredBlock {
    Missing,
    Damaged,
    /// The checksums of its rows, 0 for a missing row.
    Checksums(Vec<u32>),
}

/// Reads a block.
pub(super) fn read_block(connection: &Connection, block: i64) -> rusqlite::Result<StoredBlock> {
    let mut select = connection.prepare_cached("SELECT data FROM row_checksum WHERE id = ?1")?;
    let mut rows = select.query([block])?;
    let Some(row) = rows.next()? else {
        return Ok(StoredBlock::Missing);
    };

    let checksums = match row.get_ref(0)?.as_blob() {
        Ok(data) => decode(block, data),
        Err(_) => None,
    };
    Ok(checksums.map_or(StoredBlock::Damaged, StoredBlock::Checksums))
}

/// The bytes of a block: the checksum of the block itself, then the checksums of its rows.
fn encode(block: i64, checksums: &[u32]) -> Vec<u8> {
    let mut data = vec![0; CHECKSUM_BYTES];
    for checksum in checksums {
        data.extend_from_slice(&checksum.to_le_bytes());
    }

    let of_block = checksum_of_block(block, &data[CHECKSUM_BYTES..]);
    data[..CHECKSUM_BYTES].copy_from_slice(&of_block.to_le_bytes());
    data
}

/// The checksums of a block; `None` if the block is damaged.
fn decode(block: i64, data: &[u8]) -> Option<Vec<u32>> {
    let (of_block, of_rows) = data.split_first_chunk()?;
    let (checksums, rest) = of_rows.as_chunks();
    let is_whole = rest.is_empty();
    if !is_whole || u32::from_le_bytes(*of_block) != checksum_of_block(block, of_rows) {
        return None;
    }

    let decoded = checksums
        .iter()
        .map(|checksum| u32::from_le_bytes(*checksum));
    Some(decoded.collect())
}

/// The checksum of a block over its number and its data. With the number, a block in the place of another block is
/// detected.
fn checksum_of_block(block: i64, data: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&block.to_le_bytes());
    hasher.update(data);
    hasher.finalize()
}

/// A block that is being filled.
#[derive(Debug, Default)]
struct OpenBlock {
    number: Option<i64>,
    checksums: Vec<u32>,
    is_changed: bool,
    /// `true` if the checksums of earlier rows are lost. The block is not written, so that a check still reports it.
    is_lost: bool,
}

/// Writes checksums. It is fastest if the rows of each table come in the order of their numbers.
pub(super) struct ChecksumWriter<'c> {
    connection: &'c Connection,
    write: Statement<'c>,
    blocks: [OpenBlock; CheckedTable::COUNT],
    bytes: RowBytes,
    /// The last row of each table whose checksum has been written before.
    last_rows: [i64; CheckedTable::COUNT],
}

impl<'c> ChecksumWriter<'c> {
    /// Prepares the statements. `last_rows` has the last row of each table whose checksum has been written before.
    pub(super) fn new(
        connection: &'c Connection,
        last_rows: [i64; CheckedTable::COUNT],
    ) -> rusqlite::Result<ChecksumWriter<'c>> {
        let write = connection.prepare("INSERT OR REPLACE INTO row_checksum VALUES (?1, ?2)")?;
        Ok(ChecksumWriter {
            connection,
            write,
            blocks: Default::default(),
            bytes: RowBytes::default(),
            last_rows,
        })
    }

    /// Adds the checksum of a row that is being written; `fill` appends its values after its number.
    pub(super) fn add(
        &mut self,
        table: CheckedTable,
        id: i64,
        fill: impl FnOnce(&mut RowBytes),
    ) -> rusqlite::Result<()> {
        fill(self.bytes.begin(id));
        self.set(table, id, self.bytes.checksum())
    }

    /// Adds the checksums of the rows from `first` to `last`, as they are now.
    pub(super) fn add_stored(
        &mut self,
        table: CheckedTable,
        (first, last): (i64, i64),
    ) -> rusqlite::Result<()> {
        let mut select = self.connection.prepare_cached(&table.select())?;
        let columns = select.column_count();
        let mut rows = select.query([first, last, 1])?;

        while let Some(row) = rows.next()? {
            let checksum = self.bytes.checksum_of(row, columns)?;
            self.set(table, row.get(0)?, checksum)?;
        }
        Ok(())
    }

    /// Sets the checksum of a row, after loading its block and writing the block before.
    fn set(&mut self, table: CheckedTable, id: i64, checksum: u32) -> rusqlite::Result<()> {
        let Some((block, slot)) = block_and_slot(table, id) else {
            return Ok(());
        };

        if self.blocks[table as usize].number != Some(block) {
            self.flush_block(table as usize)?;
            self.blocks[table as usize] = self.open_block(table, id, block)?;
        }

        let open = &mut self.blocks[table as usize];
        if open.checksums.len() <= slot {
            open.checksums.resize(slot + 1, 0);
        }
        open.checksums[slot] = checksum;
        open.is_changed = true;
        Ok(())
    }

    /// Loads the block of a row, or begins a block without checksums if it is missing or damaged.
    fn open_block(&self, table: CheckedTable, id: i64, block: i64) -> rusqlite::Result<OpenBlock> {
        let (checksums, is_lost) = match read_block(self.connection, block)? {
            StoredBlock::Checksums(checksums) => (checksums, false),
            StoredBlock::Missing | StoredBlock::Damaged => {
                let last = self.last_rows[table as usize];
                let is_lost = has_written_rows(self.connection, table, id, last)?;
                (Vec::new(), is_lost)
            }
        };

        Ok(OpenBlock {
            number: Some(block),
            checksums,
            is_changed: true,
            is_lost,
        })
    }

    /// Writes all added checksums.
    pub(super) fn flush(&mut self) -> rusqlite::Result<()> {
        for table in 0..CheckedTable::COUNT {
            self.flush_block(table)?;
        }
        Ok(())
    }

    /// Writes the open block of a table, if it has changed.
    fn flush_block(&mut self, table: usize) -> rusqlite::Result<()> {
        let open = &mut self.blocks[table];
        let Some(block) = open.number else {
            return Ok(());
        };

        if open.is_changed && !open.is_lost {
            let data = encode(block, &open.checksums);
            self.write.execute(params![block, data])?;
            open.is_changed = false;
        }
        Ok(())
    }
}

/// `true` if the block of a row has a row up to `last` that an import has written.
fn has_written_rows(
    connection: &Connection,
    table: CheckedTable,
    id: i64,
    last: i64,
) -> rusqlite::Result<bool> {
    let first_of_block = id & !SLOT_MASK;
    let last_of_block = id | SLOT_MASK;

    // Rows in `changed_row` are by other programs, and have no checksum to lose.
    let name = table.name();
    let sql = format!(
        "SELECT 1 FROM {name} WHERE id BETWEEN ?1 AND ?2 AND NOT EXISTS
            (SELECT 1 FROM changed_row WHERE table_name = '{name}' AND row_id = {name}.id)"
    );
    let mut select = connection.prepare_cached(&sql)?;
    select.exists((first_of_block, last.min(last_of_block)))
}

/// Computes the checksums of all rows after `last`, the last row of each table that already had one.
pub(super) fn add_after(
    connection: &Connection,
    last: [i64; CheckedTable::COUNT],
) -> rusqlite::Result<()> {
    let mut writer = ChecksumWriter::new(connection, last)?;
    for table in CheckedTable::ALL {
        let first = last[table as usize].saturating_add(1);
        writer.add_stored(table, (first, i64::MAX))?;
    }
    writer.flush()
}

/// The last row number of each table.
pub(super) fn last_rows(connection: &Connection) -> rusqlite::Result<[i64; CheckedTable::COUNT]> {
    let mut last_rows = [0; CheckedTable::COUNT];
    for table in CheckedTable::ALL {
        let name = table.name();
        let sql = format!("SELECT coalesce(max(id), 0) FROM {name}");
        let last: i64 = connection.query_row(&sql, [], |row| row.get(0))?;
        last_rows[table as usize] = last;
    }
    Ok(last_rows)
}

/// Recomputes the checksums of rows that other programs have added or changed, and of the rows of missing and damaged
/// blocks.
pub(super) fn update_changed(connection: &Connection) -> rusqlite::Result<()> {
    // Missing and damaged blocks are replaced, whichever rows they have.
    let mut writer = ChecksumWriter::new(connection, [-1; CheckedTable::COUNT])?;
    for table in CheckedTable::ALL {
        add_missing_blocks(connection, table, &mut writer)?;

        let sql = "SELECT row_id FROM changed_row WHERE table_name = ?1 ORDER BY row_id";
        let mut select = connection.prepare_cached(sql)?;
        let mut rows = select.query([table.name()])?;
        while let Some(row) = rows.next()? {
            let id = row.get(0)?;
            writer.add_stored(table, (id, id))?;
        }
    }
    writer.flush()?;

    let sql = "DELETE FROM changed_row WHERE row_id >= 0";
    connection.execute(sql, [])?;
    Ok(())
}

/// Computes the checksums of the rows of missing and damaged blocks.
///
/// The old checksums of such a block are lost, so its rows are assumed to be undamaged. A check reports the block
/// before this function replaces it.
fn add_missing_blocks(
    connection: &Connection,
    table: CheckedTable,
    writer: &mut ChecksumWriter<'_>,
) -> rusqlite::Result<()> {
    let name = table.name();
    let sql = format!("SELECT DISTINCT id >> ?1 FROM {name} WHERE id >= 0");
    let mut select = connection.prepare(&sql)?;
    let mut blocks = select.query([BLOCK_BITS])?;

    while let Some(row) = blocks.next()? {
        let first = row.get::<_, i64>(0)? << BLOCK_BITS;
        let last = first | SLOT_MASK;
        let Some((block, _)) = block_and_slot(table, first) else {
            continue;
        };

        let is_readable = matches!(read_block(connection, block)?, StoredBlock::Checksums(_));
        if !is_readable {
            writer.add_stored(table, (first, last))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_4096_rows_of_one_table() {
        let rows = [
            (CheckedTable::Game, 1, Some((0, 1))),
            (CheckedTable::Game, 4095, Some((0, 4095))),
            (CheckedTable::Game, 4096, Some((1, 0))),
            (CheckedTable::Problem, 4096, Some((1 << 52 | 1, 0))),
            (CheckedTable::Game, -1, None),
        ];
        for (table, id, expected) in rows {
            assert_eq!(block_and_slot(table, id), expected, "{table:?} {id}");
        }
    }

    #[test]
    fn damaged_blocks_are_not_decoded() {
        let data = encode(7, &[1, 2, 3]);
        assert_eq!(decode(7, &data), Some(vec![1, 2, 3]));

        let in_place_of_another = decode(8, &data);
        assert_eq!(in_place_of_another, None);
        let truncated = decode(7, &data[..data.len() - CHECKSUM_BYTES]);
        assert_eq!(truncated, None);

        for byte in 0..data.len() {
            let mut flipped = data.clone();
            flipped[byte] ^= 1;
            assert_eq!(decode(7, &flipped), None, "byte {byte}");
        }
    }
}
