//! Novelties: where a game first reaches a position that no earlier game of the database had.
//!
//! [`Novelties::read`] answers a [`NoveltyQuery`] with a [`Novelty`] for each game that has one.

// A few games are held against the position index, one position after the other (`lookup.rs`). Where many are wanted, all
// games are replayed instead (`sweep.rs`): most positions occur in one game only, which a filter of bits finds out, and a
// sorted table of the others answers all games at once.

mod ages;
mod found;
mod lookup;
mod steps;
mod sweep;

use rusqlite::Connection;

use super::repertoire::NewGames;
use crate::columns::{ColumnStore, GameFlags};
use crate::error::Result;
use crate::game::Ply;
use crate::query::{Filter, PositionSearch, Selection, Watch};
use crate::storage::{Database, GameId, GameSet, InDatabase, duplicates};
use crate::store_fault::StoreResult;
use ages::Ages;
pub use found::Novelty;
use lookup::{EarlyGames, Lookup};

/// Which novelties [`Novelties::read`] lists.
#[derive(Clone, Debug)]
pub struct NoveltyQuery {
    /// The games whose novelties are wanted. They are compared with all games.
    pub filter: Filter,
    /// Only new games.
    pub new_games: Option<NewGames>,
    /// Only novelties after more half-moves than these.
    pub after_ply: Ply,
    /// Only novelties in positions that at least this number of earlier games had.
    pub min_games: u64,
    /// The memory for positions that several games have, in bytes; with less of it, games are replayed more often.
    pub memory: usize,
}

impl Default for NoveltyQuery {
    fn default() -> NoveltyQuery {
        NoveltyQuery {
            filter: Filter::default(),
            new_games: None,
            after_ply: Ply::START,
            min_games: 0,
            memory: NoveltyQuery::MEMORY_BYTES,
        }
    }
}

impl NoveltyQuery {
    /// The usual memory for positions that several games have.
    pub const MEMORY_BYTES: usize = 512 << 20;
}

/// The novelties of some games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Novelties {
    /// The novelties, by the dates of their games.
    pub list: Vec<Novelty>,
    /// The number of games looked at: of chess, and not marked as duplicates.
    pub games: u64,
    /// The number of games without a date, which count as later than all others, in the order of their numbers.
    pub undated: u64,
    /// The number of games left out as duplicates.
    pub duplicates: u64,
}

/// Games are looked up one by one up to this part of all games.
const LOOKED_UP_PART: u64 = 50;

impl Novelties {
    /// Finds the novelties of some games.
    ///
    /// # Errors
    /// When the database cannot be read, the filter's condition is not valid SQL, or a source is not in the database.
    pub fn read(database: &Database, query: &NoveltyQuery, watch: &Watch<'_>) -> Result<Novelties> {
        let mut selection = Selection::new(database, &query.filter)?;
        if let Some(new_games) = &query.new_games {
            let sources = new_games.sources(database)?;
            let ranges: Vec<_> = sources.into_iter().map(|source| source.games).collect();
            selection.restrict_to_numbers(&ranges);
        }
        selection.settle(watch)?;
        let games = selection.candidates();
        Novelties::of_games(database, selection.column_store(), games, query, watch)
    }

    /// The same for given games, whatever the filter is.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn of_games(
        database: &Database,
        column_store: &ColumnStore<'_>,
        games: &GameSet,
        query: &NoveltyQuery,
        watch: &Watch<'_>,
    ) -> Result<Novelties> {
        let all = Compared::new(&database.connection, column_store);
        let all = all.in_database(database)?;
        let mut found = Novelties::default();
        let mut chosen = GameSet::default();
        for game in games.iter() {
            match all.ages.of(game) {
                Some(_) => chosen.insert(game),
                None => found.duplicates += u64::from(all.duplicates.contains(game)),
            }
        }
        found.games = chosen.len();
        // The index does not know all positions of a database with a limit of half-moves.
        let has_all = database.indexed_plies()?.last().is_none();
        let are_few = found.games.saturating_mul(LOOKED_UP_PART) <= all.ages.len();
        let list = match has_all && are_few {
            true => lookup::novelties(database, &all.ages, &chosen, watch)?,
            false => sweep::novelties(database, &all.ages, &chosen, query.memory, watch)?,
        };
        let is_wanted =
            |novelty: &Novelty| novelty.ply > query.after_ply && novelty.before >= query.min_games;
        found.list = list.into_iter().filter(is_wanted).collect();
        found.list.sort_unstable_by_key(|novelty| all.ages.of(novelty.game));
        found.undated = chosen.iter().filter(|&game| all.ages.is_undated(game)).count() as u64;
        Ok(found)
    }

    /// The novelty of one game.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn of_game(connection: &Connection, game: GameId) -> StoreResult<Option<Novelty>> {
        let all = Compared::new(connection, &ColumnStore::new(connection)?)?;
        let search = PositionSearch::new(connection)?;
        search.plies().check_all()?;
        Lookup::new(connection, &search, &all.ages, &EarlyGames::default()).novelty(game)
    }
}

/// The games that are compared.
struct Compared {
    ages: Ages,
    duplicates: GameSet,
}

impl Compared {
    fn new(connection: &Connection, column_store: &ColumnStore<'_>) -> StoreResult<Compared> {
        let duplicates = duplicates(connection)?;
        let mut games = column_store.games(|flags: GameFlags| {
            flags.is_played() && flags.has_boards() && !flags.variant().plays_apart()
        })?;
        duplicates.iter().for_each(|game| games.remove(game));
        Ok(Compared { ages: Ages::new(column_store, &games)?, duplicates })
    }
}
