//! Playing moves on a position.

use super::{Position, is_double_step, with_free_way};
use crate::board::{
    Bitboard, Color, Move, MoveKind, Piece, Role, Square, attacks, castling_targets, zobrist,
};

impl Position {
    /// Plays a legal move.
    ///
    /// An illegal move gives a meaningless position, but does no other harm.
    #[inline(always)]
    pub fn play(&mut self, mv: Move) {
        if mv.kind != MoveKind::Normal {
            return self.play_special(mv);
        }

        let us = self.turn;
        let is_capture = !self.is_free(mv.to);

        // A rook can no longer castle once it has left its square or was captured there.
        let mut lost = Bitboard::of(mv.from) | Bitboard::of(mv.to);
        if mv.role == Role::King {
            lost |= Bitboard::home_rank(us);
            self.kings[us.index()] = mv.to;
        }
        if (self.castling & lost).any() {
            self.lose_castling(lost, mv);
        }

        let piece = Piece {
            color: us,
            role: mv.role,
        };
        self.move_piece(mv.from, mv.to, piece);
        if let Some(role) = mv.promotion {
            self.promote(mv.to, role);
        }
        self.end_move(is_capture || mv.role == Role::Pawn);

        self.checkers = self.checkers_after(mv);
        self.en_passant = None;
        if is_double_step(mv) {
            self.set_en_passant(mv);
        }
    }

    /// Plays castling, en passant and null moves.
    #[cold]
    fn play_special(&mut self, mv: Move) {
        match mv.kind {
            MoveKind::Castle => self.play_castle(mv),
            MoveKind::EnPassant => {
                let captured = Square::at(mv.to.file(), mv.from.rank());
                let pawn = Piece {
                    color: self.turn,
                    role: Role::Pawn,
                };
                self.clear(captured);
                self.move_piece(mv.from, mv.to, pawn);
            }
            MoveKind::Normal | MoveKind::Null => {}
        }
        self.end_move(mv.kind == MoveKind::EnPassant);

        self.en_passant = None;
        self.checkers = self.attackers(!self.turn, self.king(self.turn), self.occupied());
    }

    /// Ends the move: the other side is to move.
    #[inline]
    fn end_move(&mut self, is_irreversible: bool) {
        let clock = self.halfmove_clock.saturating_add(1);
        self.halfmove_clock = if is_irreversible { 0 } else { clock };

        // The number of the full move rises after Black's move (PGN §16.1.3.6).
        let black_moved = u32::from(self.turn == Color::Black);
        self.fullmove_number = self.fullmove_number.saturating_add(black_moved);

        self.turn = !self.turn;
        self.key ^= zobrist::WHITE_TO_MOVE;
    }

    /// Replaces the pawn on a square by a piece of another role.
    #[cold]
    fn promote(&mut self, square: Square, role: Role) {
        let piece = Piece {
            color: self.turn,
            role,
        };
        self.clear(square);
        self.put(square, piece);
    }

    /// Sets the en passant square after a double step, if a legal capture exists.
    #[inline]
    fn set_en_passant(&mut self, mv: Move) {
        let passed = Square::new((mv.from.index() + mv.to.index()) as u8 / 2);
        let adjacent = attacks::pawn(!self.turn, passed);
        let capturers = adjacent & self.pieces(self.turn, Role::Pawn);

        if capturers.any() && self.has_en_passant(passed) {
            self.en_passant = Some(passed);
        }
    }

    /// Moves king and rook, and drops the castling rights of the side.
    fn play_castle(&mut self, mv: Move) {
        let us = self.turn;
        let king = Piece {
            color: us,
            role: Role::King,
        };
        let rook = Piece {
            color: us,
            role: Role::Rook,
        };
        let (king_to, rook_to) = castling_targets(mv.from, mv.to);

        // In Chess960, the king may go to the rook's square, or the rook to the king's, so both are removed first.
        self.clear(mv.from);
        self.clear(mv.to);
        self.put(king_to, king);
        self.put(rook_to, rook);

        self.set_castling(self.castling & !Bitboard::home_rank(us));
        self.kings[us.index()] = king_to;
    }

    /// Drops the castling rights of rooks on these squares; the moving king may already be on its new square.
    #[cold]
    fn lose_castling(&mut self, lost: Bitboard, mv: Move) {
        let moved_to = self.kings;

        // The number of a right in the key depends on its side of the king, so the key is updated with the old square
        // of the king.
        if mv.role == Role::King {
            self.kings[self.turn.index()] = mv.from;
        }
        self.set_castling(self.castling & !lost);

        self.kings = moved_to;
    }

    /// Replaces the castling rights, and updates the key.
    pub(super) fn set_castling(&mut self, rooks: Bitboard) {
        self.key ^= zobrist::castling_rights(self.castling, self.kings);
        self.key ^= zobrist::castling_rights(rooks, self.kings);
        self.castling = rooks;
    }

    /// The pieces that give check after a normal move, once the turn has passed: the moved piece itself, or one that it
    /// uncovered.
    #[inline]
    fn checkers_after(&self, mv: Move) -> Bitboard {
        let us = !self.turn;
        let king = self.king(self.turn);
        let occupied = self.occupied();

        let piece = Piece {
            color: us,
            role: mv.promotion.unwrap_or(mv.role),
        };
        let direct = attacks::origins(piece, king) & Bitboard::of(mv.to);

        let sliders = self.sliders_on(us, attacks::through(king, mv.from));
        let uncovered = with_free_way(sliders, king, occupied);

        if direct.any() && (attacks::between(king, mv.to) & occupied).is_empty() {
            return direct | uncovered;
        }
        uncovered
    }

    /// Returns `true` if the side to move has a legal en passant capture on this square.
    #[cold]
    pub(super) fn has_en_passant(&self, square: Square) -> bool {
        let capturers = attacks::pawn(!self.turn, square) & self.pieces(self.turn, Role::Pawn);
        capturers
            .into_iter()
            .any(|from| self.en_passant_is_safe(from, square))
    }

    /// Puts a piece on an empty square, and updates the key and the sum.
    #[inline]
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        let bit = Bitboard::of(square);
        self.by_role[piece.role.index()] |= bit;
        self.by_color[piece.color.index()] |= bit;
        self.mailbox[square.index()] = piece.kind();

        let number = zobrist::piece(piece.kind(), square);
        self.key ^= number;
        self.sum = self.sum.wrapping_add(number);
    }

    /// Empties a square, which may be empty already. No branch depends on the content of the square.
    #[inline]
    fn clear(&mut self, square: Square) {
        let kind = std::mem::replace(&mut self.mailbox[square.index()], Piece::NO_KIND);
        let role = kind as usize >> 1 & 7;
        let color = kind as usize & 1;

        let bit = Bitboard::of(square);
        self.by_role[role] &= !bit;
        self.by_color[color] &= !bit;

        let number = zobrist::piece(kind, square);
        self.key ^= number;
        self.sum = self.sum.wrapping_sub(number);
    }

    /// Moves a piece to a square, and captures any piece there. No branch depends on the capture, and the key and the
    /// sum stay in registers.
    #[inline]
    fn move_piece(&mut self, from: Square, to: Square, piece: Piece) {
        let mover = piece.kind();
        let taken = self.mailbox[to.index()];
        let taken_role = taken as usize >> 1 & 7;
        let taken_color = taken as usize & 1;

        // An empty square has the role 6, whose set stays empty, and the colour Black, although it is in no set of
        // Black: clearing its bit changes nothing.
        let origin = Bitboard::of(from);
        let target = Bitboard::of(to);
        self.by_role[taken_role] &= !target;
        self.by_color[taken_color] &= !target;
        self.by_role[piece.role.index()] ^= origin | target;
        self.by_color[piece.color.index()] ^= origin | target;

        self.mailbox[from.index()] = Piece::NO_KIND;
        self.mailbox[to.index()] = mover;

        let left = zobrist::piece(mover, from);
        let reached = zobrist::piece(mover, to);
        let gone = zobrist::piece(taken, to);
        self.key ^= left ^ reached ^ gone;
        self.sum = self
            .sum
            .wrapping_add(reached)
            .wrapping_sub(left)
            .wrapping_sub(gone);
    }
}
