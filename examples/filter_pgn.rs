//! Converts PGN to clean PGN with a filter of its own: of all games, only those that end in checkmate are written.
//!
//! ```text
//! cargo run --example filter_pgn games.pgn > mates.pgn
//! ```

use std::env::args;
use std::error::Error;
use std::fs;
use std::io::{Write, stdout};

use stamma::export::write_replay;
use stamma::notation::Style;
use stamma::pgn::{Span, split};
use stamma::replay::{Replay, replay};

fn main() -> Result<(), Box<dyn Error>> {
    let Some(path) = args().nth(1) else {
        return Err("usage: filter_pgn GAMES.pgn".into());
    };
    let file = fs::read_to_string(path)?;

    // One buffer for the texts of all games.
    let mut text = Vec::new();
    let mut out = stdout().lock();
    for span in split(file.as_bytes()) {
        let Span::Game(range) = span else { continue };
        let replay = replay(&file[range]);
        if !is_wanted(&replay) {
            continue;
        }

        text.clear();
        write_replay(&replay, &Style::pgn(), &mut text)?;
        out.write_all(&text)?;
    }
    Ok(())
}

/// The filter: anything that can be said of a game and its last position.
fn is_wanted(replay: &Replay<'_>) -> bool {
    let last = &replay.last;
    last.is_check() && last.legal_moves().is_empty()
}
