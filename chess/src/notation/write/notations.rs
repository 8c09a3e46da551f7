//! Notations and their names.

use crate::notation::System;

/// A notation for moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `Nf3`, `exd6`, `e8=Q+`, `O-O`: PGN §8.2.3.
    San,
    /// `Nf3`, `exd6 e.p.`, `e8Q+`, `0-0`: FIDE Laws, appendix C. Its `e.p.` follows a space.
    Fide,
    /// `Ng1-f3`, `e5xd6`, `e7-e8=Q+`, `O-O`.
    Lan,
    /// `Ng1xBf3`, `e5xd6ep`, `e7-e8=Q+`, `++` for double check and `mat` for mate, `0-0`.
    Full,
    /// `g1-f3`, `e5xd6`, `e7-e8=Q+`, `0-0`.
    Coordinate,
    /// `g1f3`, `e7e8q`, `e1g1`: the notation of chess programs.
    Uci,
    /// `7163`, `57581`, `5171`: the notation of correspondence chess.
    Iccf,
    /// `N-KB3`, `PxPep`, `P-K8=Q`, or `C3AR` and `P8R=D` if the language puts the number first.
    Descriptive,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 8] = [
        Notation::San,
        Notation::Fide,
        Notation::Lan,
        Notation::Full,
        Notation::Coordinate,
        Notation::Uci,
        Notation::Iccf,
        Notation::Descriptive,
    ];

    /// The name in options: `san`, `fide`, `lan`, and so on.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::San => "san",
            Notation::Fide => "fide",
            Notation::Lan => "lan",
            Notation::Full => "full",
            Notation::Coordinate => "coordinate",
            Notation::Uci => "uci",
            Notation::Iccf => "iccf",
            Notation::Descriptive => "descriptive",
        }
    }

    /// The notation with this name.
    pub fn from_name(name: &str) -> Option<Notation> {
        Notation::ALL
            .into_iter()
            .find(|notation| notation.name() == name)
    }

    /// The system that reads this notation.
    pub const fn system(self) -> System {
        match self {
            Notation::Iccf => System::Numeric,
            Notation::Descriptive => System::Descriptive,
            _ => System::Algebraic,
        }
    }
}
