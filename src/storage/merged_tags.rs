//! Tags of a game that come from its twins, and the tags as they were written.

use rusqlite::{Connection, OptionalExtension, params};

use super::tags::{self, TagColumns};
use super::{all_tags, text_cell};
use crate::game::TagPair;
use crate::pgn::Termination;

/// A tag that a kept game has from a twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MergedTag {
    pub(crate) name: String,
    pub(crate) value: String,
    /// The value before; nothing where the game had no such tag.
    pub(crate) written: Option<String>,
    /// The game that the value is from.
    pub(crate) twin: i64,
}

/// Sets tags of a game, and keeps where they are from and what was there.
///
/// # Errors
/// When the database cannot be read or written.
pub(crate) fn merge_tags(
    connection: &Connection,
    game: i64,
    merged: &[MergedTag],
) -> rusqlite::Result<()> {
    // What was written stays what was written when a tag is filled again.
    let sql = "INSERT INTO merged_tag (game_id, name, value, written, twin_id)
        VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO UPDATE SET value = excluded.value, twin_id = excluded.twin_id";
    let mut insert = connection.prepare_cached(sql)?;
    for MergedTag { name, value, written, twin } in merged {
        insert.execute(params![game, name, value, written, twin])?;
    }
    let Some(mut tags) = all_tags(connection, game)? else { return Ok(()) };
    merged.iter().for_each(|merged| set(&mut tags, &merged.name, Some(&merged.value)));
    let result = merged.iter().find(|merged| merged.name == RESULT);
    write_tags(connection, game, &tags, result.map(|merged| merged.value.as_str()))
}

/// Takes merged tags back: all of them, or those that come from a game that is there and no longer a twin. Gives the number
/// of tags. A tag that somebody has changed since stays.
///
/// # Errors
/// When the database cannot be read or written.
pub(crate) fn take_back_tags(connection: &Connection, all: bool) -> rusqlite::Result<u64> {
    let sql = "SELECT DISTINCT game_id FROM merged_tag WHERE ?1 OR (
            EXISTS (SELECT 1 FROM game WHERE game.id = twin_id) AND NOT EXISTS
            (SELECT 1 FROM duplicate_of AS mark
                WHERE mark.game_id = twin_id AND mark.kept_id = merged_tag.game_id))";
    let games = connection
        .prepare(sql)?
        .query_map([all], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<i64>>>()?;
    let mut taken = 0;
    for game in games {
        taken += take_back_of(connection, game, all)?;
    }
    Ok(taken)
}

/// The same of one game.
fn take_back_of(connection: &Connection, game: i64, all: bool) -> rusqlite::Result<u64> {
    let sql = "SELECT name, value, written, twin_id FROM merged_tag WHERE game_id = ?1 AND (?2 OR (
            EXISTS (SELECT 1 FROM game WHERE game.id = twin_id) AND NOT EXISTS
            (SELECT 1 FROM duplicate_of AS mark
                WHERE mark.game_id = twin_id AND mark.kept_id = merged_tag.game_id)))";
    let mut select = connection.prepare_cached(sql)?;
    let merged = select.query_map(params![game, all], |row| {
        Ok(MergedTag {
            name: row.get(0)?,
            value: row.get(1)?,
            written: row.get(2)?,
            twin: row.get(3)?,
        })
    })?;
    let merged = merged.collect::<rusqlite::Result<Vec<MergedTag>>>()?;
    if let Some(mut tags) = all_tags(connection, game)? {
        let is_as_merged = |merged: &&MergedTag, tags: &[TagPair<'_>]| {
            tags.iter().any(|tag| tag.name == merged.name && tag.value == merged.value)
        };
        for merged in merged.iter().filter(|merged| merged.name != RESULT) {
            if is_as_merged(&merged, &tags) {
                set(&mut tags, &merged.name, merged.written.as_deref());
            }
        }
        let result = merged.iter().find(|merged| merged.name == RESULT);
        let is_result = result.is_some_and(|merged| {
            result_of(connection, game).is_ok_and(|found| found.as_deref() == Some(&merged.value))
        });
        let written = result.filter(|_| is_result).and_then(|merged| merged.written.as_deref());
        if let Some(written) = written
            && tags.iter().any(|tag| tag.name == RESULT)
        {
            set(&mut tags, RESULT, Some(written));
        }
        write_tags(connection, game, &tags, written)?;
    }
    let mut delete =
        connection.prepare_cached("DELETE FROM merged_tag WHERE game_id = ?1 AND name = ?2")?;
    merged.iter().try_for_each(|merged| delete.execute(params![game, merged.name]).map(drop))?;
    Ok(merged.len() as u64)
}

/// The tag whose value is also a column of every game.
pub(crate) const RESULT: &str = "Result";

/// The result of a game, with a tag or without.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn result_of(connection: &Connection, game: i64) -> rusqlite::Result<Option<String>> {
    let mut select = connection.prepare_cached("SELECT result FROM game WHERE id = ?1")?;
    let result = select.query_row([game], |row| Ok(text_cell(row, 0)?.map(str::to_owned)));
    Ok(result.optional()?.flatten())
}

/// Gives the first tag of a name another value, or adds one at the end; without a value, takes it away. The result of a game
/// that has no tag for it needs none.
fn set(tags: &mut Vec<TagPair<'static>>, name: &str, value: Option<&str>) {
    let at = tags.iter().position(|tag| tag.name == name);
    match (at, value) {
        (Some(at), Some(value)) => tags[at] = TagPair::new(name.to_owned(), value.to_owned()),
        (Some(at), None) => drop(tags.remove(at)),
        (None, Some(_)) if name == RESULT => {}
        (None, Some(value)) => tags.push(TagPair::new(name.to_owned(), value.to_owned())),
        (None, None) => {}
    }
}

/// Writes the tags of a game into its rows, and its result, where one is given.
fn write_tags(
    connection: &Connection,
    game: i64,
    tags: &[TagPair<'_>],
    result: Option<&str>,
) -> rusqlite::Result<()> {
    let fen = connection
        .prepare_cached("SELECT fen FROM game WHERE id = ?1")?
        .query_row([game], |row| Ok(text_cell(row, 0)?.map(str::to_owned)))?;
    let (mut json, mut order) = (Vec::new(), Vec::new());
    let columns = tags::split(tags, fen.as_deref(), &mut json, &mut order);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap_or_default();
    let json = Some(text(json)).filter(|json| !json.is_empty());
    let number = |table, column, name| number_of(connection, table, column, name);
    let TagColumns { date, round, white_elo, black_elo, eco, .. } = columns;
    connection
        .prepare_cached(
            "UPDATE game SET event_id = ?2, site_id = ?3, date = ?4, round = ?5, white_id = ?6,
            black_id = ?7, white_elo = ?8, black_elo = ?9, eco = ?10, tag_order_id = ?11,
            result = coalesce(?12, result) WHERE id = ?1",
        )?
        .execute(params![
            game,
            number("event", "name", columns.event)?,
            number("site", "name", columns.site)?,
            date,
            round,
            number("player", "name", columns.white)?,
            number("player", "name", columns.black)?,
            white_elo,
            black_elo,
            eco,
            number("tag_order", "names", Some(&text(order)))?,
            result.and_then(Termination::from_tag).map(Termination::as_str),
        ])?;
    let sql = "UPDATE movetext SET tags = ?2 WHERE game_id = ?1 AND tags IS NOT ?2";
    connection.prepare_cached(sql)?.execute(params![game, json]).map(drop)
}

/// The number of a name, which is added where it is new.
fn number_of(
    connection: &Connection,
    table: &str,
    column: &str,
    name: Option<&str>,
) -> rusqlite::Result<Option<i64>> {
    let Some(name) = name else { return Ok(None) };
    let select = format!("SELECT id FROM {table} WHERE {column} = ?1");
    let found = connection.prepare_cached(&select)?.query_row([name], |row| row.get(0));
    if let Some(number) = found.optional()? {
        return Ok(Some(number));
    }
    let insert = format!("INSERT INTO {table} ({column}) VALUES (?1)");
    connection.prepare_cached(&insert)?.insert([name]).map(Some)
}
