//! Engine notation (UCI): moves as origin, target and promotion, with two conventions for castling.

use crate::board::{Bitboard, Color, File, Move, MoveKind, Position, Role, Square};

/// A move in the notation of the Universal Chess Interface: `e2e4`, `e7e8q`, `0000` for a null move.
///
/// Castling from the king's standard square with a rook in the corner is the king's step, `e1g1`; otherwise it is king
/// takes rook, as in Chess960.
pub fn uci(mv: Move) -> String {
    Uci::new(false).text(mv)
}

/// The legal move of a text in the notation of the Universal Chess Interface; castling is the king's step, or king
/// takes rook.
///
/// ```
/// use stamma_chess::board::{Move, Position, Square};
/// use stamma_chess::notation::read_uci;
/// let castles = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
/// assert_eq!(read_uci("e1g1", &castles), Some(Move::castle(Square::E1, Square::H1)));
/// assert_eq!(read_uci("e1h1", &castles), Some(Move::castle(Square::E1, Square::H1)));
/// assert_eq!(read_uci("e1e3", &castles), None);
/// # Ok::<(), stamma_chess::board::FenError>(())
/// ```
pub fn read_uci(text: &str, position: &Position) -> Option<Move> {
    let (squares, promotion) = text.as_bytes().split_at_checked(4)?;
    let &[from_file, from_rank, to_file, to_rank] = squares else {
        return None;
    };
    let from = Square::from_ascii(from_file, from_rank)?;
    let to = Square::from_ascii(to_file, to_rank)?;

    let promotion = match promotion {
        [] => None,
        // Some programs write a capital.
        [letter] => Some(Role::from_letter(letter.to_ascii_uppercase())?),
        _ => return None,
    };

    position.legal_moves().into_iter().find(|mv| {
        // A castling move has the rook's square in `to`, and the king's in `destination`.
        let ends_there = mv.to == to || mv.destination() == to;
        mv.from == from && ends_there && mv.promotion == promotion
    })
}

/// The castling convention for the moves of a whole game.
///
/// In a game of Chess960, where the king's step may be another move, castling is always king takes rook, even from the
/// king's standard square.
///
/// ```
/// use stamma_chess::board::{Move, Position, Square};
/// use stamma_chess::notation::Uci;
/// let castles = Move::castle(Square::E1, Square::H1);
/// assert_eq!(Uci::of(&Position::start()).text(castles), "e1g1");
/// let shuffled = Position::from_fen("rbnqknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR w KQkq - 0 1")?;
/// assert_eq!(Uci::of(&shuffled).text(castles), "e1h1");
/// # Ok::<(), stamma_chess::board::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uci {
    king_takes_rook: bool,
}

impl Uci {
    /// The convention for games from a start position.
    ///
    /// It is the convention of Chess960 if the pieces are on the back rank in another order than the standard one, or
    /// if a king or rook that may castle is not on its standard square.
    pub fn of(start: &Position) -> Uci {
        Uci {
            king_takes_rook: is_shuffled(start) || castles_from_elsewhere(start),
        }
    }

    /// The convention with castling always as king takes rook, or only where necessary.
    pub(super) const fn new(king_takes_rook: bool) -> Uci {
        Uci { king_takes_rook }
    }

    /// Returns `true` if castling is always king takes rook.
    pub const fn king_takes_rook(self) -> bool {
        self.king_takes_rook
    }

    /// The text of a move, as by [`uci`] except for castling.
    pub fn text(self, mv: Move) -> String {
        let mut text = String::with_capacity(5);
        self.write(mv, &mut text);
        text
    }

    /// Appends a move.
    pub(super) fn write(self, mv: Move, out: &mut String) {
        if mv.kind == MoveKind::Null {
            return out.push_str("0000");
        }

        for square in [mv.from, self.target(mv)] {
            out.push(square.file().letter() as char);
            out.push(square.rank().digit() as char);
        }

        if let Some(role) = mv.promotion {
            out.push(role.letter().to_ascii_lowercase() as char);
        }
    }

    /// The square that is written as the target.
    pub(super) fn target(self, mv: Move) -> Square {
        match mv.kind {
            MoveKind::Castle if !self.king_takes_rook && is_from_standard_files(mv) => {
                mv.destination()
            }
            _ => mv.to,
        }
    }
}

/// Returns `true` for castling of a king on the e-file with a rook on the a- or the h-file.
fn is_from_standard_files(castling: Move) -> bool {
    castling.from.file() == File::E && matches!(castling.to.file(), File::A | File::H)
}

/// Returns `true` for a start position of Chess960 that is not the standard one.
fn is_shuffled(start: &Position) -> bool {
    let standard = Position::start();

    // A start position of Chess960 differs from the standard one only in the order of the pieces on the back ranks.
    let has_standard_squares = start.occupied() == standard.occupied()
        && start.role(Role::Pawn) == standard.role(Role::Pawn)
        && start.side(Color::White) == standard.side(Color::White);
    if !has_standard_squares {
        return false;
    }

    Role::ALL
        .into_iter()
        .any(|role| start.role(role) != standard.role(role))
}

/// Returns `true` if a king or rook that may castle is not on its standard square.
fn castles_from_elsewhere(start: &Position) -> bool {
    let rooks = start.castling();
    if (rooks & !Bitboard::CORNERS).any() {
        return true;
    }

    Color::ALL.into_iter().any(|color| {
        let may_castle = (rooks & Bitboard::home_rank(color)).any();
        may_castle && start.king(color).file() != File::E
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CastlingSide;
    use crate::notation::San;

    #[test]
    fn every_legal_move_is_read_and_nothing_else() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ];
        for fen in fens {
            let position = Position::from_fen(fen).expect("a legal position");
            for mv in position.legal_moves() {
                assert_eq!(read_uci(&uci(mv), &position), Some(mv));
                assert_eq!(read_uci(&mv.to_string(), &position), Some(mv));
            }
            for text in [
                "",
                "e2",
                "0000",
                "(none)",
                "e2e9",
                "e2e4e",
                "e7e8k",
                "a1a1",
                "e2e4\u{e9}",
                "é2e4",
            ] {
                assert_eq!(read_uci(text, &position), None, "{text}");
            }
        }
    }

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

    macro_rules! castles {
        ($($name:ident: $start:expr => $uci:expr;)*) => {$(
            #[test]
            fn $name() {
                let start = Position::from_fen($start).expect("a legal position");
                let rook = start
                    .castling_rook(Color::White, CastlingSide::King)
                    .expect("a rook that may castle");
                let castles = Move::castle(start.king(Color::White), rook);
                assert_eq!(Uci::of(&start).text(castles), $uci);
            }
        )*};
    }

    castles! {
        in_chess: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" => "e1g1";
        from_a_later_position: "rnbqk2r/ppp2ppp/8/8/8/8/PPP2PPP/RNBQK2R w KQkq - 4 9" => "e1g1";
        with_pieces_in_another_order:
            "rbnqknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR w KQkq - 0 1" => "e1h1";
        with_another_rook: "4k3/8/8/8/8/8/8/4KR2 w F - 0 1" => "e1f1";
        with_the_king_elsewhere: "3k3r/8/8/8/8/8/8/3K3R w Kk - 0 1" => "d1h1";
        when_the_other_side_is_elsewhere: "2k4r/8/8/8/8/8/8/4K2R w Kk - 0 1" => "e1h1";
    }
}
