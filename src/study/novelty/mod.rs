//! Novelties. The novelty of a game is the move that reaches the first position that no earlier game of the database
//! had.
//!
//! [`Novelties::read`] answers a [`NoveltyQuery`] with a [`Novelty`] for each game that has one.

// A few games are looked up in the position index, one position after the other (`lookup.rs`). For many games, all
// games of the database are replayed instead (`sweep.rs`). A filter of bits finds the positions that occur in one game
// only, which are most positions. A sorted table of the other positions then decides all games at once.

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
use crate::query::{Filter, GameOfDatabase, PositionSearch, Query, Selection, Watch};
use crate::storage::{Database, GameId, GameSet, InDatabase, duplicates};
use crate::store_fault::StoreResult;
use ages::Ages;
pub use found::{Novelty, NoveltyOfDatabase};
use lookup::{EarlyGames, Lookup, Part};

/// The request that [`Novelties::read`] answers.
#[derive(Clone, Debug)]
pub struct NoveltyQuery {
    /// The games whose novelties are wanted. They are compared with all games.
    pub filter: Filter,
    /// If given, only the novelties of new games.
    pub new_games: Option<NewGames>,
    /// Novelties up to this number of half-moves are not listed.
    pub after_ply: Ply,
    /// The minimum number of earlier games with the position before a listed novelty.
    pub min_games: u64,
    /// The memory for positions that several games have, in bytes. With less memory, games are replayed more often.
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
    /// The default memory for positions that several games have.
    pub const MEMORY_BYTES: usize = 512 << 20;

    /// `true` if a novelty is late enough, in a position of enough earlier games.
    fn lists(&self, novelty: &Novelty) -> bool {
        novelty.ply > self.after_ply && novelty.before >= self.min_games
    }
}

/// The novelties of some games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Novelties {
    /// The novelties, by the dates of their games.
    pub list: Vec<Novelty>,
    /// The number of games whose novelties were searched for: games of chess that are not marked as duplicates.
    pub games: u64,
    /// The number of games without a date. These games count as later than all dated games, in the order of their
    /// numbers.
    pub undated: u64,
    /// The number of games left out as duplicates.
    pub duplicates: u64,
}

/// Games are looked up one by one if at most one in this many of all games is chosen.
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
        let column_store = selection.column_store();
        Novelties::of_games(database, column_store, games, query, watch)
    }

    /// Finds the novelties of given games. The filter of the query is ignored.
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
        let read = Compared::new(&database.connection, column_store);
        let Compared { ages, duplicates } = read.in_database(database)?;

        let mut found = Novelties::default();
        let mut chosen = GameSet::default();
        for game in games.iter() {
            // Games that are compared have an age.
            if ages.age_of(game).is_some() {
                found.undated += u64::from(ages.is_undated(game));
                chosen.insert(game);
            } else {
                found.duplicates += u64::from(duplicates.contains(game));
            }
        }
        found.games = chosen.len();

        // With a limit of half-moves, the index does not know all positions.
        let are_all_indexed = database.indexed_plies()?.last().is_none();
        let are_few = found.games.saturating_mul(LOOKED_UP_PART) <= ages.len();
        found.list = if are_all_indexed && are_few {
            look_up_in(database, &ages, &chosen, watch)?
        } else {
            sweep::novelties(database, &ages, &chosen, query.memory, watch)?
        };

        found.list.retain(|novelty| query.lists(novelty));
        let age = |novelty: &Novelty| ages.age_of(novelty.game);
        found.list.sort_unstable_by_key(age);
        Ok(found)
    }

    /// The novelty of one game.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn of_game(connection: &Connection, game: GameId) -> StoreResult<Option<Novelty>> {
        let column_store = ColumnStore::new(connection)?;
        let all = Compared::new(connection, &column_store)?;
        let search = PositionSearch::new(connection)?;
        search.plies().check_all()?;

        let part = lookup::Compared {
            connection,
            search: &search,
            ages: &all.ages,
        };
        let early = EarlyGames::default();
        let lookup = Lookup::new(vec![part], &early);
        let found = lookup.novelty(GameOfDatabase { database: 0, game })?;
        Ok(found.map(|of_database| of_database.novelty))
    }
}

/// Looks up games of a single database.
fn look_up_in(
    database: &Database,
    ages: &Ages,
    games: &GameSet,
    watch: &Watch<'_>,
) -> Result<Vec<Novelty>> {
    let mut chosen = Vec::new();
    for game in games.iter() {
        chosen.push(GameOfDatabase { database: 0, game });
    }

    let part = Part { database, ages };
    let found = lookup::novelties(&[part], &chosen, watch)?;
    Ok(found
        .into_iter()
        .map(|of_database| of_database.novelty)
        .collect())
}

/// The novelties of games of several databases. Each game is compared with the games of all databases. Games of one day
/// count in the order of the databases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JoinedNovelties {
    /// The novelties, by the dates of their games.
    pub list: Vec<NoveltyOfDatabase>,
    /// The number of games whose novelties were searched for.
    pub games: u64,
    /// The number of games without a date.
    pub undated: u64,
    /// The number of games left out as duplicates.
    pub duplicates: u64,
}

impl JoinedNovelties {
    /// The number of games whose novelties are wanted.
    ///
    /// # Errors
    /// As for [`JoinedNovelties::read`].
    pub fn count_games(
        databases: &[&Database],
        query: &NoveltyQuery,
        watch: &Watch<'_>,
    ) -> Result<u64> {
        let sources = NewGames::in_databases(query.new_games.as_ref(), databases)?;
        let mut count = 0;
        for (index, database) in databases.iter().enumerate() {
            let mut games = Query::new().filter(query.filter.clone());
            if let Some(sources) = &sources {
                // There is an entry for each database.
                let of_database = &sources[index];
                let ranges = of_database.iter().map(|source| source.games.clone());
                games = games.games(ranges);
            }

            let mut hits = database.query_watched(&games, *watch)?;
            count += hits.count()?;
        }
        Ok(count)
    }

    /// Finds the novelties of some games. With several databases, each game is looked up in the position indexes. With
    /// a single database, this is [`Novelties::read`].
    ///
    /// # Errors
    /// As for [`Novelties::read`], when a source is in no database, and when one of several databases does not index
    /// all positions.
    pub fn read(
        databases: &[&Database],
        query: &NoveltyQuery,
        watch: &Watch<'_>,
    ) -> Result<JoinedNovelties> {
        if let [only] = databases {
            let found = Novelties::read(only, query, watch)?;
            return Ok(JoinedNovelties::from(found));
        }

        let sources = NewGames::in_databases(query.new_games.as_ref(), databases)?;
        let mut wanted = Vec::new();
        for (index, database) in databases.iter().enumerate() {
            check_all_indexed(database)?;
            let mut selection = Selection::new(database, &query.filter)?;
            if let Some(sources) = &sources {
                let ranges: Vec<_> = sources[index]
                    .iter()
                    .map(|source| source.games.clone())
                    .collect();
                selection.restrict_to_numbers(&ranges);
            }
            selection.settle(watch)?;

            let candidates = selection.candidates().iter();
            for game in candidates {
                wanted.push(GameOfDatabase {
                    database: index,
                    game,
                });
            }
        }
        JoinedNovelties::look_up(databases, &wanted, query, watch)
    }

    /// Finds the novelties of given games. The filter of the query is ignored.
    ///
    /// # Errors
    /// When a database cannot be read, and when one of several databases does not index all positions.
    pub(super) fn of_games(
        databases: &[&Database],
        games: &[GameOfDatabase],
        query: &NoveltyQuery,
        watch: &Watch<'_>,
    ) -> Result<JoinedNovelties> {
        if let [only] = databases {
            // A single database can be replayed if its index cannot decide.
            let column_store = ColumnStore::new(&only.connection).in_database(only)?;
            let games: GameSet = games.iter().map(|of_database| of_database.game).collect();
            let found = Novelties::of_games(only, &column_store, &games, query, watch)?;
            return Ok(JoinedNovelties::from(found));
        }

        for database in databases {
            check_all_indexed(database)?;
        }
        JoinedNovelties::look_up(databases, games, query, watch)
    }

    /// Looks up games in databases that index all positions.
    fn look_up(
        databases: &[&Database],
        wanted: &[GameOfDatabase],
        query: &NoveltyQuery,
        watch: &Watch<'_>,
    ) -> Result<JoinedNovelties> {
        // Games of one day count in the order of the databases, so the ages of a database begin behind the number of
        // games in the preceding databases.
        let mut compared = Vec::with_capacity(databases.len());
        let mut games_before: u32 = 0;
        for database in databases {
            let column_store = ColumnStore::new(&database.connection).in_database(database)?;
            let all = Compared::new(&database.connection, &column_store).in_database(database)?;
            let ages = all.ages.shifted_behind(games_before);

            let games = u32::try_from(ages.len()).unwrap_or(u32::MAX);
            games_before = games_before.saturating_add(games);
            compared.push(Compared { ages, ..all });
        }

        let mut found = JoinedNovelties::default();
        let mut chosen = Vec::new();
        for &wanted_game in wanted {
            let Compared { ages, duplicates } = &compared[wanted_game.database];
            if ages.age_of(wanted_game.game).is_some() {
                found.undated += u64::from(ages.is_undated(wanted_game.game));
                chosen.push(wanted_game);
            } else {
                found.duplicates += u64::from(duplicates.contains(wanted_game.game));
            }
        }
        found.games = chosen.len() as u64;

        let parts: Vec<Part<'_>> = databases
            .iter()
            .zip(&compared)
            .map(|(&database, Compared { ages, .. })| Part { database, ages })
            .collect();
        found.list = lookup::novelties(&parts, &chosen, watch)?;

        found
            .list
            .retain(|of_database| query.lists(&of_database.novelty));
        let age = |of_database: &NoveltyOfDatabase| {
            let Compared { ages, .. } = &compared[of_database.database];
            ages.age_of(of_database.novelty.game)
        };
        found.list.sort_unstable_by_key(age);
        Ok(found)
    }
}

impl From<Novelties> for JoinedNovelties {
    /// The novelties of a request to one database, which has the index 0.
    fn from(found: Novelties) -> JoinedNovelties {
        const ONLY_DATABASE: usize = 0;

        let of_database = |novelty: Novelty| NoveltyOfDatabase {
            database: ONLY_DATABASE,
            novelty,
            last_database: novelty.last.map(|_| ONLY_DATABASE),
        };
        JoinedNovelties {
            list: found.list.into_iter().map(of_database).collect(),
            games: found.games,
            undated: found.undated,
            duplicates: found.duplicates,
        }
    }
}

/// Fails unless a database indexes all positions.
fn check_all_indexed(database: &Database) -> Result<()> {
    database.indexed_plies()?.check_all().in_database(database)
}

/// The games that are compared.
struct Compared {
    ages: Ages,
    duplicates: GameSet,
}

impl Compared {
    fn new(connection: &Connection, column_store: &ColumnStore<'_>) -> StoreResult<Compared> {
        let duplicates = duplicates(connection)?;
        let is_chess = |flags: GameFlags| flags.has_boards() && !flags.variant().plays_apart();
        let mut games =
            column_store.games(|flags: GameFlags| flags.is_played() && is_chess(flags))?;
        for duplicate in duplicates.iter() {
            games.remove(duplicate);
        }

        Ok(Compared {
            ages: Ages::new(column_store, &games)?,
            duplicates,
        })
    }
}
