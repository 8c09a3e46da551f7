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

/// The maximum number of the next game. The numbers above are free, so that a single import cannot overflow 64 bits.
const MAX_NEXT_GAME: i64 = 1 << 62;

/// Events, sites and orders of tags each get the memory for names divided by this number. Players get the rest, since a
/// server has many accounts.
const FEW_NAMES_PART: usize = 12;
/// The number of tables of names that get this part.
const FEW_NAMES_TABLES: usize = 3;
/// The number of tables whose names are found by their words: players, events and sites.
const TABLES_WITH_WORDS: usize = 3;

/// The number of the next game: greater than any that a game has had.
pub(super) fn next_game(connection: &Connection) -> StoreResult<i64> {
    let sql = "SELECT value, (SELECT coalesce(max(id), 0) FROM game) FROM counter
        WHERE name = 'next_game'";
    let (counted, last): (i64, i64) =
        connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;

    let next = counted.max(last.saturating_add(1));
    if next > MAX_NEXT_GAME {
        return Err(StoreFault::NoGameNumbers.into());
    }
    Ok(next)
}

/// Stores the number of the next game.
pub(super) fn set_next_game(connection: &Connection, id: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE counter SET value = ?1 WHERE name = 'next_game'";
    connection.execute(sql, [id])?;
    Ok(())
}

impl<'c> GameWriter<'c> {
    /// Prepares the statements, with a memory limit for the numbers of names.
    pub(crate) fn new(
        connection: &'c Connection,
        name_bytes: usize,
        openings: OpeningTable,
    ) -> rusqlite::Result<GameWriter<'c>> {
        let few_bytes = name_bytes / FEW_NAMES_PART;
        let player_bytes = name_bytes - FEW_NAMES_TABLES * few_bytes;
        let names = |table, max_bytes| Names::new(connection, table, "name", max_bytes, true);
        let last = last_rows(connection)?;

        Ok(GameWriter {
            connection,
            player: names("player", player_bytes)?,
            event: names("event", few_bytes)?,
            site: names("site", few_bytes)?,
            tag_order: Names::new(connection, "tag_order", "names", few_bytes, false)?,
            opening: OpeningNumbers::new(connection, openings)?,
            batch: BatchWriter::new(connection)?,
            problem: connection.prepare(INSERT_PROBLEM)?,
            source_text: connection.prepare(INSERT_SOURCE_TEXT)?,
            checksums: ChecksumWriter::new(connection, last)?,
            // Behind the last number of 64 bits, SQLite refuses the next row.
            next_problem: last[CheckedTable::Problem as usize].saturating_add(1),
            next_source_text: last[CheckedTable::SourceText as usize].saturating_add(1),
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
            .add_stored(CheckedTable::Source, (source, source))
    }

    /// Writes the checksums of all rows written.
    pub(crate) fn write_checksums(&mut self) -> rusqlite::Result<()> {
        self.checksums.flush()
    }

    /// The memory for the numbers of names.
    pub(crate) fn name_bytes(&self) -> usize {
        let names = [&self.player, &self.event, &self.site, &self.tag_order];
        names.into_iter().map(Names::bytes).sum()
    }

    /// Notes the names that are not found by their words yet; must be called before each commit.
    pub(crate) fn note_new_names(&mut self) -> rusqlite::Result<()> {
        self.player.note_words()?;
        self.event.note_words()?;
        self.site.note_words()
    }

    /// The number of steps in which names become complete.
    pub(crate) const NAME_STEPS: usize = TABLES_WITH_WORDS + NAME_INDEXES;

    /// One of the [`GameWriter::NAME_STEPS`] after the last game: indexes the words of added names, or builds a missing
    /// index from names to games.
    pub(crate) fn complete_names(&mut self, step: usize) -> rusqlite::Result<()> {
        match step {
            0 => self.player.index_words(),
            1 => self.event.index_words(),
            2 => self.site.index_words(),
            _ => build_name_index(self.connection, step - TABLES_WITH_WORDS),
        }
    }

    /// Inserts games under consecutive numbers from `first_game`; returns them with the numbers of their names.
    /// `languages` has the languages of games that are not in English.
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
                .add(CheckedTable::Game, game.id, |bytes| push_game(bytes, &game))?;
        }

        self.batch.insert(&batch)?;
        Ok(batch)
    }

    /// Prepares rows of games with the numbers `ids`. New names are added.
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

    /// Replaces the rows of stored games. Triggers, which must be enabled, note that the games have to be indexed and
    /// described again.
    pub(crate) fn replace(&mut self, batch: &Arc<RowBatch>) -> rusqlite::Result<()> {
        self.batch.replace(batch)?;
        self.check_games(&batch.ids)
    }

    /// Stores new places of the texts of stored games.
    pub(crate) fn move_games(&mut self, batch: &Arc<RowBatch>) -> rusqlite::Result<()> {
        self.batch.move_games(batch)?;
        self.check_games(&batch.ids)
    }

    /// Computes the checksums of games that have changed.
    fn check_games(&mut self, ids: &[i64]) -> rusqlite::Result<()> {
        let sql = "DELETE FROM changed_row WHERE table_name = 'game' AND row_id = ?1";
        let mut delete = self.connection.prepare_cached(sql)?;

        for &id in ids {
            self.checksums.add_stored(CheckedTable::Game, (id, id))?;
            delete.execute([id])?;
        }
        Ok(())
    }

    /// The numbers of the texts that games share, which are inserted if they are new.
    fn names(&mut self, row: &GameRow, texts: &TextArena) -> rusqlite::Result<NameNumbers> {
        let checksums = &mut self.checksums;
        let white = self.player.id_of(texts.get(row.white), checksums)?;
        let black = self.player.id_of(texts.get(row.black), checksums)?;
        let event = self.event.id_of(texts.get(row.event), checksums)?;
        let site = self.site.id_of(texts.get(row.site), checksums)?;
        let tag_order = self.tag_order.id_of(texts.get(row.tag_order), checksums)?;
        let opening = self.opening.number(row.opening)?;

        Ok(NameNumbers {
            white,
            black,
            event,
            site,
            tag_order,
            opening,
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
        self.next_source_text = id.saturating_add(1);

        let values = params![id, source, before_game, offset, length, row.text];
        self.source_text.execute(values)?;

        self.checksums.add(CheckedTable::SourceText, id, |bytes| {
            bytes.integer(source);
            bytes.integer(before_game);
            bytes.integer(offset);
            bytes.integer(length);
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
        self.next_problem = id.saturating_add(1);

        let problem = &row.problem;
        let kind = problem.kind.code();
        let text = &problem.text;
        let message = &problem.message;
        // A problem between games has no half-moves before it.
        let ply = game.map(|_| i64::from(problem.ply.get()));

        let offset = row.byte_offset.cast_signed();
        let length = row.byte_length.cast_signed();
        let line = row.line.cast_signed();
        let column = row.column.cast_signed();
        self.problem.execute(params![
            id, source, game, kind, offset, length, line, column, ply, text, message,
        ])?;

        self.checksums.add(CheckedTable::Problem, id, |bytes| {
            bytes.integer(source);
            bytes.integer(game);
            bytes.text(kind);
            bytes.integer(offset);
            bytes.integer(length);
            bytes.integer(line);
            bytes.integer(column);
            bytes.integer(ply);
            bytes.text(&**text);
            bytes.text(&**message);
        })
    }
}

/// Appends the values of a game's rows, in the order of the columns that a checksum of [`CheckedTable::Game`] covers.
fn push_game(bytes: &mut RowBytes, game: &BatchGame<'_>) {
    let row = game.row;
    let texts = game.texts;
    let names = game.names;
    let ending = &row.ending;
    let ply = |ply: Option<Ply>| ply.map(|ply| i64::from(ply.get()));

    bytes.integer(game.source);
    bytes.integer(row.byte_offset.cast_signed());
    bytes.integer(row.byte_length.cast_signed());
    bytes.integer(names.event);
    bytes.integer(names.site);
    bytes.text(texts.get(row.date));
    bytes.text(texts.get(row.round));
    bytes.integer(names.white);
    bytes.integer(names.black);
    bytes.text(row.result.as_str());
    bytes.integer(row.white_elo.map(i64::from));
    bytes.integer(row.black_elo.map(i64::from));
    bytes.text(texts.get(row.eco));
    bytes.integer(i64::from(row.ply_count));
    bytes.value(row.final_fen.value(texts));
    bytes.integer(row.final_key);
    bytes.integer(row.moves_hash);
    bytes.integer(names.tag_order);
    bytes.text(texts.get(row.address));
    bytes.text(ending.board);
    bytes.text(row.terminator);
    bytes.text(game.encoding());
    bytes.text(game.language);
    bytes.text(row.notation);
    bytes.text(texts.get(row.fen));
    bytes.text(row.variant);
    bytes.integer(ply(ending.fifty_moves));
    bytes.integer(ply(ending.threefold));
    bytes.integer(ply(ending.seventy_five_moves));
    bytes.integer(ply(ending.fivefold));

    bytes.text(texts.get(row.moves));
    bytes.text(texts.get(row.tags));
    bytes.text(texts.get(row.annotations));
    bytes.text(texts.get(row.rest));
}
