//! What an import says at its end, to people and to programs.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::bytes;
use crate::cli::terminal::{counted, grouped, size};
use crate::cli::{complain, say};
use crate::error::{Error, Result};
use crate::import::{Imported, Met, Summary};

/// A source that has been read to its end.
pub(super) fn ended(source: &Imported) -> String {
    format!(
        "{}: {}, {}",
        source.path.display(),
        counted(source.games, "game", "games"),
        counted(source.problems, "problem", "problems"),
    )
}

/// Says what has been done, and what not.
pub(super) fn say_all(summary: &Summary, time: Duration, database: &Path) {
    summary.failures.iter().for_each(complain);
    summary.met.iter().for_each(say_met);
    if summary.tally.games > 0 {
        say_problems(summary, ", all in the table `problem`");
        say_total(summary, time, database);
    }
    if summary.is_interrupted {
        say!("stopped; what has been imported stays, and the same command goes on from there");
    }
}

fn say_met(met: &Met) {
    match met {
        Met::Known(path) => say!("{}: imported before, passed over", path.display()),
        Met::Unfinished { path, bytes } => {
            let path = path.display();
            say!("{path}: gone on behind the {} that had been imported", size(*bytes));
        }
        Met::Grown { path, known } => {
            let path = path.display();
            say!("{path}: begins with {known} as it was imported before; only the rest was read");
        }
    }
}

fn say_total(summary: &Summary, time: Duration, database: &Path) {
    let tally = &summary.tally;
    let seconds = time.as_secs_f64();
    say!(
        "{}, {}, {} in {seconds:.2} s ({} games/s); {} is {}",
        counted(tally.games, "game", "games"),
        counted(tally.positions, "position", "positions"),
        counted(tally.problem_count(), "problem", "problems"),
        grouped((tally.games as f64 / seconds.max(0.001)) as u64),
        database.display(),
        size(bytes(database)),
    );
}

/// Says the first problems, and when there are more, how many of each kind and `where_all` are.
pub(in crate::cli) fn say_problems(summary: &Summary, where_all: &str) {
    let tally = &summary.tally;
    for line in &summary.first_problems {
        say!("{line}");
    }
    let shown = summary.first_problems.len() as u64;
    if tally.problem_count() > shown {
        let more = counted(tally.problem_count() - shown, "more problem", "more problems");
        say!("… and {more}{where_all}:");
        for (kind, &count) in &tally.problems {
            say!("{:>9}  {kind}", grouped(count));
        }
    }
}

/// A [`Summary`] for programs; sizes are in bytes.
#[derive(Serialize)]
struct Record<'s> {
    games: u64,
    positions: u64,
    bytes: u64,
    seconds: f64,
    database_bytes: u64,
    interrupted: bool,
    problems: BTreeMap<&'static str, u64>,
    sources: Vec<SourceRecord<'s>>,
    failures: Vec<String>,
}

/// What has become of a source: `imported`, `known`, or what it had been met as before it was imported.
#[derive(Serialize)]
struct SourceRecord<'s> {
    path: &'s Path,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problems: Option<u64>,
    status: &'static str,
}

/// Prints what has been done as one JSON object.
pub(super) fn print_json(summary: &Summary, time: Duration, database: &Path) -> Result<()> {
    let tally = &summary.tally;
    let record = Record {
        games: tally.games,
        positions: tally.positions,
        bytes: tally.bytes,
        seconds: time.as_secs_f64(),
        database_bytes: bytes(database),
        interrupted: summary.is_interrupted,
        problems: tally.problems.iter().map(|(kind, &count)| (kind.code(), count)).collect(),
        sources: sources(summary),
        failures: summary.failures.iter().map(Error::to_string).collect(),
    };
    let mut out = io::stdout().lock();
    let written = serde_json::to_writer(&mut out, &record).map_err(io::Error::from);
    written.and_then(|()| writeln!(out)).map_err(Error::Output)
}

fn sources(summary: &Summary) -> Vec<SourceRecord<'_>> {
    let imported = summary.imported.iter().map(|source| SourceRecord {
        path: &source.path,
        games: Some(source.games),
        problems: Some(source.problems),
        status: "imported",
    });
    let met = summary.met.iter().map(|met| {
        let (path, status) = match met {
            Met::Known(path) => (path, "known"),
            Met::Unfinished { path, .. } => (path, "continued"),
            Met::Grown { path, .. } => (path, "grown"),
        };
        SourceRecord { path, games: None, problems: None, status }
    });
    met.chain(imported).collect()
}
