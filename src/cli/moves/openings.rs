//! The names of positions that moves lead to.

use crate::cli::table::table;
use stamma::answer::{Move, OpeningRef};

/// The code and the name of an opening; nothing if there is none.
pub(super) fn opening_cell(opening: &OpeningRef) -> String {
    match (&opening.eco, &opening.opening) {
        (Some(eco), Some(name)) => format!("{eco} {name}"),
        _ => String::new(),
    }
}

/// Moves that lead to positions with names, behind an empty line; nothing where there are none.
pub(super) fn opening_table(moves: &[Move], width: usize) -> String {
    let mut rows = vec![["move", "ECO", "opening"].map(str::to_owned).to_vec()];
    for played in moves {
        if let (Some(eco), Some(name)) = (&played.opening.eco, &played.opening.opening) {
            let san = played.san.clone().unwrap_or_default();
            rows.push(vec![san, eco.clone(), name.clone()]);
        }
    }

    if rows.len() == 1 {
        String::new()
    } else {
        format!("\n{}", table(&rows, &[], width))
    }
}
