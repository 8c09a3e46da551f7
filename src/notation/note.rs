//! What a text says beyond the move that it means, when that is not so.

use std::fmt;

/// Something that a reader may want to report of a move text that was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// A check is said, and there is none.
    FalseCheck,
    /// A double check is said, or by a sign that may say either mate, and there is neither.
    FalseDoubleCheck,
    /// Mate is said, and it is not.
    FalseMate,
    /// A capture is said, and nothing is taken.
    FalseCapture,
    /// Something else is taken than is said.
    FalseCaptured,
    /// A capture in passing is said, and it is none.
    FalseEnPassant,
    /// `QR`, `KN` and the like, and another such piece stands further to that wing.
    FalseWing,
    /// Of several moves, one is as the text says of check, mate, en passant or the captured piece.
    DecidedByMark,
    /// Of several moves, that of the piece further to the wing that is said: `QR-Q1`. Where a piece
    /// started cannot be seen in a position.
    DecidedByWing,
    /// It is misspelt: `E2-E4`, `Txdl`, a bishop in lower case, a Latin `C` for the Cyrillic letter.
    ///
    /// Whoever tries one language after the other should take it for a fault: with the right letters
    /// most slips are none.
    Slip,
    /// A pawn reaches the last rank and nothing says what it becomes.
    QueenAssumed,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Note::FalseCheck => "a check is said that is none",
            Note::FalseDoubleCheck => "a double check or mate is said that is neither",
            Note::FalseMate => "mate is said where there is none",
            Note::FalseCapture => "a capture is said and nothing is taken",
            Note::FalseCaptured => "another piece is taken than is said",
            Note::FalseEnPassant => "a capture in passing is said that is none",
            Note::FalseWing => "another such piece stands further to the wing that is said",
            Note::DecidedByMark => "only what is said of check or capture tells it from others",
            Note::DecidedByWing => "where the pieces stand was taken for where they come from",
            Note::Slip => "it is misspelt",
            Note::QueenAssumed => "what the pawn becomes is not said",
        })
    }
}
