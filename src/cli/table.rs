//! Tables: aligned cells, cut if the terminal is too narrow.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::printable::printable;
use super::terminal::sign;

/// The number of blanks between two cells.
const GAP: usize = 2;
/// The width to which names are cut first, in which they are still recognizable.
const NAME_COLUMNS: usize = 12;
/// The width to which names are cut before dates and numbers are cut.
const MIN_NAME_COLUMNS: usize = 6;
/// The minimum width of a column.
const MIN_COLUMNS: usize = 4;

/// Rows of aligned cells, each column as wide as its widest cell, within a total width. The first row is the header.
/// The last cell of a row with fewer cells may extend to the end of the line. `right_aligned` has the indices of
/// columns.
///
/// If there is not enough room, cells are cut in this order: names to a recognizable width, headers that are wider than
/// their columns, names to a minimum, dates and numbers.
pub(super) fn table(rows: &[Vec<String>], right_aligned: &[usize], width: usize) -> String {
    let mut printable_rows: Vec<Vec<Cow<'_, str>>> = Vec::with_capacity(rows.len());
    for row in rows {
        printable_rows.push(row.iter().map(|cell| printable(cell)).collect());
    }
    let widths = widths(&printable_rows, right_aligned, width);

    let mut text = String::new();
    let gap = " ".repeat(GAP);
    for row in &printable_rows {
        let is_short = row.len() < widths.len();
        let mut cells = Vec::with_capacity(row.len());
        for (column, cell) in row.iter().enumerate() {
            let is_last = column + 1 == row.len();
            let fitted = if is_last && is_short {
                let room = room_to_the_right(&widths[..column], width);
                fit(cell, cell.width().min(room), false)
            } else {
                fit(cell, widths[column], right_aligned.contains(&column))
            };
            cells.push(fitted);
        }

        let line = cells.join(&gap);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The room on a line to the right of some columns.
fn room_to_the_right(widths_before: &[usize], width: usize) -> usize {
    let before: usize = widths_before.iter().map(|width| width + GAP).sum();
    width.saturating_sub(before).max(MIN_COLUMNS)
}

/// The widths of a column, by which it is laid out.
struct Column {
    /// The current width.
    width: usize,
    /// The width of the widest cell below the header.
    below: usize,
    /// `true` if the column has names, which may be cut first.
    is_name: bool,
}

/// The widths of the columns within a total width.
fn widths(rows: &[Vec<Cow<'_, str>>], right_aligned: &[usize], width: usize) -> Vec<usize> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut columns: Vec<Column> = (0..count)
        .map(|index| measure_column(rows, index, count, right_aligned.contains(&index)))
        .collect();

    // Each step narrows columns only until they fit.
    let gaps = GAP * count.saturating_sub(1);
    let room = width.saturating_sub(gaps);
    let recognizable = |column: &Column| min_width_of_name(column, NAME_COLUMNS);
    shrink(&mut columns, room, recognizable);

    let without_header = |column: &Column| column.below.max(MIN_COLUMNS);
    shrink(&mut columns, room, without_header);

    let shortest_name = |column: &Column| min_width_of_name(column, MIN_NAME_COLUMNS);
    shrink(&mut columns, room, shortest_name);

    shrink(&mut columns, room, |_| MIN_COLUMNS);

    columns.into_iter().map(|column| column.width).collect()
}

/// The minimum width of a column of names; other columns are not narrowed.
fn min_width_of_name(column: &Column, width: usize) -> usize {
    if column.is_name { width } else { usize::MAX }
}

/// Measures a column. `count` is the number of columns.
fn measure_column(
    rows: &[Vec<Cow<'_, str>>],
    index: usize,
    count: usize,
    is_right: bool,
) -> Column {
    let header = match rows.first().and_then(|row| row.get(index)) {
        Some(cell) => cell.width(),
        None => 0,
    };

    let mut below = 0;
    let mut has_words = false;
    for row in rows.iter().skip(1) {
        // The last cell of a short row may extend over the empty columns to its right.
        let is_short = row.len() < count;
        let may_extend = is_short && index + 1 == row.len();
        if may_extend {
            continue;
        }
        if let Some(cell) = row.get(index) {
            below = below.max(cell.width());
            has_words |= has_word(cell);
        }
    }

    // Short words are not worth cutting.
    let is_name = !is_right && has_words && below > MIN_NAME_COLUMNS;
    Column {
        width: header.max(below),
        below,
        is_name,
    }
}

/// `true` if a cell has two adjacent letters, unlike dates, results, ECO codes and bars.
fn has_word(cell: &str) -> bool {
    let mut follows_letter = false;
    for letter in cell.chars() {
        let is_letter = letter.is_alphabetic();
        if is_letter && follows_letter {
            return true;
        }
        follows_letter = is_letter;
    }
    false
}

/// Narrows the columns until they fit into `room`. Each step narrows the widest of the columns that are wider than
/// their minimum width by one.
fn shrink(columns: &mut [Column], room: usize, min_width: impl Fn(&Column) -> usize) {
    let mut all: usize = columns.iter().map(|column| column.width).sum();

    while all > room {
        let wider = columns
            .iter_mut()
            .filter(|column| column.width > min_width(column));
        let Some(widest) = wider.max_by_key(|column| column.width) else {
            return;
        };
        widest.width -= 1;
        all -= 1;
    }
}

/// The beginning of a cell with an ellipsis, within a width.
fn cut(cell: &str, width: usize) -> String {
    let mut text = String::new();
    // The ellipsis takes one column.
    let mut used = 1;
    for letter in cell.chars() {
        used += letter.width().unwrap_or(0);
        if used > width {
            break;
        }
        text.push(letter);
    }
    text.push(sign('…', '.'));
    text
}

/// A cell of an exact width; an ellipsis marks a cut.
fn fit(cell: &str, width: usize, right: bool) -> String {
    if cell.width() > width {
        // A cut before a wide letter may leave a column, which is padded.
        return fit(&cut(cell, width), width, right);
    }

    let padding = " ".repeat(width - cell.width());
    if right {
        padding + cell
    } else {
        format!("{cell}{padding}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows<const N: usize>(rows: &[[&str; N]]) -> Vec<Vec<String>> {
        rows.iter()
            .map(|row| row.map(str::to_owned).to_vec())
            .collect()
    }

    #[test]
    fn tables_are_aligned_and_cut() {
        let rows = rows(&[["1", "Réti, Richard", "x"], ["10", "Tal, Mikhail", "y"]]);

        let wide = table(&rows, &[0], 80);
        assert_eq!(wide, " 1  Réti, Richard  x\n10  Tal, Mikhail   y\n");

        let narrow = table(&rows, &[0], 14);
        assert_eq!(narrow, " 1  Réti, …  x\n10  Tal, M…  y\n");
    }

    #[test]
    fn names_are_cut_before_dates_results_and_moves() {
        let rows = rows(&[
            [
                "game", "White", "Black", "result", "date", "event", "ply", "move",
            ],
            [
                "104",
                "Kasparov, Garry",
                "Topalov, Veselin",
                "1-0",
                "1999.01.20",
                "Hoogovens Tournament",
                "48",
                "Rxd4",
            ],
            [
                "7",
                "Steinitz, Wilhelm",
                "Bardeleben, Curt von",
                "1/2-1/2",
                "1895.08.17",
                "Hastings",
                "15",
                "Nxd5",
            ],
        ]);
        for width in [60, 64, 72, 80, 90] {
            let table = table(&rows, &[0, 6], width);
            for whole in ["104", "1999.01.20", "1895.08.17", "1/2-1/2", "48", "Rxd4"] {
                assert!(
                    table.contains(whole),
                    "{whole} in {width} columns:\n{table}"
                );
            }
            assert!(table.lines().all(|line| line.width() <= width), "{table}");
        }
    }

    #[test]
    fn labels_and_headings_are_cut_last() {
        let mut rows = rows(&[
            [
                "", "games", "won", "drawn", "lost", "score", "opp. Elo", "perf.",
            ],
            [
                "all games",
                "1,234",
                "567",
                "89",
                "12",
                "55.0 %",
                "2705",
                "2711",
            ],
            [
                "Kortschnoi, Viktor Lvovich",
                "42",
                "12",
                "20",
                "10",
                "52.0 %",
                "2655",
                "2670",
            ],
        ]);
        rows.insert(
            2,
            vec!["opponents of the years of his title (10 of 1,234)".to_owned()],
        );
        let table = table(&rows, &[1, 2, 3, 4, 5, 6, 7], 60);
        for whole in [
            "all games",
            "opponents of the years of his title (10 of 1,234)",
            "1,234",
            "52.0 %",
            "2655",
        ] {
            assert!(table.contains(whole), "{whole}:\n{table}");
        }
        assert!(table.lines().all(|line| line.width() <= 60), "{table}");
    }
}
