//! Streams the games of a player as PGN, the latest first. One game at a time is in memory.
//!
//! ```text
//! cargo run --example player_games games.db fischer
//! ```

use std::env::args;
use std::error::Error;
use std::io::{Write, stdout};

use stamma::export::write_pgn;
use stamma::notation::Style;
use stamma::{Database, Filter, Query, SortKey};

fn main() -> Result<(), Box<dyn Error>> {
    let (Some(path), Some(player)) = (args().nth(1), args().nth(2)) else {
        return Err("usage: player_games GAMES.db PLAYER".into());
    };

    let database = Database::open(path)?;
    let filter = Filter {
        players: vec![player.as_str().into()],
        ..Filter::default()
    };
    let query = Query::new().filter(filter).order(SortKey::Date.reversed());
    let mut results = database.query(&query)?;

    // One buffer for the texts of all games.
    let mut text = Vec::new();
    let mut out = stdout().lock();
    for game in results.games()? {
        let (_number, game) = game?;
        text.clear();
        write_pgn(&game, &Style::pgn(), &mut text)?;
        out.write_all(&text)?;
    }
    Ok(())
}
