//! The age of a game: its place among all games, ordered by date.

use crate::columns::{Column, ColumnStore};
use crate::storage::{GameId, GameSet};
use crate::store_fault::StoreResult;

/// The place of a game in the order of dates, the earliest first. The upper half is the date, and the lower half the
/// place of the game in the order of numbers. Games without a date come last.
pub(super) type Age = u64;

/// The date of games without a date: later than all dates.
const UNDATED: u32 = u32::MAX;

/// The ages of games.
#[derive(Debug, Default)]
pub(super) struct Ages {
    /// The games by number.
    games: Vec<GameId>,
    /// The date of each game.
    dates: Vec<u32>,
    /// The number of games of the preceding databases. On one date, these games are earlier than the games here.
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
            // The unknown date is 0. After 1 is subtracted, it wraps to the greatest date, and all other dates keep
            // their order.
            ages.dates.push((date as u32).wrapping_sub(1));
            ages.games.push(game);
        })?;
        Ok(ages)
    }

    /// These ages, shifted behind the ages of `games` games of other databases. So ages of several databases can be
    /// compared.
    pub(super) fn shifted_behind(self, games: u32) -> Ages {
        Ages {
            offset: games,
            ..self
        }
    }

    /// The number of games.
    pub(super) fn len(&self) -> u64 {
        self.games.len() as u64
    }

    /// The age of a game; `None` for a game that is not compared.
    pub(super) fn age_of(&self, game: GameId) -> Option<Age> {
        self.place(game).map(|at| self.at(at))
    }

    /// `true` if a game that is compared has no date.
    pub(super) fn is_undated(&self, game: GameId) -> bool {
        match self.place(game) {
            Some(place) => self.dates[place] == UNDATED,
            None => false,
        }
    }

    /// The game of an age; `None` for the age of a game in another database.
    pub(super) fn game(&self, age: Age) -> Option<GameId> {
        let place = (age as u32).checked_sub(self.offset)?;
        self.games.get(place as usize).copied()
    }

    /// These ages as consecutive numbers of 32 bits. They fit into the lowest bits of an
    /// [`Identity`](super::steps::Identity).
    pub(super) fn numbered(&self) -> NumberedAges<'_> {
        let mut ages: Vec<Age> = (0..self.games.len()).map(|at| self.at(at)).collect();
        ages.sort_unstable();

        // The lower half of an age is the place of its game, plus the number of games in the preceding databases.
        let by_age: Vec<u32> = ages
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

    /// The age of the game at a place.
    fn at(&self, place: usize) -> Age {
        let date = Age::from(self.dates[place]);
        let number = Age::from(self.offset + place as u32);
        date << 32 | number
    }

    /// The place of a game among all games, in the order of numbers; `None` for a game that is not compared.
    fn place(&self, game: GameId) -> Option<usize> {
        // Numbers mostly have no gaps, so the place is first assumed to be the distance from the first number.
        let first = self.games.first()?;
        let distance = game.get().checked_sub(first.get());
        let guess = distance.and_then(|distance| usize::try_from(distance).ok());
        if let Some(guess) = guess
            && self.games.get(guess) == Some(&game)
        {
            return Some(guess);
        }

        self.games.binary_search(&game).ok()
    }
}

/// Ages as consecutive numbers of 32 bits, for a compact table.
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

    /// The age of a game; `None` for a game that is not compared.
    pub(super) fn age_of(&self, game: GameId) -> Option<u32> {
        self.ages.place(game).map(|at| self.numbers[at])
    }

    /// The game of an age.
    pub(super) fn game(&self, age: u32) -> Option<GameId> {
        let at = *self.by_age.get(age as usize)?;
        self.ages.games.get(at as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ages of games with some numbers and dates, after `offset` games of other databases.
    fn ages(games: &[(i64, u32)], offset: u32) -> Ages {
        Ages {
            games: games.iter().map(|(game, _)| GameId::new(*game)).collect(),
            dates: games.iter().map(|(_, date)| *date).collect(),
            offset,
        }
    }

    #[test]
    fn games_are_in_the_order_of_dates_and_then_of_numbers() {
        let games = [(1, 20), (2, UNDATED), (5, 10), (7, 10)];
        let ages = ages(&games, 0);
        assert!(ages.is_undated(GameId::new(2)));
        assert!(!ages.is_undated(GameId::new(1)));

        let numbered = ages.numbered();
        for (age, game) in (0..).zip([5, 7, 1, 2]) {
            assert_eq!(numbered.age_of(GameId::new(game)), Some(age), "{game}");
            assert_eq!(numbered.game(age), Some(GameId::new(game)), "{age}");
        }

        // A game that is not compared has no age.
        assert_eq!(ages.age_of(GameId::new(3)), None);
        assert_eq!(numbered.age_of(GameId::new(3)), None);
    }

    #[test]
    fn games_of_one_date_are_in_the_order_of_databases() {
        let game = GameId::new(1);
        let first = ages(&[(1, 10), (2, 20)], 0);
        let second = ages(&[(1, 10)], 0).shifted_behind(2);

        let first_age = first.age_of(game).expect("an age");
        let second_age = second.age_of(game).expect("an age");
        assert!(first_age < second_age);
        assert_eq!(first.game(first_age), Some(game));
        assert_eq!(first.game(second_age), None);
        assert_eq!(second.game(first_age), None);
        assert_eq!(second.game(second_age), Some(game));
    }
}
