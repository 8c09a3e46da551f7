//! Recognizes English games by the letters of their movetext, without a replay.

use memchr::{memchr, memchr_iter, memchr2, memrchr2};

use crate::pgn::{Visitor, read_tags};

/// A byte that no move in English has, or the beginning of a variation.
const IS_OTHER: u8 = 1 << 7;
/// The letter Q. The lower bits are the bits of [`letter_bit`].
const IS_QUEEN: u8 = 1 << 6;

/// The bytes of movetext that are compared at once.
const COMPARED_BYTES: usize = 256;

/// The signs of each byte of a movetext: [`IS_OTHER`], [`IS_QUEEN`] or the bit of a letter that English shares; 0 for
/// all other bytes.
static SIGNS: [u8; 256] = signs();

/// The table of [`SIGNS`].
const fn signs() -> [u8; 256] {
    let mut table = [0; 256];

    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'Q' => IS_QUEEN,
            b'K' | b'R' | b'B' | b'N' => letter_bit(byte as u8),
            b'O' => 0,
            b'A'..=b'Z' | b'(' | 0x80.. => IS_OTHER,
            _ => 0,
        };
        byte += 1;
    }

    table
}

/// Returns `true` if the movetext of a game has only the letters of English, and enough of them: a Q, which no other
/// language has, or letters that no language in `foreign` has together.
///
/// The moves need not be legal. A game with variations is never English at a glance.
pub(super) fn is_english_at_a_glance(text: &str, foreign: &[u8]) -> bool {
    // Tags as programs write them are passed over line by line, without the reader of tags.
    let bytes = text.as_bytes();
    let ordinary_bytes = ordinary_tags(bytes);
    let start = ordinary_bytes + read_tags(&bytes[ordinary_bytes..], &mut Nothing);
    let movetext = bytes.get(start..).unwrap_or_default();
    if has_queens_and_no_foreign_signs(movetext) {
        return true;
    }

    // Letters in comments do not count.
    let mut found = 0;
    let mut rest = movetext;
    while let Some(at) = memchr2(b'{', b';', rest) {
        found |= signs_of(&rest[..at]);

        let end = if rest[at] == b'{' { b'}' } else { b'\n' };
        rest = match memchr(end, &rest[at..]) {
            Some(length) => &rest[at + length + 1..],
            None => &[],
        };
    }
    found |= signs_of(rest);

    if found & IS_OTHER != 0 {
        return false;
    }
    // No other language has the letter Q.
    if found & IS_QUEEN != 0 {
        return true;
    }

    // Neither of the two higher bits is left.
    let letters = found;
    letters != 0 && foreign.iter().all(|&has| letters & !has != 0)
}

/// `true` if a movetext has the letter Q outside comments, and neither a sign of another language nor a `;` anywhere.
///
/// Nearly all games with clock times have such movetext. Their comments, one at every move, need not be separated from
/// the moves.
fn has_queens_and_no_foreign_signs(movetext: &[u8]) -> bool {
    if movetext.chunks(COMPARED_BYTES).any(has_foreign_signs) {
        return false;
    }

    memchr_iter(b'Q', movetext).any(|at| {
        let last_brace = memrchr2(b'{', b'}', &movetext[..at]);
        last_brace.is_none_or(|brace| movetext[brace] == b'}')
    })
}

/// `true` if a byte is a sign of another language or a `;`.
///
/// All bytes are compared, without an early end and without a table, so that the compiler makes vector instructions of
/// it.
fn has_foreign_signs(text: &[u8]) -> bool {
    text.iter().fold(false, |found, &byte| {
        let is_capital = byte.wrapping_sub(b'A') < 26;
        let is_english = (byte == b'K')
            | (byte == b'Q')
            | (byte == b'R')
            | (byte == b'B')
            | (byte == b'N')
            | (byte == b'O');
        let is_other = (is_capital & !is_english) | (byte == b'(') | (byte >= 0x80);
        found | is_other | (byte == b';')
    })
}

/// The length of the lines at the beginning of a game that are a tag pair each, as programs write them.
fn ordinary_tags(text: &[u8]) -> usize {
    let mut length = 0;

    while text[length..].starts_with(b"[") {
        let Some(end) = memchr(b'\n', &text[length..]) else {
            break;
        };

        let line = text[length..length + end].trim_ascii_end();
        let is_tag_pair = line.ends_with(b"\"]") && memchr_iter(b'"', line).count() == 2;
        if !is_tag_pair {
            break;
        }

        length += end + 1;
    }

    length
}

/// The signs of all bytes of a text, combined.
fn signs_of(text: &[u8]) -> u8 {
    text.iter()
        .fold(0, |signs, &byte| signs | SIGNS[usize::from(byte)])
}

/// The bit of a letter that English shares with other languages.
pub(super) const fn letter_bit(byte: u8) -> u8 {
    match byte {
        b'K' => 1,
        b'R' => 2,
        b'B' => 4,
        b'N' => 8,
        _ => 0,
    }
}

/// A visitor that ignores all tags.
struct Nothing;

impl Visitor<'_> for Nothing {}

#[cfg(test)]
mod tests {
    use super::super::Readings;

    macro_rules! is_english {
        ($($name:ident: $text:literal => $is:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(Readings::default().are_settled_for($text), $is);
            }
        )*};
    }

    #[test]
    fn both_searches_look_for_the_same_signs() {
        for byte in 0..=u8::MAX {
            let is_sign = super::SIGNS[usize::from(byte)] & super::IS_OTHER != 0;
            assert_eq!(
                super::has_foreign_signs(&[byte]),
                is_sign || byte == b';',
                "{byte}"
            );
        }
    }

    is_english! {
        with_queens: "[White \"Dame\"]\n\n1. e4 e5 2.Qh5 $2 {Dd6} Nc6 3. Bc4 Nf6 ; Ta1\n4. Qxf7# 1-0" => true;
        a_promotion: "50. e8=Q+ Kd7 *" => true;
        letters_of_no_other_language: "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O Re8 *" => true;
        letters_of_another_language: "1. Rf1 *" => false;
        queens_in_a_variation: "1. e4 e5 (1... e6 2. Qe2) 2. Kf2 *" => false;
        french: "1. e4 e5 2. Dh5 Cc6 *" => false;
        descriptive: "1. P-K4 P-K4 2. Q-R5 *" => false;
        russian: "1. e4 e5 2. Кf3 *" => false;
        pawns: "1. e4 e5 *" => false;
        no_moves: "[White \"Q\"]\n\n*" => false;
        an_open_comment: "1. e4 {Qh5" => false;
        with_clocks: "1. e4 { [%clk 0:03:00] } e5 { [%clk 0:03:00] } 2. Qh5 { [%clk 0:02:59] } *" => true;
        queens_in_comments_alone: "1. e4 {Q} e5 {Q {Q} 2. Nf3 *" => false;
        behind_a_stray_brace: "1. e4 } e5 2. Qh5 *" => true;
        a_capital_in_a_comment: "1. e4 {Dd6} e5 2. Qh5 *" => true;
    }
}
