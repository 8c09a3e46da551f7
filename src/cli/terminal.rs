//! Properties of the terminal, and text formatting: widths, signs, sizes.

use std::io::{self, IsTerminal};
use std::sync::LazyLock;

use terminal_size::{Width, terminal_size_of};

use stamma::report::grouped;
use stamma::study::tournament::Letters;

/// The width of tables if standard output is not a terminal.
const DEFAULT_COLUMNS: usize = 100;

/// The width of the terminal in columns, or a default width if standard output is not a terminal.
pub(super) fn terminal_width() -> usize {
    match terminal_size_of(io::stdout()) {
        Some((Width(width), _)) => width.into(),
        None => DEFAULT_COLUMNS,
    }
}

/// The width of the terminal in columns. If standard output is not a terminal, the width is unlimited, so that nothing
/// is cut in a file.
pub(super) fn output_width() -> usize {
    match terminal_size_of(io::stdout()) {
        Some((Width(width), _)) => width.into(),
        None => usize::MAX,
    }
}

/// `true` if standard output is a terminal that may support only ASCII.
pub(super) fn has_plain_letters() -> bool {
    static IS_PLAIN: LazyLock<bool> =
        LazyLock::new(|| io::stdout().is_terminal() && !has_utf8_locale());
    *IS_PLAIN
}

/// `true` if the locale for characters uses UTF-8 (POSIX, Base Definitions §8.2).
fn has_utf8_locale() -> bool {
    if cfg!(windows) {
        return true;
    }

    // The first variable that is set takes precedence. An empty variable counts as not set.
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
        let value = std::env::var(name).unwrap_or_default();
        if !value.is_empty() {
            let locale = value.to_ascii_lowercase();
            return locale.contains("utf-8") || locale.contains("utf8");
        }
    }
    false
}

/// The letters of signs in reports.
pub(super) fn letters() -> Letters {
    if has_plain_letters() {
        Letters::Ascii
    } else {
        Letters::Unicode
    }
}

/// The first of two signs, or the second if only ASCII is supported.
pub(super) fn sign<S>(unicode: S, ascii: S) -> S {
    if has_plain_letters() { ascii } else { unicode }
}

/// The sign between the ends of a range, or between two players.
pub(super) fn dash() -> &'static str {
    sign("–", "-")
}

/// The sign for omitted text.
pub(super) fn ellipsis() -> &'static str {
    sign("…", "...")
}

/// The years of the first and the last game as a range; a single year if both are equal or one is unknown.
pub(super) fn years(first: Option<u16>, last: Option<u16>) -> String {
    let (Some(begin), Some(end)) = (first.or(last), last.or(first)) else {
        return "-".to_owned();
    };

    if begin == end {
        begin.to_string()
    } else {
        format!("{begin}{}{end}", dash())
    }
}

/// A number in a list: `-` if it is unknown.
pub(super) fn number_or_dash<N: ToString>(number: Option<N>) -> String {
    match number {
        Some(number) => number.to_string(),
        None => "-".to_owned(),
    }
}

const KILOBYTE: u64 = 1_000;
const MEGABYTE: u64 = 1_000_000;

/// A size in a suitable unit: a number in a larger unit has at least two digits.
pub(super) fn size(bytes: u64) -> String {
    const KILOBYTES_FROM: u64 = 10 * KILOBYTE;
    const MEGABYTES_FROM: u64 = 10 * MEGABYTE;

    match bytes {
        ..KILOBYTES_FROM => format!("{} bytes", grouped(bytes)),
        KILOBYTES_FROM..MEGABYTES_FROM => format!("{} kB", grouped(bytes / KILOBYTE)),
        _ => format!("{} MB", grouped(bytes / MEGABYTE)),
    }
}

/// The value of a tag in a list: `?` if it is missing.
pub(super) fn text_or_question_mark(value: Option<&str>) -> String {
    value.unwrap_or("?").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_a_range_or_one_year() {
        let range = format!("1972{}1992", dash());
        for (first, last, expected) in [
            (Some(1972), Some(1992), range.as_str()),
            (Some(1972), Some(1972), "1972"),
            (Some(1972), None, "1972"),
            (None, Some(1992), "1992"),
            (None, None, "-"),
        ] {
            assert_eq!(years(first, last), expected);
        }
    }
}
