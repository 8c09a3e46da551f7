//! Growth of times and sizes with ten times as many games.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use stamma::import::ImportOptions;
use tempfile::TempDir;

use super::bench::{Bench, read};
use super::distinct::distinct;
use super::lookups::Lookup;
use super::samples::Sample;
use super::stored::{Stored, event_tags, import_file};
use super::table::{Table, Unit, microseconds};
use crate::peer::{median, time};
use crate::questions::Question;

/// The number of different positions sampled from each file.
const DRAWN: usize = 20_000;
/// The number of sampled positions with the same number of games.
const ASKED: usize = 500;
/// The greatest factor for ten times the positions.
const TENFOLD: f64 = 10.5;
/// The greatest factor of a look-up for ten times the games.
const LOOKUP: f64 = 1.1;

/// The numbers of games of the compared positions.
const HITS: [(&str, RangeInclusive<usize>); 2] = [("1 game", 1..=1), ("5 to 10 games", 5..=10)];

/// A file and its measurements.
struct Step {
    name: String,
    stored: Stored,
    /// Seconds.
    time: f64,
    lookup: Lookup,
    samples: Vec<Sample>,
    /// For each of [`HITS`], the mean times of all turns.
    lookup_times: [Vec<Duration>; 2],
    _folder: TempDir,
}

impl Step {
    /// Imports a file often, and samples its positions.
    fn new(bench: &Bench, pgn: &Path) -> Step {
        let imported = Imported::often(bench, pgn);
        let stored = Stored::read(&imported.database);
        let bytes = read(pgn);
        assert_eq!(
            stored.games,
            event_tags(&bytes),
            "games are stored as there are Event tags"
        );

        let mut samples = Vec::new();
        for drawn in distinct(&bytes, DRAWN) {
            let question = Question::new(&drawn.position);
            samples.push(Sample::new(&question, drawn.games));
        }

        let name = pgn.file_name().unwrap_or_default();
        Step {
            name: name.to_string_lossy().into_owned(),
            stored,
            time: imported.median_seconds,
            lookup: Lookup::new(&imported.database),
            samples,
            lookup_times: Default::default(),
            _folder: imported.folder,
        }
    }

    /// Times the look-ups of all compared positions once.
    fn time_lookups(&mut self) {
        let seconds = |sample: &Sample| {
            let taken = self.lookup.time_games(sample);
            taken.as_secs_f64()
        };
        let means = HITS.map(|(_, hits)| self.mean(hits, seconds));

        for (times, mean) in self.lookup_times.iter_mut().zip(means) {
            times.push(Duration::from_secs_f64(mean));
        }
    }

    /// The median times, in microseconds.
    fn lookups(&self) -> [f64; 2] {
        self.lookup_times
            .each_ref()
            .map(|times| microseconds(median(&mut times.clone())))
    }

    /// The half-moves that a look-up replays: with more games, a position of few games occurs later in a game.
    fn replayed(&self) -> [f64; 2] {
        let plies = |sample: &Sample| {
            let replayed = self.lookup.replayed(&sample.position);
            replayed as f64
        };
        HITS.map(|(_, hits)| self.mean(hits, plies))
    }

    /// The mean of a figure over the numbers of games, equally weighted, so that files can be compared.
    fn mean(&self, hits: RangeInclusive<usize>, figure: impl Fn(&Sample) -> f64) -> f64 {
        let mean_of = |games: usize| {
            let has_games = |sample: &&Sample| sample.games.len() == games;
            let of_games = self.samples.iter().filter(has_games);
            average(of_games.take(ASKED).map(&figure))
        };
        average(hits.filter_map(mean_of)).expect("positions of few games")
    }

    /// Prints all measurements.
    fn print(&self, table: &Table) {
        let note = |figure_name: &str, figure: f64, unit: Unit| {
            table.note(format!("{}: {figure_name}", self.name), figure, unit);
        };
        let index = self.stored.index_bytes as f64;
        let database = self.stored.database_bytes as f64;
        note("games", self.stored.games as f64, Unit::None);
        note("positions", self.stored.positions as f64, Unit::None);
        note("import", self.time, Unit::Seconds);
        note("index", index / 1e6, Unit::Megabytes);
        note("database", database / 1e6, Unit::Megabytes);

        let times = self.lookups();
        let replayed = self.replayed();
        for (at, (hits, _)) in HITS.iter().enumerate() {
            let name = format!("look-up of {hits}, mean");
            note(&name, times[at], Unit::Microseconds);
            let name = format!("half-moves replayed for {hits}, mean");
            note(&name, replayed[at], Unit::None);
        }
    }
}

pub(crate) fn measure(bench: &Bench, table: &mut Table) {
    table.part(format!("growth, medians of {}", bench.runs()));
    let mut steps = bench.steps.each_ref().map(|pgn| Step::new(bench, pgn));
    // The files take turns, so that a machine that slows down slows down all of them.
    for _ in 0..bench.runs() {
        for step in &mut steps {
            step.time_lookups();
        }
    }

    for step in &steps {
        step.print(table);
    }
    for pair in steps.windows(2) {
        compare(&pair[0], &pair[1], table);
    }

    // Look-ups are compared in the two larger databases only.
    let [_, small, large] = &steps;
    let small_times = small.lookups();
    let large_times = large.lookups();
    for (at, (hits, _)) in HITS.iter().enumerate() {
        let name = format!("look-up of {hits}: {} / {}", large.name, small.name);
        let factor = large_times[at] / small_times[at];
        table.limit(name, factor, Unit::None, LOOKUP);
    }
}

/// A new database of a file.
struct Imported {
    folder: TempDir,
    /// The path of the database in the folder.
    database: PathBuf,
    median_seconds: f64,
}

impl Imported {
    /// Imports a file as often as each program runs, and keeps the last database.
    fn often(bench: &Bench, pgn: &Path) -> Imported {
        let mut times = Vec::new();
        loop {
            let folder = bench.new_folder();
            let database = folder.path().join("games.db");
            let (_, taken) = time(|| import_file(pgn, &database, ImportOptions::default()));
            times.push(taken);

            if times.len() == bench.runs() as usize {
                let median = median(&mut times);
                return Imported {
                    folder,
                    database,
                    median_seconds: median.as_secs_f64(),
                };
            }
        }
    }
}

/// Factors as measured, and scaled to exactly ten times the positions.
fn compare(small: &Step, large: &Step, table: &mut Table) {
    let factor = |figure: fn(&Stored) -> u64| {
        let large_figure = figure(&large.stored) as f64;
        let small_figure = figure(&small.stored) as f64;
        large_figure / small_figure
    };

    let pair = format!("{} / {}", large.name, small.name);
    let positions = factor(|stored| stored.positions);
    table.note(format!("{pair}: positions"), positions, Unit::None);

    let factors = [
        ("import", large.time / small.time),
        ("index", factor(|stored| stored.index_bytes)),
        ("database", factor(|stored| stored.database_bytes)),
    ];
    for (figure_name, factor) in factors {
        let name = format!("{pair}: {figure_name}");
        table.note(&name, factor, Unit::None);

        let tenfold = 10.0 * factor / positions;
        let scaled_name = format!("{name}, 10x positions");
        table.limit(scaled_name, tenfold, Unit::None, TENFOLD);
    }
}

/// The mean of some figures; `None` without figures.
fn average(figures: impl Iterator<Item = f64>) -> Option<f64> {
    let mut sum = 0.0;
    let mut count = 0;
    for figure in figures {
        sum += figure;
        count += 1;
    }
    if count == 0 {
        return None;
    }
    Some(sum / f64::from(count))
}
