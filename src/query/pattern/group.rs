//! Squares with the same required contents, tested together.

use super::contents::Contents;
use crate::board::{Bitboard, Square};
use crate::replay::Placement;

/// Squares that require the same contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) contents: Contents,
    pub(super) squares: Bitboard,
}

impl Group {
    #[inline]
    pub(super) fn holds(&self, placement: &Placement) -> bool {
        (self.squares & !self.contents.squares(placement)).is_empty()
    }
}

/// Groups squares by their required contents, dropping those that may hold anything.
pub(super) fn groups(squares: impl Iterator<Item = (Square, Contents)>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (square, contents) in squares.filter(|(_, contents)| *contents != Contents::ANYTHING) {
        match groups.iter_mut().find(|group| group.contents == contents) {
            Some(group) => group.squares |= Bitboard::of(square),
            None => groups.push(Group {
                contents,
                squares: Bitboard::of(square),
            }),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.contents.rarity()));
    groups
}
