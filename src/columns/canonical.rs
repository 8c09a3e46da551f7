//! Look-up of names by their words, in all spellings of their canonical names.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension};

use super::NameMatcher;
use super::names::{NameKind, WantedWords, exact_names, named, numbers};
use crate::cleaning::names::PersonQuery;
use crate::storage::indexed_words;

/// The numbers of the names that match a text, as [`named`] compares them, and of all other spellings of these names.
/// Spellings of one name have one canonical name. A canonical name that no game contains may match, too.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn named_in_all_spellings(
    connection: &Connection,
    kind: NameKind,
    text: &str,
    is_exact: bool,
) -> rusqlite::Result<Vec<i64>> {
    let mut found = named(connection, kind, text, is_exact)?;
    if !is_exact {
        found.extend(unindexed(connection, kind, text)?);
    }
    // Spellings of openings are never joined.
    if kind == NameKind::Opening || !has_canonical_names(connection, kind)? {
        return Ok(found);
    }

    let mut names = canonical_names_like(connection, kind, text, is_exact)?;
    for &number in &found {
        names.extend(canonical_name(connection, kind, number)?);
    }
    for name in names {
        found.extend(spelled(connection, kind, &name)?);
    }

    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// `true` if spellings of a kind have been joined.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn has_canonical_names(
    connection: &Connection,
    kind: NameKind,
) -> rusqlite::Result<bool> {
    let sql = format!("SELECT 1 FROM {}_name", kind.table());
    connection.prepare_cached(&sql)?.exists([])
}

/// The canonical name of the name with a number. If a name has no other canonical name, the name itself is returned.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn canonical_name(
    connection: &Connection,
    kind: NameKind,
    number: i64,
) -> rusqlite::Result<Option<String>> {
    let table = kind.table();
    let sql = format!(
        "SELECT coalesce(canonical.name, {table}.name) FROM {table}
        LEFT JOIN {table}_name AS canonical ON canonical.spelling = {table}.name WHERE {table}.id = ?1"
    );
    connection
        .prepare_cached(&sql)?
        .query_row([number], |row| row.get(0))
        .optional()
}

/// The canonical names that match a text, as [`named`] compares them.
fn canonical_names_like(
    connection: &Connection,
    kind: NameKind,
    text: &str,
    is_exact: bool,
) -> rusqlite::Result<BTreeSet<String>> {
    if is_exact {
        return Ok(exact_names(text).map(str::to_owned).collect());
    }

    let wanted = WantedWords::parse(text);
    if wanted.is_empty() {
        return Ok(BTreeSet::new());
    }
    let person = if kind == NameKind::Player {
        PersonQuery::parse(text)
    } else {
        None
    };

    // Canonical names have no index of words, so all of them are compared.
    let sql = format!("SELECT DISTINCT name FROM {}_name", kind.table());
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query([])?;

    let mut names = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(0)?.as_str().unwrap_or_default();
        let has_words = wanted.are_in(name);
        if has_words || person.as_ref().is_some_and(|person| person.matches(name)) {
            names.insert(name.to_owned());
        }
    }
    Ok(names)
}

/// The numbers of all spellings of a canonical name.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn spelled(
    connection: &Connection,
    kind: NameKind,
    name: &str,
) -> rusqlite::Result<Vec<i64>> {
    let table = kind.table();
    // The name itself is a spelling, unless it has another canonical name.
    let sql = format!(
        "SELECT {table}.id FROM {table}_name AS canonical
            CROSS JOIN {table} ON {table}.name = canonical.spelling WHERE canonical.name = ?1
        UNION ALL SELECT id FROM {table} WHERE name = ?1
            AND NOT EXISTS (SELECT 1 FROM {table}_name WHERE spelling = ?1)"
    );
    numbers(connection, &sql, name)
}

/// The numbers of matching names whose words an import has not indexed yet. These names are compared one by one.
fn unindexed(connection: &Connection, kind: NameKind, text: &str) -> rusqlite::Result<Vec<i64>> {
    let Some(indexed) = indexed_words(connection, kind.table())? else {
        return Ok(Vec::new());
    };

    let matcher = NameMatcher::new(kind, text, false)?;
    let sql = format!("SELECT id, name FROM {} WHERE id > ?1", kind.table());
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query([indexed])?;

    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let Ok(name) = row.get_ref(1)?.as_str() else {
            continue;
        };
        if matcher.matches(name) {
            found.push(row.get(0)?);
        }
    }
    Ok(found)
}
