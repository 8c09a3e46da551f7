//! `stamma crosstable`

use super::args::CrosstableFormat;
use super::output::write_output;
use super::records::write_answer;
use super::suggestions::say_unknown;
use super::terminal::{letters, output_width};
use super::{Failure, Outcome, args, open_all_to_ask, report, say};
use stamma::answer;
use stamma::error::Result;
use stamma::report::{grouped, html_page};
use stamma::storage::Database;
use stamma::study::tournament::{Crosstable, Tournament, Tournaments};
use stamma::study::tournament::{CrosstableReport, Letters, tournament_heading};

/// The maximal number of tournaments that are listed where several match.
const MAX_LISTED: usize = 12;

pub(super) fn run(arguments: &args::Crosstable) -> Result<Outcome, Failure> {
    // The databases first, so that a name in front of them is recognized as one.
    let databases = open_all_to_ask(&arguments.databases()?)?;
    let filter = arguments.filter()?;
    say_unknown(&databases, &filter)?;
    let all: Vec<&Database> = databases.iter().collect();
    let names = databases.names_of_several();

    let mut found = Tournaments::read(&all, &filter)?;
    if let Some(year) = arguments.year {
        found.list.retain(|tournament| tournament.is_of_year(year));
    }
    if arguments.join {
        found.list = Tournament::join(found.list).into_iter().collect();
    }
    let [tournament] = &found.list[..] else {
        say_choice(found.list);
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
    // A terminal may lack letters that a file can have.
    let is_html = arguments.format == CrosstableFormat::Html;
    let is_file = arguments.output.is_some();
    let letters = if is_html || is_file {
        Letters::Unicode
    } else {
        letters()
    };
    let made = CrosstableReport {
        tournament,
        crosstable: &crosstable,
        letters,
        names,
    };

    let mut written = Vec::new();
    match arguments.format.for_answer() {
        None => written.extend(html_page(&made.document()).into_bytes()),
        Some(format) => {
            let answer = answer::Crosstable::read(&all, names, tournament, &crosstable)?;
            let table = || {
                let width = if is_file { usize::MAX } else { output_width() };
                report::text(&made.document(), width)
            };
            let rows = &answer.standings;
            write_answer(
                &answer,
                rows,
                format,
                arguments.csv_cells,
                table,
                &mut written,
            )?;
        }
    }
    write_output(&databases, arguments.output.as_deref(), &written)?;

    // The other formats have the notes in the output.
    let has_rows_alone = matches!(
        arguments.format,
        CrosstableFormat::Jsonl | CrosstableFormat::Csv
    );
    if has_rows_alone {
        for note in made.warning().iter().chain(&made.notes()) {
            say!("{note}");
        }
    }
    Ok(Outcome::Done)
}

/// Says which tournaments match, the tournaments with the most games first.
fn say_choice(mut tournaments: Vec<Tournament>) {
    if tournaments.is_empty() {
        return say!("error: no tournament matches");
    }

    let all = tournaments.len();
    say!(
        "error: {} tournaments match; choose one with --year, --site or '=NAME', or --join them",
        grouped(all as u64)
    );
    tournaments.sort_by_key(|one| std::cmp::Reverse(one.games.len()));
    for tournament in tournaments.iter().take(MAX_LISTED) {
        say!("  {}", tournament_heading(tournament, letters()));
    }
    if all > MAX_LISTED {
        say!("  and {} more", grouped((all - MAX_LISTED) as u64));
    }
}
