//! A game in PGN's export format (PGN §8).
//!
//! The seven tags of the roster first, then the others as they came; the movetext; the terminator that was found.

use super::form::Layout;
use super::moves::Unwritable;
use super::movetext::Movetext;
use super::roster::ROSTER;
use super::verbatim::is_found_again;
use crate::board::Move;
use crate::game::{Game, TagPair};
use crate::notation::Style;
use crate::replay::Replay;

/// Appends a game as PGN with a blank line after it, its moves in a style; [`Style::pgn`] is that of the standard.
///
/// # Errors
/// When the moves are to be written in another notation and cannot be played.
pub fn write_pgn(game: &Game<'_>, style: &Style<'_>, out: &mut Vec<u8>) -> Result<(), Unwritable> {
    write_game(game, &[], style, Layout::default(), out)
}

/// The same for a game that has just been replayed, whose moves need not be found from their texts again.
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

/// Appends a game as it is to be laid out.
pub(super) fn write_game(
    game: &Game<'_>,
    played: &[Move],
    style: &Style<'_>,
    layout: Layout,
    out: &mut Vec<u8>,
) -> Result<(), Unwritable> {
    write_tags(game, layout, out);
    let mut movetext = Movetext::new(game, style, layout, out)?;
    if !game.annotations.is_empty() || !movetext.write_plain(game, played) {
        movetext.steps(game)?;
    }
    match game.rest.as_deref() {
        Some(rest) if game.is_played => movetext.comment(rest),
        Some(rest) if is_found_again(rest, terminator(game)) => movetext.verbatim(rest),
        Some(rest) => {
            movetext.comment(rest);
            movetext.end_line();
        }
        // As the text will stand that this is when it is read again.
        None if !game.is_played => movetext.end_line(),
        None => {}
    }
    movetext.word(terminator(game));
    movetext.out.extend_from_slice(b"\n\n");
    Ok(())
}

/// What was found at the end of the game, or where nothing was, the result.
fn terminator(game: &Game<'_>) -> &'static str {
    game.termination.unwrap_or(game.result).as_str()
}

fn write_tags(game: &Game<'_>, layout: Layout, out: &mut Vec<u8>) {
    // Nearly all games have the roster first and in order.
    let leading =
        game.tags.iter().zip(ROSTER).take_while(|(tag, first)| tag.name == first.0).count();
    for TagPair { name, value } in &game.tags[..leading] {
        write_tag(name, value, out);
    }
    let roster = if layout.has_roster { &ROSTER[leading..] } else { &[] };
    for (name, unknown) in roster {
        let missing = if *name == "Result" { game.result.as_str() } else { unknown };
        write_tag(name, game.tag(name).unwrap_or(missing), out);
    }
    let mut roster: Vec<&str> = roster.iter().map(|(name, _)| *name).collect();
    for TagPair { name, value } in &game.tags[leading..] {
        match roster.iter().position(|first| first == name) {
            Some(written) => drop(roster.swap_remove(written)),
            None => {
                // On a line of its own, a second event would begin a game.
                if *name == "Event" {
                    out.pop();
                }
                write_tag(name, value, out);
            }
        }
    }
    if let Some(fen) = &game.start {
        if game.tag("SetUp").is_none() {
            write_tag("SetUp", "1", out);
        }
        if game.tag("FEN").is_none() {
            write_tag("FEN", fen, out);
        }
    }
    out.push(b'\n');
}

fn write_tag(name: &str, value: &str, out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    let mut rest = value;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r'))
    {
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
