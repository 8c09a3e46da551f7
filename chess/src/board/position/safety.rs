//! King safety of pseudo-legal moves.

use super::{Position, with_free_way};
use crate::board::{Bitboard, Square, attacks, castling_targets};

impl Position {
    /// Returns `true` if the king of the side to move is safe after its piece goes from one square to another; not for
    /// king moves, en passant and castling.
    #[inline(always)]
    pub(crate) fn keeps_king_safe(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.turn);

        // A single check is answered by capturing the checker or by stepping between.
        if let Some(checker) = self.checkers.first() {
            let answers = attacks::between(king, checker).with(checker);
            if self.checkers.more_than_one() || !answers.contains(to) {
                return false;
            }
        }

        // Nearly always, no slider is on the line, and the piece cannot be pinned.
        let line = attacks::through(king, from);
        let sliders = self.sliders_on(!self.turn, line);
        sliders.is_empty()
            || (line.straight | line.diagonal).contains(to)
            || with_free_way(sliders, king, self.occupied().without(from)).is_empty()
    }

    /// Returns `true` if the king of the side to move may step to a square.
    #[inline]
    pub(in crate::board) fn king_may_step(&self, to: Square) -> bool {
        let king = self.king(self.turn);
        // The king does not shield the square behind it from a slider.
        let occupied = self.occupied().without(king).with(to);

        self.attackers(!self.turn, to, occupied)
            .without(to)
            .is_empty()
    }

    /// Returns `true` if the side to move may capture en passant from one square to another.
    pub(crate) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let captured = Square::at(to.file(), from.rank());
        let occupied = self.occupied().without(from).without(captured).with(to);
        let king = self.king(self.turn);

        self.attackers(!self.turn, king, occupied)
            .without(to)
            .is_empty()
    }

    /// Returns `true` if the side to move may castle with the rook on a square: it has the right, the path is free, and
    /// the king neither is in check nor passes through or ends in one.
    pub(crate) fn may_castle(&self, rook: Square) -> bool {
        if !(self.castling & Bitboard::home_rank(self.turn)).contains(rook) || self.is_check() {
            return false;
        }

        let king = self.king(self.turn);
        let (king_to, rook_to) = castling_targets(king, rook);
        let others = self.occupied().without(king).without(rook);
        let king_way = attacks::between(king, king_to).with(king_to);
        let rook_way = attacks::between(rook, rook_to).with(rook_to);
        if ((king_way | rook_way) & others).any() {
            return false;
        }

        // In Chess960, the rook may be the only shield of the king's last square, and leave it.
        let after = others.with(rook_to);
        king_way.into_iter().all(|square| {
            let occupied = if square == king_to {
                after
            } else {
                others.with(rook)
            };
            self.attackers(!self.turn, square, occupied).is_empty()
        })
    }
}
