//! The position after a sequence of moves.

use crate::board::{Move, Position};
use crate::replay::{Problem, ProblemKind, Readings, Replay};

/// The position after a sequence of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The position.
    pub position: Position,
    /// The last move, if any.
    pub last: Option<Move>,
    /// A warning that the moves have a second reading, as a sentence; `None` if they have one reading only.
    pub doubt: Option<String>,
}

/// Plays moves from a position, by default the standard position, in the given notations and letters. Move numbers are
/// optional; comments and variations are skipped.
///
/// # Errors
/// The first problem because of which a move may be missing: an illegal move, for instance.
///
/// ```
/// use stamma::query::position_after;
/// use stamma::replay::Readings;
/// let reached = position_after(None, "1. e4 c5 2. Cf3", &Readings::default()).expect("moves");
/// let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
/// assert_eq!(reached.position.fen(), fen);
/// let problem = position_after(None, "e4 Nc5", &Readings::default()).expect_err("no legal move");
/// assert!(problem.message.contains("no knight can go to c5"));
/// ```
pub fn position_after(
    start: Option<&Position>,
    moves: &str,
    readings: &Readings,
) -> Result<Reached, Problem> {
    let (reached, _) = follow(start, moves, readings);
    reached
}

/// Like [`position_after`], with the number of moves that could be played.
pub(super) fn follow(
    start: Option<&Position>,
    moves: &str,
    readings: &Readings,
) -> (Result<Reached, Problem>, usize) {
    // Moves are read as a game, so every notation and language of games is accepted.
    let pgn = match start {
        Some(position) => {
            let fen = position.fen();
            format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves}\n")
        }
        None => format!("{moves}\n"),
    };

    let replay = readings.replay(&pgn).replay;
    let plies = replay.played.len();
    (reached(replay), plies)
}

/// The last position of a replay. The first problem that may lose a move is an error.
fn reached(mut replay: Replay<'_>) -> Result<Reached, Problem> {
    let mut kinds = replay.problems.iter().map(|problem| problem.kind);
    if let Some(at) = kinds.position(|kind| !leaves_moves(kind)) {
        return Err(replay.problems.swap_remove(at));
    }

    // A letter may stand for different pieces in two languages. Both readings may be legal, which leaves a doubt.
    let mut problems = replay.problems.into_iter();
    let doubt = problems.find(|problem| problem.kind == ProblemKind::AmbiguousLanguage);

    Ok(Reached {
        position: replay.last,
        last: replay.played.last().copied(),
        doubt: doubt.map(|problem| problem.message),
    })
}

/// `true` if a problem of this kind loses no move.
pub(crate) fn leaves_moves(kind: ProblemKind) -> bool {
    matches!(
        kind,
        ProblemKind::AmbiguousLanguage
            | ProblemKind::MixedLanguage
            | ProblemKind::FalseMark
            | ProblemKind::ImpreciseMove
            | ProblemKind::InvalidDate
            | ProblemKind::InvalidElo
            | ProblemKind::MissingSetUp
            | ProblemKind::MissingTerminator
            | ProblemKind::NoMoves
            | ProblemKind::ResultContradictsBoard
            | ProblemKind::ResultMismatch
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! leads {
        ($($name:ident: $start:expr, $moves:literal => $fen:literal;)*) => {$(
            #[test]
            fn $name() {
                let start: Option<&str> = $start;
                let start = start.map(|fen| Position::from_fen(fen).expect(fen));
                let reached = position_after(start.as_ref(), $moves, &Readings::default());
                assert_eq!(reached.expect($moves).position.fen(), $fen);
            }
        )*};
    }

    leads! {
        nowhere: None, "" => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        without_numbers: None, "d4 d5 c4"
            => "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2";
        numbers_without_dots: None, "1 d4 d5 2 c4"
            => "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2";
        of_engines: None, "d2d4 d7d5 c2c4"
            => "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2";
        in_german: None, "1. Sf3 Sf6" => "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2";
        descriptive: None, "1. P-K4 P-K4 2. Kt-KB3"
            => "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        with_a_result_and_more: None, "1. e4! {best} e5 (1... c5) 1-0"
            => "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        from_a_position: Some("4k3/P7/8/8/8/8/8/4K3 w - - 5 40"), "40. a8=Q+ Kd7"
            => "Q7/3k4/8/8/8/8/8/4K3 w - - 1 41";
        black_moves: Some("4k3/8/8/8/8/8/8/4K2R b K - 0 9"), "9... Kd7 10. O-O"
            => "8/3k4/8/8/8/8/8/5RK1 b - - 2 10";
        chess960: Some("rkrbbnqn/pppppppp/8/8/8/8/PPPPPPPP/RKRBBNQN w KQkq - 0 1"), "Nfg3"
            => "rkrbbnqn/pppppppp/8/8/8/6N1/PPPPPPPP/RKRBB1QN b KQkq - 1 1";
    }

    macro_rules! faults {
        ($($name:ident: $moves:literal => $message:literal;)*) => {$(
            #[test]
            fn $name() {
                let problem = position_after(None, $moves, &Readings::default());
                assert_eq!(problem.expect_err($moves).message, $message);
            }
        )*};
    }

    faults! {
        not_legal: "1. e4 e5 2. Nf4" => "2. Nf4: White has no legal move that this can mean; no knight can go to f4; \
            the nearest is f4";
        ambiguous: "1. Nf3 d5 2. d3 c6 3. Nd2"
            => "3. Nd2: White has several legal moves that this can mean; Knight to d2: from b1 or f3";
        no_move: "1. e4 e5 2. hello" => "2. hello: this is no move";
        behind_a_result: "1. e4 1-0 e5" => "there is text after the end of the game";
    }
}
