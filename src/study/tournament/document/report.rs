//! What a document of a tournament is made from.

use super::letters::Letters;
use crate::query::GameOfDatabase;
use crate::study::tournament::{Crosstable, Tournament};

/// A tournament with its crosstable, from which a document is made.
#[derive(Clone, Copy, Debug)]
pub struct CrosstableReport<'t> {
    /// The tournament.
    pub tournament: &'t Tournament,
    /// Its crosstable.
    pub crosstable: &'t Crosstable,
    /// The letters of signs.
    pub letters: Letters,
    /// The names of the databases, if games are named with theirs.
    pub names: Option<&'t [String]>,
}

impl CrosstableReport<'_> {
    /// The name of the database of a game, if games are named with theirs.
    pub(super) fn database(&self, game: GameOfDatabase) -> Option<&str> {
        let name = &self.names?[game.database];
        Some(name)
    }

    /// The number of a game, behind the name of its database: `modern:17`.
    pub(super) fn number(&self, game: GameOfDatabase) -> String {
        match self.database(game) {
            Some(name) => format!("{name}:{}", game.game),
            None => game.game.to_string(),
        }
    }
}
