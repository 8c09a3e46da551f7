//! Which spelling gets which name by a table of decisions of the user.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::evidence::DECIDED;
use super::findings::table_of;
use crate::cleaning::names::{NameConflict, NameRow};
use crate::storage::{CanonicalName, NameTable};

/// The canonical names by a table of decisions for one kind of names; `None` if the table has no row of this kind.
///
/// If a canonical name is itself a spelling of another name, the other name is used. It is used also for the spellings that
/// had the first name `before`, so that proposals join whole groups. Rows that are only proposed are skipped.
///
/// # Errors
/// When rows contradict each other.
pub(super) fn decided(
    rows: &[NameRow],
    table: NameTable,
    texts: &[String],
    before: &[CanonicalName],
) -> Result<Option<Vec<CanonicalName>>, NameConflict> {
    let of_table = rows
        .iter()
        .filter(|row| table_of(row.kind) == Some(table) && row.is_sure);
    let (own, others): (Vec<&NameRow>, Vec<&NameRow>) =
        of_table.partition(|row| row.spelling == row.canonical);
    if own.is_empty() && others.is_empty() {
        return Ok(None);
    }

    let mut names: HashMap<&str, &str, RandomState> = HashMap::default();
    for row in others {
        let earlier = names.insert(&row.spelling, &row.canonical);
        if let Some(one) = earlier
            && one != row.canonical
        {
            return Err(NameConflict::TwoNames {
                spelling: row.spelling.clone(),
                one: one.to_owned(),
                other: row.canonical.clone(),
            });
        }
    }
    for row in before {
        if names.contains_key(row.name.as_str()) && row.spelling != row.name {
            names.entry(&row.spelling).or_insert(&row.name);
        }
    }
    for row in own {
        names.entry(&row.spelling).or_insert(&row.canonical);
    }

    // A name that is canonical and written in games is a spelling of its own.
    let written = written(texts);
    let canonical: Vec<&str> = names.values().copied().collect();
    for name in canonical {
        if written.contains_key(name) {
            names.entry(name).or_insert(name);
        }
    }

    let mut decided = Vec::with_capacity(names.len());
    for &spelling in names.keys() {
        let name = end(spelling, &names)?;
        let as_written = match written.get(spelling) {
            Some(texts) => texts.as_slice(),
            None => std::slice::from_ref(&spelling),
        };
        for &spelling in as_written {
            decided.push(CanonicalName {
                spelling: spelling.to_owned(),
                name: name.to_owned(),
                source: DECIDED.to_owned(),
                why: String::new(),
            });
        }
    }
    Ok(Some(decided))
}

/// The canonical name at the end of a chain.
fn end<'n>(
    spelling: &'n str,
    names: &HashMap<&'n str, &'n str, RandomState>,
) -> Result<&'n str, NameConflict> {
    let mut at = spelling;

    // A chain without a circle has at most all spellings.
    for _ in 0..=names.len() {
        match names.get(at) {
            Some(&next) if next != at => at = next,
            _ => return Ok(at),
        }
    }

    Err(NameConflict::Circle(spelling.to_owned()))
}

/// Names of the database by the form that they have in a table, without tabs and spaces around them.
fn written(texts: &[String]) -> HashMap<String, Vec<&str>, RandomState> {
    let mut written: HashMap<String, Vec<&str>, RandomState> = HashMap::default();
    for text in texts {
        written.entry(in_table(text)).or_default().push(text);
    }
    written
}

/// A name as a table has it.
fn in_table(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ").trim().to_owned()
}
