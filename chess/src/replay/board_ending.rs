//! The ending of a game on the board, regardless of its tags.

use crate::board::{Color, Position};
use crate::pgn::Termination;

/// The reason why a game cannot go on from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardEnding {
    Checkmate,
    Stalemate,
    InsufficientMaterial,
}

impl BoardEnding {
    /// The ending of a game in a position, if the game ends there.
    pub(super) fn of(position: &Position) -> Option<BoardEnding> {
        if position.is_insufficient_material() {
            return Some(BoardEnding::InsufficientMaterial);
        }

        if position.has_legal_move() {
            None
        } else if position.is_check() {
            Some(BoardEnding::Checkmate)
        } else {
            Some(BoardEnding::Stalemate)
        }
    }

    /// The name in [`Ending::board`](super::Ending::board).
    pub(super) const fn name(self) -> &'static str {
        match self {
            BoardEnding::Checkmate => "checkmate",
            BoardEnding::Stalemate => "stalemate",
            BoardEnding::InsufficientMaterial => "insufficient-material",
        }
    }

    /// The result of a game with this ending, given the side to move.
    pub(super) const fn result(self, turn: Color) -> Termination {
        match (self, turn) {
            (BoardEnding::Checkmate, Color::White) => Termination::BlackWins,
            (BoardEnding::Checkmate, Color::Black) => Termination::WhiteWins,
            (BoardEnding::Stalemate | BoardEnding::InsufficientMaterial, _) => Termination::Draw,
        }
    }
}

/// The result of a game that ends in a position by checkmate, stalemate or insufficient material.
pub fn result_on_board(position: &Position) -> Option<Termination> {
    let ending = BoardEnding::of(position)?;
    Some(ending.result(position.turn()))
}
