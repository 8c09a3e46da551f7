//! Move numbers, and the maximum length of a line.

use crate::board::{Color, Setup};

/// Lines of movetext are shorter than this many characters (PGN §8.2.1).
pub(super) const LINE_CHARACTERS: usize = 80;

/// The number of a full move, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveNumber {
    pub(super) number: u32,
    pub(super) turn: Color,
}

impl MoveNumber {
    /// The number of the first move of a game.
    pub(super) fn first(fen: Option<&str>) -> MoveNumber {
        let setup = fen
            .and_then(|fen| Setup::from_fen(fen).ok())
            .unwrap_or(Setup::EMPTY);

        MoveNumber {
            number: setup.fullmove_number.max(1),
            turn: setup.turn,
        }
    }

    /// The number of the next half-move.
    pub(super) fn next(self) -> MoveNumber {
        let number = self
            .number
            .saturating_add(u32::from(self.turn == Color::Black));
        MoveNumber {
            number,
            turn: !self.turn,
        }
    }
}
