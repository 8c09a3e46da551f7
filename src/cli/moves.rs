//! `stamma moves`

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
use crate::query::{MoveCount, PositionSearch, Selection};

/// The columns of a bar that shows how games ended.
const BAR_WIDTH: u64 = 20;

pub(super) fn run(arguments: &args::Moves) -> Result<Outcome> {
    let positions = arguments.asked.wanted(&arguments.fen)?;
    let database = open_for_positions(&arguments.database)?;
    let connection = &database.connection;
    let search = PositionSearch::new(connection).map_err(|e| database.error(e))?;
    let filter = arguments.filters.filter();
    say_unknown_names(&database, &filter)?;
    let moves = match filter.is_empty() {
        true => search.moves(connection, &positions),
        false => {
            let mut selection = Selection::new(&database, &filter)?;
            selection.settle()?;
            search.moves_among(connection, &positions, &selection)
        }
    }
    .map_err(|e| database.error(e))?;
    let mut out = BufWriter::new(io::stdout().lock());
    let records = || -> Vec<Record> { moves.iter().map(Record::new).collect() };
    match arguments.format {
        ListFormat::Jsonl => write_jsonl(&records(), &mut out)?,
        ListFormat::Csv => write_csv(&COLUMNS, &records(), &mut out)?,
        ListFormat::Table => {
            arguments.boards.write_first(&positions, &mut out).map_err(Error::Output)?;
            write_table(&positions, &moves, &mut out).map_err(Error::Output)?;
        }
    }
    out.flush().map_err(Error::Output)?;
    Ok(Outcome::Done)
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

impl Record {
    fn new(counted: &MoveCount) -> Record {
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
        }
    }
}

fn whole(points: f64) -> i64 {
    points.round() as i64
}

fn write_table(
    positions: &[Position],
    moves: &[MoveCount],
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
    let header = ["move", "games", "share", "White", "draws", "Black", "", "Elo", "perf.", "years"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(moves.iter().map(|counted| row(counted, games)));
    write!(out, "\n{}", table(&rows, &[1, 2, 3, 4, 5, 7, 8], terminal_width()))
}

fn row(counted: &MoveCount, all: u64) -> Vec<String> {
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
        bar(counts),
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
fn bar(counts: &Counts) -> String {
    let finished = counts.finished();
    if finished == 0 {
        return String::new();
    }
    let columns = |games: u64| ((2 * games * BAR_WIDTH + finished) / (2 * finished)) as usize;
    let (white, undecided) = (columns(counts.white), columns(counts.white + counts.draws));
    let black = BAR_WIDTH as usize - undecided;
    format!("{}{}{}", "█".repeat(white), "▒".repeat(undecided - white), "░".repeat(black))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_full() {
        let counts = |white, draws, black| Counts { white, draws, black, ..Counts::default() };
        assert_eq!(bar(&counts(2, 1, 1)), "██████████▒▒▒▒▒░░░░░");
        assert_eq!(bar(&counts(0, 0, 3)), "░░░░░░░░░░░░░░░░░░░░");
        assert_eq!(bar(&counts(0, 0, 0)), "");
        assert_eq!(bar(&counts(1, 1, 1)).chars().count(), 20);
    }
}
