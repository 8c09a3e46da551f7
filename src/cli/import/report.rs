//! The final report of an import, as text and as JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::updates::{Change, Updates};
use crate::cli::advice;
use crate::cli::progress::games_per_second;
use crate::cli::records;
use crate::cli::say;
use crate::cli::terminal::size;
use stamma::error::Result;
use stamma::import::{EarlierImport, Imported, Summary, Tally};
use stamma::replay::{Effect, ProblemKind};
use stamma::report::{counted, grouped};

/// A line about a source that has been read to its end: the numbers of games and problems.
pub(super) fn source_line(source: &Imported) -> String {
    format!(
        "{}: {}, {}",
        source.path.display(),
        counted(source.games + source.known, "game", "games"),
        counted(source.problems, "problem", "problems"),
    )
}

/// Reports the sources of earlier imports, the numbers of games, the problems, the totals, and the reason of an early
/// end.
pub(super) fn say_summary(summary: &Summary, time: Duration, database: &Path) {
    for earlier in &summary.earlier {
        say_earlier(earlier);
    }

    let Tally {
        games,
        passed_over,
        updated,
        unchanged,
        ..
    } = summary.tally;
    if passed_over > 0 {
        let all = counted(games + passed_over + updated + unchanged, "game", "games");
        let new = grouped(games);
        let equal = equal_games(summary.duplicates);
        say!("{new} of {all} match the filters and are new{equal}");
    }
    if updated + unchanged > 0 {
        let updated_games = counted(updated, "game is", "games are");
        let unchanged_games = grouped(unchanged);
        let new_games = grouped(games);
        say!("{updated_games} updated, {unchanged_games} as before, {new_games} new");
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
            "the limit was reached before the end of the files; the same command continues with a higher --limit, or without --limit"
        );
    }
    if summary.is_interrupted {
        say!("stopped; what was imported is kept, and the same command resumes from there");
    }
}

/// The number of games left out because an earlier game equals them, as the end of a sentence.
fn equal_games(duplicates: u64) -> String {
    match duplicates {
        0 => String::new(),
        1 => "; 1 equals an earlier game".to_owned(),
        _ => format!("; {} equal an earlier game", grouped(duplicates)),
    }
}

/// Reports a source that an earlier import has read, completely or in part.
fn say_earlier(earlier: &EarlierImport) {
    match earlier {
        EarlierImport::Complete {
            path,
            games,
            deleted,
        } => {
            let path = path.display();
            let advice = advice_on_deleted(*games, *deleted);
            say!("{path}: already imported, skipped{advice}");
        }
        EarlierImport::Resumed { path, bytes } => {
            let path = path.display();
            let known = size(*bytes);
            say!("{path}: resumed after the {known} already imported");
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
            let path = path.display();
            say!("{path}: imported before up to the limit, skipped");
        }
    }
}

/// Advice on importing deleted games of a source again.
fn advice_on_deleted(games: u64, deleted: u64) -> String {
    if deleted == 0 {
        return String::new();
    }
    if deleted == games {
        return "; all its games have been deleted since: --again imports them again".to_owned();
    }

    format!(
        "; {} of its {} have been deleted since: `stamma forget` it, and the same command imports them all again",
        grouped(deleted),
        counted(games, "game", "games"),
    )
}

/// Reports the numbers of games, positions and problems, the time, and the size of the database.
fn say_total(summary: &Summary, time: Duration, database: &Path) {
    let tally = &summary.tally;
    let seconds = time.as_secs_f64();
    let rate = games_per_second(tally.games, time);

    say!(
        "{}, {}, {} in {seconds:.2} s ({} games/s); {} is {}",
        counted(tally.games, "game", "games"),
        counted(tally.positions, "position", "positions"),
        problems(tally),
        grouped(rate),
        database.display(),
        size(file_bytes(database)),
    );
}

/// The number of problems, with the number of repaired problems in parentheses.
pub(in crate::cli) fn problems(tally: &Tally) -> String {
    let all = counted(tally.problem_count(), "problem", "problems");
    match tally.problems_with(Effect::Repaired) {
        0 => all,
        repaired => format!("{all} ({} repaired)", grouped(repaired)),
    }
}

/// The number of problems that cause exit code 1: problems with lost text, or all problems if `is_strict`.
pub(in crate::cli) fn counting_problems(tally: &Tally, is_strict: bool) -> u64 {
    if is_strict {
        tally.problem_count()
    } else {
        tally.problems_with(Effect::Unread)
    }
}

/// Prints the first problems. If there are more, also prints the number of problems of each kind, and `where_all`, the
/// place of all problems.
pub(in crate::cli) fn say_problems(tally: &Tally, first: &[String], where_all: &str) {
    for line in first {
        say!("{line}");
    }

    let more = tally.problem_count().saturating_sub(first.len() as u64);
    if more > 0 {
        let problems = counted(more, "more problem", "more problems");
        say!("… and {problems}{where_all}:");
        for (kind, &count) in &tally.problems {
            say!("{:>9}  {kind}", grouped(count));
        }
    }

    if tally.problems.contains_key(&ProblemKind::TooLarge) {
        say!("--max-game SIZE reads larger games");
    }
    if tally.problems.contains_key(&ProblemKind::DoubtfulEncoding) {
        say!("--input-encoding NAME settles a doubtful encoding");
    }
}

/// A [`Summary`] as JSON; sizes are in bytes.
#[derive(Serialize)]
struct Record<'s> {
    games: u64,
    /// Games that do not match the filters, or that were in the database already.
    passed_over: u64,
    /// Games among `passed_over` that equal an earlier game.
    duplicates: u64,
    /// Stored games that newer texts have replaced, and stored games without a change; only with `--update`.
    #[serde(skip_serializing_if = "Option::is_none")]
    updated: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unchanged: Option<u64>,
    /// The first changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<Change>>,
    /// Games that databases of other programs mark as deleted, read or not.
    marked_deleted: u64,
    /// Texts in databases of other programs. A text is not a game.
    foreign_texts: u64,
    positions: u64,
    bytes: u64,
    seconds: f64,
    database_bytes: u64,
    interrupted: bool,
    /// `true` if the import ended at `--limit`, before the end of the files.
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
    let mut problems = BTreeMap::new();
    for (kind, &count) in &tally.problems {
        problems.insert(kind.code(), count);
    }

    // Without --update, no text is compared with stored games, so the record lacks these fields.
    let (updated, unchanged, changes) = match updates {
        Some(updates) => (
            Some(tally.updated),
            Some(tally.unchanged),
            Some(updates.into_changes()),
        ),
        None => (None, None, None),
    };

    let record = Record {
        games: tally.games,
        passed_over: tally.passed_over,
        duplicates: summary.duplicates,
        updated,
        unchanged,
        changes,
        marked_deleted: tally.marked_deleted,
        foreign_texts: tally.foreign_texts,
        positions: tally.positions,
        bytes: tally.bytes,
        seconds: time.as_secs_f64(),
        database_bytes: file_bytes(database),
        interrupted: summary.is_interrupted,
        limit_reached: summary.is_limit_reached,
        problems,
        repaired: tally.problems_with(Effect::Repaired),
        sources: sources(summary),
        failures: summary.failures.iter().map(advice::sentence).collect(),
    };
    records::print_json(record)
}

/// The skipped sources, then the imported sources.
fn sources(summary: &Summary) -> Vec<SourceRecord<'_>> {
    let mut records = Vec::new();
    for earlier in &summary.earlier {
        if let EarlierImport::Complete { path, .. } | EarlierImport::LimitReached(path) = earlier {
            records.push(SourceRecord {
                path: path.to_string_lossy(),
                games: 0,
                problems: 0,
                status: "known",
            });
        }
    }
    for source in &summary.imported {
        records.push(SourceRecord {
            path: source.path.to_string_lossy(),
            games: source.games,
            problems: source.problems,
            status: status(&summary.earlier, &source.path),
        });
    }
    records
}

/// The status of an imported source, by its latest earlier import.
fn status(earlier: &[EarlierImport], source: &Path) -> &'static str {
    for import in earlier.iter().rev() {
        match import {
            EarlierImport::Resumed { path, .. } if path == source => return "continued",
            EarlierImport::Extended { path, .. } if path == source => return "grown",
            EarlierImport::StartedOver(path) if path == source => return "begun-again",
            _ => {}
        }
    }

    "imported"
}

/// The size of a file in bytes; 0 if the file cannot be read.
fn file_bytes(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}
