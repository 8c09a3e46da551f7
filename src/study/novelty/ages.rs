//! The ages of games: their places in the order of dates.

use crate::columns::{Column, ColumnStore};
use crate::storage::{GameId, GameSet};
use crate::store_fault::StoreResult;

/// The place of a game in the order of dates, the earliest first: the date in the upper half, and in the lower one the
/// place in the order of numbers. Games without a date come last.
pub(super) type Age = u64;

/// The date of games without one: later than all others.
const UNDATED: u32 = u32::MAX;

/// The ages of games.
#[derive(Debug, Default)]
pub(super) struct Ages {
    /// The games by number.
    games: Vec<GameId>,
    /// The date of each.
    dates: Vec<u32>,
    /// The number of games of the databases before, which are earlier than those here of the same date.
    offset: u32,
}

impl Ages {
    pub(super) fn new(column_store: &ColumnStore<'_>, games: &GameSet) -> StoreResult<Ages> {
        let count = games.len() as usize;
        let mut ages = Ages {
            games: Vec::with_capacity(count),
            dates: Vec::with_capacity(count),
            offset: 0,
        };
        column_store.each_of(games, [Column::Date], |game, [date]| {
            // An unknown date is 0, and becomes the greatest.
            ages.dates.push((date as u32).wrapping_sub(1));
            ages.games.push(game);
        })?;
        Ok(ages)
    }

    /// The same ages behind those of so many games of other databases, so that they can be compared with each other.
    pub(super) fn behind(self, games: u32) -> Ages {
        Ages {
            offset: games,
            ..self
        }
    }

    /// The number of games.
    pub(super) fn len(&self) -> u64 {
        self.games.len() as u64
    }

    /// The age of a game; `None` for one that is not compared.
    pub(super) fn of(&self, game: GameId) -> Option<Age> {
        self.place(game).map(|at| self.at(at))
    }

    /// `true` if a game that is compared has no date.
    pub(super) fn is_undated(&self, game: GameId) -> bool {
        self.place(game).is_some_and(|at| self.dates[at] == UNDATED)
    }

    /// The game of an age; `None` if it is of another database.
    pub(super) fn game(&self, age: Age) -> Option<GameId> {
        let place = (age as u32).checked_sub(self.offset)?;
        self.games.get(place as usize).copied()
    }

    /// The same ages as consecutive numbers.
    pub(super) fn numbered(&self) -> NumberedAges<'_> {
        let mut by_age: Vec<Age> = (0..self.games.len()).map(|at| self.at(at)).collect();
        by_age.sort_unstable();
        let by_age: Vec<u32> = by_age
            .into_iter()
            .map(|age| age as u32 - self.offset)
            .collect();
        let mut numbers = vec![0; by_age.len()];
        for (number, &at) in (0..).zip(&by_age) {
            numbers[at as usize] = number;
        }
        NumberedAges {
            ages: self,
            numbers,
            by_age,
        }
    }

    fn at(&self, place: usize) -> Age {
        Age::from(self.dates[place]) << 32 | Age::from(self.offset + place as u32)
    }

    /// The place of a game among all. Numbers mostly have no gaps, so that it is tried at its distance from the first.
    fn place(&self, game: GameId) -> Option<usize> {
        let distance = game
            .get()
            .checked_sub(self.games.first()?.get())
            .and_then(|at| usize::try_from(at).ok());
        let is_there = |at: &usize| self.games.get(*at) == Some(&game);
        distance
            .filter(is_there)
            .or_else(|| self.games.binary_search(&game).ok())
    }
}

/// Ages as consecutive numbers of 32 bits.
#[derive(Debug)]
pub(super) struct NumberedAges<'a> {
    ages: &'a Ages,
    /// The age of each game.
    numbers: Vec<u32>,
    /// The places of games by age.
    by_age: Vec<u32>,
}

impl NumberedAges<'_> {
    /// The number of games.
    pub(super) fn len(&self) -> u64 {
        self.ages.len()
    }

    /// The age of a game; `None` for one that is not compared.
    pub(super) fn of(&self, game: GameId) -> Option<u32> {
        self.ages.place(game).map(|at| self.numbers[at])
    }

    /// The game of an age.
    pub(super) fn game(&self, age: u32) -> Option<GameId> {
        let at = *self.by_age.get(age as usize)?;
        self.ages.games.get(at as usize).copied()
    }
}
