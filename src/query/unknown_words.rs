//! Suggestions for tags and variants in a filter that occur in no game.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::{Filter, TagQuery};
use crate::columns::{ColumnStore, GameFlags};
use crate::game::{Variant, folded_variant, tag_value};
use crate::storage::all_tags;
use crate::store_fault::StoreResult;

/// A name in a filter that occurs in no game, or in hardly any.
#[derive(Clone, Debug, PartialEq)]
pub struct UnknownName {
    /// `player`, `event`, `site`, `opening`, `tag` or `variant`.
    pub kind: &'static str,
    /// The name as the filter has it.
    pub text: String,
    /// The number of games with it.
    pub games: u64,
    /// Suggestions, the most probable first, with the numbers of their games if known.
    pub suggestions: Vec<(String, Option<u64>)>,
}

/// The minimum similarity of a word that is suggested.
const MIN_LIKENESS: f64 = 0.82;
/// The maximum number of words that are suggested.
const MAX_SUGGESTIONS: usize = 3;

/// Variants by their usual names.
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

/// The tags of a filter that occur in no game.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn unknown_tags(
    connection: &Connection,
    filter: &Filter,
) -> rusqlite::Result<Vec<UnknownName>> {
    let names: Vec<&str> = filter.tags.iter().map(TagQuery::name).collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }

    // Many games share one order of tags, so this reads few rows.
    let sql = "SELECT DISTINCT json_tree.value FROM tag_order,
        json_tree(CASE WHEN json_valid(names) THEN names ELSE '[]' END) WHERE json_tree.type = 'text'";
    let mut select = connection.prepare_cached(sql)?;
    let rows = select.query_map([], |row| row.get(0))?;
    let in_database = rows.collect::<rusqlite::Result<Vec<String>>>()?;

    let known: Vec<&str> = in_database.iter().map(String::as_str).collect();
    let mut unknown = Vec::new();
    for name in names {
        if !known.contains(&name) {
            unknown.push(unknown_word("tag", name, &known));
        }
    }
    Ok(unknown)
}

/// The variants of a filter that occur in no game.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn unknown_variants(
    connection: &Connection,
    filter: &Filter,
) -> StoreResult<Vec<UnknownName>> {
    if filter.variants.is_empty() {
        return Ok(Vec::new());
    }

    // The column store has all variants that Stamma does not play as one.
    let column_store = ColumnStore::new(connection)?;
    let mut unknown = Vec::new();
    let mut others = Vec::new();
    for name in &filter.variants {
        let variant = Variant::from_tag(name);
        let is_played = |flags: GameFlags| flags.exists() && flags.variant() == variant;
        if column_store.games(is_played)?.is_empty() {
            unknown.push(name);
        } else if variant == Variant::Other && folded_variant(name) != "other" {
            others.push(name);
        }
    }

    let mut known: Vec<String> = VARIANTS.iter().map(|&name| name.to_owned()).collect();
    if !others.is_empty() {
        let played = other_variants(connection, &column_store, &others)?;
        others.retain(|name| !played.contains_key(&folded_variant(name)));
        unknown.extend(others);

        for (folded, variant) in played {
            let is_listed = VARIANTS.iter().any(|name| folded_variant(name) == folded);
            if !is_listed {
                known.push(variant);
            }
        }
    }

    let suggested: Vec<&str> = known.iter().map(String::as_str).collect();
    let unknown_names = unknown
        .into_iter()
        .map(|name| unknown_word("variant", name, &suggested));
    Ok(unknown_names.collect())
}

/// Values of the tag Variant for variants that Stamma does not play, by their folded forms, which ignore case and
/// punctuation. The search ends once all `wanted` are found.
fn other_variants(
    connection: &Connection,
    column_store: &ColumnStore<'_>,
    wanted: &[&String],
) -> StoreResult<BTreeMap<String, String>> {
    let games = column_store.games(|flags| flags.variant() == Variant::Other)?;

    let mut found = BTreeMap::new();
    for game in games.iter() {
        let tags = all_tags(connection, game)?.unwrap_or_default();
        if let Some(variant) = tag_value(&tags, "Variant") {
            found
                .entry(folded_variant(variant))
                .or_insert_with(|| variant.to_owned());
        }

        let is_found = |name: &&String| found.contains_key(&folded_variant(name));
        if wanted.iter().all(is_found) {
            break;
        }
    }
    Ok(found)
}

/// A word that occurs in no game, with suggestions from the known words.
fn unknown_word(kind: &'static str, text: &str, known: &[&str]) -> UnknownName {
    let lower = text.to_lowercase();
    let mut alike: Vec<(f64, &str)> = Vec::new();
    for &word in known {
        let likeness = strsim::jaro_winkler(&lower, &word.to_lowercase());
        if likeness >= MIN_LIKENESS && word != text {
            alike.push((likeness, word));
        }
    }
    alike.sort_by(|(a, _), (b, _)| b.total_cmp(a));

    // A difference in case alone leaves no doubt.
    let is_certain = alike.first().is_some_and(|&(likeness, _)| likeness == 1.0);
    alike.truncate(if is_certain { 1 } else { MAX_SUGGESTIONS });

    let mut suggestions = Vec::with_capacity(alike.len());
    for (_, word) in alike {
        suggestions.push((word.to_owned(), None));
    }
    UnknownName {
        kind,
        text: text.to_owned(),
        games: 0,
        suggestions,
    }
}
