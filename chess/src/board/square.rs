//! The sixty-four squares, their files and ranks.

use std::fmt;

/// A square, numbered from a1 = 0, b1 = 1 to h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// The square with this number.
    ///
    /// Only the lower six bits count, so tables of 64 need no bounds check.
    #[inline]
    pub const fn new(number: u8) -> Square {
        Square(number & 63)
    }

    /// The square on a file (0 for the a-file) and a rank (0 for the first rank).
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square((rank & 7) << 3 | (file & 7))
    }

    /// The square with this file letter and rank digit, such as `b"e4"`.
    #[inline]
    pub const fn from_ascii(file: u8, rank: u8) -> Option<Square> {
        let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        if file < 8 && rank < 8 { Some(Square(rank << 3 | file)) } else { None }
    }

    /// 0 to 63.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 for the a-file to 7 for the h-file.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank to 7 for the eighth.
    #[inline]
    pub const fn rank(self) -> u8 {
        (self.0 & 63) >> 3
    }

    /// `a` to `h`.
    #[inline]
    pub const fn file_letter(self) -> u8 {
        b'a' + self.file()
    }

    /// `1` to `8`.
    #[inline]
    pub const fn rank_digit(self) -> u8 {
        b'1' + self.rank()
    }

    /// The square this many files and ranks away, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
        if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
            Some(Square::at(file as u8, rank as u8))
        } else {
            None
        }
    }

    /// All squares, from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file_letter() as char, self.rank_digit() as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
