//! The opening of a position.

use schemars::JsonSchema;
use serde::Serialize;

use crate::board::Position;
use crate::storage::OpeningTable;

/// The code and the name of an opening; both are null if the position has no name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpeningRef {
    /// The ECO code.
    pub eco: Option<String>,
    /// The name.
    pub opening: Option<String>,
}

impl OpeningRef {
    /// The opening of the first position that has a name.
    pub fn of<'p>(
        openings: &OpeningTable,
        positions: impl IntoIterator<Item = &'p Position>,
    ) -> OpeningRef {
        let found = positions
            .into_iter()
            .find_map(|position| openings.of_position(position));
        let Some(id) = found else {
            return OpeningRef::default();
        };

        let opening = openings.get(id);
        OpeningRef {
            eco: Some(opening.eco.to_owned()),
            opening: Some(opening.name.to_owned()),
        }
    }
}
