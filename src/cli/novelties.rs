//! `stamma novelties`

use std::cmp::Reverse;
use std::io::Write;

use super::args::NoveltyOrder;
use super::output::buffered_output;
use super::records::write_answer_of;
use super::selection::ReplayBar;
use super::suggestions::say_about_names;
use super::table::table;
use super::terminal::{dash, known, output_width};
use super::{Failure, Outcome, args, open_all_for_positions, say};
use stamma::answer;
use stamma::error::{Error, Result};
use stamma::query::Watch;
use stamma::report::{counted, grouped};
use stamma::storage::Database;
use stamma::study::novelty::{JoinedNovelties, NoveltyOfDatabase};

pub(super) fn run(arguments: &args::Novelties) -> Result<Outcome, Failure> {
    let query = arguments.query()?;
    let databases = open_all_for_positions(&arguments.databases()?)?;
    say_about_names(&databases, &query.filter)?;
    let bar = ReplayBar::default();
    let show = |replayed, all| bar.show(replayed, all);
    let watch = Watch::new().progress(&show);

    let all: Vec<&Database> = databases.iter().collect();
    let names = databases.names_of_several();
    let mut found = JoinedNovelties::read(&all, &query, &watch)?;
    bar.give_way();

    sort(&mut found.list, arguments.sort);
    let answer = answer::Novelties::read(&all, names, &found, arguments.limit())?;

    let mut out = buffered_output()?;
    let rows = &answer.novelties;
    let (format, csv_cells) = (arguments.format, arguments.csv_cells);
    let table = || listed(rows);
    write_answer_of(
        all.len() > 1,
        &answer,
        rows,
        format,
        csv_cells,
        table,
        &mut out,
    )?;
    out.flush().map_err(Error::Output)?;
    say_rest(&answer);
    Ok(Outcome::Done)
}

fn sort(novelties: &mut [NoveltyOfDatabase], order: NoveltyOrder) {
    // The sort is stable, and the list is in the order of dates.
    novelties.reverse();
    match order {
        NoveltyOrder::Date => {}
        NoveltyOrder::Games => novelties.sort_by_key(|one| Reverse(one.novelty.before)),
        NoveltyOrder::Ply => novelties.sort_by_key(|one| Reverse(one.novelty.ply)),
    }
}

/// Says how many novelties there are beside those listed, and how games were compared.
fn say_rest(found: &answer::Novelties) {
    let games = counted(found.games, "game", "games");
    match (found.novelties.len(), found.count) {
        (0, _) => say!("no novelty in {games}"),
        (listed, all) if listed < all => {
            let novelties = counted(all as u64, "novelty", "novelties");
            say!("{} of {novelties} in {games}", grouped(listed as u64));
        }
        (_, all) => say!("{} in {games}", counted(all as u64, "novelty", "novelties")),
    }
    if found.undated > 0 {
        let games = counted(
            found.undated,
            "game has no date, and counts",
            "games have no date, and count",
        );
        say!("{games} as later than all others, in the order of the database");
    }
    if found.duplicates > 0 {
        let games = counted(found.duplicates, "game is", "games are");
        say!("{games} marked as duplicates, and not compared");
    }
}

/// The rows as a table; nothing without rows.
fn listed(rows: &[answer::Novelty]) -> String {
    if rows.is_empty() {
        return String::new();
    }

    let database = rows[0].game.game.database.is_some().then_some("database");
    let has_evaluations = rows.iter().any(|row| !row.evaluation.shown().is_empty());
    let mut header: Vec<&str> = database.into_iter().collect();
    header.extend([
        "game", "before", "novelty", "White", "Black", "result", "Elo", "Elo", "date", "after",
    ]);
    header.extend(has_evaluations.then_some("eval"));
    header.push("last game before");

    let mut lines = vec![header.into_iter().map(str::to_owned).collect()];
    for row in rows {
        let mut cells = line(row);
        if has_evaluations {
            cells.insert(cells.len() - 1, row.evaluation.shown());
        }
        lines.push(cells);
    }
    let right = [0, 1, 6, 7, 9].map(|column| column + usize::from(database.is_some()));
    table(&lines, &right, output_width())
}

fn line(row: &answer::Novelty) -> Vec<String> {
    let elo = |elo: Option<i64>| elo.map_or_else(|| "-".to_owned(), |elo| elo.to_string());
    let game = &row.game.game;
    let move_number = row.move_number.as_deref().unwrap_or("?");
    let san = row.san.as_deref().unwrap_or("?");
    let last = match &row.last {
        Some(last) => last_game(last),
        None => String::new(),
    };

    let mut line: Vec<String> = game.database.iter().cloned().collect();
    line.extend([
        game.game.to_string(),
        grouped(row.games_before),
        format!("{move_number} {san}"),
        known(game.white.as_deref()),
        known(game.black.as_deref()),
        game.result.clone(),
        elo(game.white_elo),
        elo(game.black_elo),
        known(game.date.as_deref()),
        grouped(row.games_after),
        last,
    ]);
    line
}

/// A game with its number, like `games:7 Carlsen – Caruana 2018.11.09`.
fn last_game(last: &answer::GameRef) -> String {
    let database = match &last.database {
        Some(name) => format!("{name}:"),
        None => String::new(),
    };
    let white = known(last.white.as_deref());
    let black = known(last.black.as_deref());
    let date = known(last.date.as_deref());
    format!("{database}{} {white}{}{black} {date}", last.game, dash())
}
