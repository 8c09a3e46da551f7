//! Pruning: a game's material signature bounds all of its positions, so that many games need no replay.
//!
//! A number in parentheses is the number of the rule of [`MaterialSignature`] that is applied.

use super::board_pattern::CompiledBoard;
use super::choice::Choice;
use super::compiled::CompiledPattern;
use super::contents::Contents;
use super::group::Group;
use super::material::{MAX_PIECES_BESIDE_KING, Material};
use crate::board::{Bitboard, Color, File, Piece, Rank, Role, Square};
use crate::replay::{MaterialSignature, PAWN_FILES, STANDARD_COUNTS};

impl CompiledPattern {
    /// `false` if no position of a game can match.
    pub(super) fn may_hold(&self, material_signature: MaterialSignature) -> bool {
        let needs_promotion = self.steps.iter().any(|step| step.promotes());
        if needs_promotion && !has_promotion(material_signature) {
            return false;
        }

        if let Some(material) = &self.material
            && !material.may_be_in(material_signature)
        {
            return false;
        }
        match &self.board {
            Some(board) => board.may_hold(material_signature),
            None => true,
        }
    }
}

/// `true` if a pawn of either side may have been promoted.
fn has_promotion(material_signature: MaterialSignature) -> bool {
    let white = material_signature.promotions(Color::White);
    let black = material_signature.promotions(Color::Black);
    white > 0 || black > 0
}

impl Material {
    /// `false` if no position of a game can match.
    fn may_be_in(&self, material_signature: MaterialSignature) -> bool {
        let in_any = |piece| bounds(material_signature, piece);
        if !self.may_hold(in_any) {
            return false;
        }
        // Without promotion, which is the case in most games, nothing else is bounded.
        if !has_promotion(material_signature) {
            return true;
        }

        // A limit to the pawns is a limit to promotions that have not happened yet, and so to the other pieces.
        let max_pawns = |color| {
            let role = Role::Pawn;
            self.max_count(Piece { color, role }, in_any)
        };
        let white_pawns = max_pawns(Color::White);
        let black_pawns = max_pawns(Color::Black);
        self.may_hold(|piece| {
            let pawns = match piece.color {
                Color::White => white_pawns,
                Color::Black => black_pawns,
            };
            bounds_beside(material_signature, piece, pawns)
        })
    }
}

/// The least and the greatest number of pieces of a kind in any position (1 to 3).
fn bounds(material_signature: MaterialSignature, piece: Piece) -> (u32, u32) {
    bounds_beside(material_signature, piece, u32::MAX)
}

/// The least and the greatest number of pieces of a kind in positions in which its side has at most `pawns` pawns (6).
fn bounds_beside(material_signature: MaterialSignature, piece: Piece, pawns: u32) -> (u32, u32) {
    let last = material_signature.last_count(piece.color, piece.role);
    let last_pawns = material_signature.last_count(piece.color, Role::Pawn);
    let promotions = material_signature.promotions(piece.color);
    let usual = STANDARD_COUNTS
        .get(piece.role.index())
        .copied()
        .unwrap_or(1);

    // A piece that is promoted later is still a pawn, so the pawns that the last position lacks bound later promotions.
    let later_promotions = promotions.min(pawns.saturating_sub(last_pawns));
    let least = last.saturating_sub(later_promotions);
    match piece.role {
        Role::King => (1, 1),
        Role::Pawn => (last, PAWN_FILES),
        _ if material_signature.has_standard_material() => (least, usual + promotions),
        _ => (least, MAX_PIECES_BESIDE_KING),
    }
}

impl CompiledBoard {
    /// `false` if no position of a game can match the board.
    fn may_hold(&self, material_signature: MaterialSignature) -> bool {
        let mut groups = self.fixed.iter();
        let mut choices = self.choices.iter();

        groups.all(|group| group.may_hold(material_signature))
            && choices.all(|choice| choice.may_hold(material_signature))
    }
}

impl Choice {
    /// `false` if no position of a game can match any way to fill the rank.
    fn may_hold(&self, material_signature: MaterialSignature) -> bool {
        for way in &self.ways {
            let mut groups = way.iter();
            if groups.all(|group| group.may_hold(material_signature)) {
                return true;
            }
        }
        false
    }
}

impl Group {
    /// `false` if no position of a game can have the contents on all squares of the group.
    fn may_hold(&self, material_signature: MaterialSignature) -> bool {
        for color in Color::ALL {
            let role = Role::Pawn;
            let may_be_pawn = self
                .contents
                .includes(Contents::piece(Piece { color, role }));
            // A pawn that is at home at the end has always been there.
            let home_pawns = self.squares & material_signature.home_pawns(color);
            if !may_be_pawn && home_pawns.any() {
                return false;
            }
        }

        match self.contents.only_piece() {
            Some(piece) => self.may_be(piece, material_signature),
            None => true,
        }
    }

    /// `true` if all squares may hold a piece at once.
    fn may_be(&self, piece: Piece, material_signature: MaterialSignature) -> bool {
        let (_, most) = bounds(material_signature, piece);
        if self.squares.count() > most {
            return false;
        }

        // Pawns that a FEN has placed need not have come from their home rank.
        let started_at_home = material_signature.has_standard_material();
        if piece.role == Role::Pawn && started_at_home {
            return self.may_be_pawns(piece.color, material_signature);
        }
        true
    }

    /// `true` if pawns may have reached all squares (5).
    fn may_be_pawns(&self, color: Color, material_signature: MaterialSignature) -> bool {
        let home = Bitboard::rank(Rank::TWO.of_side(color));
        let gone = home & !material_signature.home_pawns(color);
        let away = self.squares & !home;
        if away.count() > gone.count() {
            return false;
        }

        away.into_iter()
            .all(|square| (within_reach(color, square) & gone).any())
    }
}

/// The home squares from which a pawn may have reached a square.
fn within_reach(color: Color, square: Square) -> Bitboard {
    let home = Rank::TWO.of_side(color);
    // A pawn changes its file by a capture only, which takes it one rank further.
    let ranks = square.rank().distance(home);

    File::ALL
        .into_iter()
        .filter(|file| file.distance(square.file()) <= ranks)
        .map(|file| Square::at(file, home))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Mainline;

    #[test]
    fn who_has_no_pawn_promotes_none() {
        let fen = "3n4/2P5/4k3/8/8/8/4p3/K3N3 w - - 0 1";
        let line = Mainline::new(Some(fen), "cxd8=Q Ke5 Qd3").expect("a legal start");
        let material_signature = MaterialSignature::of_mainline(line);
        let may_be_in = |text| {
            let material = Material::parse(text).expect("material");
            material.may_be_in(material_signature)
        };

        // At the end, White has a queen and a knight, and Black has a pawn. The queen was a pawn before.
        for possible in [
            "QNp",
            "PNnp",
            "PNp",
            "PNnpp",
            "P>=1 Q=0",
            "white<=3 Q=0",
            "P=0 Q=1",
        ] {
            assert!(may_be_in(possible), "{possible}");
        }

        // White had no other piece, and without a pawn the queen was there already.
        for impossible in [
            "KNkp",
            "KNRkp",
            "P=0 Q=0",
            "pawns<=1 Q=0",
            "white<=1",
            "P<1 Q<1",
            "N=0 P=0",
        ] {
            assert!(!may_be_in(impossible), "{impossible}");
        }
    }
}
