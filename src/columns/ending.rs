//! The ways in which games end on the board.

use std::str::FromStr;

/// A property of the last position of a game, or of the whole game, regardless of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingKind {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// A position occurred three times.
    Threefold,
    /// A position occurred five times.
    Fivefold,
    /// Fifty moves by each side without a capture or pawn move.
    FiftyMoves,
    /// Seventy-five moves by each side without a capture or pawn move.
    SeventyFiveMoves,
}

impl EndingKind {
    /// All kinds.
    pub const ALL: [EndingKind; 7] = [
        EndingKind::Checkmate,
        EndingKind::Stalemate,
        EndingKind::InsufficientMaterial,
        EndingKind::Threefold,
        EndingKind::Fivefold,
        EndingKind::FiftyMoves,
        EndingKind::SeventyFiveMoves,
    ];

    /// The name of the kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            EndingKind::Checkmate => "checkmate",
            EndingKind::Stalemate => "stalemate",
            EndingKind::InsufficientMaterial => "insufficient-material",
            EndingKind::Threefold => "threefold",
            EndingKind::Fivefold => "fivefold",
            EndingKind::FiftyMoves => "fifty-moves",
            EndingKind::SeventyFiveMoves => "seventy-five-moves",
        }
    }
}

/// The error for a text that is not an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "give an ending: checkmate, stalemate, insufficient-material, threefold, fivefold, fifty-moves or \
     seventy-five-moves"
)]
pub struct ParseEndingError;

impl FromStr for EndingKind {
    type Err = ParseEndingError;

    fn from_str(text: &str) -> Result<EndingKind, ParseEndingError> {
        let mut kinds = EndingKind::ALL.into_iter();
        kinds
            .find(|kind| kind.as_str().eq_ignore_ascii_case(text))
            .ok_or(ParseEndingError)
    }
}
