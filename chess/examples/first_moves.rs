//! Reads PGN with a visitor alone, without a database, a board or an allocation a game: counts the first moves.
//!
//! ```text
//! cargo run --example first_moves games.pgn
//! ```

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeMap;
use std::env::args;
use std::error::Error;
use std::fs;

use stamma_chess::pgn::{Span, Token, Visitor, read_game, split};

/// Receives the events of one game; events without a method here are ignored.
#[derive(Default)]
struct FirstMove<'t>(Option<&'t [u8]>);

impl<'t> Visitor<'t> for FirstMove<'t> {
    fn move_text(&mut self, token: Token<'t>, _at: usize) {
        self.0.get_or_insert(token.text);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(path) = args().nth(1) else {
        return Err("usage: first_moves GAMES.pgn".into());
    };
    let file = fs::read(path)?;

    let mut games: BTreeMap<&[u8], u64> = BTreeMap::new();
    for span in split(&file) {
        let Span::Game(range) = span else { continue };
        let mut first = FirstMove::default();
        read_game(&file[range], &mut first);

        let text = first.0.unwrap_or(b"(none)");
        *games.entry(text).or_default() += 1;
    }

    for (text, count) in games {
        println!("{}: {count}", String::from_utf8_lossy(text));
    }
    Ok(())
}
