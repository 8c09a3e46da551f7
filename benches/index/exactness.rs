//! A comparison of look-ups with replays.

use super::bench::Bench;
use super::lookups::Lookup;
use super::samples::Sample;
use super::table::{Table, Unit};

/// The number of absent positions to look up.
const ABSENT: usize = 1_000;
/// The number of wrong answers to print.
const SHOWN: usize = 20;

pub(crate) fn measure(bench: &Bench, table: &mut Table) {
    let lookup = Lookup::new(bench.database());
    let samples = bench.samples();
    let reached = &samples.from_games[..];
    let absent_count = samples.absent.len().min(ABSENT);
    let absent = &samples.absent[..absent_count];

    table.part("exactness, lists of games beside those of a replay");
    for (kind, samples) in [("of games", reached), ("of no game", absent)] {
        let count = samples.len();
        let games_of_each = samples.iter().map(|sample| sample.games.len());
        let games: usize = games_of_each.sum();
        let name = format!("{count} positions {kind}, {games} games");

        let differences = differences(&lookup, samples);
        table.limit(name, differences as f64, Unit::None, 0.0);
    }
}

/// The number of wrong lists; the first ones are printed.
fn differences(lookup: &Lookup, samples: &[Sample]) -> usize {
    let mut wrong = 0;
    for sample in samples {
        let found = lookup.games(&sample.position, usize::MAX);
        if found == sample.games {
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
