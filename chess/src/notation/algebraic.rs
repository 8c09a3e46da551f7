//! Grammar of the algebraic notations: short, long, with the captured piece, coordinates, and the notation of chess
//! programs.
//!
//! ```text
//! move       = [piece] [file] [rank] [dash | capture [piece]] file rank [promotion] [capture]
//!            | file [capture] file [promotion]
//! promotion  = ["=" | "/"] piece | "(" piece ")"
//! ```
//!
//! A text with a full origin and no piece letter may mean any piece: `g1-f3` is a knight move.

use super::constraints::{Constraints, MoveText, Roles, Takes};
use super::symbol::{Sign, Symbol};
use crate::board::{Bitboard, Rank, Role, Square};

/// The readings of a text's symbols: with the first symbol as a piece, and with the first symbol as a file.
#[inline]
pub(super) fn parse(symbols: &[Symbol]) -> [Option<MoveText>; 2] {
    let with_piece = match symbols {
        [first, rest @ ..] if first.role.is_some() => parse_rest(first.role, rest),
        _ => None,
    };

    let without_piece = match symbols {
        [first, ..] if first.file.is_some() => parse_rest(None, symbols),
        _ => None,
    };

    [
        with_piece.map(MoveText::Piece),
        without_piece.map(MoveText::Piece),
    ]
}

/// Parses a move text after its piece letter.
#[inline]
fn parse_rest(piece: Option<Role>, symbols: &[Symbol]) -> Option<Constraints> {
    let (symbols, capture_behind) = match symbols {
        [rest @ .., last] if is_capture_behind(piece, rest, last) => (rest, true),
        _ => (symbols, false),
    };

    let (squares, promotion) = split_promotion(symbols);

    let [before @ .., file, last] = squares else {
        return None;
    };

    let is_pawn = piece.is_none_or(|role| role == Role::Pawn);
    match (file.file, last.rank) {
        (Some(file), Some(rank)) => {
            let to = Square::at(file, rank);
            let constraints = Constraints {
                promotion,
                ..parse_origin(piece, before, to)?
            };

            Some(with_capture_behind(constraints, capture_behind))
        }
        _ if is_pawn => parse_short_capture(squares, promotion),
        _ => None,
    }
}

/// Returns `true` if a capture sign follows the squares, as in `Cf3x`.
///
/// In Vietnamese an `X` is also a rook, to which a pawn may promote on the last rank: `e8X`.
#[inline]
fn is_capture_behind(piece: Option<Role>, before: &[Symbol], last: &Symbol) -> bool {
    if !last.is(Sign::Capture) {
        return false;
    }

    let is_pawn = piece.is_none_or(|role| role == Role::Pawn);
    let is_inside = before
        .last()
        .and_then(|symbol| symbol.rank)
        .is_some_and(|rank| rank != Rank::ONE && rank != Rank::EIGHT);

    last.promotion.is_none() || !is_pawn || is_inside
}

/// The constraints with the capture sign that follows the squares, if there is one.
fn with_capture_behind(constraints: Constraints, capture_behind: bool) -> Constraints {
    match constraints.takes {
        Takes::Seen { role, .. } if capture_behind => Constraints {
            takes: Takes::Seen { sign: true, role },
            ..constraints
        },
        _ => constraints,
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
        // `exdQ`: behind a file, a letter that may be a file as well is no promotion.
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

/// Parses the symbols before the target: the origin, a dash or a capture, the captured piece.
#[inline]
fn parse_origin(piece: Option<Role>, before: &[Symbol], to: Square) -> Option<Constraints> {
    let target = Constraints::to(Bitboard::of(to));
    let (origin, takes) = split_capture(before, target.takes);

    let (from, roles) = match origin {
        [] => (Bitboard::FULL, Roles::of(piece.unwrap_or(Role::Pawn))),
        [
            Symbol {
                file: Some(file), ..
            },
        ] => {
            let role = piece.unwrap_or(Role::Pawn);
            // A pawn reaches no file beyond its neighbours, so the file must mean something else.
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

/// Splits a dash, or a capture with the captured piece, off the end of an origin.
#[inline]
fn split_capture(before: &[Symbol], without_sign: Takes) -> (&[Symbol], Takes) {
    let captures = |role| Takes::Seen { sign: true, role };

    match before {
        [origin @ .., sign, taken] if sign.is(Sign::Capture) && taken.role.is_some() => {
            (origin, captures(taken.role))
        }
        [origin @ .., sign] if sign.is(Sign::Capture) => (origin, captures(None)),
        [origin @ .., sign] if sign.is(Sign::Dash) => (origin, without_sign),
        _ => (before, without_sign),
    }
}

/// Parses a pawn's capture without the rank of its target: `exd`, `ed`, `dc:`.
fn parse_short_capture(symbols: &[Symbol], promotion: Option<Role>) -> Option<Constraints> {
    let (origin, target) = match symbols {
        [from, to] => (from, to),
        [from, sign, to] if sign.is(Sign::Capture) => (from, to),
        _ => return None,
    };

    let from = origin.file?;
    let to = target.file?;
    if from.distance(to) != 1 {
        return None;
    }

    Some(Constraints {
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
        let readings = parse(symbols.as_slice());

        let mut moves = Vec::new();
        for reading in readings.iter().flatten() {
            for mv in reading.moves(&position) {
                moves.push(mv.to_string());
            }
        }
        moves
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
