//! Novelties of a few games. The positions of a game are looked up in the position index, one after the other, until a
//! position is new.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::{PoisonError, RwLock};

use rusqlite::Connection;

use super::ages::{Age, Ages};
use super::found::{Novelty, NoveltyOfDatabase};
use super::steps::{Identity, identity};
use crate::board::Position;
use crate::error::Result;
use crate::index::{Popular, Reached};
use crate::ordered::ordered_here;
use crate::query::{GameOfDatabase, PositionSearch, Watch};
use crate::replay::{PositionKey, Visit};
use crate::storage::{Database, GameId, InDatabase, IndexedLines, PlayedGame, Readers};
use crate::store_fault::StoreResult;
use crate::threads;

/// The minimum number of games whose look-ups are shared by all threads.
const MIN_SHARED_GAMES: usize = 16;
/// The number of games in a share. A thread looks up a share without a check of the watch. A game takes many look-ups,
/// so with larger shares a cancelled query, or a query past its budget, would continue too long.
const GAMES_IN_SHARE: usize = 2;
/// The number of shares read ahead or in work, for each thread.
const SHARES_AHEAD: usize = 4;

/// A database whose games are compared, and their ages.
#[derive(Clone, Copy)]
pub(super) struct Part<'d> {
    pub(super) database: &'d Database,
    pub(super) ages: &'d Ages,
}

/// Finds the novelties of the chosen games, which are games of these parts. Each game is compared with the games of all
/// databases.
pub(super) fn novelties(
    parts: &[Part<'_>],
    chosen: &[GameOfDatabase],
    watch: &Watch<'_>,
) -> Result<Vec<NoveltyOfDatabase>> {
    let lookups = SharedLookups::new(parts)?;
    let readers = if chosen.len() >= MIN_SHARED_GAMES {
        open_readers(parts)
    } else {
        Vec::new()
    };

    let mut found = Vec::new();
    let mut positions = 0;
    let mut done = 0;
    let all = chosen.len() as u64;
    let mut finish_share = |looked_up: Result<LookedUp>| {
        let share = looked_up?;
        positions += share.positions;
        done += GAMES_IN_SHARE as u64;
        found.extend(share.novelties);

        // The remaining games are expected to take as many look-ups each as the finished games.
        let expected = positions * all.max(done) / done;
        watch.report(positions, expected);
        watch.check()
    };

    let shares = chosen.chunks(GAMES_IN_SHARE);
    if readers.len() < parts.len() {
        // There are few games, or a database cannot be opened a second time in the snapshot of its connection.
        let databases: Vec<&Database> = parts.iter().map(|part| part.database).collect();
        for games in shares {
            let looked_up = lookups.look_up(&databases, games);
            finish_share(looked_up)?;
        }
    } else {
        let look_up_on_thread = |games: &[GameOfDatabase]| {
            let guards: Vec<_> = readers.iter().map(Readers::for_thread).collect();
            let databases: Vec<&Database> = guards.iter().map(|database| &**database).collect();
            lookups.look_up(&databases, games)
        };
        ordered_here(
            shares.map(Ok),
            SHARES_AHEAD * threads::count(),
            look_up_on_thread,
            finish_share,
        )?;
    }

    Ok(found)
}

/// Connections for all threads to each database that can be opened a second time.
fn open_readers(parts: &[Part<'_>]) -> Vec<Readers> {
    let mut readers = Vec::new();
    for part in parts {
        let opened = part.database.open_more_readers(threads::count());
        if !opened.is_empty() {
            readers.push(Readers::new(opened));
        }
    }
    readers
}

/// The result of looking up some games.
struct LookedUp {
    /// The number of positions that were looked up.
    positions: u64,
    novelties: Vec<NoveltyOfDatabase>,
}

/// The parts of look-ups that all threads share. Only connections are per thread.
struct SharedLookups<'p> {
    searches: Vec<PositionSearch>,
    ages: Vec<&'p Ages>,
    /// Most games have their first positions in common.
    early: EarlyGames,
}

impl<'p> SharedLookups<'p> {
    fn new(parts: &[Part<'p>]) -> Result<SharedLookups<'p>> {
        let mut searches = Vec::with_capacity(parts.len());
        for part in parts {
            let search = PositionSearch::new(&part.database.connection);
            searches.push(search.in_database(part.database)?);
        }

        Ok(SharedLookups {
            searches,
            ages: parts.iter().map(|part| part.ages).collect(),
            early: EarlyGames::default(),
        })
    }

    /// Looks up some games through connections to all databases.
    fn look_up(&self, databases: &[&Database], games: &[GameOfDatabase]) -> Result<LookedUp> {
        let mut compared = Vec::with_capacity(databases.len());
        for ((database, search), &ages) in databases.iter().zip(&self.searches).zip(&self.ages) {
            compared.push(Compared {
                connection: &database.connection,
                search,
                ages,
            });
        }

        let lookup = Lookup::new(compared, &self.early);
        let mut novelties = Vec::new();
        for &game in games {
            let novelty = lookup.novelty(game);
            novelties.extend(novelty.in_database(databases[game.database])?);
        }
        Ok(LookedUp {
            positions: lookup.positions.get(),
            novelties,
        })
    }
}

/// For positions that were looked up, the age of an early game that has it.
#[derive(Debug, Default)]
pub(super) struct EarlyGames(RwLock<HashMap<Identity, Age, foldhash::fast::RandomState>>);

impl EarlyGames {
    fn get(&self, identity: Identity) -> Option<Age> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&identity)
            .copied()
    }

    fn insert(&self, identity: Identity, age: Age) {
        self.0
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(identity, age);
    }
}

/// A connection to a database whose games are compared.
pub(super) struct Compared<'s> {
    pub(super) connection: &'s Connection,
    pub(super) search: &'s PositionSearch,
    pub(super) ages: &'s Ages,
}

/// Look-ups through connections.
pub(super) struct Lookup<'s> {
    parts: Vec<Compared<'s>>,
    early: &'s EarlyGames,
    /// The number of positions looked up.
    positions: Cell<u64>,
}

impl<'s> Lookup<'s> {
    pub(super) fn new(parts: Vec<Compared<'s>>, early: &'s EarlyGames) -> Lookup<'s> {
        Lookup {
            parts,
            early,
            positions: Cell::new(0),
        }
    }

    /// The novelty of a game; `None` if the game has no novelty or is not compared.
    pub(super) fn novelty(
        &self,
        GameOfDatabase { database, game }: GameOfDatabase,
    ) -> StoreResult<Option<NoveltyOfDatabase>> {
        let Compared {
            connection, ages, ..
        } = &self.parts[database];
        let Some(age) = ages.age_of(game) else {
            return Ok(None);
        };

        let played = PlayedGame::read(connection, game, IndexedLines::Mainline)?;
        let Some(mut line) = played.as_ref().and_then(PlayedGame::mainline) else {
            return Ok(None);
        };

        let mut parent = line.position().clone();
        while let Some((_, mv)) = line.step() {
            line.play(mv);
            if self.has_earlier(line.position(), age)? {
                parent.clone_from(line.position());
                continue;
            }

            let (before, last) = self.count_earlier(&parent, age)?;
            let after = self.count_later(line.position(), age)?;
            return Ok(Some(NoveltyOfDatabase {
                database,
                novelty: Novelty {
                    game,
                    ply: line.ply(),
                    before,
                    last: last.map(|earlier| earlier.game),
                    after,
                },
                last_database: last.map(|earlier| earlier.database),
            }));
        }
        Ok(None)
    }

    /// `true` if a game that is earlier than an age has a position.
    fn has_earlier(&self, position: &Position, age: Age) -> StoreResult<bool> {
        let key = PositionKey::new(position, crate::game::Variant::Standard);
        let identity = identity(key, position.check_key());
        if self.early.get(identity).is_some_and(|early| early < age) {
            return Ok(true);
        }

        let is_earlier = |other: Age| other < age;
        let mut found = None;
        self.each_game(position, is_earlier, |other| {
            found = Some(other);
            Break(())
        })?;

        if let Some(earlier) = found {
            self.early.insert(identity, earlier);
        }
        Ok(found.is_some())
    }

    /// The number of the games before an age that have a position, and the last of them.
    fn count_earlier(
        &self,
        position: &Position,
        age: Age,
    ) -> StoreResult<(u64, Option<GameOfDatabase>)> {
        let is_earlier = |other: Age| other < age;
        let mut count = 0;
        let mut last = None;
        self.each_game(position, is_earlier, |other| {
            count += 1;
            last = last.max(Some(other));
            Continue(())
        })?;

        let last_game = last.and_then(|age| self.game(age));
        Ok((count, last_game))
    }

    /// The game of an age.
    fn game(&self, age: Age) -> Option<GameOfDatabase> {
        for (database, part) in self.parts.iter().enumerate() {
            if let Some(game) = part.ages.game(age) {
                return Some(GameOfDatabase { database, game });
            }
        }
        None
    }

    /// The number of the games after an age that have a position.
    fn count_later(&self, position: &Position, age: Age) -> StoreResult<u64> {
        let is_later = |other: Age| other > age;
        let mut count = 0;
        self.each_game(position, is_later, |_| {
            count += 1;
            Continue(())
        })?;
        Ok(count)
    }

    /// Calls `on_age` with the age of each game that plays a position and whose age is wanted, until `on_age` breaks.
    fn each_game(
        &self,
        position: &Position,
        is_wanted: impl Fn(Age) -> bool,
        mut on_age: impl FnMut(Age) -> ControlFlow<()>,
    ) -> StoreResult<()> {
        for part in &self.parts {
            self.positions.update(|positions| positions + 1);
            let flow = part.each_game(position, &is_wanted, &mut on_age)?;
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl Compared<'_> {
    /// Calls `on_age` with the age of each game of this database that plays a position and whose age is wanted, until
    /// `on_age` breaks.
    fn each_game(
        &self,
        position: &Position,
        is_wanted: &impl Fn(Age) -> bool,
        on_age: &mut impl FnMut(Age) -> ControlFlow<()>,
    ) -> StoreResult<ControlFlow<()>> {
        let age = |game| self.ages.age_of(game).filter(|&age| is_wanted(age));

        for segment in &self.search.segments {
            let flow = match self.search.find(self.connection, segment, position)? {
                Reached::Never => Continue(()),
                Reached::Perhaps(games) => {
                    let aged = games
                        .into_iter()
                        .filter_map(|game| Some((game, age(game)?)));
                    self.each_played(position, aged, on_age)?
                }
                Reached::Often(popular) => self.each_popular(popular, age, on_age)?,
            };
            if flow.is_break() {
                return Ok(Break(()));
            }
        }

        // Segments list the former moves of changed games, so changed games are replayed.
        let has_age = |game| age(game).is_some();
        let moved = self
            .search
            .moved_visits_of(self.connection, position, has_age)?;
        for visit in &moved {
            // Only mainlines are compared.
            if visit.in_variation {
                continue;
            }
            if let Some(age) = age(visit.game)
                && on_age(age).is_break()
            {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }

    /// Calls `on_age` with the ages of the candidates of a segment that play a position. Candidates are replayed.
    fn each_played(
        &self,
        position: &Position,
        candidates: impl Iterator<Item = (GameId, Age)>,
        on_age: &mut impl FnMut(Age) -> ControlFlow<()>,
    ) -> StoreResult<ControlFlow<()>> {
        for (game, age) in candidates {
            let visits = self
                .search
                .visits_among(self.connection, vec![game], position)?;
            let is_played = visits.iter().any(|visit| !visit.in_variation);
            if is_played && on_age(age).is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }

    /// Calls `on_age` with the wanted ages of the games of a popular position of a segment.
    fn each_popular(
        &self,
        popular: Popular,
        age: impl Fn(GameId) -> Option<Age>,
        on_age: &mut impl FnMut(Age) -> ControlFlow<()>,
    ) -> StoreResult<ControlFlow<()>> {
        let codes: Vec<u16> = popular.moves().iter().map(|(code, _)| *code).collect();
        for row in popular.games(self.connection)? {
            let (game, at) = row?;
            let is_played = codes.get(at).is_some_and(|&code| code != Visit::VARIATION);
            if !is_played || self.search.has_moved(game) {
                continue;
            }

            if let Some(age) = age(game)
                && on_age(age).is_break()
            {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }
}
