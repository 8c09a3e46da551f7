//! `stamma novelties`

use std::cmp::Reverse;
use std::io::Write;

use serde::Serialize;

use super::args::{ListFormat, NoveltyOrder};
use super::output::buffered_output;
use super::records::{write_csv, write_jsonl};
use super::selection::ReplayBar;
use super::suggestions::say_about_names;
use super::table::table;
use super::terminal::{dash, known, output_width};
use super::{Outcome, args, open_to_ask, say};
use stamma::error::{Error, Result};
use stamma::query::Watch;
use stamma::report::{counted, grouped};
use stamma::storage::{Database, GameId, Heading};
use stamma::study::novelty::{Novelties, Novelty};

pub(super) fn run(arguments: &args::Novelties) -> Result<Outcome> {
    let database = open_to_ask(&arguments.database)?;
    let query = arguments.query();
    say_about_names([&database], &query.filter)?;
    let bar = ReplayBar::default();
    let show = |replayed, all| bar.show(replayed, all);
    let mut found = Novelties::read(&database, &query, &Watch::new().progress(&show))?;
    bar.give_way();
    sort(&mut found.list, arguments.sort);
    let all = found.list.len();
    found.list.truncate(arguments.most());
    let rows: Result<Vec<Row>> = found.list.iter().map(|novelty| row(&database, novelty)).collect();
    let rows = rows?;
    let mut out = buffered_output()?;
    match arguments.format {
        ListFormat::Jsonl => write_jsonl(&rows, &mut out)?,
        ListFormat::Csv => write_csv(&COLUMNS, &rows, arguments.csv_cells, &mut out)?,
        ListFormat::Table if rows.is_empty() => {}
        ListFormat::Table => {
            let list = table(&listed(&rows), &[0, 1, 6, 7, 9], output_width());
            out.write_all(list.as_bytes()).map_err(Error::Output)?;
        }
    }
    out.flush().map_err(Error::Output)?;
    say_rest(&found, all);
    Ok(Outcome::Done)
}

fn sort(novelties: &mut [Novelty], order: NoveltyOrder) {
    // The sort is stable, and the list is in the order of dates.
    novelties.reverse();
    match order {
        NoveltyOrder::Date => {}
        NoveltyOrder::Games => novelties.sort_by_key(|novelty| Reverse(novelty.before)),
        NoveltyOrder::Ply => novelties.sort_by_key(|novelty| Reverse(novelty.ply)),
    }
}

/// Says how many novelties there are beside those listed, and how games were compared.
fn say_rest(found: &Novelties, all: usize) {
    let games = counted(found.games, "game", "games");
    match (found.list.len(), all) {
        (0, _) => say!("no novelty in {games}"),
        (listed, all) if listed < all => {
            let novelties = counted(all as u64, "novelty", "novelties");
            say!("{} of {novelties} in {games}", grouped(listed as u64));
        }
        _ => say!("{} in {games}", counted(all as u64, "novelty", "novelties")),
    }
    if found.undated > 0 {
        let games =
            counted(found.undated, "game has no date, and counts", "games have no date, and count");
        say!("{games} as later than all others, in the order of the database");
    }
    if found.duplicates > 0 {
        let games = counted(found.duplicates, "game is", "games are");
        say!("{games} marked as duplicates, and not compared");
    }
}

const COLUMNS: [&str; 19] = [
    "game",
    "ply",
    "move",
    "number",
    "white",
    "black",
    "white_elo",
    "black_elo",
    "result",
    "date",
    "event",
    "eco",
    "opening",
    "games_before",
    "last_game",
    "last_white",
    "last_black",
    "last_date",
    "games_after",
];

#[derive(Debug, Serialize)]
struct Row {
    game: GameId,
    ply: u32,
    #[serde(rename = "move")]
    played: Option<String>,
    number: Option<String>,
    white: Option<String>,
    black: Option<String>,
    white_elo: Option<i64>,
    black_elo: Option<i64>,
    result: String,
    date: Option<String>,
    event: Option<String>,
    eco: Option<String>,
    opening: Option<String>,
    games_before: u64,
    last_game: Option<GameId>,
    last_white: Option<String>,
    last_black: Option<String>,
    last_date: Option<String>,
    games_after: u64,
}

fn row(database: &Database, novelty: &Novelty) -> Result<Row> {
    let heading = |game| database.heading(game).map(Option::unwrap_or_default);
    let game: Heading = heading(novelty.game)?;
    let last: Heading = novelty.last.map(heading).transpose()?.unwrap_or_default();
    let (played, number) =
        novelty.played(database)?.map(|played| (played.san, played.number)).unzip();
    Ok(Row {
        game: novelty.game,
        ply: novelty.ply.get(),
        played,
        number,
        white: game.white,
        black: game.black,
        white_elo: game.white_elo,
        black_elo: game.black_elo,
        result: game.result,
        date: game.date,
        event: game.event,
        eco: game.eco.or(game.opening_eco),
        opening: game.opening,
        games_before: novelty.before,
        last_game: novelty.last,
        last_white: last.white,
        last_black: last.black,
        last_date: last.date,
        games_after: novelty.after,
    })
}

fn listed(rows: &[Row]) -> Vec<Vec<String>> {
    let header = [
        "game",
        "before",
        "novelty",
        "White",
        "Black",
        "result",
        "Elo",
        "Elo",
        "date",
        "after",
        "last game before",
    ];
    let elo = |elo: Option<i64>| elo.map_or_else(|| "-".to_owned(), |elo| elo.to_string());
    let listed = rows.iter().map(|row| {
        let last = row.last_game.map_or_else(String::new, |game| {
            let [white, black, date] = [&row.last_white, &row.last_black, &row.last_date]
                .map(|text| known(text.as_deref()));
            format!("{game} {white}{}{black} {date}", dash())
        });
        vec![
            row.game.to_string(),
            grouped(row.games_before),
            [&row.number, &row.played].map(|text| text.as_deref().unwrap_or("?")).join(" "),
            known(row.white.as_deref()),
            known(row.black.as_deref()),
            row.result.clone(),
            elo(row.white_elo),
            elo(row.black_elo),
            known(row.date.as_deref()),
            grouped(row.games_after),
            last,
        ]
    });
    std::iter::once(header.map(str::to_owned).to_vec()).chain(listed).collect()
}
