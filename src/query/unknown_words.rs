//! Tags and variants that a filter asks for and no game has, and which ones may have been meant.

use rusqlite::Connection;

use super::suggestion::Unknown;
use super::{Filter, TagQuery};
use crate::catalog::{Catalog, Traits};
use crate::replay::{Variant, folded_variant};

/// How like a word is at least to be taken for another.
const LEAST_LIKENESS: f64 = 0.82;
/// The most words that are suggested.
const MOST_SUGGESTIONS: usize = 3;

/// Variants by the names that people and sites give them.
const VARIANTS: &[&str] = &[
    "standard",
    "chess960",
    "king-of-the-hill",
    "three-check",
    "antichess",
    "atomic",
    "bughouse",
    "crazyhouse",
    "duck chess",
    "giveaway",
    "horde",
    "losers",
    "racing kings",
    "suicide",
    "other",
];

/// The tags of a filter that no game has.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn unknown_tags(
    connection: &Connection,
    filter: &Filter,
) -> rusqlite::Result<Vec<Unknown>> {
    let names: Vec<&str> = filter.tags.iter().map(TagQuery::name).collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "SELECT DISTINCT json_each.value FROM tag_order,
        json_each(CASE WHEN json_valid(names) THEN names ELSE '[]' END) WHERE json_each.type = 'text'";
    let mut select = connection.prepare_cached(sql)?;
    let known =
        select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let unknown = names.into_iter().filter(|name| !known.contains(name));
    Ok(unknown.map(|name| unknown_word("tag", name, &known)).collect())
}

/// The variants of a filter that are none that Stamma tells apart, where no game is of another.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn unknown_variants(
    connection: &Connection,
    filter: &Filter,
) -> rusqlite::Result<Vec<Unknown>> {
    let is_other = |name: &&String| Variant::from_tag(name) == Variant::Other;
    let others: Vec<&String> = filter
        .variants
        .iter()
        .filter(|name| is_other(name) && folded_variant(name) != "other")
        .collect();
    if others.is_empty() {
        return Ok(Vec::new());
    }
    let games =
        Catalog::new(connection)?.games(|traits: Traits| traits.variant() == Variant::Other)?;
    match games.is_empty() {
        true => Ok(others.iter().map(|name| unknown_word("variant", name, VARIANTS)).collect()),
        false => Ok(Vec::new()),
    }
}

fn unknown_word(kind: &'static str, text: &str, known: &[&str]) -> Unknown {
    let wanted = text.to_lowercase();
    let likeness = |word: &str| strsim::jaro_winkler(&wanted, &word.to_lowercase());
    let alike = known.iter().map(|&word| (likeness(word), word));
    let mut alike: Vec<(f64, &str)> =
        alike.filter(|&(likeness, word)| likeness >= LEAST_LIKENESS && word != text).collect();
    alike.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    // What differs in its capitals alone is meant.
    let is_sure = alike.first().is_some_and(|&(likeness, _)| likeness == 1.0);
    alike.truncate(if is_sure { 1 } else { MOST_SUGGESTIONS });
    let suggestions = alike.into_iter().map(|(_, word)| (word.to_owned(), None)).collect();
    Unknown { kind, text: text.to_owned(), games: 0, suggestions }
}
