//! The result of a search for duplicates.

use super::tags::MergedGroup;
use crate::storage::{DuplicateGroup, GameSet};

/// The result of a search for duplicates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Duplicates {
    /// The games in the database.
    pub games: u64,
    /// The games that were compared with all games, because they or other games of their group are new or have changed.
    pub compared: u64,
    /// All groups, in the order of their first games. Groups of earlier searches are among them.
    pub groups: Vec<DuplicateGroup>,
    /// The tags of kept games that are filled from twins or contradicted by them, if the options ask for it.
    pub merged: Vec<MergedGroup>,
}

impl Duplicates {
    /// The games that are marked.
    pub fn marked(&self) -> GameSet {
        let mut marked = GameSet::default();
        for group in &self.groups {
            for &game in &group.duplicates {
                marked.insert(game);
            }
        }
        marked
    }
}
