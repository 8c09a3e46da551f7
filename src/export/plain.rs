//! A fast writer of mainlines without annotations, which most games have.
//!
//! A move of up to seven bytes, with its number of up to eight and the space or newline before it, is assembled in
//! sixteen bytes and stored whole; the excess is overwritten by the next store. Words that do not fit, which only
//! another program can have stored, are written byte by byte.

use super::move_number::{LINE_CHARACTERS, MoveNumber};
use crate::board::{Color, Move};
use crate::notation::Style;
use crate::replay::utf8;

/// The maximum number of bytes of a move that is assembled with its number.
const MAX_SHORT_MOVE: usize = 7;

/// The bytes that are stored at once: a separator, a number and a move.
const STORED_BYTES: usize = 1 + NumberText::MAX_SHORT + MAX_SHORT_MOVE;

/// Appends a mainline, and returns the length of its last line.
pub(super) fn write(moves: &str, first: MoveNumber, out: &mut Vec<u8>) -> usize {
    write_words(moves, first, out, |line, san, word| match word {
        Some(word) => line.write_short(word, san.len()),
        None => line.write_move(san),
    })
}

/// Appends a mainline from its moves, in a style that needs nothing else, and returns the length of its last line.
pub(super) fn rewrite(
    moves: &str,
    mut played: impl Iterator<Item = Move>,
    style: &Style<'_>,
    first: MoveNumber,
    out: &mut Vec<u8>,
) -> usize {
    let mut text = String::with_capacity(16);
    write_words(moves, first, out, |line, san, _| {
        let Some(mv) = played.next() else {
            return line.write_long(san);
        };

        text.clear();
        style.rewrite_known(san, mv, &mut text);
        match text.strip_suffix(" e.p.") {
            Some(text) => {
                line.write_long(text);
                line.write_long("e.p.");
            }
            None => line.write_move(&text),
        }
    })
}

/// Calls `write` with each move, and for a short move with its bytes and the bytes that follow.
#[inline(always)]
fn write_words(
    moves: &str,
    first: MoveNumber,
    out: &mut Vec<u8>,
    mut write: impl FnMut(&mut Words<'_>, &str, Option<u64>),
) -> usize {
    // In nearly all games, the numbers take less room than the moves.
    out.reserve(moves.len() * 2 + STORED_BYTES);
    let number = NumberText::new(first.number);
    let mut line = Words {
        out,
        column: 0,
        number,
        is_numbered: false,
    };

    let mut turn = first.turn;
    let mut rest = moves;
    if turn == Color::Black && !rest.is_empty() {
        line.write_long(&format!("{}...", first.number));
    }

    while !rest.is_empty() {
        let short = first_word(rest.as_bytes());
        let length = match short {
            Some((_, length)) => length,
            None => rest.find(' ').unwrap_or(rest.len()),
        };

        // Two spaces in a row, which another program may have stored, have no move between them.
        if length > 0 {
            line.is_numbered = turn == Color::White;
            if turn == Color::Black {
                line.number.increase();
            }
            write(&mut line, &rest[..length], short.map(|(word, _)| word));
            turn = !turn;
        }

        rest = rest.get(length + 1..).unwrap_or_default();
    }
    line.column
}

/// The eight bytes at the beginning of a text, and the number of bytes before the first space. `None` if the text is
/// shorter, or if the space is not among the eight bytes.
#[inline]
fn first_word(text: &[u8]) -> Option<(u64, usize)> {
    const ONES: u64 = 0x0101_0101_0101_0101;

    let word = u64::from_le_bytes(*text.first_chunk()?);

    // A byte of 0 is where a space was. The first such byte has its high bit set in `spaces`; later bits may be wrong.
    let others = word ^ (ONES * b' ' as u64);
    let spaces = others.wrapping_sub(ONES) & !others & (ONES << 7);

    // Without a space in the word, there are 64 zeros.
    let length = spaces.trailing_zeros() as usize / 8;
    let is_short = length <= MAX_SHORT_MOVE;
    is_short.then_some((word, length))
}

/// A writer of words on lines. A move number and its move are one word.
struct Words<'o> {
    out: &'o mut Vec<u8>,
    column: usize,
    number: NumberText,
    /// `true` if a move number precedes the next word.
    is_numbered: bool,
}

impl Words<'_> {
    /// The byte before a word that is not the first.
    #[inline]
    fn separator(&mut self, length: usize) -> u8 {
        let column = self.column + 1 + length;
        let fits = column < LINE_CHARACTERS;

        self.column = if fits { column } else { length };
        if fits { b' ' } else { b'\n' }
    }

    /// Writes the first `length` bytes of a register, at most [`MAX_SHORT_MOVE`], with the number and the byte before
    /// them: at most [`STORED_BYTES`].
    #[inline]
    fn write_short(&mut self, word: u64, length: usize) {
        if self.number.length > NumberText::MAX_SHORT {
            return self.write_long(utf8(&word.to_le_bytes()[..length]));
        }

        let (number, text) = if self.is_numbered {
            (self.number.length, self.number.word)
        } else {
            (0, 0)
        };
        let mut words = u128::from(text) | u128::from(word) << (8 * number);
        let mut end = self.out.len() + number + length;
        if self.column == 0 {
            self.column = number + length;
        } else {
            words = words << 8 | u128::from(self.separator(number + length));
            end += 1;
        }

        // All sixteen bytes are one store; the bytes behind the word are cut off again.
        self.out.extend_from_slice(&words.to_le_bytes());
        self.out.truncate(end);
        self.is_numbered = false;
    }

    /// Writes any word; fast for short words in ASCII.
    #[inline]
    fn write_move(&mut self, word: &str) {
        match word.len() {
            length @ ..=MAX_SHORT_MOVE if word.is_ascii() => {
                let mut bytes = [0; 8];
                bytes[..length].copy_from_slice(word.as_bytes());
                self.write_short(u64::from_le_bytes(bytes), length);
            }
            _ => self.write_long(word),
        }
    }

    /// Writes any word, with its number if it has one.
    #[cold]
    fn write_long(&mut self, word: &str) {
        if !std::mem::take(&mut self.is_numbered) {
            return self.write_unnumbered(word);
        }

        let number = format!("{}.", self.number.number);
        let numbered = format!("{number} {word}");
        if numbered.chars().count() < LINE_CHARACTERS {
            self.write_unnumbered(&numbered);
        } else {
            self.write_unnumbered(&number);
            self.write_unnumbered(word);
        }
    }

    fn write_unnumbered(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column == 0 {
            self.column = length;
        } else {
            let separator = self.separator(length);
            self.out.push(separator);
        }

        self.out.extend_from_slice(word.as_bytes());
    }
}

/// `12. `, incremented in its digits.
struct NumberText {
    number: u32,
    /// The text in a register, the first byte lowest. A longer text than [`NumberText::MAX_SHORT`] does not fit.
    word: u64,
    /// The length of the text in bytes: one digit at least, and [`NumberText::SUFFIX`].
    length: usize,
}

impl NumberText {
    /// The maximum number of bytes of a number in a register.
    const MAX_SHORT: usize = 8;

    /// The text behind the digits.
    const SUFFIX: [u8; 2] = *b". ";

    fn new(number: u32) -> NumberText {
        let mut text = NumberText {
            number,
            word: 0,
            length: 0,
        };
        text.write_digits();
        text
    }

    fn write_digits(&mut self) {
        let mut word = u64::from(u16::from_le_bytes(NumberText::SUFFIX));
        let mut left = self.number;
        self.length = NumberText::SUFFIX.len();

        // The number 0 has a digit, too.
        while left > 0 || self.length == NumberText::SUFFIX.len() {
            word = word << 8 | u64::from(b'0' + (left % 10) as u8);
            left /= 10;
            self.length += 1;
        }

        self.word = word;
    }

    #[inline]
    fn increase(&mut self) {
        self.number = self.number.saturating_add(1);
        if self.number.is_multiple_of(10) || self.length > NumberText::MAX_SHORT {
            self.write_digits();
        } else {
            // The last digit is the byte before the suffix.
            let last_digit = self.length - NumberText::SUFFIX.len() - 1;
            self.word += 1 << (8 * last_digit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(moves: &str, number: u32, turn: Color) -> String {
        let first = MoveNumber { number, turn };
        let mut out = Vec::new();
        write(moves, first, &mut out);

        String::from_utf8(out).expect("UTF-8")
    }

    macro_rules! writes {
        ($($name:ident: $moves:expr, $number:expr, $turn:ident => $text:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(written($moves, $number, Color::$turn), $text);
            }
        )*};
    }

    writes! {
        nothing: "", 1, White => "";
        a_move: "e4", 1, White => "1. e4";
        some: "e4 e5 Nf3 Nc6", 1, White => "1. e4 e5 2. Nf3 Nc6";
        from_black: "Ra1xa2+ O-O-O# Kb1", 9, Black => "9... Ra1xa2+ 10. O-O-O# Kb1";
        hundreds: "a3 a6 a4 a5", 99, White => "99. a3 a6 100. a4 a5";
        millions: "a3 a6 a4 a5", 9_999_999, White => "9999999. a3 a6 10000000. a4 a5";
        at_the_limit: "a3 a6 a4", u32::MAX, White => "4294967295. a3 a6 4294967295. a4";
        two_spaces: "e4  e5 ", 1, White => "1. e4 e5";
        foreign: "♘f3 verylongword a3", 1, White => "1. ♘f3 verylongword 2. a3";
    }

    #[test]
    fn lines_are_short() {
        let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(60);

        let text = written(&moves, 1, Color::White);

        let lengths: Vec<usize> = text.lines().map(str::len).collect();
        let (last, full) = lengths.split_last().expect("some lines");
        assert!(*last < 80, "{text}");
        assert!(
            full.iter().all(|length| (71..80).contains(length)),
            "{text}"
        );

        // A number stays on the line of its move.
        assert!(text.lines().all(|line| !line.ends_with('.')), "{text}");

        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        assert_eq!(words.len(), 360);
        assert_eq!(words[357], "120.");
    }
}
