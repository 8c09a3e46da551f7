//! What a search for duplicates gives.

use super::tags::MergedGroup;
use crate::storage::{DuplicateGroup, GameSet};

/// What a search for duplicates has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Duplicates {
    /// The games in the database.
    pub games: u64,
    /// Those of them that were compared with all, since they are new or have changed, or their group has.
    pub compared: u64,
    /// All groups, in the order of their first games, those of earlier searches among them.
    pub groups: Vec<DuplicateGroup>,
    /// What the tags of groups say beyond those of the kept games, where that was asked for.
    pub merged: Vec<MergedGroup>,
}

impl Duplicates {
    /// The games that are marked.
    pub fn marked(&self) -> GameSet {
        self.groups
            .iter()
            .flat_map(|group| group.duplicates.iter().copied())
            .collect()
    }
}
