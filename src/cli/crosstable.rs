//! `stamma crosstable`: prints the crosstable of a tournament.

use std::cmp::Reverse;

use super::args::CrosstableFormat;
use super::output::write_output;
use super::records::write_answer;
use super::suggestions::say_unknown;
use super::terminal::letters;
use super::{Failure, Outcome, args, open_all_for_queries, report, say};
use stamma::answer;
use stamma::error::Result;
use stamma::query::Filter;
use stamma::report::{grouped, html_page};
use stamma::storage::Database;
use stamma::study::tournament::{Crosstable, Tournament, Tournaments};
use stamma::study::tournament::{CrosstableReport, Letters, tournament_heading};

/// The maximum number of tournaments that are listed if more than one matches.
const MAX_LISTED: usize = 12;

pub(super) fn run(arguments: &args::Crosstable) -> Result<Outcome, Failure> {
    // Databases are opened first, so that an event's name in their place is reported as such.
    let databases = open_all_for_queries(&arguments.databases()?)?;
    let filter = arguments.filter()?;
    say_unknown(&databases, &filter)?;

    let all: Vec<&Database> = databases.iter().collect();
    let tournaments = matching_tournaments(&all, &filter, arguments)?;
    let [tournament] = &tournaments[..] else {
        say_choice(tournaments);
        return Ok(Outcome::Failed);
    };
    if tournament.games.len() > Crosstable::MAX_GAMES {
        say!(
            "error: {}: more than the {} of a crosstable; choose a tournament with --year or --site",
            tournament_heading(tournament, letters()),
            grouped(Crosstable::MAX_GAMES as u64)
        );
        return Ok(Outcome::Failed);
    }

    let crosstable = Crosstable::read(&all, tournament)?;
    let report = CrosstableReport {
        tournament,
        crosstable: &crosstable,
        letters: letters_of_output(arguments),
        names: databases.names_of_several(),
    };
    let written = report_bytes(&report, &all, arguments)?;
    write_output(&databases, arguments.output.as_deref(), &written)?;

    // In the other formats, these notes are part of the output.
    let has_rows_alone = matches!(
        arguments.format,
        CrosstableFormat::Jsonl | CrosstableFormat::Csv
    );
    if has_rows_alone {
        for note in report.warning().iter().chain(&report.notes()) {
            say!("{note}");
        }
    }
    Ok(Outcome::Done)
}

/// The tournaments that the arguments select; with `--join`, combined into a single tournament.
fn matching_tournaments(
    databases: &[&Database],
    filter: &Filter,
    arguments: &args::Crosstable,
) -> Result<Vec<Tournament>> {
    let mut tournaments = Tournaments::read(databases, filter)?.list;
    if let Some(year) = arguments.year {
        tournaments.retain(|tournament| tournament.is_of_year(year));
    }

    if arguments.join {
        return Ok(Tournament::join(tournaments).into_iter().collect());
    }
    Ok(tournaments)
}

/// The letters of the output. Only a terminal may be limited to ASCII.
fn letters_of_output(arguments: &args::Crosstable) -> Letters {
    let is_html = arguments.format == CrosstableFormat::Html;
    let is_file = arguments.output.is_some();
    if is_html || is_file {
        Letters::Unicode
    } else {
        letters()
    }
}

/// The report in the requested format.
fn report_bytes(
    report: &CrosstableReport<'_>,
    databases: &[&Database],
    arguments: &args::Crosstable,
) -> Result<Vec<u8>> {
    let Some(format) = arguments.format.for_answer() else {
        return Ok(html_page(&report.document()).into_bytes());
    };

    let answer = answer::Crosstable::read(
        databases,
        report.names,
        report.tournament,
        report.crosstable,
    )?;
    let table = || {
        let width = report::text_width(arguments.output.as_deref());
        report::text(&report.document(), width)
    };

    let mut written = Vec::new();
    write_answer(
        &answer,
        &answer.standings,
        format,
        arguments.csv_cells,
        table,
        &mut written,
    )?;
    Ok(written)
}

/// Reports that no tournament or several match, and lists them by descending number of games.
fn say_choice(mut tournaments: Vec<Tournament>) {
    if tournaments.is_empty() {
        return say!("error: no tournament matches");
    }

    let all = tournaments.len();
    say!(
        "error: {} tournaments match; choose one with --year, --site or '=NAME', or --join them",
        grouped(all as u64)
    );

    tournaments.sort_by_key(|tournament| Reverse(tournament.games.len()));
    for tournament in tournaments.iter().take(MAX_LISTED) {
        say!("  {}", tournament_heading(tournament, letters()));
    }
    if all > MAX_LISTED {
        say!("  and {} more", grouped((all - MAX_LISTED) as u64));
    }
}
