//! Candidates of a pattern: the games that the column store does not exclude.

use super::position_query::PositionQuery;
use super::rows::Candidate;
use crate::columns::{Column, ColumnStore, GameFlags};
use crate::replay::MaterialSignature;
use crate::storage::GameSet;
use crate::store_fault::StoreResult;

impl PositionQuery {
    /// The games of a set in which the pattern may match, by number.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn candidates(
        &self,
        column_store: &ColumnStore<'_>,
        mut games: GameSet,
    ) -> StoreResult<Vec<Candidate>> {
        column_store.retain(&mut games, [Column::MaterialSignature], |[signature]| {
            self.may_hold(MaterialSignature(signature))
        })?;

        let mut candidates = Vec::new();
        let columns = [Column::GameFlags, Column::MaterialSignature];
        column_store.each(games.iter(), columns, |game, [flags, signature]| {
            let flags = GameFlags::from_value(flags);
            if flags.has_boards() {
                candidates.push(Candidate {
                    game,
                    starts_from_standard: flags.starts_from_standard(),
                    // A signature is only known of moves in the form that an import writes.
                    is_trusted: MaterialSignature(signature).is_known(),
                });
            }
        })?;
        Ok(candidates)
    }
}
