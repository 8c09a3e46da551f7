//! The sixty-four squares, their files and ranks.

use std::fmt;

use super::Color;

/// A file: a column of squares, `a` to `h` from White's left to right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct File(u8);

/// A rank: a row of squares, `1` to `8` from White's side to Black's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Rank(u8);

/// A square, numbered from a1 = 0, b1 = 1 to h8 = 63.
///
/// ```
/// use stamma_chess::board::{File, Rank, Square};
///
/// assert_eq!(Square::at(File::E, Rank::FOUR), Square::E4);
/// assert_eq!((Square::E4.file(), Square::E4.rank()), (File::E, Rank::FOUR));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Square(u8);

/// Names for numbers from 0: `named!(File, "The a-file", A B C)`.
macro_rules! named {
    ($Type:ident, $first:literal: $($name:ident)*) => {
        #[expect(missing_docs, reason = "the names say it")]
        impl $Type {
            named!(@ $Type, $first, $($name)*);
        }
    };
    (@ $Type:ident, $number:expr, $name:ident $($rest:ident)*) => {
        pub const $name: $Type = $Type($number);
        named!(@ $Type, $number + 1, $($rest)*);
    };
    (@ $Type:ident, $number:expr,) => {};
}

named!(File, 0: A B C D E F G H);
named!(Rank, 0: ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT);
named!(Square, 0: A1 B1 C1 D1 E1 F1 G1 H1);
named!(Square, 8: A2 B2 C2 D2 E2 F2 G2 H2);
named!(Square, 16: A3 B3 C3 D3 E3 F3 G3 H3);
named!(Square, 24: A4 B4 C4 D4 E4 F4 G4 H4);
named!(Square, 32: A5 B5 C5 D5 E5 F5 G5 H5);
named!(Square, 40: A6 B6 C6 D6 E6 F6 G6 H6);
named!(Square, 48: A7 B7 C7 D7 E7 F7 G7 H7);
named!(Square, 56: A8 B8 C8 D8 E8 F8 G8 H8);

impl File {
    /// All files, from `a` to `h`.
    pub const ALL: [File; 8] = [
        File::A,
        File::B,
        File::C,
        File::D,
        File::E,
        File::F,
        File::G,
        File::H,
    ];

    /// The file with this number, 0 for the a-file. Only the lower three bits count.
    #[inline]
    pub const fn new(number: u8) -> File {
        File(number & 7)
    }

    /// The file with this letter, `a` to `h`.
    #[inline]
    pub const fn from_ascii(letter: u8) -> Option<File> {
        let number = letter.wrapping_sub(b'a');
        if number < 8 { Some(File(number)) } else { None }
    }

    /// 0 for the a-file to 7 for the h-file.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 & 7
    }

    /// `a` to `h`.
    #[inline]
    pub const fn letter(self) -> u8 {
        b'a' + self.number()
    }

    /// The number of files from one to the other: 1 for neighbours.
    #[inline]
    pub const fn distance(self, other: File) -> u8 {
        self.number().abs_diff(other.number())
    }

    /// The file as it lies when the board is mirrored: h for a.
    #[inline]
    pub const fn mirrored(self) -> File {
        File(7 - self.number())
    }
}

impl Rank {
    /// All ranks, from the first to the eighth.
    pub const ALL: [Rank; 8] = [
        Rank::ONE,
        Rank::TWO,
        Rank::THREE,
        Rank::FOUR,
        Rank::FIVE,
        Rank::SIX,
        Rank::SEVEN,
        Rank::EIGHT,
    ];

    /// The rank with this number, 0 for the first. Only the lower three bits count.
    #[inline]
    pub const fn new(number: u8) -> Rank {
        Rank(number & 7)
    }

    /// The rank with this digit, `1` to `8`.
    #[inline]
    pub const fn from_ascii(digit: u8) -> Option<Rank> {
        let number = digit.wrapping_sub(b'1');
        if number < 8 { Some(Rank(number)) } else { None }
    }

    /// The rank as one side counts it, beginning with its home rank: Black's first rank is the eighth.
    #[inline]
    pub const fn of_side(self, color: Color) -> Rank {
        if color.is_white() {
            self
        } else {
            self.mirrored()
        }
    }

    /// 0 for the first rank to 7 for the eighth.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 & 7
    }

    /// `1` to `8`.
    #[inline]
    pub const fn digit(self) -> u8 {
        b'1' + self.number()
    }

    /// The number of ranks from one to the other: 1 for neighbours.
    #[inline]
    pub const fn distance(self, other: Rank) -> u8 {
        self.number().abs_diff(other.number())
    }

    /// The rank as the other side counts it: the eighth for the first.
    #[inline]
    pub const fn mirrored(self) -> Rank {
        Rank(7 - self.number())
    }
}

impl Square {
    /// The square with this number.
    ///
    /// Only the lower six bits count, so tables of 64 need no bounds check.
    #[inline]
    pub const fn new(number: u8) -> Square {
        Square(number & 63)
    }

    /// The square on a file and a rank.
    #[inline]
    pub const fn at(file: File, rank: Rank) -> Square {
        Square(rank.number() << 3 | file.number())
    }

    /// The square with this file letter and rank digit, such as `b"e4"`.
    #[inline]
    pub const fn from_ascii(file: u8, rank: u8) -> Option<Square> {
        match (File::from_ascii(file), Rank::from_ascii(rank)) {
            (Some(file), Some(rank)) => Some(Square::at(file, rank)),
            _ => None,
        }
    }

    /// 0 to 63.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The file that it is on.
    #[inline]
    pub const fn file(self) -> File {
        File(self.0 & 7)
    }

    /// The rank that it is on.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank((self.0 & 63) >> 3)
    }

    /// The square this many files and ranks away, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file().number() as i8 + files;
        let rank = self.rank().number() as i8 + ranks;
        if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
            Some(Square::at(File(file as u8), Rank(rank as u8)))
        } else {
            None
        }
    }

    /// All squares, from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square)
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter() as char)
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.digit() as char)
    }
}

impl fmt::Debug for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
