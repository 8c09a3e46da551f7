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
    let lookup = Lookup::new(bench.database());
    let samples = bench.samples();
    let absent = &samples.absent[..samples.absent.len().min(ABSENT)];

    table.part("exactness, lists of games beside those of a replay");
    for (name, asked) in [
        ("of games", &samples.from_games[..]),
        ("of no game", absent),
    ] {
        let count = asked.len();
        let games: usize = asked.iter().map(|asked| asked.games.len()).sum();
        let name = format!("{count} positions {name}, {games} games");
        let differences = differences(&lookup, asked) as f64;
        table.limit(name, differences, Unit::None, 0.0);
    }
}

/// The number of wrong lists; the first ones are printed.
fn differences(lookup: &Lookup, asked: &[Asked]) -> usize {
    let mut wrong = 0;
    for sample in asked {
        if lookup.games(&sample.position, usize::MAX) == sample.games {
            continue;
        }
        wrong += 1;
        if wrong <= SHOWN {
            let fen = sample.position.fen();
            let games = sample.games.len();
            println!("different: {fen}   {games} games by replay");
        }
    }
    wrong
}
