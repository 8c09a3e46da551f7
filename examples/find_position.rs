//! Finds the games that reach a position, and the moves played there.
//!
//! ```text
//! cargo run --example find_position games.pgn '1. e4 e5 2. Nf3 Nc6 3. Bb5'
//! ```

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::env::args;
use std::error::Error;

use stamma::import::{ImportOptions, import};
use stamma::{Database, Query, SortKey};

fn main() -> Result<(), Box<dyn Error>> {
    let (Some(pgn), Some(position)) = (args().nth(1), args().nth(2)) else {
        return Err("usage: find_position GAMES.pgn FEN|MOVES".into());
    };

    let folder = tempfile::tempdir()?;
    let mut database = Database::open_or_create(folder.path().join("games.db"))?;
    import(&mut database, [pgn], ImportOptions::default(), |_| {})?;

    let query = Query::new().position(&position)?.order(SortKey::Date);
    let mut results = database.query(&query)?;
    println!("{} games", results.count()?);
    for hit in results.hits()? {
        let hit = hit?;
        let heading = database.heading(hit.game)?.unwrap_or_default();
        let next = hit.next.as_deref().unwrap_or("none");
        println!("game {}: {heading}; next {next}", hit.game);
    }

    for played in results.moves()? {
        let counts = played.counts;
        // A game may end at the position.
        let san = played.san().unwrap_or("(end)");
        println!(
            "{san}: {} games, +{} ={} -{}",
            counts.all_games(),
            counts.white,
            counts.draws,
            counts.black
        );
    }
    Ok(())
}
