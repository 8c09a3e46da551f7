//! The final report of an import, for people and for programs.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::updates::{Change, Updates};
use crate::cli::advice;
use crate::cli::records;
use crate::cli::say;
use crate::cli::terminal::size;
use stamma::error::Result;
use stamma::import::{EarlierImport, Imported, Summary, Tally};
use stamma::replay::{Effect, ProblemKind};
use stamma::report::{counted, grouped};

/// A source that has been read to its end.
pub(super) fn ended(source: &Imported) -> String {
    format!(
        "{}: {}, {}",
        source.path.display(),
        counted(source.games + source.known, "game", "games"),
        counted(source.problems, "problem", "problems"),
    )
}

/// Reports what was imported, and what was not.
pub(super) fn say_all(summary: &Summary, time: Duration, database: &Path) {
    summary.earlier.iter().for_each(say_earlier);
    let Tally {
        games,
        passed_over,
        updated,
        unchanged,
        ..
    } = summary.tally;
    if passed_over > 0 {
        let all = counted(games + passed_over + updated + unchanged, "game", "games");
        let equal = equal_games(summary.duplicates);
        say!(
            "{} of {all} match the filters and are new{equal}",
            grouped(games)
        );
    }
    if updated + unchanged > 0 {
        let all = counted(updated, "game", "games");
        let is = if updated == 1 { "is" } else { "are" };
        say!(
            "{all} {is} updated, {} as before, {} new",
            grouped(unchanged),
            grouped(games)
        );
    }
    if games + updated > 0 {
        say_problems(
            &summary.tally,
            &summary.first_problems,
            ", all in the table `problem`",
        );
        say_total(summary, time, database);
    }
    if summary.is_limit_reached {
        say!(
            "ended at the limit; with a higher --limit, or without, the same command imports the rest"
        );
    }
    if summary.is_interrupted {
        say!("stopped; what was imported is kept, and the same command resumes from there");
    }
}

fn equal_games(duplicates: u64) -> String {
    match duplicates {
        0 => String::new(),
        1 => "; 1 equals an earlier game".to_owned(),
        _ => format!("; {} equal an earlier game", grouped(duplicates)),
    }
}

fn say_earlier(earlier: &EarlierImport) {
    match earlier {
        EarlierImport::Complete {
            path,
            games,
            deleted,
        } => {
            say!(
                "{}: already imported, skipped{}",
                path.display(),
                way_back(*games, *deleted)
            );
        }
        EarlierImport::Resumed { path, bytes } => {
            let path = path.display();
            say!(
                "{path}: resumed after the {} already imported",
                size(*bytes)
            );
        }
        EarlierImport::StartedOver(path) => {
            let path = path.display();
            say!(
                "{path}: started over, because other games were added after those imported from it"
            );
        }
        EarlierImport::Extended { path, known } => {
            let path = path.display();
            say!("{path}: begins with {known} as imported before; only the rest was read");
        }
        EarlierImport::LimitReached(path) => {
            say!(
                "{}: imported before up to the limit, skipped",
                path.display()
            );
        }
    }
}

/// Advice on importing deleted games of a source again.
fn way_back(games: u64, deleted: u64) -> String {
    match deleted {
        0 => String::new(),
        _ if deleted == games => {
            "; all its games have been deleted since: --again imports them again".to_owned()
        }
        _ => format!(
            "; {} of its {} have been deleted since: `stamma forget` it, and the same command imports them all again",
            grouped(deleted),
            counted(games, "game", "games"),
        ),
    }
}

fn say_total(summary: &Summary, time: Duration, database: &Path) {
    let tally = &summary.tally;
    let seconds = time.as_secs_f64();
    say!(
        "{}, {}, {} in {seconds:.2} s ({} games/s); {} is {}",
        counted(tally.games, "game", "games"),
        counted(tally.positions, "position", "positions"),
        problems(tally),
        grouped((tally.games as f64 / seconds.max(0.001)) as u64),
        database.display(),
        size(bytes(database)),
    );
}

/// The number of problems, and how many of them were repaired.
pub(in crate::cli) fn problems(tally: &Tally) -> String {
    let all = counted(tally.problem_count(), "problem", "problems");
    match tally.problems_with(Effect::Repaired) {
        0 => all,
        repaired => format!("{all} ({} repaired)", grouped(repaired)),
    }
}

/// The problems that cause exit code 1: those with unreadable text, or all if `--strict` is given.
pub(in crate::cli) fn counting_problems(tally: &Tally, is_strict: bool) -> u64 {
    if is_strict {
        tally.problem_count()
    } else {
        tally.problems_with(Effect::Unread)
    }
}

/// Prints the first problems; if there are more, also the number of each kind, and `where_all`.
pub(in crate::cli) fn say_problems(tally: &Tally, first: &[String], where_all: &str) {
    for line in first {
        say!("{line}");
    }
    let shown = first.len() as u64;
    if tally.problem_count() > shown {
        let more = counted(
            tally.problem_count() - shown,
            "more problem",
            "more problems",
        );
        say!("… and {more}{where_all}:");
        for (kind, &count) in &tally.problems {
            say!("{:>9}  {kind}", grouped(count));
        }
    }
    for (kind, advice) in [
        (ProblemKind::TooLarge, "--max-game SIZE reads larger games"),
        (
            ProblemKind::DoubtfulEncoding,
            "--input-encoding NAME settles a doubtful encoding",
        ),
    ] {
        if tally.problems.contains_key(&kind) {
            say!("{advice}");
        }
    }
}

/// A [`Summary`] for programs; sizes are in bytes.
#[derive(Serialize)]
struct Record<'s> {
    games: u64,
    /// Games that do not match the filters, or that were in the database already.
    passed_over: u64,
    /// Those of them that equal an earlier game.
    duplicates: u64,
    /// Stored games that newer texts have replaced, and those that are as they were; with `--update`.
    #[serde(skip_serializing_if = "Option::is_none")]
    updated: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unchanged: Option<u64>,
    /// The first changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<Change>>,
    /// Games that databases of other programs mark as deleted, read or not.
    marked_deleted: u64,
    /// Texts in databases of other programs, which are no games.
    foreign_texts: u64,
    positions: u64,
    bytes: u64,
    seconds: f64,
    database_bytes: u64,
    interrupted: bool,
    /// Whether it ended at `--limit`.
    limit_reached: bool,
    problems: BTreeMap<&'static str, u64>,
    repaired: u64,
    sources: Vec<SourceRecord<'s>>,
    failures: Vec<String>,
}

/// The status of a source: `imported`, `continued`, `begun-again` or `grown`, or `known` if it has nothing new.
#[derive(Serialize)]
struct SourceRecord<'s> {
    path: Cow<'s, str>,
    games: u64,
    problems: u64,
    status: &'static str,
}

/// Prints the summary as a JSON object.
pub(super) fn print_json(
    summary: &Summary,
    updates: Option<Updates>,
    time: Duration,
    database: &Path,
) -> Result<()> {
    let tally = &summary.tally;
    let is_update = updates.is_some();
    let record = Record {
        games: tally.games,
        passed_over: tally.passed_over,
        duplicates: summary.duplicates,
        updated: is_update.then_some(tally.updated),
        unchanged: is_update.then_some(tally.unchanged),
        changes: updates.map(Updates::into_changes),
        marked_deleted: tally.marked_deleted,
        foreign_texts: tally.foreign_texts,
        positions: tally.positions,
        bytes: tally.bytes,
        seconds: time.as_secs_f64(),
        database_bytes: bytes(database),
        interrupted: summary.is_interrupted,
        limit_reached: summary.is_limit_reached,
        problems: tally
            .problems
            .iter()
            .map(|(kind, &count)| (kind.code(), count))
            .collect(),
        repaired: tally.problems_with(Effect::Repaired),
        sources: sources(summary),
        failures: summary.failures.iter().map(advice::sentence).collect(),
    };
    records::print_json(record)
}

fn sources(summary: &Summary) -> Vec<SourceRecord<'_>> {
    let known = summary.earlier.iter().filter_map(|earlier| match earlier {
        EarlierImport::Complete { path, .. } | EarlierImport::LimitReached(path) => {
            Some(SourceRecord {
                path: path.to_string_lossy(),
                games: 0,
                problems: 0,
                status: "known",
            })
        }
        _ => None,
    });
    let imported = summary.imported.iter().map(|source| SourceRecord {
        path: source.path.to_string_lossy(),
        games: source.games,
        problems: source.problems,
        status: status(&summary.earlier, &source.path),
    });
    known.chain(imported).collect()
}

/// The name of a source's status before the import.
fn status(earlier: &[EarlierImport], source: &Path) -> &'static str {
    let status = earlier.iter().rev().find_map(|earlier| match earlier {
        EarlierImport::Resumed { path, .. } if path == source => Some("continued"),
        EarlierImport::Extended { path, .. } if path == source => Some("grown"),
        EarlierImport::StartedOver(path) if path == source => Some("begun-again"),
        _ => None,
    });
    status.unwrap_or("imported")
}

fn bytes(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}
