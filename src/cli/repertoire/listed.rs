//! Lists of departures, lines and games.

use std::cmp::Reverse;
use std::io::Write;

use serde::Serialize;

use super::answer::{Answer, Rows};
use super::rows::{DepartureRow, GameRow, LineRow};
use crate::cli::args::{RepertoireFormat, RepertoireList, RepertoireOrder};
use crate::cli::records::{write_csv, write_jsonl};
use crate::cli::table::table;
use crate::cli::terminal::output_width;
use stamma::error::{Error, Result};
use stamma::report::grouped;

/// Writes where games leave, or the gaps.
pub(super) fn write_departures(answer: &Answer<'_>, out: &mut impl Write) -> Result<Rows> {
    let openings = answer.database.openings()?;
    let departures = answer.departures();
    let listed = departures.iter().take(answer.arguments.most());
    let rows: Vec<DepartureRow> =
        listed.map(|one| DepartureRow::new(answer.repertoire, &openings, one)).collect();
    let is_gaps = answer.arguments.list == RepertoireList::Gaps;
    let header: &[&str] = match is_gaps {
        true => &["played", "share", "games", "score", "Elo", "opp.", "years", "move", "line"],
        false => &["games", "score", "Elo", "opp.", "years", "by", "leaves at", "line"],
    };
    let cells = |row: &DepartureRow| {
        let mut cells = row.results.cells().to_vec();
        if is_gaps {
            let played = [grouped(row.played_games), format!("{:.0} %", row.share())];
            cells.splice(0..0, played);
        } else {
            cells.push(row.by().to_owned());
        }
        cells.extend([row.place(), row.line().to_owned()]);
        cells
    };
    let right: &[usize] = if is_gaps { &[0, 1, 2, 3, 4, 5] } else { &[0, 1, 2, 3] };
    List { header, right, columns: &DepartureRow::columns() }.write(answer, &rows, cells, out)?;
    Ok((rows.len(), departures.len()))
}

/// Writes the lines to their ends.
pub(super) fn write_lines(answer: &Answer<'_>, out: &mut impl Write) -> Result<Rows> {
    let Answer { repertoire, hits, arguments, .. } = answer;
    let openings = answer.database.openings()?;
    let games = |at: usize| hits.reached(at).all_games();
    let mut ends: Vec<usize> =
        repertoire.ends().filter(|&at| games(at) >= arguments.min_games).collect();
    if arguments.sort != RepertoireOrder::Line {
        ends.sort_by_key(|&at| Reverse(games(at)));
    }
    let listed = ends.iter().take(arguments.most());
    let rows: Vec<LineRow> =
        listed.map(|&at| LineRow::new(repertoire, &openings, hits, at)).collect();
    let cells = |row: &LineRow| {
        let mut cells = row.results.cells().to_vec();
        cells.push(row.line().to_owned());
        cells
    };
    let header = &["games", "score", "Elo", "opp.", "years", "line"];
    List { header, right: &[0, 1, 2, 3], columns: &LineRow::columns() }
        .write(answer, &rows, cells, out)?;
    Ok((rows.len(), ends.len()))
}

/// Writes the games.
pub(super) fn write_games(answer: &Answer<'_>, out: &mut impl Write) -> Result<Rows> {
    let games = answer.games();
    let listed = games.iter().take(answer.arguments.most());
    let rows: Result<Vec<GameRow>> =
        listed.map(|hit| GameRow::new(answer.database, answer.repertoire, hit)).collect();
    let rows = rows?;
    List { header: &GameRow::HEADER, right: &[0, 4, 5], columns: &GameRow::COLUMNS }.write(
        answer,
        &rows,
        GameRow::cells,
        out,
    )?;
    Ok((rows.len(), games.len()))
}

/// The columns of a list.
struct List<'l> {
    /// The header of its table.
    header: &'l [&'l str],
    /// The right-aligned columns of its table.
    right: &'l [usize],
    /// Its columns as comma-separated values.
    columns: &'l [&'l str],
}

impl List<'_> {
    fn write<R: Serialize>(
        &self,
        answer: &Answer<'_>,
        rows: &[R],
        cells: impl Fn(&R) -> Vec<String>,
        out: &mut impl Write,
    ) -> Result<()> {
        match answer.arguments.format {
            RepertoireFormat::Jsonl => write_jsonl(rows, out),
            RepertoireFormat::Csv => {
                let rows: Result<Vec<Vec<String>>> =
                    rows.iter().map(|row| values(row, self.columns)).collect();
                write_csv(self.columns, &rows?, answer.arguments.csv_cells, out)
            }
            _ if rows.is_empty() => Ok(()),
            _ => {
                let header = self.header.iter().map(|&name| name.to_owned()).collect();
                let rows: Vec<Vec<String>> =
                    std::iter::once(header).chain(rows.iter().map(cells)).collect();
                let width = match answer.arguments.output {
                    Some(_) => usize::MAX,
                    None => output_width(),
                };
                let text = table(&rows, self.right, width);
                out.write_all(text.as_bytes()).map_err(Error::Output)
            }
        }
    }
}

/// The values of a row by the names of its columns.
fn values(row: &impl Serialize, columns: &[&str]) -> Result<Vec<String>> {
    let row = serde_json::to_value(row).map_err(|error| Error::Output(error.into()))?;
    let value = |column: &&str| match &row[*column] {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Ok(columns.iter().map(value).collect())
}
