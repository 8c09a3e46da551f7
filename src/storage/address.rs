//! Addresses of games: sites such as `https://lichess.org/7fTxzgpb`, which differ from game to game.
//!
//! The common part of such sites is one row of `site`; the rest, the game's own id, is in `game.address`. If the site
//! of a game is not its address, `game.address` has the id from its tag `Link`, `GameId` or a similar one.
//! `docs/database.md` specifies both.

use rusqlite::{Connection, OptionalExtension};

use super::cell::owned_text_cell;
use super::{GameId, other_tags, text_cell};
use crate::game::{TagPair, tag_value};

/// Tags with the address or the id of a game, in order of preference.
const ADDRESS_TAGS: [&str; 6] = [
    "GameId",
    "LichessId",
    "LichessURL",
    "Link",
    "GameURL",
    "FICSGamesDBGameNo",
];

/// The maximum length of an id.
const MAX_LETTERS: usize = 64;
/// The minimum length of an id in a tag for it.
const MIN_LETTERS: usize = 4;
/// The minimum length of an id in a site that has digits only: shorter ones are often a year or the number of an event.
const MIN_DIGITS: usize = 5;
/// The minimum length of an id in a site that has letters and digits.
const MIN_MIXED: usize = 6;

/// The common part of the addresses of games at Lichess, whose ids may lack digits, and the lengths of the ids.
const LICHESS: &str = "https://lichess.org/";
const LICHESS_LETTERS: [usize; 2] = [8, 12];

/// The last character of the common part of the addresses of many games. Only a site with this end may be followed by
/// an id in `game.address`.
const END: char = '/';

/// The site of a game as written, in SQL over the tables `game` and `site`.
macro_rules! site_of_game {
    () => {
        "CASE substr(site.name, -1) WHEN '/' THEN site.name || coalesce(game.address, '')
        ELSE site.name END"
    };
}
pub(super) use site_of_game;

/// Divides a site into the part that many games may have, and the id of the game. The answer depends on the text alone,
/// and the parts joined are the site.
///
/// An id is the part of an http address after the last slash. It has letters and digits only, and is neither like a
/// word nor like a year. A site with a NUL has no id.
pub(crate) fn split_site(site: &str) -> (&str, Option<&str>) {
    match id_of_site(site) {
        Some(id) => (&site[..site.len() - id.len()], Some(id)),
        None => (site, None),
    }
}

/// The id at the end of a site; `None` if the site has none.
fn id_of_site(site: &str) -> Option<&str> {
    // SQL functions end a text at a NUL, and would not see a slash after it.
    if site.contains('\0') {
        return None;
    }
    let page = site
        .strip_prefix("https://")
        .or_else(|| site.strip_prefix("http://"))?;
    let (host, id) = page.rsplit_once(END)?;
    if host.is_empty() || !is_alphanumeric(id) {
        return None;
    }

    let digits = id.bytes().filter(u8::is_ascii_digit).count();
    let min_length = if digits == id.len() {
        MIN_DIGITS
    } else {
        MIN_MIXED
    };
    // A text without a digit is a word, such as the last part of `https://example.org/tournament`.
    let looks_like_id = digits > 0 && id.len() >= min_length;

    let is_of_lichess = site.strip_prefix(LICHESS) == Some(id);
    let is_lichess_id = is_of_lichess && LICHESS_LETTERS.contains(&id.len());
    (looks_like_id || is_lichess_id).then_some(id)
}

/// `true` for a text of letters and digits that is one word for FTS5.
fn is_alphanumeric(id: &str) -> bool {
    id.len() <= MAX_LETTERS && id.bytes().all(|letter| letter.is_ascii_alphanumeric())
}

/// The id in the value of a tag for it, such as `123456` of `https://www.chess.com/game/live/123456`.
fn id_of_tag(value: &str) -> Option<&str> {
    let id = match value.rsplit_once(END) {
        Some((_, id)) => id,
        None => value,
    };
    let is_id = id.len() >= MIN_LETTERS && is_alphanumeric(id);
    is_id.then_some(id)
}

/// The id of a game that is in a tag and not in the site, and the value of this tag.
pub(crate) fn id_in_tags<'t>(
    tags: &'t [TagPair<'_>],
    site: Option<&str>,
) -> Option<(&'t str, &'t str)> {
    if let Some(site) = site {
        // A site with this end, which SQL also sees before a NUL, would be continued by the id.
        let is_continued = site.ends_with(END) || site.contains('\0');
        if is_continued || id_of_site(site).is_some() {
            return None;
        }
    }

    for name in ADDRESS_TAGS {
        if let Some(value) = tag_value(tags, name)
            && let Some(id) = id_of_tag(value)
        {
            return Some((id, value));
        }
    }
    None
}

/// The values of the columns for the site of a game and its address.
pub(crate) fn site_and_address<'t>(
    tags: &'t [TagPair<'_>],
    site: Option<&'t str>,
) -> (Option<&'t str>, Option<&'t str>) {
    if let Some((common, Some(id))) = site.map(split_site) {
        return (Some(common), Some(id));
    }
    match id_in_tags(tags, site) {
        Some((id, _)) => (site, Some(id)),
        None => (site, None),
    }
}

/// The first game whose site is the common part followed by the id.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn game_with_site(
    connection: &Connection,
    common: &str,
    id: &str,
) -> rusqlite::Result<Option<GameId>> {
    // The index ignores the case of letters.
    let sql = "SELECT game.id FROM game JOIN site ON site.id = game.site_id
        WHERE game.address = ?2 AND game.address = ?2 COLLATE BINARY AND site.name = ?1
        ORDER BY game.id LIMIT 1";
    let mut select = connection.prepare_cached(sql)?;
    select.query_row([common, id], |row| row.get(0)).optional()
}

/// The site of a game, if any, and its tags without a column; `None` if there is no such game.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn address_of(
    connection: &Connection,
    game: i64,
) -> rusqlite::Result<Option<(Option<String>, Vec<TagPair<'static>>)>> {
    let sql = concat!(
        "SELECT ",
        site_of_game!(),
        ", movetext.tags, tag_order.names FROM game
        LEFT JOIN movetext ON movetext.game_id = game.id
        LEFT JOIN tag_order ON tag_order.id = game.tag_order_id
        LEFT JOIN site ON site.id = game.site_id WHERE game.id = ?1"
    );

    let mut select = connection.prepare_cached(sql)?;
    let found = select.query_row([game], |row| {
        let site = owned_text_cell(row, 0)?;
        let json = text_cell(row, 1)?;
        let order = text_cell(row, 2)?;
        Ok((site, other_tags(json, order)))
    });
    found.optional()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    macro_rules! splits {
        ($($name:ident: $site:expr => $common:expr, $id:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(split_site($site), ($common, $id));
            }
        )*};
    }

    splits! {
        lichess: "https://lichess.org/7fTxzgpb" => "https://lichess.org/", Some("7fTxzgpb");
        a_nul: "https://lichess\0.org/7fTxzgpb" => "https://lichess\0.org/7fTxzgpb", None;
        lichess_without_digits: "https://lichess.org/practice" => "https://lichess.org/", Some("practice");
        lichess_for_a_player: "https://lichess.org/7fTxzgpbabCD" => "https://lichess.org/", Some("7fTxzgpbabCD");
        chess_com: "https://www.chess.com/game/live/123456" => "https://www.chess.com/game/live/", Some("123456");
        unsafe_http: "http://example.org/g/x1y2z3" => "http://example.org/g/", Some("x1y2z3");
        a_host: "https://lichess.org" => "https://lichess.org", None;
        a_host_of_digits: "https://12345678" => "https://12345678", None;
        no_host: "https:///12345678" => "https:///12345678", None;
        a_slash_at_the_end: "https://lichess.org/" => "https://lichess.org/", None;
        a_year: "https://example.org/tournaments/2024" => "https://example.org/tournaments/2024", None;
        a_word: "https://example.org/tournament" => "https://example.org/tournament", None;
        a_side: "https://lichess.org/7fTxzgpb/black" => "https://lichess.org/7fTxzgpb/black", None;
        a_ply: "https://lichess.org/7fTxzgpb#12" => "https://lichess.org/7fTxzgpb#12", None;
        a_slug: "https://example.org/open-2024-round-1" => "https://example.org/open-2024-round-1", None;
        a_place: "London/7fTxzgpb" => "London/7fTxzgpb", None;
        another_letter: "https://lichess.org/7fTxzgpé" => "https://lichess.org/7fTxzgpé", None;
        nothing: "" => "", None;
    }

    fn address(tags: &[(&str, &str)]) -> Option<String> {
        let tags: Vec<TagPair<'_>> = tags
            .iter()
            .map(|&(name, value)| TagPair::new(name, value))
            .collect();
        let site = tag_value(&tags, "Site");

        let (_, address) = site_and_address(&tags, site);
        address.map(str::to_owned)
    }

    #[test]
    fn the_id_is_in_the_site_or_in_the_first_tag_for_it() {
        let link = ("Link", "https://www.chess.com/game/live/123456");
        let id = |id: &str| Some(id.to_owned());
        assert_eq!(address(&[("Site", "Chess.com"), link]), id("123456"));
        assert_eq!(address(&[link, ("GameId", "abcdEFGH")]), id("abcdEFGH"));
        assert_eq!(address(&[link, ("GameId", "no id")]), id("123456"));
        assert_eq!(
            address(&[("Site", "https://lichess.org/7fTxzgpb"), link]),
            id("7fTxzgpb")
        );

        assert_eq!(address(&[("Site", "https://example.org/"), link]), None);
        assert_eq!(
            address(&[("Site", "Chess.com"), ("Link", "https://example.org/a b")]),
            None
        );
        assert_eq!(address(&[("Site", "?")]), None);
    }

    proptest! {
        #[test]
        fn the_parts_joined_are_the_site(site in "(https?://)?[a-z./]{0,12}[ -~é]{0,16}|.*") {
            let (common, id) = split_site(&site);
            prop_assert_eq!(format!("{common}{}", id.unwrap_or_default()), site.clone());
            prop_assert!(id.is_none() || common.ends_with(END));
            // A common part is no address itself, so that it is split no further when it comes back.
            prop_assert_eq!(split_site(common).1, None);
        }
    }
}
