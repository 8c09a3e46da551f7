//! A place in a game, counted in half-moves.

use std::fmt;
use std::num::ParseIntError;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

/// A place in a line of moves: the number of half-moves played from its start.
///
/// 0 is the start position, 1 the position after White's first move, 2 the position after Black's reply. The half-move
/// that leads to a position has the number of that position, so the first half-move is 1. The number does not depend on
/// the move numbers of a FEN: the start position of a game that begins in the middle is 0, too.
///
/// ```
/// use stamma_chess::game::Ply;
///
/// let reply = Ply::START + 2;
/// assert_eq!(reply, Ply::new(2));
/// assert_eq!((reply.get(), reply.to_string()), (2, "2".to_owned()));
/// assert_eq!(u32::from(reply), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Ply(u32);

impl Ply {
    /// The start of a line, before its first half-move.
    pub const START: Ply = Ply(0);

    /// The place after this many half-moves.
    pub const fn new(half_moves: u32) -> Ply {
        Ply(half_moves)
    }

    /// The number of half-moves from the start.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The place one half-move earlier, [`Ply::START`] for the start itself.
    pub const fn before(self) -> Ply {
        Ply(self.0.saturating_sub(1))
    }
}

impl Add<u32> for Ply {
    type Output = Ply;

    /// The place some half-moves later.
    fn add(self, half_moves: u32) -> Ply {
        Ply(self.0 + half_moves)
    }
}

impl AddAssign<u32> for Ply {
    fn add_assign(&mut self, half_moves: u32) {
        self.0 += half_moves;
    }
}

impl From<u32> for Ply {
    fn from(half_moves: u32) -> Ply {
        Ply(half_moves)
    }
}

impl From<Ply> for u32 {
    fn from(ply: Ply) -> u32 {
        ply.0
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Ply {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Ply, ParseIntError> {
        text.parse().map(Ply)
    }
}
