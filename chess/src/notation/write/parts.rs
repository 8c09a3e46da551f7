//! Parts shared by several notations.

use crate::board::{Move, Position, Square};

/// The threat of a move to the opponent's king.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Threat {
    None,
    Check,
    DoubleCheck,
    Mate,
}

/// The threat of a legal move; `position` is before the move.
pub(super) fn threat(position: &Position, mv: Move) -> Threat {
    let mut after = position.clone();
    after.play(mv);

    if !after.is_check() {
        Threat::None
    } else if !after.has_legal_move() {
        Threat::Mate
    } else if after.checkers().more_than_one() {
        Threat::DoubleCheck
    } else {
        Threat::Check
    }
}

pub(super) fn push_square(square: Square, out: &mut String) {
    out.push(square.file().letter() as char);
    out.push(square.rank().digit() as char);
}
