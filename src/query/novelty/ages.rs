//! The ages of games: their places in the order of dates.

use crate::columns::{Column, ColumnStore};
use crate::storage::GameSet;

/// The places of games in the order of dates, the earliest first. Games of one date are in the order of their numbers,
/// and games without a date come last.
#[derive(Debug, Default)]
pub(super) struct Ages {
    /// The games by number.
    games: Vec<i64>,
    /// The age of each.
    ages: Vec<u32>,
    /// The games by age.
    by_age: Vec<i64>,
}

impl Ages {
    pub(super) fn new(column_store: &ColumnStore<'_>, games: &GameSet) -> rusqlite::Result<Ages> {
        // The date of each game and its place, as one number: an unknown date is 0, and becomes the greatest.
        let (mut all, mut dated): (Vec<i64>, Vec<u64>) = (Vec::new(), Vec::new());
        column_store.each(games.iter(), [Column::Date], |game, [date]| {
            dated.push(u64::from((date as u32).wrapping_sub(1)) << 32 | all.len() as u64);
            all.push(game);
        })?;
        dated.sort_unstable();
        let mut ages =
            Ages { ages: vec![0; all.len()], by_age: Vec::with_capacity(all.len()), games: all };
        for (age, dated) in dated.into_iter().enumerate() {
            let at = dated as u32 as usize;
            ages.ages[at] = age as u32;
            ages.by_age.push(ages.games[at]);
        }
        Ok(ages)
    }

    /// The number of games.
    pub(super) fn len(&self) -> u64 {
        self.games.len() as u64
    }

    /// The age of a game; `None` for one that is not compared.
    pub(super) fn of(&self, game: i64) -> Option<u32> {
        self.place(game).map(|at| self.ages[at])
    }

    /// The place of a game among all. Numbers mostly have no gaps, so that it is tried at its distance from the first.
    fn place(&self, game: i64) -> Option<usize> {
        let distance =
            game.checked_sub(*self.games.first()?).and_then(|at| usize::try_from(at).ok());
        let is_there = |at: &usize| self.games.get(*at) == Some(&game);
        distance.filter(is_there).or_else(|| self.games.binary_search(&game).ok())
    }

    /// The game of an age.
    pub(super) fn game(&self, age: u32) -> Option<i64> {
        self.by_age.get(age as usize).copied()
    }
}
