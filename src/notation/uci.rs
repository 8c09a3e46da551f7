//! Moves as engines write them: origin, target, and what a pawn becomes.

use crate::board::{Move, MoveKind, Role, Square};

/// A move in the notation of the Universal Chess Interface, `e2e4`, `e7e8q`, `0000` for a null move.
///
/// Castling from the king's usual square with a rook in the corner is the king's step, `e1g1`; else
/// it is king takes rook, as for Chess960.
pub fn uci(mv: Move) -> String {
    let to = match mv.kind {
        MoveKind::Null => return "0000".to_owned(),
        MoveKind::Castle => king_target(mv.from, mv.to),
        MoveKind::Normal | MoveKind::EnPassant => mv.to,
    };
    let promotion = match mv.promotion {
        Some(Role::Knight) => "n",
        Some(Role::Bishop) => "b",
        Some(Role::Rook) => "r",
        Some(Role::Queen) => "q",
        _ => "",
    };
    format!("{}{to}{promotion}", mv.from)
}

fn king_target(king: Square, rook: Square) -> Square {
    match (king.file(), rook.file()) {
        (4, 7) => Square::at(6, king.rank()),
        (4, 0) => Square::at(2, king.rank()),
        _ => rook,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::notation::San;

    macro_rules! writes {
        ($($name:ident: $fen:expr, $san:expr => $uci:expr;)*) => {$(
            #[test]
            fn $name() {
                let position = Position::from_fen($fen).expect("a legal position");
                let san = San::parse($san.as_bytes()).expect("a move text");
                assert_eq!(uci(san.resolve(&position).expect("a legal move").mv), $uci);
            }
        )*};
    }

    writes! {
        pawn: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4" => "e2e4";
        promotion: "8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8=N" => "e7e8n";
        short_castling: "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O" => "e1g1";
        long_castling: "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "O-O-O" => "e8c8";
        chess960_castling: "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "O-O" => "e1g1";
        chess960_king: "4k3/8/8/8/8/8/8/1R1K2R1 w GB - 0 1", "O-O-O" => "d1b1";
        null: "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--" => "0000";
    }
}
