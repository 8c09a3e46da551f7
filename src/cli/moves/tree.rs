//! `stamma moves --depth`: a tree of moves.

use std::io::Write;

use serde::Serialize;

use super::openings::{OPENING_COLUMNS, OpeningRecord};
use super::{
    COLUMNS, Record, TABLE_HEADER, bar_width, left_out, narrowed, row, write_heading,
    write_left_out, write_rows,
};
use crate::cli::args::{ListFormat, Moves};
use crate::cli::records::{write_csv, write_csv_rows, write_jsonl};
use crate::cli::terminal::terminal_width;
use stamma::board::Position;
use stamma::error::{Error, Result};
use stamma::query::{MoveTree, TreeMove};
use stamma::storage::OpeningTable;

/// Writes the moves as they come, but those of a table at the end.
pub(super) fn write(
    openings: &OpeningTable,
    positions: &[Position],
    arguments: &Moves,
    mut tree: MoveTree<'_>,
    out: &mut impl Write,
) -> Result<()> {
    match arguments.format {
        ListFormat::Jsonl => {
            for played in tree.by_ref() {
                write_jsonl(&[Line::new(&played?, openings)], out)?;
            }
        }
        ListFormat::Csv => {
            let columns: Vec<&str> =
                ["line"].into_iter().chain(COLUMNS).chain(OPENING_COLUMNS).collect();
            write_csv::<Line>(&columns, &[], arguments.csv_cells, out)?;
            for played in tree.by_ref() {
                write_csv_rows(&[Line::new(&played?, openings).flat()], arguments.csv_cells, out)?;
            }
        }
        ListFormat::Table => write_table(openings, positions, arguments, &mut tree, out)?,
    }
    write_left_out(left_out(tree.left_out(), tree.least_games()), arguments.format, out)
}

fn write_table(
    openings: &OpeningTable,
    positions: &[Position],
    arguments: &Moves,
    tree: &mut MoveTree<'_>,
    out: &mut impl Write,
) -> Result<()> {
    let games = tree.games();
    let mut rows = vec![TABLE_HEADER.map(str::to_owned).to_vec()];
    rows[0].push("opening".to_owned());
    for played in tree.by_ref() {
        rows.push(indented_row(&played?, openings));
    }
    let right = narrowed(&mut rows, &[1, 2, 3, 4, 5, 7, 8], terminal_width());
    arguments.boards.write_first(positions, out).map_err(Error::Output)?;
    write_heading(positions, openings, None, games, out).map_err(Error::Output)?;
    write_rows(&rows, &right, out).map_err(Error::Output)
}

/// A move for programs, with those before it.
#[derive(Debug, Serialize)]
struct Line {
    /// The moves up to this one, separated by spaces.
    line: String,
    #[serde(flatten)]
    counted: Record,
    #[serde(flatten)]
    opening: OpeningRecord,
}

impl Line {
    fn new(played: &TreeMove, openings: &OpeningTable) -> Line {
        Line {
            line: played.line.join(" "),
            counted: Record::new(&played.counted),
            opening: OpeningRecord::new(openings, &played.before, &played.after),
        }
    }

    /// The fields in their order, since CSV has no nested records.
    fn flat(self) -> (String, Record, OpeningRecord) {
        (self.line, self.counted, self.opening)
    }
}

/// A row of the table, indented by two columns for each move before it.
fn indented_row(played: &TreeMove, openings: &OpeningTable) -> Vec<String> {
    let mut row = row(&played.counted, played.of_games, bar_width(terminal_width()));
    let before = played.line.len() - usize::from(played.counted.played.is_some());
    if let Some(san) = row.first_mut() {
        san.insert_str(0, &"  ".repeat(before));
    }
    row.push(OpeningRecord::new(openings, &[], &played.after).cell());
    row
}
