//! `stamma events`

use std::cmp::Reverse;
use std::io::Write;

use serde::Serialize;

use super::args::{EventOrder, ListFormat};
use super::output::buffered_output;
use super::records::{write_csv, write_jsonl};
use super::suggestions::say_about_names;
use super::table::table;
use super::terminal::{known, output_width};
use super::{Outcome, args, open_to_ask, say};
use stamma::error::{Error, Result};
use stamma::report::{counted, grouped};
use stamma::storage::Database;
use stamma::study::tournament::{Tournament, Tournaments};

pub(super) fn run(arguments: &args::Events) -> Result<Outcome> {
    let database = open_to_ask(&arguments.database)?;
    let filter = arguments.filter();
    say_about_names([&database], &filter)?;
    let mut found = Tournaments::read(&database, &filter)?;
    found.list.retain(|tournament| {
        tournament.games.len() >= arguments.min_games && tournament.players >= arguments.min_players
    });
    sort(&mut found.list, arguments.sort);
    let all = found.list.len();
    found.list.truncate(arguments.most());
    let rows = rows(&database, &found.list)?;
    let mut out = buffered_output()?;
    match arguments.format {
        ListFormat::Jsonl => write_jsonl(&rows, &mut out)?,
        ListFormat::Csv => write_csv(&COLUMNS, &rows, arguments.csv_cells, &mut out)?,
        ListFormat::Table if rows.is_empty() => {}
        ListFormat::Table => {
            let list = table(&listed(&rows), &[4, 5, 6, 7], output_width());
            out.write_all(list.as_bytes()).map_err(Error::Output)?;
        }
    }
    out.flush().map_err(Error::Output)?;
    say_rest(&found, all);
    Ok(Outcome::Done)
}

fn sort(tournaments: &mut [Tournament], order: EventOrder) {
    // The sort is stable, and the list is in the order of names.
    match order {
        EventOrder::Date => tournaments.sort_by_key(|one| Reverse((one.last, one.first))),
        EventOrder::Games => tournaments.sort_by_key(|one| Reverse(one.games.len())),
        EventOrder::Players => tournaments.sort_by_key(|one| Reverse(one.players)),
        EventOrder::Elo => {
            let elo = |one: &Tournament| one.mean_elo.unwrap_or(0.0);
            tournaments.sort_by(|one, other| elo(other).total_cmp(&elo(one)));
        }
        EventOrder::Name => {}
    }
}

/// Says how many tournaments there are beside those listed, and which games are in none.
fn say_rest(found: &Tournaments, all: usize) {
    if found.list.is_empty() {
        say!("no tournament");
    } else if all > found.list.len() {
        let listed = grouped(found.list.len() as u64);
        say!("{listed} of {}", counted(all as u64, "tournament", "tournaments"));
    }
    if found.duplicates > 0 {
        let games = counted(found.duplicates, "game is", "games are");
        say!("{games} marked as duplicates, and not counted");
    }
    if found.without_event > 0 {
        say!("{} no event", counted(found.without_event, "game names", "games name"));
    }
}

const COLUMNS: [&str; 9] = [
    "event",
    "site",
    "first_date",
    "last_date",
    "games",
    "players",
    "mean_elo",
    "rounds",
    "duplicates",
];

#[derive(Debug, Serialize)]
struct Row<'t> {
    event: &'t str,
    site: Option<&'t str>,
    first_date: Option<String>,
    last_date: Option<String>,
    games: usize,
    players: u64,
    mean_elo: Option<i64>,
    rounds: Option<usize>,
    duplicates: usize,
}

fn rows<'t>(database: &Database, tournaments: &'t [Tournament]) -> Result<Vec<Row<'t>>> {
    let row = |tournament: &'t Tournament| {
        Ok(Row {
            event: &tournament.event,
            site: tournament.site.as_deref(),
            first_date: tournament.first.map(|date| date.to_string()),
            last_date: tournament.last.map(|date| date.to_string()),
            games: tournament.games.len(),
            players: tournament.players,
            mean_elo: tournament.mean_elo.map(|elo| elo.round() as i64),
            rounds: tournament.rounds(database)?,
            duplicates: tournament.duplicates.len(),
        })
    };
    tournaments.iter().map(row).collect()
}

fn listed(rows: &[Row<'_>]) -> Vec<Vec<String>> {
    let header = ["event", "site", "from", "to", "games", "players", "Elo", "rounds"];
    let number = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
    let listed = rows.iter().map(|row| {
        vec![
            row.event.to_owned(),
            known(row.site),
            known(row.first_date.as_deref()),
            known(row.last_date.as_deref()),
            grouped(row.games as u64),
            grouped(row.players),
            number(row.mean_elo.map(|elo| elo.to_string())),
            number(row.rounds.map(|rounds| rounds.to_string())),
        ]
    });
    std::iter::once(header.map(str::to_owned).to_vec()).chain(listed).collect()
}
