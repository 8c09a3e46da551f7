//! The names of positions that moves lead to.

use crate::cli::table::table;
use stamma::answer::{Move, OpeningRef};

/// The code and the name of an opening; empty if the position has no name.
pub(super) fn opening_cell(opening: &OpeningRef) -> String {
    let (Some(eco), Some(name)) = (&opening.eco, &opening.opening) else {
        return String::new();
    };
    format!("{eco} {name}")
}

/// An empty line and a table of the moves that lead to positions with names; empty without such moves.
pub(super) fn opening_table(moves: &[Move], width: usize) -> String {
    let header = ["move", "ECO", "opening"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for played in moves {
        let (Some(eco), Some(name)) = (&played.opening.eco, &played.opening.opening) else {
            continue;
        };

        let san = played.san.clone().unwrap_or_default();
        rows.push(vec![san, eco.clone(), name.clone()]);
    }

    let has_header_alone = rows.len() == 1;
    if has_header_alone {
        return String::new();
    }
    format!("\n{}", table(&rows, &[], width))
}
