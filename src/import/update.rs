//! Updates: finds the stored game of which a game of a source is a newer text, and the differences of the texts.
//!
//! Two texts belong to one encounter if they have equal addresses and possibly equal players. If a text has no address,
//! the players, dates, events and rounds must be equal. A game never replaces another game of its own file.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::Path;

use rusqlite::Connection;

use crate::cleaning::names::canonical_round;
use crate::cleaning::twins::SHORT_PLIES;
use crate::columns::words;
use crate::game::PartialDate;
use crate::input::without_compression;
use crate::storage::{
    Differences, GameId, GameRow, StoredEncounter, TextArena, encounter, games_of_players,
    games_with_address,
};

/// The number of first plies that must be equal in both texts of a game, if both texts are that long. Two games of a
/// pair of players rarely have so many equal first plies.
const COMMON_PLIES: usize = 16;

/// The minimum length of a game id that is unique among all sites. Shorter ids may denote different games on different
/// sites.
const MIN_UNIQUE_ID_BYTES: usize = 8;

/// A stored game, and the differences between its text and a newer text of a source.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) id: i64,
    /// The source of the earlier text.
    pub(super) source: i64,
    pub(super) differences: Differences,
    /// The result in the stored text.
    pub(super) result: String,
    /// The number of half-moves in the stored text.
    pub(super) plies: u32,
}

/// The relation of a game of a source to the stored games.
#[derive(Debug)]
pub(super) enum Encounter {
    /// The database has no text of this game.
    New,
    /// The database has one text of this game.
    Known(Target),
    /// Several stored games may be this game, so no stored game is replaced.
    Ambiguous(Vec<GameId>),
}

/// The source that is being read.
#[derive(Debug, Default)]
pub(super) struct CurrentSource {
    pub(super) path: String,
    /// The number of the source and the numbers of the sources that it continues. Their games belong to one file.
    pub(super) parts: Vec<i64>,
    /// The number of the first game of the source.
    pub(super) first_game: i64,
    /// The cut-off last game of the source that this source continues, and the offset where the game begins.
    pub(super) cut_game: Option<(i64, u64)>,
}

impl CurrentSource {
    /// The encounter of each game of a batch, in order. If `replaced` is a stored game, the first game of the batch is
    /// its newer text, whatever the tags are.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn encounters(
        &self,
        connection: &Connection,
        rows: &[GameRow],
        texts: &TextArena,
        mut replaced: Option<i64>,
    ) -> rusqlite::Result<Vec<Encounter>> {
        // The rows of this batch are not stored yet, so the games that the batch replaces are tracked here.
        let mut updated_ids = HashSet::new();
        let mut encounters = Vec::with_capacity(rows.len());

        for row in rows {
            let replaced_game = match replaced.take() {
                Some(game) => encounter(connection, game)?,
                None => None,
            };
            let row_encounter = match replaced_game {
                Some(game) => Encounter::Known(Target::new(&game, row, texts)),
                None => self.encounter(connection, row, texts, &updated_ids)?,
            };

            if let Encounter::Known(target) = &row_encounter {
                updated_ids.insert(target.id);
            }
            encounters.push(row_encounter);
        }
        Ok(encounters)
    }

    /// The encounter of a game. `updated_ids` are the stored games that earlier games of the batch replace.
    fn encounter(
        &self,
        connection: &Connection,
        row: &GameRow,
        texts: &TextArena,
        updated_ids: &HashSet<i64>,
    ) -> rusqlite::Result<Encounter> {
        if let Some((cut_game, place)) = self.cut_game
            && place == row.byte_offset
        {
            // A text at the offset of the cut-off game is the complete text of this game, even if the tags have
            // changed.
            return Ok(match encounter(connection, cut_game)? {
                Some(game) => Encounter::Known(Target::new(&game, row, texts)),
                None => Encounter::New,
            });
        }

        let candidates = self.candidates(connection, row, texts)?;
        let (of_file, of_other_files): (Vec<StoredEncounter>, Vec<StoredEncounter>) = candidates
            .into_iter()
            .partition(|game| self.is_of_file(game, updated_ids));
        if !of_other_files.is_empty() {
            return Ok(self.choose_replaced(of_other_files, row, texts));
        }

        // A stored game that an earlier game of this file has updated may also be this game, so the encounter is
        // ambiguous.
        let updated: Vec<GameId> = of_file
            .iter()
            .filter(|game| game.id < self.first_game)
            .map(|game| GameId::new(game.id))
            .collect();
        if updated.is_empty() {
            Ok(Encounter::New)
        } else {
            Ok(Encounter::Ambiguous(updated))
        }
    }

    /// `true` if a stored game belongs to the file that is being read. Another game of the file never replaces it.
    fn is_of_file(&self, game: &StoredEncounter, updated_ids: &HashSet<i64>) -> bool {
        let is_updated = updated_ids.contains(&game.id);
        let is_of_source = self.parts.contains(&game.source);
        let is_cut_game = match self.cut_game {
            Some((cut_game, _)) => cut_game == game.id,
            None => false,
        };
        is_updated || is_of_source || is_cut_game
    }

    /// Chooses which of the stored games of an encounter, from other files, a game replaces.
    fn choose_replaced(
        &self,
        mut games: Vec<StoredEncounter>,
        row: &GameRow,
        texts: &TextArena,
    ) -> Encounter {
        let identical = games
            .iter()
            .position(|game| game.differences(row, texts).are_none());
        if let Some(identical) = identical {
            return Encounter::Known(Target::new(&games[identical], row, texts));
        }

        let has_earlier_file = games.iter().any(|game| self.has_file_name_of(game));
        if games.len() > 1 && has_earlier_file {
            // An earlier version of the file has the games in an equal order, so the first game that is left is chosen.
            // If several versions have it at one offset, the game of the latest version is chosen.
            games.retain(|game| self.has_file_name_of(game));
            games.sort_by_key(|game| (game.byte_offset, Reverse(game.source)));
            games.truncate(1);
        }

        // A file with another name may have another game of both players, such as a blitz game at the address of the
        // round, or an earlier state of this game. So the moves decide.
        if let [game] = &games[..] {
            let is_newer = self.has_file_name_of(game) || continues_moves(game, row, texts);
            if is_newer {
                return Encounter::Known(Target::new(game, row, texts));
            }
        }

        let ids = games.iter().map(|game| GameId::new(game.id));
        Encounter::Ambiguous(ids.collect())
    }

    /// The stored games that belong to the encounter of a game: by its address, otherwise by its players.
    fn candidates(
        &self,
        connection: &Connection,
        row: &GameRow,
        texts: &TextArena,
    ) -> rusqlite::Result<Vec<StoredEncounter>> {
        if let Some(address) = texts.get(row.address) {
            let mut games = games_with_address(connection, address)?;
            games.retain(|game| has_same_address(game, address, row, texts));
            if !games.is_empty() {
                return Ok(games);
            }
        }

        let white = known_value(texts.get(row.white));
        let black = known_value(texts.get(row.black));
        let (Some(white), Some(black)) = (white, black) else {
            return Ok(Vec::new());
        };

        let mut games = games_of_players(connection, white, black, texts.get(row.date))?;
        let has_address = texts.get(row.address).is_some();
        games.retain(|game| {
            // Two different addresses are two games, unless their texts are equal.
            let has_other_address = has_address && game.address.is_some();
            let is_same_game = !has_other_address && self.is_same_game(game, row, texts);
            is_same_game || game.differences(row, texts).are_none()
        });
        Ok(games)
    }

    /// `true` if the source of a game has the file name of the current source, in any folder. The source is then
    /// probably an earlier version of the file.
    fn has_file_name_of(&self, game: &StoredEncounter) -> bool {
        file_name(&game.path) == file_name(&self.path)
    }

    /// `true` if two games with equal players and dates have equal events and rounds. If an event or a round is
    /// unknown, the games must also begin with equal moves, and have a whole date or belong to one file.
    fn is_same_game(&self, game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> bool {
        match (
            equal_events(game, row, texts),
            equal_rounds(game, row, texts),
        ) {
            (Some(false), _) | (_, Some(false)) => return false,
            (Some(true), Some(true)) => return true,
            _ => {}
        }

        let has_day = texts.get(row.date).and_then(day).is_some();
        let is_near = has_day || self.has_file_name_of(game);
        is_near && begins_with_equal_moves(game, row, texts)
    }
}

impl Target {
    /// The target for a new text of a stored game.
    fn new(game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> Target {
        Target {
            id: game.id,
            source: game.source,
            differences: game.differences(row, texts),
            result: game.result.clone(),
            plies: game.plies,
        }
    }
}

/// The file name of a path, without the extension of a compression.
fn file_name(path: &str) -> &str {
    let name = Path::new(path)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(path);
    without_compression(name)
}

/// The value of a tag, unless it is missing, unknown (`?`) or not applicable (`-`, PGN §8.1.1).
fn known_value(value: Option<&str>) -> Option<&str> {
    let value = value?.trim();
    let is_known = !matches!(value, "" | "?" | "-");
    is_known.then_some(value)
}

/// `true` if two games have equal addresses and possibly equal players. The players are compared because all games of a
/// round may have one address.
fn has_same_address(
    game: &StoredEncounter,
    address: &str,
    row: &GameRow,
    texts: &TextArena,
) -> bool {
    // The index ignores the case of letters.
    if game.address.as_deref() != Some(address) {
        return false;
    }

    let stored_site = game.site.as_deref().and_then(common_site);
    let new_site = texts.get(row.site).and_then(common_site);
    // `address` is only the id of the game, without the common part of the site. Two sites may use equal short ids.
    let is_at_site = match (stored_site, new_site) {
        (Some(stored), Some(new)) => stored == new,
        _ => {
            let is_unique = address.len() >= MIN_UNIQUE_ID_BYTES;
            is_unique || equal_events(game, row, texts) == Some(true)
        }
    };

    is_at_site
        && may_be_one_player(game.white.as_deref(), texts.get(row.white))
        && may_be_one_player(game.black.as_deref(), texts.get(row.black))
}

/// The address of a site without its scheme, if it is the common part of the addresses of many games; otherwise `None`.
fn common_site(site: &str) -> Option<&str> {
    let page = site
        .strip_prefix("https://")
        .or_else(|| site.strip_prefix("http://"))?;
    page.ends_with('/').then_some(page)
}

/// `true` if two names may denote one player: a name is unknown, or both names have a common word.
fn may_be_one_player(stored: Option<&str>, new: Option<&str>) -> bool {
    let (Some(stored), Some(new)) = (known_value(stored), known_value(new)) else {
        return true;
    };

    let stored_words = words(stored);
    let new_words = words(new);
    stored_words == new_words || stored_words.iter().any(|word| new_words.contains(word))
}

/// `true` if both texts have a whole date, and the dates differ.
fn has_other_day(game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> bool {
    let stored = game.date.as_deref().and_then(day);
    let new = texts.get(row.date).and_then(day);
    stored.is_some() && new.is_some() && stored != new
}

/// The date of a tag value that has a day.
fn day(text: &str) -> Option<PartialDate> {
    PartialDate::from_tag(text).filter(|date| date.is_day())
}

/// `true` if both texts have equal rounds; `None` if a round is unknown.
fn equal_rounds(game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> Option<bool> {
    let stored = known_value(game.round.as_deref())?;
    let new = known_value(texts.get(row.round))?;
    Some(canonical_round(stored) == canonical_round(new))
}

/// `true` if both texts have equal events; `None` if an event is unknown.
fn equal_events(game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> Option<bool> {
    let stored = known_value(game.event.as_deref())?;
    let new = known_value(texts.get(row.event))?;
    Some(words(stored) == words(new))
}

/// `true` if a text in a file with another name may replace a stored text. The first moves must be equal, and the new
/// moves must not be only a beginning of the stored moves.
fn continues_moves(game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> bool {
    let moves = texts.get(row.moves).unwrap_or_default();
    let stored: Vec<&str> = game.moves.split_ascii_whitespace().collect();
    let new: Vec<&str> = moves.split_ascii_whitespace().collect();

    // A text with fewer moves than the stored text was cut off, or is an earlier state of the game.
    let is_beginning = new.len() < stored.len() && stored.starts_with(&new);
    if is_beginning {
        return false;
    }

    // All games of a round may have one address. If day or round differ, a few equal moves do not prove that both texts
    // are one game.
    let compared = stored.len().min(new.len()).min(COMMON_PLIES);
    let has_other_round = equal_rounds(game, row, texts) == Some(false);
    let is_elsewhere = has_other_round || has_other_day(game, row, texts);
    if is_elsewhere && compared < COMMON_PLIES {
        return false;
    }

    stored[..compared] == new[..compared]
}

/// `true` if the first moves are equal, or the stored game is an unfinished beginning of the new text.
fn begins_with_equal_moves(game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> bool {
    let stored = first_moves(&game.moves);
    let new = first_moves(texts.get(row.moves).unwrap_or_default());
    if stored.is_empty() {
        return false;
    }

    let is_unfinished = game.result == "*" && stored.len() < SHORT_PLIES as usize;
    let is_continued = is_unfinished && new.starts_with(&stored);
    is_continued || stored == new
}

/// The first moves of a game, which distinguish most games.
fn first_moves(moves: &str) -> Vec<&str> {
    moves
        .split_ascii_whitespace()
        .take(SHORT_PLIES as usize)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_may_be_one_player_by_a_common_word() {
        let rows = [
            ("Carlsen, Magnus", "CARLSEN,M", true),
            ("Réti, Richard", "Reti", true),
            ("Tal, Mikhail", "Petrosian, Tigran", false),
            ("?", "Tal, Mikhail", true),
            ("-", "?", true),
        ];
        for (stored, new, is_one_player) in rows {
            let found = may_be_one_player(Some(stored), Some(new));
            assert_eq!(found, is_one_player, "{stored} and {new}");
        }
        assert!(may_be_one_player(None, Some("Tal, Mikhail")));
    }

    #[test]
    fn a_common_site_ends_with_a_slash() {
        let rows = [
            ("https://lichess.org/", Some("lichess.org/")),
            ("http://lichess.org/", Some("lichess.org/")),
            ("https://lichess.org/abcdefgh", None),
            ("lichess.org/", None),
            ("London", None),
        ];
        for (site, common) in rows {
            assert_eq!(common_site(site), common, "{site}");
        }
    }

    #[test]
    fn a_compressed_file_has_the_name_of_the_plain_file() {
        let rows = [
            ("old/games.pgn.zst", "games.pgn"),
            ("new/games.pgn", "games.pgn"),
            ("games.pgn.gz", "games.pgn"),
            ("a.zip/dir/games.pgn", "games.pgn"),
            ("games.zip", "games.zip"),
        ];
        for (path, name) in rows {
            assert_eq!(file_name(path), name);
        }
    }
}
