//! Writes the moves of a game in other notations and languages.
//!
//! ```text
//! cargo run --example convert_notation '1. e4 e5 2. Sf3 Sc6 3. Lb5'
//! ```

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::env::args;
use std::error::Error;

use stamma_chess::board::Position;
use stamma_chess::notation::{LANGUAGES, Notation, PieceLetters, Style};
use stamma_chess::replay::Readings;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(text) = args().nth(1) else {
        return Err("usage: convert_notation 'MOVES'".into());
    };
    let read = Readings::default().replay(&text);
    if let Some(rest) = &read.replay.game.rest {
        return Err(format!("these are no moves: {rest}").into());
    }

    let write = |notation, letters: &PieceLetters| {
        let style = Style {
            notation,
            letters,
            chess960: false,
        };
        let mut position = Position::start();
        let mut texts = Vec::new();
        for &mv in &read.replay.played {
            texts.push(style.text(&position, mv));
            position.play(mv);
        }
        texts.join(" ")
    };

    for notation in Notation::ALL {
        println!(
            "{:>12}  {}",
            notation.name(),
            write(notation, PieceLetters::english())
        );
    }
    for language in LANGUAGES {
        println!(
            "{:>12}  {}",
            language.codes[0],
            write(Notation::San, &language.letters)
        );
    }
    Ok(())
}
