//! Facts about spellings of names, from their games: the number of games, years, ratings, and which names met.

use std::collections::{HashMap, HashSet};

use rusqlite::Connection;

use crate::cleaning::names::lesser_first;
use crate::columns::{Column, ColumnStore, GameFlags};
use crate::game::PartialDate;
use crate::query::filter::NameNumbers;
use crate::store_fault::StoreResult;

/// Facts about spellings, from their games.
#[derive(Default)]
pub(super) struct SpellingFacts {
    pub(super) facts: HashMap<u64, Facts>,
    /// Pairs of names that met in a game, the lesser number first.
    pub(super) met: HashSet<(u64, u64)>,
}

/// The games of a spelling: their number, their years and the player's ratings.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    pub(super) games: u64,
    pub(super) years: Range,
    pub(super) elo: Range,
}

/// The least and the greatest of some numbers above 0. Both are 0 if there are no numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range {
    least: u64,
    greatest: u64,
}

impl Range {
    /// Widens the range to a number; 0 is ignored.
    fn add(&mut self, number: u64) {
        if number == 0 {
            return;
        }

        let is_first = self.least == 0;
        if is_first || number < self.least {
            self.least = number;
        }
        self.greatest = self.greatest.max(number);
    }

    /// Widens the range to another range.
    fn join(&mut self, other: Range) {
        self.add(other.least);
        self.add(other.greatest);
    }

    /// The distance between two ranges. It is 0 if they overlap, or if one is unknown.
    pub(super) fn gap(self, other: Range) -> u64 {
        if self.greatest == 0 || other.greatest == 0 {
            return 0;
        }

        // At most one of the ranges is before the other.
        let before = other.least.saturating_sub(self.greatest);
        let behind = self.least.saturating_sub(other.greatest);
        before.max(behind)
    }

    /// The length of the overlap of two ranges. It is 0 if one is unknown.
    pub(super) fn shared(self, other: Range) -> u64 {
        let first = self.least.max(other.least);
        let last = self.greatest.min(other.greatest);
        last.saturating_sub(first)
    }
}

impl Facts {
    /// Adds the facts of other games.
    pub(super) fn join(&mut self, other: Facts) {
        self.games += other.games;
        self.years.join(other.years);
        self.elo.join(other.elo);
    }
}

impl SpellingFacts {
    /// Reads the facts of the names with these numbers, and the pairs of these names that met in a game.
    pub(super) fn read(
        connection: &Connection,
        numbers: &NameNumbers,
    ) -> StoreResult<SpellingFacts> {
        let column_store = ColumnStore::new(connection)?;
        let mut games = column_store.games(GameFlags::exists)?;
        let players = [Column::White, Column::Black];
        column_store.retain(&mut games, players, |[white, black]| {
            numbers.contains(&white) || numbers.contains(&black)
        })?;

        let columns = [
            Column::White,
            Column::Black,
            Column::WhiteElo,
            Column::BlackElo,
            Column::Date,
        ];
        let mut seen = SpellingFacts::default();
        column_store.each_of(
            &games,
            columns,
            |_, [white, black, white_elo, black_elo, date]| {
                let year = PartialDate::from_code(date).map_or(0, |date| date.year().into());

                for (number, elo) in [(white, white_elo), (black, black_elo)] {
                    if numbers.contains(&number) {
                        let facts = seen.facts.entry(number).or_default();
                        facts.games += 1;
                        facts.years.add(year);
                        facts.elo.add(elo);
                    }
                }

                // Nobody plays against themselves, so names that met are two players'.
                let have_met =
                    white != black && numbers.contains(&white) && numbers.contains(&black);
                if have_met {
                    seen.met.insert(lesser_first(white, black));
                }
            },
        )?;

        Ok(seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(numbers: &[u64]) -> Range {
        let mut range = Range::default();
        for &number in numbers {
            range.add(number);
        }
        range
    }

    macro_rules! ranges {
        ($($name:ident: $one:expr, $other:expr => $gap:literal, $shared:literal;)*) => {$(
            #[test]
            fn $name() {
                let (one, other) = (range(&$one), range(&$other));
                assert_eq!((one.gap(other), one.shared(other)), ($gap, $shared));
                assert_eq!((other.gap(one), other.shared(one)), ($gap, $shared));
            }
        )*};
    }

    ranges! {
        apart: [1900, 1910], [1970, 1980] => 60, 0;
        overlapping: [1960, 1975], [1970, 1990] => 0, 5;
        one_within_the_other: [1960, 1990], [1970, 1975] => 0, 5;
        touching: [1960, 1970], [1970, 1980] => 0, 0;
        unknown: [], [1970, 1980] => 0, 0;
        partly_unknown: [0, 1970, 1960], [1980] => 10, 0;
    }
}
