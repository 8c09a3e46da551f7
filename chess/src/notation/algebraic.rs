//! Grammar of the algebraic notations: short, long, with the captured piece, coordinates, and those of chess programs.
//!
//! ```text
//! move       = [piece] [file] [rank] [dash | capture [piece]] file rank [promotion] [capture]
//!            | file [capture] file [promotion]
//! promotion  = ["=" | "/"] piece | "(" piece ")"
//! ```
//!
//! A text with a full origin and no piece letter may mean any piece: `g1-f3` is a knight move.

use super::constraints::{ANYWHERE, Constraints, MoveText, Roles, Takes};
use super::symbol::{Sign, Symbol};
use crate::board::{Bitboard, Rank, Role, Square};

/// The readings of a text's symbols: with the first as a piece, and with it as a file.
#[inline]
pub(super) fn parse(symbols: &[Symbol]) -> [Option<MoveText>; 2] {
    let with_piece = match symbols {
        [
            Symbol {
                role: Some(role), ..
            },
            rest @ ..,
        ] => parse_rest(Some(*role), rest),
        _ => None,
    };
    let without = match symbols {
        [Symbol { file: Some(_), .. }, ..] => parse_rest(None, symbols),
        _ => None,
    };
    [with_piece, without].map(|found| found.map(MoveText::Piece))
}

/// Parses a move text after its piece letter.
#[inline]
fn parse_rest(piece: Option<Role>, symbols: &[Symbol]) -> Option<Constraints> {
    let (symbols, taken_behind) = match symbols {
        [rest @ .., last] if takes_behind(piece, rest, last) => (rest, true),
        _ => (symbols, false),
    };
    let (symbols, promotion) = split_promotion(symbols);
    let [before @ .., file, last] = symbols else {
        return None;
    };
    match (file.file, last.rank) {
        (Some(file), Some(rank)) => {
            let to = Square::at(file, rank);
            let found = Constraints {
                promotion,
                ..parse_origin(piece, before, to)?
            };
            Some(with_capture_behind(found, taken_behind))
        }
        _ if piece.is_none_or(|role| role == Role::Pawn) => parse_short_capture(symbols, promotion),
        _ => None,
    }
}

/// Returns `true` if a capture sign follows the squares; but an `X` is a Vietnamese rook, too, to which a pawn may
/// promote on the last rank.
#[inline]
fn takes_behind(piece: Option<Role>, before: &[Symbol], last: &Symbol) -> bool {
    let is_pawn = piece.is_none_or(|role| role == Role::Pawn);
    let is_inside = before
        .last()
        .and_then(|symbol| symbol.rank)
        .is_some_and(|rank| rank != Rank::ONE && rank != Rank::EIGHT);
    last.is(Sign::Capture) && (last.promotion.is_none() || !is_pawn || is_inside)
}

fn with_capture_behind(found: Constraints, taken_behind: bool) -> Constraints {
    match (found.takes, taken_behind) {
        (Takes::Seen { role, .. }, true) => Constraints {
            takes: Takes::Seen { sign: true, role },
            ..found
        },
        _ => found,
    }
}

/// Splits off `=Q`, `/Q`, `(Q)`, `Q` and the like.
#[inline]
fn split_promotion(symbols: &[Symbol]) -> (&[Symbol], Option<Role>) {
    match symbols {
        [.., last] if last.rank.is_some() => (symbols, None),
        [rest @ .., open, new, close]
            if open.is(Sign::Open) && close.is(Sign::Close) && new.promotion.is_some() =>
        {
            (rest, new.promotion)
        }
        [rest @ .., sign, new]
            if (sign.is(Sign::Equals) || sign.is(Sign::Slash)) && new.promotion.is_some() =>
        {
            (rest, new.promotion)
        }
        [rest @ .., before, new] if before.rank.is_some() && new.promotion.is_some() => {
            (&symbols[..rest.len() + 1], new.promotion)
        }
        [
            rest @ ..,
            before,
            Symbol {
                role: Some(role),
                file: None,
                ..
            },
        ] if before.file.is_some() && Role::PROMOTIONS.contains(role) => {
            (&symbols[..rest.len() + 1], Some(*role))
        }
        _ => (symbols, None),
    }
}

/// Parses what precedes the target: the origin, a dash or a capture, the captured piece.
#[inline]
fn parse_origin(piece: Option<Role>, before: &[Symbol], to: Square) -> Option<Constraints> {
    let target = Constraints::to(Bitboard::of(to));
    let (before, takes) = match before {
        [
            rest @ ..,
            sign,
            Symbol {
                role: Some(role), ..
            },
        ] if sign.is(Sign::Capture) => (
            rest,
            Takes::Seen {
                sign: true,
                role: Some(*role),
            },
        ),
        [rest @ .., sign] if sign.is(Sign::Capture) => (
            rest,
            Takes::Seen {
                sign: true,
                role: None,
            },
        ),
        [rest @ .., sign] if sign.is(Sign::Dash) => (rest, target.takes),
        _ => (before, target.takes),
    };
    let (from, roles) = match before {
        [] => (ANYWHERE, Roles::of(piece.unwrap_or(Role::Pawn))),
        [
            Symbol {
                file: Some(file), ..
            },
        ] => {
            let role = piece.unwrap_or(Role::Pawn);
            if role == Role::Pawn && file.distance(to.file()) > 1 {
                return None;
            }
            (Bitboard::file(*file), Roles::of(role))
        }
        [
            Symbol {
                rank: Some(rank), ..
            },
        ] => (Bitboard::rank(*rank), Roles::of(piece?)),
        [
            Symbol {
                file: Some(file), ..
            },
            Symbol {
                rank: Some(rank), ..
            },
        ] => {
            let from = Bitboard::of(Square::at(*file, *rank));
            (from, piece.map_or(Roles::ALL, Roles::of))
        }
        _ => return None,
    };
    Some(Constraints {
        roles,
        from,
        takes,
        ..target
    })
}

/// Parses `exd`, `ed`, `dc:`.
fn parse_short_capture(symbols: &[Symbol], promotion: Option<Role>) -> Option<Constraints> {
    let (from, to) = match symbols {
        [from, to] => (from, to),
        [from, sign, to] if sign.is(Sign::Capture) => (from, to),
        _ => return None,
    };
    let (from, to) = (from.file?, to.file?);
    (from.distance(to) == 1).then(|| Constraints {
        roles: Roles::of(Role::Pawn),
        from: Bitboard::file(from),
        promotion,
        takes: Takes::Something { role: None },
        ..Constraints::to(Bitboard::file(to))
    })
}

#[cfg(test)]
mod tests {
    use super::super::language::PieceLetters;
    use super::super::symbol::{Spelling, symbols};
    use super::*;
    use crate::board::Position;

    fn moves(fen: &str, text: &str, code: &str) -> Vec<String> {
        let position = Position::from_fen(fen).expect("a legal position");
        let letters = PieceLetters::of_language(code).expect(code);
        let symbols = symbols(text, letters, Spelling::Exact).expect("symbols");
        let texts = parse(symbols.as_slice());
        let moves = texts
            .iter()
            .flatten()
            .flat_map(|text| text.moves(&position));
        moves.map(|mv| mv.to_string()).collect()
    }

    macro_rules! means {
        ($($name:ident: $fen:literal, $code:literal, $($text:literal)+ => $move:literal;)*) => {$(
            #[test]
            fn $name() {
                for text in [$($text),+] {
                    assert_eq!(moves($fen, text, $code), [$move], "{text}");
                }
            }
        )*};
    }

    means! {
        knight: "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "fr",
            "Cf3" "Cgf3" "C1f3" "Cg1f3" "Cg1-f3" "C-f3" "g1f3" "g1-f3" "♘f3" "♞g1f3" => "g1f3";
        capture: "4k3/8/8/8/8/5n2/8/4K1N1 w - - 0 1", "fr",
            "Cf3" "Cxf3" "C:f3" "Cf3:" "C×f3" "Cf3x" "Cg1xf3" "Cg1xCf3" "g1:f3" "Cg1×Cf3"
            => "g1f3";
        pawn_capture: "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "en",
            "exd5" "ed5" "exd" "ed" "e:d5" "e:d" "ed:" "ed5:" "e4d5" "e4xd5" "e4-d5" "Pxd5" "Pe4xd5"
            "Pexd5" "Pexd" "e4xPd5" => "e4d5";
        promotion: "8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "fr",
            "e8D" "e8=D" "e8(D)" "e8/D" "e8d" "e8=d" "e7e8d" "e7-e8=D" "e7-e8(D)" "Pe8D"
            => "e7e8q";
        promotion_to_a_vietnamese_rook: "8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "vi",
            "e8X" "e8=X" "e8(X)" "e7-e8=X" => "e7e8r";
        capture_by_a_vietnamese_rook: "7k/8/4p3/8/8/8/8/K3R3 w - - 0 1", "vi",
            "Xxe6" "XXe6" "Xe1xe6" "Xe6:" "Xe6X" => "e1e6";
        pawn_with_german_letter: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "de", "Be4" "e4" "e2-e4"
            => "e2e4";
        short_capture_with_promotion: "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "en",
            "exd8=Q" "ed8Q" "ed8q" "exdQ" "exd=Q" "exd8/Q" => "e7d8q";
    }
}
