//! The names of a position and of those that moves lead to.

use serde::Serialize;

use crate::cli::table::table;
use stamma::board::Position;
use stamma::openings::Opening;
use stamma::storage::OpeningTable;

/// The columns of [`OpeningRecord`].
pub(super) const OPENING_COLUMNS: [&str; 3] = ["opening_before", "opening_eco", "opening"];

/// The names of a move, for programs.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct OpeningRecord {
    /// The name of the position in which it is played.
    opening_before: Option<String>,
    /// The code and the name of the position that it leads to.
    opening_eco: Option<String>,
    opening: Option<String>,
}

impl OpeningRecord {
    pub(super) fn new(
        openings: &OpeningTable,
        before: &[Position],
        after: &[Position],
    ) -> OpeningRecord {
        let before = opening_of(openings, before);
        let after = opening_of(openings, after);
        OpeningRecord {
            opening_before: before.map(|opening| opening.name.to_owned()),
            opening_eco: after.map(|opening| opening.eco.to_owned()),
            opening: after.map(|opening| opening.name.to_owned()),
        }
    }

    /// The code and the name of the position that the move leads to, for people.
    pub(super) fn cell(&self) -> String {
        match (&self.opening_eco, &self.opening) {
            (Some(eco), Some(name)) => format!("{eco} {name}"),
            _ => String::new(),
        }
    }
}

/// The opening of one of some positions.
pub(super) fn opening_of<'t>(
    openings: &'t OpeningTable,
    positions: &[Position],
) -> Option<Opening<'t>> {
    let id = positions.iter().find_map(|position| openings.of_position(position))?;
    Some(openings.get(id))
}

/// Moves that lead to positions with names, behind an empty line; nothing where there are none.
pub(super) fn opening_table<'m>(
    moves: impl Iterator<Item = (&'m str, &'m OpeningRecord)>,
    width: usize,
) -> String {
    let mut rows = vec![["move", "ECO", "opening"].map(str::to_owned).to_vec()];
    rows.extend(moves.filter_map(|(san, record)| {
        Some(vec![san.to_owned(), record.opening_eco.clone()?, record.opening.clone()?])
    }));
    if rows.len() == 1 { String::new() } else { format!("\n{}", table(&rows, &[], width)) }
}
