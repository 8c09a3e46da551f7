//! How things look to people: widths, columns, boards, grouped numbers.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::sync::LazyLock;

use terminal_size::{Width, terminal_size_of};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::printable::printable;

/// The columns of the terminal, 100 when standard output is none.
pub(super) fn terminal_width() -> usize {
    terminal_size_of(io::stdout()).map_or(100, |(Width(width), _)| usize::from(width))
}

/// The columns of the terminal, as many as there are when standard output is none: what a program or
/// a file is given is not cut.
pub(super) fn output_width() -> usize {
    terminal_size_of(io::stdout()).map_or(usize::MAX, |(Width(width), _)| usize::from(width))
}

/// Whether standard output is a terminal that may know no letters but those of ASCII.
pub(super) fn has_plain_letters() -> bool {
    static IS_PLAIN: LazyLock<bool> =
        LazyLock::new(|| io::stdout().is_terminal() && !has_utf8_locale());
    *IS_PLAIN
}

/// Whether the locale that holds for characters is one of UTF-8 (POSIX, Base Definitions §8.2).
fn has_utf8_locale() -> bool {
    let set = |name: &&str| std::env::var(name).is_ok_and(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(set);
    let locale = locale.and_then(|name| std::env::var(name).ok()).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
}

/// The first of two signs, or the second where there are but plain letters.
pub(super) fn sign<S>(usual: S, plain: S) -> S {
    if has_plain_letters() { plain } else { usual }
}

/// What stands between the ends of a span, or between two players.
pub(super) fn dash() -> &'static str {
    sign("–", "-")
}

/// What stands before what is left out.
pub(super) fn ellipsis() -> &'static str {
    sign("…", "...")
}

/// A number with a comma after each three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size in the unit that people would choose.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{} bytes", grouped(bytes)),
        10_000..10_000_000 => format!("{} kB", grouped(bytes / 1_000)),
        _ => format!("{} MB", grouped(bytes / 1_000_000)),
    }
}

/// `games` or `game`, after its number.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// What a list shows of a tag: `?` where there is none.
pub(super) fn known(value: Option<&str>) -> String {
    value.unwrap_or("?").to_owned()
}

/// Rows of cells under each other, each column as wide as its widest cell, cut to a width.
///
/// Where there is no room for all, the widest columns give way.
pub(super) fn table(rows: &[Vec<String>], right_aligned: &[usize], width: usize) -> String {
    const GAP: usize = 2;
    let rows: Vec<Vec<Cow<'_, str>>> =
        rows.iter().map(|row| row.iter().map(|cell| printable(cell)).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..columns).map(widest).collect();
    let room = width.saturating_sub(GAP * columns.saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        match widths.iter_mut().max() {
            Some(width) if *width > 4 => *width -= 1,
            _ => break,
        }
    }
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(i, (cell, &width))| fit(cell, width, right_aligned.contains(&i)));
        text.push_str(cells.collect::<Vec<String>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// A cell of exactly a width; what is cut off leaves an ellipsis.
fn fit(cell: &str, width: usize, right: bool) -> String {
    if cell.width() > width {
        let mut text = String::new();
        let mut used = 1;
        for letter in cell.chars() {
            used += letter.width().unwrap_or(0);
            if used > width {
                break;
            }
            text.push(letter);
        }
        text.push(sign('…', '.'));
        return fit(&text, width, right);
    }
    let padding = " ".repeat(width - cell.width());
    if right { padding + cell } else { format!("{cell}{padding}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let texts = [0, 999, 1_000, 1_006_963].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,006,963"]);
    }

    #[test]
    fn tables_are_aligned_and_cut() {
        let rows = [["1", "Réti, Richard", "x"], ["10", "Tal", "y"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows, &[0], 80), " 1  Réti, Richard  x\n10  Tal            y\n");
        assert_eq!(table(&rows, &[0], 14), " 1  Réti, …  x\n10  Tal      y\n");
    }
}
