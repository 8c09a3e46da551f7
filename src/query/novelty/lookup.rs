//! Novelties of a few games, each position looked up in the position index until one is new.

use std::collections::HashMap;

use rayon::prelude::*;
use rusqlite::Connection;

use super::ages::Ages;
use super::found::Novelty;
use super::steps::{Identity, identity};
use crate::board::Position;
use crate::error::Result;
use crate::index::Reached;
use crate::query::{PositionSearch, Watch};
use crate::replay::{PositionKey, Visit};
use crate::storage::{Database, GameSet, IndexedLines, PlayedGame, Readers};
use crate::threads;

/// Games that one thread looks up at once, with one memory of positions.
const GAMES_AT_ONCE: usize = 128;

/// Finds the novelties of games.
pub(super) fn novelties(
    database: &Database,
    ages: &Ages,
    chosen: &GameSet,
    watch: &Watch<'_>,
) -> Result<Vec<Novelty>> {
    let search = PositionSearch::new(&database.connection).map_err(|e| database.error(e))?;
    let games: Vec<i64> = chosen.iter().collect();
    let readers = match games.len() {
        0..GAMES_AT_ONCE => Vec::new(),
        _ => database.open_reader(threads::count()),
    };
    let look_up = |database: &Database, games: &[i64]| -> Result<Vec<Novelty>> {
        let mut lookup = Lookup::new(&database.connection, &search, ages);
        let novelties = games.iter().filter_map(|&game| lookup.novelty(game).transpose());
        novelties.collect::<rusqlite::Result<_>>().map_err(|error| database.error(error))
    };
    let mut found = Vec::new();
    if readers.is_empty() {
        for games in games.chunks(GAMES_AT_ONCE) {
            watch.check()?;
            found.extend(look_up(database, games)?);
        }
        return Ok(found);
    }
    let readers = Readers::new(readers);
    for games in games.chunks(GAMES_AT_ONCE * threads::count()) {
        watch.check()?;
        let parts: Result<Vec<Vec<Novelty>>> = threads::install(|| {
            games.par_chunks(GAMES_AT_ONCE).map(|games| look_up(&readers.own(), games)).collect()
        });
        found.extend(parts?.into_iter().flatten());
    }
    Ok(found)
}

/// Look-ups through a connection.
pub(super) struct Lookup<'s> {
    connection: &'s Connection,
    search: &'s PositionSearch,
    ages: &'s Ages,
    /// For positions that were looked up, the age of an early game that has it.
    early: HashMap<Identity, u32, foldhash::fast::RandomState>,
}

impl<'s> Lookup<'s> {
    pub(super) fn new(
        connection: &'s Connection,
        search: &'s PositionSearch,
        ages: &'s Ages,
    ) -> Lookup<'s> {
        Lookup { connection, search, ages, early: HashMap::default() }
    }

    /// The novelty of a game; `None` if it has none, or is not compared.
    pub(super) fn novelty(&mut self, game: i64) -> rusqlite::Result<Option<Novelty>> {
        let Some(age) = self.ages.of(game) else { return Ok(None) };
        let played = PlayedGame::read(self.connection, game, IndexedLines::Mainline)?;
        let Some(mut line) = played.as_ref().and_then(PlayedGame::mainline) else {
            return Ok(None);
        };
        let mut parent = line.position().clone();
        while let Some((_, mv)) = line.step() {
            line.play(mv);
            if !self.has_earlier(line.position(), age)? {
                let ages = self.ages_of(&parent, |_| true)?;
                let last = ages.iter().copied().filter(|&other| other < age).max();
                let before = ages.iter().filter(|&&other| other < age).count() as u64;
                let reached = self.ages_of(line.position(), |_| true)?;
                let after = reached.iter().filter(|&&other| other > age).count() as u64;
                let last = last.and_then(|age| self.ages.game(age));
                return Ok(Some(Novelty { game, ply: line.ply(), before, last, after }));
            }
            parent.clone_from(line.position());
        }
        Ok(None)
    }

    /// `true` if a game that is earlier than an age has a position.
    fn has_earlier(&mut self, position: &Position, age: u32) -> rusqlite::Result<bool> {
        let key = PositionKey::new(position, crate::game::Variant::Standard);
        let identity = identity(key, position.check_key());
        if self.early.get(&identity).is_some_and(|early| *early < age) {
            return Ok(true);
        }
        let earlier = self.find(position, |other| other < age, true)?;
        if let Some(&earlier) = earlier.first() {
            self.early.insert(identity, earlier);
        }
        Ok(!earlier.is_empty())
    }

    fn ages_of(
        &self,
        position: &Position,
        is_wanted: impl Fn(u32) -> bool,
    ) -> rusqlite::Result<Vec<u32>> {
        self.find(position, is_wanted, false)
    }

    /// The ages, of those wanted, of the games that play a position; only one of them with `only_one`.
    fn find(
        &self,
        position: &Position,
        is_wanted: impl Fn(u32) -> bool,
        only_one: bool,
    ) -> rusqlite::Result<Vec<u32>> {
        let mut found = Vec::new();
        let age = |game| self.ages.of(game).filter(|&age| is_wanted(age));
        let is_end = |found: &Vec<u32>| only_one && !found.is_empty();
        for segment in &self.search.segments {
            match self.search.find(self.connection, segment, position)? {
                Reached::Never => {}
                Reached::Perhaps(games) => {
                    for game in games {
                        let Some(age) = age(game) else { continue };
                        let visits =
                            self.search.visits_among(self.connection, vec![game], position)?;
                        found
                            .extend(visits.iter().filter(|visit| !visit.in_variation).map(|_| age));
                        if is_end(&found) {
                            return Ok(found);
                        }
                    }
                }
                Reached::Often(popular) => {
                    let moves: Vec<u16> = popular.moves().iter().map(|(code, _)| *code).collect();
                    for game in popular.games(self.connection)? {
                        let (game, at) = game?;
                        let is_played = moves.get(at).is_some_and(|&code| code != Visit::VARIATION);
                        if !is_played || self.search.changed.has_moved(game) {
                            continue;
                        }
                        found.extend(age(game));
                        if is_end(&found) {
                            return Ok(found);
                        }
                    }
                }
            }
        }
        let moved =
            self.search.moved_visits_of(self.connection, position, |game| age(game).is_some())?;
        let played = moved.iter().filter(|visit| !visit.in_variation);
        found.extend(played.filter_map(|visit| age(visit.game)));
        Ok(found)
    }
}
