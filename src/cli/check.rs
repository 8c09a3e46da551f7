//! `stamma check`: checks a database for faults.

use super::output::print;
use super::printable::printable;
use super::progress::Progress;
use super::{Outcome, args, say};
use stamma::error::Result;
use stamma::maintenance::{Depth, Remedy, Report, check, digest};
use stamma::report::{counted, grouped};
use stamma::storage::Database;

pub(super) fn run(arguments: &args::Check) -> Result<Outcome> {
    let database = Database::open(&arguments.database)?;
    if arguments.digest {
        print_digest(&database)
    } else {
        print_summary(&database, arguments)
    }
}

/// Checks the whole database, and prints its digest. If the position index does not match the games, there is no
/// digest.
fn print_digest(database: &Database) -> Result<Outcome> {
    let progress = Progress::of_games(0);
    let result = digest(database, |games, all| progress.show_games_of(games, all));
    progress.finish();
    let digested = result?;

    let Some(text) = digested.digest else {
        say_faults(&digested.report);
        say!("no digest: the index does not match the games");
        return Ok(Outcome::DataProblems);
    };
    print(format!("{text}\n"))?;
    Ok(Outcome::Done)
}

/// Checks the database, and prints the numbers of faults and of checked games, positions and blocks.
fn print_summary(database: &Database, arguments: &args::Check) -> Result<Outcome> {
    let depth = if arguments.full {
        Depth::Full
    } else {
        Depth::Sample
    };
    let progress = Progress::of_games(0);
    let result = check(database, depth, |games, all| {
        progress.show_games_of(games, all)
    });
    progress.finish();
    let report = result?;

    say_faults(&report);
    let path = arguments.database.to_string_lossy();
    print(format!("{}: {}\n", printable(&path), summary(&report)))?;

    if report.faults.is_empty() {
        Ok(Outcome::Done)
    } else {
        Ok(Outcome::DataProblems)
    }
}

/// Reports the first faults, each with its remedy, and the number of further faults.
fn say_faults(report: &Report) {
    for fault in &report.faults.first {
        match fault.remedy {
            Some(remedy) => say!("{fault}; {}", advice(remedy)),
            None => say!("{fault}"),
        }
    }

    let more = report.faults.count - report.faults.first.len() as u64;
    if more > 0 {
        say!("… and {}", counted(more, "more fault", "more faults"));
    }
}

/// The command that mends a fault.
fn advice(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::IndexGames => "`stamma optimize` does that",
        Remedy::RebuildPositionIndex => "`stamma optimize` rebuilds it",
        Remedy::ReplaceDamagedIndex => "`stamma optimize --rebuild` rebuilds the index",
        Remedy::BuildNameIndex => "`stamma optimize` builds it",
        Remedy::NameOpenings => "`stamma optimize` names them anew",
        Remedy::DescribeGames => "`stamma optimize` makes it again",
    }
}

/// The numbers of faults, and of checked games, positions and blocks, in words.
fn summary(report: &Report) -> String {
    let found = match report.faults.count {
        0 => "no fault found".to_owned(),
        count => format!("{} found", counted(count, "fault", "faults")),
    };

    format!(
        "{found}; {}, {} of them replayed and compared with the index; {}, {} decoded",
        counted(report.games, "game", "games"),
        grouped(report.compared),
        counted(report.positions, "position", "positions"),
        counted(report.blocks, "block", "blocks"),
    )
}
