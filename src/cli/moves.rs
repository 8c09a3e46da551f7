//! `stamma moves`

mod landmarks;

use std::io::{self, BufWriter, Write};

use serde::Serialize;

use super::records::{write_csv, write_jsonl};
use super::suggestions::say_unknown_names;
use super::terminal::{counted, grouped, table, terminal_width};
use super::{Outcome, args, args::ListFormat, open_for_positions};
use crate::board::Position;
use crate::error::{Error, Result};
use crate::index::Counts;
use crate::notation::uci;
use crate::query::{MoveCount, MoveLandmarks, PositionSearch, Selection};
use landmarks::NamedLandmarks;

/// The columns of a bar that shows how games ended, where there is little room.
const SHORT_BAR: u64 = 8;
/// The same where there is enough.
const LONG_BAR: u64 = 20;

pub(super) fn run(arguments: &args::Moves) -> Result<Outcome> {
    let positions = arguments.asked.wanted(&arguments.fen)?;
    let database = open_for_positions(&arguments.database)?;
    let connection = &database.connection;
    let search = PositionSearch::new(connection).map_err(|e| database.error(e))?;
    let filter = arguments.filters.filter();
    say_unknown_names(&database, &filter)?;
    let mut selection = None;
    if !filter.is_empty() {
        selection.insert(Selection::new(&database, &filter)?).settle()?;
    }
    let selection = selection.as_ref();
    let moves = match selection {
        None => search.moves(connection, &positions),
        Some(selection) => search.moves_among(connection, &positions, selection),
    }
    .map_err(|e| database.error(e))?;
    let landmarks = search.landmarks(connection, &positions, &moves, selection);
    let landmarks = landmarks.map_err(|e| database.error(e))?;
    let mut out = BufWriter::new(io::stdout().lock());
    let records = || -> Vec<Record> {
        moves
            .iter()
            .zip(&landmarks.moves)
            .map(|(counted, games)| Record::new(counted, games))
            .collect()
    };
    match arguments.format {
        ListFormat::Jsonl => write_jsonl(&records(), &mut out)?,
        ListFormat::Csv => write_csv(&COLUMNS, &records(), &mut out)?,
        ListFormat::Table => {
            arguments.boards.write_first(&positions, &mut out).map_err(Error::Output)?;
            let named = NamedLandmarks::read(connection, &landmarks);
            let named = named.map_err(|e| database.error(e))?;
            write_table(&positions, &moves, &named, &mut out).map_err(Error::Output)?;
        }
    }
    out.flush().map_err(Error::Output)?;
    Ok(Outcome::Done)
}

const COLUMNS: [&str; 13] = [
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
    "first_game",
    "first_date",
    "best_game",
];

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
    first_game: Option<i64>,
    first_date: Option<String>,
    /// The one with the highest mean Elo.
    best_game: Option<i64>,
}

impl Record {
    fn new(counted: &MoveCount, landmarks: &MoveLandmarks) -> Record {
        let Counts { white, draws, black, years, .. } = counted.counts;
        let (san, uci) = counted.played.as_ref().map(|(san, mv)| (san.clone(), uci(*mv))).unzip();
        Record {
            san,
            uci,
            games: counted.counts.games(),
            white,
            draws,
            black,
            average_elo: counted.average_elo().map(whole),
            performance: counted.performance().map(whole),
            first_year: years.map(|(first, _)| first),
            last_year: years.map(|(_, last)| last),
            first_game: landmarks.first.map(|first| first.game),
            first_date: landmarks.first.and_then(|first| first.date).map(|date| date.to_string()),
            best_game: landmarks.best,
        }
    }
}

fn whole(points: f64) -> i64 {
    points.round() as i64
}

fn write_table(
    positions: &[Position],
    moves: &[MoveCount],
    landmarks: &NamedLandmarks,
    out: &mut impl Write,
) -> io::Result<()> {
    if let [position] = positions {
        writeln!(out, "{}", position.fen())?;
    }
    let games = moves.iter().map(|counted| counted.counts.games()).sum();
    writeln!(out, "{}", counted(games, "game", "games"))?;
    if moves.is_empty() {
        return Ok(());
    }
    let width = terminal_width();
    let mut rows = vec![HEADER.map(str::to_owned).to_vec()];
    let numbers = moves.iter().map(|counted| row(counted, games, bar_width(width)));
    rows.extend(numbers.zip(landmarks.first_cells()).map(|(mut row, first)| {
        row.extend(first);
        row
    }));
    write!(out, "\n{}", table(&rows, &[1, 2, 3, 4, 5, 7, 8, 10], width))?;
    write!(out, "{}", landmarks.best_table(width))
}

const HEADER: [&str; 12] = [
    "move",
    "games",
    "share",
    "White",
    "draws",
    "Black",
    "",
    "Elo",
    "perf.",
    "years",
    "game",
    "first played",
];

/// The columns of a bar in a table of so many.
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
        grouped(counts.games()),
        per_cent(counts.games(), all),
        share(counts.white),
        share(counts.draws),
        share(counts.black),
        bar(counts, bar_width),
        number(counted.average_elo()),
        number(counted.performance()),
        years(counts.years),
    ]
}

fn per_cent(part: u64, of: u64) -> String {
    match of {
        0 => "-".to_owned(),
        _ => format!("{} %", (200 * part + of) / (2 * of)),
    }
}

fn years(years: Option<(u16, u16)>) -> String {
    match years {
        None => "-".to_owned(),
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first}–{last}"),
    }
}

/// White's share of the finished games as full blocks, that of draws as grey, the rest is Black's.
fn bar(counts: &Counts, width: u64) -> String {
    let finished = counts.finished();
    if finished == 0 {
        return String::new();
    }
    let columns = |games: u64| ((2 * games * width + finished) / (2 * finished)) as usize;
    let (white, undecided) = (columns(counts.white), columns(counts.white + counts.draws));
    let black = width as usize - undecided;
    format!("{}{}{}", "█".repeat(white), "▒".repeat(undecided - white), "░".repeat(black))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_full() {
        let counts = |white, draws, black| Counts { white, draws, black, ..Counts::default() };
        assert_eq!(bar(&counts(2, 1, 1), LONG_BAR), "██████████▒▒▒▒▒░░░░░");
        assert_eq!(bar(&counts(0, 0, 3), LONG_BAR), "░░░░░░░░░░░░░░░░░░░░");
        assert_eq!(bar(&counts(0, 0, 0), LONG_BAR), "");
        assert_eq!(bar(&counts(1, 1, 1), LONG_BAR).chars().count(), 20);
    }
}
