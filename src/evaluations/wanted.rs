//! The positions of games that an engine searches: each position once, however many games reach it, and no position
//! whose stored evaluation is good enough.
//!
//! A position is stored as its key and one place where it occurs: a game and a ply. When the places exceed the memory
//! limit, the range of keys is divided. Positions with lower keys are searched first, and the games are replayed again
//! for the higher keys.

use std::collections::VecDeque;

use crate::board::Position;
use crate::game::Variant;
use crate::replay::PositionKey;
use crate::storage::{
    Database, GameId, GameSet, InDatabase, IndexedLines, KnownSearch, KnownSearches, PlayedGame,
    replay_stored,
};
use crate::store_fault::StoreError;

/// The maximum number of places in memory, 24 bytes each.
const MAX_PLACES: usize = 4 << 20;

/// The range of half-moves after which the positions of games are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WantedPlies {
    pub(super) first: u32,
    pub(super) last: u32,
}

impl WantedPlies {
    /// `true` for a ply in the range.
    fn contain(self, ply: u16) -> bool {
        // In a very long game, all positions from ply `u16::MAX` on have this number, so their exact ply is unknown.
        let is_exact = ply < u16::MAX;
        is_exact && (self.first..=self.last).contains(&ply.into())
    }
}

/// A position, and a game and ply where it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    key: PositionKey,
    game: GameId,
    ply: u16,
    check_key: u16,
}

/// The totals of a replay of games.
#[derive(Debug, Default)]
pub(super) struct ReplayTotals {
    /// The number of games with positions of chess.
    pub(super) games: u64,
    /// The number of positions of these games within the range of half-moves.
    pub(super) positions: u64,
    /// The number of games of other variants.
    pub(super) other_variants: u64,
}

/// The wanted positions whose keys are in a range.
#[derive(Debug)]
pub(super) struct Share {
    /// A place for each key, in the order of the keys.
    pub(super) places: Vec<Place>,
    /// The first key behind the range; `None` if there are no further keys.
    pub(super) next_key: Option<u64>,
    pub(super) totals: ReplayTotals,
}

impl Share {
    /// An estimate of the number of positions with keys from `first_key` on, in this share and all later shares.
    /// `first_key` is the first key of this share, so it is less than the next key, and `found` is the number of the
    /// share's positions.
    pub(super) fn estimate(&self, first_key: u64, found: u64) -> u64 {
        let Some(next_key) = self.next_key else {
            return found;
        };

        // Keys are evenly distributed, so the number of positions is proportional to the range of keys.
        let range = u128::from((next_key - first_key).max(1));
        let rest = u128::from(u64::MAX - next_key);
        let in_rest = u128::from(found) * rest / range;
        found.saturating_add(u64::try_from(in_rest).unwrap_or(u64::MAX))
    }
}

/// The positions of games with keys from `first_key` on, as many as fit in memory.
pub(super) fn positions_of_games(
    database: &Database,
    games: Option<&GameSet>,
    plies: WantedPlies,
    first_key: u64,
) -> crate::error::Result<Share> {
    let gathering = Gathering::new(first_key, MAX_PLACES);
    gathering.gather(database, games, plies)
}

/// The places of a share while games are replayed.
struct Gathering {
    places: Vec<Place>,
    first_key: u64,
    /// The last key of the share, lowered when the memory is full.
    last_key: u64,
    max_places: usize,
}

impl Gathering {
    fn new(first_key: u64, max_places: usize) -> Gathering {
        Gathering {
            places: Vec::new(),
            first_key,
            last_key: u64::MAX,
            max_places,
        }
    }

    /// Replays games, and gathers the places of their positions.
    fn gather(
        mut self,
        database: &Database,
        games: Option<&GameSet>,
        plies: WantedPlies,
    ) -> crate::error::Result<Share> {
        let mut totals = ReplayTotals::default();
        let read = |games: &[PlayedGame]| places_of(games, plies);
        let add_batch = |(places, found): (Vec<Place>, ReplayTotals)| {
            totals.games += found.games;
            totals.positions += found.positions;
            totals.other_variants += found.other_variants;
            self.add_places(places);
            Ok::<(), StoreError>(())
        };

        let connection = &database.connection;
        let all = (i64::MIN, i64::MAX);
        let lines = IndexedLines::Mainline;
        let replayed = replay_stored(connection, all, games, lines, read, add_batch);
        replayed.in_database(database)?;

        self.sort();
        let next_key = self.last_key.checked_add(1);
        Ok(Share {
            places: self.places,
            next_key,
            totals,
        })
    }

    /// Adds the places with keys of the share. If there are too many places, the range of keys is narrowed.
    fn add_places(&mut self, places: Vec<Place>) {
        let keys = self.first_key..=self.last_key;
        let in_range = places
            .into_iter()
            .filter(|place| keys.contains(&place.key.0));
        self.places.extend(in_range);
        if self.places.len() < self.max_places {
            return;
        }

        self.sort();
        // The range of keys is halved until half of the memory is free. So the places are seldom sorted again.
        while self.places.len() > self.max_places / 2 && self.last_key > self.first_key {
            let half = (self.last_key - self.first_key) / 2;
            self.last_key = self.first_key + half;
            let end = self
                .places
                .partition_point(|place| place.key.0 <= self.last_key);
            self.places.truncate(end);
        }
    }

    /// Sorts by key, and keeps the first place of each key.
    fn sort(&mut self) {
        self.places.sort_unstable();
        self.places.dedup_by_key(|place| place.key);
    }
}

/// The places of positions in some games.
fn places_of(games: &[PlayedGame], plies: WantedPlies) -> (Vec<Place>, ReplayTotals) {
    let mut places = Vec::new();
    let mut totals = ReplayTotals::default();
    for game in games {
        if !is_chess(game.variant) {
            totals.other_variants += 1;
            continue;
        }
        let Some(mainline) = game.mainline() else {
            continue;
        };
        totals.games += 1;
        for visit in mainline.visits(game.variant) {
            if plies.contain(visit.ply) {
                places.push(Place {
                    key: visit.key,
                    game: game.id,
                    ply: visit.ply,
                    check_key: visit.check_key,
                });
            }
        }
    }
    totals.positions = places.len() as u64;
    (places, totals)
}

/// `true` for the variants that UCI engines play.
fn is_chess(variant: Variant) -> bool {
    matches!(variant, Variant::Standard | Variant::Chess960)
}

/// Removes the places of positions whose search is good enough.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn remove_known(
    database: &Database,
    places: &mut Vec<Place>,
    is_enough: impl Fn(KnownSearch) -> bool,
) -> crate::error::Result<()> {
    let mut searches = KnownSearches::new(&database.connection).in_database(database)?;

    // The closure of `retain` cannot return an error.
    let mut failure = None;
    places.retain(|place| match searches.find(place.key, place.check_key) {
        Ok(known) => !known.is_some_and(&is_enough),
        Err(error) => {
            failure.get_or_insert(error);
            false
        }
    });

    let removed = match failure {
        Some(error) => Err(error),
        None => Ok(()),
    };
    removed.in_database(database)
}

/// The positions to search, one after the other.
pub(super) struct WantedPositions<'d> {
    database: &'d Database,
    /// The places in the order of the games.
    places: std::iter::Peekable<std::vec::IntoIter<Place>>,
    /// The next positions of the current game.
    ready: VecDeque<Position>,
    /// The number of positions so far that are not searched, since they have no legal move.
    pub(super) without_moves: u64,
}

impl<'d> WantedPositions<'d> {
    /// The positions at some places.
    pub(super) fn from_places(
        database: &'d Database,
        mut places: Vec<Place>,
    ) -> WantedPositions<'d> {
        // A game with several places is replayed once.
        places.sort_unstable_by_key(|place| (place.game, place.ply));
        WantedPositions {
            database,
            places: places.into_iter().peekable(),
            ready: VecDeque::new(),
            without_moves: 0,
        }
    }

    /// Given positions.
    pub(super) fn from_positions(
        database: &'d Database,
        positions: Vec<Position>,
    ) -> WantedPositions<'d> {
        let mut wanted = WantedPositions::from_places(database, Vec::new());
        for position in positions {
            wanted.add_position(position);
        }
        wanted
    }

    /// The next position.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn next(&mut self) -> crate::error::Result<Option<Position>> {
        while self.ready.is_empty() {
            let Some(first) = self.places.next() else {
                break;
            };
            self.read_game(first)?;
        }
        Ok(self.ready.pop_front())
    }

    /// Replays the game of a place, up to its last wanted position.
    fn read_game(&mut self, first: Place) -> crate::error::Result<()> {
        let mut plies = vec![first.ply];
        while let Some(place) = self.places.next_if(|place| place.game == first.game) {
            plies.push(place.ply);
        }

        let connection = &self.database.connection;
        let read = PlayedGame::read(connection, first.game, IndexedLines::Mainline);
        let game = read.in_database(self.database)?;
        let Some(mut mainline) = game.as_ref().and_then(PlayedGame::mainline) else {
            return Ok(());
        };

        for ply in plies {
            while mainline.ply().get() < ply.into() {
                let Some((_, mv)) = mainline.step() else {
                    return Ok(());
                };
                mainline.play(mv);
            }
            self.add_position(mainline.position().clone());
        }
        Ok(())
    }

    /// Adds a position to the next positions if it has a legal move, and otherwise counts it.
    fn add_position(&mut self, position: Position) {
        if position.has_legal_move() {
            self.ready.push_back(position);
        } else {
            self.without_moves += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(key: u64, game: i64) -> Place {
        Place {
            key: PositionKey(key),
            game: GameId::new(game),
            ply: 0,
            check_key: 0,
        }
    }

    /// All keys, gathered in shares of less than `max_places` places.
    fn gathered(keys: &[u64], max_places: usize) -> Vec<Vec<Place>> {
        let mut shares = Vec::new();
        let mut first_key = Some(0);
        while let Some(key) = first_key {
            let mut gathering = Gathering::new(key, max_places);
            for (game, keys_of_game) in keys.chunks(7).enumerate() {
                let places = keys_of_game.iter().map(|&key| place(key, game as i64));
                gathering.add_places(places.collect());
            }
            gathering.sort();
            first_key = gathering.last_key.checked_add(1);
            shares.push(gathering.places);
        }
        shares
    }

    #[test]
    fn each_key_is_in_one_share_whatever_memory_there_is() {
        // Each key twice, and the outermost keys.
        let spread = |number: u64| (number % 500).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut keys: Vec<u64> = (0..1000).map(spread).collect();
        keys.extend([0, u64::MAX, u64::MAX]);

        let whole = gathered(&keys, usize::MAX);
        assert_eq!((whole.len(), whole[0].len()), (1, 501));

        for max_places in [20, 64, 300, 600] {
            let shares = gathered(&keys, max_places);
            let largest = shares.iter().map(Vec::len).max();
            assert!(shares.len() > 1, "{max_places}");
            assert!(largest < Some(max_places), "{max_places}");
            assert_eq!(shares.concat(), whole[0], "{max_places}");
        }
    }

    #[test]
    fn little_memory_finds_the_same_positions_of_games() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("games.db");
        let mut database = Database::open_or_create(path).expect("a new database");
        let options = crate::import::ImportOptions::default();
        let files = ["tests/data/games/early.pgn"];
        crate::import::import(&mut database, files, options, |_| {}).expect("an import");

        let plies = WantedPlies { first: 2, last: 40 };
        let shares = |max_places| {
            let mut shares = Vec::new();
            let mut first_key = Some(0);
            while let Some(key) = first_key {
                let gathering = Gathering::new(key, max_places);
                let share = gathering.gather(&database, None, plies).expect("positions");
                first_key = share.next_key;
                shares.push(share);
            }
            shares
        };

        let whole = shares(usize::MAX).remove(0);
        assert!(whole.places.len() > 100);
        assert!(whole.places.len() as u64 <= whole.totals.positions);

        let parts = shares(whole.places.len() / 3);
        assert!(parts.len() > 3);
        let mut places_of_parts = Vec::new();
        for part in parts {
            assert_eq!(part.totals.positions, whole.totals.positions);
            places_of_parts.extend(part.places);
        }
        assert_eq!(places_of_parts, whole.places);

        // Each place leads to a position with its key.
        let mut expected: Vec<PositionKey> = whole.places.iter().map(|place| place.key).collect();
        let mut wanted = WantedPositions::from_places(&database, whole.places);
        let mut found = Vec::new();
        while let Some(position) = wanted.next().expect("a position") {
            found.push(PositionKey::new(&position, Variant::Standard));
        }

        expected.sort_unstable();
        let positions = found.len() as u64 + wanted.without_moves;
        assert_eq!(positions, expected.len() as u64);
        for key in found {
            assert!(expected.binary_search(&key).is_ok());
        }
    }

    #[test]
    fn the_rest_is_estimated_by_its_share_of_the_keys() {
        let share = |next_key| Share {
            places: Vec::new(),
            next_key,
            totals: ReplayTotals::default(),
        };
        assert_eq!(share(None).estimate(0, 10), 10);
        assert_eq!(share(Some(1 << 62)).estimate(0, 10), 39);
        assert_eq!(share(Some(3 << 62)).estimate(1 << 63, 10), 19);
    }
}
