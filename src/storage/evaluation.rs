//! Evaluations of positions: the 64 bits of a row, and the tables that keep them.
//!
//! A position has one evaluation: the evaluation of the greatest depth. Among evaluations of equal depth, the
//! evaluation with the most nodes is kept; among equal evaluations, the first. `docs/evaluations.md` specifies the 64
//! bits of a row.

use rusqlite::{Connection, OptionalExtension, params};

use super::cell::unsigned_cell;
use super::{Database, InDatabase, number_cell, text_cell};
use crate::board::{Move, Position};
use crate::error::Result;
use crate::game::Variant;
use crate::pgn::Evaluation;
use crate::replay::{PositionKey, Visit};
use crate::store_fault::{StoreFault, StoreResult};

/// Scores in centipawns are clamped to this absolute value.
const MAX_CENTIPAWNS: i32 = 30_000;
/// The score of a mate in no move; a mate in n moves is n below it.
const MATE: i32 = 32_000;
/// The maximum distance of a mate in moves. More distant mates are stored as mates in this number of moves.
const MAX_MATE: i32 = MATE - MAX_CENTIPAWNS - 1;
/// The number of bits to which a number of nodes is rounded.
const ROUNDED_BITS: u32 = 5;
/// Numbers of nodes below this one have at most [`ROUNDED_BITS`] bits, and are exact.
const MIN_ROUNDED_NODES: u64 = 1 << ROUNDED_BITS;
/// The bits after the highest bit, which is always set in a rounded number.
const LOWER_BITS: u32 = ROUNDED_BITS - 1;
/// The highest bit of [`ROUNDED_BITS`] bits.
const HIGHEST_BIT: u16 = 1 << LOWER_BITS;
/// The greatest number of nodes that a row can hold.
const MAX_NODES: u64 = 31 << 30;

const SCORE_SHIFT: u32 = 48;
pub(super) const DEPTH_SHIFT: u32 = 40;
pub(super) const SOURCE_SHIFT: u32 = 32;
const MOVE_SHIFT: u32 = 17;
const MOVE_MASK: i64 = (1 << 15) - 1;
pub(super) const NODES_SHIFT: u32 = 8;
pub(super) const NODES_MASK: i64 = (1 << 9) - 1;
pub(super) const BYTE: i64 = 0xff;

/// The number of the source of a row, in SQL over the column `data`.
macro_rules! source_of_data {
    () => {
        "data >> 32 & 255"
    };
}
pub(super) use source_of_data;

// SQL has these numbers in its text.
const _: () = assert!(SOURCE_SHIFT == 32 && BYTE == 255);
const _: () = assert!(DEPTH_SHIFT == 40 && NODES_SHIFT == 8 && NODES_MASK == 511);

/// A kind of source of evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationKind {
    /// Comments of games.
    Games,
    /// A file of evaluations.
    File,
    /// An engine.
    Engine,
}

impl EvaluationKind {
    /// The name in the column `kind`.
    pub const fn as_str(self) -> &'static str {
        match self {
            EvaluationKind::Games => "games",
            EvaluationKind::File => "file",
            EvaluationKind::Engine => "engine",
        }
    }
}

/// The evaluation of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionEvaluation {
    /// The score; positive is good for White.
    pub score: Evaluation,
    /// The depth of the search in half-moves, if known.
    pub depth: Option<u8>,
    /// The number of positions that were searched, to five bits; `None` if unknown.
    pub nodes: Option<u64>,
    /// The best move.
    pub best_move: Option<Move>,
    /// The line that begins with it, as chess programs write moves; empty if it is not stored.
    pub line: String,
    /// The kind of its source: `games`, `file` or `engine`.
    pub kind: String,
    /// The name of the file or the engine, empty for games.
    pub source: String,
}

impl PositionEvaluation {
    /// `true` if its search was deeper than the search of another evaluation, or equally deep with more nodes.
    pub fn is_better_than(&self, other: &PositionEvaluation) -> bool {
        (self.depth, self.nodes) > (other.depth, other.nodes)
    }
}

/// The best evaluation of each position in several databases. Each database has its evaluations in the order of the
/// positions.
pub fn best_evaluations(
    of_databases: Vec<Vec<Option<PositionEvaluation>>>,
) -> Vec<Option<PositionEvaluation>> {
    let mut of_databases = of_databases.into_iter();
    let mut best = of_databases.next().unwrap_or_default();

    for others in of_databases {
        for (best_of_position, other) in best.iter_mut().zip(others) {
            let Some(other) = other else { continue };

            let is_better = match best_of_position {
                Some(best) => other.is_better_than(best),
                None => true,
            };
            if is_better {
                *best_of_position = Some(other);
            }
        }
    }
    best
}

/// The best evaluation of a position in any of some databases.
pub(crate) fn best_evaluation(
    databases: &[&Database],
    position: &Position,
) -> Result<Option<PositionEvaluation>> {
    // Each database has a list of one position.
    let mut of_databases = Vec::with_capacity(databases.len());
    for database in databases {
        let evaluation = database.evaluation(position)?;
        of_databases.push(vec![evaluation]);
    }

    let best = best_evaluations(of_databases);
    Ok(best.into_iter().flatten().next())
}

/// An evaluation to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewEvaluation {
    key: PositionKey,
    /// Eight bits of the position's check key.
    check: u8,
    score: Evaluation,
    depth: u8,
    nodes: u64,
    /// The code of the best move, or 0.
    best_move: u16,
    line: Option<Box<str>>,
}

impl NewEvaluation {
    /// An evaluation of a position that a game has reached.
    pub(crate) fn of_visit(visit: &Visit, score: Evaluation, depth: Option<u32>) -> NewEvaluation {
        let mut evaluation = NewEvaluation::new(visit.key, visit.check_key, score);
        evaluation.search(depth.unwrap_or(0), 0);
        evaluation
    }

    /// An evaluation of a position.
    pub(crate) fn of_position(position: &Position, score: Evaluation) -> NewEvaluation {
        let key = PositionKey::new(position, Variant::Standard);
        NewEvaluation::new(key, position.check_key(), score)
    }

    /// An evaluation with an unknown depth and number of nodes, and without a best move.
    fn new(key: PositionKey, check_key: u16, score: Evaluation) -> NewEvaluation {
        NewEvaluation {
            key,
            check: check_bits(check_key),
            score,
            depth: 0,
            nodes: 0,
            best_move: 0,
            line: None,
        }
    }

    /// Sets the depth of the search and the number of positions that were searched; 0 if unknown.
    pub(crate) fn search(&mut self, depth: u32, nodes: u64) {
        self.depth = u8::try_from(depth).unwrap_or(u8::MAX);
        self.nodes = nodes;
    }

    /// Sets the best move, and the line that begins with it, as chess programs write moves; empty for none.
    pub(crate) fn best(&mut self, best_move: Option<Move>, line: &str) {
        self.best_move = best_move.map_or(0, Move::code);
        self.line = if line.is_empty() {
            None
        } else {
            Some(Box::from(line))
        };
    }

    /// The 64 bits of the row, with the number of the source.
    fn pack(&self, source: u8) -> i64 {
        i64::from(packed_score(self.score)) << SCORE_SHIFT
            | i64::from(self.depth) << DEPTH_SHIFT
            | i64::from(source) << SOURCE_SHIFT
            | i64::from(self.best_move) << MOVE_SHIFT
            | i64::from(packed_nodes(self.nodes)) << NODES_SHIFT
            | i64::from(self.check)
    }
}

/// Eight bits of a check key, without the lowest bit. This bit is the side to move, which is also in the position's
/// key.
pub(super) fn check_bits(check_key: u16) -> u8 {
    (check_key >> 1) as u8
}

/// The score in 16 bits. Scores and distances of mates beyond the limits are stored as the limits.
fn packed_score(score: Evaluation) -> i16 {
    let score = match score {
        Evaluation::Centipawns(centipawns) => centipawns.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
        Evaluation::Mate(moves) if moves >= 0 => MATE - moves.min(MAX_MATE),
        Evaluation::Mate(moves) => -MATE - moves.max(-MAX_MATE),
    };
    // The absolute value is at most MATE, which fits.
    score as i16
}

/// The score that [`packed_score`] has stored.
fn unpacked_score(score: i16) -> Evaluation {
    let score = i32::from(score);
    if score > MAX_CENTIPAWNS {
        Evaluation::Mate(MATE - score)
    } else if score < -MAX_CENTIPAWNS {
        Evaluation::Mate(-MATE - score)
    } else {
        Evaluation::Centipawns(score)
    }
}

/// A number of nodes in nine bits. A number below [`MIN_ROUNDED_NODES`] is stored unchanged. A larger number is rounded
/// to its first five bits, which are stored with the count of the other bits.
pub(super) fn packed_nodes(nodes: u64) -> u16 {
    let nodes = nodes.min(MAX_NODES);
    if nodes < MIN_ROUNDED_NODES {
        return nodes as u16;
    }

    let mut shift = nodes.ilog2() - LOWER_BITS;
    let half: u64 = 1 << shift >> 1;
    let mut first_bits = (nodes + half) >> shift;
    if first_bits == MIN_ROUNDED_NODES {
        // Rounding up has made the number a bit longer.
        first_bits >>= 1;
        shift += 1;
    }

    // The highest of the five bits is always set, so the other four are stored in the lower bits. The upper bits are
    // the count of the other bits plus 1. With 1 added, the codes of larger numbers continue the codes of the numbers
    // below 32.
    let count_of_bits = (shift as u16 + 1) << LOWER_BITS;
    let lower_bits = first_bits as u16 & (HIGHEST_BIT - 1);
    count_of_bits | lower_bits
}

/// The number of nodes that [`packed_nodes`] has stored, rounded to five bits.
fn unpacked_nodes(packed: u16) -> u64 {
    if u64::from(packed) < MIN_ROUNDED_NODES {
        return u64::from(packed);
    }

    let lower_bits = packed & (HIGHEST_BIT - 1);
    let first_bits = u64::from(HIGHEST_BIT | lower_bits);
    let shift = (packed >> LOWER_BITS) - 1;
    first_bits << shift
}

/// Writes evaluations, the better one of each position.
pub(crate) struct EvaluationWriter {
    kind: EvaluationKind,
    name: String,
    /// The number of the source, once there is one.
    source: Option<u8>,
    waiting: Vec<NewEvaluation>,
    /// The number of waiting evaluations at which they are written.
    max_waiting: usize,
    /// The number of positions that got a new evaluation.
    written: u64,
}

/// Inserts an evaluation, or replaces a worse evaluation of the position. Another position with this key, which has
/// other check bits, keeps its evaluation. The lowest byte of `data` is the check bits, the byte at [`DEPTH_SHIFT`] the
/// depth, and the nine bits at [`NODES_SHIFT`] the nodes.
const INSERT: &str = "INSERT INTO evaluation_row (key, data) VALUES (?1, ?2)
    ON CONFLICT (key) DO UPDATE SET data = excluded.data
    WHERE excluded.data & 255 = evaluation_row.data & 255
        AND (excluded.data >> 40 & 255, excluded.data >> 8 & 511)
            > (evaluation_row.data >> 40 & 255, evaluation_row.data >> 8 & 511)";

impl EvaluationWriter {
    /// A writer of evaluations from one source, which may hold back a number of them.
    pub(crate) fn new(
        kind: EvaluationKind,
        name: impl Into<String>,
        max_waiting: usize,
    ) -> EvaluationWriter {
        EvaluationWriter {
            kind,
            name: name.into(),
            source: None,
            waiting: Vec::new(),
            max_waiting,
            written: 0,
        }
    }

    /// The number of positions that got a new evaluation.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// Adds evaluations, in the order of their source.
    pub(crate) fn push(
        &mut self,
        connection: &Connection,
        evaluations: Vec<NewEvaluation>,
    ) -> StoreResult<()> {
        self.waiting.extend(evaluations);
        if self.waiting.len() >= self.max_waiting {
            self.flush(connection)?;
        }
        Ok(())
    }

    /// Writes all evaluations that wait.
    pub(crate) fn flush(&mut self, connection: &Connection) -> StoreResult<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }

        let source = match self.source {
            Some(source) => source,
            None => source_number(connection, self.kind.as_str(), &self.name)?,
        };
        self.source = Some(source);

        // Neighbours in the table are written together. The sort is stable: of equals, the first is kept.
        self.waiting
            .sort_by_key(|evaluation| evaluation.key.0.cast_signed());

        let mut rows = EvaluationRows::new(connection)?;
        for evaluation in self.waiting.drain(..) {
            let key = evaluation.key.0.cast_signed();
            rows.write(key, evaluation.pack(source), evaluation.line.as_deref())?;
        }
        self.written += rows.written;
        Ok(())
    }
}

/// The rows of the tables of evaluations, as they are written.
struct EvaluationRows<'c> {
    insert: rusqlite::Statement<'c>,
    insert_line: rusqlite::Statement<'c>,
    delete_line: rusqlite::Statement<'c>,
    /// `true` if any position has a line.
    has_lines: bool,
    written: u64,
}

impl<'c> EvaluationRows<'c> {
    /// Prepares the statements.
    fn new(connection: &'c Connection) -> rusqlite::Result<EvaluationRows<'c>> {
        let insert_sql = "INSERT OR REPLACE INTO evaluation_line (key, line) VALUES (?1, ?2)";
        let insert_line = connection.prepare(insert_sql)?;
        let delete_sql = "DELETE FROM evaluation_line WHERE key = ?1";
        let delete_line = connection.prepare(delete_sql)?;

        let exists = "SELECT EXISTS (SELECT 1 FROM evaluation_line)";
        let has_lines = connection.query_row(exists, [], |row| row.get(0))?;

        Ok(EvaluationRows {
            insert: connection.prepare(INSERT)?,
            insert_line,
            delete_line,
            has_lines,
            written: 0,
        })
    }

    /// Writes an evaluation, unless an evaluation that is at least as good is stored.
    fn write(&mut self, key: i64, data: i64, line: Option<&str>) -> rusqlite::Result<()> {
        if self.insert.execute([key, data])? == 0 {
            return Ok(());
        }
        self.written += 1;

        if let Some(line) = line {
            self.has_lines = true;
            self.insert_line.execute(params![key, line])?;
        } else if self.has_lines {
            // The line belongs to the evaluation that was replaced.
            self.delete_line.execute([key])?;
        }
        Ok(())
    }
}

/// The number of a source, which is added if it is new.
fn source_number(connection: &Connection, kind: &str, name: &str) -> StoreResult<u8> {
    let select = "SELECT id FROM evaluation_source WHERE kind = ?1 AND name = ?2";
    let known = connection
        .query_row(select, [kind, name], |row| row.get(0))
        .optional()?;
    if let Some(number) = known {
        return Ok(number);
    }

    // A row has eight bits for its source.
    let select_next = "SELECT coalesce(max(id), 0) + 1 FROM evaluation_source";
    let next: i64 = connection.query_row(select_next, [], |row| row.get(0))?;
    let number = u8::try_from(next).map_err(|_| StoreFault::TooManyEvaluationSources)?;
    let insert = "INSERT INTO evaluation_source (id, kind, name) VALUES (?1, ?2, ?3)";
    connection.execute(insert, params![number, kind, name])?;
    Ok(number)
}

/// Adds the evaluations of another database that are better than the evaluations here.
///
/// # Errors
/// When a database cannot be read or written.
pub(super) fn copy_evaluations(here: &Connection, there: &Connection) -> StoreResult<()> {
    let numbers = source_numbers(here, there)?;

    let all = "SELECT evaluation_row.key, data, line FROM evaluation_row
        LEFT JOIN evaluation_line ON evaluation_line.key = evaluation_row.key
        ORDER BY evaluation_row.key";
    let mut select = there.prepare(all)?;
    let mut rows_there = select.query([])?;
    let mut rows = EvaluationRows::new(here)?;

    while let Some(row) = rows_there.next()? {
        let key = row.get(0)?;
        let Some(data) = number_cell(row, 1)? else {
            continue;
        };
        let line = text_cell(row, 2)?;

        let source = numbers[(data >> SOURCE_SHIFT & BYTE) as usize];
        let without_source = data & !(BYTE << SOURCE_SHIFT);
        let data_here = without_source | i64::from(source) << SOURCE_SHIFT;
        rows.write(key, data_here, line)?;
    }
    Ok(())
}

/// The number here of each source there.
fn source_numbers(here: &Connection, there: &Connection) -> StoreResult<[u8; 256]> {
    let mut numbers = [0; 256];
    let mut select = there.prepare("SELECT id, kind, name FROM evaluation_source ORDER BY id")?;
    let mut sources = select.query([])?;

    while let Some(row) = sources.next()? {
        let id: u8 = row.get(0)?;
        let kind: String = row.get(1)?;
        let name: String = row.get(2)?;
        numbers[usize::from(id)] = source_number(here, &kind, &name)?;
    }
    Ok(numbers)
}

/// The best move in the bits of a row; `None` if they have none, or none that is legal in the position.
fn unpacked_move(data: i64, position: &Position) -> Option<Move> {
    let code = (data >> MOVE_SHIFT & MOVE_MASK) as u16;
    // A row without a best move needs no list of legal moves.
    if code == 0 {
        return None;
    }

    let moves = position.legal_moves();
    moves.into_iter().find(|mv| mv.code() == code)
}

/// The evaluation of a position; `None` if there is none.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn evaluation_of(
    connection: &Connection,
    position: &Position,
) -> rusqlite::Result<Option<PositionEvaluation>> {
    let key = PositionKey::new(position, Variant::Standard);
    let sql = concat!(
        "SELECT data, (SELECT line FROM evaluation_line WHERE evaluation_line.key = ?1),
            evaluation_source.kind, evaluation_source.name
        FROM evaluation_row
        LEFT JOIN evaluation_source ON evaluation_source.id = ",
        source_of_data!(),
        " WHERE evaluation_row.key = ?1"
    );
    let mut select = connection.prepare_cached(sql)?;
    let found = select.query_row([key.0.cast_signed()], |row| {
        let data = number_cell(row, 0)?.unwrap_or(0);
        let line: Option<String> = row.get(1)?;
        let kind: Option<String> = row.get(2)?;
        let source: Option<String> = row.get(3)?;

        let check = (data & BYTE) as u8;
        let depth = (data >> DEPTH_SHIFT & BYTE) as u8;
        let nodes = unpacked_nodes((data >> NODES_SHIFT & NODES_MASK) as u16);
        let evaluation = PositionEvaluation {
            score: unpacked_score((data >> SCORE_SHIFT) as i16),
            depth: Some(depth).filter(|depth| *depth > 0),
            nodes: Some(nodes).filter(|nodes| *nodes > 0),
            best_move: unpacked_move(data, position),
            line: line.unwrap_or_default(),
            kind: kind.unwrap_or_default(),
            source: source.unwrap_or_default(),
        };
        Ok((check, evaluation))
    });

    match found.optional()? {
        // Another position may have this key.
        Some((check, _)) if check != check_bits(position.check_key()) => Ok(None),
        Some((_, evaluation)) => Ok(Some(evaluation)),
        None => Ok(None),
    }
}

impl Database {
    /// The evaluation of a position; `None` if there is none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn evaluation(&self, position: &Position) -> Result<Option<PositionEvaluation>> {
        evaluation_of(&self.connection, position).in_database(self)
    }

    /// The evaluations of some positions; `None` for `None`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn evaluations(
        &self,
        positions: &[Option<Position>],
    ) -> Result<Vec<Option<PositionEvaluation>>> {
        let mut found = Vec::with_capacity(positions.len());
        for position in positions {
            found.push(match position {
                Some(position) => self.evaluation(position)?,
                None => None,
            });
        }
        Ok(found)
    }

    /// The sources of evaluations: their kinds, names, and numbers of positions. All evaluations are counted.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn evaluation_counts(&self) -> Result<Vec<(String, String, u64)>> {
        let sql = concat!(
            "SELECT kind, name, positions FROM evaluation_source
            JOIN (SELECT ",
            source_of_data!(),
            " AS source, count(*) AS positions FROM evaluation_row GROUP BY source)
                ON source = id
            ORDER BY id"
        );
        self.rows(sql, |row| {
            Ok((row.get(0)?, row.get(1)?, unsigned_cell(row, 2)?))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_come_back() {
        for score in [
            Evaluation::Centipawns(0),
            Evaluation::Centipawns(-35),
            Evaluation::Centipawns(30_000),
            Evaluation::Centipawns(-30_000),
            Evaluation::Mate(1),
            Evaluation::Mate(-1),
            Evaluation::Mate(0),
            Evaluation::Mate(1999),
            Evaluation::Mate(-1999),
        ] {
            assert_eq!(unpacked_score(packed_score(score)), score);
        }
        let clamped = |score| unpacked_score(packed_score(score));
        assert_eq!(
            clamped(Evaluation::Centipawns(i32::MIN)),
            Evaluation::Centipawns(-30_000)
        );
        assert_eq!(clamped(Evaluation::Mate(i32::MAX)), Evaluation::Mate(1999));
        assert_eq!(clamped(Evaluation::Mate(i32::MIN)), Evaluation::Mate(-1999));
    }

    #[test]
    fn nodes_come_back_to_five_bits() {
        for nodes in 0..=32 {
            assert_eq!(unpacked_nodes(packed_nodes(nodes)), nodes);
        }

        let mut before = 0;
        let numbers =
            (0..60).flat_map(|bits| [(1_u64 << bits) - 1, 1 << bits, (1 << bits) * 3 / 2]);
        for nodes in numbers {
            let packed = packed_nodes(nodes);
            let unpacked = unpacked_nodes(packed);
            let expected = nodes.min(MAX_NODES);
            assert!(
                unpacked.abs_diff(expected) * 32 <= expected,
                "{nodes}: {unpacked}"
            );
            assert!(packed >= before, "{nodes}");
            before = packed;
        }
        assert_eq!(packed_nodes(u64::MAX), 511);
    }
}
