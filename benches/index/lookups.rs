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
/// The limit of the time to list all games of such a position.
const FEW_GAMES_MS: f64 = 1.0;
/// The limit of the time to count the moves at a position of many games.
const MOVES_MS: f64 = 10.0;
/// The limit of the mean time of a look-up: a count and the first games.
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
        let connection = database.connection();
        let search = PositionSearch::new(connection).expect("an index");
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

        let mut plies = 0;
        for visited in visits {
            plies += u64::from(visited.ply.get());
        }
        plies
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

    /// The number of games.
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

/// The median of some times, after one untimed run, which fills the caches.
fn median_time(mut work: impl FnMut()) -> Duration {
    work();
    let mut times = [Duration::ZERO; RUNS];
    for taken in &mut times {
        (_, *taken) = time(&mut work);
    }
    median(&mut times)
}

pub(crate) fn measure(bench: &Bench, table: &mut Table) {
    let lookup = Lookup::new(bench.database());
    let samples = bench.samples();

    table.part("look-ups, warm, in one process");
    few_games(&lookup, samples, table);
    moves(&lookup, samples, table);
    mixed(&lookup, samples, table);
}

/// All games of positions that few games reach, both sampled from games and from all different positions.
fn few_games(lookup: &Lookup, samples: &Samples, table: &mut Table) {
    let all = samples.from_games.iter().chain(&samples.distinct);
    let has_few_games = |sample: &&Sample| (1..FEW_GAMES).contains(&sample.games.len());
    let few: Vec<&Sample> = all.filter(has_few_games).collect();
    let count = few.len();
    assert!(
        count >= MIN_POSITIONS,
        "only {count} positions of few games"
    );

    let mut times = Vec::new();
    for sample in &few {
        times.push(lookup.time_games(sample));
    }
    times.sort_unstable();

    // A search also prints the heading of each game.
    let mut listing_times = Vec::new();
    for sample in &few {
        listing_times.push(median_time(|| {
            let games = lookup.games(&sample.position, usize::MAX);
            let headings = lookup.headings(&games);
            assert_eq!(headings, sample.games.len(), "the games have rows");
        }));
    }
    listing_times.sort_unstable();

    let games_of_each = few.iter().map(|sample| sample.games.len());
    let most = games_of_each.max().unwrap_or(0);
    let few_name = "positions of fewer than 100 games";
    table.note(few_name, count as f64, Unit::None);
    table.note("games of the most popular of them", most as f64, Unit::None);

    let unit = Unit::Milliseconds;
    let median = milliseconds(quantile(&times, 0.5));
    table.note("all games of one, median", median, unit);
    let percentile = milliseconds(quantile(&times, 0.999));
    table.note("all games of one, 99.9th percentile", percentile, unit);
    let worst = milliseconds(quantile(&times, 1.0));
    table.limit("all games of one, worst", worst, unit, FEW_GAMES_MS);

    let name = "all games of one with their headings";
    let median = milliseconds(quantile(&listing_times, 0.5));
    table.note(format!("{name}, median"), median, unit);
    let worst = milliseconds(quantile(&listing_times, 1.0));
    table.note(format!("{name}, worst"), worst, unit);
}

/// The moves at the start, which most games reach, and at a frequent position.
fn moves(lookup: &Lookup, samples: &Samples, table: &mut Table) {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

    for (name, fen) in [("the start", START), ("1. e4 c5", SICILIAN)] {
        let position = Position::from_fen(fen).expect("a legal position");
        let key = position.key();
        let sample = samples
            .from_games
            .iter()
            .find(|sample| sample.position.key() == key)
            .expect("a position that is sampled by name");
        let games = sample.games.len() as u64;

        let taken = median_time(|| {
            let counted = lookup.moves(&position);
            assert_eq!(counted, games, "moves are counted");
        });
        let name = format!("moves at {name}, {games} games");
        table.limit(name, milliseconds(taken), Unit::Milliseconds, MOVES_MS);
    }
}

/// Different positions, and absent ones; the second time counts.
fn mixed(lookup: &Lookup, samples: &Samples, table: &mut Table) {
    let present_mean = mean_time(lookup, &samples.distinct);
    let absent_mean = mean_time(lookup, &samples.absent);

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

/// The mean time, in microseconds, to count the games of a position and to list the first ones.
fn mean_time(lookup: &Lookup, samples: &[Sample]) -> f64 {
    let look_up_all = || {
        for sample in samples {
            look_up(lookup, sample);
        }
    };

    // The first time fills the caches.
    look_up_all();
    let ((), taken) = time(look_up_all);
    microseconds(taken) / samples.len() as f64
}

/// Counts the games of a position, and lists the first ones, as a search does.
fn look_up(lookup: &Lookup, sample: &Sample) {
    let count = lookup.count(&sample.position);
    assert_eq!(count, sample.games.len() as u64, "games are counted");

    let games = lookup.games(&sample.position, LISTED);
    let listed = sample.games.len().min(LISTED);
    let expected = &sample.games[..listed];
    assert_eq!(games, expected, "games are listed");
}
