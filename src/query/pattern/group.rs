//! Groups of squares that require equal contents and are tested together.

use super::contents::Contents;
use crate::board::{Bitboard, Square};
use crate::replay::Placement;

/// Squares that require equal contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) contents: Contents,
    pub(super) squares: Bitboard,
}

impl Group {
    /// `true` if all squares of the group have the contents.
    #[inline]
    pub(super) fn holds(&self, placement: &Placement) -> bool {
        (self.squares & !self.contents.squares(placement)).is_empty()
    }
}

/// Groups squares by their required contents, without squares that may hold anything.
pub(super) fn groups(squares: impl Iterator<Item = (Square, Contents)>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (square, contents) in squares {
        if contents == Contents::ANYTHING {
            continue;
        }

        let squares = Bitboard::of(square);
        match groups.iter_mut().find(|group| group.contents == contents) {
            Some(group) => group.squares |= squares,
            None => groups.push(Group { contents, squares }),
        }
    }

    // Rare contents fail first, so most boards need one test.
    groups.sort_by_key(|group| std::cmp::Reverse(group.contents.rarity()));
    groups
}
