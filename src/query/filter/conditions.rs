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
        Some(mut games) => {
            column_store.retain(&mut games, [Column::GameFlags], |[flags]| {
                let flags = GameFlags::from_value(flags);
                flags.exists() && filter.has_flags(flags)
            })?;
            games
        }
        None => column_store.games(|flags| filter.has_flags(flags))?,
    };

    // Each step reads its columns only for the blocks in which a game is left.
    names(connection, column_store, filter, &mut games)?;
    dates(column_store, filter, &mut games)?;
    ratings(column_store, filter, &mut games)?;
    winner(column_store, filter, &mut games)?;
    if !filter.eco.is_empty() {
        column_store.retain(&mut games, [Column::Eco], |[eco]| filter.has_eco(eco))?;
    }
    if filter.plies.is_some() {
        column_store.retain(&mut games, [Column::Plies], |[plies]| {
            filter.has_plies(plies)
        })?;
    }
    if !filter.quality.is_empty() {
        let holds = |values| filter.quality.holds(values);
        column_store.retain(&mut games, QualityFilter::COLUMNS, holds)?;
    }
    tags(connection, column_store, filter, &mut games)?;

    if filter.unique {
        for game in duplicates(connection)?.iter() {
            games.remove(game);
        }
    }
    Ok(games)
}

fn names(
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

fn dates(column_store: &ColumnStore<'_>, filter: &Filter, games: &mut GameSet) -> StoreResult<()> {
    if filter.since.is_none() && filter.until.is_none() {
        return Ok(());
    }

    // Most blocks have games of few days, so their bounds rule out most of them.
    let may_hold = |[dates]: [RangeInclusive<u64>; 1]| filter.may_have_date(&dates);
    let holds = |[date]: [u64; 1]| filter.has_date(date);
    column_store.retain_bounded(games, [Column::Date], may_hold, holds)
}

fn ratings(
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

fn winner(column_store: &ColumnStore<'_>, filter: &Filter, games: &mut GameSet) -> StoreResult<()> {
    if filter.winner.is_none() {
        return Ok(());
    }

    let columns = [Column::GameFlags, Column::WhiteElo, Column::BlackElo];
    column_store.retain(games, columns, |[flags, white, black]| {
        let result = GameFlags::from_value(flags).result();
        filter.has_winner(result, white, black)
    })
}

/// Keeps the games that may have the tags: the names are in their tag order, and the values in their signature.
fn tags(
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
        if let Some(bits) = tag_signature(tag.name(), value) {
            column_store.retain(games, [Column::Tags], |[signature]| {
                signature & bits == bits
            })?;
        }
    }
    Ok(())
}

/// Keeps the games whose column for a tag may have its value. The column has only the first value of a repeated tag.
fn retain_in_column(
    connection: &Connection,
    column_store: &ColumnStore<'_>,
    (tag, text): (&str, &str),
    games: &mut GameSet,
) -> StoreResult<()> {
    let names = |kind| {
        let name = NameQuery {
            text: text.to_owned(),
            is_exact: true,
        };
        name.numbers_as_written(connection, kind)
    };
    let number = |number: u64| NameNumbers::from_iter([number]);
    let date = || PartialDate::from_tag(text).map_or(0, PartialDate::code);
    let elo = || elo_of_tag(text).map(u64::from);

    let (column, values) = match tag {
        "White" => (Column::White, names(NameKind::Player)?),
        "Black" => (Column::Black, names(NameKind::Player)?),
        "Event" => (Column::Event, names(NameKind::Event)?),
        "Site" if split_site(text).1.is_some() => {
            return retain_at_address(connection, column_store, text, games);
        }
        "Site" => (Column::Site, names(NameKind::Site)?),
        "ECO" => (Column::Eco, number(eco_code(text).into())),
        "Date" => (Column::Date, number(date().into())),
        "WhiteElo" => match elo() {
            Some(elo) => (Column::WhiteElo, number(elo)),
            None => return Ok(()),
        },
        "BlackElo" => match elo() {
            Some(elo) => (Column::BlackElo, number(elo)),
            None => return Ok(()),
        },
        _ => return Ok(()),
    };

    let repeated = orders_with(connection, tag, 2)?;
    column_store.retain(games, [column, Column::TagOrder], |[value, order]| {
        values.contains(&value) || repeated.contains(&order)
    })
}

/// Keeps the games whose site may be the address of a game.
fn retain_at_address(
    connection: &Connection,
    column_store: &ColumnStore<'_>,
    address: &str,
    games: &mut GameSet,
) -> StoreResult<()> {
    let mut found = site::at(connection, address)?;
    found.intersect(games);

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
