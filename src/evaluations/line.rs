//! A line of a file of evaluations.

use serde::Deserialize;

use crate::board::{Color, Move, Position};
use crate::game::Variant;
use crate::notation::{Epd, Operand, PieceLetters, Reading, System, read, read_uci};
use crate::pgn::Evaluation;
use crate::replay::PositionKey;
use crate::storage::NewEvaluation;

/// Scores of EPD from here on are mates: 32767 minus the half-moves to it.
const EPD_MATE: i32 = 32_000;
const EPD_MATE_NOW: i32 = 32_767;

/// A line of Lichess's file of evaluations.
#[derive(Deserialize)]
struct Object<'l> {
    #[serde(borrow)]
    fen: std::borrow::Cow<'l, str>,
    #[serde(borrow)]
    evals: Vec<Search<'l>>,
}

/// What an engine has found in a position, once.
#[derive(Deserialize)]
struct Search<'l> {
    #[serde(borrow)]
    pvs: Vec<Line<'l>>,
    #[serde(default)]
    knodes: u64,
    #[serde(default)]
    depth: u32,
}

/// A line of moves and its score.
#[derive(Deserialize)]
struct Line<'l> {
    cp: Option<i32>,
    mate: Option<i32>,
    #[serde(borrow, default)]
    line: std::borrow::Cow<'l, str>,
}

/// Reads a line. `None` if it cannot be read; no evaluation in it if its position is not wanted.
pub(super) fn read_line(
    line: &str,
    line_moves: usize,
    is_wanted: impl Fn(PositionKey) -> bool,
) -> Option<Option<NewEvaluation>> {
    if line.starts_with('{') {
        read_object(line, line_moves, is_wanted)
    } else {
        read_epd(line, line_moves, is_wanted)
    }
}

fn read_object(
    line: &str,
    line_moves: usize,
    is_wanted: impl Fn(PositionKey) -> bool,
) -> Option<Option<NewEvaluation>> {
    let object: Object<'_> = serde_json::from_str(line).ok()?;
    let position = Position::from_fen(&object.fen).ok()?;
    if !is_wanted(PositionKey::new(&position, Variant::Standard)) {
        return Some(None);
    }

    let searches = object.evals.iter().filter(|search| !search.pvs.is_empty());
    let search = searches.max_by_key(|search| (search.depth, search.knodes))?;
    let best = search.pvs.first()?;
    let score = match (best.cp, best.mate) {
        (Some(centipawns), _) => Evaluation::Centipawns(centipawns),
        (None, Some(moves)) => Evaluation::Mate(moves),
        (None, None) => return None,
    };
    let best_move = best.line.split_ascii_whitespace().next();
    let best_move = best_move.and_then(|text| read_uci(text, &position));
    let mut evaluation = NewEvaluation::of_position(&position, score);
    evaluation.search(search.depth, search.knodes.saturating_mul(1000));
    evaluation.best(best_move, &first_moves(&best.line, line_moves));
    Some(Some(evaluation))
}

/// Reads a line of EPD: `ce` and `dm` are from the side to move.
fn read_epd(
    line: &str,
    line_moves: usize,
    is_wanted: impl Fn(PositionKey) -> bool,
) -> Option<Option<NewEvaluation>> {
    let epd = Epd::read(line);
    let number = |opcode| {
        epd.operand(opcode)
            .and_then(|text| text.parse::<i64>().ok())
    };
    let position = Position::from_fen(&epd.fen).ok()?;
    let sign = if position.turn() == Color::White {
        1
    } else {
        -1
    };
    let score = match (number("dm"), number("ce")) {
        (Some(moves), _) => Evaluation::Mate(sign * i32::try_from(moves).ok()?),
        (None, Some(score)) => epd_score(i32::try_from(score).ok()?, sign),
        (None, None) => return None,
    };
    if !is_wanted(PositionKey::new(&position, Variant::Standard)) {
        return Some(None);
    }

    let (best_move, moves) = epd_line(&epd, &position, line_moves);
    let whole = |opcode| number(opcode).and_then(|number| u64::try_from(number).ok());
    let mut evaluation = NewEvaluation::of_position(&position, score);
    let depth = whole("acd").map_or(0, |depth| u32::try_from(depth).unwrap_or(u32::MAX));
    evaluation.search(depth, whole("acn").unwrap_or(0));
    evaluation.best(best_move, &moves);
    Some(Some(evaluation))
}

fn epd_score(score: i32, sign: i32) -> Evaluation {
    if score.abs() < EPD_MATE {
        return Evaluation::Centipawns(sign * score);
    }
    let moves = (EPD_MATE_NOW - score.abs().min(EPD_MATE_NOW) + 1) / 2;
    Evaluation::Mate(sign * score.signum() * moves)
}

/// The best move, and the first moves of the line, of the operations `pv` and `bm`.
fn epd_line(epd: &Epd<'_>, position: &Position, most: usize) -> (Option<Move>, String) {
    let moves = ["pv", "bm"].iter().find_map(|opcode| {
        let operation = epd
            .operations
            .iter()
            .find(|operation| operation.opcode == *opcode)?;
        Some(
            operation
                .operands
                .iter()
                .copied()
                .map(Operand::text)
                .collect::<Vec<_>>(),
        )
    });
    let mut position = position.clone();
    let mut played: Vec<Move> = Vec::new();
    let letters = PieceLetters::english();
    for text in moves.unwrap_or_default() {
        let reading = Reading {
            letters,
            system: System::Algebraic,
        };
        let Ok(found) = read(text, reading, &position) else {
            break;
        };
        position.play(found.mv());
        played.push(found.mv());
    }
    let line: Vec<String> = played.iter().take(most).map(Move::to_string).collect();
    (played.first().copied(), line.join(" "))
}

/// The first moves of a line.
fn first_moves(line: &str, most: usize) -> String {
    let moves: Vec<&str> = line.split_ascii_whitespace().take(most).collect();
    moves.join(" ")
}
