//! The moves of a repertoire, by position.

use std::collections::{HashMap, HashSet};

use super::tree::{Identity, identity};
use crate::study::repertoire::{Repertoire, RepertoireMove};

/// A move that a repertoire has in a position.
#[derive(Debug)]
pub(super) struct KnownMove {
    pub(super) code: u16,
    pub(super) san: String,
    /// The position after it.
    pub(super) to: Identity,
    /// `true` if the move is in a line. Other moves only lead to a position of a line.
    pub(super) is_written: bool,
}

/// The positions of a repertoire, each with its moves. A position at the end of a line has no written moves.
#[derive(Debug)]
pub(super) struct MyMoves {
    moves: HashMap<Identity, Vec<KnownMove>, foldhash::fast::RandomState>,
    /// The positions before the first branch, which all lines share.
    before_branch: HashSet<Identity, foldhash::fast::RandomState>,
    seems_of_other_side: bool,
}

impl MyMoves {
    pub(super) fn new(repertoire: &Repertoire) -> MyMoves {
        let positions = repertoire.positions();
        let known = |repertoire_move: &RepertoireMove| KnownMove {
            code: repertoire_move.mv.code(),
            san: repertoire_move.san.clone(),
            to: identity(&positions[repertoire_move.to].position),
            is_written: repertoire_move.is_written,
        };

        let mut moves = HashMap::default();
        for here in positions {
            let known_moves: Vec<KnownMove> = here.moves.iter().map(known).collect();
            moves.insert(identity(&here.position), known_moves);
        }

        let before_branch = &positions[..repertoire.first_choice()];
        MyMoves {
            moves,
            before_branch: before_branch
                .iter()
                .map(|here| identity(&here.position))
                .collect(),
            seems_of_other_side: repertoire.seems_of_other_side(),
        }
    }

    /// `true` if a position is before the first branch of the repertoire. A game that leaves there has never reached
    /// the repertoire.
    pub(super) fn is_before_branch(&self, identity: Identity) -> bool {
        self.before_branch.contains(&identity)
    }

    /// `true` if the moves show that the repertoire is for the other side.
    pub(super) fn seems_of_other_side(&self) -> bool {
        self.seems_of_other_side
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The moves in a position; `None` for a position that the repertoire does not have.
    pub(super) fn moves_in(&self, identity: Identity) -> Option<&[KnownMove]> {
        self.moves.get(&identity).map(Vec::as_slice)
    }

    /// `true` if the repertoire has a position.
    pub(super) fn contains(&self, identity: Identity) -> bool {
        self.moves.contains_key(&identity)
    }

    /// `true` if a position is in the repertoire, and the lines that reach it end there.
    ///
    /// Moves that are not written do not matter: at the end of a line, a legal move may lead to another line.
    pub(super) fn is_end(&self, identity: Identity) -> bool {
        match self.moves_in(identity) {
            Some(moves) => !moves.iter().any(|known| known.is_written),
            None => false,
        }
    }

    /// `true` if a line of the repertoire has a move in a position.
    pub(super) fn has_move(&self, identity: Identity, code: u16) -> bool {
        let mut moves = self.moves_in(identity).unwrap_or_default().iter();
        moves.any(|known| known.is_written && known.code == code)
    }

    /// The number of positions from `from` on that no game has. `from` itself is such a position.
    pub(super) fn count_unmet(&self, from: Identity, is_met: impl Fn(Identity) -> bool) -> u64 {
        // Lines may transpose into each other, but each position counts once.
        let mut seen = HashSet::from([from]);
        let mut open = vec![from];
        while let Some(identity) = open.pop() {
            for known in self.moves_in(identity).unwrap_or_default() {
                if !is_met(known.to) && seen.insert(known.to) {
                    open.push(known.to);
                }
            }
        }
        seen.len() as u64
    }
}
