//! The position of a request: a FEN, and moves from the position of the FEN.

use super::failure::Failure;
use super::parameters::Parameters;
use stamma::board::{Move, MoveKind, Position, Setup, SetupFaults};
use stamma::notation::{Uci, read_fen};

/// The maximum number of moves of one request.
const MAX_MOVES: usize = 1500;

/// The maximum number of letters of a text in a message.
const MAX_NAMED_LETTERS: usize = 12;

/// A position with the moves that lead to it.
#[derive(Clone, Debug)]
pub(super) struct PlayedLine {
    pub(super) start: Position,
    /// Each move, with the position in which it was played.
    pub(super) moves: Vec<(Position, Move)>,
    pub(super) here: Position,
}

/// The reason why a request has no position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineError {
    /// The FEN cannot be read.
    Fen(String),
    /// The FEN is well-formed, but no legal position.
    Position(SetupFaults),
    /// A text is no move, or the move is not legal in its position. The first move has the place 1.
    Move { text: String, place: usize },
    /// There are more than `MAX_MOVES` moves.
    TooLong,
}

impl From<LineError> for Failure {
    fn from(error: LineError) -> Failure {
        let sentence = match error {
            LineError::Fen(why) => format!("fen: {why}"),
            LineError::Position(faults) => format!("fen: no legal position: {faults}"),
            LineError::Move { text, place } => {
                format!("play: {text}, move {place} of the line, is not legal")
            }
            LineError::TooLong => format!("play: more than {MAX_MOVES} moves"),
        };
        Failure::bad_request(sentence)
    }
}

impl PlayedLine {
    /// The line of the parameters `fen` and `play`; the start position without them.
    pub(super) fn read(parameters: &Parameters) -> Result<PlayedLine, LineError> {
        let fen = parameters.get("fen").unwrap_or_default();
        let start = if fen.trim().is_empty() {
            Position::start()
        } else {
            position(fen)?
        };

        let mut line = PlayedLine::at(start);
        for text in parameters.get("play").unwrap_or_default().split(',') {
            let mv = text.trim();
            if !mv.is_empty() {
                line.play(mv)?;
            }
        }
        Ok(line)
    }

    /// A line without moves.
    pub(super) fn at(start: Position) -> PlayedLine {
        PlayedLine {
            here: start.clone(),
            start,
            moves: Vec::new(),
        }
    }

    /// Plays the legal move that a text in UCI notation denotes.
    fn play(&mut self, text: &str) -> Result<(), LineError> {
        if self.moves.len() == MAX_MOVES {
            return Err(LineError::TooLong);
        }

        let Some(mv) = read_move(&self.here, text) else {
            return Err(LineError::Move {
                text: beginning(text),
                place: self.moves.len() + 1,
            });
        };
        self.push(mv);
        Ok(())
    }

    /// Plays a legal move.
    pub(super) fn push(&mut self, mv: Move) {
        self.moves.push((self.here.clone(), mv));
        self.here.play(mv);
    }

    /// The writer of the line's moves. From a position of Chess960, it writes castling as king takes rook.
    pub(super) fn uci(&self) -> Uci {
        Uci::of(&self.start)
    }

    /// The positions of the line, the last first.
    pub(super) fn positions_back(&self) -> impl Iterator<Item = &Position> {
        let positions_before = self.moves.iter().rev().map(|(before, _)| before);
        std::iter::once(&self.here).chain(positions_before)
    }
}

/// A position by a FEN whose fields are separated by spaces or underscores.
pub(super) fn position(fen: &str) -> Result<Position, LineError> {
    let setup = setup(fen)?;
    Position::try_from(&setup).map_err(LineError::Position)
}

/// The setup of a FEN, which may still be no legal position.
fn setup(fen: &str) -> Result<Setup, LineError> {
    // Lichess's addresses have underscores in the place of spaces.
    let with_spaces = fen.replace('_', " ");

    let (setup, _) = match read_fen(&with_spaces) {
        Ok(read) => read,
        Err(error) => return Err(LineError::Fen(error.to_string())),
    };
    Ok(setup)
}

/// A legal move by its text in the notation of UCI: castling as a step of the king or as king takes rook.
fn read_move(position: &Position, text: &str) -> Option<Move> {
    let moves = position.legal_moves();

    // In Chess960, the king may also step to the square where castling would end: the text then means the step. So
    // steps are compared before castling.
    let exact = moves.iter().find(|mv| mv.to_string() == text);
    if let Some(mv) = exact {
        return Some(*mv);
    }

    let is_step = |mv: &&Move| mv.kind == MoveKind::Castle && castling_step(**mv) == text;
    moves.iter().find(is_step).copied()
}

/// Castling as a step of the king to its target.
fn castling_step(mv: Move) -> String {
    format!("{}{}", mv.from, mv.destination())
}

/// The beginning of a text, for a message.
fn beginning(text: &str) -> String {
    text.chars().take(MAX_NAMED_LETTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(fen: &str, text: &str) -> Option<String> {
        let position = position(fen).expect("a position");
        let mv = read_move(&position, text)?;
        Some(mv.to_string())
    }

    #[test]
    fn castling_has_two_texts() {
        let fen = "4k3/8/8/8/8/8/8/R3K2R_w_KQ_-_0_1";

        assert_eq!(played(fen, "e1h1").as_deref(), Some("e1h1"));
        assert_eq!(played(fen, "e1g1").as_deref(), Some("e1h1"));
        assert_eq!(played(fen, "e1f1").as_deref(), Some("e1f1"));
        assert_eq!(played(fen, "e1e8"), None);
    }
}
