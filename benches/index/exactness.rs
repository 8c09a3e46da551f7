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
    let all = bench.samples();
    let absent = &all.absent[..all.absent.len().min(ABSENT)];

    table.part("exactness, lists of games beside those of a replay");
    for (name, samples) in [("of games", &all.from_games[..]), ("of no game", absent)] {
        let count = samples.len();
        let games: usize = samples.iter().map(|sample| sample.games.len()).sum();
        let name = format!("{count} positions {name}, {games} games");
        let differences = differences(&lookup, samples) as f64;
        table.limit(name, differences, Unit::None, 0.0);
    }
}

/// The number of wrong lists; the first ones are printed.
fn differences(lookup: &Lookup, samples: &[Sample]) -> usize {
    let mut wrong = 0;
    for sample in samples {
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
