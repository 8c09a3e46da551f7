//! Tags of kept games that are copied from duplicates, and the values that these tags had in the games themselves.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, params};

use super::address::site_and_address;
use super::cell::{owned_text_cell, unsigned_cell};
use super::tags;
use super::{GameId, all_tags};
use crate::game::TagPair;
use crate::pgn::Termination;

/// A tag that a kept game has from a duplicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MergedTag {
    pub(crate) name: String,
    pub(crate) value: String,
    /// The value in the game's own text; `None` if it has no such tag.
    pub(crate) written: Option<String>,
    /// The game with the value.
    pub(crate) twin: i64,
}

/// Sets tags of a game, and stores the origin of each value and the value before.
///
/// # Errors
/// When the database cannot be read or written.
pub(crate) fn merge_tags(
    connection: &Connection,
    game: i64,
    merged: &[MergedTag],
) -> rusqlite::Result<()> {
    // If a tag is merged again, the stored value of the game itself is not replaced.
    let sql = "INSERT INTO merged_tag (game_id, name, value, value_before, from_game_id)
        VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO UPDATE SET value = excluded.value, from_game_id = excluded.from_game_id";
    let mut insert = connection.prepare_cached(sql)?;
    for tag in merged {
        insert.execute(params![game, tag.name, tag.value, tag.written, tag.twin])?;
    }

    let Some(mut tags) = all_tags(connection, GameId::new(game))? else {
        return Ok(());
    };
    for tag in merged {
        set_tag(&mut tags, &tag.name, Some(&tag.value));
    }

    let merged_result = merged.iter().find(|tag| tag.name == RESULT);
    let result = merged_result.map(|tag| tag.value.as_str());
    write_tags(connection, game, &tags, result)
}

/// A selection of the merged tags whose duplicate still exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MergedTagSelection {
    /// All of them.
    All,
    /// The tags from games that are no longer marked as duplicates.
    Unmarked,
}

/// The merged tags of a selection, each with the kept game that has it.
fn merged_tags(
    connection: &Connection,
    selection: MergedTagSelection,
) -> rusqlite::Result<Vec<(i64, MergedTag)>> {
    let all = selection == MergedTagSelection::All;
    let sql = "SELECT game_id, name, value, value_before, from_game_id FROM merged_tag
        WHERE EXISTS (SELECT 1 FROM game WHERE game.id = from_game_id) AND (?1 OR NOT EXISTS
            (SELECT 1 FROM duplicate_of AS mark
                WHERE mark.game_id = from_game_id AND mark.kept_id = merged_tag.game_id))
        ORDER BY game_id";
    let mut select = connection.prepare(sql)?;

    let merged = select.query_map([all], |row| {
        let text = |at| owned_text_cell(row, at);
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
    for (game, tag) in merged_tags(connection, MergedTagSelection::All)? {
        let tags = by_game.entry(GameId::new(game)).or_default();
        tags.push(tag);
    }
    Ok(by_game)
}

/// Reverts the merged tags of a selection. Returns the number of reverted tags. A tag that another program has changed
/// since is not changed.
///
/// # Errors
/// When the database cannot be read or written.
pub(crate) fn revert_merged_tags(
    connection: &Connection,
    selection: MergedTagSelection,
) -> rusqlite::Result<u64> {
    let merged = merged_tags(connection, selection)?;
    let sql = "DELETE FROM merged_tag WHERE game_id = ?1 AND name = ?2";
    let mut delete = connection.prepare_cached(sql)?;

    let mut restored = 0;
    for tags in merged.chunk_by(|a, b| a.0 == b.0) {
        restored += restore(connection, tags)?;
        for (game, tag) in tags {
            delete.execute(params![game, tag.name])?;
        }
    }
    Ok(restored)
}

/// Restores the written values of tags of one game. Returns the number of restored tags, which are the tags that still
/// have their merged values.
fn restore(connection: &Connection, merged: &[(i64, MergedTag)]) -> rusqlite::Result<u64> {
    let Some(&(game, _)) = merged.first() else {
        return Ok(0);
    };
    let Some(mut tags) = all_tags(connection, GameId::new(game))? else {
        return Ok(0);
    };

    let result = result_of(connection, game)?;
    let mut restored = 0;
    let mut result_before = None;
    for (_, tag) in merged {
        let MergedTag { name, value, .. } = tag;
        let written = tag.written.as_deref();
        if name == RESULT {
            // Every game has a result, with or without a tag. A result without a tag in the source is not reverted.
            if result.as_ref() != Some(value) || written.is_none() {
                continue;
            }
            result_before = written;
        } else {
            let is_as_merged = tags
                .iter()
                .any(|pair| pair.name == *name && pair.value == *value);
            if !is_as_merged {
                continue;
            }
        }

        set_tag(&mut tags, name, written);
        restored += 1;
    }

    if restored > 0 {
        write_tags(connection, game, &tags, result_before)?;
    }
    Ok(restored)
}

/// The number of merged tags whose duplicate has been deleted.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn count_tags_of_deleted_games(connection: &Connection) -> rusqlite::Result<u64> {
    let sql = "SELECT count(*) FROM merged_tag
        WHERE NOT EXISTS (SELECT 1 FROM game WHERE game.id = from_game_id)";
    connection.query_row(sql, [], |row| unsigned_cell(row, 0))
}

/// The tag whose value is also a column of every game.
pub(crate) const RESULT: &str = "Result";

/// The result of a game, with or without a tag for it.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn result_of(connection: &Connection, game: i64) -> rusqlite::Result<Option<String>> {
    let mut select = connection.prepare_cached("SELECT result FROM game WHERE id = ?1")?;
    let result = select.query_row([game], |row| owned_text_cell(row, 0));
    Ok(result.optional()?.flatten())
}

/// Sets the first tag of a name to a value, appends a missing tag, or removes the tag if there is no value. A missing
/// tag for the result is not added, since the column has the result.
fn set_tag(tags: &mut Vec<TagPair<'static>>, name: &str, value: Option<&str>) {
    let index = tags.iter().position(|tag| tag.name == name);
    let new_tag = value.map(|value| TagPair::new(name.to_owned(), value.to_owned()));

    match (index, new_tag) {
        (Some(index), Some(tag)) => tags[index] = tag,
        (Some(index), None) => {
            tags.remove(index);
        }
        (None, Some(tag)) => {
            if name != RESULT {
                tags.push(tag);
            }
        }
        (None, None) => {}
    }
}

/// Writes the tags of a game into its rows, and its result, if one is passed.
fn write_tags(
    connection: &Connection,
    game: i64,
    tags: &[TagPair<'_>],
    result: Option<&str>,
) -> rusqlite::Result<()> {
    let select = "SELECT fen FROM game WHERE id = ?1";
    let fen = connection
        .prepare_cached(select)?
        .query_row([game], |row| owned_text_cell(row, 0))?;

    let mut json_bytes = Vec::new();
    let mut order_bytes = Vec::new();
    let columns = tags::split(tags, fen.as_deref(), &mut json_bytes, &mut order_bytes);
    let json = String::from_utf8(json_bytes).unwrap_or_default();
    let order = String::from_utf8(order_bytes).unwrap_or_default();
    let (site, address) = site_and_address(tags, columns.site);

    let event_id = number_of(connection, "event", "name", columns.event)?;
    let site_id = number_of(connection, "site", "name", site)?;
    let white_id = number_of(connection, "player", "name", columns.white)?;
    let black_id = number_of(connection, "player", "name", columns.black)?;
    let order_id = number_of(connection, "tag_order", "names", Some(&order))?;

    // For a text that is not a result, the column is not changed.
    let result = result
        .and_then(Termination::from_tag)
        .map(Termination::as_str);

    let update_game =
        "UPDATE game SET event_id = ?2, site_id = ?3, date = ?4, round = ?5, white_id = ?6,
        black_id = ?7, white_elo = ?8, black_elo = ?9, eco = ?10, tag_order_id = ?11,
        result = coalesce(?12, result), address = ?13 WHERE id = ?1";
    connection.prepare_cached(update_game)?.execute(params![
        game,
        event_id,
        site_id,
        columns.date,
        columns.round,
        white_id,
        black_id,
        columns.white_elo,
        columns.black_elo,
        columns.eco,
        order_id,
        result,
        address,
    ])?;

    write_other_tags(connection, game, json)
}

/// Writes the JSON text of the tags without a column.
fn write_other_tags(connection: &Connection, game: i64, json: String) -> rusqlite::Result<()> {
    // A game whose tags all have columns has NULL.
    let other_tags = Some(json).filter(|json| !json.is_empty());
    let update_tags = "UPDATE movetext SET tags = ?2 WHERE game_id = ?1 AND tags IS NOT ?2";
    let mut update = connection.prepare_cached(update_tags)?;
    update.execute(params![game, other_tags])?;
    Ok(())
}

/// The number of a name, which is inserted if it is new.
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
    let number = connection.prepare_cached(&insert)?.insert([name])?;
    Ok(Some(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_replaced_appended_and_removed() {
        let mut tags = vec![TagPair::new("Event", "?"), TagPair::new("White", "Tal")];
        set_tag(&mut tags, "Event", Some("Riga"));
        set_tag(&mut tags, "Site", Some("LAT"));
        set_tag(&mut tags, "White", None);
        set_tag(&mut tags, "Black", None);
        // The column has the result.
        set_tag(&mut tags, RESULT, Some("1-0"));

        let expected = [TagPair::new("Event", "Riga"), TagPair::new("Site", "LAT")];
        assert_eq!(tags, expected);
    }
}
