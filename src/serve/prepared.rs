//! Values that all answers from one state of a database share, and that are read once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use super::api::statistics::Stored;
use super::budget::Budget;
use super::locks::lock;
use super::shared::Shared;
use stamma::board::Position;
use stamma::error::Result;
use stamma::game::Variant;
use stamma::query::{
    FeaturedGames, FeaturedLimits, GameKeys, MoveCount, NameCounts, NameField, PositionSearch,
};
use stamma::replay::PositionKey;
use stamma::storage::{Database, InDatabase, OpeningTable};
use stamma::study::tournament::Tournaments;

/// The featured games of a position with more games than this are kept.
const POPULAR_GAMES: u64 = 20_000;
/// The maximum number of positions whose featured games are kept.
const MAX_REMEMBERED: usize = 4096;
/// The maximum number of groups of databases whose tournaments are kept. A request is for one database or for all, and
/// the databases of a folder change.
const MAX_GROUPS: usize = 4;
/// The longest lists of best-rated and of latest games beside the moves of a position.
pub(super) const MAX_TOP: usize = 15;
pub(super) const MAX_RECENT: usize = 8;

/// Values that all answers from one state of a database share.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) search: PositionSearch,
    pub(super) openings: OpeningTable,
    keys: Shared<GameKeys>,
    /// The answer to `/api/1/statistics`, except for the import under way.
    pub(super) statistics: Shared<Stored>,
    names: Mutex<HashMap<NameField, Arc<Shared<NameCounts>>>>,
    tournaments: Mutex<Vec<GroupTournaments>>,
    remembered: Mutex<HashMap<PositionKey, Arc<FeaturedGames>>>,
}

/// The tournaments of all games of a group of databases, which requests read as one.
#[derive(Debug)]
struct GroupTournaments {
    /// The state of each database.
    states: Vec<Weak<Prepared>>,
    tournaments: Arc<Shared<Tournaments>>,
}

impl GroupTournaments {
    /// `true` if the databases are in these states, in this order.
    fn has_states(&self, states: &[Arc<Prepared>]) -> bool {
        let is_same = |(own, other): (&Weak<Prepared>, &Arc<Prepared>)| {
            // A weak reference keeps the memory of a state allocated, so no later state can have the address.
            std::ptr::eq(own.as_ptr(), Arc::as_ptr(other))
        };
        self.states.len() == states.len() && self.states.iter().zip(states).all(is_same)
    }

    /// `false` if a database has changed since, and no request reads the earlier state.
    fn is_current(&self) -> bool {
        self.states.iter().all(|state| state.strong_count() > 0)
    }
}

impl Prepared {
    /// Prepares the state of a snapshot.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn new(database: &Database) -> Result<Prepared> {
        let search = PositionSearch::new(database.connection()).in_database(database)?;
        let openings = database.openings()?;

        // All other values are read by the first answer that needs them.
        Ok(Prepared {
            search,
            openings,
            keys: Shared::default(),
            statistics: Shared::default(),
            names: Mutex::default(),
            tournaments: Mutex::default(),
            remembered: Mutex::default(),
        })
    }

    /// Ratings, dates and results of all games, which are read once.
    ///
    /// # Errors
    /// When the database cannot be read, and when the budget is over.
    pub(super) fn keys(&self, database: &Database, budget: &Budget) -> Result<Arc<GameKeys>> {
        self.keys.get(budget, || GameKeys::read(database))
    }

    /// The games of each name of a field, which are counted once.
    ///
    /// # Errors
    /// When the database cannot be read, and when the budget is over.
    pub(super) fn names(
        &self,
        database: &Database,
        field: NameField,
        budget: &Budget,
    ) -> Result<Arc<NameCounts>> {
        // The lock is released before the names are read, so that answers about other fields need not wait.
        let mut names = lock(&self.names);
        let counts = Arc::clone(names.entry(field).or_default());
        drop(names);

        counts.get(budget, || NameCounts::read(database, field))
    }

    /// The tournaments of all games of several databases in these states, of which this state is the first.
    pub(super) fn tournaments(&self, states: &[Arc<Prepared>]) -> Arc<Shared<Tournaments>> {
        let mut groups = lock(&self.tournaments);
        if let Some(known) = groups.iter().find(|group| group.has_states(states)) {
            return Arc::clone(&known.tournaments);
        }

        groups.retain(GroupTournaments::is_current);
        if groups.len() == MAX_GROUPS {
            groups.remove(0);
        }
        let tournaments = Arc::default();
        groups.push(GroupTournaments {
            states: states.iter().map(Arc::downgrade).collect(),
            tournaments: Arc::clone(&tournaments),
        });
        tournaments
    }

    /// The moves of all games in a position, and the games to show beside them.
    ///
    /// # Errors
    /// When the database cannot be read, and when the budget is over.
    pub(super) fn explore(
        &self,
        database: &Database,
        position: &Position,
        budget: &Budget,
    ) -> Result<(Vec<MoveCount>, Arc<FeaturedGames>)> {
        let connection = database.connection();
        let key = PositionKey::new(position, Variant::Standard);
        let remembered = lock(&self.remembered).get(&key).cloned();
        if let Some(featured) = remembered {
            let positions = std::slice::from_ref(position);
            let counted = self.search.moves(connection, positions);
            let moves = counted.in_database(database)?;
            return Ok((moves, featured));
        }

        // All requests for the position have room in the longest lists.
        let limits = FeaturedLimits {
            top: MAX_TOP,
            recent: MAX_RECENT,
            months: false,
        };
        let keys = self.keys(database, budget)?;
        let explored = self.search.explore(connection, position, &keys, limits);
        let (moves, featured) = explored.in_database(database)?;
        let featured = Arc::new(featured);

        // A position with few games is read quickly, and there are too many such positions to keep.
        let games: u64 = moves.iter().map(|counted| counted.counts.all_games()).sum();
        if games > POPULAR_GAMES {
            let mut remembered = lock(&self.remembered);
            if remembered.len() < MAX_REMEMBERED {
                remembered.insert(key, Arc::clone(&featured));
            }
        }
        Ok((moves, featured))
    }
}
