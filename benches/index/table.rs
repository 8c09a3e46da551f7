//! The table of figures, each with its limit if it has one.

use std::fmt::Display;
use std::time::Duration;

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    None,
    Bytes,
    Megabytes,
    Seconds,
    Milliseconds,
    Microseconds,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Unit::None => "",
            Unit::Bytes => "B",
            Unit::Megabytes => "MB",
            Unit::Seconds => "s",
            Unit::Milliseconds => "ms",
            Unit::Microseconds => "µs",
        }
    }

    /// A formatted figure: whole numbers as such, others with more digits the smaller they are.
    fn show(self, figure: f64) -> String {
        let digits = match figure.abs() {
            _ if figure.fract() == 0.0 => 0,
            size if size < 10.0 => 3,
            size if size < 1_000.0 => 1,
            _ => 0,
        };
        let text = format!("{figure:.digits$} {}", self.name());
        // Some figures have no unit.
        text.trim_end().to_owned()
    }
}

/// A table printed row by row.
#[derive(Debug, Default)]
pub(crate) struct Table {
    missed: u32,
}

impl Table {
    /// Prints the header.
    pub(crate) fn begin() -> Table {
        row("", "figure", "limit", "");
        Table::default()
    }

    /// Prints the name of a part.
    #[expect(clippy::unused_self, reason = "rows belong to a table that has begun")]
    pub(crate) fn part(&self, name: impl Display) {
        println!("-- {name}");
    }

    /// Prints a figure without a limit.
    #[expect(clippy::unused_self, reason = "rows belong to a table that has begun")]
    pub(crate) fn note(&self, name: impl Display, figure: f64, unit: Unit) {
        row(name, unit.show(figure), "", "");
    }

    /// Prints a figure that should not exceed its limit.
    pub(crate) fn limit(&mut self, name: impl Display, figure: f64, unit: Unit, limit: f64) {
        let is_met = figure <= limit;
        if !is_met {
            self.missed += 1;
        }

        let verdict = if is_met { "ok" } else { "MISSED" };
        row(name, unit.show(figure), unit.show(limit), verdict);
    }

    /// The number of exceeded limits.
    pub(crate) fn missed(&self) -> u32 {
        self.missed
    }
}

/// Prints a row, without the space of cells that are empty at its end.
fn row(name: impl Display, figure: impl Display, limit: impl Display, verdict: &str) {
    let row = format!("{name:<60} {figure:>12} {limit:>10}  {verdict}");
    println!("{}", row.trim_end());
}

/// A time in microseconds.
pub(crate) fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
