//! The time of look-ups in one warmed-up process.

use std::path::Path;
use std::time::Duration;

use stamma::board::Position;
use stamma::query::PositionSearch;
use stamma::storage::{Database, GameId};

use super::bench::Bench;
use super::samples::{Sample, Samples};
use super::table::{Table, Unit, microseconds};
use crate::peer::{median, time};
use crate::timing::{milliseconds, quantile};

/// The number of timed runs of a look-up, of which the median counts.
const RUNS: usize = 3;
/// Positions of fewer games are not timed, since they take no noticeable time.
const FEW_GAMES: usize = 100;
/// The least number of timed positions.
const MIN_POSITIONS: usize = 1_000;
const FEW_GAMES_MS: f64 = 1.0;
const MOVES_MS: f64 = 10.0;
/// The limits of the mean time of a look-up: a count and the first games.
const MEAN_US: f64 = 100.0;
/// The number of games that a look-up lists.
const LISTED: usize = 20;

/// The kind of look-up.
pub(crate) struct Lookup {
    database: Database,
    search: PositionSearch,
}

impl Lookup {
    pub(crate) fn new(database: &Path) -> Lookup {
        let database = Database::open(database).expect("a database");
        let search = PositionSearch::new(database.connection()).expect("an index");
        Lookup { database, search }
    }

    /// The numbers of the first games.
    pub(crate) fn games(&self, position: &Position, limit: usize) -> Vec<u32> {
        let wanted = std::slice::from_ref(position);
        let visits = self
            .search
            .games(self.database.connection(), wanted, limit)
            .expect("games");
        let numbers = visits.iter().map(|visited| visited.game.get() as u32);
        numbers.collect()
    }

    /// The number of half-moves replayed to list all games of a position.
    pub(crate) fn replayed(&self, position: &Position) -> u64 {
        let wanted = std::slice::from_ref(position);
        let visits = self
            .search
            .games(self.database.connection(), wanted, usize::MAX)
            .expect("games");
        let plies = visits.iter().map(|visited| u64::from(visited.ply.get()));
        plies.sum()
    }

    /// The number of games that have a heading.
    fn headings(&self, games: &[u32]) -> usize {
        let mut headings = 0;
        for &game in games {
            let id = GameId::new(game.into());
            let heading = self.database.heading(id).expect("a row");
            headings += usize::from(heading.is_some());
        }
        headings
    }

    fn count(&self, position: &Position) -> u64 {
        let wanted = std::slice::from_ref(position);
        self.search
            .count(self.database.connection(), wanted)
            .expect("a count")
    }

    /// The sum of the games over the counted moves.
    fn moves(&self, position: &Position) -> u64 {
        let wanted = std::slice::from_ref(position);
        let moves = self
            .search
            .moves(self.database.connection(), wanted)
            .expect("moves");
        moves.iter().map(|played| played.counts.all_games()).sum()
    }

    /// The time to list all games of a position, after one untimed run.
    pub(crate) fn time_games(&self, sample: &Sample) -> Duration {
        median_time(|| {
            assert_eq!(
                self.games(&sample.position, usize::MAX),
                sample.games,
                "the games are found"
            )
        })
    }
}

/// The median of some times, after one untimed run.
fn median_time(mut work: impl FnMut()) -> Duration {
    work();
    median(&mut [(); RUNS].map(|()| time(&mut work).1))
}

pub(crate) fn measure(bench: &Bench, table: &mut Table) {
    let (lookup, samples) = (Lookup::new(bench.database()), bench.samples());
    table.part("look-ups, warm, in one process");
    few_games(&lookup, samples, table);
    moves(&lookup, samples, table);
    mixed(&lookup, samples, table);
}

/// All games of positions that few games reach, both sampled from games and from all different positions.
fn few_games(lookup: &Lookup, samples: &Samples, table: &mut Table) {
    let all = samples.from_games.iter().chain(&samples.distinct);
    let is_of_few = |sample: &&Sample| (1..FEW_GAMES).contains(&sample.games.len());
    let few: Vec<&Sample> = all.filter(is_of_few).collect();
    let count = few.len();
    assert!(
        count >= MIN_POSITIONS,
        "only {count} positions of few games"
    );

    let mut times = Vec::new();
    for sample in &few {
        times.push(lookup.time_games(sample));
    }
    let mut listings = Vec::new();
    for sample in &few {
        listings.push(median_time(|| {
            let games = lookup.games(&sample.position, usize::MAX);
            let headings = lookup.headings(&games);
            assert_eq!(headings, sample.games.len(), "the games have rows");
        }));
    }
    times.sort_unstable();
    listings.sort_unstable();

    let games_of_each = few.iter().map(|sample| sample.games.len());
    let most = games_of_each.max().unwrap_or(0);
    let few_name = "positions of fewer than 100 games";
    table.note(few_name, count as f64, Unit::None);
    table.note("games of the most popular of them", most as f64, Unit::None);

    let unit = Unit::Milliseconds;
    let note = |name: &str, times: &[Duration], part: f64| {
        table.note(name, milliseconds(quantile(times, part)), unit);
    };
    note("all games of one, median", &times, 0.5);
    note("all games of one, 99.9th percentile", &times, 0.999);
    let worst = milliseconds(quantile(&times, 1.0));
    table.limit("all games of one, worst", worst, unit, FEW_GAMES_MS);

    let name = "all games of one with their headings";
    let median = milliseconds(quantile(&listings, 0.5));
    table.note(format!("{name}, median"), median, unit);
    let worst_listing = milliseconds(quantile(&listings, 1.0));
    table.note(format!("{name}, worst"), worst_listing, unit);
}

fn moves(lookup: &Lookup, samples: &Samples, table: &mut Table) {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    for (name, fen) in [("the start", start), ("1. e4 c5", sicilian)] {
        let position = Position::from_fen(fen).expect("a legal position");
        let key = position.key();
        let mut samples = samples.from_games.iter();
        let found = samples.find(|sample| sample.position.key() == key);
        let sample = found.expect("a position that is asked for by name");
        let games = sample.games.len() as u64;

        let time = median_time(|| assert_eq!(lookup.moves(&position), games, "moves are counted"));
        let name = format!("moves at {name}, {games} games");
        table.limit(name, milliseconds(time), Unit::Milliseconds, MOVES_MS);
    }
}

/// Different positions, alternating with absent ones; the second time counts.
fn mixed(lookup: &Lookup, samples: &Samples, table: &mut Table) {
    let ask = |sample: &Sample| {
        let count = lookup.count(&sample.position);
        let games = lookup.games(&sample.position, LISTED);
        let expected = &sample.games[..sample.games.len().min(LISTED)];
        assert_eq!(count, sample.games.len() as u64, "games are counted");
        assert_eq!(games, expected, "games are listed");
    };
    let mean = |positions: &[Sample]| {
        positions.iter().for_each(ask);
        let (_, taken) = time(|| positions.iter().for_each(ask));
        microseconds(taken) / positions.len() as f64
    };
    let present_mean = mean(&samples.distinct);
    let absent_mean = mean(&samples.absent);

    let unit = Unit::Microseconds;
    let present_count = samples.distinct.len() as f64;
    let present_name = format!("{present_count} different positions, mean");
    table.note(present_name, present_mean, unit);
    let absent_count = samples.absent.len() as f64;
    let absent_name = format!("{absent_count} positions of no game, mean");
    table.note(absent_name, absent_mean, unit);

    let count = present_count + absent_count;
    let sum = present_mean * present_count + absent_mean * absent_count;
    table.limit(format!("{count}, mean"), sum / count, unit, MEAN_US);
}
