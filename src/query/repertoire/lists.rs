//! Many games in a repertoire: the position index lists the games of each position.
//!
//! Each game is answered in one way. Those that the index cannot decide for some position, since few games reach it or
//! they have changed, are replayed; of all others, the lists of popular positions have all that is wanted.

use rayon::prelude::*;

use super::Repertoire;
use super::follow::leaving_code;
use super::games::{Cursor, GameTable};
use super::graph::NodeId;
use super::tally::MoveTally;
use crate::error::Result;
use crate::index::{Counts, Reached};
use crate::query::{PositionSearch, Watch};
use crate::replay::Visit;
use crate::storage::{Database, GameSet, IndexedLines, PlayedGame, Readers};
use crate::threads;

/// Positions or games that one thread takes at once.
const ITEMS_AT_ONCE: usize = 64;
/// Items between two looks at whether the query is cancelled.
const ITEMS_UNWATCHED: usize = 16 * ITEMS_AT_ONCE;

/// A look at the games of a database beside a repertoire.
pub(super) struct Walk<'w> {
    lookup: Lookup<'w>,
    database: &'w Database,
    readers: Readers,
    watch: &'w Watch<'w>,
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
        let search = PositionSearch::new(&database.connection).map_err(|e| database.error(e))?;
        let readers = match items {
            0..=ITEMS_AT_ONCE => Vec::new(),
            _ => database.open_reader(threads::count()),
        };
        let lookup = Lookup { repertoire, search };
        Ok(Walk { lookup, database, readers: Readers::new(readers), watch })
    }

    /// Finds the deepest places of the games of a set by lists, as far as these can tell; returns the games that are left
    /// for a replay. Positions before `first` are passed over.
    pub(super) fn list(
        &self,
        first: usize,
        wanted: &GameSet,
        table: &mut GameTable,
        played: &mut [MoveTally],
    ) -> Result<Vec<i64>> {
        let (undecided, popular) = self.look_up(first, wanted)?;
        table.pass_over(&undecided);
        let table = &*table;
        let counted =
            self.map(&popular, |lookup, database, &item| lookup.count(database, item, table))?;
        for ((at, _), counts) in popular.iter().zip(counted) {
            for (code, counts) in counts {
                played[*at as usize].counts(code).merge(&counts);
            }
        }
        Ok(undecided)
    }

    /// The games that must be replayed, by number, and the popular positions.
    fn look_up(&self, first: usize, wanted: &GameSet) -> Result<(Vec<i64>, Vec<PopularIn>)> {
        let positions: Vec<NodeId> =
            (first..self.lookup.repertoire.positions.len()).map(|at| at as NodeId).collect();
        let found = self.map(&positions, |lookup, database, &at| lookup.find(database, at))?;
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
        self.lookup.search.moved_games().for_each(|game| undecided.insert(game));
        self.lookup.unindexed(wanted).for_each(|game| undecided.insert(game));
        undecided.intersect(wanted);
        Ok((undecided.iter().collect(), popular))
    }

    /// Replays games, by number.
    pub(super) fn replay(
        &self,
        first: usize,
        games: &[i64],
        table: &mut GameTable,
        played: &mut [MoveTally],
    ) -> Result<()> {
        let visits = self.map(games, |lookup, database, &game| {
            let game = PlayedGame::read(&database.connection, game, IndexedLines::Mainline);
            let game = game.map_err(|error| database.error(error))?;
            Ok(game.map_or_else(Vec::new, |game| lookup.repertoire.visits(&game)))
        })?;
        for (&game, mut visits) in games.iter().zip(visits) {
            visits.retain(|(at, _)| *at as usize >= first);
            let deepest = visits.iter().copied().max_by_key(|(at, _)| *at);
            let Some(facts) = table.set(game, deepest) else { continue };
            for (at, code) in visits {
                played[at as usize].counts(code).add(&facts, self.lookup.repertoire.side);
            }
        }
        Ok(())
    }

    /// The results for some items, in their order, on all threads.
    fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&Lookup<'_>, &Database, &T) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        let mut results = Vec::with_capacity(items.len());
        for items in items.chunks(ITEMS_UNWATCHED) {
            self.watch.check()?;
            if self.readers.is_empty() {
                for item in items {
                    results.push(work(&self.lookup, self.database, item)?);
                }
                continue;
            }
            let (lookup, readers) = (&self.lookup, &self.readers);
            let part: Result<Vec<R>> = threads::install(|| {
                items
                    .par_iter()
                    .with_max_len(ITEMS_AT_ONCE)
                    .map(|item| work(lookup, &readers.own(), item))
                    .collect()
            });
            results.extend(part?);
        }
        Ok(results)
    }
}

impl Lookup<'_> {
    /// The games of a position in each segment; `None` where it is popular.
    fn find(&self, database: &Database, at: NodeId) -> Result<Vec<Option<Vec<i64>>>> {
        let position = &self.repertoire.positions[at as usize].position;
        let find = |segment| {
            let found = self.search.find(&database.connection, segment, position)?;
            Ok(match found {
                Reached::Never => Some(Vec::new()),
                Reached::Perhaps(games) => Some(games),
                Reached::Often(_) => None,
            })
        };
        let found: rusqlite::Result<_> = self.search.segments.iter().map(find).collect();
        found.map_err(|error| database.error(error))
    }

    /// The wanted games that no segment has.
    fn unindexed(&self, wanted: &GameSet) -> impl Iterator<Item = i64> {
        let is_indexed = |game: i64| {
            let segments = &self.search.segments;
            segments.iter().any(|one| (one.first_game..=one.last_game).contains(&game))
        };
        wanted.iter().filter(move |&game| !is_indexed(game))
    }

    /// Counts the games of a popular position in a segment by their moves, and notes it in the table.
    fn count(
        &self,
        database: &Database,
        (at, segment): PopularIn,
        table: &GameTable,
    ) -> Result<Vec<(u16, Counts)>> {
        let connection = &database.connection;
        let position = &self.repertoire.positions[at as usize].position;
        let side = self.repertoire.side;
        let count = || -> rusqlite::Result<Vec<(u16, Counts)>> {
            let segment = &self.search.segments[segment];
            let found = self.search.find(connection, segment, position)?;
            let Reached::Often(popular) = found else { return Ok(Vec::new()) };
            let codes =
                popular.moves().iter().map(|(code, _)| (leaving_code(*code), Counts::default()));
            let mut counts: Vec<(u16, Counts)> = codes.collect();
            let mut cursor = Cursor::default();
            for game in popular.games(connection)? {
                let (game, rank) = game?;
                let Some((code, counts)) = counts.get_mut(rank) else { continue };
                if *code != Visit::VARIATION
                    && let Some(facts) = table.note(&mut cursor, game, (at, *code))
                {
                    counts.add(facts, side);
                }
            }
            counts.retain(|(_, counts)| counts.games() > 0);
            Ok(counts)
        };
        count().map_err(|error| database.error(error))
    }
}
