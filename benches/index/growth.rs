//! Growth of times and sizes with ten times as many games.

use std::ops::RangeInclusive;
use std::path::Path;
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
    fn new(bench: &Bench, pgn: &Path) -> Step {
        let (folder, time) = import_often(bench, pgn);
        let database = folder.path().join("games.db");
        let stored = Stored::read(&database);
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
            time,
            lookup: Lookup::new(&database),
            samples,
            lookup_times: Default::default(),
            _folder: folder,
        }
    }

    fn time_lookups(&mut self) {
        let seconds = |sample: &Sample| self.lookup.time_games(sample).as_secs_f64();
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
        let plies = |sample: &Sample| self.lookup.replayed(&sample.position) as f64;
        HITS.map(|(_, hits)| self.mean(hits, plies))
    }

    /// The mean of a figure over the numbers of games, equally weighted, so that files can be compared.
    fn mean(&self, hits: RangeInclusive<usize>, figure: impl Fn(&Sample) -> f64) -> f64 {
        let mean_of = |games: usize| {
            let all = self.samples.iter();
            let of_games = all.filter(|sample| sample.games.len() == games);
            average(of_games.take(ASKED).map(&figure))
        };
        average(hits.filter_map(mean_of)).expect("positions of few games")
    }

    fn print(&self, table: &Table) {
        let note =
            |what: &str, figure, unit| table.note(format!("{}: {what}", self.name), figure, unit);
        let index = self.stored.index_bytes as f64 / 1e6;
        let database = self.stored.database_bytes as f64 / 1e6;
        note("games", self.stored.games as f64, Unit::None);
        note("positions", self.stored.positions as f64, Unit::None);
        note("import", self.time, Unit::Seconds);
        note("index", index, Unit::Megabytes);
        note("database", database, Unit::Megabytes);

        let lookups = self.lookups().into_iter().zip(self.replayed());
        for ((hits, _), (time, plies)) in HITS.iter().zip(lookups) {
            let lookup = format!("look-up of {hits}, mean");
            note(&lookup, time, Unit::Microseconds);
            let replayed = format!("half-moves replayed for {hits}, mean");
            note(&replayed, plies, Unit::None);
        }
    }
}

pub(crate) fn measure(bench: &Bench, table: &mut Table) {
    table.part(format!("growth, medians of {}", bench.runs()));
    let mut steps = bench.steps.each_ref().map(|pgn| Step::new(bench, pgn));
    // The files take turns.
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

    let [_, small, large] = &steps;
    let times = small.lookups().into_iter().zip(large.lookups());
    for ((hits, _), (small_time, large_time)) in HITS.iter().zip(times) {
        let name = format!("look-up of {hits}: {} / {}", large.name, small.name);
        table.limit(name, large_time / small_time, Unit::None, LOOKUP);
    }
}

/// The last database, with the median time in seconds.
fn import_often(bench: &Bench, pgn: &Path) -> (TempDir, f64) {
    let mut times = Vec::new();
    loop {
        let folder = bench.new_folder();
        let database = folder.path().join("games.db");
        let import = || import_file(pgn, &database, ImportOptions::default());
        let (_, taken) = time(import);
        times.push(taken);
        if times.len() == bench.runs() as usize {
            return (folder, median(&mut times).as_secs_f64());
        }
    }
}

/// Factors as measured, and scaled to exactly ten times the positions.
fn compare(small: &Step, large: &Step, table: &mut Table) {
    let pair = format!("{} / {}", large.name, small.name);
    let positions = large.stored.positions as f64 / small.stored.positions as f64;
    table.note(format!("{pair}: positions"), positions, Unit::None);

    let index = large.stored.index_bytes as f64 / small.stored.index_bytes as f64;
    let database = large.stored.database_bytes as f64 / small.stored.database_bytes as f64;
    let factors = [
        ("import", large.time / small.time),
        ("index", index),
        ("database", database),
    ];
    for (what, factor) in factors {
        let name = format!("{pair}: {what}");
        table.note(&name, factor, Unit::None);
        let tenfold = 10.0 * factor / positions;
        let scaled_name = format!("{name}, 10x positions");
        table.limit(scaled_name, tenfold, Unit::None, TENFOLD);
    }
}

/// `None` without figures.
fn average(figures: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for figure in figures {
        sum += figure;
        count += 1;
    }
    (count > 0).then(|| sum / f64::from(count))
}
