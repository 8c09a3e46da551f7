//! Tag pairs (PGN §8.1): `[Name "value"]`.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2, memrchr};

use super::blank::{line_length, trim_blanks};
use super::result::leading_result;
use super::token::{HIGHS, MAX_NUMBER_DIGITS, ONES};

/// The tag value with `\"` and `\\` unescaped; other backslashes are kept (PGN §7).
pub fn unescape(value: &[u8]) -> Cow<'_, [u8]> {
    if !has_backslash(value) {
        return Cow::Borrowed(value);
    }

    let mut plain = Vec::with_capacity(value.len());
    let mut bytes = value.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let escaped = bytes.next_if(|next| byte == b'\\' && matches!(next, b'"' | b'\\'));
        plain.push(escaped.unwrap_or(byte));
    }

    Cow::Owned(plain)
}

/// Returns `true` if the value has a backslash. Examines every byte: values are short, and the processor cannot predict
/// where a search for the first backslash ends.
fn has_backslash(value: &[u8]) -> bool {
    let is_in = |word: &[u8; 8]| {
        let differing = u64::from_le_bytes(*word) ^ (u64::from(b'\\') * ONES);
        differing.wrapping_sub(ONES) & !differing & HIGHS
    };
    match value.last_chunk() {
        // The last eight bytes overlap the words before them.
        Some(last) => {
            let (words, _) = value.as_chunks();
            let found = words
                .iter()
                .fold(is_in(last), |all, word| all | is_in(word));
            found != 0
        }
        None => value.contains(&b'\\'),
    }
}

/// A tag pair and its length in bytes.
pub(super) struct RawTag<'t> {
    pub(super) name: &'t [u8],
    pub(super) value: &'t [u8],
    pub(super) length: usize,
    /// The end of the tag pair.
    pub(super) end: TagEnd,
}

/// The end of a tag pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TagEnd {
    /// A `]` after the last quote.
    Bracket,
    /// Nothing: the line ends, or another tag pair begins.
    Missing,
    /// Text that is not a tag pair, at this range.
    Text(Range<usize>),
}

/// The bytes allowed in tag names (PGN §7: letters, digits, underscore and a few symbols).
static IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let letter = byte as u8;
        table[byte] = letter.is_ascii_alphanumeric()
            || matches!(letter, b'_' | b'+' | b'#' | b'=' | b':' | b'-');
        byte += 1;
    }
    table
};

/// Parses a tag pair at the beginning of a text: `[Name "value"]` on one line, the space optional.
///
/// An unescaped quote ends the value only before `]` or before another tag pair, because people write
/// `[White "Emanuel "the" Lasker"]`. Otherwise the last quote of the line ends it, and the text after that is not part
/// of the value.
pub(super) fn split_tag(text: &[u8]) -> Option<RawTag<'_>> {
    let mut name_start = 1;
    while matches!(text.get(name_start), Some(b' ' | b'\t')) {
        name_start += 1;
    }
    let named = text.get(name_start..)?;
    let name_length = named.iter().position(|&byte| !IN_NAME[byte as usize])?;
    let name = &named[..name_length];

    let mut quote = name_start + name_length;
    while matches!(text.get(quote), Some(b' ' | b'\t')) {
        quote += 1;
    }
    if name.is_empty() || text[0] != b'[' || text.get(quote) != Some(&b'"') {
        return None;
    }

    // Nearly all values are plain, and a quote and a bracket follow them.
    let start = quote + 1;
    let quoted = &text[start..];
    let plain = plain_length(quoted);
    if let [b'"', b']', ..] = quoted[plain..] {
        let length = start + plain + 2;
        return Some(RawTag {
            name,
            value: &quoted[..plain],
            length,
            end: TagEnd::Bracket,
        });
    }

    let irregular = irregular_value_end(quoted)?;
    let end = match irregular.end {
        TagEnd::Text(tail) => TagEnd::Text(start + tail.start..start + tail.end),
        end => end,
    };
    Some(RawTag {
        name,
        value: &quoted[..irregular.value_length],
        length: start + irregular.length,
        end,
    })
}

/// Returns `true` for a line of a tag section that is a damaged tag pair, or text after a tag pair that is not
/// movetext: `(Result "*")`, `White "Tal"]`, the second line of a broken value, markup such as `<br>`.
///
/// Movetext begins with none of these symbols, and contains a quote after its first word or before a `]` only in
/// comments. Numbers, comments, NAGs and `*`, with which nearly all movetext begins, are decided first.
pub(super) fn is_broken_tag(line: &[u8]) -> bool {
    let Some(first) = line.first() else {
        return false;
    };
    if matches!(first, b'0'..=b'9' | b'{' | b'*' | b'$' | b';' | b'%') {
        return false;
    }
    if matches!(
        first,
        b'[' | b'<' | b'"' | b'&' | b',' | b'|' | b'/' | b'\\'
    ) {
        return true;
    }
    if is_named_value(line) {
        return true;
    }

    // A comment may end like a tag pair: `e4 {the "main line"]`.
    line.ends_with(b"\"]") && memchr2(b'{', b';', line).is_none()
}

/// Returns `true` for a name and a quote without an opening bracket, or with a round one.
fn is_named_value(line: &[u8]) -> bool {
    let named = line.strip_prefix(b"(").unwrap_or(line);
    let length = named
        .iter()
        .take_while(|&&byte| IN_NAME[byte as usize])
        .count();
    let behind_name = named[length..].trim_ascii_start();

    length > 0 && behind_name.starts_with(b"\"")
}

/// The number of bytes before the first quote, backslash or control character.
///
/// Values are short, so examining eight bytes at a time is faster than setting up a search.
fn plain_length(text: &[u8]) -> usize {
    let equal = |word: u64, byte: u8| {
        let differing = word ^ (u64::from(byte) * ONES);
        differing.wrapping_sub(ONES) & !differing
    };

    let (chunks, rest) = text.as_chunks::<8>();

    for (i, chunk) in chunks.iter().enumerate() {
        let word = u64::from_le_bytes(*chunk);
        // The lowest high bit that is set is exact: only bytes above it may be marked wrongly, by a borrow.
        let control = word.wrapping_sub(u64::from(b' ') * ONES) & !word;
        let stops = (equal(word, b'"') | equal(word, b'\\') | control) & HIGHS;
        if stops != 0 {
            return 8 * i + stops.trailing_zeros() as usize / 8;
        }
    }

    let is_plain = |&byte: &u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    let more = rest.iter().position(|byte| !is_plain(byte));

    8 * chunks.len() + more.unwrap_or(rest.len())
}

/// The end of a tag pair, from its value on.
struct ValueEnd {
    /// The length of the value.
    value_length: usize,
    /// The length of the tag pair from its value on.
    length: usize,
    /// The end of the tag pair. A range in it counts from the beginning of the value.
    end: TagEnd,
}

/// The end of a value that contains escapes, quotes or tabs, or has no end on its line. Reads no further than this end,
/// so that many such values on one line take linear time.
#[cold]
fn irregular_value_end(text: &[u8]) -> Option<ValueEnd> {
    let stop = |text: &[u8]| {
        text.iter()
            .position(|&byte| is_line_break(byte) || matches!(byte, b'"' | b'\\'))
    };

    let mut pos = 0;
    while let Some(length) = text.get(pos..).and_then(stop) {
        let here = pos + length;
        let after = &text[here + 1..];

        match text[here] {
            b'"' => {}
            // A backslash escapes the next character, but not the end of the line.
            b'\\' if after.first().is_some_and(|&next| !is_line_break(next)) => {
                pos = here + 2;
                continue;
            }
            b'\\' => {
                pos = here + 1;
                continue;
            }
            _ => break,
        }

        if let Some(bracket) = closing_bracket(after) {
            return Some(ValueEnd {
                value_length: here,
                length: here + 1 + bracket + 1,
                end: TagEnd::Bracket,
            });
        }
        if let Some(next_tag) = next_tag_start(after) {
            return Some(end_at_quote(here, &text[..here + 1 + next_tag]));
        }

        // The quote is part of the value.
        pos = here + 1;
    }

    let line = &text[..line_length(text)];
    let last_quote = memrchr(b'"', line)?;
    Some(end_at_quote(last_quote, line))
}

fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The offset of a bracket after a quote, perhaps with spaces between them; `None` if the quote is
/// followed by other text or by nothing.
fn closing_bracket(after: &[u8]) -> Option<usize> {
    let place = after
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\t'))?;
    if after[place] != b']' {
        return None;
    }

    Some(place)
}

/// The offset of another tag pair that begins before the next quote of the line, if any.
fn next_tag_start(after: &[u8]) -> Option<usize> {
    let next_stop = after
        .iter()
        .position(|&byte| is_line_break(byte) || byte == b'"')?;
    if after[next_stop] != b'"' {
        return None;
    }

    tag_start(&after[..next_stop])
}

/// The start of a tag pair whose name is the last word before a quote: `[Black `. Names begin with a capital, so a
/// bracket within a value does not count.
fn tag_start(before: &[u8]) -> Option<usize> {
    let named = before.trim_ascii_end();
    let name_start = named.iter().rposition(|&byte| !IN_NAME[byte as usize])? + 1;
    let bracket = named[..name_start].trim_ascii_end();

    let has_capital = named.get(name_start).is_some_and(u8::is_ascii_uppercase);
    if !has_capital || !bracket.ends_with(b"[") {
        return None;
    }

    Some(bracket.len() - 1)
}

/// The end of a value at a quote that no bracket follows. Other text may follow the quote, with a bracket behind it.
fn end_at_quote(quote: usize, part: &[u8]) -> ValueEnd {
    let behind = part[quote + 1..].trim_ascii_start();
    let start = part.len() - behind.len();
    let tail = behind.trim_ascii_end();
    let text = tail.strip_suffix(b"]").unwrap_or(tail).trim_ascii_end();

    let end = if !text.is_empty() {
        TagEnd::Text(start..start + text.len())
    } else if tail.is_empty() {
        TagEnd::Missing
    } else {
        TagEnd::Bracket
    };
    ValueEnd {
        value_length: quote,
        length: part.len(),
        end,
    }
}

/// Returns `true` if the rest of a line after its tag pairs is not movetext: words, numbers without a dot, comments
/// that end there, superfluous brackets.
pub(super) fn is_stray(mut rest: &[u8]) -> bool {
    loop {
        rest = trim_blanks(rest);
        match rest {
            [] | [b';', ..] => return true,
            [b']', behind @ ..] => rest = behind,
            [b'{', ..] => return matches!(after_comments(rest), Some([] | [b'[', ..])),
            [b'(', inner @ ..] => {
                return is_named_value(rest)
                    || begins_with_number(inner)
                    || begins_with_word(inner);
            }
            [b'*' | b'$' | b'%', ..] => return false,
            _ => return begins_with_number(rest) || is_broken_tag(rest) || begins_with_word(rest),
        }
    }
}

/// The text after the leading comments in braces, if they all end on this line.
fn after_comments(mut line: &[u8]) -> Option<&[u8]> {
    while let Some(comment) = line.strip_prefix(b"{") {
        let end = memchr(b'}', comment)?;
        line = trim_blanks(&comment[end + 1..]);
    }
    Some(line)
}

/// Returns `true` for a number that is not a move number, a move, or part of a result.
fn begins_with_number(rest: &[u8]) -> bool {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || is_movetext(rest) {
        return false;
    }

    let behind = &rest[digits..];
    let next = behind.trim_ascii_start();
    match next.first() {
        None | Some(b')' | b']' | b'{' | b';') => leading_result(rest).is_none(),
        Some(_) => {
            let has_space = behind.len() > next.len();
            has_space && begins_with_word(next)
        }
    }
}

/// Returns `true` for a word that is not a move: followed by a number, or without a digit, which every move but
/// castling has.
fn begins_with_word(rest: &[u8]) -> bool {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"(){}[];$!?.*<".contains(byte);
    let length = rest.iter().position(ends).unwrap_or(rest.len());
    let word = &rest[..length];

    if length <= 2 || word[0].is_ascii_digit() {
        return false;
    }

    // Two digits in a row are a rating or a year: `Elo1500`.
    let has_number = word
        .windows(2)
        .any(|pair| pair.iter().all(u8::is_ascii_digit));
    let is_word = has_number || !word.iter().any(u8::is_ascii_digit);
    is_word && !is_like_move(word)
}

/// Returns `true` if a line begins like movetext: with a move number or a possible move.
pub(super) fn is_movetext(line: &[u8]) -> bool {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &line[digits..];
    match digits {
        0 => {
            let mut tokens = line.split(u8::is_ascii_whitespace);
            tokens.next().is_some_and(is_like_move) && tokens.next().is_none_or(is_like_move)
        }
        1..=MAX_NUMBER_DIGITS => {
            let after = rest.trim_ascii_start();
            if after.starts_with(b".") {
                return true;
            }

            let has_space = rest.len() > after.len();
            let mut words = after.split(u8::is_ascii_whitespace);
            has_space && words.next().is_some_and(is_like_move)
        }
        _ => false,
    }
}

/// Returns `true` if a line begins with the first move of a game: `1. e4`, `1.P-K4`, `1. 5254`. Prose that begins so
/// goes on with a word: `1. d4 would be another way`.
pub(super) fn begins_first_move(line: &[u8]) -> bool {
    let Some(behind) = line.strip_prefix(b"1.") else {
        return false;
    };
    let text = trim_blanks(behind);
    let (first, rest) = split_word(text);
    let is_move = is_move_word(first) && leading_result(text).is_none();

    is_move && is_after_move(rest)
}

/// Returns `true` if the rest of a line may follow a move: it is empty, or begins with another move, a number, a sign
/// or a result.
fn is_after_move(rest: &[u8]) -> bool {
    let (word, _) = split_word(rest);

    word.is_empty()
        || is_move_word(word)
        || is_movetext(rest)
        || b"{}();$*!?".contains(&rest[0])
        || leading_result(rest).is_some()
}

/// The first word of a text, up to a space or a sign that ends a move, and the text after the word.
fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"{}();$".contains(byte);
    let end = text.iter().position(ends).unwrap_or(text.len());
    (&text[..end], trim_blanks(&text[end..]))
}

/// Returns `true` for a possible move in algebraic, numeric or descriptive notation.
fn is_move_word(word: &[u8]) -> bool {
    is_like_move(word) || is_numeric_move(word) || is_descriptive_move(word)
}

/// Returns `true` for four or five digits that name squares: `5254`, `57581` with a promotion.
fn is_numeric_move(word: &[u8]) -> bool {
    let is_square_digit = |byte: &u8| (b'1'..=b'8').contains(byte);
    (4..=5).contains(&word.len()) && word.iter().all(is_square_digit)
}

/// Returns `true` for a first move in descriptive notation: `P-K4`, `N-KB3`.
fn is_descriptive_move(word: &[u8]) -> bool {
    let has_piece = matches!(word, [b'P' | b'K' | b'N' | b'S', ..]);
    has_piece && word.contains(&b'-') && matches!(word, [.., b'1'..=b'8'])
}

/// The length limit of a move text that ends with its target square.
const MAX_MOVE_BYTES: usize = 7;

/// Returns `true` for castling, or a short text that ends with a square, apart from its marks.
fn is_like_move(token: &[u8]) -> bool {
    let end = token
        .iter()
        .rposition(|byte| !b"+#!?".contains(byte))
        .map_or(0, |last| last + 1);

    match &token[..end] {
        b"O-O" | b"O-O-O" | b"0-0" | b"0-0-0" => true,
        [.., b'a'..=b'h', b'1'..=b'8'] => end <= MAX_MOVE_BYTES,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_bytes_are_counted_like_one_by_one() {
        for length in 0..40 {
            for stop in [b'"', b'\\', b'\n', 0, 0x1f, b' ', b'!', 0x7f, 0x80, 0xff] {
                let mut text = vec![b'x'; 40];
                text[length] = stop;

                let is_plain = |byte: &&u8| **byte >= b' ' && **byte != b'"' && **byte != b'\\';
                let expected = text.iter().take_while(is_plain).count();
                assert_eq!(plain_length(&text), expected, "{length} {stop}");
            }
        }
    }

    macro_rules! reads {
        ($($name:ident: $text:expr => $tag:expr;)*) => {$(
            #[test]
            fn $name() {
                let found = split_tag($text.as_bytes());
                let found = found.map(|tag| {
                    let text = |bytes| str::from_utf8(bytes).expect("UTF-8");
                    (text(tag.name), text(tag.value), &$text[tag.length..])
                });
                let expected: Option<(&str, &str, &str)> = $tag;
                assert_eq!(found, expected);
            }
        )*};
    }

    macro_rules! broken {
        ($($name:ident: $line:expr => $is_broken:literal;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(is_broken_tag($line.as_bytes()), $is_broken);
            }
        )*};
    }

    macro_rules! first_moves {
        ($($name:ident: $line:expr => $begins:literal;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(begins_first_move($line.as_bytes()), $begins);
            }
        )*};
    }

    first_moves! {
        a_move_alone: "1. e4" => true;
        two_moves: "1.e4 Sf6" => true;
        a_move_with_a_mark: "1. e4! e5?!" => true;
        a_move_and_a_number: "1. e4 1... e5" => true;
        a_move_and_a_comment: "1. e4{best} e5" => true;
        a_move_and_a_variation: "1. e4 (1. d4) e5" => true;
        a_move_and_a_glyph: "1. e4 $1" => true;
        a_move_and_a_mark: "1. e4 ! e5" => true;
        a_move_and_a_result: "1. e4 1-0" => true;
        a_move_and_no_result: "1. e4 *" => true;
        descriptive_moves: "1. P-K4 P-K4" => true;
        numeric_moves: "1. 5254 5755" => true;
        prose: "1. d4 would be another way to play." => false;
        prose_with_a_year: "1. d4 1972 was the year" => false;
        prose_after_a_number: "1. The first move" => false;
        a_result: "1. 1-0" => false;
        a_later_move: "2. e4" => false;
    }

    #[test]
    fn text_behind_a_tag() {
        for stray in [
            "Karl",
            "]",
            "]]",
            "] ]",
            "; comment",
            "{comment}",
            "{a} {b}",
            "(2500)",
            "(Elo 2500)",
            "2500",
            "12",
            "2500 Elo",
            "Elo1500",
            "] Karl",
            "] 2500",
            "<br>",
            "{x} [Black \"C\"]",
        ] {
            assert!(is_stray(stray.as_bytes()), "{stray}");
        }
        for movetext in [
            "1. e4",
            "1.e4",
            "1 e4",
            "12 . Nf3",
            "12... Nf6",
            "1-0",
            "1 - 0",
            "1/2",
            "0-0",
            "0-0-0",
            "e4 e5",
            "Nf3",
            "O-O",
            "e8=Q+",
            "P-K4",
            "1 P-K4",
            "5254 5755",
            "*",
            "{a} 1. e4",
            "{a} 2500",
            "{a} ; b",
            "{a",
            "] 1. e4",
            "$4",
            "(1. e4)",
            "(e4)",
            "a4(b4$6)a6!?{x",
            "-- e5",
        ] {
            assert!(!is_stray(movetext.as_bytes()), "{movetext}");
        }
    }

    broken! {
        round_bracket: "(Result \"*\")" => true;
        bracket_lost: "White \"Tal\"]" => true;
        brackets_lost: "White \"Tal\"" => true;
        rest_of_a_value: "on the Volga\"]" => true;
        comment_behind_a_nag: "$4 ;\"] a}b\"]" => false;
        comment_in_a_variation: "(e4 ;a\"]" => false;
        markup: "<br>" => true;
        entity: "&nbsp;" => true;
        no_brackets_no_quotes: "White Tal" => false;
        moves: "1. e4 e5" => false;
        moves_without_numbers: "e4 e5" => false;
        moves_in_figurines: "\u{2658}f3" => false;
        comment: "{a \"quote\"]" => false;
        comment_behind_a_move: "e4 {\"quote\"]" => false;
        variation: "(1. e4)" => false;
        null_move: "-- e5" => false;
        no_line: "" => false;
    }

    reads! {
        plain: "[White \"Tal\"]\n" => Some(("White", "Tal", "\n"));
        no_space: "[White\"Tal\"][" => Some(("White", "Tal", "["));
        spaces: "[ White  \"Tal\" ] " => Some(("White", "Tal", " "));
        empty: "[White \"\"]" => Some(("White", "", ""));
        escapes: r#"[A "a\"b\\"]"# => Some(("A", r#"a\"b\\"#, ""));
        quotes: "[A \"an \"odd\" name\"]" => Some(("A", "an \"odd\" name", ""));
        bracket_in_value: "[A \"[x] y\"]" => Some(("A", "[x] y", ""));
        no_bracket: "[A \"x\"\n[B \"y\"]" => Some(("A", "x", "\n[B \"y\"]"));
        another_tag_behind: "[A \"x\" [B \"y\"]" => Some(("A", "x", "[B \"y\"]"));
        words_before_another_tag: "[A \"x\" y [B\"z\"]" => Some(("A", "x", "[B\"z\"]"));
        words_behind_the_quote: "[A \"x\" {y z}]\n[B" => Some(("A", "x", "\n[B"));
        bracket_between_quotes: "[A \"x \"[y\" z\"]" => Some(("A", "x \"[y\" z", ""));
        backslash_at_the_end: "[A \"x\" y\\\n[B" => Some(("A", "x", "\n[B"));
        no_end: "[A \"x\n[B \"y\"]" => None;
        no_end_of_an_old_macintosh: "[A \"x\r[B \"y\"]" => None;
        no_quote: "[A x]" => None;
        no_name: "[\"x\"]" => None;
        command: "[%clk 0:01]" => None;
        nothing: "" => None;
    }
}
