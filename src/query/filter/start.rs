//! Start positions of games: the standard position, a FEN, or odds.

use crate::board::{Bitboard, Color, Position, Rank, Role};

/// The kind of a game's start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum StartKind {
    /// From the usual position of their variant
    Standard,
    /// From a FEN
    Fen,
    /// From a FEN of move 1 in which one side has given pieces or pawns as odds
    Odds,
}

impl StartKind {
    /// The name in options.
    pub const fn as_str(self) -> &'static str {
        match self {
            StartKind::Standard => "standard",
            StartKind::Fen => "fen",
            StartKind::Odds => "odds",
        }
    }

    /// `true` if the kind of a game follows from whether it has a FEN.
    pub(super) fn is_known_by_presence(self) -> bool {
        self != StartKind::Odds
    }

    /// `true` for a game that starts from this FEN, or without a FEN from the standard position.
    pub(super) fn is_of(self, fen: Option<&str>) -> bool {
        match self {
            StartKind::Standard => fen.is_none(),
            StartKind::Fen => fen.is_some(),
            StartKind::Odds => fen.is_some_and(has_odds),
        }
    }
}

/// `true` if White begins at move 1, all men are on the first two ranks of their sides, and the sides have different
/// men.
fn has_odds(fen: &str) -> bool {
    let Ok(position) = Position::from_fen(fen) else {
        return false;
    };
    if position.turn() != Color::White || position.fullmove_number() != 1 {
        return false;
    }

    // From the third rank to the sixth: no piece or pawn has moved.
    for rank in 2..6 {
        let middle_rank = Bitboard::rank(Rank::new(rank));
        if !(position.occupied() & middle_rank).is_empty() {
            return false;
        }
    }

    for role in Role::ALL {
        let white = position.pieces(Color::White, role).count();
        let black = position.pieces(Color::Black, role).count();
        if white != black {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! odds {
        ($($name:ident: $fen:literal => $has:literal;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(has_odds($fen), $has);
            }
        )*};
    }

    odds! {
        a_knight: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1" => true;
        pawn_and_move: "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" => true;
        nothing: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" => false;
        other_places: "rnbqknbr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNBR w - - 0 1" => false;
        later: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 2" => false;
        moved: "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1" => false;
        no_fen: "odds" => false;
    }
}
