//! The record of a player in several databases, joined from the records of the databases.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::families::families_by_color;
use super::{PlayerAccuracy, PlayerRecord, PlayerScore, Ranked};
use crate::board::Color;

impl PlayerRecord {
    /// The name that has the most games in some records together.
    pub fn most_frequent_name(records: &[PlayerRecord]) -> Option<String> {
        let names = records.iter().map(|record| &record.names);
        let by_games = ranked(names, usize::MAX);
        let (name, _) = by_games.rows.into_iter().next()?;
        Some(name)
    }

    /// The record in several databases, joined from the records of the databases, which were read without a limit.
    ///
    /// Games are numbered in each database, so [`PlayerRecord::latest`] is empty.
    pub fn joined(records: &[PlayerRecord], limit: usize) -> PlayerRecord {
        let mut total = PlayerScore::default();
        let mut accuracy = PlayerAccuracy::default();
        let mut against_self = 0;
        let mut colors = [Color::White, Color::Black].map(|color| (color, PlayerScore::default()));

        for record in records {
            total.join(&record.total);
            accuracy.join(&record.accuracy);
            against_self += record.against_self;
            for ((_, sum), (_, score)) in colors.iter_mut().zip(&record.colors) {
                sum.join(score);
            }
        }

        let opening_games = sum_opening_games(records);

        let openings = [0, 1].map(|at| {
            let (color, _) = colors[at];
            let of_records = records.iter().map(|record| {
                let (_, openings) = &record.openings[at];
                openings
            });
            (color, ranked(of_records, limit))
        });
        // A family is the sum of all its openings, so the openings are not truncated.
        let named_openings = [0, 1].map(|at| {
            let of_records = records.iter().map(|record| &record.named_openings[at]);
            ranked(of_records, usize::MAX)
        });

        let names = records.iter().map(|record| &record.names);
        let spellings = records.iter().map(|record| &record.spellings);
        let by_initials = records.iter().map(|record| &record.by_initials);
        let others = records.iter().map(|record| &record.others);
        let opponents = records.iter().map(|record| &record.opponents);

        PlayerRecord {
            total,
            colors,
            accuracy,
            names: ranked(names, limit),
            spellings: ranked(spellings, limit),
            by_initials: sums(by_initials),
            others: sums(others),
            openings,
            families: families_by_color(&named_openings, limit),
            opening_names: most_frequent(&opening_games),
            opponents: ranked(opponents, limit),
            years: years(records, limit),
            latest: Ranked::default(),
            against_self,
            named_openings,
            opening_games,
        }
    }
}

/// The games of each ECO code and opening in all records together.
fn sum_opening_games(records: &[PlayerRecord]) -> BTreeMap<(String, String), u64> {
    let mut sums: BTreeMap<(String, String), u64> = BTreeMap::new();
    for record in records {
        for (key, games) in &record.opening_games {
            *sums.entry(key.clone()).or_default() += games;
        }
    }
    sums
}

/// The years of all records, the latest first.
fn years(records: &[PlayerRecord], limit: usize) -> Ranked<u16> {
    let mut by_year: BTreeMap<u16, PlayerScore> = BTreeMap::new();
    for record in records {
        for (year, score) in &record.years.rows {
            by_year.entry(*year).or_default().join(score);
        }
    }

    let all = by_year.len();
    let latest_first = by_year.into_iter().rev();
    let rows = latest_first.take(limit).collect();
    Ranked { rows, all }
}

/// The rows of several lists, joined by their keys, in descending order of their games.
fn ranked<'r>(lists: impl Iterator<Item = &'r Ranked<String>>, limit: usize) -> Ranked<String> {
    let mut joined: BTreeMap<&String, PlayerScore> = BTreeMap::new();
    for list in lists {
        for (key, score) in &list.rows {
            joined.entry(key).or_default().join(score);
        }
    }

    let all = joined.len();
    // The sort is stable, so keys with equal numbers of games stay in alphabetical order.
    let mut by_games: Vec<(&String, PlayerScore)> = joined.into_iter().collect();
    by_games.sort_by_key(|(_, score)| Reverse(score.all_games()));
    by_games.truncate(limit);

    let mut rows = Vec::with_capacity(by_games.len());
    for (key, score) in by_games {
        rows.push((key.clone(), score));
    }
    Ranked { rows, all }
}

/// The sum of the games of each name in some lists, the most frequent name first.
pub(crate) fn sums<'r>(lists: impl Iterator<Item = &'r Vec<(String, u64)>>) -> Vec<(String, u64)> {
    let mut sums: BTreeMap<&String, u64> = BTreeMap::new();
    for (name, games) in lists.flatten() {
        *sums.entry(name).or_default() += games;
    }

    let mut rows: Vec<(String, u64)> = Vec::with_capacity(sums.len());
    for (name, games) in sums {
        rows.push((name.clone(), games));
    }
    rows.sort_by_key(|(_, games)| Reverse(*games));
    rows
}

/// For each ECO code, the opening to which most games of the code lead.
fn most_frequent(games: &BTreeMap<(String, String), u64>) -> BTreeMap<String, String> {
    let mut best: BTreeMap<&String, (u64, &String)> = BTreeMap::new();
    for ((eco, opening), &games) in games {
        let (most_games, name) = best.entry(eco).or_insert((0, opening));
        if games > *most_games {
            *most_games = games;
            *name = opening;
        }
    }

    let mut names = BTreeMap::new();
    for (eco, (_, name)) in best {
        names.insert(eco.clone(), name.clone());
    }
    names
}
