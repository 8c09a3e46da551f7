//! Canonical names of players, events and sites, beside the names as written.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, Row, params};

use super::cell::owned_text_cell;
use super::{Database, InDatabase, other_tags, text_cell};
use crate::error::Result;

/// A table of names that have canonical names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameTable {
    /// Players.
    Player,
    /// Events.
    Event,
    /// Sites.
    Site,
}

impl NameTable {
    /// All tables.
    pub const ALL: [NameTable; 3] = [NameTable::Player, NameTable::Event, NameTable::Site];

    /// The name of the table in SQL. The table of its canonical names has this name with the suffix `_name`.
    pub const fn as_str(self) -> &'static str {
        match self {
            NameTable::Player => "player",
            NameTable::Event => "event",
            NameTable::Site => "site",
        }
    }
}

/// The canonical name of a spelling.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CanonicalName {
    /// The name as written.
    pub spelling: String,
    /// The canonical name.
    pub name: String,
    /// The evidence for it.
    pub source: String,
    /// The differences of the spelling from the name, separated by commas.
    pub why: String,
}

/// Canonical names by their spellings.
pub type CanonicalNames = HashMap<String, String, foldhash::fast::RandomState>;

/// All names of a table with their numbers, in the order of the numbers. The common part of many games' addresses is
/// left out: it is not a name.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn names_of(
    connection: &Connection,
    table: NameTable,
) -> rusqlite::Result<Vec<(i64, String)>> {
    let sql = format!(
        "SELECT id, name FROM {table} WHERE '{table}' <> 'site' OR name NOT LIKE 'http%://%/' ORDER BY id",
        table = table.as_str()
    );

    let mut select = connection.prepare(&sql)?;
    let names = select.query_map([], |row| {
        let name = text_cell(row, 1)?.unwrap_or_default();
        Ok((row.get(0)?, name.to_owned()))
    })?;
    names.collect()
}

/// The rows of canonical names, in the order of their spellings.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn canonical_names(
    connection: &Connection,
    table: NameTable,
) -> rusqlite::Result<Vec<CanonicalName>> {
    let table = table.as_str();
    let sql = format!("SELECT spelling, name, source, why FROM {table}_name ORDER BY spelling");

    let mut select = connection.prepare(&sql)?;
    let rows = select.query_map([], canonical_name_of_row)?;
    rows.collect()
}

/// Reads a row of a table of canonical names.
fn canonical_name_of_row(row: &Row<'_>) -> rusqlite::Result<CanonicalName> {
    let text = |at| -> rusqlite::Result<String> {
        let text = owned_text_cell(row, at)?;
        Ok(text.unwrap_or_default())
    };

    Ok(CanonicalName {
        spelling: text(0)?,
        name: text(1)?,
        source: text(2)?,
        why: text(3)?,
    })
}

/// Replaces all canonical names of a table.
///
/// # Errors
/// When the database cannot be written.
pub(crate) fn set_canonical_names(
    connection: &Connection,
    table: NameTable,
    rows: &mut [CanonicalName],
) -> rusqlite::Result<()> {
    remove_canonical_names(connection, table)?;

    let table = table.as_str();
    let sql =
        format!("INSERT INTO {table}_name (spelling, name, source, why) VALUES (?1, ?2, ?3, ?4)");
    let mut insert = connection.prepare(&sql)?;

    rows.sort_unstable();
    for row in &*rows {
        insert.execute(params![row.spelling, row.name, row.source, row.why])?;
    }
    Ok(())
}

/// Removes all canonical names of a table; returns the number of spellings.
///
/// # Errors
/// When the database cannot be written.
pub(crate) fn remove_canonical_names(
    connection: &Connection,
    table: NameTable,
) -> rusqlite::Result<u64> {
    let sql = format!("DELETE FROM {}_name", table.as_str());
    let rows = connection.execute(&sql, [])?;
    Ok(rows as u64)
}

/// Adds the canonical names of another database for spellings without one here. If both databases have a spelling, the
/// canonical name there is replaced by the canonical name here, for all added spellings.
///
/// # Errors
/// When a database cannot be read or written.
pub(super) fn copy_canonical_names(
    here: &Connection,
    there: &Connection,
    table: NameTable,
) -> rusqlite::Result<()> {
    let mut rows = canonical_names(here, table)?;
    let rows_there = canonical_names(there, table)?;
    let known: CanonicalNames = rows
        .iter()
        .map(|row| (row.spelling.clone(), row.name.clone()))
        .collect();
    // A canonical name is no spelling of another name.
    let names: HashSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();

    // For each canonical name of the other database, the canonical name that a common spelling has in this database.
    let mut here_for: HashMap<&str, &String> = HashMap::new();
    for row in &rows_there {
        if let Some(name) = known.get(&row.spelling) {
            here_for.insert(&row.name, name);
        }
    }

    let mut added = Vec::new();
    for row in &rows_there {
        if known.contains_key(&row.spelling) || names.contains(row.spelling.as_str()) {
            continue;
        }

        let name_here = here_for.get(row.name.as_str()).copied();
        let name = name_here.or_else(|| known.get(&row.name));
        added.push(CanonicalName {
            name: name.unwrap_or(&row.name).clone(),
            ..row.clone()
        });
    }

    if !added.is_empty() {
        rows.extend(added);
        set_canonical_names(here, table, &mut rows)?;
    }
    Ok(())
}

/// Pairs of players, as White and as Black, in games that are marked as duplicates and in the kept games. Marks with a
/// score below `min_score` are ignored.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn players_of_duplicates(
    connection: &Connection,
    min_score: f64,
) -> rusqlite::Result<Vec<[Option<i64>; 4]>> {
    let sql = "SELECT game.white_id, kept.white_id, game.black_id, kept.black_id
        FROM duplicate_of AS mark JOIN game ON game.id = mark.game_id
        JOIN game AS kept ON kept.id = mark.kept_id WHERE mark.score >= ?1";
    let mut select = connection.prepare(sql)?;
    let pairs = select.query_map([min_score], |row| {
        Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
    })?;
    pairs.collect()
}

/// Calls a function with each player whose FIDE id is in a tag of a game, and the id.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn each_fide_id(
    connection: &Connection,
    mut each: impl FnMut(i64, u32),
) -> rusqlite::Result<()> {
    // Few orders of tags have a FIDE id. The condition on the order excludes most games before their JSON is parsed.
    let sql = "SELECT game.white_id, game.black_id, movetext.tags, tag_order.names
        FROM game CROSS JOIN movetext ON movetext.game_id = game.id
        CROSS JOIN tag_order ON tag_order.id = game.tag_order_id
        WHERE game.tag_order_id IN (SELECT id FROM tag_order
            WHERE names LIKE '%\"WhiteFideId\"%' OR names LIKE '%\"BlackFideId\"%')";
    let mut select = connection.prepare(sql)?;
    let mut rows = select.query([])?;

    while let Some(row) = rows.next()? {
        let json = text_cell(row, 2)?;
        let order = text_cell(row, 3)?;
        let tags = other_tags(json, order);

        for (column, name) in [(0, "WhiteFideId"), (1, "BlackFideId")] {
            let player: Option<i64> = row.get(column)?;
            let Some(player) = player else {
                continue;
            };

            let tag = tags.iter().find(|tag| tag.name == name);
            let id = tag.and_then(|tag| tag.value.trim().parse().ok());
            if let Some(id) = id
                && id > 0
            {
                each(player, id);
            }
        }
    }
    Ok(())
}

impl Database {
    /// The canonical names of a table, by their spellings. A spelling that is missing here is its own canonical name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn canonical_names(&self, table: NameTable) -> Result<CanonicalNames> {
        let rows = canonical_names(&self.connection, table).in_database(self)?;
        let names = rows.into_iter().map(|row| (row.spelling, row.name));
        Ok(names.collect())
    }
}
