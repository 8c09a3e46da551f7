//! Moves as a table.

use std::io::{self, Write};

use super::notable_games::NamedNotableGames;
use super::openings::{opening_cell, opening_table};
use crate::cli::printable::printable;
use crate::cli::report::bar_of;
use crate::cli::table::table;
use crate::cli::terminal::{number_or_dash, terminal_width, years};
use stamma::answer::{EvaluationRef, Move, Moves, Results};
use stamma::report::{counted, grouped, per_cent};

/// The width of a result bar on a narrow terminal, in columns.
const SHORT_BAR: u64 = 8;
/// The width of a result bar on a wide terminal.
const LONG_BAR: u64 = 20;

/// The columns of every table of moves. The bar has no name.
pub(super) const TABLE_HEADER: [&str; 10] = [
    "move", "games", "share", "White", "draws", "Black", "", "Elo", "perf.", "years",
];

/// The indices of the right-aligned columns in [`TABLE_HEADER`].
pub(super) const NUMBERS: [usize; 7] = [1, 2, 3, 4, 5, 7, 8];
/// The index of the bar in [`TABLE_HEADER`].
const BAR: usize = 6;
/// The index of the performance in [`TABLE_HEADER`].
const PERFORMANCE: usize = 8;
/// The width of the column of evaluations, which only some tables have.
const EVALUATION_WIDTH: usize = 7;
/// The width of the column of databases, which only some tables have.
const DATABASE_WIDTH: usize = 14;
/// The minimum terminal width for a long bar.
const LONG_BAR_COLUMNS_FROM: usize = 120;
/// The minimum terminal width for the bar.
const BAR_COLUMNS_FROM: usize = 100;
/// The minimum terminal width for the performance.
const PERFORMANCE_COLUMNS_FROM: usize = 66;
/// The minimum terminal width for the first game with each move.
const FIRST_GAME_COLUMNS_FROM: usize = 90;

/// Writes the moves, their openings, and the best games.
pub(super) fn write_table(
    answer: &Moves,
    notable_games: &NamedNotableGames,
    out: &mut impl Write,
) -> io::Result<()> {
    let width = terminal_width();
    let header = TABLE_HEADER.into_iter().chain(notable_games.first_header());
    let mut rows: Vec<Vec<String>> = vec![header.map(str::to_owned).collect()];
    for (played, first) in answer.moves.iter().zip(notable_games.first_cells()) {
        let mut cells = move_row(played, answer.results.games);
        cells.extend(first);
        rows.push(cells);
    }

    // Columns are removed before the evaluations are inserted, since the insertion shifts the indices of columns.
    let is_evaluated = answer
        .moves
        .iter()
        .any(|played| played.evaluation.score().is_some());
    let mut room = width;
    if is_evaluated {
        room = room.saturating_sub(EVALUATION_WIDTH);
    }
    if notable_games.is_of_several() {
        room = room.saturating_sub(DATABASE_WIDTH);
    }

    // The last two columns are the number and the players of the first game. There is always a header.
    let game_column = rows[0].len() - 2;
    let mut numbers = NUMBERS.to_vec();
    numbers.push(game_column);
    let mut right = remove_columns(&mut rows, &numbers, room);
    if is_evaluated {
        insert_evaluations(&mut rows, &mut right, &answer.moves);
    }
    write_rows(&rows, &right, out)?;

    let openings = opening_table(&answer.moves, width);
    write!(out, "{openings}{}", notable_games.best_table(width))
}

/// The index of the column of evaluations: the second, since the first has the moves.
const EVALUATION_COLUMN: usize = 1;

/// Inserts the column of evaluations after the column of moves, and adapts the indices of right-aligned columns.
fn insert_evaluations(rows: &mut [Vec<String>], right: &mut Vec<usize>, moves: &[Move]) {
    let cells = moves.iter().map(|played| signed_text(&played.evaluation));
    let column = std::iter::once("eval".to_owned()).chain(cells);
    for (row, cell) in rows.iter_mut().zip(column) {
        row.insert(EVALUATION_COLUMN, cell);
    }

    // All right-aligned columns are to the right of the moves.
    for other in right.iter_mut() {
        *other += 1;
    }
    right.push(EVALUATION_COLUMN);
}

/// A score with its sign; empty if it is unknown.
fn signed_text(evaluation: &EvaluationRef) -> String {
    match evaluation.score() {
        Some(score) => score.signed(),
        None => String::new(),
    }
}

/// Writes the position, its opening, its evaluation, and the number of games that reach the position.
pub(super) fn write_heading(
    answer: &Moves,
    evaluation: Option<&str>,
    out: &mut impl Write,
) -> io::Result<()> {
    if let Some(fen) = &answer.fen {
        writeln!(out, "{fen}")?;
    }

    let opening = opening_cell(&answer.opening);
    if !opening.is_empty() {
        writeln!(out, "{}", printable(&opening))?;
    }

    if let Some(evaluation) = evaluation {
        writeln!(out, "{evaluation}")?;
    }
    writeln!(out, "{}", counted(answer.results.games, "game", "games"))
}

/// Writes an empty line and a table whose first row is the header; nothing without further rows.
pub(super) fn write_rows(
    rows: &[Vec<String>],
    right: &[usize],
    out: &mut impl Write,
) -> io::Result<()> {
    let has_header_alone = rows.len() == 1;
    if has_header_alone {
        return Ok(());
    }
    write!(out, "\n{}", table(rows, right, terminal_width()))
}

/// Removes the columns for which a terminal has no room. Returns the indices of right-aligned columns that are left.
pub(super) fn remove_columns(
    rows: &mut [Vec<String>],
    right: &[usize],
    width: usize,
) -> Vec<usize> {
    if width < FIRST_GAME_COLUMNS_FROM {
        for row in rows.iter_mut() {
            row.truncate(TABLE_HEADER.len());
        }
    }

    // The last column is removed first, so that earlier columns keep their indices.
    let mut right = right.to_vec();
    if width < PERFORMANCE_COLUMNS_FROM {
        remove_column(rows, &mut right, PERFORMANCE);
    }
    if width < BAR_COLUMNS_FROM {
        remove_column(rows, &mut right, BAR);
    }
    right
}

/// Removes a column, and adapts the indices of right-aligned columns.
fn remove_column(rows: &mut [Vec<String>], right: &mut Vec<usize>, column: usize) {
    for row in rows.iter_mut() {
        if row.len() > column {
            row.remove(column);
        }
    }

    right.retain(|&other| other != column);
    for other in right.iter_mut() {
        if *other > column {
            *other -= 1;
        }
    }
}

/// The cells of a move; `all` is the number of games with the position.
pub(super) fn move_row(played: &Move, all: u64) -> Vec<String> {
    let results = &played.results;
    // Shares are shares of the finished games. A game without a result is counted in the number of games only.
    let finished = results.white + results.draws + results.black;
    let share = |part: u64| per_cent(part, finished);

    vec![
        played.san.clone().unwrap_or_else(|| "(end)".to_owned()),
        grouped(results.games),
        per_cent(results.games, all),
        share(results.white),
        share(results.draws),
        share(results.black),
        bar(results, bar_width(terminal_width())),
        number_or_dash(played.average_elo),
        number_or_dash(played.performance),
        years(played.first_year, played.last_year),
    ]
}

/// The width of a bar in a table with a width.
fn bar_width(table: usize) -> u64 {
    if table < LONG_BAR_COLUMNS_FROM {
        SHORT_BAR
    } else {
        LONG_BAR
    }
}

/// The finished games as a bar: White's wins as full blocks, draws in grey, Black's wins light.
fn bar(results: &Results, width: u64) -> String {
    bar_of([results.white, results.draws, results.black], width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_left_out_where_there_is_no_room() {
        let header: Vec<&str> = TABLE_HEADER
            .into_iter()
            .chain(["game", "first played"])
            .collect();
        for (width, left_out) in [
            (100, &[][..]),
            (90, &[""]),
            (80, &["", "game", "first played"]),
            (60, &["", "perf.", "game", "first played"]),
        ] {
            let header_row: Vec<String> = header.iter().map(|&name| name.to_owned()).collect();
            let mut rows = vec![header_row];
            let right = remove_columns(&mut rows, &[1, 2, 3, 4, 5, 7, 8, 10], width);

            let mut kept = header.clone();
            kept.retain(|name| !left_out.contains(name));
            assert_eq!(rows[0], kept, "{width} columns");

            let mut numbers = vec![
                "games", "share", "White", "draws", "Black", "Elo", "perf.", "game",
            ];
            numbers.retain(|name| kept.contains(name));
            let right_aligned: Vec<&str> = right
                .iter()
                .filter_map(|&column| kept.get(column).copied())
                .collect();
            assert_eq!(right_aligned, numbers, "{width} columns");
        }
    }

    #[test]
    fn bars_are_full() {
        let counts = |white, draws, black| Results {
            white,
            draws,
            black,
            ..Results::default()
        };

        assert_eq!(bar(&counts(2, 1, 1), LONG_BAR), "██████████▒▒▒▒▒░░░░░");
        assert_eq!(bar(&counts(0, 0, 3), LONG_BAR), "░░░░░░░░░░░░░░░░░░░░");
        assert_eq!(bar(&counts(0, 0, 0), LONG_BAR), "");

        let thirds = bar(&counts(1, 1, 1), LONG_BAR);
        assert_eq!(thirds.chars().count(), 20);
    }
}
