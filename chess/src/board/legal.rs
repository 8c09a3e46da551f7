//! Legal move generation, checkmate and stalemate.

use super::{Bitboard, Color, Move, MoveKind, Position, Rank, Role, Square, attacks};

/// The number of legal moves for which room is made; most positions have fewer.
const RESERVED_MOVES: usize = 48;

impl Position {
    /// All legal moves, in unspecified order.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(RESERVED_MOVES);
        self.for_each_legal(|mv| {
            moves.push(mv);
            true
        });
        moves
    }

    /// Returns `true` if the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        !self.for_each_legal(|_| false)
    }

    /// Returns `true` if the side to move is in check and has no legal move.
    #[inline]
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Returns `true` if the side to move is not in check and has no legal move.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }

    /// Returns `true` if no sequence of moves can mate: king against king, with a lone minor piece, or with bishops on
    /// squares of one colour only (FIDE Laws 5.2.2, without locked positions).
    pub fn is_insufficient_material(&self) -> bool {
        let majors_and_pawns =
            self.role(Role::Pawn) | self.role(Role::Rook) | self.role(Role::Queen);
        if majors_and_pawns.any() {
            return false;
        }

        // Both sides count together: a knight can mate with the help of any other minor piece, the opponent's included.
        let knights = self.role(Role::Knight);
        let bishops = self.role(Role::Bishop);
        if knights.any() {
            return bishops.is_empty() && knights.single().is_some();
        }

        let on_light_squares = bishops & Bitboard::LIGHT_SQUARES;
        on_light_squares.is_empty() || on_light_squares == bishops
    }

    /// Returns `true` if this move, with all its fields, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        if mv.kind == MoveKind::Null {
            return self.may_pass();
        }
        !self.for_each_legal(|legal| legal != mv)
    }

    /// Returns `true` if a null move leads to a legal position: the side to move is not in check.
    #[inline]
    pub fn may_pass(&self) -> bool {
        !self.is_check()
    }

    /// Returns `true` if a piece of this role may move to a square without leaving its king in check. The piece must
    /// attack the square, or be a pawn that can advance to it.
    #[inline]
    pub(crate) fn may_move(&self, role: Role, from: Square, to: Square) -> bool {
        match role {
            Role::King => self.king_may_step(to),
            _ => self.keeps_king_safe(from, to),
        }
    }

    /// Calls `visit` with each legal move until it returns `false`; returns `false` if it did.
    fn for_each_legal(&self, mut visit: impl FnMut(Move) -> bool) -> bool {
        let us = self.turn();
        let own = self.side(us);
        let king = self.king(us);

        for to in attacks::king(king) & !own {
            if self.king_may_step(to) && !visit(Move::normal(Role::King, king, to)) {
                return false;
            }
        }
        // No other move answers a double check.
        if self.checkers().more_than_one() {
            return true;
        }

        self.each_piece_move(own, &mut visit)
            && self.each_pawn_move(&mut visit)
            && self.each_castling(&mut visit)
    }

    /// Visits the moves of knights, bishops, rooks and queens; returns `false` if `visit` did.
    fn each_piece_move(&self, own: Bitboard, visit: &mut impl FnMut(Move) -> bool) -> bool {
        let occupied = self.occupied();
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in own & self.role(role) {
                for to in attacks::of_role(role, self.turn(), from, occupied) & !own {
                    if self.keeps_king_safe(from, to) && !visit(Move::normal(role, from, to)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Visits the moves of pawns; returns `false` if `visit` did.
    fn each_pawn_move(&self, visit: &mut impl FnMut(Move) -> bool) -> bool {
        let us = self.turn();
        for from in self.pieces(us, Role::Pawn) {
            let captures = attacks::pawn(us, from) & self.side(!us);
            let steps = self.pawn_steps(us, from);
            for to in captures | steps {
                if self.keeps_king_safe(from, to) && !each_pawn_arrival(from, to, visit) {
                    return false;
                }
            }

            if let Some(to) = self.en_passant()
                && attacks::pawn(us, from).contains(to)
                && self.en_passant_is_safe(from, to)
                && !visit(Move::en_passant(from, to))
            {
                return false;
            }
        }
        true
    }

    /// The empty squares to which a pawn may advance.
    fn pawn_steps(&self, us: Color, from: Square) -> Bitboard {
        let forward = if us.is_white() { 1 } else { -1 };
        let free = |square: &Square| self.is_free(*square);

        let Some(one) = from.offset(0, forward).filter(free) else {
            return Bitboard::EMPTY;
        };
        let single_step = Bitboard::of(one);

        let two = from.offset(0, 2 * forward).filter(free);
        match two {
            Some(two) if from.rank() == Rank::TWO.of_side(us) => single_step.with(two),
            _ => single_step,
        }
    }

    /// Visits castling; returns `false` if `visit` did.
    fn each_castling(&self, visit: &mut impl FnMut(Move) -> bool) -> bool {
        let king = self.king(self.turn());
        let rooks = self.castling() & Bitboard::home_rank(self.turn());

        rooks
            .into_iter()
            .filter(|&rook| self.may_castle(rook))
            .all(|rook| visit(Move::castle(king, rook)))
    }
}

/// Visits the move of a pawn to a square: one move for each promotion on the last rank.
fn each_pawn_arrival(from: Square, to: Square, visit: &mut impl FnMut(Move) -> bool) -> bool {
    if Bitboard::BACK_RANKS.contains(to) {
        Role::PROMOTIONS
            .into_iter()
            .all(|role| visit(Move::promotion(from, to, role)))
    } else {
        visit(Move::normal(Role::Pawn, from, to))
    }
}

/// The number of move sequences of this length; the standard test of a move generator.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }

    // The moves of the last half-move are counted without being played, as other programs count them.
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }

    let mut sequences = 0;
    for mv in moves {
        let mut next = position.clone();
        next.play(mv);
        sequences += perft(&next, depth - 1);
    }
    sequences
}
