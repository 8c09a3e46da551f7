//! The chess core: squares, positions, moves and their legality.
//!
//! Everything here is pure: no text but FEN, no files, and no allocation per replayed move. Standard chess and Chess960
//! have the same rules here: castling is always king takes own rook.

pub(crate) mod attacks;
mod bitboard;
mod color;
mod fen;
mod legal;
mod moves;
mod piece;
mod position;
mod setup;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use fen::FenError;
pub use legal::perft;
pub use moves::{CastlingSide, Move, MoveKind};
pub use piece::{Piece, Role};
pub use position::Position;
pub use setup::{Setup, SetupFault, SetupFaults};
pub use square::{File, Rank, Square};

pub(crate) use moves::castling_targets;

/// The 781 published random numbers of keys, in the order of Polyglot's book format: pieces on squares, castling
/// rights, en passant files, White to move.
pub fn published_numbers() -> impl Iterator<Item = u64> {
    zobrist::published()
}
