//! Games by their sites, and by the ids in their addresses.
//!
//! A query in words matches a site that has all words. It also matches a game whose id begins with one of the words, if
//! all words are in the game's site or in the tag that has the id, such as `Link`.

use rusqlite::{Connection, params};

use super::NameQuery;
use crate::columns::{Column, ColumnStore, NameKind, NameMatcher, exact_names};
use crate::storage::{GameId, GameSet, address_of, id_in_tags, split_site};
use crate::store_fault::StoreResult;

/// Retains the games at a site.
pub(super) fn retain(
    connection: &Connection,
    column_store: &ColumnStore<'_>,
    name: &NameQuery,
    games: &mut GameSet,
) -> StoreResult<()> {
    // These games are added at the end, since the column has only the common parts of their addresses.
    let mut by_id = by_address(connection, name)?;
    by_id.intersect(games);

    let numbers = name.numbers(connection, NameKind::Site)?;
    column_store.retain(games, [Column::Site], |[number]| numbers.contains(&number))?;

    // The column has the common part of an address, which is not the whole site of a game with an id.
    if name.is_exact && !games.is_empty() {
        for site in exact_names(&name.text) {
            for game in games_continuing(connection, site)? {
                games.remove(GameId::new(game));
            }
        }
    }

    for game in by_id.iter() {
        games.insert(game);
    }
    Ok(())
}

/// The games of the first query that matches no site without the id of a game. These games are few, and an index finds
/// them.
pub(super) fn found_by_address(
    connection: &Connection,
    names: &[NameQuery],
) -> rusqlite::Result<Option<GameSet>> {
    for name in names {
        if name.numbers(connection, NameKind::Site)?.is_empty() {
            let games = by_address(connection, name)?;
            return Ok(Some(games));
        }
    }
    Ok(None)
}

/// `true` if a game is found by its address.
#[cfg(feature = "program")]
pub(crate) fn has_address(connection: &Connection, name: &NameQuery) -> rusqlite::Result<bool> {
    Ok(!by_address(connection, name)?.is_empty())
}

/// The games whose address matches a query. Games whose site matches without the id may be missing.
fn by_address(connection: &Connection, name: &NameQuery) -> rusqlite::Result<GameSet> {
    let mut games = GameSet::default();
    if name.is_exact {
        for site in exact_names(&name.text) {
            for game in games_at(connection, site)?.iter() {
                games.insert(game);
            }
        }
        return Ok(games);
    }

    let matcher = NameMatcher::new(NameKind::Site, &name.text, false)?;
    for begin in matcher.ascii_words() {
        for number in games_with_id_prefix(connection, begin)? {
            let game = GameId::new(number);
            // The id that the index has found begins with the only word, so nothing is left to compare.
            if matcher.is_one_word() || has_words_at_site(connection, &matcher, game)? {
                games.insert(game);
            }
        }
    }
    Ok(games)
}

/// The games whose site is this address.
pub(super) fn games_at(connection: &Connection, site: &str) -> rusqlite::Result<GameSet> {
    let (common, Some(id)) = split_site(site) else {
        return Ok(GameSet::default());
    };

    // The column ignores case, as its index does. An exact query does not, so the id is compared twice.
    let sql = "SELECT game.id FROM game CROSS JOIN site ON site.id = game.site_id
        WHERE game.address = ?1 AND game.address = ?1 COLLATE BINARY AND site.name = ?2";
    let mut select = connection.prepare_cached(sql)?;
    let games = select.query_map([id, common], |row| row.get(0))?;
    games.collect()
}

/// The games whose site is a text followed by an id.
fn games_continuing(connection: &Connection, site: &str) -> rusqlite::Result<Vec<i64>> {
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
fn games_with_id_prefix(connection: &Connection, begin: &str) -> rusqlite::Result<Vec<i64>> {
    // A range, which an index answers. Ids are ASCII letters and digits, so the last character of ASCII ends the range.
    let sql = "SELECT id FROM game WHERE address BETWEEN ?1 AND ?1 || char(127)";
    let mut select = connection.prepare_cached(sql)?;
    let games = select.query_map(params![begin], |row| row.get(0))?;
    games.collect()
}

/// `true` if all words of a query are in the site of a game or in the tag that has its id.
fn has_words_at_site(
    connection: &Connection,
    matcher: &NameMatcher,
    game: GameId,
) -> rusqlite::Result<bool> {
    let Some((address, tags)) = address_of(connection, game.get())? else {
        return Ok(false);
    };
    let site = address.as_deref();
    if site.is_some_and(|site| matcher.matches(site)) {
        return Ok(true);
    }

    let link = id_in_tags(&tags, site);
    Ok(link.is_some_and(|link| matcher.matches_link(site, link)))
}
