//! The moves of a repertoire, by position.

use std::collections::HashMap;

use super::tree::Identity;

/// The moves that a repertoire has in a position: the code of each, and the position after it.
pub(super) type KnownMoves = Vec<(u16, Identity)>;

/// The positions of a repertoire, each with its moves; none in a position at the end of a line.
#[derive(Debug, Default)]
pub(super) struct MyMoves(HashMap<Identity, KnownMoves, foldhash::fast::RandomState>);

impl MyMoves {
    /// The moves in a position; `None` for a position that the repertoire does not have.
    pub(super) fn of(&self, identity: Identity) -> Option<&KnownMoves> {
        self.0.get(&identity)
    }

    /// Whether the repertoire has a position.
    pub(super) fn has(&self, identity: Identity) -> bool {
        self.0.contains_key(&identity)
    }

    /// Whether the repertoire has a move in a position.
    pub(super) fn has_move(&self, identity: Identity, code: u16) -> bool {
        let moves = self.of(identity);
        moves.is_some_and(|moves| moves.iter().any(|(known, _)| *known == code))
    }

    /// The number of positions from one on that no game has.
    pub(super) fn count_unmet(&self, from: Identity, is_met: impl Fn(Identity) -> bool) -> u64 {
        let mut seen = std::collections::HashSet::from([from]);
        let mut open = vec![from];
        while let Some(identity) = open.pop() {
            for &(_, next) in self.of(identity).into_iter().flatten() {
                if !is_met(next) && seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen.len() as u64
    }
}
