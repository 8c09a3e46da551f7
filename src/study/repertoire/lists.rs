//! Many games in a repertoire: the position index lists the games of each position.
//!
//! Each game is answered in one way. Those that the index cannot decide for some position, since few games reach it or
//! they have changed, are replayed; of all others, the lists of popular positions have all that is wanted.

use std::cell::Cell;

use super::Repertoire;
use super::follow::leaving_code;
use super::games::{Cursor, GameTable};
use super::graph::NodeId;
use super::tally::MoveTally;
use crate::error::Result;
use crate::index::{Counts, Reached};
use crate::ordered::ordered_here;
use crate::query::{PositionSearch, Watch};
use crate::replay::Visit;
use crate::storage::{Database, GameId, GameSet, InDatabase, IndexedLines, PlayedGame, Readers};
use crate::store_fault::StoreResult;
use crate::threads;

/// From this number of positions or games on, all threads share the work.
const FEWEST_SHARED: usize = 64;
/// Positions or games that one thread takes at once, between two looks at whether the query is cancelled.
const ITEMS_AT_ONCE: usize = 8;
/// The same for lists of popular positions, of which each may have most games.
const LISTS_AT_ONCE: usize = 1;
/// Parts read ahead or in work, for each thread.
const PARTS_AHEAD: usize = 4;
/// So many games of a list take the time of a replay.
const LISTED_GAMES_OF_REPLAY: u64 = 500;

/// A look at the games of a database beside a repertoire.
pub(super) struct Walk<'w> {
    lookup: Lookup<'w>,
    database: &'w Database,
    readers: Readers,
    watch: &'w Watch<'w>,
    /// The work so far, for the progress.
    work: Cell<Work>,
}

/// Work done and to be done, as numbers of replayed games.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    done: u64,
    all: u64,
}

/// The position index beside the positions of a repertoire, which all threads share.
struct Lookup<'w> {
    repertoire: &'w Repertoire,
    search: PositionSearch,
}

/// A position with the segment of the index in which it is popular.
type PopularIn = (NodeId, usize);

impl<'w> Walk<'w> {
    pub(super) fn new(
        repertoire: &'w Repertoire,
        database: &'w Database,
        items: usize,
        watch: &'w Watch<'w>,
    ) -> Result<Walk<'w>> {
        let search = PositionSearch::new(&database.connection).in_database(database)?;
        let readers = match items {
            0..=FEWEST_SHARED => Vec::new(),
            _ => database.open_reader(threads::count()),
        };
        let lookup = Lookup { repertoire, search };
        let work = Cell::default();
        Ok(Walk {
            lookup,
            database,
            readers: Readers::new(readers),
            watch,
            work,
        })
    }

    /// Finds the deepest places of the games of a set by lists, as far as these can tell; returns the games that are left
    /// for a replay. Positions before `first` are passed over.
    pub(super) fn list(
        &self,
        first: usize,
        wanted: &GameSet,
        table: &mut GameTable,
        played: &mut [MoveTally],
    ) -> Result<Vec<GameId>> {
        let (undecided, mut popular) = self.look_up(first, wanted)?;
        // Deeper positions first: the longer lists of the others then find most games at their deepest place.
        popular.reverse();
        table.pass_over(&undecided);
        let table = &*table;
        let counted = self.map(&popular, LISTS_AT_ONCE, |lookup, database, &item| {
            let counted = lookup.count(database, item, table)?;
            Ok((counted.listed / LISTED_GAMES_OF_REPLAY, counted))
        })?;
        for ((at, _), counted) in popular.iter().zip(counted) {
            for (code, counts) in counted.moves {
                played[*at as usize].counts(code).merge(&counts);
            }
        }
        Ok(undecided)
    }

    /// The games that must be replayed, by number, and the popular positions.
    fn look_up(&self, first: usize, wanted: &GameSet) -> Result<(Vec<GameId>, Vec<PopularIn>)> {
        let positions: Vec<NodeId> = (first..self.lookup.repertoire.positions.len())
            .map(|at| at as NodeId)
            .collect();
        let found = self.map(&positions, ITEMS_AT_ONCE, |lookup, database, &at| {
            Ok((0, lookup.find(database, at)?))
        })?;
        let mut undecided = GameSet::default();
        let mut popular = Vec::new();
        for (&at, found) in positions.iter().zip(found) {
            for (segment, reached) in found.into_iter().enumerate() {
                match reached {
                    None => popular.push((at, segment)),
                    Some(games) => games.into_iter().for_each(|game| undecided.insert(game)),
                }
            }
        }
        self.lookup
            .search
            .moved_games()
            .for_each(|game| undecided.insert(game));
        self.lookup
            .unindexed(wanted)
            .for_each(|game| undecided.insert(game));
        undecided.intersect(wanted);
        Ok((undecided.iter().collect(), popular))
    }

    /// Replays games, by number.
    pub(super) fn replay(
        &self,
        first: usize,
        games: &[GameId],
        table: &mut GameTable,
        played: &mut [MoveTally],
    ) -> Result<()> {
        let visits = self.map(games, ITEMS_AT_ONCE, |lookup, database, &game| {
            let game = PlayedGame::read(&database.connection, game, IndexedLines::Mainline);
            let game = game.in_database(database)?;
            Ok((
                0,
                game.map_or_else(Vec::new, |game| lookup.repertoire.visits(&game)),
            ))
        })?;
        for (&game, mut visits) in games.iter().zip(visits) {
            visits.retain(|(at, _)| *at as usize >= first);
            let deepest = visits.iter().copied().max_by_key(|(at, _)| *at);
            let Some(facts) = table.set(game, deepest) else {
                continue;
            };
            for (at, code) in visits {
                played[at as usize]
                    .counts(code)
                    .add(&facts, self.lookup.repertoire.side);
            }
        }
        Ok(())
    }

    /// The results for some items, in their order, on all threads, which take `at_once` of them at a time. `work` also
    /// returns what an item costs beyond a replay, as a number of replays.
    fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        at_once: usize,
        work: impl Fn(&Lookup<'_>, &Database, &T) -> Result<(u64, R)> + Sync,
    ) -> Result<Vec<R>> {
        let mut results = Vec::with_capacity(items.len());
        let mut take = |part: Result<Vec<(u64, R)>>| {
            let part = part?;
            self.report(part.iter().map(|(cost, _)| cost).sum(), part.len());
            results.extend(part.into_iter().map(|(_, result)| result));
            self.watch.check()
        };
        self.expect(items.len());
        let parts = items.chunks(at_once);
        let lookup = &self.lookup;
        if self.readers.is_empty() {
            for part in parts {
                take(
                    part.iter()
                        .map(|item| work(lookup, self.database, item))
                        .collect(),
                )?;
            }
            return Ok(results);
        }
        let readers = &self.readers;
        let work = |part: &[T]| -> Result<Vec<(u64, R)>> {
            let database = readers.own();
            part.iter()
                .map(|item| work(lookup, &database, item))
                .collect()
        };
        ordered_here(parts.map(Ok), PARTS_AHEAD * threads::count(), work, take)?;
        Ok(results)
    }

    fn expect(&self, items: usize) {
        let Work { done, all } = self.work.get();
        self.work.set(Work {
            done,
            all: all + items as u64,
        });
    }

    fn report(&self, cost: u64, items: usize) {
        let Work { done, all } = self.work.get();
        let work = Work {
            done: done + cost + items as u64,
            all: all + cost,
        };
        self.work.set(work);
        self.watch.report(work.done, work.all);
    }
}

/// The games of a popular position in a segment.
struct Counted {
    /// The number of games in its list.
    listed: u64,
    /// The wanted games by the codes of their moves.
    moves: Vec<(u16, Counts)>,
}

impl Lookup<'_> {
    /// The games of a position in each segment; `None` where it is popular.
    fn find(&self, database: &Database, at: NodeId) -> Result<Vec<Option<Vec<GameId>>>> {
        let position = &self.repertoire.positions[at as usize].position;
        let find = |segment| {
            let found = self.search.find(&database.connection, segment, position)?;
            Ok(match found {
                Reached::Never => Some(Vec::new()),
                Reached::Perhaps(games) => Some(games),
                Reached::Often(_) => None,
            })
        };
        let found: StoreResult<_> = self.search.segments.iter().map(find).collect();
        found.in_database(database)
    }

    /// The wanted games that no segment has.
    fn unindexed(&self, wanted: &GameSet) -> impl Iterator<Item = GameId> {
        let is_indexed = |game: GameId| {
            let segments = &self.search.segments;
            segments
                .iter()
                .any(|one| (one.first_game..=one.last_game).contains(&game.get()))
        };
        wanted.iter().filter(move |&game| !is_indexed(game))
    }

    /// Counts the games of a popular position in a segment by their moves, and notes it in the table.
    fn count(
        &self,
        database: &Database,
        (at, segment): PopularIn,
        table: &GameTable,
    ) -> Result<Counted> {
        let connection = &database.connection;
        let position = &self.repertoire.positions[at as usize].position;
        let side = self.repertoire.side;
        let count = || -> StoreResult<Counted> {
            let segment = &self.search.segments[segment];
            let found = self.search.find(connection, segment, position)?;
            let Reached::Often(popular) = found else {
                return Ok(Counted {
                    listed: 0,
                    moves: Vec::new(),
                });
            };
            let codes = popular
                .moves()
                .iter()
                .map(|(code, _)| (leaving_code(*code), Counts::default()));
            let mut counts: Vec<(u16, Counts)> = codes.collect();
            let (mut listed, mut cursor) = (0, Cursor::default());
            for game in popular.games(connection)? {
                let (game, rank) = game?;
                listed += 1;
                let Some((code, counts)) = counts.get_mut(rank) else {
                    continue;
                };
                if *code != Visit::VARIATION
                    && let Some(facts) = table.note(&mut cursor, game, (at, *code))
                {
                    counts.add(facts, side);
                }
            }
            counts.retain(|(_, counts)| counts.all_games() > 0);
            Ok(Counted {
                listed,
                moves: counts,
            })
        };
        count().in_database(database)
    }
}
