//! A line of a file of evaluations.

use serde::Deserialize;

use crate::board::{Color, Move, Position};
use crate::game::Variant;
use crate::notation::{Epd, PieceLetters, Reading, System, read, read_uci};
use crate::pgn::Evaluation;
use crate::replay::PositionKey;
use crate::storage::NewEvaluation;

/// The `ce` score of a mate on the board. A mate in n half-moves has this score, less n.
const EPD_MATE_NOW: u32 = 32_767;
/// The minimum `ce` score that denotes a mate.
const MIN_EPD_MATE: u32 = 32_000;

/// A line of Lichess's file of evaluations.
#[derive(Deserialize)]
struct EvaluatedPosition<'l> {
    #[serde(borrow)]
    fen: std::borrow::Cow<'l, str>,
    #[serde(borrow)]
    evals: Vec<Search<'l>>,
}

/// The result of one search of a position.
#[derive(Deserialize)]
struct Search<'l> {
    #[serde(borrow)]
    pvs: Vec<PrincipalVariation<'l>>,
    /// Thousands of nodes.
    #[serde(default)]
    knodes: u64,
    #[serde(default)]
    depth: u32,
}

/// A line of moves and its score from White's side.
#[derive(Deserialize)]
struct PrincipalVariation<'l> {
    cp: Option<i32>,
    mate: Option<i32>,
    #[serde(borrow, default)]
    line: std::borrow::Cow<'l, str>,
}

/// The content of a line that can be read.
pub(super) enum EvaluatedLine {
    /// The position is not wanted.
    Unwanted,
    /// The evaluation of a wanted position.
    Wanted(NewEvaluation),
}

/// Reads the evaluation of a line; `None` for a line that cannot be read.
pub(super) fn read_line(
    line: &str,
    line_moves: usize,
    is_wanted: impl Fn(PositionKey) -> bool,
) -> Option<EvaluatedLine> {
    if line.starts_with('{') {
        read_object(line, line_moves, is_wanted)
    } else {
        read_epd(line, line_moves, is_wanted)
    }
}

/// Reads a JSON object of Lichess's file. The deepest search counts.
fn read_object(
    line: &str,
    line_moves: usize,
    is_wanted: impl Fn(PositionKey) -> bool,
) -> Option<EvaluatedLine> {
    let evaluated: EvaluatedPosition<'_> = serde_json::from_str(line).ok()?;
    let position = Position::from_fen(&evaluated.fen).ok()?;
    // Most of the hundreds of millions of positions of the file are in no game of a database, so they are skipped
    // early.
    if !is_wanted(PositionKey::new(&position, Variant::Standard)) {
        return Some(EvaluatedLine::Unwanted);
    }

    let searches = evaluated
        .evals
        .iter()
        .filter(|search| !search.pvs.is_empty());
    let search = searches.max_by_key(|search| (search.depth, search.knodes))?;
    let best = search.pvs.first()?;
    let score = match (best.cp, best.mate) {
        (Some(centipawns), _) => Evaluation::Centipawns(centipawns),
        (None, Some(moves)) => Evaluation::Mate(moves),
        (None, None) => return None,
    };
    let best_move = match best.line.split_ascii_whitespace().next() {
        Some(text) => read_uci(text, &position),
        None => None,
    };
    let nodes = search.knodes.saturating_mul(1000);
    let moves = first_moves(&best.line, line_moves);

    let mut evaluation = NewEvaluation::of_position(&position, score);
    evaluation.search(search.depth, nodes);
    evaluation.best(best_move, &moves);
    Some(EvaluatedLine::Wanted(evaluation))
}

/// Reads a line of EPD. Its centipawns (`ce`) and mates (`dm`) are from the side to move.
fn read_epd(
    line: &str,
    line_moves: usize,
    is_wanted: impl Fn(PositionKey) -> bool,
) -> Option<EvaluatedLine> {
    let epd = Epd::read(line);
    let position = Position::from_fen(&epd.fen).ok()?;

    let sign = if position.turn() == Color::White {
        1
    } else {
        -1
    };
    let direct_mate = epd_number(&epd, "dm");
    let centipawns = epd_number(&epd, "ce");
    let score = match (direct_mate, centipawns) {
        (Some(moves), _) => {
            let moves = i32::try_from(moves).ok()?;
            // The lowest number has no counterpart above 0.
            Evaluation::Mate(moves.checked_mul(sign)?)
        }
        (None, Some(score)) => epd_score(i32::try_from(score).ok()?, sign),
        (None, None) => return None,
    };

    // A line without an evaluation counts as unread, even if its position is not wanted.
    if !is_wanted(PositionKey::new(&position, Variant::Standard)) {
        return Some(EvaluatedLine::Unwanted);
    }

    let (best_move, moves) = epd_line(&epd, &position, line_moves);
    let depth = u32::try_from(epd_count(&epd, "acd")).unwrap_or(u32::MAX);
    let nodes = epd_count(&epd, "acn");

    let mut evaluation = NewEvaluation::of_position(&position, score);
    evaluation.search(depth, nodes);
    evaluation.best(best_move, &moves);
    Some(EvaluatedLine::Wanted(evaluation))
}

/// The operand of an EPD operation as a whole number; `None` without the operation or a number.
fn epd_number(epd: &Epd<'_>, opcode: &str) -> Option<i64> {
    epd.operand(opcode)?.parse().ok()
}

/// The operand of an operation for a depth or a number of nodes; 0 without a valid operand.
fn epd_count(epd: &Epd<'_>, opcode: &str) -> u64 {
    match epd_number(epd, opcode) {
        // A number below 0 is no count.
        Some(number) => u64::try_from(number).unwrap_or(0),
        None => 0,
    }
}

/// The evaluation of the operand of `ce`; `sign` is 1 if White is to move, otherwise -1.
fn epd_score(score: i32, sign: i32) -> Evaluation {
    if score.unsigned_abs() < MIN_EPD_MATE {
        return Evaluation::Centipawns(sign * score);
    }

    // A mate in n moves takes 2n - 1 half-moves, and a side that is mated in n moves has 2n half-moves left.
    let plies = EPD_MATE_NOW.saturating_sub(score.unsigned_abs());
    let moves = plies.div_ceil(2) as i32;
    Evaluation::Mate(sign * score.signum() * moves)
}

/// The best move, and at most `max_moves` moves of the line, by the operation `pv` or else `bm`.
fn epd_line(epd: &Epd<'_>, position: &Position, max_moves: usize) -> (Option<Move>, String) {
    let with_opcode = |opcode: &str| {
        epd.operations
            .iter()
            .find(|operation| operation.opcode == opcode)
    };
    let Some(operation) = with_opcode("pv").or_else(|| with_opcode("bm")) else {
        return (None, String::new());
    };

    let mut reached = position.clone();
    let mut played: Vec<Move> = Vec::new();
    for operand in &operation.operands {
        let reading = Reading {
            letters: PieceLetters::english(),
            system: System::Algebraic,
        };
        // The moves before an illegal move are kept.
        let Ok(found) = read(operand.text(), reading, &reached) else {
            break;
        };
        reached.play(found.mv());
        played.push(found.mv());
    }

    let best_move = played.first().copied();
    let first_moves = played.iter().take(max_moves);
    let line: Vec<String> = first_moves.map(Move::to_string).collect();
    (best_move, line.join(" "))
}

/// The first moves of a line.
fn first_moves(line: &str, max_moves: usize) -> String {
    let words = line.split_ascii_whitespace();
    let moves: Vec<&str> = words.take(max_moves).collect();
    moves.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_in_the_lowest_number_of_moves_is_unread() {
        let line = "7k/8/8/8/8/8/8/K7 b - - dm -2147483648;";
        assert!(read_line(line, 0, |_| true).is_none());
    }

    macro_rules! scores {
        ($($name:ident: $score:expr, $sign:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(epd_score($score, $sign), $expected);
            }
        )*};
    }

    scores! {
        white_to_move_is_better: 35, 1 => Evaluation::Centipawns(35);
        black_to_move_is_better: 35, -1 => Evaluation::Centipawns(-35);
        the_next_move_is_mate: 32_766, 1 => Evaluation::Mate(1);
        the_second_move_is_mate: 32_764, 1 => Evaluation::Mate(2);
        black_mates_in_two: 32_764, -1 => Evaluation::Mate(-2);
        white_is_mated_after_a_move: -32_765, 1 => Evaluation::Mate(-1);
        the_lowest_number: i32::MIN, -1 => Evaluation::Mate(0);
    }
}
