//! The conditions of a filter on the values of the column store.

use std::ops::RangeInclusive;

use rusqlite::{Connection, params};

use super::{Filter, NameNumbers, NameQuery, QualityFilter, site};
use crate::columns::{Column, ColumnStore, GameFlags, NameKind, eco_code, tag_signature};
use crate::game::PartialDate;
use crate::storage::{GameSet, duplicates, elo_of_tag, split_site};
use crate::store_fault::StoreResult;

/// The games that satisfy all conditions that the column store can decide.
pub(super) fn games(
    connection: &Connection,
    column_store: &ColumnStore<'_>,
    filter: &Filter,
) -> StoreResult<GameSet> {
    let mut games = match site::found_by_address(connection, &filter.site)? {
        Some(mut found) => {
            column_store.retain(&mut found, [Column::GameFlags], |[value]| {
                let flags = GameFlags::from_value(value);
                flags.exists() && filter.has_flags(flags)
            })?;
            found
        }
        None => column_store.games(|flags| filter.has_flags(flags))?,
    };

    // Each step reads its columns only for the blocks in which a game is left.
    retain_names(connection, column_store, filter, &mut games)?;
    retain_dates(column_store, filter, &mut games)?;
    retain_ratings(column_store, filter, &mut games)?;
    retain_winner(column_store, filter, &mut games)?;
    if !filter.eco.is_empty() {
        column_store.retain(&mut games, [Column::Eco], |[eco]| filter.has_eco(eco))?;
    }
    if filter.plies.is_some() {
        let has_plies = |[plies]: [u64; 1]| filter.has_plies(plies);
        column_store.retain(&mut games, [Column::Plies], has_plies)?;
    }
    if !filter.quality.is_empty() {
        let has_quality = |values| filter.quality.holds(values);
        column_store.retain(&mut games, QualityFilter::COLUMNS, has_quality)?;
    }
    retain_tags(connection, column_store, filter, &mut games)?;

    if filter.unique {
        for game in duplicates(connection)?.iter() {
            games.remove(game);
        }
    }
    Ok(games)
}

/// Retains the games with the names of players, events, sites and openings. Each name must match, so the games are
/// filtered once for each name.
fn retain_names(
    connection: &Connection,
    column_store: &ColumnStore<'_>,
    filter: &Filter,
    games: &mut GameSet,
) -> StoreResult<()> {
    for name in &filter.players {
        let named = name.numbers(connection, NameKind::Player)?;
        let columns = [Column::White, Column::Black];
        column_store.retain(games, columns, |[white, black]| {
            named.contains(&white) || named.contains(&black)
        })?;
    }

    for (column, kind, queries) in [
        (Column::White, NameKind::Player, &filter.white),
        (Column::Black, NameKind::Player, &filter.black),
        (Column::Event, NameKind::Event, &filter.event),
        (Column::Opening, NameKind::Opening, &filter.openings),
    ] {
        for name in queries {
            let named = name.numbers(connection, kind)?;
            column_store.retain(games, [column], |[number]| named.contains(&number))?;
        }
    }

    for name in &filter.site {
        site::retain(connection, column_store, name, games)?;
    }
    Ok(())
}

/// Retains the games whose date is within the bounds.
fn retain_dates(
    column_store: &ColumnStore<'_>,
    filter: &Filter,
    games: &mut GameSet,
) -> StoreResult<()> {
    if filter.since.is_none() && filter.until.is_none() {
        return Ok(());
    }

    // Most blocks have games of few days, so their bounds exclude most blocks.
    let may_hold = |[dates]: [RangeInclusive<u64>; 1]| filter.may_have_date(&dates);
    let holds = |[date]: [u64; 1]| filter.has_date(date);

    column_store.retain_bounded(games, [Column::Date], may_hold, holds)
}

/// Retains the games whose ratings are within the bounds.
fn retain_ratings(
    column_store: &ColumnStore<'_>,
    filter: &Filter,
    games: &mut GameSet,
) -> StoreResult<()> {
    let Filter {
        elo,
        white_elo,
        black_elo,
        mean_elo,
        ..
    } = filter;
    let has_bounds = [elo, white_elo, black_elo, mean_elo]
        .iter()
        .any(|bounds| bounds.is_some());
    if !has_bounds && filter.mean_elo_groups.is_empty() {
        return Ok(());
    }

    let columns = [Column::WhiteElo, Column::BlackElo];
    column_store.retain(games, columns, |[white, black]| {
        filter.has_ratings(white, black)
    })
}

/// Retains the games that the required player has won, by the ratings of both.
fn retain_winner(
    column_store: &ColumnStore<'_>,
    filter: &Filter,
    games: &mut GameSet,
) -> StoreResult<()> {
    if filter.winner.is_none() {
        return Ok(());
    }

    let columns = [Column::GameFlags, Column::WhiteElo, Column::BlackElo];
    column_store.retain(games, columns, |[flags, white, black]| {
        let result = GameFlags::from_value(flags).result();
        filter.has_winner(result, white, black)
    })
}

/// Retains the games that may have the tags. A game's tag order has the names of its tags, and its signature covers the
/// values.
fn retain_tags(
    connection: &Connection,
    column_store: &ColumnStore<'_>,
    filter: &Filter,
    games: &mut GameSet,
) -> StoreResult<()> {
    for tag in &filter.tags {
        let orders = orders_with(connection, tag.name(), 1)?;
        column_store.retain(games, [Column::TagOrder], |[order]| orders.contains(&order))?;

        let Some(value) = tag.exact_value() else {
            continue;
        };
        retain_in_column(connection, column_store, (tag.name(), value), games)?;

        // The signature is a Bloom filter: a game that lacks a bit does not have the pair.
        if let Some(bits) = tag_signature(tag.name(), value) {
            column_store.retain(games, [Column::Tags], |[signature]| {
                signature & bits == bits
            })?;
        }
    }
    Ok(())
}

/// Retains the games whose column for a tag may have the value of the tag. The column has only the first value of a
/// repeated tag.
fn retain_in_column(
    connection: &Connection,
    column_store: &ColumnStore<'_>,
    (tag, text): (&str, &str),
    games: &mut GameSet,
) -> StoreResult<()> {
    let is_address = tag == "Site" && split_site(text).1.is_some();
    if is_address {
        return retain_at_address(connection, column_store, text, games);
    }
    let Some(column) = column_of_tag(tag) else {
        return Ok(());
    };

    let values = match column {
        Column::White | Column::Black => exact_numbers(connection, NameKind::Player, text)?,
        Column::Event => exact_numbers(connection, NameKind::Event, text)?,
        Column::Site => exact_numbers(connection, NameKind::Site, text)?,
        _ => match value_of_text(column, text) {
            Some(value) => NameNumbers::from_iter([value]),
            // A rating that the column cannot represent is only in the texts of tags.
            None => return Ok(()),
        },
    };

    let repeated = orders_with(connection, tag, 2)?;
    column_store.retain(games, [column, Column::TagOrder], |[value, order]| {
        values.contains(&value) || repeated.contains(&order)
    })
}

/// The column that has the values of a tag.
fn column_of_tag(tag: &str) -> Option<Column> {
    match tag {
        "White" => Some(Column::White),
        "Black" => Some(Column::Black),
        "Event" => Some(Column::Event),
        "Site" => Some(Column::Site),
        "ECO" => Some(Column::Eco),
        "Date" => Some(Column::Date),
        "WhiteElo" => Some(Column::WhiteElo),
        "BlackElo" => Some(Column::BlackElo),
        _ => None,
    }
}

/// The value that a column has for the text of a tag; `None` for a text that is no rating.
fn value_of_text(column: Column, text: &str) -> Option<u64> {
    match column {
        Column::Eco => Some(eco_code(text).into()),
        Column::Date => {
            let date = PartialDate::from_tag(text);
            Some(date.map_or(0, PartialDate::code).into())
        }
        _ => elo_of_tag(text).map(u64::from),
    }
}

/// The numbers of the names that equal a text. Other spellings of these names are not included.
fn exact_numbers(
    connection: &Connection,
    kind: NameKind,
    text: &str,
) -> rusqlite::Result<NameNumbers> {
    let name = NameQuery {
        text: text.to_owned(),
        is_exact: true,
    };
    name.numbers_as_written(connection, kind)
}

/// Retains the games whose site may be the address of a game.
fn retain_at_address(
    connection: &Connection,
    column_store: &ColumnStore<'_>,
    address: &str,
    games: &mut GameSet,
) -> StoreResult<()> {
    let mut found = site::games_at(connection, address)?;
    found.intersect(games);

    // The value of a repeated tag may be any of its values, which `Check` compares.
    let repeated = orders_with(connection, "Site", 2)?;
    column_store.retain(games, [Column::TagOrder], |[order]| {
        repeated.contains(&order)
    })?;

    for game in found.iter() {
        games.insert(game);
    }
    Ok(())
}

/// The tag orders that contain a name at least `times` times.
fn orders_with(connection: &Connection, name: &str, times: u32) -> rusqlite::Result<NameNumbers> {
    // Other programs may write a text that is no JSON, which would end the query with an error.
    let sql = "SELECT id FROM tag_order
        WHERE ?2 <= (SELECT count(*) FROM json_tree(CASE WHEN json_valid(names) THEN names ELSE '[]' END)
            WHERE json_tree.type = 'text' AND json_tree.value = ?1)";
    let mut select = connection.prepare_cached(sql)?;
    let orders = select.query_map(params![name, times], |row| {
        let order: i64 = row.get(0)?;
        Ok(order.cast_unsigned())
    })?;
    orders.collect()
}
