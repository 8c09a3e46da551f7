//! Editions: tournaments of one event at one site, separated by their dates.
//!
//! A tournament may span New Year, and a league nine months, so years alone do not separate tournaments: a new
//! tournament begins after a quarter of a year without a game.

use std::num::NonZeroU16;

use crate::game::PartialDate;
use crate::query::GameOfDatabase;

/// The longest time without a game within a tournament, in days.
const MAX_PAUSE_DAYS: u32 = 92;

/// The values of a game that decide to which tournament it belongs.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The joined number of the event, for all spellings of its name.
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
/// A game with only a year belongs to the first tournament of this year. Games without a date belong to the only
/// tournament. If there are several tournaments, the games without a date are another tournament.
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
        let of_year = editions
            .iter_mut()
            .find(|edition| is_of_year(edition, year));
        match of_year {
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
    let dates = edition.iter().filter_map(|entry| entry.date);
    let years = dates.map(|date| date.year());

    match (years.clone().min(), years.max()) {
        (Some(first), Some(last)) => (first..=last).contains(&year),
        _ => false,
    }
}

/// The days of a month: all months count as the longest, which makes pauses longer by at most a few days.
const MONTH_DAYS: u32 = 31;

/// The number of a day, in years of twelve months of 31 days. A date without a day counts as the middle of its month;
/// `None` without a month.
fn day(date: PartialDate) -> Option<u32> {
    let month = date.month();
    if month == 0 {
        return None;
    }

    let middle = 15;
    let day = date.known_day().map_or(middle, u32::from);
    let months = u32::from(date.year()) * 12 + month;
    Some(months * MONTH_DAYS + day)
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
