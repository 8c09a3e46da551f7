//! Writes a game in PGN's export format (PGN §8).
//!
//! The seven tag roster comes first, then the other tags in their order, the movetext, and the original game
//! termination marker.

use super::form::Layout;
use super::moves::Unwritable;
use super::movetext::Movetext;
use super::roster::{ROSTER, missing_value};
use super::verbatim::reads_back_unchanged;
use crate::board::Move;
use crate::game::{Game, TagPair};
use crate::notation::Style;
use crate::replay::Replay;

/// Appends a game as PGN with a blank line after it, its moves in a style. [`Style::pgn`] is the style of the standard.
///
/// # Errors
/// When moves in another notation cannot be played.
pub fn write_pgn(game: &Game<'_>, style: &Style<'_>, out: &mut Vec<u8>) -> Result<(), Unwritable> {
    write_game(game, &[], style, Layout::default(), out)
}

/// Like [`write_pgn`], for a game that has just been replayed, so that its moves need not be derived from their texts.
///
/// # Errors
/// As for [`write_pgn`].
pub fn write_replay(
    replay: &Replay<'_>,
    style: &Style<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Unwritable> {
    write_game(&replay.game, &replay.played, style, Layout::default(), out)
}

/// Appends a game in a layout.
pub(super) fn write_game(
    game: &Game<'_>,
    played: &[Move],
    style: &Style<'_>,
    layout: Layout,
    out: &mut Vec<u8>,
) -> Result<(), Unwritable> {
    if layout.has_tags {
        write_tags(game, layout, out);
    }
    write_movetext(game, played, style, layout, out)
}

/// Appends the movetext of a game, with a blank line after it.
pub(super) fn write_movetext(
    game: &Game<'_>,
    played: &[Move],
    style: &Style<'_>,
    layout: Layout,
    out: &mut Vec<u8>,
) -> Result<(), Unwritable> {
    #[cfg(debug_assertions)]
    crate::bug::provoke(game.tag(crate::bug::PROVOKING_TAG), "write");

    let mut movetext = Movetext::new(game, style, layout, out)?;
    if !game.annotations.is_empty() || !movetext.write_plain(game, played) {
        movetext.steps(game)?;
    }

    match game.rest.as_deref() {
        // Behind moves, text that cannot be read becomes a comment: as movetext, it would be a problem again.
        Some(rest) if game.is_played => movetext.comment(rest),
        Some(rest) if reads_back_unchanged(rest, terminator(game)) => movetext.verbatim(rest),
        Some(rest) => {
            movetext.comment(rest);
            movetext.end_line();
        }
        // Movetext kept as text must be read again unchanged.
        None if !game.is_played => movetext.end_line(),
        None => {}
    }

    if layout.movetext.has_termination {
        movetext.word(terminator(game));
    }
    movetext.end_line();
    movetext.out.push(b'\n');
    Ok(())
}

/// The game termination marker of the game's text; the result if the text had no marker.
fn terminator(game: &Game<'_>) -> &'static str {
    game.termination.unwrap_or(game.result).as_str()
}

/// Appends the tag section and a blank line: the seven tag roster, completed if `layout.has_roster`, the other tags in
/// their order, and the tags of a start position (PGN §8.1.1, §9.7).
fn write_tags(game: &Game<'_>, layout: Layout, out: &mut Vec<u8>) {
    // In nearly all games the roster comes first and in order.
    let leading = game
        .tags
        .iter()
        .zip(ROSTER)
        .take_while(|(tag, first)| tag.name == first.0)
        .count();
    for TagPair { name, value } in &game.tags[..leading] {
        write_tag(name, value, out);
    }

    let rest_of_roster = if layout.has_roster {
        &ROSTER[leading..]
    } else {
        &[]
    };
    write_roster(game, rest_of_roster, out);
    write_other_tags(&game.tags[leading..], rest_of_roster, out);
    write_start_tags(game, out);
    out.push(b'\n');
}

/// Appends tags of the roster, in the order of the roster. A tag that the game does not have gets the value for
/// unknown.
fn write_roster(game: &Game<'_>, roster: &[(&str, &str)], out: &mut Vec<u8>) {
    for &(name, unknown) in roster {
        let missing = missing_value(game, name, unknown);
        write_tag(name, game.tag(name).unwrap_or(missing), out);
    }
}

/// Appends tags in their order, except the first tag of each name in `roster`, which [`write_roster`] has written.
fn write_other_tags(tags: &[TagPair<'_>], roster: &[(&str, &str)], out: &mut Vec<u8>) {
    let mut written: Vec<&str> = roster.iter().map(|(name, _)| *name).collect();
    for TagPair { name, value } in tags {
        if let Some(at) = written.iter().position(|first| first == name) {
            written.swap_remove(at);
            continue;
        }

        // On a line of its own, a second Event tag would begin another game, so it continues the line of the tag before
        // it.
        if *name == "Event" {
            out.pop();
        }
        write_tag(name, value, out);
    }
}

/// Appends the tags SetUp and FEN of a game with a start position of its own, unless the game has them (PGN §9.7).
fn write_start_tags(game: &Game<'_>, out: &mut Vec<u8>) {
    let Some(fen) = &game.start else {
        return;
    };
    if game.tag("SetUp").is_none() {
        write_tag("SetUp", "1", out);
    }
    if game.tag("FEN").is_none() {
        write_tag("FEN", fen, out);
    }
}

fn write_tag(name: &str, value: &str, out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");

    // Quotes and backslashes are escaped (PGN §7), and a line break becomes a space.
    let is_special = |byte: u8| matches!(byte, b'"' | b'\\' | b'\n' | b'\r');
    // Hardly any value has a special byte, and a fold over all bytes takes no branch on each byte.
    let has_special = value
        .bytes()
        .fold(false, |has, byte| has | is_special(byte));
    let mut rest = value;

    while has_special && let Some(at) = rest.bytes().position(is_special) {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        match rest.as_bytes()[at] {
            b'\n' | b'\r' => out.push(b' '),
            byte => out.extend_from_slice(&[b'\\', byte]),
        }
        rest = &rest[at + 1..];
    }

    out.extend_from_slice(rest.as_bytes());
    out.extend_from_slice(b"\"]\n");
}
