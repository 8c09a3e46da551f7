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
use crate::game::Game;
use crate::pgn::Evaluation;
use crate::replay::PositionKey;

/// The form of the table `plies`.
pub(super) fn form(has_fen: bool, notes: Vec<(&str, String)>) -> Result<Form, ParquetError> {
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
    if has_fen {
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
    moves: MoveTexts,
    hasher: RowHasher,
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
            moves: MoveTexts::new(),
            hasher: RowHasher::default(),
        }
    }

    /// Adds the positions of a game up to `max_ply` half-moves, each with the move played there and what was said about
    /// it. The last one has no move.
    pub(super) fn push(
        &mut self,
        game: &Game<'_>,
        played: &Played<'_>,
        start: Option<&Position>,
        of_game: &OfGame,
        max_ply: u16,
    ) {
        if !played.has_positions() {
            return;
        }
        let said = said(game);
        let mut position = start.cloned().unwrap_or_default();
        let mut sans = game.moves.split_ascii_whitespace();
        for ply in 0..=max_ply.min(MAX_PLY) {
            let mv = played.moves.get(usize::from(ply)).copied();
            let said = said.get(&(u32::from(ply) + 1)).copied().unwrap_or_default();
            let key = PositionKey::new(&position, game.variant).0;
            let code = played.code(ply);
            self.push_row(of_game, (ply, key, code), sans.next(), said, &position);
            match mv {
                Some(mv) => position.play(mv),
                None => break,
            }
        }
        self.digest += self.hasher.finish();
    }

    fn push_row(
        &mut self,
        of_game: &OfGame,
        (ply, key, code): (u16, u64, u16),
        san: Option<&str>,
        said: Said,
        position: &Position,
    ) {
        self.rows += 1;
        let row = of_game.row(key, ply, code);
        let centipawns = said.evaluation.and_then(Evaluation::centipawns);
        let mate = said.evaluation.and_then(Evaluation::mate);
        // The column has 16 bits.
        let mate = mate
            .and_then(|moves| i16::try_from(moves).ok())
            .map(i32::from);
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
            fen @ ..,
        ] = &mut self.columns[..]
        else {
            panic!("`form` has these eleven columns, and a FEN after them");
        };
        let known = |elo: u16| (elo > 0).then_some(i32::from(elo));
        let hasher = &mut self.hasher;
        for (column, value) in [(game, row.game), (zobrist, key.cast_signed())] {
            column.long(Some(value));
            hasher.number(Some(value));
        }
        for (column, value) in [
            (at, Some(ply.into())),
            (eval_cp, centipawns),
            (eval_mate, mate),
            (white, known(row.white_elo)),
            (black, known(row.black_elo)),
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
        if let Some(fen) = fen.first_mut() {
            fen.text(Some(fen_of(position).as_bytes()));
        }
    }
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
