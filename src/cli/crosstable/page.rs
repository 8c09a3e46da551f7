//! A crosstable as text.

use super::cells::{grid, matches};
use super::heading::heading;
use super::notes::system;
use crate::cli::printable::printable;
use crate::cli::table::table;
use crate::cli::terminal::{counted, output_width};
use stamma::query::{Crosstable, System, Tournament};

/// The heading, the cells, and the notes below them.
pub(super) fn page(tournament: &Tournament, crosstable: &Crosstable, notes: &[String]) -> String {
    let players = counted(crosstable.standings.len() as u64, "player", "players");
    let mut page =
        format!("{}\n{players}, {}\n\n", printable(&heading(tournament)), system(crosstable));
    if crosstable.system == System::KnockOut {
        page += &table(&matches(crosstable).rows, &[], output_width());
        page.push('\n');
    }
    let grid = grid(crosstable);
    page += &table(&grid.rows, &grid.right_aligned, output_width());
    if !notes.is_empty() {
        page.push('\n');
    }
    for note in notes {
        page += &printable(note);
        page.push('\n');
    }
    page
}
