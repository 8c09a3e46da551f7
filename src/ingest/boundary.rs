//! Finds places between two games at which a file can be cut, from the nearby bytes only.

use memchr::memmem;

/// The offset of the first game at or behind a place: the next line with an Event tag that follows a blank line, or the
/// end of the file.
///
/// The result depends only on the bytes behind the place and the blank bytes directly before it, up to the first other
/// byte. So two processes that read the parts on both sides agree on the cut. The part behind the cut is split into the
/// games of the whole file, because such a line ends even an unclosed comment. There is one exception: an Event tag
/// behind a blank line within a tag section begins a game here.
pub(crate) fn begins_game(file: &[u8], place: usize) -> usize {
    if place == 0 {
        return 0;
    }

    // The line ending before the place may belong to the game at it.
    let from = place - 1;
    for found in memmem::find_iter(&file[from..], EVENT) {
        let newline = from + found;
        if is_blank_line_before(&file[..newline]) {
            return newline + 1;
        }
    }

    file.len()
}

/// The beginning of a game, behind a line that ends before it.
const EVENT: &[u8] = b"\n[Event \"";

/// Returns `true` if a text ends with a blank line, whose own line ending is not part of the text.
fn is_blank_line_before(text: &[u8]) -> bool {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
    let last = text.iter().rfind(|byte| !is_blank(byte));

    // A blank first line has no newline before it.
    matches!(last, None | Some(b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Span, split};

    const FILE: &[u8] =
        b"[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 {\n[Event \"C\"]} *\r\n \r\n\
        [Event \"D\"]\r\n\r\n*\r\n";

    #[test]
    fn cuts_are_where_games_begin() {
        let starts: Vec<usize> = split(FILE)
            .map(|span| match span {
                Span::Game(range) | Span::Text(range) => range.start,
            })
            .collect();

        for place in 0..=FILE.len() {
            let next_start = starts.iter().copied().find(|&start| start >= place);
            let expected = next_start.unwrap_or(FILE.len());
            assert_eq!(begins_game(FILE, place), expected, "{place}");
        }
    }

    #[test]
    fn a_file_without_event_tags_is_not_cut() {
        let file = b"1. e4 *\n\n1. d4 *\n";
        assert_eq!(begins_game(file, 0), 0);
        assert_eq!(begins_game(file, 3), file.len());
    }
}
