//! Results by year and by rating, with the number of all games of the year or rating.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU16;

use super::chosen::Chosen;
use crate::board::Color;
use crate::columns::Column;
use crate::error::Result;
use crate::game::GameFacts;
use crate::index::Counts;
use crate::storage::{InDatabase, text_cell};
use crate::store_fault::StoreResult;

/// The lowest mean ratings of all bands but the first.
const BAND_STARTS: [u16; 6] = [1600, 1800, 2000, 2200, 2400, 2600];
/// The maximum number of listed names.
const MAX_NAMES: usize = 12;

/// The games of an opening in a year.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpeningYear {
    /// The year.
    pub year: u16,
    /// Their results.
    pub counts: Counts,
    /// The number of all games of the year.
    pub all_games: u64,
}

/// The games of an opening with a mean rating in a band.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpeningBand {
    /// The lowest mean rating, `None` for the lowest band.
    pub from: Option<u16>,
    /// The upper bound of the mean ratings, itself excluded; `None` for the highest band.
    pub below: Option<u16>,
    /// Their results.
    pub counts: Counts,
    /// The number of all games of the band.
    pub all_games: u64,
}

/// The counts of an opening.
#[derive(Debug, Default)]
pub(super) struct OpeningCounts {
    pub(super) all: Counts,
    pub(super) undated: u64,
    pub(super) unrated: u64,
    years: BTreeMap<u16, OpeningYear>,
    bands: [OpeningBand; BAND_STARTS.len() + 1],
}

impl OpeningCounts {
    /// Counts the games of all databases.
    pub(super) fn read(chosen: &[Chosen<'_>]) -> Result<OpeningCounts> {
        let mut counts = OpeningCounts::default();
        for of_database in chosen {
            // Shares are relative to all games of the filter, so other games are counted, too.
            let games = of_database.games();
            let store = of_database.store();
            let read = store.each_facts_of(&of_database.all, |game, facts| {
                let is_of_opening = games.contains(game);
                counts.count_game(&facts, is_of_opening);
            });
            read.in_database(of_database.database)?;
        }
        Ok(counts)
    }

    /// Counts a game of the filter, which may be a game of the opening.
    fn count_game(&mut self, facts: &GameFacts, is_of_opening: bool) {
        let place = rating_band(facts.white_elo, facts.black_elo);

        if let Some(place) = place {
            let band = &mut self.bands[place];
            band.all_games += 1;
            if is_of_opening {
                band.counts.add(facts, Color::White);
            }
        }

        if let Some(year) = facts.year {
            let year = self.years.entry(year.get()).or_default();
            year.all_games += 1;
            if is_of_opening {
                year.counts.add(facts, Color::White);
            }
        }

        if is_of_opening {
            self.all.add(facts, Color::White);
            self.undated += u64::from(facts.year.is_none());
            self.unrated += u64::from(place.is_none());
        }
    }

    /// The years from the opening's first game on. Years without any game are left out.
    pub(super) fn years(&self) -> Vec<OpeningYear> {
        self.years
            .iter()
            .map(|(&year, counts)| OpeningYear { year, ..*counts })
            .skip_while(|year| year.counts.all_games() == 0)
            .collect()
    }

    /// The bands with games, the lowest first.
    pub(super) fn bands(&self) -> Vec<OpeningBand> {
        let mut bands = Vec::new();
        let mut from = None;
        for (index, band) in self.bands.iter().enumerate() {
            let below = BAND_STARTS.get(index).copied();
            if band.all_games > 0 {
                bands.push(OpeningBand {
                    from,
                    below,
                    ..*band
                });
            }
            from = below;
        }
        bands
    }
}

/// The index of the band of two ratings, by their mean; `None` without both ratings.
fn rating_band(white: Option<NonZeroU16>, black: Option<NonZeroU16>) -> Option<usize> {
    // Sums are compared, since the mean of two ratings would have to be rounded.
    let sum = u32::from(white?.get()) + u32::from(black?.get());

    let mut band = 0;
    for start in BAND_STARTS {
        if sum >= 2 * u32::from(start) {
            band += 1;
        }
    }
    Some(band)
}

/// The most frequent names of the games, with their codes. Equally frequent names are in the order in which the
/// databases number them.
pub(super) fn names(chosen: &[Chosen<'_>]) -> Result<Vec<(String, String, u64)>> {
    let mut all: Vec<(String, String, u64)> = Vec::new();
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    for of_database in chosen {
        let named = names_of(of_database).in_database(of_database.database)?;
        for (eco, name, games) in named {
            let key = (eco.clone(), name.clone());
            let place = *places.entry(key).or_insert(all.len());
            if place == all.len() {
                all.push((eco, name, 0));
            }

            let (.., sum) = &mut all[place];
            *sum += games;
        }
    }

    // A stable sort leaves equally frequent names in their order.
    all.sort_by_key(|(.., games)| Reverse(*games));
    all.truncate(MAX_NAMES);
    Ok(all)
}

/// The names of the games of a database with their codes, by their numbers.
fn names_of(chosen: &Chosen<'_>) -> StoreResult<Vec<(String, String, u64)>> {
    let mut games: BTreeMap<u64, u64> = BTreeMap::new();
    let store = chosen.store();
    store.each_of(chosen.games(), [Column::Opening], |_, [opening]| {
        *games.entry(opening).or_default() += 1;
    })?;

    // 0 stands for games without an opening.
    games.remove(&0);

    let sql = "SELECT eco, name FROM opening WHERE id = ?1";
    let mut select = chosen.connection.prepare_cached(sql)?;
    let mut names = Vec::new();
    for (opening, games) in games {
        let mut rows = select.query([opening.cast_signed()])?;
        if let Some(row) = rows.next()? {
            let eco = text_cell(row, 0)?.unwrap_or_default().to_owned();
            let name = text_cell(row, 1)?.unwrap_or_default().to_owned();
            names.push((eco, name, games));
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_begin_at_their_start() {
        for (white, black, expected) in [
            (1599, 1600, Some(0)),
            (1600, 1600, Some(1)),
            (2500, 2699, Some(5)),
            (2500, 2700, Some(6)),
            (0, 2700, None),
        ] {
            let found = rating_band(NonZeroU16::new(white), NonZeroU16::new(black));
            assert_eq!(found, expected, "{white} {black}");
        }
    }
}
