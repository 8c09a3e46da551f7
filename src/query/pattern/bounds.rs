//! Pruning: a game's material signature bounds all of its positions, so that many games need no replay.
//!
//! The numbers in parentheses refer to the rules of [`MaterialSignature`].

use super::board_pattern::Wanted;
use super::choice::Choice;
use super::compiled::CompiledPattern;
use super::contents::Contents;
use super::group::Group;
use super::material::Material;
use crate::board::{Bitboard, Color, File, Piece, Rank, Role, Square};
use crate::replay::{MaterialSignature, PAWN_FILES, USUAL_COUNTS};

impl CompiledPattern {
    /// `false` if no position of a game can match.
    pub(super) fn may_hold(&self, material_signature: MaterialSignature) -> bool {
        let promotes = self.steps.iter().any(|step| step.promotes());
        let may_promote = Color::ALL
            .into_iter()
            .any(|color| material_signature.promotions(color) > 0);
        (!promotes || may_promote)
            && self
                .material
                .as_ref()
                .is_none_or(|material| material.may_be_in(material_signature))
            && self
                .wanted
                .as_ref()
                .is_none_or(|wanted| wanted.may_hold(material_signature))
    }
}

impl Material {
    /// `false` if no position of a game can match.
    fn may_be_in(&self, material_signature: MaterialSignature) -> bool {
        let in_any = |piece| bounds(material_signature, piece);
        let promotes = |color| material_signature.promotions(color) > 0;
        if !self.may_hold(in_any) {
            return false;
        }
        // Without promotion, which is the case in most games, nothing else is bounded.
        if !Color::ALL.into_iter().any(promotes) {
            return true;
        }
        let pawns = |color| {
            self.most(
                Piece {
                    color,
                    role: Role::Pawn,
                },
                in_any,
            )
        };
        let (white, black) = (pawns(Color::White), pawns(Color::Black));
        self.may_hold(|piece| {
            let pawns = if piece.color.is_white() { white } else { black };
            bounds_beside(material_signature, piece, pawns)
        })
    }
}

/// The least and the most pieces of a kind in any position (1 to 3).
fn bounds(material_signature: MaterialSignature, piece: Piece) -> (u32, u32) {
    bounds_beside(material_signature, piece, u32::MAX)
}

/// The same bounds for positions in which its side has at most `pawns` pawns (6).
fn bounds_beside(material_signature: MaterialSignature, piece: Piece, pawns: u32) -> (u32, u32) {
    let last = material_signature.last_count(piece.color, piece.role);
    let last_pawns = material_signature.last_count(piece.color, Role::Pawn);
    let promotions = material_signature.promotions(piece.color);
    let usual = USUAL_COUNTS.get(piece.role.index()).copied().unwrap_or(1);
    let least = last.saturating_sub(promotions.min(pawns.saturating_sub(last_pawns)));
    match piece.role {
        Role::King => (1, 1),
        Role::Pawn => (last, PAWN_FILES),
        _ if material_signature.has_standard_material() => (least, usual + promotions),
        _ => (least, 15),
    }
}

impl Wanted {
    fn may_hold(&self, material_signature: MaterialSignature) -> bool {
        self.fixed
            .iter()
            .all(|group| group.may_hold(material_signature))
            && self
                .choices
                .iter()
                .all(|choice| choice.may_hold(material_signature))
    }
}

impl Choice {
    fn may_hold(&self, material_signature: MaterialSignature) -> bool {
        self.ways
            .iter()
            .any(|way| way.iter().all(|group| group.may_hold(material_signature)))
    }
}

impl Group {
    fn may_hold(&self, material_signature: MaterialSignature) -> bool {
        let are_home = Color::ALL.into_iter().all(|color| {
            let pawn = Contents::piece(Piece {
                color,
                role: Role::Pawn,
            });
            self.contents.has(pawn)
                || (self.squares & material_signature.home_pawns(color)).is_empty()
        });
        are_home
            && self
                .contents
                .only_piece()
                .is_none_or(|piece| self.may_be(piece, material_signature))
    }

    /// `true` if all squares may hold a piece at once.
    fn may_be(&self, piece: Piece, material_signature: MaterialSignature) -> bool {
        let (_, most) = bounds(material_signature, piece);
        let is_pawn = piece.role == Role::Pawn && material_signature.has_standard_material();
        self.squares.count() <= most
            && (!is_pawn || self.may_be_pawns(piece.color, material_signature))
    }

    /// `true` if pawns may have reached all squares (5).
    fn may_be_pawns(&self, color: Color, material_signature: MaterialSignature) -> bool {
        let home = Bitboard::rank(Rank::TWO.of_side(color));
        let gone = home & !material_signature.home_pawns(color);
        let away = self.squares & !home;
        away.count() <= gone.count()
            && away
                .into_iter()
                .all(|square| (within_reach(color, square) & gone).any())
    }
}

/// The home squares from which a pawn may have reached a square.
fn within_reach(color: Color, square: Square) -> Bitboard {
    let rank = Rank::TWO.of_side(color);
    let steps = square.rank().distance(rank);
    let files = File::ALL
        .into_iter()
        .filter(|file| file.distance(square.file()) <= steps);
    files.map(|file| Square::at(file, rank)).collect()
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
            Material::parse(text)
                .expect("material")
                .may_be_in(material_signature)
        };
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
