//! Half-moves as rows, in the order of games.

use std::collections::BTreeMap;
use std::sync::Arc;

use parquet::errors::ParquetError;

use super::board_row::fen_of;
use super::column::ColumnBuffer;
use super::digest::{Digest, RowHasher};
use super::position::{MAX_PLY, MoveTexts, OfGame, Played};
use super::table::{Column, Form, FormOptions, Packing};
use crate::board::Position;
use crate::game::{Game, Variant};
use crate::pgn::Evaluation;
use crate::replay::PositionKey;
use crate::storage::PositionEvaluation;

/// Which columns the table `plies` has beside those that it always has.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlyColumns {
    pub(super) has_evaluations: bool,
    pub(super) has_fen: bool,
}

/// The number of columns for what a database knows of a position.
const EVALUATION_COLUMNS: usize = 4;

/// The form of the table `plies`.
pub(super) fn form(optional: PlyColumns, notes: Vec<(&str, String)>) -> Result<Form, ParquetError> {
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
    Form::new(
        columns,
        &FormOptions {
            notes,
            ..FormOptions::default()
        },
    )
}

/// Turns games into rows of half-moves.
pub(super) struct PlyRows {
    pub(super) columns: Vec<ColumnBuffer>,
    pub(super) rows: usize,
    /// The sum of the digests of games.
    pub(super) digest: Digest,
    /// Whether there are columns for what a database knows of positions.
    has_evaluations: bool,
    moves: MoveTexts,
    hasher: RowHasher,
}

/// What a database knows of the position before a half-move.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    evaluation: Option<Evaluation>,
    depth: Option<u8>,
    /// The code of the best move.
    best_move: Option<u16>,
}

/// What programs have said about the position after a half-move.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    clock: Option<f64>,
    evaluation: Option<Evaluation>,
}

impl PlyRows {
    pub(super) fn new(form: &Arc<Form>) -> PlyRows {
        PlyRows {
            columns: form.buffers(),
            rows: 0,
            digest: Digest::default(),
            has_evaluations: form.has("position_cp"),
            moves: MoveTexts::new(),
            hasher: RowHasher::default(),
        }
    }

    /// Adds the positions of a game up to `max_ply` half-moves, each with the move played there and what was said about
    /// it. The last one has no move. `evaluation` is what a database knows of a position.
    ///
    /// # Errors
    /// Those of `evaluation`.
    pub(super) fn push<E>(
        &mut self,
        game: &Game<'_>,
        played: &Played<'_>,
        start: Option<&Position>,
        of_game: &OfGame,
        max_ply: u16,
        mut evaluation: impl FnMut(&Position) -> Result<Option<PositionEvaluation>, E>,
    ) -> Result<(), E> {
        if !played.has_positions() {
            return Ok(());
        }
        // A database keeps evaluations of positions of chess.
        let is_chess = matches!(game.variant, Variant::Standard | Variant::Chess960);
        let has_evaluations = self.has_evaluations && is_chess;
        let said = said(game);
        let mut position = start.cloned().unwrap_or_default();
        let mut sans = game.moves.split_ascii_whitespace();
        for ply in 0..=max_ply.min(MAX_PLY) {
            let mv = played.moves.get(usize::from(ply)).copied();
            let said = said.get(&(u32::from(ply) + 1)).copied().unwrap_or_default();
            let key = PositionKey::new(&position, game.variant).0;
            let code = played.code(ply);
            let known = if has_evaluations {
                Known::of(evaluation(&position)?, played)
            } else {
                Known::default()
            };
            self.push_row(
                of_game,
                (ply, key, code),
                sans.next(),
                said,
                known,
                &position,
            );
            match mv {
                Some(mv) => position.play(mv),
                None => break,
            }
        }
        self.digest += self.hasher.finish();
        Ok(())
    }

    fn push_row(
        &mut self,
        of_game: &OfGame,
        (ply, key, code): (u16, u64, u16),
        san: Option<&str>,
        said: Said,
        known: Known,
        position: &Position,
    ) {
        self.rows += 1;
        let row = of_game.row(key, ply, code);
        let centipawns = said.evaluation.and_then(Evaluation::centipawns);
        let mate = said.evaluation.and_then(mate_in_16_bits);
        let [
            game,
            at,
            zobrist,
            uci,
            san_column,
            clock,
            eval_cp,
            eval_mate,
            result,
            white,
            black,
            optional @ ..,
        ] = &mut self.columns[..]
        else {
            panic!("`form` has these eleven columns, and others after them");
        };
        let known_elo = |elo: u16| (elo > 0).then_some(i32::from(elo));
        let hasher = &mut self.hasher;
        for (column, value) in [(game, row.game), (zobrist, key.cast_signed())] {
            column.long(Some(value));
            hasher.number(Some(value));
        }
        for (column, value) in [
            (at, Some(ply.into())),
            (eval_cp, centipawns),
            (eval_mate, mate),
            (white, known_elo(row.white_elo)),
            (black, known_elo(row.black_elo)),
        ] {
            column.int(value);
            hasher.number(value.map(i64::from));
        }
        clock.double(said.clock);
        hasher.number(said.clock.map(|seconds| seconds.to_bits().cast_signed()));
        let texts = [
            (uci, self.moves.get(code)),
            (san_column, san.map(str::as_bytes)),
            (result, Some(row.result().as_str().as_bytes())),
        ];
        for (column, value) in texts {
            column.text(value);
            hasher.text(value);
        }

        let evaluations = if self.has_evaluations {
            EVALUATION_COLUMNS
        } else {
            0
        };
        let (evaluations, fen) = optional.split_at_mut(evaluations);
        if let [centipawns, mate, depth, best_move] = evaluations {
            let score = known.evaluation;
            for (column, value) in [
                (centipawns, score.and_then(Evaluation::centipawns)),
                (mate, score.and_then(mate_in_16_bits)),
                (depth, known.depth.map(i32::from)),
            ] {
                column.int(value);
                hasher.number(value.map(i64::from));
            }
            let text = known.best_move.and_then(|code| self.moves.get(code));
            best_move.text(text);
            hasher.text(text);
        }
        if let Some(fen) = fen.first_mut() {
            fen.text(Some(fen_of(position).as_bytes()));
        }
    }
}

impl Known {
    fn of(evaluation: Option<PositionEvaluation>, played: &Played<'_>) -> Known {
        let Some(evaluation) = evaluation else {
            return Known::default();
        };
        Known {
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

/// What the comments of the mainline say, by the half-moves before them.
fn said(game: &Game<'_>) -> BTreeMap<u32, Said> {
    let mut said: BTreeMap<u32, Said> = BTreeMap::new();
    for (ply, commands) in game.annotations.mainline_commands() {
        let at = said.entry(ply.get()).or_default();
        at.clock = at.clock.or(commands.clock_seconds);
        at.evaluation = at.evaluation.or(commands.evaluation);
    }
    said
}
