//! The ending of a game on the board, regardless of its tags.

use crate::board::{Color, Position};
use crate::pgn::Termination;

/// The ending of a game in a position: `insufficient-material`, `checkmate` or `stalemate`.
pub(super) fn board_ending(position: &Position) -> Option<&'static str> {
    if position.is_insufficient_material() {
        return Some("insufficient-material");
    }

    if position.has_legal_move() {
        None
    } else if position.is_check() {
        Some("checkmate")
    } else {
        Some("stalemate")
    }
}

/// The result of a game with such an ending and this side to move.
pub(super) fn result_of_ending(ending: &str, turn: Color) -> Termination {
    match (ending, turn) {
        ("checkmate", Color::White) => Termination::BlackWins,
        ("checkmate", Color::Black) => Termination::WhiteWins,
        _ => Termination::Draw,
    }
}

/// The result of a game that ends in a position by checkmate, stalemate or insufficient material.
pub fn result_on_board(position: &Position) -> Option<Termination> {
    let ending = board_ending(position)?;
    Some(result_of_ending(ending, position.turn()))
}
