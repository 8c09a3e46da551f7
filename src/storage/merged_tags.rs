//! Tags of a game that come from its twins, and the tags as they were written.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, params};

use super::address::site_and_address;
use super::tags::{self, TagColumns};
use super::{GameId, all_tags, text_cell};
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
    let sql = "INSERT INTO merged_tag (game_id, name, value, value_before, from_game_id)
        VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO UPDATE SET value = excluded.value, from_game_id = excluded.from_game_id";
    let mut insert = connection.prepare_cached(sql)?;
    for MergedTag {
        name,
        value,
        written,
        twin,
    } in merged
    {
        insert.execute(params![game, name, value, written, twin])?;
    }
    let Some(mut tags) = all_tags(connection, GameId::new(game))? else {
        return Ok(());
    };
    merged
        .iter()
        .for_each(|merged| set(&mut tags, &merged.name, Some(&merged.value)));
    let result = merged.iter().find(|merged| merged.name == RESULT);
    write_tags(
        connection,
        game,
        &tags,
        result.map(|merged| merged.value.as_str()),
    )
}

/// Merged tags whose twin is still there, with the kept games; all of them, or those whose twin is one no more.
fn merged_tags(connection: &Connection, all: bool) -> rusqlite::Result<Vec<(i64, MergedTag)>> {
    let sql = "SELECT game_id, name, value, value_before, from_game_id FROM merged_tag
        WHERE EXISTS (SELECT 1 FROM game WHERE game.id = from_game_id) AND (?1 OR NOT EXISTS
            (SELECT 1 FROM duplicate_of AS mark
                WHERE mark.game_id = from_game_id AND mark.kept_id = merged_tag.game_id))
        ORDER BY game_id";
    let mut select = connection.prepare(sql)?;
    let merged = select.query_map([all], |row| {
        let text = |at| text_cell(row, at).map(|text| text.map(str::to_owned));
        let tag = MergedTag {
            name: text(1)?.unwrap_or_default(),
            value: text(2)?.unwrap_or_default(),
            written: text(3)?,
            twin: row.get(4)?,
        };
        Ok((row.get(0)?, tag))
    })?;
    merged.collect()
}

/// The merged tags of each kept game whose twins are still there.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn merged_tags_by_game(
    connection: &Connection,
) -> rusqlite::Result<HashMap<GameId, Vec<MergedTag>>> {
    let mut by_game: HashMap<GameId, Vec<MergedTag>> = HashMap::new();
    for (game, tag) in merged_tags(connection, true)? {
        by_game.entry(GameId::new(game)).or_default().push(tag);
    }
    Ok(by_game)
}

/// Takes merged tags back whose twin is still there: all of them, or those whose twin is one no more. Gives the number of
/// tags that have their values again. A tag that another program has changed since stays.
///
/// # Errors
/// When the database cannot be read or written.
pub(crate) fn take_back_tags(connection: &Connection, all: bool) -> rusqlite::Result<u64> {
    let merged = merged_tags(connection, all)?;
    let mut delete =
        connection.prepare_cached("DELETE FROM merged_tag WHERE game_id = ?1 AND name = ?2")?;
    let mut restored = 0;
    for tags in merged.chunk_by(|a, b| a.0 == b.0) {
        restored += restore(connection, tags)?;
        tags.iter()
            .try_for_each(|(game, tag)| delete.execute(params![game, tag.name]).map(drop))?;
    }
    Ok(restored)
}

/// Gives tags of one game their values again; gives the number of those that are still as they were merged.
fn restore(connection: &Connection, merged: &[(i64, MergedTag)]) -> rusqlite::Result<u64> {
    let Some(&(game, _)) = merged.first() else {
        return Ok(0);
    };
    let Some(mut tags) = all_tags(connection, GameId::new(game))? else {
        return Ok(0);
    };
    let result = result_of(connection, game)?;
    let (mut restored, mut result_before) = (0, None);
    for (
        _,
        MergedTag {
            name,
            value,
            written,
            ..
        },
    ) in merged
    {
        if name == RESULT {
            let is_as_merged = result.as_ref() == Some(value) && written.is_some();
            if !is_as_merged {
                continue;
            }
            result_before = written.as_deref();
        } else if !tags
            .iter()
            .any(|tag| tag.name == *name && tag.value == *value)
        {
            continue;
        }
        set(&mut tags, name, written.as_deref());
        restored += 1;
    }
    if restored > 0 {
        write_tags(connection, game, &tags, result_before)?;
    }
    Ok(restored)
}

/// The number of tags that are from games which have been deleted.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn count_tags_of_deleted_games(connection: &Connection) -> rusqlite::Result<u64> {
    let sql = "SELECT count(*) FROM merged_tag
        WHERE NOT EXISTS (SELECT 1 FROM game WHERE game.id = from_game_id)";
    connection
        .query_row(sql, [], |row| row.get(0))
        .map(i64::cast_unsigned)
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
    let (site, address) = site_and_address(tags, columns.site);
    let TagColumns {
        date,
        round,
        white_elo,
        black_elo,
        eco,
        ..
    } = columns;
    connection
        .prepare_cached(
            "UPDATE game SET event_id = ?2, site_id = ?3, date = ?4, round = ?5, white_id = ?6,
            black_id = ?7, white_elo = ?8, black_elo = ?9, eco = ?10, tag_order_id = ?11,
            result = coalesce(?12, result), address = ?13 WHERE id = ?1",
        )?
        .execute(params![
            game,
            number("event", "name", columns.event)?,
            number("site", "name", site)?,
            date,
            round,
            number("player", "name", columns.white)?,
            number("player", "name", columns.black)?,
            white_elo,
            black_elo,
            eco,
            number("tag_order", "names", Some(&text(order)))?,
            result
                .and_then(Termination::from_tag)
                .map(Termination::as_str),
            address,
        ])?;
    let sql = "UPDATE movetext SET tags = ?2 WHERE game_id = ?1 AND tags IS NOT ?2";
    connection
        .prepare_cached(sql)?
        .execute(params![game, json])
        .map(drop)
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
    let found = connection
        .prepare_cached(&select)?
        .query_row([name], |row| row.get(0));
    if let Some(number) = found.optional()? {
        return Ok(Some(number));
    }
    let insert = format!("INSERT INTO {table} ({column}) VALUES (?1)");
    connection.prepare_cached(&insert)?.insert([name]).map(Some)
}
