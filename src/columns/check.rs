//! A check of the column store against the rows of games.

use std::collections::HashSet;

use rusqlite::{Connection, params};

use super::row::each_described_by_step;
use super::stored::{Stored, described_games, has_readable_format, stored};
use super::{BLOCK_BITS, Column, Entry, games_of, place};
use crate::storage::{Remedy, RowFault, indexed_words};

/// `true` if all blocks are present and can be decoded, whatever their values.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn is_readable(connection: &Connection) -> rusqlite::Result<bool> {
    if !has_readable_format(connection)? {
        return Ok(false);
    }
    for block in blocks(connection)? {
        if !matches!(stored(connection, block)?, Stored::Entries(_)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The numbers of all blocks that are present or that a game requires.
fn blocks(connection: &Connection) -> rusqlite::Result<Vec<i64>> {
    let sql = "SELECT id & ?1 FROM game_column
        UNION SELECT id >> ?2 FROM game WHERE id BETWEEN 0 AND ?3";
    // The column is above the bits of the block, and White's column has the number 1.
    let block_mask = Column::White.row(0) - 1;
    let described = described_games(connection)?;

    let mut select = connection.prepare(sql)?;
    let blocks = select.query_map(params![block_mask, BLOCK_BITS, described], |row| row.get(0))?;
    blocks.collect()
}

/// Compares the column store with each game whose number is divisible by `step`, which is at least 1, and with all
/// names. Calls `take` with each fault.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn each_fault(
    connection: &Connection,
    step: i64,
    mut take: impl FnMut(RowFault),
) -> rusqlite::Result<()> {
    // A game that has changed since may differ from its block. This is no fault, so changed games are skipped.
    let changed = game_numbers(connection, "SELECT id FROM stale_game")?;
    if has_readable_format(connection)? {
        for block in blocks(connection)? {
            let comparison = Comparison {
                connection,
                block,
                step,
                changed: &changed,
            };
            comparison.run(&mut take)?;
        }
    } else {
        let fault = RowFault::new("game_column", "it is of another format");
        take(fault.mended_by(Remedy::DescribeGames));
    }

    // The comparison of names writes temporary tables, which a query-only connection refuses.
    let query_only = "query_only";
    let was_query_only: bool = connection.pragma_query_value(None, query_only, |row| row.get(0))?;
    connection.pragma_update(None, query_only, false)?;
    let compared = compare_word_indexes(connection, &mut take);
    // An error of the comparison must not leave the connection writable.
    connection.pragma_update(None, query_only, was_query_only)?;
    compared
}

/// The numbers of games that a query returns in its first column.
fn game_numbers(connection: &Connection, sql: &str) -> rusqlite::Result<HashSet<i64>> {
    connection
        .prepare(sql)?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// The comparison of a block with its games.
struct Comparison<'c> {
    connection: &'c Connection,
    block: i64,
    step: i64,
    changed: &'c HashSet<i64>,
}

impl Comparison<'_> {
    /// Calls `take` with each fault of the block.
    fn run(&self, take: &mut impl FnMut(RowFault)) -> rusqlite::Result<()> {
        let fault = match stored(self.connection, self.block)? {
            Stored::Entries(entries) => return self.compare(&entries, take),
            Stored::Damaged(column) => {
                let place = format!("game_column {}", column.row(self.block));
                let what = format!("the block for {} cannot be read", column.name());
                RowFault::new(place, what)
            }
            Stored::Nothing => {
                let (first, last) = games_of(self.block);
                let what = format!("there is none for the games from {first} to {last}");
                RowFault::new("game_column", what)
            }
        };

        take(fault.mended_by(Remedy::DescribeGames));
        Ok(())
    }

    /// Compares the entries of the block with the rows of its games.
    fn compare(&self, entries: &[Entry], take: &mut impl FnMut(RowFault)) -> rusqlite::Result<()> {
        let mut differences = [Difference::default(); Column::COUNT];
        let mut seen = HashSet::new();

        let range = games_of(self.block);
        each_described_by_step(
            self.connection,
            range,
            self.step,
            |game, names, described| {
                let Some((_, slot)) = place(game) else {
                    return Ok(());
                };
                if self.changed.contains(&game) {
                    return Ok(());
                }
                // A game after the end of the last block is not described yet.
                let Some(entry) = entries.get(slot) else {
                    return Ok(());
                };

                seen.insert(slot);
                let expected = Entry::new(names, described);
                for (at, difference) in differences.iter_mut().enumerate() {
                    if entry.0[at] != expected.0[at] {
                        difference.add(game);
                    }
                }

                if !self.has_words(game, &described.words)? {
                    let place = format!("game {game}");
                    take(RowFault::new(place, "words of its comments are not found"));
                }
                Ok(())
            },
        )?;

        self.report_different_columns(&differences, take);
        self.report_deleted_games(entries, &seen, take);
        Ok(())
    }

    /// Calls `take` with a fault for each column that differs from the rows of games.
    fn report_different_columns(
        &self,
        differences: &[Difference; Column::COUNT],
        take: &mut impl FnMut(RowFault),
    ) {
        // One fault for each column, since a column that is wrong for one game is often wrong for all of them.
        for (column, difference) in Column::ALL.into_iter().zip(differences) {
            let Difference { first, games } = difference;
            if *games == 0 {
                continue;
            }

            let place = format!("game_column {}", column.row(self.block));
            let what = format!(
                "it says something else of game {first} than its rows: {}; {games} such games",
                column.name()
            );
            take(RowFault::new(place, what));
        }
    }

    /// Calls `take` with a fault for each game that is in the block but has no row.
    fn report_deleted_games(
        &self,
        entries: &[Entry],
        seen: &HashSet<usize>,
        take: &mut impl FnMut(RowFault),
    ) {
        let (first, _) = games_of(self.block);
        for (slot, entry) in entries.iter().enumerate() {
            let game = first + slot as i64;
            let is_compared = game % self.step == 0 && !self.changed.contains(&game);
            let exists_in_block = entry.get(Column::GameFlags) != 0;
            if !is_compared || !exists_in_block {
                continue;
            }

            let has_row = seen.contains(&slot);
            if !has_row {
                let place = format!("game_column {}", Column::GameFlags.row(self.block));
                let what = format!("it has game {game}, which is not there");
                take(RowFault::new(place, what));
            }
        }
    }

    /// `true` if a game is found by the words of its comments.
    fn has_words(&self, game: i64, words: &str) -> rusqlite::Result<bool> {
        let sql =
            "SELECT EXISTS (SELECT 1 FROM comment_text WHERE comment_text MATCH ?1 AND rowid = ?2)";
        let mut select = self.connection.prepare_cached(sql)?;

        let mut terms = Vec::new();
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            terms.push(format!("\"{word}\""));
        }

        for chunk in terms.chunks(MAX_QUERY_WORDS) {
            let query = chunk.join(" AND ");
            let is_found: bool = select.query_row(params![query, game], |row| row.get(0))?;
            if !is_found {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The games of a block whose value of a column differs from their rows.
#[derive(Clone, Copy, Default)]
struct Difference {
    first: i64,
    games: u64,
}

impl Difference {
    /// Counts a game that differs.
    fn add(&mut self, game: i64) {
        if self.games == 0 {
            self.first = game;
        }
        self.games += 1;
    }
}

/// The maximum number of words in one query, since FTS5 limits the size of expressions.
const MAX_QUERY_WORDS: usize = 64;

/// Compares the word indexes of all names.
fn compare_word_indexes(
    connection: &Connection,
    take: &mut impl FnMut(RowFault),
) -> rusqlite::Result<()> {
    for table in ["player", "event", "site"] {
        compare_word_index(connection, table, take)?;
    }
    Ok(())
}

/// Compares the word index of a table of names with a new index, which is built in a temporary table.
fn compare_word_index(
    connection: &Connection,
    table: &str,
    take: &mut impl FnMut(RowFault),
) -> rusqlite::Result<()> {
    // A killed import has not indexed the words of its last names. This is no fault, so these names are skipped.
    let indexed = indexed_words(connection, table)?.unwrap_or(i64::MAX);
    connection.execute_batch(&format!(
        "DROP TABLE IF EXISTS temp.word_found;
         DROP TABLE IF EXISTS temp.word_due;
         DROP TABLE IF EXISTS temp.name_again;
         CREATE VIRTUAL TABLE temp.word_found USING fts5vocab(main, '{table}_text', 'instance');
         CREATE VIRTUAL TABLE temp.name_again USING fts5(name, content = '',
            tokenize = 'unicode61 remove_diacritics 2', detail = none, columnsize = 0);
         INSERT INTO temp.name_again (rowid, name) SELECT id, name FROM {table} WHERE id <= {indexed};
         CREATE VIRTUAL TABLE temp.word_due USING fts5vocab(temp, 'name_again', 'instance');"
    ))?;

    for (present, absent, what) in [
        ("word_due", "word_found", "it is not found by its word"),
        (
            "word_found",
            "word_due",
            "it is found by a word that it has not:",
        ),
    ] {
        let sql = format!(
            "SELECT doc, term FROM temp.{present} WHERE doc <= {indexed}
                EXCEPT SELECT doc, term FROM temp.{absent}"
        );
        let mut select = connection.prepare(&sql)?;
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for row in rows {
            let (name, word): (i64, String) = row?;
            let place = format!("{table} {name}");
            take(RowFault::new(place, format!("{what} {word}")));
        }
    }

    connection.execute_batch(
        "DROP TABLE temp.word_found; DROP TABLE temp.word_due; DROP TABLE temp.name_again",
    )
}
