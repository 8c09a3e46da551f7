//! `stamma events`: lists tournaments.

use std::cmp::Reverse;
use std::io::Write;

use super::args::EventOrder;
use super::output::buffered_output;
use super::records::write_answer;
use super::suggestions::say_about_names;
use super::table::table;
use super::terminal::{number_or_dash, output_width, text_or_question_mark};
use super::{Failure, Outcome, args, open_for_queries, say};
use stamma::answer;
use stamma::error::{Error, Result};
use stamma::report::{counted, grouped};
use stamma::storage::Database;
use stamma::study::tournament::{Tournament, Tournaments};

pub(super) fn run(arguments: &args::Events) -> Result<Outcome, Failure> {
    let filter = arguments.filter()?;
    let database = open_for_queries(&arguments.database)?;
    say_about_names([&database], &filter)?;

    let mut found = Tournaments::read(&[&database], &filter)?;
    found
        .list
        .retain(|tournament| tournament.games.len() >= arguments.min_games);
    found
        .list
        .retain(|tournament| tournament.players >= arguments.min_players);
    sort(&mut found.list, arguments.sort);
    let answer = answer(&database, &found, arguments.limit())?;

    let mut out = buffered_output()?;
    let rows = &answer.tournaments;
    write_answer(
        &answer,
        rows,
        arguments.format,
        arguments.csv_cells,
        || tournament_table(rows),
        &mut out,
    )?;
    out.flush().map_err(Error::Output)?;

    say_rest(&answer);
    Ok(Outcome::Done)
}

/// The first tournaments of a list.
fn answer(database: &Database, found: &Tournaments, limit: usize) -> Result<answer::Tournaments> {
    let mut tournaments = Vec::new();
    for tournament in found.list.iter().take(limit) {
        tournaments.push(answer::Tournament::read(&[database], None, tournament)?);
    }

    let has_more = tournaments.len() < found.list.len();
    Ok(answer::Tournaments {
        count: found.list.len(),
        without_event: found.without_event,
        duplicates: found.duplicates,
        next: has_more.then(|| tournaments.len().to_string()),
        tournaments,
    })
}

/// Sorts tournaments, which are in the order of names before.
fn sort(tournaments: &mut [Tournament], order: EventOrder) {
    // The sort is stable, so equal tournaments stay in the order of names.
    match order {
        EventOrder::Date => {
            tournaments.sort_by_key(|tournament| Reverse((tournament.last, tournament.first)));
        }
        EventOrder::Games => {
            tournaments.sort_by_key(|tournament| Reverse(tournament.games.len()));
        }
        EventOrder::Players => {
            tournaments.sort_by_key(|tournament| Reverse(tournament.players));
        }
        EventOrder::Elo => {
            // Tournaments without a rating come last.
            let elo = |tournament: &Tournament| tournament.mean_elo.unwrap_or(0.0);
            tournaments.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
        }
        EventOrder::Name => {}
    }
}

/// Prints the number of all tournaments if some are not listed, and the numbers of games that are in no tournament.
fn say_rest(found: &answer::Tournaments) {
    if found.tournaments.is_empty() {
        say!("no tournament");
    } else if found.count > found.tournaments.len() {
        let listed = grouped(found.tournaments.len() as u64);
        let all = counted(found.count as u64, "tournament", "tournaments");
        say!("{listed} of {all}");
    }

    if found.duplicates > 0 {
        let games = counted(found.duplicates, "game is", "games are");
        say!("{games} marked as duplicates, and not counted");
    }
    if found.without_event > 0 {
        let games = counted(found.without_event, "game names", "games name");
        say!("{games} no event");
    }
}

/// The header of the table of tournaments.
const HEADER: [&str; 8] = [
    "event", "site", "from", "to", "games", "players", "Elo", "rounds",
];
/// The indices of the columns with numbers in [`HEADER`].
const NUMBERS: [usize; 4] = [4, 5, 6, 7];

/// The rows as a table; nothing without rows.
fn tournament_table(rows: &[answer::Tournament]) -> String {
    if rows.is_empty() {
        return String::new();
    }

    let mut lines = vec![HEADER.map(str::to_owned).to_vec()];
    lines.extend(rows.iter().map(tournament_cells));

    table(&lines, &NUMBERS, output_width())
}

/// The cells of a tournament, with `-` for an unknown number.
fn tournament_cells(row: &answer::Tournament) -> Vec<String> {
    vec![
        row.event.clone(),
        text_or_question_mark(row.site.as_deref()),
        text_or_question_mark(row.first_date.as_deref()),
        text_or_question_mark(row.last_date.as_deref()),
        grouped(row.games as u64),
        grouped(row.players),
        number_or_dash(row.average_elo),
        number_or_dash(row.rounds),
    ]
}
