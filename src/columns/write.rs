//! Writing games to the column store: new ones at its end, changed ones in place.

use std::collections::BTreeSet;

use rusqlite::{Connection, Statement, params};

use super::block::encode;
use super::row::each_described;
use super::stored::{Stored, described_games, has_readable_format, note_format, stored};
use super::{BLOCK_BITS, BLOCK_GAMES, Column, Description, Entry, games_of, place};
use crate::storage::NameNumbers;

/// Appends games, in the order of their numbers.
pub(crate) struct ColumnWriter<'c> {
    connection: &'c Connection,
    write: Statement<'c>,
    comment: Statement<'c>,
    /// The block being filled.
    block: i64,
    entries: Vec<Entry>,
    is_written: bool,
}

impl<'c> ColumnWriter<'c> {
    /// Prepares the statements.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn new(connection: &'c Connection) -> rusqlite::Result<ColumnWriter<'c>> {
        let write = "INSERT OR REPLACE INTO game_column (id, data) VALUES (?1, ?2)";
        let comment = "INSERT INTO comment_text (rowid, annotations) VALUES (?1, ?2)";
        Ok(ColumnWriter {
            connection,
            write: connection.prepare(write)?,
            comment: connection.prepare(comment)?,
            block: -1,
            entries: Vec::with_capacity(BLOCK_GAMES),
            is_written: true,
        })
    }

    /// Adds a game after all present ones.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn push(
        &mut self,
        game: i64,
        names: NameNumbers,
        described: &Description,
    ) -> rusqlite::Result<()> {
        self.push_entry(game, Entry::new(names, described))?;
        self.add_words(game, described)
    }

    /// Indexes the words of a game's comments.
    fn add_words(&mut self, game: i64, described: &Description) -> rusqlite::Result<()> {
        if !described.words.is_empty() {
            self.comment.execute(params![game, described.words])?;
        }
        Ok(())
    }

    /// Adds the values of a game to its block, after writing the block before.
    fn push_entry(&mut self, game: i64, entry: Entry) -> rusqlite::Result<()> {
        // A negative number has no block; filters read the row of such a game.
        let Some((block, slot)) = place(game) else {
            return Ok(());
        };
        if block != self.block {
            self.flush()?;
            self.entries = entries(self.connection, block)?;
            self.block = block;
        }

        // Numbers without a game have empty entries.
        self.entries.resize(slot, Entry::default());
        self.entries.push(entry);
        self.is_written = false;
        Ok(())
    }

    /// Writes all added games.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn flush(&mut self) -> rusqlite::Result<()> {
        if !self.is_written {
            write_block(&mut self.write, self.block, &self.entries)?;
            self.is_written = true;
        }
        Ok(())
    }
}

/// Encodes and writes all columns of a block.
fn write_block(write: &mut Statement<'_>, block: i64, entries: &[Entry]) -> rusqlite::Result<()> {
    let mut values = Vec::with_capacity(entries.len());
    for column in Column::ALL {
        values.clear();
        values.extend(entries.iter().map(|entry| entry.get(column)));

        let data = encode(&values);
        write.execute(params![column.row(block), data])?;
    }
    Ok(())
}

/// The entries of a block, none if the block does not exist. A damaged block is described anew from the rows of games.
fn entries(connection: &Connection, block: i64) -> rusqlite::Result<Vec<Entry>> {
    match stored(connection, block)? {
        Stored::Entries(entries) => Ok(entries),
        Stored::Nothing => Ok(Vec::with_capacity(BLOCK_GAMES)),
        Stored::Damaged(_) => described_entries(connection, block),
    }
}

/// The entries of a block, described from the rows of its games.
fn described_entries(connection: &Connection, block: i64) -> rusqlite::Result<Vec<Entry>> {
    let mut entries = Vec::with_capacity(BLOCK_GAMES);
    each_described(connection, games_of(block), |game, names, described| {
        if let Some((_, slot)) = place(game) {
            // Numbers without a game have empty entries.
            entries.resize(slot, Entry::default());
            entries.push(Entry::new(names, described));
        }
        Ok(())
    })?;
    Ok(entries)
}

/// Describes anew the games from `first` to `last` that have changed, and rewrites their blocks.
///
/// # Errors
/// When the database cannot be read or written.
pub(crate) fn renew(connection: &Connection, (first, last): (i64, i64)) -> rusqlite::Result<()> {
    let described = described_games(connection)?;
    let sql = "SELECT id FROM stale_game WHERE id BETWEEN ?1 AND ?2";
    let mut select = connection.prepare_cached(sql)?;
    // `catch_up` describes later games together with all new games.
    let last_described = last.min(described);
    let rows = select.query_map([first, last_described], |row| row.get(0))?;
    let changed = rows.collect::<rusqlite::Result<BTreeSet<i64>>>()?;

    let mut blocks: BTreeSet<i64> = BTreeSet::new();
    for &game in &changed {
        blocks.extend(place(game).map(|(block, _)| block));
    }

    let has_changed = |game| changed.contains(&game);
    for block in blocks {
        renew_block(connection, block, described, has_changed)?;
    }
    Ok(())
}

/// Describes the games after the end of the column store, such as games copied from another database. If the store has
/// an unreadable format, all games are described.
///
/// # Errors
/// When the database cannot be read or written.
pub(crate) fn catch_up(connection: &Connection) -> rusqlite::Result<()> {
    if !has_readable_format(connection)? {
        return rebuild(connection);
    }
    note_format(connection)?;
    describe_new(connection)
}

/// Describes the games after the end of the column store, in its format.
fn describe_new(connection: &Connection) -> rusqlite::Result<()> {
    let described = described_games(connection)?;
    let sql = "SELECT DISTINCT id >> ?1 FROM game WHERE id > ?2 AND id >= 0";
    let mut select = connection.prepare(sql)?;
    let rows = select.query_map(params![BLOCK_BITS, described], |row| row.get(0))?;
    let blocks = rows.collect::<rusqlite::Result<BTreeSet<i64>>>()?;

    // The first block may be partly described. The words of its described games are indexed already.
    let is_new = |game| game > described;
    for block in blocks {
        renew_block(connection, block, i64::MAX, is_new)?;
    }
    Ok(())
}

/// Describes all games anew, and compacts the word indexes of names and comments.
///
/// # Errors
/// When the database cannot be read or written.
pub(crate) fn rebuild(connection: &Connection) -> rusqlite::Result<()> {
    let forget =
        "DELETE FROM game_column; INSERT INTO comment_text (comment_text) VALUES ('delete-all')";
    connection.execute_batch(forget)?;
    note_format(connection)?;
    describe_new(connection)?;

    // Comments were indexed again with their games. FTS5 reads names from their own tables.
    for (table, command) in [
        ("player_text", "rebuild"),
        ("event_text", "rebuild"),
        ("site_text", "rebuild"),
        ("comment_text", "optimize"),
    ] {
        let sql = format!("INSERT INTO {table} ({table}) VALUES ('{command}')");
        connection.execute(&sql, [])?;
    }
    Ok(())
}

/// Describes the games of a block anew, up to `last`, and indexes the words of changed games.
fn renew_block(
    connection: &Connection,
    block: i64,
    last: i64,
    has_changed: impl Fn(i64) -> bool,
) -> rusqlite::Result<()> {
    let (first, end) = games_of(block);
    let range = (first, end.min(last));

    // The writer begins with this block and without entries, so it does not read the old values of the block.
    let mut writer = ColumnWriter::new(connection)?;
    writer.block = block;
    each_described(connection, range, |game, names, described| {
        if has_changed(game) {
            writer.push(game, names, described)
        } else {
            writer.push_entry(game, Entry::new(names, described))
        }
    })?;

    if writer.entries.is_empty() {
        // All games of the block are deleted, so an empty block replaces their old values.
        write_block(&mut writer.write, block, &[])
    } else {
        writer.flush()
    }
}
