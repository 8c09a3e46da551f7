//! Plays games through, in whatever notation and language they are written, and reports what is wrong with them.
//!
//! ```text
//! cargo run --release --example report_problems games.pgn
//! ```

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::env::args;
use std::error::Error;
use std::fs;

use stamma_chess::pgn::{Span, split};
use stamma_chess::replay::Readings;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(path) = args().nth(1) else {
        return Err("usage: report_problems GAMES.pgn".into());
    };
    let file = fs::read_to_string(path)?;
    let readings = Readings::default();

    for span in split(file.as_bytes()) {
        let Span::Game(range) = span else { continue };
        let read = readings.replay(&file[range]);
        let game = &read.replay.game;
        let name = |tag| game.tag(tag).unwrap_or("?");

        let language = read.reading.and_then(|reading| readings.language(reading));
        println!(
            "{} - {}: {} half-moves in {}, {}",
            name("White"),
            name("Black"),
            read.replay.plies(),
            language.unwrap_or("en"),
            read.replay.last.fen(),
        );
        for problem in &read.replay.problems {
            println!("    {}: {}", problem.kind, problem.message);
        }
    }
    Ok(())
}
