//! Finds the ends of the tokens of movetext.
//!
//! This is the hot path of PGN parsing, so the common case, letters and digits before a space, is handled eight bytes
//! at a time.

/// A text that may be a move, together with its first bytes as one number.
///
/// A processor cannot predict the length of a move text; code that works on the number needs no branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// The text as in the file.
    pub text: &'t [u8],
    /// The first eight bytes in little-endian order, zero-padded if the text is shorter.
    pub word: u64,
}

impl<'t> Token<'t> {
    /// The token of a separate text.
    pub fn new(text: &'t [u8]) -> Token<'t> {
        let mut bytes = [0; 8];
        let length = text.len().min(8);
        bytes[..length].copy_from_slice(&text[..length]);
        Token {
            text,
            word: u64::from_le_bytes(bytes),
        }
    }
}

/// The maximum number of digits of a move number. Years, ratings and moves in numeric notation have more.
pub(crate) const MAX_NUMBER_DIGITS: usize = 3;

/// The class of a byte in movetext.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Space,
    Digit,
    /// Continues a move text.
    Text,
    /// Delimits a move text and is itself a sign with a meaning.
    Mark,
}

/// The class of each byte.
static CLASSES: [Class; 256] = classes();

/// The table of [`CLASSES`].
const fn classes() -> [Class; 256] {
    let mut table = [Class::Text; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            // Old disks padded files with zeros, and no control character has a meaning in PGN.
            0..=b' ' => Class::Space,
            b'0'..=b'9' => Class::Digit,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' | b'!' | b'?' | b'*' | b'.'
            | b'%' | b'<' | b'\\' => Class::Mark,
            _ => Class::Text,
        };
        byte += 1;
    }
    table
}

/// The class of a byte.
#[inline]
pub(super) fn class(byte: u8) -> Class {
    CLASSES[byte as usize]
}

/// `true` for a byte that ends a token.
#[inline]
fn ends_token(byte: u8) -> bool {
    matches!(class(byte), Class::Space | Class::Mark)
}

/// The lowest bit of each byte.
pub(super) const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
pub(super) const HIGHS: u64 = 0x80 * ONES;

/// The high bit of each byte that is at least `bound`, for bytes and bounds below 128.
///
/// A byte that reaches the bound carries into its high bit, and no byte carries beyond its high bit.
#[inline]
const fn at_least(word: u64, bound: u8) -> u64 {
    (word + (0x80 - bound as u64) * ONES) & HIGHS
}

/// The token, if it consists of at most seven letters (except `Z`) and digits, perhaps with a check mark, and precedes
/// white space.
///
/// Nearly all moves are such tokens. Their length is found eight bytes at a time, without a branch on it. Every
/// delimiter from `0` on has the low five bits of a byte from `Z` to `_`.
#[inline]
pub(super) fn plain_token(rest: &[u8]) -> Option<Token<'_>> {
    let word = u64::from_le_bytes(*rest.first_chunk::<8>()?);

    // One high bit for each byte: set if the byte is a letter or a digit.
    let from_zero = at_least(word & !HIGHS, b'0');
    let from_capital_z = at_least(word & (0x1f * ONES), b'Z' & 0x1f);
    let plain = from_zero & !from_capital_z & !word;

    // Lengths are counted in bits, as the shifts need them.
    let plain_bits = (!plain & HIGHS).trailing_zeros() & !7;
    let next = word.unbounded_shr(plain_bits) as u8;
    let bits = match next {
        // After eight letters, nothing is known of the byte that follows.
        ..=b' ' if plain_bits < 64 => plain_bits,
        b'+' | b'#' if plain_bits < 56 && word.unbounded_shr(plain_bits + 8) as u8 <= b' ' => {
            plain_bits + 8
        }
        _ => return None,
    };

    let text = rest.get(..bits as usize / 8)?;
    let behind_token = (!0u64).unbounded_shl(bits);
    Some(Token {
        text,
        word: word & !behind_token,
    })
}

/// A token of at most seven bytes.
#[inline]
fn short_token(rest: &[u8]) -> Option<Token<'_>> {
    let bytes = *rest.first_chunk::<8>()?;

    // Bit `i` is set if byte `i` ends the token.
    let ends = (0..8).fold(0, |ends, i| ends | u32::from(ends_token(bytes[i])) << i);
    let length = (ends | 1 << 8).trailing_zeros() as usize;
    if length == 8 {
        return None;
    }

    let word = u64::from_le_bytes(bytes);
    let behind_token = !0 << (8 * length);
    Some(Token {
        text: &rest[..length],
        word: word & !behind_token,
    })
}

/// The length of a move number of at most seven digits, with its dot.
#[inline]
pub(super) fn move_number(rest: &[u8]) -> Option<usize> {
    let bytes = *rest.first_chunk::<8>()?;
    let word = u64::from_le_bytes(bytes);

    let low_bits = word & !HIGHS;
    let below_zero = !at_least(low_bits, b'0');
    let above_nine = at_least(low_bits, b'9' + 1);
    let digits = !below_zero & !above_nine & !word;

    let length = (!digits & HIGHS).trailing_zeros() as usize / 8;
    let has_dot = length < 8 && bytes[length] == b'.';
    has_dot.then_some(length + 1)
}

/// The text up to the next space or delimiter.
#[inline(never)]
pub(super) fn any_token(rest: &[u8]) -> Token<'_> {
    short_token(rest).unwrap_or_else(|| {
        let length = rest
            .iter()
            .position(|&byte| ends_token(byte))
            .unwrap_or(rest.len());
        Token::new(&rest[..length])
    })
}

/// The text up to the next space or delimiter, or up to a termination marker attached to it.
#[inline(never)]
pub(super) fn move_token(rest: &[u8]) -> Token<'_> {
    let token = any_token(rest);
    before_terminator(token.text).map_or(token, Token::new)
}

/// The text before an attached termination marker, if it is a move to a square: `Qg2` of `Qg20-1`, `d6` of `d61-0`.
pub(super) fn before_terminator(text: &[u8]) -> Option<&[u8]> {
    if !matches!(text.last(), Some(b'0'..=b'2')) {
        return None;
    }

    let terminators: [&[u8]; 3] = [b"1-0", b"0-1", b"1/2-1/2"];
    let before = terminators
        .into_iter()
        .find_map(|terminator| text.strip_suffix(terminator))?;

    // A check mark may stand between the square and the marker: `Qg2+1-0`.
    let unmarked = before
        .strip_suffix(b"+")
        .or(before.strip_suffix(b"#"))
        .unwrap_or(before);
    matches!(unmarked, [.., b'a'..=b'h', b'1'..=b'8']).then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! ends {
        ($($name:ident: $text:literal => $token:literal;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(move_token($text.as_bytes()), Token::new($token.as_bytes()));
            }
        )*};
    }

    ends! {
        castling: "O-O-O e5" => "O-O-O";
        white_wins: "Qg21-0 " => "Qg2";
        black_wins: "Qg20-1" => "Qg2";
        draw: "axb81/2-1/2" => "axb8";
        mate: "Qg2#1-0" => "Qg2#";
        check: "d6+1/2-1/2" => "d6+";
        long: "Qd1-g20-1" => "Qd1-g2";
        no_square: "Qg1-0" => "Qg1-0";
        bishop_without_rank: "Bb1-0" => "Bb1-0";
        no_terminator: "e2-e4" => "e2-e4";
        text_behind: "Qg20-1x" => "Qg20-1x";
        markup: "O-O<br>" => "O-O";
        backslash: "Nf3\\$1" => "Nf3";
    }

    macro_rules! plain {
        ($($name:ident: $text:literal => $token:expr;)*) => {$(
            #[test]
            fn $name() {
                let token: Option<&str> = $token;
                let expected = token.map(|token| Token::new(token.as_bytes()));
                assert_eq!(plain_token($text.as_bytes()), expected);
            }
        )*};
    }

    plain! {
        plain_move: "e4 e5 2.Nf3" => Some("e4");
        plain_check: "Qb6+ Kh8 *" => Some("Qb6+");
        plain_mate_of_seven: "Ng1xf3#\n" => Some("Ng1xf3#");
        no_plain_check_of_eight: "Ng1xf34+ *" => None;
        no_plain_move_of_eight: "Ng1xf3e5 *" => None;
        no_plain_word: "resignation *" => None;
        no_plain_double_check: "Nd5++ Kd8 *" => None;
        no_plain_castling: "O-O Re8 *" => None;
        no_plain_suffix: "Nf3! d5 *" => None;
    }
}
