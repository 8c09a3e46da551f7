//! The legal moves of a FEN, and how many positions they lead to.
//!
//! ```text
//! cargo run --release --example legal_moves 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1' 4
//! ```

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::env::args;
use std::error::Error;

use stamma_chess::board::{Position, perft};
use stamma_chess::notation::{diagram, san};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = args().skip(1);
    let Some(fen) = arguments.next() else {
        return Err("usage: legal_moves FEN [DEPTH]".into());
    };
    let position = Position::from_fen(&fen)?;
    println!("{}\n", diagram(&position));

    let moves = position.legal_moves();
    let texts: Vec<String> = moves.iter().map(|&mv| san(&position, mv)).collect();
    println!("{} legal moves: {}", moves.len(), texts.join(" "));

    if let Some(depth) = arguments.next() {
        println!(
            "{} positions after {depth} half-moves",
            perft(&position, depth.parse()?)
        );
    }
    Ok(())
}
