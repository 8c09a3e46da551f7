//! Events and sites that are written in several ways.
//!
//! Texts are the same if their words are, in whatever order, with countries as codes and words for one thing alike: `ch-GER`,
//! `GER ch` and `Ch Germany`. A site without a country is that with one, if only one country goes with it.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::RandomState;

use super::country::country_code;
use super::fold::fold_words;

/// A text of an event or a site, and how many games have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextSpelling<'t> {
    /// As it is written.
    pub text: &'t str,
    /// How many games have it.
    pub games: u32,
}

/// Texts for one event or site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextGroup {
    /// The text as it is best written.
    pub canonical: String,
    /// The indexes of its texts, the most frequent first.
    pub members: Vec<u32>,
}

/// Words for one thing in names of events.
const SYNONYMS: &[(&str, &str)] = &[
    ("championship", "ch"),
    ("championships", "ch"),
    ("champ", "ch"),
    ("chp", "ch"),
    ("open", "op"),
    ("team", "t"),
    ("teams", "t"),
    ("memorial", "mem"),
    ("olympiad", "ol"),
    ("olm", "ol"),
    ("interzonal", "izt"),
    ("zonal", "zt"),
    ("women", "w"),
    ("womens", "w"),
];

/// The words of a text in the form in which they are compared, and its country. Two countries, as in a match, are words.
fn words(text: &str, is_event: bool) -> (Vec<String>, Option<&'static str>) {
    let folded = fold_words(text);
    let split: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
    let mut words = Vec::new();
    let mut countries: Vec<&'static str> = Vec::new();
    let mut at = 0;
    // A championship of teams, unless it is Czechoslovakia.
    let has_teams = is_event && !text.contains("TCH");
    while let Some(rest) = split.get(at..).filter(|rest| !rest.is_empty()) {
        let is_last = |length: usize| is_event || at + length == split.len();
        let found = (1..=rest.len().min(3)).rev().find_map(|length| {
            let code = country_code(&rest.get(..length)?.join(" "))?;
            if has_teams && code == "TCH" && rest[0] == "tch" {
                return None;
            }
            // A site that is a country and nothing more has no other words.
            (is_last(length) && (at > 0 || is_event || length == split.len()))
                .then_some((code, length))
        });
        if let Some((code, length)) = found {
            countries.push(code);
            at += length;
            continue;
        }
        let word = rest[0];
        if has_teams && word == "tch" {
            words.extend(["t", "ch"].map(str::to_owned));
            at += 1;
            continue;
        }
        let synonym = SYNONYMS
            .iter()
            .find(|(known, _)| is_event && *known == word);
        words.push(synonym.map_or(word, |(_, short)| short).to_owned());
        at += 1;
    }
    match countries[..] {
        [] => (words, None),
        [country] => (words, Some(country)),
        _ => {
            words.extend(countries.into_iter().map(str::to_owned));
            (words, None)
        }
    }
}

/// Groups the sites of a collection.
pub fn group_sites(texts: &[TextSpelling<'_>]) -> Vec<TextGroup> {
    group(texts, false)
}

/// Groups its events.
pub fn group_events(texts: &[TextSpelling<'_>]) -> Vec<TextGroup> {
    group(texts, true)
}

/// Texts of one place or event: for each country among them, their indexes.
type Countries = HashMap<Option<&'static str>, Vec<u32>, RandomState>;

fn group(texts: &[TextSpelling<'_>], is_event: bool) -> Vec<TextGroup> {
    let mut by_words: HashMap<Vec<String>, Countries, RandomState> = HashMap::default();
    for (index, spelling) in (0_u32..).zip(texts) {
        let (mut words, country) = words(spelling.text, is_event);
        if words.is_empty() && country.is_none() {
            continue;
        }
        words.sort_unstable();
        by_words
            .entry(words)
            .or_default()
            .entry(country)
            .or_default()
            .push(index);
    }
    let mut groups = Vec::new();
    for (words, countries) in by_words {
        add_groups(
            texts,
            !words.is_empty() && !is_event,
            countries,
            &mut groups,
        );
    }
    groups.sort_unstable_by(|a, b| a.members.cmp(&b.members));
    groups
}

fn add_groups(
    texts: &[TextSpelling<'_>],
    is_place: bool,
    mut countries: Countries,
    groups: &mut Vec<TextGroup>,
) {
    let named: BTreeSet<&str> = countries.keys().copied().flatten().collect();
    let bare = countries.remove(&None).unwrap_or_default();
    let only = named.len() == 1 && is_place;
    for (_, mut members) in countries {
        if only {
            members.extend(&bare);
        }
        push_group(texts, members, groups);
    }
    if !only {
        push_group(texts, bare, groups);
    }
}

fn push_group(texts: &[TextSpelling<'_>], mut members: Vec<u32>, groups: &mut Vec<TextGroup>) {
    if members.len() < 2 {
        return;
    }
    let games = |index: &u32| texts[*index as usize].games;
    members.sort_by_key(|index| (std::cmp::Reverse(games(index)), *index));
    let canonical = texts[members[0] as usize].text.trim().to_owned();
    groups.push(TextGroup { canonical, members });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(texts: &[&str], is_event: bool) -> Vec<Vec<u32>> {
        let texts: Vec<TextSpelling<'_>> = (1..)
            .zip(texts)
            .map(|(games, text)| TextSpelling {
                text,
                games: 100 - games,
            })
            .collect();
        let groups = if is_event {
            group_events(&texts)
        } else {
            group_sites(&texts)
        };
        groups.into_iter().map(|group| group.members).collect()
    }

    macro_rules! texts {
        ($($name:ident: $is_event:literal $texts:expr => $groups:expr;)*) => {
            $(#[test] fn $name() {
                let expected: Vec<Vec<u32>> = $groups;
                assert_eq!(grouped(&$texts, $is_event), expected);
            })*
        };
    }

    texts! {
        country_in_brackets: false ["Rome ITA", "Rome (Italy)", "Rome, Italien"] => vec![vec![0, 1, 2]];
        country_left_out: false ["Rome", "Rome ITA"] => vec![vec![0, 1]];
        two_countries: false ["Cambridge", "Cambridge ENG", "Cambridge USA"] => vec![];
        country_alone: false ["Germany", "GER", "Berlin"] => vec![vec![0, 1]];
        punctuation: false ["Wijk aan Zee", "Wijk-aan-Zee"] => vec![vec![0, 1]];
        accents: false ["Zürich", "Zuerich"] => vec![vec![0, 1]];
        other_places: false ["Rome", "Roma Nova"] => vec![];
        unknown: false ["?", "-"] => vec![];
        championship: true ["ch-GER", "GER ch", "Ch Germany", "Championship Germany"] => vec![vec![0, 1, 2, 3]];
        two_countries_of_a_match: true ["DDR-HUN", "HUN", "HUN-DDR", "URS-HUN"] => vec![vec![0, 2]];
        teams_are_no_country: true ["TCh-ISR", "Israel", "ISR-chT", "ch-TCH", "TCH-ch"] => vec![vec![3, 4]];
        other_championship: true ["ch-GER", "ch-ITA"] => vec![];
        other_number: true ["Open A", "Open B"] => vec![];
        years: true ["Linares 1993", "Linares 1994"] => vec![];
        with_and_without_country: true ["ch", "ch-GER"] => vec![];
    }
}
