//! A batch of games as a virtual table, from which one statement inserts all their rows.
//!
//! Executing a statement for each row takes twice as long: each value is bound, copied and freed, and SQLite begins and
//! ends the statement for each row.

#![expect(
    unsafe_code,
    reason = "SQLite reaches virtual tables through structures of C"
)]

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_int};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::vtab::{
    Context, Filters, IndexInfo, Module, VTab, VTabConnection, VTabCursor, sqlite3_vtab,
    sqlite3_vtab_cursor,
};
use rusqlite::{Connection, Statement};

use super::row::{GameRow, NameNumbers, TextArena};
use crate::game::Ply;
use crate::input::Encoding;

/// The name of the table, which exists only in connections that write games.
const TABLE: &str = "stamma_row_batch";

/// Games of a source, ready to be inserted or to replace stored ones.
#[derive(Debug)]
pub(crate) struct RowBatch {
    pub(super) source: i64,
    /// The numbers of the games.
    pub(super) ids: Vec<i64>,
    pub(super) rows: Vec<GameRow>,
    pub(super) texts: Arc<TextArena>,
    /// The languages of games that are not in English, by their index.
    pub(super) languages: Vec<Option<Box<str>>>,
    pub(crate) names: Vec<NameNumbers>,
}

/// A game of a batch.
#[derive(Clone, Copy)]
pub(super) struct BatchGame<'b> {
    pub(super) id: i64,
    pub(super) source: i64,
    pub(super) row: &'b GameRow,
    pub(super) texts: &'b TextArena,
    pub(super) language: Option<&'b str>,
    pub(super) names: &'b NameNumbers,
}

impl BatchGame<'_> {
    /// The encoding of its text; `None` for UTF-8.
    pub(super) fn encoding(&self) -> Option<&'static str> {
        let encoding = self.row.encoding?;
        if encoding == Encoding::UTF_8 {
            return None;
        }
        Some(encoding.name())
    }
}

impl RowBatch {
    /// The games in their order.
    pub(super) fn games(&self) -> impl Iterator<Item = BatchGame<'_>> {
        (0..self.rows.len()).filter_map(|index| self.game(index))
    }

    /// The game with an index; `None` after the last.
    #[inline]
    fn game(&self, index: usize) -> Option<BatchGame<'_>> {
        Some(BatchGame {
            id: *self.ids.get(index)?,
            source: self.source,
            row: self.rows.get(index)?,
            texts: &self.texts,
            language: self.languages.get(index).and_then(Option::as_deref),
            names: self.names.get(index)?,
        })
    }
}

/// A column of the table: its name in the table that it is inserted into, and its value.
type BatchColumn = (&'static str, for<'b> fn(&BatchGame<'b>) -> ValueRef<'b>);

/// The columns of `game`, in their order there.
const GAME_COLUMNS: &[BatchColumn] = &[
    ("id", |game| ValueRef::Integer(game.id)),
    ("source_id", |game| ValueRef::Integer(game.source)),
    ("byte_offset", |game| {
        ValueRef::Integer(game.row.byte_offset.cast_signed())
    }),
    ("byte_length", |game| {
        ValueRef::Integer(game.row.byte_length.cast_signed())
    }),
    ("event_id", |game| number(game.names.event)),
    ("site_id", |game| number(game.names.site)),
    ("date", |game| text(game.texts.get(game.row.date))),
    ("round", |game| text(game.texts.get(game.row.round))),
    ("white_id", |game| number(game.names.white)),
    ("black_id", |game| number(game.names.black)),
    ("result", |game| text(Some(game.row.result.as_str()))),
    ("white_elo", |game| number(game.row.white_elo)),
    ("black_elo", |game| number(game.row.black_elo)),
    ("eco", |game| text(game.texts.get(game.row.eco))),
    ("ply_count", |game| number(Some(game.row.ply_count))),
    ("final_fen", |game| game.row.final_fen.value(game.texts)),
    ("final_key", |game| number(game.row.final_key)),
    ("moves_hash", |game| ValueRef::Integer(game.row.moves_hash)),
    ("tag_order_id", |game| number(game.names.tag_order)),
    ("opening_id", |game| number(game.names.opening)),
    ("address", |game| text(game.texts.get(game.row.address))),
    ("ending", |game| text(game.row.ending.board)),
    ("terminator", |game| text(game.row.terminator)),
    ("encoding", |game| text(game.encoding())),
    ("language", |game| text(game.language)),
    ("notation", |game| text(game.row.notation)),
    ("fen", |game| text(game.texts.get(game.row.fen))),
    ("variant", |game| text(game.row.variant)),
    ("fifty_moves_ply", |game| {
        number(game.row.ending.fifty_moves.map(Ply::get))
    }),
    ("threefold_ply", |game| {
        number(game.row.ending.threefold.map(Ply::get))
    }),
    ("seventy_five_moves_ply", |game| {
        number(game.row.ending.seventy_five_moves.map(Ply::get))
    }),
    ("fivefold_ply", |game| {
        number(game.row.ending.fivefold.map(Ply::get))
    }),
];

/// The columns of `movetext`, in their order there.
const MOVETEXT_COLUMNS: &[BatchColumn] = &[
    ("game_id", |game| ValueRef::Integer(game.id)),
    ("moves", |game| text(game.texts.get(game.row.moves))),
    ("tags", |game| text(game.texts.get(game.row.tags))),
    ("annotations", |game| {
        text(game.texts.get(game.row.annotations))
    }),
    ("rest", |game| text(game.texts.get(game.row.rest))),
];

/// A number as a value of SQL; NULL for `None`.
fn number<'b>(value: Option<impl Into<i64>>) -> ValueRef<'b> {
    value.map_or(ValueRef::Null, |value| ValueRef::Integer(value.into()))
}

/// A text as a value of SQL; NULL for `None`.
fn text(value: Option<&str>) -> ValueRef<'_> {
    value.map_or(ValueRef::Null, ValueRef::from)
}

/// The statement that inserts these columns of a batch.
fn insert_sql(table: &str, columns: &[BatchColumn]) -> String {
    let list: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let names = list.join(", ");
    format!("INSERT INTO {table} ({names}) SELECT {names} FROM {TABLE}")
}

/// The statement that replaces these columns of stored rows by the columns of a batch. The first column is the key of
/// both.
fn replace_sql(table: &str, columns: &[BatchColumn]) -> String {
    let (key, _) = columns[0];
    let assignments: Vec<String> = columns[1..]
        .iter()
        .map(|(name, _)| format!("{name} = batch.{name}"))
        .collect();
    let set = assignments.join(", ");

    format!("UPDATE {table} SET {set} FROM {TABLE} AS batch WHERE {table}.{key} = batch.{key}")
}

/// The number of the first columns of `game` that give the place of its text.
const ORIGIN_COLUMNS: usize = 4;

/// The batch that is being written, if any.
type CurrentBatch = Arc<Mutex<Option<Arc<RowBatch>>>>;

/// Inserts batches of games, and replaces stored games by games of batches.
pub(super) struct BatchWriter<'c> {
    connection: &'c Connection,
    current: CurrentBatch,
    game: Statement<'c>,
    movetext: Statement<'c>,
}

impl<'c> BatchWriter<'c> {
    /// Adds the table to the connection, and prepares the statements.
    pub(super) fn new(connection: &'c Connection) -> rusqlite::Result<BatchWriter<'c>> {
        let current = CurrentBatch::default();
        let module = const { &Module::<'static, BatchTable>::eponymous_only_module() };
        connection.create_module(TABLE, module, Some(Arc::clone(&current)))?;

        let insert_game = insert_sql("game", GAME_COLUMNS);
        let insert_movetext = insert_sql("movetext", MOVETEXT_COLUMNS);
        Ok(BatchWriter {
            connection,
            current,
            game: connection.prepare(&insert_game)?,
            movetext: connection.prepare(&insert_movetext)?,
        })
    }

    /// Inserts the rows of a batch.
    ///
    /// # Errors
    /// When SQLite fails, or has inserted another number of rows: the database could have a table with the name of the
    /// virtual table.
    pub(super) fn insert(&mut self, batch: &Arc<RowBatch>) -> rusqlite::Result<()> {
        self.set_current(Some(Arc::clone(batch)));
        let inserted = self.insert_current();
        // The table gives the batch back to the caller, whether or not it was inserted.
        self.set_current(None);

        for rows in inserted? {
            if rows != batch.rows.len() {
                return Err(rusqlite::Error::StatementChangedRows(rows));
            }
        }
        Ok(())
    }

    /// Inserts the rows of the current batch into both tables, and returns their numbers.
    fn insert_current(&mut self) -> rusqlite::Result<[usize; 2]> {
        let games = self.game.execute([])?;
        let movetexts = self.movetext.execute([])?;
        Ok([games, movetexts])
    }

    /// Replaces the rows of stored games by the rows of a batch.
    ///
    /// # Errors
    /// When SQLite fails, or a game has no rows.
    pub(super) fn replace(&self, batch: &Arc<RowBatch>) -> rusqlite::Result<()> {
        let game = replace_sql("game", GAME_COLUMNS);
        let movetext = replace_sql("movetext", MOVETEXT_COLUMNS);
        self.update(batch, &[game, movetext])
    }

    /// Replaces the places of the texts of stored games by the places in a batch.
    ///
    /// # Errors
    /// As for [`BatchWriter::replace`].
    pub(super) fn move_games(&self, batch: &Arc<RowBatch>) -> rusqlite::Result<()> {
        let origin = replace_sql("game", &GAME_COLUMNS[..ORIGIN_COLUMNS]);
        self.update(batch, &[origin])
    }

    /// Executes statements on the rows of a batch. Each statement must change one row for each game.
    fn update(&self, batch: &Arc<RowBatch>, statements: &[String]) -> rusqlite::Result<()> {
        self.set_current(Some(Arc::clone(batch)));
        let updated = self.update_from_current(batch.rows.len(), statements);
        self.set_current(None);
        updated
    }

    /// Executes statements that must each change `count` rows.
    fn update_from_current(&self, count: usize, statements: &[String]) -> rusqlite::Result<()> {
        for sql in statements {
            let rows = self.connection.prepare_cached(sql)?.execute([])?;
            if rows != count {
                return Err(rusqlite::Error::StatementChangedRows(rows));
            }
        }
        Ok(())
    }

    /// Sets the batch that cursors of the table read.
    fn set_current(&self, batch: Option<Arc<RowBatch>>) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        *current = batch;
    }
}

/// The table in one connection.
#[repr(C)]
struct BatchTable {
    base: sqlite3_vtab,
    current: CurrentBatch,
}

/// All columns of the table; the number of a game is in both lists.
fn columns() -> impl Iterator<Item = &'static BatchColumn> {
    GAME_COLUMNS.iter().chain(MOVETEXT_COLUMNS)
}

// SAFETY: the structure is `repr(C)` and begins with its `sqlite3_vtab`.
unsafe impl VTab<'_> for BatchTable {
    type Aux = CurrentBatch;
    type Cursor = BatchCursor;

    fn connect(
        _db: &mut VTabConnection,
        current: Option<&CurrentBatch>,
        _module: &[u8],
        _database: &[u8],
        _table: &[u8],
        _arguments: &[&[u8]],
    ) -> rusqlite::Result<(Cow<'static, CStr>, BatchTable)> {
        let list: Vec<&str> = columns().map(|(name, _)| *name).collect();
        let names = list.join(", ");
        // SQLite ignores the name of the table here.
        let schema = CString::new(format!("CREATE TABLE x({names})"))?;

        let table = BatchTable {
            base: sqlite3_vtab::default(),
            current: current.map(Arc::clone).unwrap_or_default(),
        };
        Ok((Cow::Owned(schema), table))
    }

    fn best_index(&self, _info: &mut IndexInfo) -> rusqlite::Result<bool> {
        Ok(true)
    }

    fn open(&mut self) -> rusqlite::Result<BatchCursor> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(BatchCursor {
            base: sqlite3_vtab_cursor::default(),
            batch: current.clone(),
            index: 0,
        })
    }
}

#[repr(C)]
struct BatchCursor {
    base: sqlite3_vtab_cursor,
    batch: Option<Arc<RowBatch>>,
    index: usize,
}

impl BatchCursor {
    /// The value of a column in the current row; `None` for NULL.
    #[inline]
    fn value(&self, column: usize) -> Option<ValueRef<'_>> {
        let (_, value_of) = match column.checked_sub(GAME_COLUMNS.len()) {
            Some(column) => MOVETEXT_COLUMNS.get(column)?,
            None => &GAME_COLUMNS[column],
        };

        let game = self.batch.as_ref()?.game(self.index)?;
        let value = value_of(&game);
        (value != ValueRef::Null).then_some(value)
    }
}

// SAFETY: the structure is `repr(C)` and begins with its `sqlite3_vtab_cursor`.
unsafe impl VTabCursor for BatchCursor {
    fn filter(
        &mut self,
        _plan: c_int,
        _name: Option<&str>,
        _arguments: &Filters<'_>,
    ) -> rusqlite::Result<()> {
        self.index = 0;
        Ok(())
    }

    fn next(&mut self) -> rusqlite::Result<()> {
        self.index += 1;
        Ok(())
    }

    fn eof(&self) -> bool {
        self.batch
            .as_ref()
            .is_none_or(|batch| self.index >= batch.rows.len())
    }

    fn column(&self, context: &mut Context, column: c_int) -> rusqlite::Result<()> {
        // Without a result, SQLite takes NULL.
        match self.value(column as usize) {
            Some(value) => context.set_result(&ToSqlOutput::Borrowed(value)),
            None => Ok(()),
        }
    }

    fn rowid(&self) -> rusqlite::Result<i64> {
        Ok(self.index as i64)
    }
}
