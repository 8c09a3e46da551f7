//! Positions of tests, by their FEN.

use stamma_chess::board::Position;

/// The position of a FEN, or the standard one for `start`.
///
/// # Panics
/// If the FEN is of no position.
pub(crate) fn position(fen: &str) -> Position {
    match fen {
        "start" => Position::start(),
        fen => Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")),
    }
}
