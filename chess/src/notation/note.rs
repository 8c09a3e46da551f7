//! False or doubtful statements in a move text that was understood.

use std::fmt;

/// A remark on a move text that was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// The text claims check, but there is none.
    FalseCheck,
    /// The text claims double check, or has a sign for either double check or mate, but there is neither.
    FalseDoubleCheck,
    /// The text claims mate, but there is none.
    FalseMate,
    /// The text claims a capture, but nothing is captured.
    FalseCapture,
    /// The captured piece differs from the text.
    FalseCaptured,
    /// The text claims an en passant capture, but there is none.
    FalseEnPassant,
    /// The text has `QR`, `KN` or the like, but another such piece is further towards that wing.
    FalseWing,
    /// Several moves match; check, mate, en passant or the captured piece decided.
    DecidedByMark,
    /// Several moves match; the wing decided, as in `QR-Q1`. A position does not show where a piece started.
    DecidedByWing,
    /// The text is misspelt: `E2-E4`, `Txdl`, a bishop in lower case, a Latin `C` for the Cyrillic letter.
    ///
    /// Callers that try several languages should treat it as a fault: with the right letters most slips vanish.
    Slip,
    /// A pawn reaches the last rank without a promotion in the text.
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
