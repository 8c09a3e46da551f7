//! `stamma moves`

mod evaluations;
mod notable_games;
mod openings;
mod run;
mod tree;

pub(super) use run::run;

use std::io::{self, Write};

use serde::Serialize;

use super::printable::printable;
use super::records::{write_csv, write_jsonl};
use super::report::bar_of;
use super::say;
use super::table::table;
use super::terminal::{dash, terminal_width};
use super::{args, args::ListFormat};
use evaluations::{EVALUATION_COLUMNS, EvaluationRecord, Evaluations};
use notable_games::NamedNotableGames;
use openings::{OPENING_COLUMNS, OpeningRecord, opening_of, opening_table};
use stamma::board::Position;
use stamma::error::{Error, Result};
use stamma::notation::uci;
use stamma::query::{CombinedResults, Counts, GameOfDatabase, MoveCount, NotableGamesOfMove};
use stamma::report::{counted, grouped, per_cent};
use stamma::storage::{GameId, OpeningTable};

/// The width of a result bar on a narrow terminal, in columns.
const SHORT_BAR: u64 = 8;
/// The width of a result bar on a wide terminal.
const LONG_BAR: u64 = 20;

/// Writes the moves of one position.
fn write_moves(
    names: &[String],
    openings: &OpeningTable,
    results: &mut CombinedResults<'_>,
    arguments: &args::Moves,
    out: &mut impl Write,
) -> Result<()> {
    let mut moves = results.moves()?;
    let mut notable_games = results.notable_games(&moves)?;
    let games = moves.iter().map(|counted| counted.counts.all_games()).sum();
    // The moves are sorted, the most played first.
    let least = arguments.min_games.unwrap_or(0);
    let kept = moves.partition_point(|counted| counted.counts.all_games() >= least);
    let left_out = left_out((moves.len() - kept) as u64, least);
    moves.truncate(kept);
    notable_games.moves.truncate(kept);
    let positions = results.positions().unwrap_or_default();
    let named: Vec<OpeningRecord> = moves
        .iter()
        .map(|counted| OpeningRecord::new(openings, positions, &counted.positions_after(positions)))
        .collect();
    let evaluations = Evaluations::read(results, positions, &moves)?;
    let evaluation_records = evaluations.records();
    let counted = moves.iter().map(Record::new);
    let names = (names.len() > 1).then_some(names);
    let notable_records =
        notable_games.moves.iter().map(|games| NotableGameRecord::new(games, names));
    let records = counted.zip(notable_records).zip(&named).zip(&evaluation_records);
    match arguments.format {
        ListFormat::Jsonl => {
            let records = records.map(|(((counted, notable_games), opening), evaluation)| {
                MoveRecord { counted, notable_games, opening, evaluation }
            });
            write_jsonl(&records.collect::<Vec<_>>(), out)
        }
        ListFormat::Csv => {
            let landmarks = LANDMARK_COLUMNS.iter().copied();
            let landmarks =
                landmarks.filter(|name| names.is_some() || !name.ends_with("_database"));
            let columns = COLUMNS.into_iter().chain(landmarks).chain(OPENING_COLUMNS);
            let columns: Vec<&str> = columns.chain(EVALUATION_COLUMNS).collect();
            write_csv(&columns, &records.collect::<Vec<_>>(), arguments.csv_cells, out)
        }
        ListFormat::Table => {
            let notable_games = NamedNotableGames::read(results, &notable_games, names)?;
            let evaluation = evaluations.heading(positions);
            arguments.boards.write_first(positions, out).map_err(Error::Output)?;
            write_heading(positions, openings, evaluation.as_deref(), games, out)
                .map_err(Error::Output)?;
            write_table(games, &moves, &evaluations, &notable_games, &named, out)
                .map_err(Error::Output)
        }
    }?;
    write_left_out(left_out, arguments.format, out)
}

const COLUMNS: [&str; 10] = [
    "san",
    "uci",
    "games",
    "white",
    "draws",
    "black",
    "average_elo",
    "performance",
    "first_year",
    "last_year",
];
const LANDMARK_COLUMNS: [&str; 5] =
    ["first_database", "first_game", "first_date", "best_database", "best_game"];

/// A move for programs.
#[derive(Debug, Serialize)]
struct Record {
    san: Option<String>,
    uci: Option<String>,
    games: u64,
    white: u64,
    draws: u64,
    black: u64,
    average_elo: Option<i64>,
    performance: Option<i64>,
    first_year: Option<u16>,
    last_year: Option<u16>,
}

/// The notable games with a move, for programs.
#[derive(Debug, Serialize)]
struct NotableGameRecord {
    /// The databases of the games, if several are asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_database: Option<Option<String>>,
    first_game: Option<GameId>,
    first_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best_database: Option<Option<String>>,
    /// The game with the highest mean Elo.
    best_game: Option<GameId>,
}

/// A move with its notable games, for formats with nested records.
#[derive(Debug, Serialize)]
struct MoveRecord<'m> {
    #[serde(flatten)]
    counted: Record,
    #[serde(flatten)]
    notable_games: NotableGameRecord,
    #[serde(flatten)]
    opening: &'m OpeningRecord,
    #[serde(flatten)]
    evaluation: &'m EvaluationRecord,
}

impl NotableGameRecord {
    fn new(
        games: &NotableGamesOfMove<GameOfDatabase>,
        names: Option<&[String]>,
    ) -> NotableGameRecord {
        let first = games.first.map(|first| first.game);
        let name = |game: Option<GameOfDatabase>| {
            names.map(|names| game.map(|game| names[game.database].clone()))
        };
        let date = games.first.and_then(|first| first.date);
        NotableGameRecord {
            first_database: name(first),
            first_game: first.map(|first| first.game),
            first_date: date.map(|date| date.to_string()),
            best_database: name(games.best),
            best_game: games.best.map(|best| best.game),
        }
    }
}

impl Record {
    fn new(counted: &MoveCount) -> Record {
        let Counts { white, draws, black, years, .. } = counted.counts;
        let (san, uci) = counted.played.as_ref().map(|(san, mv)| (san.clone(), uci(*mv))).unzip();
        Record {
            san,
            uci,
            games: counted.counts.all_games(),
            white,
            draws,
            black,
            average_elo: counted.average_elo().map(whole),
            performance: counted.performance().map(whole),
            first_year: years.map(|(first, _)| first),
            last_year: years.map(|(_, last)| last),
        }
    }
}

fn whole(points: f64) -> i64 {
    points.round() as i64
}

fn write_table(
    games: u64,
    moves: &[MoveCount],
    evaluations: &Evaluations,
    notable_games: &NamedNotableGames,
    named: &[OpeningRecord],
    out: &mut impl Write,
) -> io::Result<()> {
    let width = terminal_width();
    let header = TABLE_HEADER.into_iter().chain(notable_games.first_header());
    let mut rows: Vec<Vec<String>> = vec![header.map(str::to_owned).collect()];
    let numbers = moves.iter().map(|counted| row(counted, games, bar_width(width)));
    rows.extend(numbers.zip(notable_games.first_cells()).map(|(mut row, first)| {
        row.extend(first);
        row
    }));
    let game = rows[0].len() - 2;
    let mut right = narrowed(&mut rows, &[1, 2, 3, 4, 5, 7, 8, game], width);
    if let Some(cells) = evaluations.cells() {
        insert_evaluations(&mut rows, &mut right, cells);
    }
    write_rows(&rows, &right, out)?;
    let moves = moves.iter().map(|counted| counted.san().unwrap_or_default());
    write!(out, "{}{}", opening_table(moves.zip(named), width), notable_games.best_table(width))
}

/// Inserts the column of evaluations behind that of the moves.
fn insert_evaluations(rows: &mut [Vec<String>], right: &mut Vec<usize>, cells: Vec<String>) {
    let column = std::iter::once("eval".to_owned()).chain(cells);
    for (row, cell) in rows.iter_mut().zip(column) {
        row.insert(1, cell);
    }
    for other in right.iter_mut() {
        *other += 1;
    }
    right.push(1);
}

/// The board, its opening, its evaluation, and the number of games that reach it.
fn write_heading(
    positions: &[Position],
    openings: &OpeningTable,
    evaluation: Option<&str>,
    games: u64,
    out: &mut impl Write,
) -> io::Result<()> {
    if let [position] = positions {
        writeln!(out, "{}", position.fen())?;
    }
    if let Some(opening) = opening_of(openings, positions) {
        writeln!(out, "{} {}", opening.eco, printable(opening.name))?;
    }
    if let Some(evaluation) = evaluation {
        writeln!(out, "{evaluation}")?;
    }
    writeln!(out, "{}", counted(games, "game", "games"))
}

const TABLE_HEADER: [&str; 10] =
    ["move", "games", "share", "White", "draws", "Black", "", "Elo", "perf.", "years"];

/// The indices of the bar and the performance among the columns of the table.
const BAR: usize = 6;
const PERFORMANCE: usize = 8;
/// The least terminal width at which these and the first game with each move are shown.
const BAR_COLUMNS_FROM: usize = 100;
const PERFORMANCE_COLUMNS_FROM: usize = 66;
const LANDMARK_COLUMNS_FROM: usize = 90;

/// A table with a header, some columns right-aligned; nothing if it has no rows.
fn write_rows(rows: &[Vec<String>], right: &[usize], out: &mut impl Write) -> io::Result<()> {
    match rows {
        [_] => Ok(()),
        _ => write!(out, "\n{}", table(rows, right, terminal_width())),
    }
}

/// Removes the columns that do not fit; returns the right-aligned ones.
fn narrowed(rows: &mut [Vec<String>], right: &[usize], width: usize) -> Vec<usize> {
    if width < LANDMARK_COLUMNS_FROM {
        rows.iter_mut().for_each(|row| row.truncate(TABLE_HEADER.len()));
    }
    let mut right = right.to_vec();
    // From the last, so that earlier columns keep their indices.
    for (column, from) in [(PERFORMANCE, PERFORMANCE_COLUMNS_FROM), (BAR, BAR_COLUMNS_FROM)] {
        if width >= from {
            continue;
        }
        rows.iter_mut().filter(|row| row.len() > column).for_each(|row| drop(row.remove(column)));
        right.retain(|&other| other != column);
        right.iter_mut().filter(|other| **other > column).for_each(|other| *other -= 1);
    }
    right
}

/// The width of a bar in a table of this width.
fn bar_width(table: usize) -> u64 {
    if table < 120 { SHORT_BAR } else { LONG_BAR }
}

fn row(counted: &MoveCount, all: u64, bar_width: u64) -> Vec<String> {
    let counts = &counted.counts;
    let number = |points: Option<f64>| {
        points.map_or_else(|| "-".to_owned(), |points| whole(points).to_string())
    };
    let share = |part: u64| per_cent(part, counts.finished());
    vec![
        counted.played.as_ref().map_or_else(|| "(end)".to_owned(), |(san, _)| san.clone()),
        grouped(counts.all_games()),
        per_cent(counts.all_games(), all),
        share(counts.white),
        share(counts.draws),
        share(counts.black),
        bar(counts, bar_width),
        number(counted.average_elo()),
        number(counted.performance()),
        years(counts.years),
    ]
}

fn years(years: Option<(u16, u16)>) -> String {
    match years {
        None => "-".to_owned(),
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first}{}{last}", dash()),
    }
}

/// White's share of the finished games as full blocks, that of draws in grey, and the rest for Black.
fn bar(counts: &Counts, width: u64) -> String {
    bar_of([counts.white, counts.draws, counts.black], width)
}

/// The number of omitted moves, and the fewest games of a listed one.
fn left_out(moves: u64, least_games: u64) -> Option<String> {
    let (counted, least) = (counted(moves, "move", "moves"), grouped(least_games));
    (moves > 0)
        .then(|| format!("{counted} of fewer than {least} games left out; --min-games 1 lists all"))
}

/// Reports omitted moves: at the end of a table, otherwise on standard error.
fn write_left_out(
    left_out: Option<String>,
    format: ListFormat,
    out: &mut impl Write,
) -> Result<()> {
    match (left_out, format) {
        (None, _) => Ok(()),
        (Some(left_out), ListFormat::Table) => writeln!(out, "{left_out}").map_err(Error::Output),
        (Some(left_out), _) => {
            say!("{left_out}");
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_left_out_where_there_is_no_room() {
        let header: Vec<&str> = TABLE_HEADER.into_iter().chain(["game", "first played"]).collect();
        for (width, left_out) in [
            (100, &[][..]),
            (90, &[""]),
            (80, &["", "game", "first played"]),
            (60, &["", "perf.", "game", "first played"]),
        ] {
            let mut rows =
                vec![header.iter().map(|&name| name.to_owned()).collect::<Vec<String>>()];
            let right = narrowed(&mut rows, &[1, 2, 3, 4, 5, 7, 8, 10], width);
            let kept: Vec<&str> =
                header.iter().copied().filter(|name| !left_out.contains(name)).collect();
            assert_eq!(rows[0], kept, "{width} columns");
            let flush = right.iter().filter_map(|&column| kept.get(column).copied());
            let numbers = ["games", "share", "White", "draws", "Black", "Elo", "perf.", "game"];
            let numbers = numbers.into_iter().filter(|name| kept.contains(name));
            assert_eq!(flush.collect::<Vec<_>>(), numbers.collect::<Vec<_>>(), "{width} columns");
        }
    }

    #[test]
    fn bars_are_full() {
        let counts = |white, draws, black| Counts { white, draws, black, ..Counts::default() };
        assert_eq!(bar(&counts(2, 1, 1), LONG_BAR), "██████████▒▒▒▒▒░░░░░");
        assert_eq!(bar(&counts(0, 0, 3), LONG_BAR), "░░░░░░░░░░░░░░░░░░░░");
        assert_eq!(bar(&counts(0, 0, 0), LONG_BAR), "");
        assert_eq!(bar(&counts(1, 1, 1), LONG_BAR).chars().count(), 20);
    }
}
