//! `stamma moves --depth`: a tree of moves.

use std::io::Write;

use super::openings::opening_cell;
use super::table::{NUMBERS, TABLE_HEADER, move_row, remove_columns, write_heading, write_rows};
use super::{left_out, write_left_out};
use crate::cli::args::{AnswerFormat, Moves};
use crate::cli::records::{RowWriter, write_jsonl};
use crate::cli::terminal::terminal_width;
use stamma::answer;
use stamma::board::Position;
use stamma::error::{Error, Result};
use stamma::query::{MoveTree, TreeMove};
use stamma::storage::OpeningTable;

/// Writes each row as soon as its move is counted. A table and a JSON object are written at the end.
pub(super) fn write(
    openings: &OpeningTable,
    positions: &[Position],
    arguments: &Moves,
    mut tree: MoveTree<'_>,
    out: &mut impl Write,
) -> Result<()> {
    match arguments.format {
        AnswerFormat::Json => write_object(openings, positions, &mut tree, out)?,
        AnswerFormat::Jsonl => {
            for played in tree.by_ref() {
                write_jsonl(&[tree_move(&played?, openings)], out)?;
            }
        }
        AnswerFormat::Csv => {
            let cells = arguments.csv_cells;
            let mut writer = RowWriter::new::<answer::TreeMove>(false, cells, &mut *out)?;
            for played in tree.by_ref() {
                writer.write(&tree_move(&played?, openings))?;
            }
            writer.finish()?;
        }
        AnswerFormat::Table => write_table(openings, positions, arguments, &mut tree, out)?,
    }

    let left_out = left_out(tree.left_out(), tree.min_games());
    write_left_out(left_out, arguments.format, out)
}

/// Writes all moves as one JSON object.
fn write_object(
    openings: &OpeningTable,
    positions: &[Position],
    tree: &mut MoveTree<'_>,
    out: &mut impl Write,
) -> Result<()> {
    let heading = answer::Moves::new(openings, positions, &[], None);
    let games = tree.games();
    let mut moves = Vec::new();
    for played in tree {
        moves.push(tree_move(&played?, openings));
    }

    let answer = answer::MoveTree {
        fen: heading.fen,
        opening: heading.opening,
        games,
        moves,
    };
    write_jsonl(&[answer], out)
}

/// Writes all moves as a table, below the board.
fn write_table(
    openings: &OpeningTable,
    positions: &[Position],
    arguments: &Moves,
    tree: &mut MoveTree<'_>,
    out: &mut impl Write,
) -> Result<()> {
    let mut heading = answer::Moves::new(openings, positions, &[], None);
    heading.results.games = tree.games();

    let mut header = TABLE_HEADER.map(str::to_owned).to_vec();
    header.push("opening".to_owned());
    let mut rows = vec![header];
    for played in tree.by_ref() {
        rows.push(indented_row(&played?, openings));
    }
    let right = remove_columns(&mut rows, &NUMBERS, terminal_width());

    arguments
        .boards
        .write_first(positions, out)
        .map_err(Error::Output)?;
    write_heading(&heading, None, out).map_err(Error::Output)?;
    write_rows(&rows, &right, out).map_err(Error::Output)
}

/// A move as a row of an answer, with the line of moves up to it.
fn tree_move(played: &TreeMove, openings: &OpeningTable) -> answer::TreeMove {
    answer::TreeMove::new(played.line.join(" "), counted_move(played, openings))
}

/// A move with its counts, as part of an answer.
fn counted_move(played: &TreeMove, openings: &OpeningTable) -> answer::Move {
    answer::Move::new(openings, &played.before, &played.after, &played.counted)
}

/// The indentation of a row for each move before its move.
const INDENTATION: &str = "  ";

/// A row of the table, indented for each move before it.
fn indented_row(played: &TreeMove, openings: &OpeningTable) -> Vec<String> {
    let answer = counted_move(played, openings);
    let mut row = move_row(&answer, played.of_games);

    // The line ends with the move, unless the row counts the games that end here.
    let moves_before = played.line.len() - usize::from(played.counted.played.is_some());
    if let Some(san) = row.first_mut() {
        san.insert_str(0, &INDENTATION.repeat(moves_before));
    }
    row.push(opening_cell(&answer.opening));
    row
}
