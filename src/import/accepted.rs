//! The games of a batch that an import accepts, up to the limit of games: games that equal no earlier game, and newer
//! texts of stored games.

use std::collections::BTreeSet;

use super::importer::Import;
use super::rows::Rows;
use super::update::Encounter;
use crate::equal_games::{self, EqualGames};
use crate::error::Result;
use crate::game::Game;
use crate::ingest::Batched;
use crate::storage::{GameId, GameReader};

impl Import<'_, '_> {
    /// `true` if the number of games is limited.
    pub(super) fn has_limit(&self) -> bool {
        self.options.limit.is_some()
    }

    /// Counts games of the sources that the database has already; returns `false` if no game may follow them.
    pub(super) fn count_known(&mut self, games: u64) -> bool {
        if self.has_limit() {
            self.left = self.left.saturating_sub(games);
        }
        self.left > 0
    }

    /// Removes games that equal an earlier game, and the part of a batch after the last game within the limit.
    pub(super) fn retain_accepted(&mut self, batch: &mut Batched<Self>) -> Result<()> {
        let mut are_accepted = self.are_accepted(&batch.output)?;
        let last = are_accepted.iter().rposition(|&is_accepted| is_accepted);
        if self.left == 0
            && let Some(last) = last
        {
            let end = batch.bytes.end;
            cut_behind(batch, last);
            self.is_limit_reached = batch.bytes.end < end;
        }

        // `are_accepted` has no element for games after the limit.
        are_accepted.resize(batch.output.games.len(), false);
        if are_accepted.iter().all(|&is_accepted| is_accepted) {
            return Ok(());
        }

        batch.output.retain(&are_accepted);
        let numbers = &batch.output.numbers;
        batch.problems.retain(|problem| match problem.game {
            Some(game) => numbers.binary_search(&game).is_ok(),
            None => true,
        });
        Ok(())
    }

    /// The keys of the stored games, read when they are first needed.
    fn equal_games(&mut self, replaced: &BTreeSet<i64>) -> Result<&mut EqualGames> {
        let games = match self.equal_games.take() {
            Some(games) => games,
            None => self.stored_game_keys(replaced)?,
        };
        Ok(self.equal_games.insert(games))
    }

    /// Reads the keys of all stored games except `replaced`, the games that newer texts are about to replace.
    fn stored_game_keys(&mut self, replaced: &BTreeSet<i64>) -> Result<EqualGames> {
        let mut games = EqualGames::new(self.options.memory);
        let last = self.next_game - 1;
        if last < 1 {
            return Ok(games);
        }

        // The reader does not see buffered rows and names, so they are written to the tables first.
        self.flush()?;
        let mut reader = GameReader::new(self.database)?;
        reader.each(GameId::new(1), GameId::new(last), |id, game| {
            if replaced.contains(&id.get()) {
                return Ok(());
            }
            if let Some(key) = equal_games::key(&game, Game::borrowed) {
                games.insert(key)?;
            }
            Ok(())
        })?;
        Ok(games)
    }

    /// For each row of a batch, `true` if the game is accepted. Rows after the limit have no element.
    fn are_accepted(&mut self, rows: &Rows) -> Result<Vec<bool>> {
        let replaced = self.replaced_games(rows);
        if !replaced.is_empty() {
            // The earlier texts of replaced games are no longer stored, so new games may equal them. Keys cannot be
            // removed from the set, so the set is made again.
            self.equal_games = None;
        }

        let mut are_accepted = Vec::with_capacity(rows.games.len());
        for row in 0..rows.games.len() {
            if self.left == 0 {
                break;
            }

            // An update is imported even if an equal game is stored, because it changes a game and adds none.
            let key = rows.keys.get(row).copied().flatten();
            let is_update = matches!(rows.encounters.get(row), Some(Encounter::Known(_)));
            let is_accepted = match key {
                Some(key) => {
                    let is_first = self.equal_games(&replaced)?.insert(key)?;
                    is_first || is_update
                }
                None => true,
            };

            if !is_accepted {
                self.duplicates += 1;
            } else if self.has_limit() {
                self.left -= 1;
            }
            are_accepted.push(is_accepted);
        }
        Ok(are_accepted)
    }

    /// The numbers of stored games that different texts in a batch replace. Empty unless equal games are left out.
    fn replaced_games(&self, rows: &Rows) -> BTreeSet<i64> {
        let mut replaced = BTreeSet::new();
        if !self.options.unique {
            return replaced;
        }

        for encounter in &rows.encounters {
            if let Encounter::Known(target) = encounter
                && !target.differences.are_none()
            {
                replaced.insert(target.id);
            }
        }
        replaced
    }
}

/// Cuts a batch after the game of a row.
fn cut_behind(batch: &mut Batched<Import<'_, '_>>, row: usize) {
    let game = &batch.output.games[row];
    let range = game.byte_offset..game.byte_offset + game.byte_length;
    let end = range.end;
    // Without a limit of games, batches are not cut, so their bytes are not kept and places within a batch have no
    // hash.
    let Some(mark) = batch.mark.ending_with(range) else {
        return;
    };

    batch.mark = mark;
    batch.bytes.end = end;
    batch.games.truncate(batch.output.numbers[row] + 1);
    batch.output.between.retain(|text| text.bytes.start < end);
    batch.problems.retain(|problem| problem.byte_offset < end);
}
