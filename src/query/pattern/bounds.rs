//! Which games need no replay: what a game's outline says about all of its positions, held against a question.
//!
//! [`Outline`] has the reasons, by their numbers.

use super::board_pattern::{Group, Wanted};
use super::choice::Choice;
use super::contents::Contents;
use super::form::Form;
use super::material::Material;
use crate::board::{Bitboard, Color, Piece, Role, Square};
use crate::replay::{Outline, PAWN_FILES, USUAL_COUNTS, pawn_rank};

impl Form {
    /// `false` when no position of a game can be meant.
    pub(super) fn may_hold(&self, outline: Outline) -> bool {
        let promotes = self.steps.iter().any(|step| step.promotes());
        let may_promote = Color::ALL.into_iter().any(|color| outline.promotions(color) > 0);
        (!promotes || may_promote)
            && self.material.as_ref().is_none_or(|material| material.may_be_in(outline))
            && self.wanted.as_ref().is_none_or(|wanted| wanted.may_hold(outline))
    }
}

impl Material {
    /// `false` when no position of a game has it.
    fn may_be_in(&self, outline: Outline) -> bool {
        let in_any = |piece| bounds(outline, piece);
        let promotes = |color| outline.promotions(color) > 0;
        if !self.may_hold(in_any) {
            return false;
        }
        // Most games have none, and are bound by nothing else.
        if !Color::ALL.into_iter().any(promotes) {
            return true;
        }
        let pawns = |color| self.most(Piece { color, role: Role::Pawn }, in_any);
        let (white, black) = (pawns(Color::White), pawns(Color::Black));
        self.may_hold(|piece| {
            let pawns = if piece.color.is_white() { white } else { black };
            bounds_beside(outline, piece, pawns)
        })
    }
}

/// The least and the most men of a kind in any position (1 to 3).
fn bounds(outline: Outline, piece: Piece) -> (u32, u32) {
    bounds_beside(outline, piece, u32::MAX)
}

/// The same in the positions in which its side has so many pawns at most (6).
fn bounds_beside(outline: Outline, piece: Piece, pawns: u32) -> (u32, u32) {
    let last = outline.last_count(piece.color, piece.role);
    let last_pawns = outline.last_count(piece.color, Role::Pawn);
    let promotions = outline.promotions(piece.color);
    let usual = USUAL_COUNTS.get(piece.role.index()).copied().unwrap_or(1);
    let least = last.saturating_sub(promotions.min(pawns.saturating_sub(last_pawns)));
    match piece.role {
        Role::King => (1, 1),
        Role::Pawn => (last, PAWN_FILES),
        _ if outline.has_usual_men() => (least, usual + promotions),
        _ => (least, 15),
    }
}

impl Wanted {
    fn may_hold(&self, outline: Outline) -> bool {
        self.fixed.iter().all(|group| group.may_hold(outline))
            && self.choices.iter().all(|choice| choice.may_hold(outline))
    }
}

impl Choice {
    fn may_hold(&self, outline: Outline) -> bool {
        self.ways.iter().any(|way| way.iter().all(|group| group.may_hold(outline)))
    }
}

impl Group {
    fn may_hold(&self, outline: Outline) -> bool {
        let are_home = Color::ALL.into_iter().all(|color| {
            let pawn = Contents::piece(Piece { color, role: Role::Pawn });
            self.contents.has(pawn) || (self.squares & outline.home_pawns(color)).is_empty()
        });
        are_home && self.contents.only_piece().is_none_or(|piece| self.may_be(piece, outline))
    }

    /// Whether all squares may have a piece at once.
    fn may_be(&self, piece: Piece, outline: Outline) -> bool {
        let (_, most) = bounds(outline, piece);
        let is_pawn = piece.role == Role::Pawn && outline.has_usual_men();
        self.squares.count() <= most && (!is_pawn || self.may_be_pawns(piece.color, outline))
    }

    /// Whether pawns may have come to all squares (5).
    fn may_be_pawns(&self, color: Color, outline: Outline) -> bool {
        let gone = Bitboard::rank(pawn_rank(color)) & !outline.home_pawns(color);
        let away = self.squares & !Bitboard::rank(pawn_rank(color));
        away.count() <= gone.count()
            && away.into_iter().all(|square| (within_reach(color, square) & gone).any())
    }
}

/// The home squares from which a pawn may have come to a square.
fn within_reach(color: Color, square: Square) -> Bitboard {
    let steps = square.rank().abs_diff(pawn_rank(color));
    let home = (0..8).map(|file| Square::at(file, pawn_rank(color)));
    home.filter(|home| home.file().abs_diff(square.file()) <= steps).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Mainline;

    #[test]
    fn who_has_no_pawn_promotes_none() {
        let fen = "3n4/2P5/4k3/8/8/8/4p3/K3N3 w - - 0 1";
        let line = Mainline::new(Some(fen), "cxd8=Q Ke5 Qd3").expect("a legal start");
        let outline = Outline::of_mainline(line);
        let may_be_in = |text| Material::parse(text).expect("material").may_be_in(outline);
        for possible in ["QNp", "PNnp", "PNp", "PNnpp", "P>=1 Q=0", "white<=3 Q=0", "P=0 Q=1"] {
            assert!(may_be_in(possible), "{possible}");
        }
        for impossible in
            ["KNkp", "KNRkp", "P=0 Q=0", "pawns<=1 Q=0", "white<=1", "P<1 Q<1", "N=0 P=0"]
        {
            assert!(!may_be_in(impossible), "{impossible}");
        }
    }
}
