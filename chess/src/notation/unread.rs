//! Texts that do not resolve to a move, and hints for users.

use super::constraints::{ANYWHERE, Constraints, MoveText, Roles, Takes};
use crate::board::{Bitboard, Move, MoveKind, Position, Role};

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
        let MoveText::Piece(constraints) = self.meant.filter(|_| self.why == MoveFault::Illegal)?
        else {
            return None;
        };
        let takes = Takes::Seen {
            sign: false,
            role: None,
        };
        let any_origin = Constraints {
            from: ANYWHERE,
            takes,
            ..constraints
        };
        [
            Constraints {
                from: ANYWHERE,
                ..constraints
            },
            Constraints {
                takes,
                ..constraints
            },
            any_origin,
            Constraints {
                roles: Roles::ALL,
                takes,
                ..constraints
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
                to: ANYWHERE,
                takes,
                ..constraints
            },
        ]
        .into_iter()
        .find_map(|weaker| only(&MoveText::Piece(weaker).moves(position)))
    }

    /// The legal moves of the named piece: `Rook to e1: from a1 or f1`, or `no rook can go to e1`;
    /// `Knight: b1-d2 or f1-d2` if the text allows several squares. `None` if the text names no piece.
    pub fn what_was_legal(&self, position: &Position) -> Option<String> {
        match self.meant? {
            MoveText::Piece(constraints) => constraints.what_was_legal(position),
            MoveText::Castle { .. } => Some(castlings(position)),
            MoveText::Null => Some("no one may pass when in check".to_owned()),
        }
    }
}

fn only(moves: &[Move]) -> Option<Move> {
    match moves {
        [mv] => Some(*mv),
        _ => None,
    }
}

impl Constraints {
    fn what_was_legal(&self, position: &Position) -> Option<String> {
        let role = self.roles.single()?;
        let Some(to) = self.to.single() else {
            return self.moves_by_squares(role, position);
        };
        let promotion = match role {
            Role::Pawn if Bitboard::BACK_RANKS.contains(to) => Some(Role::Queen),
            _ => None,
        };
        let takes = Takes::Seen {
            sign: false,
            role: None,
        };
        let any = Constraints {
            from: ANYWHERE,
            takes,
            promotion,
            ..*self
        };
        let origins = MoveText::Piece(any)
            .moves(position)
            .into_iter()
            .map(|mv| mv.from.to_string());
        let origins = origins.collect::<Vec<String>>().join(" or ");
        if origins.is_empty() {
            return Some(format!("no {} can go to {to}", role.name()));
        }
        let missing = promotion.is_some() && self.promotion.is_none();
        let more = if missing {
            "; it must become something"
        } else {
            ""
        };
        Some(format!(
            "{} to {to}: from {origins}{more}",
            capitalized(role.name())
        ))
    }

    fn moves_by_squares(&self, role: Role, position: &Position) -> Option<String> {
        let any = Constraints {
            from: ANYWHERE,
            ..*self
        };
        let moves = MoveText::Piece(any).moves(position);
        let moves = moves.into_iter().map(|mv| format!("{}-{}", mv.from, mv.to));
        match moves.collect::<Vec<String>>().join(" or ") {
            none if none.is_empty() => None,
            moves => Some(format!("{}: {moves}", capitalized(role.name()))),
        }
    }
}

fn castlings(position: &Position) -> String {
    let is_castling = |mv: &Move| mv.kind == MoveKind::Castle;
    let moves = position.legal_moves().into_iter().filter(is_castling);
    let sides = moves.map(|mv| {
        if mv.to.file() > mv.from.file() {
            "short"
        } else {
            "long"
        }
    });
    match sides.collect::<Vec<&str>>().join(" or ") {
        none if none.is_empty() => "no castling is legal".to_owned(),
        sides => format!("Castling {sides} is legal"),
    }
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_ascii_uppercase() + rest
}
