//! Imports of months of online games, beside an archive: CPU time a game, sizes, memory, and look-ups of games by their
//! addresses.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench months [-- --file human.pgn] [--copies 3] [--runs 3] [--clocks]`. A month is
//! made of the games of the file: their openings, with random moves behind them, an address a game, and accounts of two
//! million. `--copies N` makes a month N times as large, which is measured beside a month of one copy. Imports are
//! interleaved, and medians are printed. Files are written to the folder for temporary files, and need three times the
//! size of the largest month there.
//!
//! Checked in every run: the numbers of games and accounts, games found by their addresses, and that databases which
//! are made with little memory and one thread have the same content.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Parser;

#[path = "months/generator.rs"]
mod generator;
#[allow(dead_code, reason = "other benches read games with the peer")]
#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[allow(dead_code, reason = "other benches compare with other programs")]
mod process;
#[path = "../chess/tests/support/random.rs"]
#[allow(dead_code, reason = "the tests draw more than numbers")]
mod random;
#[allow(dead_code, reason = "other benches measure more")]
mod usage;

use generator::{Month, write_month};
use peer::{corpus_file, median, time};
use process::{STAMMA, quiet};
use usage::{cpu_of_children, peak_anonymous};

#[derive(Parser)]
struct Arguments {
    /// The file of the corpus
    #[arg(long, default_value = "human.pgn")]
    file: String,
    /// How many times as large the larger month is
    #[arg(long, default_value_t = 3)]
    copies: u64,
    /// How often each is imported
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Write a clock after each move
    #[arg(long)]
    clocks: bool,
    /// Import the smallest month with other memory and threads, too
    #[arg(long)]
    compare: bool,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// A file to import, and its measurements.
struct Subject {
    name: String,
    path: PathBuf,
    /// `None` for the archive.
    month: Option<Month>,
    /// The processor times of all imports.
    cpu: Vec<Duration>,
    /// The times of all imports.
    wall: Vec<Duration>,
    /// The highest anonymous memory of an import, in bytes.
    peak: u64,
}

fn main() {
    let arguments = Arguments::parse();
    let Some(archive) = corpus_file(&arguments.file) else {
        return;
    };

    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut subjects = vec![Subject::new(&arguments.file, archive.clone(), None)];
    for copies in [1, arguments.copies] {
        let path = folder.path().join(format!("month-{copies}.pgn"));
        let month = write_month(&archive, copies, arguments.clocks, &path).expect("a month");
        let name = format!("month of {copies}");
        subjects.push(Subject::new(&name, path, Some(month)));
    }

    // In turn, so that a machine that slows down slows down all of them.
    let database = folder.path().join("games.db");
    for run in 0..arguments.runs.max(1) {
        let is_first = run == 0;
        for subject in &mut subjects {
            subject.import(&database);
            subject.check(&database, is_first);
            if is_first {
                subject.print_sizes(&database);
            }
            fs::remove_file(&database).expect("the database");
        }
    }

    print_times(&mut subjects);
    if arguments.compare {
        // The month of one copy, behind the archive.
        compare(&subjects[1].path, folder.path());
    }
}

impl Subject {
    fn new(name: &str, path: PathBuf, month: Option<Month>) -> Subject {
        Subject {
            name: name.to_owned(),
            path,
            month,
            cpu: Vec::new(),
            wall: Vec::new(),
            peak: 0,
        }
    }

    /// Imports the file once, and adds the times and the peak.
    fn import(&mut self, database: &Path) {
        let mut command = Command::new(STAMMA);
        command.arg("import");
        command.arg(database);
        command.arg(&self.path);

        let cpu_before = cpu_of_children();
        let child = quiet(&mut command).spawn().expect("stamma runs");
        let (peak, wall) = time(|| peak_anonymous(child));
        let cpu = cpu_of_children() - cpu_before;

        self.cpu.push(cpu);
        self.wall.push(wall);
        self.peak = self.peak.max(peak.unwrap_or(0));
    }

    /// Compares the database with what the month has.
    fn check(&self, database: &Path, is_first: bool) {
        let Some(month) = &self.month else {
            return;
        };

        let counts = sql(
            database,
            "SELECT (SELECT count(*) FROM game) || ' ' || (SELECT count(*) FROM player)",
        );
        let expected = format!("{} {}", month.games, month.accounts.len());
        // The last line of the output: the first has the name of the column.
        assert!(counts.ends_with(&expected), "games and accounts");

        let mut times = Vec::new();
        for (id, game) in &month.addresses {
            times.push(look_up(database, id, *game));
        }
        if is_first && !times.is_empty() {
            self.print_look_ups(times);
        }
    }

    /// Prints the times of look-ups by address.
    fn print_look_ups(&self, mut times: Vec<Duration>) {
        let slowest = times.iter().max().copied().unwrap_or_default();
        let median = median(&mut times);
        println!(
            "{:<14} a game by its address: {:.1} ms, at most {:.1} ms ({} games)",
            self.name,
            1000.0 * median.as_secs_f64(),
            1000.0 * slowest.as_secs_f64(),
            times.len()
        );
    }

    /// Prints the sizes of the file and its database, the memory of the import, and the sizes of large tables.
    fn print_sizes(&self, database: &Path) {
        let pgn = megabytes(&self.path);
        let stored = megabytes(database);
        let ratio = stored / pgn;
        let peak = self.peak as f64 / 1e6;
        println!(
            "{:<14} {pgn:.0} MB PGN, {stored:.0} MB database ({ratio:.2}), {peak:.0} MB of memory",
            self.name
        );

        let query =
            "SELECT name || ' ' || (sum(pgsize) / 1000000) || ' MB' FROM dbstat GROUP BY name
            HAVING sum(pgsize) > 1000000 ORDER BY sum(pgsize) DESC";
        let printed = sql(database, query);
        // The first line has the name of the column.
        let tables: Vec<&str> = printed.lines().skip(1).map(str::trim).collect();
        println!("    {}", tables.join(", "));
    }
}

/// The time to find a game by its address, as a whole process.
fn look_up(database: &Path, id: &str, game: u64) -> Duration {
    let site = format!("lichess.org/{id}");
    let mut search = Command::new(STAMMA);
    search.arg("search");
    search.arg(database);
    search.args(["--site", &site]);
    search.args(["--format", "csv"]);
    let (output, taken) = time(|| search.output().expect("stamma runs"));

    // The first row has the names of the columns, and the first column has the numbers of games.
    let csv = String::from_utf8_lossy(&output.stdout);
    let row = csv.lines().nth(1).unwrap_or_default();
    let found = row.split(',').next();
    let expected = game.to_string();
    assert_eq!(found, Some(expected.as_str()), "the game at {site}");
    taken
}

/// The size of a file.
fn megabytes(path: &Path) -> f64 {
    let bytes = fs::metadata(path).map_or(0, |file| file.len());
    bytes as f64 / 1e6
}

/// Prints CPU time and time a game, and the ratio of the CPU time to the subject before.
fn print_times(subjects: &mut [Subject]) {
    let mut cpu_before: Option<f64> = None;
    for subject in subjects {
        let games = match &subject.month {
            Some(month) => month.games,
            None => count_games(&subject.path),
        };
        let microseconds = |times: &mut [Duration]| {
            let median = median(times);
            1e6 * median.as_secs_f64() / games as f64
        };
        let cpu = microseconds(&mut subject.cpu);
        let wall = microseconds(&mut subject.wall);

        let ratio = match cpu_before {
            Some(before) => format!("{:.2} times", cpu / before),
            None => String::new(),
        };
        let name = &subject.name;
        println!("{name:<14} {cpu:6.1} µs of CPU a game, {wall:6.1} µs   {ratio}");
        cpu_before = Some(cpu);
    }
}

/// The number of games in a file. Every game of the corpus has an `Event` tag.
fn count_games(path: &Path) -> u64 {
    let bytes = fs::read(path).expect("the archive");
    let text = String::from_utf8_lossy(&bytes);

    let mut games = 0;
    for line in text.lines() {
        if line.starts_with("[Event ") {
            games += 1;
        }
    }
    games
}

/// Imports a file with little memory and one thread, and with the defaults, and compares the databases.
fn compare(path: &Path, folder: &Path) {
    let database = folder.join("compared.db");
    let digest = |options: &[&str]| {
        let mut import = Command::new(STAMMA);
        import.arg("import");
        import.args(options);
        import.arg(&database);
        import.arg(path);
        assert!(quiet(&mut import).status().is_ok());

        let mut check = Command::new(STAMMA);
        check.args(["check", "--digest"]);
        check.arg(&database);
        let output = check.output().expect("stamma runs");
        fs::remove_file(&database).expect("the database");
        output.stdout
    };

    let expected = digest(&[]);
    assert!(!expected.is_empty(), "a digest");
    for options in [["--memory", "256M"], ["--threads", "1"]] {
        let found = digest(&options);
        assert!(found == expected, "{options:?}");
    }
    println!("the same content with little memory and with one thread");
}

/// The output of a query.
fn sql(database: &Path, query: &str) -> String {
    let mut command = Command::new(STAMMA);
    command.arg("sql");
    command.arg(database);
    command.arg(query);

    let output = command.output().expect("stamma runs");
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().to_owned()
}
