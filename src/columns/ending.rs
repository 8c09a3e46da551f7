//! How games end on the board.

use std::str::FromStr;

/// What is true of the last position of a game, or of the game, whatever its result says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingKind {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Nobody can mate.
    InsufficientMaterial,
    /// A position stood three times.
    Threefold,
    /// A position stood five times.
    Fivefold,
    /// Fifty moves by each side without capture or pawn move.
    FiftyMoves,
    /// Seventy-five of them.
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

    /// Its name.
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

/// A text that is no ending.
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
        kinds.find(|kind| kind.as_str().eq_ignore_ascii_case(text)).ok_or(ParseEndingError)
    }
}
