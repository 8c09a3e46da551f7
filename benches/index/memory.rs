//! The memory of an import, run as a separate process, and the cost of less memory.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::bench::Bench;
use super::table::{Table, Unit};
use crate::peer::median;
use crate::process::{STAMMA, quiet};
use crate::usage::peak;

/// The limit of the peak with `--memory 256M`.
const SMALL_PEAK_MB: f64 = 400.0;
/// The limit of the peak with the default, one gibibyte.
const DEFAULT_PEAK_MB: f64 = 1_073.741_824;
/// The longest import with `--memory 256M`, relative to one with the default.
const SMALL_PER_DEFAULT: f64 = 1.2;

/// Imports with the same options.
#[derive(Default)]
struct Runs {
    times: Vec<Duration>,
    /// The highest resident set of each, in bytes; none if the system does not tell.
    peaks: Vec<u64>,
}

impl Runs {
    /// The median time in seconds.
    fn time(&mut self) -> f64 {
        median(&mut self.times).as_secs_f64()
    }

    /// The median peak in megabytes; `None` if the system does not tell.
    fn peak_mb(&mut self) -> Option<f64> {
        self.peaks.sort_unstable();
        let middle = self.peaks.len() / 2;
        let median = *self.peaks.get(middle)?;
        Some(median as f64 / 1e6)
    }
}

pub(crate) fn measure(bench: &Bench, table: &mut Table) {
    // In turn, so that a machine that slows down slows down both.
    let mut default = Runs::default();
    let mut small = Runs::default();
    for _ in 0..bench.runs() {
        run(bench, &[], &mut default);
        run(bench, &["--memory", "256M"], &mut small);
    }

    let runs = bench.runs();
    table.part(format!("memory, whole process, medians of {runs}"));
    let default_time = default.time();
    table.note("import, default memory", default_time, Unit::Seconds);
    let small_time = small.time();
    table.note("import, --memory 256M", small_time, Unit::Seconds);
    let ratio = small_time / default_time;
    let name = "time with 256M / with the default";
    table.limit(name, ratio, Unit::None, SMALL_PER_DEFAULT);

    let (Some(default_peak), Some(small_peak)) = (default.peak_mb(), small.peak_mb()) else {
        table.part("peaks are not known: only Linux tells them in /proc");
        return;
    };
    let unit = Unit::Megabytes;
    table.limit("peak, default memory", default_peak, unit, DEFAULT_PEAK_MB);
    table.limit("peak, --memory 256M", small_peak, unit, SMALL_PEAK_MB);
}

/// Imports the file once, into a new database, and adds the time and the peak.
fn run(bench: &Bench, options: &[&str], runs: &mut Runs) {
    let folder = bench.new_folder();
    let database = folder.path().join("games.db");
    let mut command = Command::new(STAMMA);
    command.arg("import");
    command.arg(&database);
    command.arg(&bench.pgn);
    command.args(options);

    let start = Instant::now();
    let child = quiet(&mut command).spawn().expect("stamma runs");
    runs.peaks.extend(peak(child));
    runs.times.push(start.elapsed());

    check_games(bench, &database);
}

/// Checks that all games are stored.
fn check_games(bench: &Bench, database: &Path) {
    let connection = super::stored::open(database);
    let sql = "SELECT count(*) FROM game";
    let count = connection.query_row(sql, [], |row| row.get(0));
    let games: i64 = count.expect("a count");
    assert_eq!(
        games as u64,
        bench.games(),
        "games are stored as there are Event tags"
    );
}
