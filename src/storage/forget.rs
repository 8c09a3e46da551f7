//! Deletion of sources, with everything that came from them.

use rusqlite::{Connection, OptionalExtension};

use super::SourceId;
use super::cell::unsigned_cell;

/// The content removed with a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForgottenSource {
    /// The path of the source, as given on import.
    pub path: String,
    /// The number of games removed.
    pub games: u64,
    /// The number of problems removed.
    pub problems: u64,
    /// The number of texts between games removed.
    pub texts: u64,
}

/// The tables of names, each with a query for the names in use. A NULL in its result would make `NOT IN` unknown for
/// all.
const NAMES: &[(&str, &str)] = &[
    (
        "player",
        "SELECT white_id FROM game WHERE white_id IS NOT NULL
         UNION SELECT black_id FROM game WHERE black_id IS NOT NULL",
    ),
    (
        "event",
        "SELECT event_id FROM game WHERE event_id IS NOT NULL",
    ),
    ("site", "SELECT site_id FROM game WHERE site_id IS NOT NULL"),
    ("tag_order", "SELECT tag_order_id FROM game"),
    (
        "opening",
        "SELECT opening_id FROM game WHERE opening_id IS NOT NULL",
    ),
];

/// Deletes unused names, tag orders and openings, and returns the number of deleted names. Triggers, which must be
/// enabled, delete their words.
pub(crate) fn remove_unused_names(connection: &Connection) -> rusqlite::Result<u64> {
    let mut names = 0;
    for (table, used) in NAMES {
        let sql = format!("DELETE FROM {table} WHERE id NOT IN ({used})");
        let removed = connection.execute(&sql, [])? as u64;

        let are_names = !matches!(*table, "tag_order" | "opening");
        if are_names {
            names += removed;
        }
    }
    Ok(names)
}

/// Sources and the sources that continue them, which could not be recognized without their beginnings.
pub(crate) fn sources_with_continuations(
    connection: &Connection,
    sources: &[SourceId],
) -> rusqlite::Result<Vec<SourceId>> {
    let sql = "SELECT id FROM source WHERE continues = ?1 ORDER BY id";
    let mut select = connection.prepare(sql)?;
    let mut all = sources.to_vec();

    // Sources that are found are appended, and searched for their own continuations.
    let mut next = 0;
    while next < all.len() {
        let rows = select.query_map([all[next]], |row| row.get(0))?;
        let found: Vec<SourceId> = rows.collect::<rusqlite::Result<_>>()?;

        for source in found {
            if !all.contains(&source) {
                all.push(source);
            }
        }
        next += 1;
    }
    Ok(all)
}

/// Deletes a source; a trigger notes for each game that its positions are gone.
pub(crate) fn forget_source(
    connection: &Connection,
    source: SourceId,
) -> rusqlite::Result<Option<ForgottenSource>> {
    // The count is read first: the trigger of a deleted game deletes its problems.
    let sql = "SELECT path, (SELECT count(*) FROM problem WHERE source_id = ?1) FROM source
        WHERE id = ?1";
    let found = connection.query_row(sql, [source], |row| {
        Ok((row.get(0)?, unsigned_cell(row, 1)?))
    });
    let Some((path, problems)) = found.optional()? else {
        return Ok(None);
    };

    let delete = |table: &str, column: &str| -> rusqlite::Result<u64> {
        let sql = format!("DELETE FROM {table} WHERE {column} = ?1");
        let rows = connection.execute(&sql, [source])?;
        Ok(rows as u64)
    };

    let games = delete("game", "source_id")?;
    delete("problem", "source_id")?;
    let texts = delete("source_text", "source_id")?;
    delete("source", "id")?;
    Ok(Some(ForgottenSource {
        path,
        games,
        problems,
        texts,
    }))
}
