//! Half-moves as rows, in the order of games.

use std::collections::BTreeMap;
use std::sync::Arc;

use parquet::errors::ParquetError;

use super::board_row::fen_of;
use super::column::ColumnBuffer;
use super::digest::{Digest, RowHasher};
use super::position::{GameValues, MAX_PLY, MoveTexts, Played};
use super::table::{Column, Packing, SchemaOptions, TableSchema};
use crate::board::Position;
use crate::game::{Game, Variant};
use crate::pgn::Evaluation;
use crate::replay::PositionKey;
use crate::storage::PositionEvaluation;

/// The optional columns of the table `plies`.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlyColumns {
    pub(super) has_evaluations: bool,
    pub(super) has_fen: bool,
}

/// The number of columns for the evaluation of a position in a database.
const EVALUATION_COLUMNS: usize = 4;

/// The schema of the table `plies`.
pub(super) fn schema(
    optional: PlyColumns,
    notes: Vec<(&str, String)>,
) -> Result<TableSchema, ParquetError> {
    let mut columns = vec![
        Column::int64("game_id").required(),
        Column::int16("ply").required(),
        Column::int64("zobrist").required().packed(Packing::Plain),
        Column::text("uci"),
        Column::text("san"),
        Column::double("clock"),
        Column::int32("eval_cp"),
        Column::int16("eval_mate"),
        Column::text("Result").required(),
        Column::int16("WhiteElo"),
        Column::int16("BlackElo"),
    ];
    if optional.has_evaluations {
        columns.extend([
            Column::int16("position_cp"),
            Column::int16("position_mate"),
            Column::int16("position_depth"),
            Column::text("best_move"),
        ]);
    }
    if optional.has_fen {
        columns.push(Column::text("fen").required().packed(Packing::Plain));
    }

    let options = SchemaOptions {
        notes,
        ..SchemaOptions::default()
    };
    TableSchema::new(columns, &options)
}

/// Turns games into rows of half-moves.
pub(super) struct PlyRows {
    pub(super) columns: Vec<ColumnBuffer>,
    pub(super) rows: usize,
    /// The sum of the digests of games.
    pub(super) digest: Digest,
    /// `true` if the table has columns for evaluations from a database.
    has_evaluations: bool,
    moves: MoveTexts,
    hasher: RowHasher,
}

/// The evaluation that a database has of the position before a half-move.
#[derive(Clone, Copy, Debug, Default)]
struct KnownEvaluation {
    evaluation: Option<Evaluation>,
    depth: Option<u8>,
    /// The code of the best move.
    best_move: Option<u16>,
}

/// The clock and the evaluation in the comments behind a half-move.
#[derive(Clone, Copy, Debug, Default)]
struct PlyComments {
    clock: Option<f64>,
    evaluation: Option<Evaluation>,
}

/// A position of a game, and the half-move played there.
#[derive(Clone, Copy)]
struct HalfMove<'g> {
    /// The number of half-moves before the position.
    ply: u16,
    /// The key of the position.
    key: u64,
    /// The code of the move; [`Visit::END`](crate::replay::Visit::END) at the end of the game.
    code: u16,
    /// The SAN of the move; `None` at the end of the game.
    san: Option<&'g str>,
    /// The values in comments on the move.
    comments: PlyComments,
    known: KnownEvaluation,
    position: &'g Position,
}

impl PlyRows {
    pub(super) fn new(schema: &Arc<TableSchema>) -> PlyRows {
        PlyRows {
            columns: schema.buffers(),
            rows: 0,
            digest: Digest::default(),
            has_evaluations: schema.has("position_cp"),
            moves: MoveTexts::new(),
            hasher: RowHasher::default(),
        }
    }

    /// Adds the positions of a game up to `max_ply` half-moves, each with the move played there and the comments on the
    /// move. The last position has no move. `evaluation` looks a position up in a database.
    ///
    /// # Errors
    /// The errors of `evaluation`.
    pub(super) fn push<E>(
        &mut self,
        game: &Game<'_>,
        played: &Played<'_>,
        start: Option<&Position>,
        game_values: &GameValues,
        max_ply: u16,
        mut evaluation: impl FnMut(&Position) -> Result<Option<PositionEvaluation>, E>,
    ) -> Result<(), E> {
        if !played.has_positions() {
            return Ok(());
        }

        // A database has evaluations of positions of chess and Chess960 only.
        let is_chess = matches!(game.variant, Variant::Standard | Variant::Chess960);
        let has_evaluations = self.has_evaluations && is_chess;
        let comments_by_ply = comments_by_ply(game);
        let mut position = start.cloned().unwrap_or_default();
        let mut sans = game.moves.split_ascii_whitespace();

        for ply in 0..=max_ply.min(MAX_PLY) {
            let key = PositionKey::new(&position, game.variant).0;
            let code = played.code(ply);

            // The comments on a move have the ply after the move.
            let comments = comments_by_ply
                .get(&(u32::from(ply) + 1))
                .copied()
                .unwrap_or_default();
            let known = if has_evaluations {
                KnownEvaluation::new(evaluation(&position)?, played)
            } else {
                KnownEvaluation::default()
            };

            let half_move = HalfMove {
                ply,
                key,
                code,
                san: sans.next(),
                comments,
                known,
                position: &position,
            };
            self.push_row(game_values, &half_move);

            let next = played.moves.get(usize::from(ply)).copied();
            match next {
                Some(mv) => position.play(mv),
                None => break,
            }
        }

        self.digest += self.hasher.finish();
        Ok(())
    }

    /// Adds a row. The values are added in the order in which they are hashed, because the digest of a game depends on
    /// this order. The order of the columns is different.
    fn push_row(&mut self, game_values: &GameValues, half_move: &HalfMove<'_>) {
        let HalfMove {
            ply,
            key,
            code,
            san,
            comments,
            known,
            position,
        } = *half_move;
        self.rows += 1;
        let row = game_values.row(key, ply, code);
        let result = row.result();

        let [
            game,
            ply_column,
            zobrist,
            uci,
            san_column,
            clock,
            eval_cp,
            eval_mate,
            result_column,
            white_elo,
            black_elo,
            optional @ ..,
        ] = &mut self.columns[..]
        else {
            panic!("`schema` has these eleven columns, and others after them");
        };
        let mut cells = HashedCells {
            hasher: &mut self.hasher,
        };

        cells.long(game, row.game);
        cells.long(zobrist, key.cast_signed());

        let centipawns = comments.evaluation.and_then(Evaluation::centipawns);
        let mate = comments.evaluation.and_then(mate_in_16_bits);
        cells.int(ply_column, Some(ply.into()));
        cells.int(eval_cp, centipawns);
        cells.int(eval_mate, mate);
        cells.int(white_elo, known_elo(row.white_elo));
        cells.int(black_elo, known_elo(row.black_elo));

        cells.double(clock, comments.clock);

        cells.text(uci, self.moves.get(code));
        cells.text(san_column, san.map(str::as_bytes));
        cells.text(result_column, Some(result.as_str().as_bytes()));

        let evaluation_columns = if self.has_evaluations {
            EVALUATION_COLUMNS
        } else {
            0
        };
        let (evaluations, fen) = optional.split_at_mut(evaluation_columns);
        cells.evaluation(evaluations, known, &mut self.moves);

        // The FEN is not hashed, because it follows from the moves.
        if let Some(fen_column) = fen.first_mut() {
            fen_column.text(Some(fen_of(position).as_bytes()));
        }
    }
}

/// Writes values into columns, and into the digest of a game.
struct HashedCells<'h> {
    hasher: &'h mut RowHasher,
}

impl HashedCells<'_> {
    fn long(&mut self, column: &mut ColumnBuffer, value: i64) {
        column.long(Some(value));
        self.hasher.number(Some(value));
    }

    fn int(&mut self, column: &mut ColumnBuffer, value: Option<i32>) {
        column.int(value);
        self.hasher.number(value.map(i64::from));
    }

    fn double(&mut self, column: &mut ColumnBuffer, value: Option<f64>) {
        column.double(value);
        let bits = value.map(f64::to_bits);
        self.hasher.number(bits.map(u64::cast_signed));
    }

    fn text(&mut self, column: &mut ColumnBuffer, value: Option<&[u8]>) {
        column.text(value);
        self.hasher.text(value);
    }

    /// Writes an evaluation from a database into its columns. A table without evaluations has no such columns.
    fn evaluation(
        &mut self,
        columns: &mut [ColumnBuffer],
        known: KnownEvaluation,
        moves: &mut MoveTexts,
    ) {
        let [cp_column, mate_column, depth_column, best_move_column] = columns else {
            return;
        };

        let score = known.evaluation;
        self.int(cp_column, score.and_then(Evaluation::centipawns));
        self.int(mate_column, score.and_then(mate_in_16_bits));
        self.int(depth_column, known.depth.map(i32::from));

        let best_move_text = known.best_move.and_then(|code| moves.get(code));
        self.text(best_move_column, best_move_text);
    }
}

/// A rating; `None` for 0, which means an unknown rating.
fn known_elo(elo: u16) -> Option<i32> {
    if elo == 0 {
        return None;
    }

    Some(i32::from(elo))
}

impl KnownEvaluation {
    fn new(evaluation: Option<PositionEvaluation>, played: &Played<'_>) -> KnownEvaluation {
        let Some(evaluation) = evaluation else {
            return KnownEvaluation::default();
        };
        KnownEvaluation {
            evaluation: Some(evaluation.score),
            depth: evaluation.depth,
            best_move: evaluation.best_move.map(|mv| played.code_of(mv)),
        }
    }
}

/// The moves to mate; `None` if the column, which has 16 bits, cannot hold them.
fn mate_in_16_bits(evaluation: Evaluation) -> Option<i32> {
    let moves = i16::try_from(evaluation.mate()?).ok()?;
    Some(i32::from(moves))
}

/// The comments of the mainline, by the number of half-moves before them. Of several clocks or evaluations behind one
/// half-move, the first counts.
fn comments_by_ply(game: &Game<'_>) -> BTreeMap<u32, PlyComments> {
    let mut by_ply: BTreeMap<u32, PlyComments> = BTreeMap::new();

    for (ply, commands) in game.annotations.mainline_commands() {
        let comments = by_ply.entry(ply.get()).or_default();
        comments.clock = comments.clock.or(commands.clock_seconds);
        comments.evaluation = comments.evaluation.or(commands.evaluation);
    }

    by_ply
}
