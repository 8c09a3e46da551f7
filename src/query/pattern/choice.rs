//! Ranks of a pattern that may be filled in several ways, and whether a board has one of the ways.

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
    needed: NeededSquares,
}

/// The squares that the ways need, a bit for each file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NeededSquares {
    /// For ways that need only one kind of contents: bit `n` of 256 is 1 if the set of squares `n` suffices for a way.
    Table([u64; 4]),
    /// The squares of each way, a byte for each of the contents.
    Ways(Vec<u64>),
}

impl Choice {
    /// Compiles the ways to fill a rank of the board.
    pub(super) fn new(ways: &[Rank], rank: board::Rank) -> Choice {
        let mut contents: Vec<Contents> = ways.iter().flatten().copied().collect();
        contents.sort_unstable();
        contents.dedup();
        contents.retain(|&contents| contents != Contents::ANYTHING);

        let mut squares_of_ways: Vec<u64> = Vec::with_capacity(ways.len());
        for way in ways {
            let squares = pack(&contents, |wanted| squares_of(way, wanted));
            squares_of_ways.push(squares);
        }

        // Four pawns anywhere on a rank are seventy ways. With a table, a scan of a million games takes 1.2 s; with a
        // test of each way, it takes 7.8 s.
        let needed = if contents.len() == 1 {
            sufficient_squares(&squares_of_ways)
        } else {
            NeededSquares::Ways(squares_of_ways)
        };

        let squares_of_rank = File::ALL.map(|file| Square::at(file, rank));
        let groups_of = |way: &Rank| groups(squares_of_rank.into_iter().zip(*way));
        Choice {
            ways: ways.iter().map(groups_of).collect(),
            rank,
            needed,
            contents,
        }
    }

    /// The relative cost of a test, for ordering.
    pub(super) fn effort(&self) -> usize {
        match &self.needed {
            NeededSquares::Table(_) => 0,
            NeededSquares::Ways(ways) => ways.len(),
        }
    }

    /// `true` if one of the ways matches the board.
    #[inline]
    pub(super) fn holds(&self, placement: &Placement) -> bool {
        let lowest_bit = 8 * self.rank.number();
        let found = pack(&self.contents, |contents| {
            let squares = contents.squares(placement);
            squares.0 >> lowest_bit & 0xff
        });

        match &self.needed {
            NeededSquares::Table(table) => {
                // Ways with a table need one kind of contents, so `found` is a byte.
                let word = table[found as usize / 64];
                word >> (found % 64) & 1 != 0
            }
            NeededSquares::Ways(ways) => ways.iter().any(|needed| needed & !found == 0),
        }
    }
}

/// The squares of a way that need some contents, a bit for each file.
fn squares_of(way: &Rank, wanted: Contents) -> u64 {
    let mut squares = 0;
    for (file, &contents) in way.iter().enumerate() {
        if contents == wanted {
            squares |= 1 << file;
        }
    }
    squares
}

/// A byte for each of up to eight contents.
#[inline]
fn pack(contents: &[Contents], byte: impl Fn(Contents) -> u64) -> u64 {
    contents
        .iter()
        .fold(0, |all, &contents| all << 8 | byte(contents))
}

/// The table of the sets of squares that suffice for at least one way.
fn sufficient_squares(ways: &[u64]) -> NeededSquares {
    let mut table = [0; 4];
    for found in 0..=0xff_u64 {
        let is_enough = ways.iter().any(|needed| needed & !found == 0);
        if is_enough {
            table[found as usize / 64] |= 1 << (found % 64);
        }
    }
    NeededSquares::Table(table)
}
