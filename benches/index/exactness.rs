//! A comparison of look-ups with replays.

use super::bench::Bench;
use super::lookups::Lookup;
use super::samples::Asked;
use super::table::{Table, Unit};

/// The number of absent positions to look up.
const ABSENT: usize = 1_000;
/// The number of wrong answers to print.
const SHOWN: usize = 20;

pub(crate) fn measure(bench: &Bench, table: &mut Table) {
    let (lookup, samples) = (Lookup::new(bench.database()), bench.samples());
    table.part("exactness, lists of games beside those of a replay");
    let absent = &samples.absent[..samples.absent.len().min(ABSENT)];
    for (name, asked) in [
        ("of games", &samples.from_games[..]),
        ("of no game", absent),
    ] {
        let games: usize = asked.iter().map(|asked| asked.games.len()).sum();
        let name = format!("{} positions {name}, {games} games", asked.len());
        table.limit(name, differences(&lookup, asked) as f64, Unit::None, 0.0);
    }
}

/// The number of wrong lists; the first ones are printed.
fn differences(lookup: &Lookup, asked: &[Asked]) -> usize {
    let differs = |asked: &&Asked| lookup.games(&asked.position, usize::MAX) != asked.games;
    let wrong: Vec<&Asked> = asked.iter().filter(differs).collect();
    for asked in wrong.iter().take(SHOWN) {
        let (fen, games) = (asked.position.fen(), asked.games.len());
        println!("different: {fen}   {games} games by replay");
    }
    wrong.len()
}
