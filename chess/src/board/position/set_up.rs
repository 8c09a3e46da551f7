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
            let Some(piece) = setup.pieces[square.index()] else {
                continue;
            };
            position.put(square, piece);
            if piece.role == Role::King {
                position.kings[piece.color.index()] = square;
            }
        }

        position.set_castling(position.possible_castling(setup.castling));
        position.halfmove_clock = setup.halfmove_clock;
        position.fullmove_number = setup.fullmove_number.max(1);

        let king = position.king(setup.turn);
        position.checkers = position.attackers(!setup.turn, king, position.occupied());

        // Last, because whether a capture is legal depends on the pieces and the kings.
        position.en_passant = setup
            .en_passant
            .filter(|&square| position.pawn_just_passed(square));

        Ok(position)
    }
}

impl Position {
    /// The rooks of a FEN's castling rights that are on the king's home rank, at most one on each side of the king.
    fn possible_castling(&self, castling: Bitboard) -> Bitboard {
        let mut possible = Bitboard::EMPTY;
        for color in Color::ALL {
            let king = self.king(color);
            let home = Bitboard::home_rank(color);
            if !home.contains(king) {
                continue;
            }

            // Of two rooks on one side of the king, the outermost may castle.
            let rooks = castling & home & self.pieces(color, Role::Rook);
            let left = rooks.first().filter(|rook| rook.file() < king.file());
            let right = rooks.last().filter(|rook| rook.file() > king.file());
            for rook in [left, right].into_iter().flatten() {
                possible = possible.with(rook);
            }
        }
        possible
    }

    /// Returns `true` if a pawn may just have passed this square and may legally be captured there.
    fn pawn_just_passed(&self, square: Square) -> bool {
        if square.rank() != Rank::SIX.of_side(self.turn) {
            return false;
        }

        // The pawn has come from the rank behind the square, seen from the side to move, and now stands before it.
        let forward = if self.turn.is_white() { 1 } else { -1 };
        let (Some(origin), Some(target)) = (square.offset(0, forward), square.offset(0, -forward))
        else {
            return false;
        };

        let is_double_step = self.is_free(square)
            && self.is_free(origin)
            && self.pieces(!self.turn, Role::Pawn).contains(target);

        is_double_step && self.has_en_passant(square)
    }
}
