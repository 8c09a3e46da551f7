//! The start positions of games, set up by shakmaty.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionError};

/// The position of a FEN of standard chess or of Chess960, or the standard start without a FEN. A side may have more men
/// than a game allows.
///
/// # Panics
/// If the FEN is of no legal position for another reason.
pub(crate) fn start_position(fen: Option<&str>) -> Chess {
    let Some(fen) = fen else {
        return Chess::default();
    };

    // The mode of Chess960 accepts castling rights of standard chess, too.
    let read: Fen = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let result = read.into_position::<Chess>(CastlingMode::Chess960);

    // Stamma accepts more men than a game allows.
    result
        .or_else(PositionError::ignore_too_much_material)
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
}
