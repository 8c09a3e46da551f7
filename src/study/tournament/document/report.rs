//! The input of a document of a tournament.

use super::letters::Letters;
use crate::query::GameOfDatabase;
use crate::study::tournament::{Crosstable, Tournament};

/// A tournament with its crosstable, from which a document is made.
#[derive(Clone, Copy, Debug)]
pub struct CrosstableReport<'t> {
    /// The tournament.
    pub tournament: &'t Tournament,
    /// The crosstable of the tournament.
    pub crosstable: &'t Crosstable,
    /// The letters of the document: Unicode or ASCII.
    pub letters: Letters,
    /// The names of the databases, if games are listed with the names of their databases.
    pub names: Option<&'t [String]>,
}

impl CrosstableReport<'_> {
    /// The name of the database of a game, if games are listed with the names of their databases.
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
