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

pub(super) fn threat(position: &Position, mv: Move) -> Threat {
    let mut after = position.clone();
    after.play(mv);
    match (after.is_check(), after.checkers().more_than_one()) {
        (false, _) => Threat::None,
        (true, _) if !after.has_legal_move() => Threat::Mate,
        (true, true) => Threat::DoubleCheck,
        (true, false) => Threat::Check,
    }
}

pub(super) fn push_square(square: Square, out: &mut String) {
    out.push(square.file().letter() as char);
    out.push(square.rank().digit() as char);
}
