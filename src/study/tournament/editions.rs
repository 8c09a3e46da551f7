//! Editions: tournaments of one event at one site, told apart by their dates.
//!
//! A tournament may go over the end of a year, and a league over nine months, so years alone do not tell them apart:
//! a new one begins after a quarter of a year without a game.

use std::num::NonZeroU16;

use crate::game::PartialDate;
use crate::query::GameOfDatabase;

/// The longest time without a game within a tournament, in days.
const LONGEST_PAUSE_DAYS: u32 = 92;

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
/// Games of which only the year is known belong to the first tournament of this year, and games without a date to the
/// only one, if there is only one.
pub(super) fn editions(games: &[Entry]) -> Vec<Vec<&Entry>> {
    let mut dated: Vec<(u32, &Entry)> = games
        .iter()
        .filter_map(|entry| Some((day(entry.date?)?, entry)))
        .collect();
    dated.sort_by_key(|(day, _)| *day);
    let pauses = |one: &(u32, &Entry), other: &(u32, &Entry)| other.0 - one.0 <= LONGEST_PAUSE_DAYS;
    let mut editions: Vec<Vec<&Entry>> = dated
        .chunk_by(pauses)
        .map(|edition| edition.iter().map(|(_, entry)| *entry).collect())
        .collect();
    let of_year_only = |entry: &&Entry| entry.date.is_some_and(|date| day(date).is_none());
    for entry in games.iter().filter(of_year_only) {
        let year = entry.date.map(PartialDate::year);
        let is_of_year = |edition: &&mut Vec<&Entry>| {
            let years = || {
                edition
                    .iter()
                    .filter_map(|entry| entry.date)
                    .map(PartialDate::year)
            };
            years().min() <= year && year <= years().max()
        };
        match editions.iter_mut().find(is_of_year) {
            Some(edition) => edition.push(entry),
            None => editions.push(vec![entry]),
        }
    }
    let undated: Vec<&Entry> = games.iter().filter(|entry| entry.date.is_none()).collect();
    match &mut editions[..] {
        _ if undated.is_empty() => {}
        [only] => only.extend(undated),
        _ => editions.push(undated),
    }
    editions
        .iter_mut()
        .for_each(|edition| edition.sort_by_key(|entry| entry.game));
    editions
}

/// The number of a day, in years of 372 days; without its day, that of the middle of the month.
fn day(date: PartialDate) -> Option<u32> {
    let (month, day) = (date.month(), date.known_day().map_or(15, u32::from));
    (month > 0).then(|| u32::from(date.year()) * 372 + month * 31 + day)
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
