//! Joined spellings of players' names, against the table of the truth.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use stamma::cleaning::names::{
    NameEvidence, NameGroups, NameSource, Spelling, SpellingPair, group_names, parse_names,
};
use stamma::cleaning::twins::TwinGroup;

use crate::collection::Collection;
use crate::truth::{self, Half, Joined};
use crate::{Stopwatch, has_argument};

/// The least certainty of twins that are evidence for names.
const SURE: f32 = 0.95;

/// Joins the spellings of a collection, with its twins as evidence.
pub(crate) fn group(games: &Collection, twins: &[TwinGroup]) -> NameGroups {
    let watch = Stopwatch::start();
    let spellings = spellings(games);
    let twins = twin_pairs(games, twins);
    let met = opponents(games);
    let texts: Vec<&str> = games.names.iter().map(String::as_str).collect();
    let names = parse_names(&texts);

    let evidence = NameEvidence {
        twins: &twins,
        met: &met,
    };
    let found = group_names(&spellings, &names, &evidence);
    let times = watch.show();

    let joined: usize = found.groups.iter().map(|group| group.members.len()).sum();
    println!(
        "  {} names: {joined} joined to {} players, {} proposals, {times}",
        games.names.len(),
        found.groups.len(),
        found.proposals.len(),
    );
    found
}

/// The spellings of all names, each with its number of games and their years.
fn spellings(games: &Collection) -> Vec<Spelling<'_>> {
    let mut spellings = Vec::new();
    for text in &games.names {
        spellings.push(Spelling {
            text,
            ..Spelling::default()
        });
    }

    for facts in &games.facts {
        for name in [facts.white, facts.black] {
            let spelling = &mut spellings[name as usize];
            spelling.games += 1;

            // A year of 0 is unknown.
            let year = facts.date.year;
            if year > 0 {
                spelling.first_year = if spelling.first_year == 0 {
                    year
                } else {
                    spelling.first_year.min(year)
                };
                spelling.last_year = spelling.last_year.max(year);
            }
        }
    }
    spellings
}

/// The pairs of spellings that are players of twins, with the number of such games.
fn twin_pairs(games: &Collection, twins: &[TwinGroup]) -> Vec<SpellingPair> {
    let mut counts: HashMap<(u32, u32), u32> = HashMap::new();
    for group in twins {
        if group.score < SURE {
            continue;
        }

        let kept = &games.facts[group.keep as usize];
        for &game in &group.games {
            let other = &games.facts[game as usize];
            for (a, b) in [(kept.white, other.white), (kept.black, other.black)] {
                if a == b {
                    continue;
                }
                let pair = (a.min(b), a.max(b));
                *counts.entry(pair).or_default() += 1;
            }
        }
    }

    let mut pairs: Vec<SpellingPair> = Vec::new();
    for ((a, b), count) in counts {
        pairs.push((a, b, count));
    }
    // A hash map has no order, and groups depend on it.
    pairs.sort_unstable();
    pairs
}

/// The pairs of spellings that have met in a game, and so are different players.
fn opponents(games: &Collection) -> Vec<(u32, u32)> {
    let mut pairs = HashSet::new();
    for facts in &games.facts {
        pairs.insert((facts.white, facts.black));
    }
    pairs.into_iter().collect()
}

/// The number of the group of each spelling. A spelling that is not joined has a number of its own.
fn group_numbers(games: &Collection, found: &NameGroups) -> Vec<usize> {
    let spellings = games.names.len();
    let mut group_of: Vec<usize> = (0..spellings).collect();

    // The numbers of groups follow those of spellings.
    for (number, group) in found.groups.iter().enumerate() {
        for member in &group.members {
            let spelling = member.spelling as usize;
            group_of[spelling] = spellings + number;
        }
    }
    group_of
}

/// Prints, by kind of difference, the share of twins' spellings that were joined.
pub(crate) fn report(games: &Collection, found: &NameGroups, table: &Path) {
    let group_of = group_numbers(games, found);
    let is_one_player = |a: u32, b: u32| group_of[a as usize] == group_of[b as usize];

    let mut counts: BTreeMap<(Half, String), Joined> = BTreeMap::new();
    let mut apart: BTreeMap<(String, u32, u32), usize> = BTreeMap::new();
    for row in truth::read(table) {
        if !row.is_twin {
            continue;
        }

        let half = row.half();
        let [first, second] = row.games.map(|game| games.facts[game as usize]);
        let [white, black] = row.names;
        for (relation, a, b) in [
            (white, first.white, second.white),
            (black, first.black, second.black),
        ] {
            let is_one = is_one_player(a, b);
            // Mistakes in the rows that were held back stay unseen.
            if !is_one && half == Half::Odd {
                let spellings = (relation.clone(), a, b);
                *apart.entry(spellings).or_default() += 1;
            }

            let count = counts.entry((half, relation)).or_default();
            count.add(is_one);
        }
    }

    for ((half, relation), count) in counts {
        let name = match half {
            Half::Even => "even",
            Half::Odd => "odd",
        };
        let joined = count.joined;
        let all = count.all();
        let share = count.percent();
        println!("    {name:4} {relation:12} {joined:6} of {all:6} one player  {share:6.2} %");
    }

    if has_argument("--wrong") {
        for ((relation, a, b), count) in apart {
            let first = &games.names[a as usize];
            let second = &games.names[b as usize];
            println!("APART {relation} {count} {first:?} {second:?}");
        }
    }
}

/// Prints evenly sampled joins for review.
pub(crate) fn sample(games: &Collection, found: &NameGroups, count: usize) {
    let spellings = spellings(games);
    let show = |spelling: u32| {
        let known = spellings[spelling as usize];
        format!(
            "{:?} {} {}-{}",
            known.text, known.games, known.first_year, known.last_year
        )
    };

    // The first member of a group is its most frequent spelling, to which the others are joined.
    let mut joins = Vec::new();
    for group in &found.groups {
        for member in group.members.iter().skip(1) {
            joins.push((group, member));
        }
    }

    let samples = count.min(joins.len());
    for number in 0..samples {
        let (group, other) = joins[number * joins.len() / samples];
        let first = &group.members[0];

        // The reason of a join is with the member that has another source than its form.
        let is_by_first = other.source == NameSource::Form && first.source != NameSource::Form;
        let reason = if is_by_first { first } else { other };
        println!(
            "join {} | {} | {} | {} {}",
            group.canonical,
            show(first.spelling),
            show(other.spelling),
            reason.source.as_str(),
            reason.reasons
        );
    }
}
