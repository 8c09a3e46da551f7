//! Faults of texts that do not resolve to a move, with the moves that may have been meant.

use super::constraints::{Constraints, MoveText, Roles, Takes};
use crate::board::{Bitboard, CastlingSide, Move, Position, Role};

/// The reason why a text does not resolve to a move in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveFault {
    /// The text is not a move text in these letters and this system.
    NoMoveText,
    /// No legal move matches.
    Illegal,
    /// Several legal moves match.
    Ambiguous,
}

/// A text that does not resolve to a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnreadMove {
    /// The reason.
    pub why: MoveFault,
    /// The parsed text, if it is a move text.
    pub meant: Option<MoveText>,
}

impl UnreadMove {
    /// The legal moves that match an ambiguous text; otherwise empty.
    pub fn candidates(&self, position: &Position) -> Vec<Move> {
        match (self.why, self.meant) {
            (MoveFault::Ambiguous, Some(meant)) => meant.moves(position),
            _ => Vec::new(),
        }
    }

    /// The one legal move that matches if as little as possible of the text is ignored: the origin, then the capture,
    /// then the piece, then the promotion (assuming a queen), then the target.
    pub fn nearest(&self, position: &Position) -> Option<Move> {
        if self.why != MoveFault::Illegal {
            return None;
        }
        let MoveText::Piece(constraints) = self.meant? else {
            return None;
        };

        for weakened in constraints.weakened() {
            let moves = MoveText::Piece(weakened).moves(position);
            if let Some(mv) = single_move(&moves) {
                return Some(mv);
            }
        }
        None
    }

    /// The legal moves of the named piece: `Rook to e1: from a1 or f1`, or `no rook can go to e1`;
    /// `Knight: b1-d2 or f1-d2` if the text allows several squares. `None` if the text names no piece.
    pub fn what_was_legal(&self, position: &Position) -> Option<String> {
        match self.meant? {
            MoveText::Piece(constraints) => constraints.what_was_legal(position),
            MoveText::Castle(_) => Some(castlings(position)),
            MoveText::Null => Some("no one may pass when in check".to_owned()),
        }
    }
}

/// The move, if there is exactly one.
fn single_move(moves: &[Move]) -> Option<Move> {
    match moves {
        [mv] => Some(*mv),
        _ => None,
    }
}

impl Constraints {
    /// The constraints with a part ignored, in the order in which they are tried.
    fn weakened(&self) -> [Constraints; 7] {
        let any_capture = Constraints {
            takes: Takes::UNSAID,
            ..*self
        };
        let any_origin = Constraints {
            from: Bitboard::FULL,
            ..any_capture
        };

        // The origin is the first to be ignored, the target the last.
        [
            Constraints {
                from: Bitboard::FULL,
                ..*self
            },
            any_capture,
            any_origin,
            Constraints {
                roles: Roles::ALL,
                ..any_capture
            },
            Constraints {
                promotion: None,
                ..any_origin
            },
            Constraints {
                promotion: Some(Role::Queen),
                roles: Roles::of(Role::Pawn),
                ..any_origin
            },
            Constraints {
                to: Bitboard::FULL,
                ..any_capture
            },
        ]
    }

    /// [`UnreadMove::what_was_legal`] for the move of a piece.
    fn what_was_legal(&self, position: &Position) -> Option<String> {
        let role = self.roles.single()?;
        let Some(to) = self.to.single() else {
            return self.moves_by_squares(role, position);
        };

        let promotion = match role {
            Role::Pawn if Bitboard::BACK_RANKS.contains(to) => Some(Role::Queen),
            _ => None,
        };
        let any_origin = Constraints {
            from: Bitboard::FULL,
            takes: Takes::UNSAID,
            promotion,
            ..*self
        };

        let moves = MoveText::Piece(any_origin).moves(position);
        if moves.is_empty() {
            return Some(format!("no {} can go to {to}", role.name()));
        }

        let origins: Vec<String> = moves.iter().map(|mv| mv.from.to_string()).collect();
        let lacks_promotion = promotion.is_some() && self.promotion.is_none();
        let more = if lacks_promotion {
            "; it must become something"
        } else {
            ""
        };

        Some(format!(
            "{} to {to}: from {}{more}",
            capitalized(role.name()),
            origins.join(" or ")
        ))
    }

    /// The moves of a role by origin and target, for a text that allows several targets; `None` if there are none.
    fn moves_by_squares(&self, role: Role, position: &Position) -> Option<String> {
        let any_origin = Constraints {
            from: Bitboard::FULL,
            ..*self
        };

        let moves = MoveText::Piece(any_origin).moves(position);
        if moves.is_empty() {
            return None;
        }

        let squares: Vec<String> = moves
            .iter()
            .map(|mv| format!("{}-{}", mv.from, mv.to))
            .collect();

        Some(format!(
            "{}: {}",
            capitalized(role.name()),
            squares.join(" or ")
        ))
    }
}

/// A message that names the sides on which castling is legal.
fn castlings(position: &Position) -> String {
    let mut sides = Vec::new();
    for mv in position.legal_moves() {
        match mv.castling_side() {
            Some(CastlingSide::King) => sides.push("short"),
            Some(CastlingSide::Queen) => sides.push("long"),
            None => {}
        }
    }

    if sides.is_empty() {
        "no castling is legal".to_owned()
    } else {
        format!("Castling {} is legal", sides.join(" or "))
    }
}

/// An ASCII word, which is not empty, with a capital as its first letter.
fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_ascii_uppercase() + rest
}
