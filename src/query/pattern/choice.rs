//! Matching a rank that may be filled in several ways.

use super::contents::Contents;
use super::group::{Group, groups};
use super::rank::Rank;
use crate::board::{self, File, Square};
use crate::replay::Placement;

/// A rank that may be filled in several ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// The groups of each way.
    pub(super) ways: Vec<Vec<Group>>,
    rank: board::Rank,
    /// The contents that occur in the ways, up to eight.
    contents: Vec<Contents>,
    needed: Needed,
}

/// The squares that the ways need, a bit for each file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Needed {
    /// Where all ways need the same contents: bit `n` is 1 if the squares `n` suffice for one of them.
    Table([u64; 4]),
    /// The squares of each way, a byte for each of the contents.
    Ways(Vec<u64>),
}

impl Choice {
    pub(super) fn new(ways: &[Rank], rank: board::Rank) -> Choice {
        let mut contents: Vec<Contents> = ways.iter().flatten().copied().collect();
        contents.sort_unstable();
        contents.dedup();
        contents.retain(|&contents| contents != Contents::ANYTHING);
        let squares_of = |way: &Rank, wanted: Contents| {
            let files = way
                .iter()
                .zip(0..)
                .filter(|&(&contents, _)| contents == wanted);
            files.fold(0_u64, |squares, (_, file)| squares | 1 << file)
        };
        let needed = ways
            .iter()
            .map(|way| packed(&contents, |wanted| squares_of(way, wanted)));
        let needed: Vec<u64> = needed.collect();
        let groups = |way: &Rank| {
            groups(
                File::ALL
                    .map(|file| Square::at(file, rank))
                    .into_iter()
                    .zip(*way),
            )
        };
        Choice {
            ways: ways.iter().map(groups).collect(),
            rank,
            needed: if contents.len() == 1 {
                table(&needed)
            } else {
                Needed::Ways(needed)
            },
            contents,
        }
    }

    /// The relative cost of a test, for ordering.
    pub(super) fn effort(&self) -> usize {
        match &self.needed {
            Needed::Table(_) => 0,
            Needed::Ways(ways) => ways.len(),
        }
    }

    /// `true` if one of the ways matches the board.
    #[inline]
    pub(super) fn holds(&self, placement: &Placement) -> bool {
        let found = packed(&self.contents, |contents| {
            contents.squares(placement).0 >> (8 * self.rank.number()) & 0xff
        });
        match &self.needed {
            Needed::Table(table) => table[found as usize / 64] >> (found % 64) & 1 != 0,
            Needed::Ways(ways) => ways.iter().any(|needed| needed & !found == 0),
        }
    }
}

/// A byte for each of up to eight contents.
#[inline]
fn packed(contents: &[Contents], byte: impl Fn(Contents) -> u64) -> u64 {
    contents
        .iter()
        .fold(0, |all, &contents| all << 8 | byte(contents))
}

fn table(ways: &[u64]) -> Needed {
    let is_enough = |found: &u64| ways.iter().any(|needed| needed & !found == 0);
    let mut table = [0; 4];
    for found in (0..=0xff_u64).filter(is_enough) {
        table[found as usize / 64] |= 1 << (found % 64);
    }
    Needed::Table(table)
}
