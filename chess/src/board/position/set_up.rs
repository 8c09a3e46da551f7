//! Conversion of a [`Setup`] into a legal position.

use super::Position;
use crate::board::{Bitboard, Color, Rank, Role, Setup, SetupFaults, Square};

/// Drops castling rights without their king or rook and an en passant square without a legal capture, as FEN readers
/// commonly do; returns all other faults as an error.
impl TryFrom<&Setup> for Position {
    type Error = SetupFaults;

    fn try_from(setup: &Setup) -> Result<Position, SetupFaults> {
        let faults = setup.faults();
        if !faults.is_empty() {
            return Err(SetupFaults(faults));
        }
        let mut position = Position::empty(setup.turn);
        for square in Square::all() {
            if let Some(piece) = setup.pieces[square.index()] {
                position.put(square, piece);
                if piece.role == Role::King {
                    position.kings[piece.color.index()] = square;
                }
            }
        }
        position.set_castling(position.possible_castling(setup.castling));
        position.halfmove_clock = setup.halfmove_clock;
        position.fullmove_number = setup.fullmove_number.max(1);
        let king = position.king(setup.turn);
        position.checkers = position.attackers(!setup.turn, king, position.occupied());
        position.en_passant = setup
            .en_passant
            .filter(|&square| position.pawn_just_passed(square));
        Ok(position)
    }
}

impl Position {
    /// Those of the wanted rooks that are on the king's home rank, one on each side of the king.
    fn possible_castling(&self, wanted: Bitboard) -> Bitboard {
        let mut kept = Bitboard::EMPTY;
        for color in Color::ALL {
            let king = self.king(color);
            let home = Bitboard::home_rank(color);
            if !home.contains(king) {
                continue;
            }
            let rooks = wanted & home & self.pieces(color, Role::Rook);
            let right = rooks
                .into_iter()
                .filter(|rook| rook.file() > king.file())
                .last();
            let left = rooks.into_iter().find(|rook| rook.file() < king.file());
            kept |= right.into_iter().chain(left).collect();
        }
        kept
    }

    /// Returns `true` if a pawn may just have passed this square and may legally be captured there.
    fn pawn_just_passed(&self, square: Square) -> bool {
        let forward = if self.turn.is_white() { 8 } else { -8 };
        let origin = Square::new((square.index() as i8 + forward) as u8);
        let target = Square::new((square.index() as i8 - forward) as u8);
        square.rank() == Rank::SIX.of_side(self.turn)
            && self.is_free(square)
            && self.is_free(origin)
            && self.pieces(!self.turn, Role::Pawn).contains(target)
            && self.has_en_passant(square)
    }
}
