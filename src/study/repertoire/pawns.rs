//! Decides by the pawns that have not moved whether a game can still reach a repertoire.

use crate::board::{Color, Position, Role};

/// The number of pawns of both sides.
const PAWNS: usize = 16;
/// The number of sets in a word.
const WORD_BITS: usize = 64;

/// A bit for each set of pawns at home: 1 if a position of the repertoire can still be reached. A pawn that has moved
/// never returns home, so all pawns at home in the position of the repertoire must be at home in the game.
#[derive(Clone, Debug)]
pub(super) struct PawnSets(Box<[u64]>);

impl PawnSets {
    /// The sets from which at least one of the positions can be reached.
    pub(super) fn new<'p>(positions: impl Iterator<Item = &'p Position>) -> PawnSets {
        let mut can_reach = vec![false; 1 << PAWNS];
        for position in positions {
            can_reach[pawns_at_home(position)] = true;
        }

        // A set with one more pawn at home can reach all positions that the set without this pawn can reach.
        for pawn in 0..PAWNS {
            for set in 0..can_reach.len() {
                let has_pawn = set >> pawn & 1 == 1;
                let after_its_move = set ^ 1 << pawn;
                can_reach[set] |= has_pawn && can_reach[after_its_move];
            }
        }

        let mut words = Vec::with_capacity(can_reach.len() / WORD_BITS);
        for sets in can_reach.chunks(WORD_BITS) {
            let mut word = 0;
            for (bit, &reaches) in sets.iter().enumerate() {
                word |= u64::from(reaches) << bit;
            }
            words.push(word);
        }
        PawnSets(words.into_boxed_slice())
    }

    /// `false` if no moves lead from this position to a position of the repertoire.
    #[inline]
    pub(super) fn is_within_reach(&self, position: &Position) -> bool {
        let set = pawns_at_home(position);
        self.0[set / WORD_BITS] >> (set % WORD_BITS) & 1 == 1
    }
}

/// The pawns that have not moved, by file: White's in the lower eight bits, Black's in the upper eight bits.
#[inline]
fn pawns_at_home(position: &Position) -> usize {
    // Eight squares a rank: the second rank begins at bit 8, the seventh at bit 48.
    let white_pawns = position.pieces(Color::White, Role::Pawn).0;
    let black_pawns = position.pieces(Color::Black, Role::Pawn).0;
    let white_at_home = white_pawns >> 8 & 0xff;
    let black_at_home = black_pawns >> 48 & 0xff;
    (white_at_home | black_at_home << 8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::position_after;
    use crate::replay::Readings;

    fn after(moves: &str) -> Position {
        position_after(None, moves, &Readings::default())
            .expect(moves)
            .position
    }

    #[test]
    fn a_pawn_that_has_moved_stays_so() {
        let sets = PawnSets::new([after("e4 e5 Nf3"), after("d4 d5")].iter());
        for (moves, is_within_reach) in [
            ("", true),
            ("e4", true),
            ("Nf3 Nf6 Ng1 Ng8 e4", true),
            ("d4", true),
            ("d4 d5 Nf3", true),
            ("d4 e5", false),
            ("e4 e5 d4", false),
            ("c4", false),
        ] {
            assert_eq!(
                sets.is_within_reach(&after(moves)),
                is_within_reach,
                "{moves}"
            );
        }
    }
}
