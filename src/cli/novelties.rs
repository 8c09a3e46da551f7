//! `stamma novelties`: finds the moves that first led to a new position.

use std::cmp::Reverse;
use std::io::Write;

use super::args::NoveltyOrder;
use super::output::buffered_output;
use super::records::write_answer_of;
use super::selection::ReplayBar;
use super::suggestions::say_about_names;
use super::table::table;
use super::terminal::{dash, number_or_dash, output_width, text_or_question_mark};
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
    let has_several_databases = all.len() > 1;
    let rows = &answer.novelties;
    write_answer_of(
        has_several_databases,
        &answer,
        rows,
        arguments.format,
        arguments.csv_cells,
        || novelty_table(rows),
        &mut out,
    )?;
    out.flush().map_err(Error::Output)?;

    say_rest(&answer);
    Ok(Outcome::Done)
}

/// Sorts novelties in descending order. They must be in ascending order of dates before.
fn sort(novelties: &mut [NoveltyOfDatabase], order: NoveltyOrder) {
    // The sort is stable, so equal novelties stay with the latest first.
    novelties.reverse();
    match order {
        NoveltyOrder::Date => {}
        NoveltyOrder::Games => novelties.sort_by_key(|found| Reverse(found.novelty.before)),
        NoveltyOrder::Ply => novelties.sort_by_key(|found| Reverse(found.novelty.ply)),
    }
}

/// Prints the numbers of novelties and of compared games, of games without a date, and of duplicates.
fn say_rest(found: &answer::Novelties) {
    let games = counted(found.games, "game", "games");
    let novelties = counted(found.count as u64, "novelty", "novelties");
    let listed = found.novelties.len();
    if listed == 0 {
        say!("no novelty in {games}");
    } else if listed < found.count {
        say!("{} of {novelties} in {games}", grouped(listed as u64));
    } else {
        say!("{novelties} in {games}");
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

/// The columns of all tables of novelties. The name of the database comes before them, if there are several databases.
/// The evaluation and the last game before come after them.
const COLUMNS: [&str; 10] = [
    "game", "before", "novelty", "White", "Black", "result", "Elo", "Elo", "date", "after",
];
/// The indices of the columns with numbers in [`COLUMNS`].
const NUMBERS: [usize; 5] = [0, 1, 6, 7, 9];

/// The rows as a table; nothing without rows.
fn novelty_table(rows: &[answer::Novelty]) -> String {
    let Some(first) = rows.first() else {
        return String::new();
    };
    let has_database = first.game.game.database.is_some();
    let has_evaluations = rows.iter().any(|row| !row.evaluation.shown().is_empty());

    let mut header = Vec::new();
    if has_database {
        header.push("database");
    }
    header.extend(COLUMNS);
    if has_evaluations {
        header.push("eval");
    }
    header.push("last game before");

    let mut lines: Vec<Vec<String>> = vec![header.into_iter().map(str::to_owned).collect()];
    for row in rows {
        let mut line = novelty_cells(row);
        if has_evaluations {
            line.insert(line.len() - 1, row.evaluation.shown());
        }
        lines.push(line);
    }

    let right_aligned = NUMBERS.map(|column| column + usize::from(has_database));
    table(&lines, &right_aligned, output_width())
}

/// The cells of a novelty, without its evaluation.
fn novelty_cells(row: &answer::Novelty) -> Vec<String> {
    let game = &row.game.game;
    let move_number = row.move_number.as_deref().unwrap_or("?");
    let san = row.san.as_deref().unwrap_or("?");
    let last_game = match &row.last {
        Some(last) => game_text(last),
        None => String::new(),
    };

    let mut cells: Vec<String> = game.database.iter().cloned().collect();
    cells.extend([
        game.game.to_string(),
        grouped(row.games_before),
        format!("{move_number} {san}"),
        text_or_question_mark(game.white.as_deref()),
        text_or_question_mark(game.black.as_deref()),
        game.result.clone(),
        number_or_dash(game.white_elo),
        number_or_dash(game.black_elo),
        text_or_question_mark(game.date.as_deref()),
        grouped(row.games_after),
        last_game,
    ]);
    cells
}

/// A game with its number, like `games:7 Carlsen – Caruana 2018.11.09`.
fn game_text(game: &answer::GameRef) -> String {
    let number = match &game.database {
        Some(database) => format!("{database}:{}", game.game),
        None => game.game.to_string(),
    };

    let white = text_or_question_mark(game.white.as_deref());
    let black = text_or_question_mark(game.black.as_deref());
    let date = text_or_question_mark(game.date.as_deref());
    format!("{number} {white}{}{black} {date}", dash())
}
