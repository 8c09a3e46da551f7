//! Numbers of moves, and the lines on which they stand.

use crate::board::{Color, Setup};

/// Lines of movetext have fewer characters (PGN §8.2.1).
pub(super) const LINE_CHARACTERS: usize = 80;

/// Where a move stands: the number of its full move, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveNumber {
    pub(super) number: u32,
    pub(super) turn: Color,
}

impl MoveNumber {
    pub(super) fn first(fen: Option<&str>) -> MoveNumber {
        let setup = fen.and_then(|fen| Setup::from_fen(fen).ok()).unwrap_or(Setup::EMPTY);
        MoveNumber { number: setup.fullmove_number.max(1), turn: setup.turn }
    }

    pub(super) fn next(self) -> MoveNumber {
        let number = self.number.saturating_add(u32::from(self.turn == Color::Black));
        MoveNumber { number, turn: !self.turn }
    }
}
