//! Rows into the database, by the one thread that writes.

use std::ops::RangeInclusive;

use rusqlite::{Connection, Statement, params};

use super::names::Names;
use super::row::{GameRow, ProblemRow, TextArena};
use super::source_text::SourceTextRow;
use crate::input::Encoding;

/// Inserts games, their names and their problems, and what stands between games.
pub(crate) struct GameWriter<'c> {
    connection: &'c Connection,
    player: Names<'c>,
    event: Names<'c>,
    site: Names<'c>,
    tag_order: Names<'c>,
    game: Statement<'c>,
    movetext: Statement<'c>,
    problem: Statement<'c>,
    source_text: Statement<'c>,
}

/// What is known of a source when all of it has been read.
#[derive(Debug)]
pub(crate) struct SourceRow<'s> {
    pub(crate) id: i64,
    pub(crate) content_hash: &'s [u8],
    pub(crate) first_game: i64,
    pub(crate) games: u64,
    pub(crate) problems: u64,
    /// What most of its games are written in.
    pub(crate) notation: &'s str,
    pub(crate) language: &'s str,
    pub(crate) encoding: &'s str,
}

const INSERT_GAME: &str = "INSERT INTO game (
    id, source_id, byte_offset, byte_length, event_id, site_id, date, round, white_id, black_id,
    result, terminator, white_elo, black_elo, eco, ply_count, fen, variant, ending,
    fifty_moves_ply, seventy_five_moves_ply, threefold_ply, fivefold_ply, final_fen, final_key,
    moves_hash, tag_order_id, notation, language, encoding)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
    ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30)";

const INSERT_MOVETEXT: &str = "INSERT INTO movetext (game_id, moves, tags, annotations, rest)
    VALUES (?1, ?2, ?3, ?4, ?5)";

const INSERT_PROBLEM: &str = "INSERT INTO problem
    (source_id, game_id, kind, byte_offset, byte_length, line, column, ply, text, message)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";

const INSERT_SOURCE_TEXT: &str =
    "INSERT INTO source_text (source_id, before_game, byte_offset, byte_length, text)
    VALUES (?1, ?2, ?3, ?4, ?5)";

impl<'c> GameWriter<'c> {
    /// Prepares to write, with so many bytes of memory for names that have been met.
    pub(crate) fn new(
        connection: &'c Connection,
        name_bytes: usize,
    ) -> rusqlite::Result<GameWriter<'c>> {
        let names = |table, column| Names::new(connection, table, column, name_bytes / 4);
        Ok(GameWriter {
            connection,
            player: names("player", "name")?,
            event: names("event", "name")?,
            site: names("site", "name")?,
            tag_order: names("tag_order", "names")?,
            game: connection.prepare(INSERT_GAME)?,
            movetext: connection.prepare(INSERT_MOVETEXT)?,
            problem: connection.prepare(INSERT_PROBLEM)?,
            source_text: connection.prepare(INSERT_SOURCE_TEXT)?,
        })
    }

    /// The number that the next game gets: greater than any that a game has had.
    pub(crate) fn next_game(&self) -> rusqlite::Result<i64> {
        let sql = "SELECT max(value, (SELECT coalesce(max(id), 0) + 1 FROM game)) FROM counter
            WHERE name = 'next_game'";
        self.connection.query_row(sql, [], |row| row.get(0))
    }

    /// Notes the number that the next game gets.
    pub(crate) fn set_next_game(&self, id: i64) -> rusqlite::Result<()> {
        let sql = "UPDATE counter SET value = ?1 WHERE name = 'next_game'";
        self.connection.execute(sql, [id]).map(drop)
    }

    /// The content hashes of the sources of a size.
    pub(crate) fn hashes_of_size(&self, bytes: u64) -> rusqlite::Result<Vec<Vec<u8>>> {
        let sql = "SELECT content_hash FROM source WHERE bytes = ?1";
        let mut select = self.connection.prepare_cached(sql)?;
        select.query_map([bytes.cast_signed()], |row| row.get(0))?.collect()
    }

    /// `true` when there is a source of one of these sizes in bytes.
    pub(crate) fn has_source_of(&self, bytes: RangeInclusive<u64>) -> rusqlite::Result<bool> {
        let sql = "SELECT EXISTS (SELECT 1 FROM source WHERE bytes BETWEEN ?1 AND ?2)";
        let range = (bytes.start().cast_signed(), bytes.end().cast_signed());
        self.connection.prepare_cached(sql)?.query_row(range, |row| row.get(0))
    }

    /// Adds a source that is about to be read; returns its number.
    pub(crate) fn begin_source(&self, path: &str, bytes: u64) -> rusqlite::Result<i64> {
        let sql = "INSERT INTO source
            (path, bytes, content_hash, imported_at, games, problems)
            VALUES (?1, ?2, x'', datetime('now'), 0, 0) RETURNING id";
        self.connection.query_row(sql, params![path, bytes.cast_signed()], |row| row.get(0))
    }

    /// Notes how many bytes a source has, where that was not known when it was begun.
    pub(crate) fn set_source_bytes(&self, source: i64, bytes: u64) -> rusqlite::Result<()> {
        let sql = "UPDATE source SET bytes = ?2 WHERE id = ?1";
        self.connection.execute(sql, params![source, bytes.cast_signed()]).map(drop)
    }

    /// Takes back a source in which there was no game.
    pub(crate) fn forget_source(&self, source: i64) -> rusqlite::Result<()> {
        self.connection.execute("DELETE FROM problem WHERE source_id = ?1", [source])?;
        self.connection.execute("DELETE FROM source_text WHERE source_id = ?1", [source])?;
        self.connection.execute("DELETE FROM source WHERE id = ?1", [source]).map(drop)
    }

    /// Fills in what is known of a source at its end.
    pub(crate) fn end_source(&self, source: &SourceRow<'_>) -> rusqlite::Result<()> {
        let sql = "UPDATE source SET content_hash = ?2, first_game = ?3, last_game = ?4,
            games = ?5, problems = ?6, notation = ?7, language = ?8, encoding = ?9
            WHERE id = ?1";
        let games = source.games.cast_signed();
        let (first, last) = (source.first_game, source.first_game + games - 1);
        let range = (games > 0).then_some((first, last)).unzip();
        let problems = source.problems.cast_signed();
        let values = params![
            source.id,
            source.content_hash,
            range.0,
            range.1,
            games,
            problems,
            source.notation,
            source.language,
            source.encoding
        ];
        self.connection.execute(sql, values).map(drop)
    }

    /// Inserts a game with a number of its own.
    pub(crate) fn game(
        &mut self,
        id: i64,
        source: i64,
        row: &GameRow,
        language: Option<&str>,
        texts: &TextArena,
    ) -> rusqlite::Result<()> {
        let encoding = row.encoding.filter(|&encoding| encoding != Encoding::UTF_8);
        self.game.execute(params![
            id,
            source,
            row.byte_offset.cast_signed(),
            row.byte_length.cast_signed(),
            self.event.id_of(texts.get(row.event))?,
            self.site.id_of(texts.get(row.site))?,
            texts.get(row.date),
            texts.get(row.round),
            self.player.id_of(texts.get(row.white))?,
            self.player.id_of(texts.get(row.black))?,
            row.result.as_str(),
            row.terminator,
            row.white_elo,
            row.black_elo,
            texts.get(row.eco),
            row.ply_count,
            texts.get(row.fen),
            row.variant,
            row.ending.board,
            row.ending.fifty_moves,
            row.ending.seventy_five_moves,
            row.ending.threefold,
            row.ending.fivefold,
            texts.get(row.final_fen),
            row.final_key,
            row.moves_hash,
            self.tag_order.id_of(texts.get(row.tag_order))?,
            row.notation,
            language,
            encoding.map(Encoding::name),
        ])?;
        self.movetext.execute(params![
            id,
            texts.get(row.moves),
            texts.get(row.tags),
            texts.get(row.annotations),
            texts.get(row.rest),
        ])?;
        Ok(())
    }

    /// Inserts a text between games; `first_game` is the number of the first game of its batch.
    pub(crate) fn source_text(
        &mut self,
        source: i64,
        first_game: i64,
        row: &SourceTextRow,
    ) -> rusqlite::Result<()> {
        let before_game = first_game + row.games_before as i64;
        let offset = row.bytes.start.cast_signed();
        let length = row.bytes.end.cast_signed() - offset;
        self.source_text.execute(params![source, before_game, offset, length, row.text]).map(drop)
    }

    /// Inserts a problem; `first_game` is the number of the first game of its batch.
    pub(crate) fn problem(
        &mut self,
        source: i64,
        first_game: i64,
        row: &ProblemRow,
    ) -> rusqlite::Result<()> {
        let game = row.game.map(|game| first_game + game as i64);
        self.problem.execute(params![
            source,
            game,
            row.problem.kind.code(),
            row.byte_offset.cast_signed(),
            row.byte_length.cast_signed(),
            row.line.cast_signed(),
            row.column.cast_signed(),
            game.map(|_| row.problem.ply),
            row.problem.text,
            row.problem.message,
        ])?;
        Ok(())
    }
}
