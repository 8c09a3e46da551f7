//! Many games in a repertoire: the position index lists the games of each position.
//!
//! Each game is either replayed or found in lists. For a position that few games reach, the index has only candidates,
//! and it does not know the positions of changed games: such games are replayed. All other games are in the lists of
//! popular positions.

use std::cell::Cell;

use rusqlite::Connection;

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

/// The maximum number of positions or games for a single thread; for more, all threads share the work.
const MAX_UNSHARED: usize = 64;
/// The number of positions or games in a share. A thread works on a share without a check of the watch, so with large
/// shares a cancelled query would continue too long.
const ITEMS_IN_SHARE: usize = 8;
/// The number of popular positions in a share. The list of a single position may have most games of the database.
const LISTS_IN_SHARE: usize = 1;
/// The number of shares read ahead or in work, for each thread.
const SHARES_AHEAD: usize = 4;
/// The number of games of a list that are read in the time that a replay of one game takes.
const LISTED_GAMES_OF_REPLAY: u64 = 500;

/// Finds where the games of a database are in a repertoire.
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
            0..=MAX_UNSHARED => Vec::new(),
            _ => database.open_more_readers(threads::count()),
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

    /// Finds the deepest places of the games of a set by lists, and returns the games that must be replayed. Positions
    /// before `first` are skipped.
    pub(super) fn count_lists(
        &self,
        first: usize,
        games: &GameSet,
        table: &mut GameTable,
        played: &mut [MoveTally],
    ) -> Result<Vec<GameId>> {
        let (undecided, mut popular) = self.look_up(first, games)?;
        table.pass_over(&undecided);

        // Deeper positions come first. When the longer lists of the other positions follow, most games already have
        // their deepest place, and the table is only read.
        popular.reverse();
        let shared_table = &*table;
        let counted = self.map_items(&popular, LISTS_IN_SHARE, |lookup, database, &item| {
            let counted = lookup.count_moves(database, item, shared_table)?;
            let replays = counted.listed / LISTED_GAMES_OF_REPLAY;
            Ok((replays, counted))
        })?;

        for ((at, _), counted) in popular.iter().zip(counted) {
            for (code, counts) in counted.moves {
                played[*at as usize].counts_mut(code).merge(&counts);
            }
        }
        Ok(undecided)
    }

    /// The games that must be replayed, by number, and the popular positions.
    fn look_up(&self, first: usize, games: &GameSet) -> Result<(Vec<GameId>, Vec<PopularIn>)> {
        let count = self.lookup.repertoire.positions.len();
        let positions: Vec<NodeId> = (first..count).map(|at| at as NodeId).collect();
        let found = self.map_items(&positions, ITEMS_IN_SHARE, |lookup, database, &at| {
            let by_segment = lookup.find_candidates(database, at)?;
            Ok((0, by_segment))
        })?;

        let mut undecided = GameSet::default();
        let mut popular = Vec::new();
        for (&at, by_segment) in positions.iter().zip(found) {
            for (segment, reached) in by_segment.into_iter().enumerate() {
                let Some(candidates) = reached else {
                    popular.push((at, segment));
                    continue;
                };
                for game in candidates {
                    undecided.insert(game);
                }
            }
        }

        // Lists have the former moves of changed games, and lack the games since the last segment.
        for game in self.lookup.search.moved_games() {
            undecided.insert(game);
        }
        for game in self.lookup.unindexed(games) {
            undecided.insert(game);
        }
        undecided.intersect(games);
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
        let repertoire = self.lookup.repertoire;
        let all_visits = self.map_items(games, ITEMS_IN_SHARE, |lookup, database, &game| {
            let connection = &database.connection;
            let read = PlayedGame::read(connection, game, IndexedLines::Mainline);
            let visits = match read.in_database(database)? {
                Some(game) => lookup.repertoire.visits(&game),
                None => Vec::new(),
            };
            Ok((0, visits))
        })?;

        for (&game, mut visits) in games.iter().zip(all_visits) {
            // Positions are numbered by depth, so the greatest number is the deepest position.
            visits.retain(|(at, _)| *at as usize >= first);
            let deepest = visits.iter().copied().max_by_key(|(at, _)| *at);
            let Some(facts) = table.set_place(game, deepest) else {
                continue;
            };
            for (at, code) in visits {
                let counts = played[at as usize].counts_mut(code);
                counts.add(&facts, repertoire.side);
            }
        }
        Ok(())
    }

    /// The results of `work` for all items, in their order. All threads work on shares of `items_in_share` items.
    ///
    /// `work` also returns the cost of an item beyond a replay, as a number of replays.
    fn map_items<T: Sync, R: Send>(
        &self,
        items: &[T],
        items_in_share: usize,
        work: impl Fn(&Lookup<'_>, &Database, &T) -> Result<(u64, R)> + Sync,
    ) -> Result<Vec<R>> {
        self.expect_items(items.len());
        let mut results = Vec::with_capacity(items.len());
        let mut finish_share = |share: Result<Vec<(u64, R)>>| {
            let costs_and_results = share?;
            let cost: u64 = costs_and_results.iter().map(|(cost, _)| cost).sum();
            self.report(cost, costs_and_results.len());

            results.extend(costs_and_results.into_iter().map(|(_, result)| result));
            self.watch.check()
        };

        let lookup = &self.lookup;
        let work_on_share = |database: &Database, share: &[T]| -> Result<Vec<(u64, R)>> {
            let mut done = Vec::with_capacity(share.len());
            for item in share {
                done.push(work(lookup, database, item)?);
            }
            Ok(done)
        };

        let shares = items.chunks(items_in_share);
        let readers = &self.readers;
        if readers.is_empty() {
            for share in shares {
                let done = work_on_share(self.database, share);
                finish_share(done)?;
            }
            return Ok(results);
        }

        let work_on_thread = |share: &[T]| {
            let database = readers.for_thread();
            work_on_share(&database, share)
        };
        let shares_ahead = SHARES_AHEAD * threads::count();
        ordered_here(shares.map(Ok), shares_ahead, work_on_thread, finish_share)?;
        Ok(results)
    }

    /// Adds items to the expected work.
    fn expect_items(&self, items: usize) {
        let Work { done, all } = self.work.get();
        self.work.set(Work {
            done,
            all: all + items as u64,
        });
    }

    /// Adds `items` finished items and their cost to the finished work, and reports the progress.
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
struct PositionCounts {
    /// The number of games in its list.
    listed: u64,
    /// The games by the codes of their moves.
    moves: Vec<(u16, Counts)>,
}

impl Lookup<'_> {
    /// The candidates for a position in each segment; `None` for a segment in which the position is popular.
    fn find_candidates(&self, database: &Database, at: NodeId) -> Result<Vec<Option<Vec<GameId>>>> {
        let position = &self.repertoire.positions[at as usize].position;
        let mut by_segment = Vec::with_capacity(self.search.segments.len());
        for segment in &self.search.segments {
            let found = self.search.find(&database.connection, segment, position);
            let candidates = match found.in_database(database)? {
                Reached::Never => Some(Vec::new()),
                Reached::Perhaps(games) => Some(games),
                Reached::Often(_) => None,
            };
            by_segment.push(candidates);
        }
        Ok(by_segment)
    }

    /// The games that no segment has.
    fn unindexed(&self, games: &GameSet) -> impl Iterator<Item = GameId> {
        let segments = &self.search.segments;
        let is_indexed = move |game: GameId| {
            let number = game.get();
            segments
                .iter()
                .any(|segment| (segment.first_game..=segment.last_game).contains(&number))
        };
        games.iter().filter(move |&game| !is_indexed(game))
    }

    /// Counts the games of a popular position in a segment by their moves, and notes their places in the table.
    fn count_moves(
        &self,
        database: &Database,
        popular: PopularIn,
        table: &GameTable,
    ) -> Result<PositionCounts> {
        self.count_moves_through(&database.connection, popular, table)
            .in_database(database)
    }

    fn count_moves_through(
        &self,
        connection: &Connection,
        (at, segment): PopularIn,
        table: &GameTable,
    ) -> StoreResult<PositionCounts> {
        let position = &self.repertoire.positions[at as usize].position;
        let segment = &self.search.segments[segment];
        let Reached::Often(popular) = self.search.find(connection, segment, position)? else {
            return Ok(PositionCounts {
                listed: 0,
                moves: Vec::new(),
            });
        };

        let mut moves: Vec<(u16, Counts)> = Vec::with_capacity(popular.moves().len());
        for (code, _) in popular.moves() {
            moves.push((leaving_code(*code), Counts::default()));
        }

        let mut listed = 0;
        let mut cursor = Cursor::default();
        for row in popular.games(connection)? {
            let (game, rank) = row?;
            listed += 1;
            let Some((code, counts)) = moves.get_mut(rank) else {
                continue;
            };

            // A game that reaches the position in a variation only does not reach the repertoire.
            if *code != Visit::VARIATION
                && let Some(facts) = table.note(&mut cursor, game, (at, *code))
            {
                counts.add(facts, self.repertoire.side);
            }
        }
        moves.retain(|(_, counts)| counts.all_games() > 0);
        Ok(PositionCounts { listed, moves })
    }
}
