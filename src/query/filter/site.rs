//! Games by their sites, and by the ids that they have at their addresses.
//!
//! A query in words matches a site that has all of them. It also matches a game whose id begins with one of them, if all
//! are in its site or in the tag that has the id, such as `Link`.

use rusqlite::{Connection, params};

use super::NameQuery;
use crate::columns::{Column, ColumnStore, NameKind, NameMatcher, exact_names};
use crate::storage::{GameId, GameSet, address_of, linked, split_site};
use crate::store_fault::StoreResult;

/// Keeps the games at a site.
pub(super) fn retain(
    connection: &Connection,
    column_store: &ColumnStore<'_>,
    name: &NameQuery,
    games: &mut GameSet,
) -> StoreResult<()> {
    let mut found = by_address(connection, name)?;
    found.intersect(games);
    let numbers = name.numbers(connection, NameKind::Site)?;
    column_store.retain(games, [Column::Site], |[number]| numbers.contains(&number))?;
    if name.is_exact && !games.is_empty() {
        for site in exact_names(&name.text) {
            continued(connection, site)?
                .into_iter()
                .for_each(|game| games.remove(GameId::new(game)));
        }
    }
    found.iter().for_each(|game| games.insert(game));
    Ok(())
}

/// The games of the first query that no site matches without the id of a game: they are few, and found by an index.
pub(super) fn found_by_address(
    connection: &Connection,
    names: &[NameQuery],
) -> rusqlite::Result<Option<GameSet>> {
    for name in names {
        if name.numbers(connection, NameKind::Site)?.is_empty() {
            return by_address(connection, name).map(Some);
        }
    }
    Ok(None)
}

/// `true` if a game is found by its address.
#[cfg(feature = "program")]
pub(crate) fn has_address(connection: &Connection, name: &NameQuery) -> rusqlite::Result<bool> {
    Ok(!by_address(connection, name)?.is_empty())
}

/// The games with an address that a query matches; those whose site matches without it may be missing.
fn by_address(connection: &Connection, name: &NameQuery) -> rusqlite::Result<GameSet> {
    if name.is_exact {
        let mut games = GameSet::default();
        for site in exact_names(&name.text) {
            at(connection, site)?
                .iter()
                .for_each(|game| games.insert(game));
        }
        return Ok(games);
    }
    let matcher = NameMatcher::new(NameKind::Site, &name.text, false)?;
    let mut games = GameSet::default();
    for begin in matcher.ascii_words() {
        for game in with_prefix(connection, begin)? {
            let is_found = matcher.is_one_word() || is_at(connection, &matcher, GameId::new(game))?;
            if is_found {
                games.insert(GameId::new(game));
            }
        }
    }
    Ok(games)
}

/// The games whose site is this address.
pub(super) fn at(connection: &Connection, site: &str) -> rusqlite::Result<GameSet> {
    let (common, Some(id)) = split_site(site) else {
        return Ok(GameSet::default());
    };
    let sql = "SELECT game.id FROM game CROSS JOIN site ON site.id = game.site_id
        WHERE game.address = ?1 AND game.address = ?1 COLLATE BINARY AND site.name = ?2";
    let mut select = connection.prepare_cached(sql)?;
    let games = select.query_map([id, common], |row| row.get(0))?;
    games.collect()
}

/// The games whose site continues a text by an id.
fn continued(connection: &Connection, site: &str) -> rusqlite::Result<Vec<i64>> {
    if !site.ends_with('/') {
        return Ok(Vec::new());
    }
    let sql = "SELECT game.id FROM site CROSS JOIN game ON game.site_id = site.id
        WHERE site.name = ?1 AND game.address IS NOT NULL";
    let mut select = connection.prepare_cached(sql)?;
    let games = select.query_map([site], |row| row.get(0))?;
    games.collect()
}

/// The games whose id begins with a text, in lower or upper case.
fn with_prefix(connection: &Connection, begin: &str) -> rusqlite::Result<Vec<i64>> {
    let sql = "SELECT id FROM game WHERE address BETWEEN ?1 AND ?1 || char(127)";
    let mut select = connection.prepare_cached(sql)?;
    let games = select.query_map(params![begin], |row| row.get(0))?;
    games.collect()
}

/// `true` if all words of a query are in the site of a game or in the tag that has its id.
fn is_at(connection: &Connection, matcher: &NameMatcher, game: GameId) -> rusqlite::Result<bool> {
    let Some((site, tags)) = address_of(connection, game.get())? else {
        return Ok(false);
    };
    if site.as_deref().is_some_and(|site| matcher.matches(site)) {
        return Ok(true);
    }
    Ok(linked(&tags, site.as_deref())
        .is_some_and(|link| matcher.matches_link(site.as_deref(), link)))
}
