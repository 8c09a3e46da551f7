//! Documents of headings, tables, boards and charts, written as Markdown and HTML.
//!
//! A [`Document`] is plain data. [`markdown()`], [`html_page`] and [`html_fragment`] write it; the program writes it as
//! text. Text from games is escaped in one place, `escape.rs`.
//!
//! ```
//! use stamma::report::{Cell, Column, Document, Table, html_page, markdown};
//!
//! let mut report = Document::new("Spring <1901>");
//! report.heading("Players");
//! let mut table = Table::new([Column::text("name"), Column::number("points")]);
//! table.rows.push(vec![Cell::text("Berg, Anna"), Cell::text("2½")]);
//! report.table(table);
//! assert!(markdown(&report).contains("| Berg, Anna | 2½ |"));
//! assert!(html_page(&report).contains("<h1>Spring &lt;1901&gt;</h1>"));
//! ```

mod board;
mod chart;
mod document;
mod escape;
mod html;
mod markdown;
mod numbers;
#[cfg(test)]
mod snapshot;
mod span;
mod table;

pub use board::{Board, HeatBoard};
pub use chart::{Chart, ChartKind, Series, Unit, sparkline};
pub use document::{Block, Document, Level};
pub use html::{STYLE, html_fragment, html_page};
pub use markdown::markdown;
/// For the program, which writes numbers as reports do.
#[doc(hidden)]
pub use numbers::{counted, elo, grouped, per_cent};
pub(crate) use numbers::{numbered_line, numbered_move, push_numbered};
pub use span::{Span, Target};
pub use table::{Bar, BarKind, Cell, Column, Table};
