//! Position keys of the Polyglot book format.

use super::{Position, is_double_step};
use crate::board::{Move, Role, Square, attacks, zobrist};

impl Position {
    /// The key of this position in a Polyglot book, given the last move.
    ///
    /// It equals [`Position::key`], except that Polyglot includes an en passant file whenever a pawn is beside one that
    /// has just made a double step, whether or not it may legally capture. The board does not show this, so the last
    /// move is needed; without it, only legal captures are included.
    ///
    /// ```
    /// use stamma_chess::board::{Move, Position, Role, Square};
    /// let mut position = Position::from_fen("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1")?;
    /// let e4 = Move::normal(Role::Pawn, Square::E2, Square::E4);
    /// position.play(e4);
    /// assert_eq!(position.key(), position.polyglot_key(None), "dxe3 would leave the king in check");
    /// assert_ne!(position.key(), position.polyglot_key(Some(e4)), "a Polyglot book does not ask");
    /// # Ok::<(), stamma_chess::board::FenError>(())
    /// ```
    pub fn polyglot_key(&self, last: Option<Move>) -> u64 {
        let key = self.key();
        // The key has the file of a legal capture already.
        if self.en_passant.is_some() {
            return key;
        }
        let Some(passed) = last.and_then(passed_square) else {
            return key;
        };

        let capturers = attacks::pawn(!self.turn, passed) & self.pieces(self.turn, Role::Pawn);
        if capturers.any() {
            key ^ zobrist::en_passant(passed)
        } else {
            key
        }
    }
}

/// The square that a pawn's double step passed over.
fn passed_square(mv: Move) -> Option<Square> {
    if !is_double_step(mv) {
        return None;
    }

    let from = mv.from.index();
    let to = mv.to.index();
    Some(Square::new((from + to) as u8 / 2))
}

#[cfg(test)]
mod tests {
    use crate::replay::Mainline;

    /// The key after a mainline.
    fn key(moves: &str) -> u64 {
        let mut line = Mainline::new(None, moves).expect("the usual start");
        let mut last = None;

        while let Some((_, mv)) = line.next().expect("moves of chess") {
            line.play(mv);
            last = Some(mv);
        }

        line.position().polyglot_key(last)
    }

    macro_rules! published {
        ($($name:ident: $moves:expr => $key:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(key($moves), $key);
            }
        )*};
    }

    // The examples of the format's description (Polyglot 1.4, book format).
    published! {
        start: "" => 0x463b_9618_1691_fc9c;
        after_e4: "e4" => 0x823c_9b50_fd11_4196;
        after_d5: "e4 d5" => 0x0756_b944_61c5_0fb0;
        after_e5: "e4 d5 e5" => 0x662f_afb9_65db_29d4;
        after_f5: "e4 d5 e5 f5" => 0x22a4_8b5a_8e47_ff78;
        after_king_moves: "e4 d5 e5 f5 Ke2" => 0x652a_607c_a3f2_42c1;
        after_both_kings_move: "e4 d5 e5 f5 Ke2 Kf7" => 0x00fd_d303_c946_bdd9;
        after_c4: "a4 b5 h4 b4 c4" => 0x3c81_23ea_7b06_7637;
        after_rook_moves: "a4 b5 h4 b4 c4 bxc3 Ra3" => 0x5c3f_9b82_9b27_9560;
    }
}
