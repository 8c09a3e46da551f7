//! The record of a player in several databases, from those in each of them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::families::families;
use super::{PlayerAccuracy, PlayerRecord, PlayerScore, Ranked};
use crate::board::Color;

impl PlayerRecord {
    /// The name of which some records have the most games.
    pub fn most_frequent_name(records: &[PlayerRecord]) -> Option<String> {
        let names = ranked(records.iter().map(|record| &record.names), usize::MAX);
        names.rows.into_iter().next().map(|(name, _)| name)
    }

    /// The record in several databases, from those in each of them, which were read without a limit.
    ///
    /// Games are numbered in each database, so [`PlayerRecord::latest`] is empty.
    pub fn joined(records: &[PlayerRecord], limit: usize) -> PlayerRecord {
        let mut total = PlayerScore::default();
        let mut accuracy = PlayerAccuracy::default();
        let mut colors = [Color::White, Color::Black].map(|color| (color, PlayerScore::default()));
        let mut opening_games: BTreeMap<(String, String), u64> = BTreeMap::new();
        for record in records {
            total.join(&record.total);
            accuracy.join(&record.accuracy);
            for ((_, sum), (_, score)) in colors.iter_mut().zip(&record.colors) {
                sum.join(score);
            }
            for (key, games) in &record.opening_games {
                *opening_games.entry(key.clone()).or_default() += games;
            }
        }

        let openings = [0, 1].map(|at| {
            let color = colors[at].0;
            (
                color,
                ranked(records.iter().map(|record| &record.openings[at].1), limit),
            )
        });
        let named_openings = [0, 1].map(|at| {
            ranked(
                records.iter().map(|record| &record.named_openings[at]),
                usize::MAX,
            )
        });
        let families = [0, 1].map(|at| {
            let (families, all) = families(&named_openings[at], limit);
            (colors[at].0, families, all)
        });

        let mut years: BTreeMap<Reverse<u16>, PlayerScore> = BTreeMap::new();
        for (year, score) in records.iter().flat_map(|record| &record.years.rows) {
            years.entry(Reverse(*year)).or_default().join(score);
        }
        let all_years = years.len();
        let years = years
            .into_iter()
            .map(|(Reverse(year), score)| (year, score));

        PlayerRecord {
            total,
            colors,
            accuracy,
            names: ranked(records.iter().map(|record| &record.names), limit),
            spellings: ranked(records.iter().map(|record| &record.spellings), limit),
            by_initials: sums(records.iter().map(|record| &record.by_initials)),
            others: sums(records.iter().map(|record| &record.others)),
            openings,
            families,
            opening_names: most_frequent(&opening_games),
            opponents: ranked(records.iter().map(|record| &record.opponents), limit),
            years: Ranked {
                rows: years.take(limit).collect(),
                all: all_years,
            },
            latest: Ranked::default(),
            against_self: records.iter().map(|record| record.against_self).sum(),
            named_openings,
            opening_games,
        }
    }
}

/// The rows of several lists, joined by their keys; those with the most games first.
fn ranked<'r>(lists: impl Iterator<Item = &'r Ranked<String>>, limit: usize) -> Ranked<String> {
    let mut joined: BTreeMap<&String, PlayerScore> = BTreeMap::new();
    for (key, score) in lists.flat_map(|list| &list.rows) {
        joined.entry(key).or_default().join(score);
    }
    let all = joined.len();
    let mut rows: Vec<_> = joined
        .into_iter()
        .map(|(key, score)| (key.clone(), score))
        .collect();
    rows.sort_by_key(|(_, score)| Reverse(score.all_games()));
    rows.truncate(limit);
    Ranked { rows, all }
}

/// The games of each name, summed; the most frequent first.
fn sums<'r>(lists: impl Iterator<Item = &'r Vec<(String, u64)>>) -> Vec<(String, u64)> {
    let mut sums: BTreeMap<&String, u64> = BTreeMap::new();
    for (name, games) in lists.flatten() {
        *sums.entry(name).or_default() += games;
    }
    let mut sums: Vec<_> = sums
        .into_iter()
        .map(|(name, games)| (name.clone(), games))
        .collect();
    sums.sort_by_key(|(_, games)| Reverse(*games));
    sums
}

/// The opening of each ECO code to which most of its games lead.
fn most_frequent(games: &BTreeMap<(String, String), u64>) -> BTreeMap<String, String> {
    let mut most: BTreeMap<&String, (u64, &String)> = BTreeMap::new();
    for ((eco, opening), games) in games {
        let (of_most, name) = most.entry(eco).or_insert((0, opening));
        if games > of_most {
            (*of_most, *name) = (*games, opening);
        }
    }
    most.into_iter()
        .map(|(eco, (_, name))| (eco.clone(), name.clone()))
        .collect()
}
