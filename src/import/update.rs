//! Updates: which stored game a game of a source is a newer text of, and what differs in it.
//!
//! Two texts are of the same encounter if both have the same address and players who may be the same, or, where one has
//! no address, the same players, date, event and round. A game is never replaced by one of the same file: both are there.

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

/// The half-moves with which both texts of a game begin, if they are so long: enough to tell most games of the same players
/// apart.
const COMMON_PLIES: usize = 16;

/// The fewest letters of an id that no two sites give to different games.
const LONG_ID: usize = 8;

/// A stored game that a game of a source is a newer text of.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) id: i64,
    /// The source of the earlier text.
    pub(super) source: i64,
    pub(super) differences: Differences,
    /// The result and the number of half-moves before.
    pub(super) result: String,
    pub(super) plies: u32,
}

/// What a game of a source is to the database.
#[derive(Debug)]
pub(super) enum Encounter {
    /// The database has no text of this game.
    New,
    /// The database has one text of this game.
    Known(Target),
    /// Each of these stored games may be this game, so none of them is replaced.
    Ambiguous(Vec<GameId>),
}

/// The source that is being read.
#[derive(Debug, Default)]
pub(super) struct CurrentSource {
    pub(super) path: String,
    /// Its number and those of the sources that it continues: their games are of the same file.
    pub(super) parts: Vec<i64>,
    /// The number of its first game.
    pub(super) first_game: i64,
    /// The last game of the source that it continues, if that was cut off, and where it begins.
    pub(super) cut_game: Option<(i64, u64)>,
}

impl CurrentSource {
    /// What each game of a batch is, in its order. The first one is a newer text of the game with the number `replaced`,
    /// if that is given, whatever its tags are.
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
        let mut taken = HashSet::new();
        let mut encounters = Vec::with_capacity(rows.len());
        for row in rows {
            let replaced_game = match replaced.take() {
                Some(game) => encounter(connection, game)?,
                None => None,
            };
            let found = match replaced_game {
                Some(game) => Encounter::Known(Target::new(&game, row, texts)),
                None => self.encounter(connection, row, texts, &taken)?,
            };
            if let Encounter::Known(target) = &found {
                taken.insert(target.id);
            }
            encounters.push(found);
        }
        Ok(encounters)
    }

    fn encounter(
        &self,
        connection: &Connection,
        row: &GameRow,
        texts: &TextArena,
        taken: &HashSet<i64>,
    ) -> rusqlite::Result<Encounter> {
        if let Some((cut_game, place)) = self.cut_game
            && place == row.byte_offset
        {
            // The text of this game goes on, whatever has become of its tags.
            let stored = encounter(connection, cut_game)?;
            let target = stored.map(|game| Target::new(&game, row, texts));
            return Ok(target.map_or(Encounter::New, Encounter::Known));
        }

        let candidates = self.candidates(connection, row, texts)?;
        let (of_file, of_other_files): (Vec<StoredEncounter>, Vec<StoredEncounter>) = candidates
            .into_iter()
            .partition(|game| self.is_of_file(game, taken));

        if of_other_files.is_empty() {
            let updated: Vec<GameId> = of_file
                .iter()
                .filter(|game| game.id < self.first_game)
                .map(|game| GameId::new(game.id))
                .collect();
            return Ok(if updated.is_empty() {
                Encounter::New
            } else {
                Encounter::Ambiguous(updated)
            });
        }

        Ok(self.choose(of_other_files, row, texts))
    }

    /// `true` if a stored game is of the file that is being read, so that no other game of the file replaces it.
    fn is_of_file(&self, game: &StoredEncounter, taken: &HashSet<i64>) -> bool {
        taken.contains(&game.id)
            || self.parts.contains(&game.source)
            || self.cut_game.is_some_and(|(cut, _)| cut == game.id)
    }

    /// Which of some stored games of the same encounter, of other files, a game replaces.
    fn choose(
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

        if games.len() > 1 && games.iter().any(|game| self.has_name_of(game)) {
            // The games of the file as it was before are in the same order.
            games.retain(|game| self.has_name_of(game));
            games.sort_by_key(|game| (game.byte_offset, -game.source));
            games.truncate(1);
        }

        if let [game] = &games[..]
            && (self.has_name_of(game) || goes_on(game, row, texts))
        {
            return Encounter::Known(Target::new(game, row, texts));
        }
        let ids = games.iter().map(|game| GameId::new(game.id));
        Encounter::Ambiguous(ids.collect())
    }

    /// The stored games of the same encounter.
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

        let [white, black] = [row.white, row.black].map(|name| known(texts.get(name)));
        let (Some(white), Some(black)) = (white, black) else {
            return Ok(Vec::new());
        };
        let mut games = games_of_players(connection, white, black, texts.get(row.date))?;
        // Another address is another game.
        let has_no_address = texts.get(row.address).is_none();
        games.retain(|game| {
            let may_have_address = game.address.is_none() || has_no_address;
            may_have_address && self.is_same_game(game, row, texts)
                || game.differences(row, texts).are_none()
        });
        Ok(games)
    }

    /// `true` if the source of a game has the same name, in any folder: it is likely to be this one as it was before.
    fn has_name_of(&self, game: &StoredEncounter) -> bool {
        file_name(&game.path) == file_name(&self.path)
    }

    /// `true` if a game of the same players and date has the same event and round. Where one of these is not known, the
    /// games also have to begin alike, and be of one day or one file.
    fn is_same_game(&self, game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> bool {
        let has_event = match [game.event.as_deref(), texts.get(row.event)].map(known) {
            [Some(stored), Some(new)] => Some(words(stored) == words(new)),
            _ => None,
        };
        let has_round = match [game.round.as_deref(), texts.get(row.round)].map(known) {
            [Some(stored), Some(new)] => Some(canonical_round(stored) == canonical_round(new)),
            _ => None,
        };
        match (has_event, has_round) {
            (Some(false), _) | (_, Some(false)) => return false,
            (Some(true), Some(true)) => return true,
            _ => {}
        }

        let date = texts.get(row.date).and_then(PartialDate::from_tag);
        let is_near = self.has_name_of(game) || date.is_some_and(|date| date.is_day());
        is_near && begins_alike(game, row, texts)
    }
}

impl Target {
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

/// The name of a file as it is when it is not compressed.
fn file_name(path: &str) -> &str {
    let name = Path::new(path)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(path);
    without_compression(name)
}

/// A value that is not missing or unknown.
fn known(value: Option<&str>) -> Option<&str> {
    value
        .map(str::trim)
        .filter(|value| !matches!(*value, "" | "?" | "-"))
}

/// `true` if a game has the same address, and players who may be the same: an address may be that of a whole round.
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
    let is_at_site = match (stored_site, new_site) {
        (Some(stored), Some(new)) => stored == new,
        _ => address.len() >= LONG_ID || has_same_event(game, row, texts),
    };

    is_at_site
        && may_be(game.white.as_deref(), texts.get(row.white))
        && may_be(game.black.as_deref(), texts.get(row.black))
}

/// The part of a site that the addresses of many games have in common.
fn common_site(site: &str) -> Option<&str> {
    let page = site
        .strip_prefix("https://")
        .or_else(|| site.strip_prefix("http://"))?;
    page.ends_with('/').then_some(page)
}

/// `true` if two names may be of one player: one is unknown, or they have a word in common.
fn may_be(stored: Option<&str>, new: Option<&str>) -> bool {
    let (Some(stored), Some(new)) = (known(stored), known(new)) else {
        return true;
    };

    let stored_words = words(stored);
    let new_words = words(new);
    stored_words == new_words || stored_words.iter().any(|word| new_words.contains(word))
}

/// `true` if both texts have a whole date, and not the same one.
fn has_other_day(game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> bool {
    let stored = game.date.as_deref().and_then(day);
    let new = texts.get(row.date).and_then(day);
    stored.is_some() && new.is_some() && stored != new
}

/// The date of a tag value that has a day.
fn day(text: &str) -> Option<PartialDate> {
    PartialDate::from_tag(text).filter(|date| date.is_day())
}

/// `true` if both texts have a round, and not the same one.
fn has_other_round(game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> bool {
    let rounds = [game.round.as_deref(), texts.get(row.round)].map(known);
    matches!(rounds, [Some(stored), Some(new)] if canonical_round(stored) != canonical_round(new))
}

fn has_same_event(game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> bool {
    let events = [game.event.as_deref(), texts.get(row.event)].map(known);
    let [Some(stored), Some(new)] = events else {
        return false;
    };
    words(stored) == words(new)
}

/// `true` if a text in a file of another name may take the place of a stored one: it begins with the same moves, and is
/// not only their beginning. Otherwise it may be another game of the same players, or was cut off. Where the days or the
/// rounds differ, as when an address is that of a whole round, few moves say too little.
fn goes_on(game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> bool {
    let moves = texts.get(row.moves).unwrap_or_default();
    let stored: Vec<&str> = game.moves.split_ascii_whitespace().collect();
    let new: Vec<&str> = moves.split_ascii_whitespace().collect();

    let is_beginning = new.len() < stored.len() && stored.starts_with(&new);
    if is_beginning {
        return false;
    }

    let compared = stored.len().min(new.len()).min(COMMON_PLIES);
    let is_elsewhere = has_other_day(game, row, texts) || has_other_round(game, row, texts);
    if is_elsewhere && compared < COMMON_PLIES {
        return false;
    }
    stored[..compared] == new[..compared]
}

/// `true` if the first moves are the same, or the stored game is the unfinished beginning.
fn begins_alike(game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> bool {
    let stored = first_moves(&game.moves);
    let new = first_moves(texts.get(row.moves).unwrap_or_default());
    if stored.is_empty() {
        return false;
    }

    let is_unfinished = game.result == "*" && stored.len() < SHORT_PLIES as usize;
    stored == new || is_unfinished && new.starts_with(&stored)
}

/// The first moves of a game, as many as tell most games apart.
fn first_moves(moves: &str) -> Vec<&str> {
    moves
        .split_ascii_whitespace()
        .take(SHORT_PLIES as usize)
        .collect()
}
