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
    /// It is not there.
    New,
    /// It is there once.
    Known(Target),
    /// These games may be it, so that none of them is replaced.
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
        if let Some((cut_game, _)) = self.cut_game.filter(|&(_, place)| place == row.byte_offset) {
            // The text of this game goes on, whatever has become of its tags.
            let found = encounter(connection, cut_game)?;
            let target = found.map(|game| Target::new(&game, row, texts));
            return Ok(target.map_or(Encounter::New, Encounter::Known));
        }

        let candidates = self.candidates(connection, row, texts)?;
        let is_of_file = |game: &StoredEncounter| {
            taken.contains(&game.id)
                || self.parts.contains(&game.source)
                || self.cut_game.is_some_and(|(cut, _)| cut == game.id)
        };
        let (of_file, mut games): (Vec<StoredEncounter>, Vec<StoredEncounter>) =
            candidates.into_iter().partition(is_of_file);

        if games.is_empty() {
            let updated = of_file.iter().filter(|game| game.id < self.first_game);
            let updated: Vec<GameId> = updated.map(|game| GameId::new(game.id)).collect();
            return Ok(match updated.is_empty() {
                true => Encounter::New,
                false => Encounter::Ambiguous(updated),
            });
        }
        let same = games
            .iter()
            .position(|game| game.differences(row, texts).are_none());
        let of_path = |game: &StoredEncounter| self.has_name_of(game);
        let chosen = match (same, games.len()) {
            (Some(same), _) => Some(games.swap_remove(same)),
            (None, 1) => games.pop(),
            // The games of the file as it was before are in the same order.
            (None, _) if games.iter().any(of_path) => {
                games.retain(of_path);
                games.sort_by_key(|game| (game.byte_offset, -game.source));
                Some(games.swap_remove(0))
            }
            (None, _) => None,
        };
        Ok(match chosen {
            Some(game) if same.is_some() || of_path(&game) || goes_on(&game, row, texts) => {
                Encounter::Known(Target::new(&game, row, texts))
            }
            Some(game) => Encounter::Ambiguous(vec![GameId::new(game.id)]),
            None => Encounter::Ambiguous(games.iter().map(|game| GameId::new(game.id)).collect()),
        })
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
        let events = [game.event.as_deref(), texts.get(row.event)].map(known);
        let has_event = match events {
            [Some(stored), Some(new)] if words(stored) == words(new) => true,
            [Some(_), Some(_)] => return false,
            _ => false,
        };
        let has_round = match [game.round.as_deref(), texts.get(row.round)].map(known) {
            [Some(stored), Some(new)] if canonical_round(stored) == canonical_round(new) => true,
            [Some(_), Some(_)] => return false,
            _ => false,
        };
        if has_event && has_round {
            return true;
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
    let sites = [game.site.as_deref(), texts.get(row.site)].map(|site| site.and_then(common_site));
    let is_at_site = match sites {
        [Some(one), Some(other)] => one == other,
        _ => address.len() >= LONG_ID || has_same_event(game, row, texts),
    };
    let players = [(&game.white, row.white), (&game.black, row.black)];
    is_at_site
        && players
            .into_iter()
            .all(|(stored, new)| may_be(stored.as_deref(), texts.get(new)))
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
    let stored = words(stored);
    let new = words(new);
    stored == new || stored.iter().any(|word| new.contains(word))
}

/// `true` if both texts have a whole date, and not the same one.
fn has_other_day(game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> bool {
    let dates = [game.date.as_deref(), texts.get(row.date)];
    let days = dates.map(|date| {
        date.and_then(PartialDate::from_tag)
            .filter(|date| date.is_day())
    });
    matches!(days, [Some(stored), Some(new)] if stored != new)
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

    let common = stored.len().min(new.len()).min(COMMON_PLIES);
    let is_beginning = new.len() < stored.len() && stored.starts_with(&new);
    let is_elsewhere = has_other_day(game, row, texts) || has_other_round(game, row, texts);
    let is_enough = common == COMMON_PLIES || !is_elsewhere;
    is_enough && !is_beginning && stored[..common] == new[..common]
}

/// `true` if the first moves are the same, or the stored game is the unfinished beginning.
fn begins_alike(game: &StoredEncounter, row: &GameRow, texts: &TextArena) -> bool {
    let moves = texts.get(row.moves).unwrap_or_default();
    let [stored, new] = [&*game.moves, moves].map(|moves| {
        moves
            .split_ascii_whitespace()
            .take(SHORT_PLIES as usize)
            .collect::<Vec<_>>()
    });
    let is_unfinished = game.result == "*" && !stored.is_empty();
    stored == new && !stored.is_empty()
        || is_unfinished && stored.len() < SHORT_PLIES as usize && new.starts_with(&stored)
}
