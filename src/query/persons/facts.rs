//! What the games say about spellings of names: how many there are, when, how strong the player was, who met whom.

use std::collections::{HashMap, HashSet};

use rusqlite::Connection;

use crate::columns::{Column, ColumnStore, GameFlags};
use crate::game::PartialDate;
use crate::query::filter::NameNumbers;
use crate::store_fault::StoreResult;

/// What the games say about spellings.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) facts: HashMap<u64, Facts>,
    /// Pairs of names that met in a game, the lesser number first.
    pub(super) met: HashSet<(u64, u64)>,
}

/// The games of a spelling: how many, when, and how strong the player was.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    pub(super) games: u64,
    pub(super) years: Range,
    pub(super) elo: Range,
}

/// The least and the greatest of some numbers above 0; both are 0 without any.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range {
    least: u64,
    greatest: u64,
}

impl Range {
    fn add(&mut self, number: u64) {
        if number > 0 {
            self.least = if self.least == 0 {
                number
            } else {
                self.least.min(number)
            };
            self.greatest = self.greatest.max(number);
        }
    }

    fn join(&mut self, other: Range) {
        self.add(other.least);
        self.add(other.greatest);
    }

    /// The distance between two ranges; 0 where they overlap, and where one is unknown.
    pub(super) fn gap(self, other: Range) -> u64 {
        if self.greatest == 0 || other.greatest == 0 {
            return 0;
        }
        let before = other.least.saturating_sub(self.greatest);
        before.max(self.least.saturating_sub(other.greatest))
    }

    /// The length of what two ranges have in common; 0 if one is unknown.
    pub(super) fn shared(self, other: Range) -> u64 {
        self.greatest
            .min(other.greatest)
            .saturating_sub(self.least.max(other.least))
    }
}

impl Facts {
    pub(super) fn join(&mut self, other: Facts) {
        self.games += other.games;
        self.years.join(other.years);
        self.elo.join(other.elo);
    }
}

impl Seen {
    pub(super) fn read(connection: &Connection, numbers: &NameNumbers) -> StoreResult<Seen> {
        let column_store = ColumnStore::new(connection)?;
        let mut games = column_store.games(GameFlags::exists)?;
        column_store.retain(
            &mut games,
            [Column::White, Column::Black],
            |[white, black]| numbers.contains(&white) || numbers.contains(&black),
        )?;

        let columns = [
            Column::White,
            Column::Black,
            Column::WhiteElo,
            Column::BlackElo,
            Column::Date,
        ];
        let mut seen = Seen::default();
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

                if white != black && numbers.contains(&white) && numbers.contains(&black) {
                    seen.met.insert((white.min(black), white.max(black)));
                }
            },
        )?;

        Ok(seen)
    }
}
