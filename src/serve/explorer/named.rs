//! The opening of a position: its ECO code and its name.

use schemars::JsonSchema;
use serde::Serialize;
use stamma::board::Position;
use stamma::storage::OpeningTable;

/// An opening.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ExplorerOpening {
    pub(super) eco: String,
    pub(super) name: String,
}

/// The opening of the first position that has one.
pub(super) fn opening_of<'p>(
    openings: &OpeningTable,
    positions: impl IntoIterator<Item = &'p Position>,
) -> Option<ExplorerOpening> {
    let id = positions
        .into_iter()
        .find_map(|position| openings.of_position(position))?;

    let opening = openings.get(id);
    Some(ExplorerOpening {
        eco: opening.eco.to_owned(),
        name: opening.name.to_owned(),
    })
}
