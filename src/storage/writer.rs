//! The writer of games and their names, problems and texts, used by one thread.

use std::sync::Arc;

use rusqlite::{Connection, Statement, params};

use super::checksum::{CheckedTable, ChecksumWriter, RowBytes, last_rows};
use super::name_index::{NAME_INDEXES, build_name_index};
use super::names::Names;
use super::openings::{OpeningNumbers, OpeningTable};
use super::row::{GameRow, NameNumbers, TextArena};
use super::row_batch::{BatchGame, BatchWriter, RowBatch};
use super::source_text::SourceTextRow;
use crate::game::Ply;
use crate::source_problem::SourceProblem;
use crate::store_fault::{StoreFault, StoreResult};

/// Inserts games, their names and problems, and the text between games.
pub(crate) struct GameWriter<'c> {
    connection: &'c Connection,
    player: Names<'c>,
    event: Names<'c>,
    site: Names<'c>,
    tag_order: Names<'c>,
    opening: OpeningNumbers<'c>,
    batch: BatchWriter<'c>,
    problem: Statement<'c>,
    source_text: Statement<'c>,
    checksums: ChecksumWriter<'c>,
    /// The numbers of the next rows.
    next_problem: i64,
    next_source_text: i64,
}

const INSERT_PROBLEM: &str = "INSERT INTO problem
    (id, source_id, game_id, kind, byte_offset, byte_length, line, column, ply, text, message)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

const INSERT_SOURCE_TEXT: &str =
    "INSERT INTO source_text (id, source_id, before_game, byte_offset, byte_length, text)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

/// Numbers from here on stay free, so that a single import cannot overflow 64 bits.
const LAST_NEXT_GAME: i64 = 1 << 62;

/// The number of the next game: greater than any that a game has had.
pub(super) fn next_game(connection: &Connection) -> StoreResult<i64> {
    let sql = "SELECT value, (SELECT coalesce(max(id), 0) FROM game) FROM counter
        WHERE name = 'next_game'";
    let (next, last): (i64, i64) =
        connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let next = next.max(last.saturating_add(1));
    if next <= LAST_NEXT_GAME {
        Ok(next)
    } else {
        Err(StoreFault::NoGameNumbers.into())
    }
}

/// Stores the number of the next game.
pub(super) fn set_next_game(connection: &Connection, id: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE counter SET value = ?1 WHERE name = 'next_game'";
    connection.execute(sql, [id]).map(drop)
}

impl<'c> GameWriter<'c> {
    /// Prepares the statements, with a memory limit for the numbers of names.
    pub(crate) fn new(
        connection: &'c Connection,
        name_bytes: usize,
        openings: OpeningTable,
    ) -> rusqlite::Result<GameWriter<'c>> {
        let few_bytes = name_bytes / 12;
        let names = |table, most_bytes| Names::new(connection, table, "name", most_bytes, true);
        let tag_order = Names::new(connection, "tag_order", "names", few_bytes, false)?;
        let last = last_rows(connection)?;
        Ok(GameWriter {
            connection,
            // Accounts of a server are many, and addresses of games are no names of sites.
            player: names("player", name_bytes - 3 * few_bytes)?,
            event: names("event", few_bytes)?,
            site: names("site", few_bytes)?,
            tag_order,
            opening: OpeningNumbers::new(connection, openings)?,
            batch: BatchWriter::new(connection)?,
            problem: connection.prepare(INSERT_PROBLEM)?,
            source_text: connection.prepare(INSERT_SOURCE_TEXT)?,
            checksums: ChecksumWriter::new(connection)?,
            next_problem: last[CheckedTable::Problem as usize] + 1,
            next_source_text: last[CheckedTable::SourceText as usize] + 1,
        })
    }

    /// See [`next_game`].
    pub(crate) fn next_game(&self) -> StoreResult<i64> {
        next_game(self.connection)
    }

    /// See [`set_next_game`].
    pub(crate) fn set_next_game(&self, id: i64) -> rusqlite::Result<()> {
        set_next_game(self.connection, id)
    }

    /// Adds the checksum of a source's current row, if it exists.
    pub(crate) fn check_source(&mut self, source: i64) -> rusqlite::Result<()> {
        self.checksums
            .take_stored(CheckedTable::Source, (source, source))
    }

    /// Writes the checksums of all rows written.
    pub(crate) fn write_checksums(&mut self) -> rusqlite::Result<()> {
        self.checksums.flush()
    }

    /// The memory for the numbers of names.
    pub(crate) fn name_bytes(&self) -> usize {
        [&self.player, &self.event, &self.site, &self.tag_order]
            .map(Names::bytes)
            .iter()
            .sum()
    }

    /// Notes which names are not found by their words yet; before each commit.
    pub(crate) fn note_new_names(&mut self) -> rusqlite::Result<()> {
        self.player.note_words()?;
        self.event.note_words()?;
        self.site.note_words()
    }

    /// The number of steps in which names become complete.
    pub(crate) const NAME_STEPS: usize = 3 + NAME_INDEXES;

    /// One of the [`GameWriter::NAME_STEPS`] after the last game: indexes the words of added names, or builds a missing
    /// index from names to games.
    pub(crate) fn complete_names(&mut self, step: usize) -> rusqlite::Result<()> {
        match step {
            0 => self.player.index_words(),
            1 => self.event.index_words(),
            2 => self.site.index_words(),
            _ => build_name_index(self.connection, step - 3),
        }
    }

    /// Inserts games under consecutive numbers from `first_game`; returns them with the numbers of their names.
    /// `languages` has those of games that are not in English.
    pub(crate) fn games(
        &mut self,
        first_game: i64,
        source: i64,
        rows: Vec<GameRow>,
        texts: Arc<TextArena>,
        languages: Vec<Option<Box<str>>>,
    ) -> rusqlite::Result<Arc<RowBatch>> {
        let ids = (first_game..).take(rows.len()).collect();
        let batch = self.batch(source, ids, rows, texts, languages)?;
        for game in batch.games() {
            self.checksums
                .take(CheckedTable::Game, game.id, |bytes| push_game(bytes, &game))?;
        }
        self.batch.insert(&batch)?;
        Ok(batch)
    }

    /// Prepares rows of games, whose numbers are `ids`. New names are added.
    pub(crate) fn batch(
        &mut self,
        source: i64,
        ids: Vec<i64>,
        rows: Vec<GameRow>,
        texts: Arc<TextArena>,
        languages: Vec<Option<Box<str>>>,
    ) -> rusqlite::Result<Arc<RowBatch>> {
        let mut names = Vec::with_capacity(rows.len());
        for row in &rows {
            names.push(self.names(row, &texts)?);
        }
        Ok(Arc::new(RowBatch {
            source,
            ids,
            rows,
            texts,
            languages,
            names,
        }))
    }

    /// Replaces the rows of stored games. Triggers, which must be enabled, note what has to be indexed and described
    /// again.
    pub(crate) fn replace(&mut self, batch: &Arc<RowBatch>) -> rusqlite::Result<()> {
        self.batch.replace(batch)?;
        self.check_games(&batch.ids)
    }

    /// Notes that the texts of stored games are elsewhere now.
    pub(crate) fn move_games(&mut self, batch: &Arc<RowBatch>) -> rusqlite::Result<()> {
        self.batch.move_games(batch)?;
        self.check_games(&batch.ids)
    }

    /// Computes the checksums of games that have changed.
    fn check_games(&mut self, ids: &[i64]) -> rusqlite::Result<()> {
        let sql = "DELETE FROM changed_row WHERE table_name = 'game' AND row_id = ?1";
        let mut delete = self.connection.prepare_cached(sql)?;
        for &id in ids {
            self.checksums.take_stored(CheckedTable::Game, (id, id))?;
            delete.execute([id])?;
        }
        Ok(())
    }

    /// The numbers of the texts that games share, which are inserted if they are new.
    fn names(&mut self, row: &GameRow, texts: &TextArena) -> rusqlite::Result<NameNumbers> {
        let checksums = &mut self.checksums;
        Ok(NameNumbers {
            white: self.player.id_of(texts.get(row.white), checksums)?,
            black: self.player.id_of(texts.get(row.black), checksums)?,
            event: self.event.id_of(texts.get(row.event), checksums)?,
            site: self.site.id_of(texts.get(row.site), checksums)?,
            tag_order: self.tag_order.id_of(texts.get(row.tag_order), checksums)?,
            opening: self.opening.number(row.opening)?,
        })
    }

    /// Inserts a text between games, with the number of the game that follows.
    pub(crate) fn source_text(
        &mut self,
        source: i64,
        before_game: i64,
        row: &SourceTextRow,
    ) -> rusqlite::Result<()> {
        let offset = row.bytes.start.cast_signed();
        let length = row.bytes.end.cast_signed() - offset;
        let id = self.next_source_text;
        self.next_source_text += 1;
        let values = params![id, source, before_game, offset, length, row.text];
        self.source_text.execute(values)?;
        self.checksums.take(CheckedTable::SourceText, id, |bytes| {
            bytes
                .integer(source)
                .integer(before_game)
                .integer(offset)
                .integer(length);
            bytes.text(row.text.as_str());
        })
    }

    /// Inserts a problem of a source, and of a game, if it is in one.
    pub(crate) fn problem(
        &mut self,
        source: i64,
        game: Option<i64>,
        row: &SourceProblem,
    ) -> rusqlite::Result<()> {
        let id = self.next_problem;
        self.next_problem += 1;
        let ply = game.map(|_| i64::from(row.problem.ply.get()));
        let [offset, length, line, column] =
            [row.byte_offset, row.byte_length, row.line, row.column].map(u64::cast_signed);
        let problem = &row.problem;
        let (kind, text, message) = (problem.kind.code(), &problem.text, &problem.message);
        self.problem.execute(params![
            id, source, game, kind, offset, length, line, column, ply, text, message,
        ])?;
        self.checksums.take(CheckedTable::Problem, id, |bytes| {
            bytes
                .integer(source)
                .integer(game)
                .text(kind)
                .integer(offset)
                .integer(length);
            bytes
                .integer(line)
                .integer(column)
                .integer(ply)
                .text(&**text)
                .text(&**message);
        })
    }
}

/// The values of a game's rows, in the order of [`CheckedTable::Game`].
fn push_game(bytes: &mut RowBytes, game: &BatchGame<'_>) {
    let BatchGame {
        row, texts, names, ..
    } = *game;
    let ending = &row.ending;
    let ply = |ply: Option<Ply>| ply.map(|ply| i64::from(ply.get()));

    bytes
        .integer(game.source)
        .integer(row.byte_offset.cast_signed());
    bytes
        .integer(row.byte_length.cast_signed())
        .integer(names.event)
        .integer(names.site);
    bytes.text(texts.get(row.date)).text(texts.get(row.round));
    bytes
        .integer(names.white)
        .integer(names.black)
        .text(row.result.as_str());
    bytes
        .integer(row.white_elo.map(i64::from))
        .integer(row.black_elo.map(i64::from));
    bytes
        .text(texts.get(row.eco))
        .integer(i64::from(row.ply_count));
    bytes
        .value(row.final_fen.value(texts))
        .integer(row.final_key)
        .integer(row.moves_hash);
    bytes
        .integer(names.tag_order)
        .text(texts.get(row.address))
        .text(ending.board);
    bytes
        .text(row.terminator)
        .text(game.encoding())
        .text(game.language)
        .text(row.notation);
    bytes.text(texts.get(row.fen)).text(row.variant);
    bytes
        .integer(ply(ending.fifty_moves))
        .integer(ply(ending.threefold));
    bytes
        .integer(ply(ending.seventy_five_moves))
        .integer(ply(ending.fivefold));

    for text in [row.moves, row.tags, row.annotations, row.rest] {
        bytes.text(texts.get(text));
    }
}
