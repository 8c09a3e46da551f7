//! Editions: tournaments of one event at one site, told apart by their dates.
//!
//! A tournament may go over the end of a year, and a league over nine months, so years alone do not tell them apart:
//! a new one begins after a quarter of a year without a game.

use std::num::NonZeroU16;

use crate::game::PartialDate;
use crate::query::GameOfDatabase;

/// The longest time without a game within a tournament, in days.
const MAX_PAUSE_DAYS: u32 = 92;

/// A game, as far as it decides to which tournament it belongs.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The number that stands for the event.
    pub(super) event: u64,
    pub(super) site: u64,
    pub(super) date: Option<PartialDate>,
    pub(super) game: GameOfDatabase,
    pub(super) players: [u64; 2],
    pub(super) elo: [Option<NonZeroU16>; 2],
    pub(super) is_duplicate: bool,
}

/// The games of one event and site, divided into tournaments, each in the order of the games' numbers.
///
/// A game of which only the year is known belongs to the first tournament of this year. Games without a date belong to the
/// only tournament; if there are several, they are a tournament of their own.
pub(super) fn editions(games: &[Entry]) -> Vec<Vec<&Entry>> {
    let mut dated: Vec<(u32, &Entry)> = Vec::new();
    let mut with_year: Vec<(u16, &Entry)> = Vec::new();
    let mut undated: Vec<&Entry> = Vec::new();
    for entry in games {
        match entry.date {
            None => undated.push(entry),
            Some(date) => match day(date) {
                Some(day) => dated.push((day, entry)),
                None => with_year.push((date.year(), entry)),
            },
        }
    }

    dated.sort_by_key(|(day, _)| *day);
    let mut editions: Vec<Vec<&Entry>> = Vec::new();
    for edition in dated.chunk_by(|(day, _), (next, _)| next - day <= MAX_PAUSE_DAYS) {
        editions.push(edition.iter().map(|(_, entry)| *entry).collect());
    }
    for (year, entry) in with_year {
        match editions
            .iter_mut()
            .find(|edition| is_of_year(edition, year))
        {
            Some(edition) => edition.push(entry),
            None => editions.push(vec![entry]),
        }
    }
    if !undated.is_empty() {
        match &mut editions[..] {
            [only] => only.extend(undated),
            _ => editions.push(undated),
        }
    }

    for edition in &mut editions {
        edition.sort_by_key(|entry| entry.game);
    }
    editions
}

/// `true` if a year is in the time of an edition.
fn is_of_year(edition: &[&Entry], year: u16) -> bool {
    let years = || {
        let dates = edition.iter().filter_map(|entry| entry.date);
        dates.map(PartialDate::year)
    };
    years().min() <= Some(year) && Some(year) <= years().max()
}

/// The number of a day, in years of 372 days. A date without a day counts as the middle of its month; `None` without a
/// month.
fn day(date: PartialDate) -> Option<u32> {
    let month = date.month();
    if month == 0 {
        return None;
    }
    let day = date.known_day().map_or(15, u32::from);
    Some(u32::from(date.year()) * 372 + month * 31 + day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::GameId;

    macro_rules! divided {
        ($($name:ident: $dates:expr => $editions:expr;)*) => {$(
            #[test]
            fn $name() {
                let dates: &[&str] = &$dates;
                let games: Vec<Entry> = dates.iter().zip(1..).map(|(date, game)| Entry {
                    event: 1, site: 1, date: date.parse().ok(), players: [1, 2],
                    game: GameOfDatabase { database: 0, game: GameId::new(game) },
                    elo: [None, None], is_duplicate: false,
                }).collect();
                let found: Vec<Vec<GameId>> = editions(&games).iter()
                    .map(|edition| edition.iter().map(|entry| entry.game.game).collect()).collect();
                let expected: &[&[GameId]] = &$editions;
                assert_eq!(found, expected);
            }
        )*};
    }

    divided! {
        one_fortnight: ["1953.09.01", "1953.08.30"] => [&[GameId::new(1), GameId::new(2)]];
        two_years: ["1953.01.05", "1954.01.07", "1953.01.02"] => [&[GameId::new(1), GameId::new(3)], &[GameId::new(2)]];
        over_the_year_s_end: ["1895.12.28", "1896.01.08"] => [&[GameId::new(1), GameId::new(2)]];
        league: ["2001.10.01", "2001.12.20", "2002.02.15"] => [&[GameId::new(1), GameId::new(2), GameId::new(3)]];
        years_alone: ["1953", "1954", "1953"] => [&[GameId::new(1), GameId::new(3)], &[GameId::new(2)]];
        a_year_beside_days: ["1953.09", "1953", "1954.09.01", "1954"] => [&[GameId::new(1), GameId::new(2)], &[GameId::new(3), GameId::new(4)]];
        no_date: ["", "1953.09.01"] => [&[GameId::new(1), GameId::new(2)]];
        no_date_of_two: ["", "1953.09.01", "1954.09.01"] => [&[GameId::new(2)], &[GameId::new(3)], &[GameId::new(1)]];
        no_dates: ["", ""] => [&[GameId::new(1), GameId::new(2)]];
    }
}
