//! Groups texts that name one event or one site.
//!
//! Two texts name one event or site if they have equal words in any order, with countries as codes and synonyms as one
//! word: `ch-GER`, `GER ch` and `Ch Germany`. A site without a country joins the site with a country if only one
//! country is written with it.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::RandomState;

use super::country::country_code;
use super::fold::fold_words;

/// A text of an event or a site, and the number of games that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextSpelling<'t> {
    /// The text as it is written.
    pub text: &'t str,
    /// The number of games that have the text.
    pub games: u32,
}

/// Texts for one event or site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextGroup {
    /// The canonical text, the most frequent one.
    pub canonical: String,
    /// The indexes of its texts, the most frequent first.
    pub members: Vec<u32>,
}

/// The kind of thing that texts name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextKind {
    Event,
    Site,
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

/// The words of a text in the form in which texts are compared, and the country of the text. Several countries, as in a
/// match, count as words.
fn comparable_words(text: &str, kind: TextKind) -> (Vec<String>, Option<&'static str>) {
    let is_event = kind == TextKind::Event;
    let folded = fold_words(text);
    let split: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
    // "TCh" is a team championship, "TCH" Czechoslovakia.
    let has_teams = is_event && !text.contains("TCH");

    let mut words = Vec::new();
    let mut countries: Vec<&'static str> = Vec::new();
    let mut at = 0;
    while at < split.len() {
        let word = split[at];
        let is_team_championship = has_teams && word == "tch";

        if let Some((code, length)) = country_at(&split, at, kind)
            && !(is_team_championship && code == "TCH")
        {
            countries.push(code);
            at += length;
            continue;
        }

        if is_team_championship {
            words.extend(["t".to_owned(), "ch".to_owned()]);
        } else if is_event {
            words.push(short_synonym(word).to_owned());
        } else {
            words.push(word.to_owned());
        }
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

/// The maximum of words in the name of a country: `bosnia and herzegovina`.
const MAX_COUNTRY_WORDS: usize = 3;

/// The country whose name begins at a word, and the number of words of the name, the longest name first. The country of
/// a site is the end of its text.
fn country_at(words: &[&str], at: usize, kind: TextKind) -> Option<(&'static str, usize)> {
    let rest = words.get(at..)?;
    for length in (1..=rest.len().min(MAX_COUNTRY_WORDS)).rev() {
        let is_end = length == rest.len();
        if kind == TextKind::Site && !is_end {
            continue;
        }

        let name = rest[..length].join(" ");
        if let Some(code) = country_code(&name) {
            return Some((code, length));
        }
    }

    None
}

/// The short word for a word of events.
fn short_synonym(word: &str) -> &str {
    let synonym = SYNONYMS.iter().find(|(known, _)| *known == word);
    synonym.map_or(word, |(_, short)| short)
}

/// Groups the sites of a collection.
pub fn group_sites(texts: &[TextSpelling<'_>]) -> Vec<TextGroup> {
    group_texts(texts, TextKind::Site)
}

/// Groups the events of a collection.
pub fn group_events(texts: &[TextSpelling<'_>]) -> Vec<TextGroup> {
    group_texts(texts, TextKind::Event)
}

/// Texts of one place or event: for each country among them, their indexes.
type Countries = HashMap<Option<&'static str>, Vec<u32>, RandomState>;

/// Groups texts of events or of sites by their words and countries.
fn group_texts(texts: &[TextSpelling<'_>], kind: TextKind) -> Vec<TextGroup> {
    let mut by_words: HashMap<Vec<String>, Countries, RandomState> = HashMap::default();
    for (index, spelling) in (0_u32..).zip(texts) {
        let (mut words, country) = comparable_words(spelling.text, kind);
        if words.is_empty() && country.is_none() {
            continue;
        }

        words.sort_unstable();
        let countries = by_words.entry(words).or_default();
        countries.entry(country).or_default().push(index);
    }

    let mut groups = Vec::new();
    for (words, countries) in by_words {
        // The name of a country alone is no place within it.
        let is_place = kind == TextKind::Site && !words.is_empty();
        add_groups(texts, is_place, countries, &mut groups);
    }

    // The order of a hash map differs from run to run.
    groups.sort_unstable_by(|a, b| a.members.cmp(&b.members));
    groups
}

/// Adds the groups of texts with equal words, one for each country.
fn add_groups(
    texts: &[TextSpelling<'_>],
    is_place: bool,
    mut countries: Countries,
    groups: &mut Vec<TextGroup>,
) {
    let named: BTreeSet<&str> = countries.keys().copied().flatten().collect();
    let bare = countries.remove(&None).unwrap_or_default();
    let has_one_country = named.len() == 1 && is_place;

    // A place without a country is the place with the only country named.
    for (_, mut members) in countries {
        if has_one_country {
            members.extend(&bare);
        }
        push_group(texts, members, groups);
    }

    if !has_one_country {
        push_group(texts, bare, groups);
    }
}

/// Adds a group of at least two texts, the most frequent first. A single text is no group.
fn push_group(texts: &[TextSpelling<'_>], mut members: Vec<u32>, groups: &mut Vec<TextGroup>) {
    if members.len() < 2 {
        return;
    }

    let games = |index: u32| texts[index as usize].games;
    members.sort_by_key(|&index| (std::cmp::Reverse(games(index)), index));

    let most_frequent = texts[members[0] as usize].text;
    let canonical = most_frequent.trim().to_owned();
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
