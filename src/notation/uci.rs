//! Moves as chess engines take them: coordinates, and castling in one of two ways.

use crate::board::{Bitboard, Color, Move, MoveKind, Position, Role, Square};

/// How the moves of a game are written for an engine that speaks UCI.
///
/// In standard chess castling is the king's move, `e1g1`; in Chess960, where that may be another
/// move, it is king takes own rook, `e1h1`.
///
/// ```
/// use stamma::board::{Move, Position, Square};
/// use stamma::notation::Uci;
/// let castles = Move::castle(Square::at(4, 0), Square::at(7, 0));
/// assert_eq!(Uci::of(&Position::start()).text(castles), "e1g1");
/// let shuffled = Position::from_fen("rkbnqnbr/pppppppp/8/8/8/8/PPPPPPPP/RKBNQNBR w KQkq - 0 1")?;
/// assert_eq!(Uci::of(&shuffled).text(castles), "e1h1");
/// # Ok::<(), stamma::board::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uci {
    king_takes_rook: bool,
}

impl Uci {
    /// How a game that starts from a position is written: as Chess960 when its pieces stand at home
    /// in another order than the usual one, or when a king or rook that may castle does not stand
    /// where it does in chess.
    pub fn of(start: &Position) -> Uci {
        Uci { king_takes_rook: is_shuffled(start) || castles_from_elsewhere(start) }
    }

    /// A move, `0000` for a null move.
    pub fn text(self, mv: Move) -> String {
        if mv.kind != MoveKind::Castle || self.king_takes_rook {
            return mv.to_string();
        }
        let file = if mv.to.file() > mv.from.file() { 6 } else { 2 };
        format!("{}{}", mv.from, Square::at(file, mv.from.rank()))
    }
}

fn is_shuffled(start: &Position) -> bool {
    let usual = Position::start();
    let is_at_home = start.occupied() == usual.occupied()
        && start.role(Role::Pawn) == usual.role(Role::Pawn)
        && start.side(Color::White) == usual.side(Color::White);
    is_at_home && Role::ALL.into_iter().any(|role| start.role(role) != usual.role(role))
}

fn castles_from_elsewhere(start: &Position) -> bool {
    const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
    let rooks = start.castling();
    let king_is_elsewhere =
        |color: Color| (rooks & Bitboard::home_rank(color)).any() && start.king(color).file() != 4;
    (rooks & !CORNERS).any() || Color::ALL.into_iter().any(king_is_elsewhere)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::San;

    macro_rules! writes {
        ($($name:ident: $fen:expr, $san:expr => $uci:expr;)*) => {$(
            #[test]
            fn $name() {
                let position = Position::from_fen($fen).expect("a legal position");
                let san = San::parse($san.as_bytes()).expect("a move text");
                let mv = san.resolve(&position).expect("a legal move").mv;
                assert_eq!(Uci::of(&position).text(mv), $uci);
            }
        )*};
    }

    writes! {
        pawn: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4" => "e2e4";
        promotion: "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8=N" => "a7a8n";
        en_passant: "4k3/8/8/8/4Pp2/8/8/4K3 b - e3", "fxe3" => "f4e3";
        short: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O" => "e1g1";
        long: "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O" => "e8c8";
        rook_not_in_the_corner: "4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "O-O" => "e1f1";
        king_not_on_the_e_file: "3k3r/8/8/8/8/8/8/3K3R w Kk - 0 1", "O-O" => "d1h1";
        shuffled_with_the_king_at_home:
            "rbnqk2r/pppppppp/5n2/6b1/6B1/5N2/PPPPPPPP/RBNQK2R w KQkq - 0 1", "O-O" => "e1g1";
        null_move: "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--" => "0000";
    }

    #[test]
    fn pieces_at_home_in_another_order_are_chess960() {
        let start = "rbnqknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR w KQkq - 0 1";
        let start = Position::from_fen(start).expect("a legal position");
        assert_eq!(Uci::of(&start), Uci { king_takes_rook: true });
        assert_eq!(Uci::of(&Position::start()), Uci { king_takes_rook: false });
    }
}
