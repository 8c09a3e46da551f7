//! Which games are worth replaying for a question: those that the catalog does not rule out.

use super::question::PositionQuestion;
use super::scan::Candidate;
use crate::catalog::{Catalog, Column, GameSet, Traits};
use crate::replay::Outline;

impl PositionQuestion {
    /// Those of some games in which it may hold, in the order of their numbers.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn candidates(
        &self,
        catalog: &Catalog<'_>,
        mut games: GameSet,
    ) -> rusqlite::Result<Vec<Candidate>> {
        catalog
            .retain(&mut games, [Column::Outline], |[outline]| self.may_hold(Outline(outline)))?;
        let mut candidates = Vec::new();
        let columns = [Column::Traits, Column::Outline];
        catalog.each(games.iter(), columns, |game, [traits, outline]| {
            let traits = Traits::from_value(traits);
            if traits.has_boards() {
                candidates.push(Candidate {
                    game,
                    starts_as_usual: traits.starts_as_usual(),
                    is_trusted: Outline(outline).is_known(),
                });
            }
        })?;
        Ok(candidates)
    }
}
