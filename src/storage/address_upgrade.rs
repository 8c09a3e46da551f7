//! Addresses of the games of an earlier version, which have them in `site` as a whole.

use std::collections::BTreeSet;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::address::{address_tags_in_json, site_and_address, split_site};
use super::checksum::{CheckedTable, ChecksumWriter};
use super::{other_tags, text_cell};

/// The games that are read before some of them are written.
const BATCH_GAMES: i64 = 1 << 14;

/// Divides the sites of all games into what is common and the ids of games, and finds the ids in other tags.
pub(super) fn divide_addresses(connection: &Connection) -> rusqlite::Result<()> {
    // Nothing that the index or a search for duplicates depends on changes.
    let triggers = DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER;
    let were_on = connection.db_config(triggers)?;
    connection.set_db_config(triggers, false)?;
    let sites = divided_sites(connection)?;
    let orders = orders_with_ids(connection)?;
    if !(sites.is_empty() && orders.is_empty()) {
        divide_games(connection, &orders)?;
    }
    if !sites.is_empty() {
        remove_sites(connection, &sites)?;
    }
    connection.set_db_config(triggers, were_on).map(drop)
}

/// The numbers of the sites that are addresses.
fn divided_sites(connection: &Connection) -> rusqlite::Result<BTreeSet<i64>> {
    let mut select = connection.prepare("SELECT id, name FROM site")?;
    let mut rows = select.query([])?;
    let mut sites = BTreeSet::new();
    while let Some(row) = rows.next()? {
        if text_cell(row, 1)?.is_some_and(|site| split_site(site).1.is_some()) {
            sites.insert(row.get(0)?);
        }
    }
    Ok(sites)
}

/// The tag orders with a tag that may have the id of a game.
fn orders_with_ids(connection: &Connection) -> rusqlite::Result<BTreeSet<i64>> {
    let mut select = connection.prepare("SELECT id, names FROM tag_order")?;
    let mut rows = select.query([])?;
    let mut orders = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let names = text_cell(row, 1)?.unwrap_or_default();
        if address_tags_in_json().any(|name| names.contains(&name)) {
            orders.insert(row.get(0)?);
        }
    }
    Ok(orders)
}

/// A game whose row changes.
struct Divided {
    game: i64,
    site: Option<String>,
    address: String,
}

fn divide_games(connection: &Connection, orders: &BTreeSet<i64>) -> rusqlite::Result<()> {
    let sql = "SELECT game.id, site.name, game.tag_order_id, movetext.tags
        FROM game CROSS JOIN movetext ON movetext.game_id = game.id
        LEFT JOIN site ON site.id = game.site_id WHERE game.id > ?1 ORDER BY game.id LIMIT ?2";
    let mut select = connection.prepare(sql)?;
    let mut update =
        connection.prepare("UPDATE game SET site_id = ?2, address = ?3 WHERE id = ?1")?;
    let mut checksums = ChecksumWriter::new(connection)?;
    let mut last = i64::MIN;
    loop {
        let (mut read, mut divided) = (0, Vec::new());
        let mut rows = select.query([last, BATCH_GAMES])?;
        while let Some(row) = rows.next()? {
            (read, last) = (read + 1, row.get(0)?);
            divided.extend(of_row(row, orders)?);
        }
        for Divided { game, site, address } in divided {
            let site = site.map(|site| number_of_site(connection, &site)).transpose()?;
            update.execute(params![game, site, address])?;
            checksums.take_stored(CheckedTable::Game, (game, game))?;
        }
        if read < BATCH_GAMES {
            return checksums.flush();
        }
    }
}

fn of_row(row: &Row<'_>, orders: &BTreeSet<i64>) -> rusqlite::Result<Option<Divided>> {
    let site = text_cell(row, 1)?;
    let order: Option<i64> = row.get(2)?;
    let has_ids = order.is_some_and(|order| orders.contains(&order));
    let tags = if has_ids { other_tags(text_cell(row, 3)?, None) } else { Vec::new() };
    let (site, address) = site_and_address(&tags, site);
    let Some(address) = address else { return Ok(None) };
    Ok(Some(Divided {
        game: row.get(0)?,
        site: site.map(str::to_owned),
        address: address.to_owned(),
    }))
}

fn number_of_site(connection: &Connection, site: &str) -> rusqlite::Result<i64> {
    let select = "SELECT id FROM site WHERE name = ?1";
    let found = connection.prepare_cached(select)?.query_row([site], |row| row.get(0));
    if let Some(number) = found.optional()? {
        return Ok(number);
    }
    connection.prepare_cached("INSERT INTO site (name) VALUES (?1)")?.insert([site])
}

/// Removes the addresses, and describes all games again when the database is next changed.
fn remove_sites(connection: &Connection, sites: &BTreeSet<i64>) -> rusqlite::Result<()> {
    let mut delete = connection.prepare("DELETE FROM site WHERE id = ?1")?;
    sites.iter().try_for_each(|site| delete.execute([site]).map(drop))?;
    connection.execute_batch(
        "INSERT INTO site_text (site_text) VALUES ('rebuild');
        DELETE FROM counter WHERE name = 'catalog_format'",
    )?;
    let mut checksums = ChecksumWriter::new(connection)?;
    checksums.take_stored(CheckedTable::Site, (i64::MIN, i64::MAX))?;
    checksums.flush()
}
