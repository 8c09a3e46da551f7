//! Position search: the games that reach a position, by any order of moves.

use std::sync::Arc;

use rusqlite::Connection;

use super::changed::ChangedGames;
use crate::board::{Color, Move, Position};
use crate::game::{GameFacts, Ply, Variant};
use crate::index::{PopularGames, Reached, Segment};
use crate::replay::{PositionKey, Visit};
use crate::storage::{GameId, IndexedLines, IndexedPlies, PlayedGame};
use crate::store_fault::StoreResult;

/// A game that reaches a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visited {
    /// The number of the game.
    pub game: GameId,
    /// Half-moves played before the position first occurs, along its line.
    pub ply: Ply,
    /// `true` if the position occurs in variations only, never on the mainline.
    pub in_variation: bool,
    /// The side to move in the position.
    pub mover: Color,
    /// The next move with its SAN; `None` when the game ends or the position is in a variation.
    pub next: Option<(String, Move)>,
    /// The facts of the game that are counted.
    pub facts: GameFacts,
}

/// Looks up positions in the state that a database has when the search is made.
///
/// Every method takes the connection; where others may write meanwhile, all calls must be in one transaction.
#[derive(Debug)]
pub struct PositionSearch {
    pub(crate) segments: Vec<Segment>,
    pub(super) changed: Arc<ChangedGames>,
    pub(crate) lines: IndexedLines,
    plies: IndexedPlies,
    key_bits: KeyBits,
}

/// The bits of position keys that are used: all of them, unless a test makes keys collide.
#[derive(Clone, Copy, Debug)]
struct KeyBits(u64);

impl Visited {
    /// The [code](Move::code) of the next move, [`Visit::END`] when the game ends, [`Visit::VARIATION`] when the
    /// position is in variations only.
    pub(crate) fn code(&self) -> u16 {
        if self.in_variation {
            return Visit::VARIATION;
        }
        match &self.next {
            Some((_, mv)) => mv.code(),
            None => Visit::END,
        }
    }

    /// The sort key of a game's visits to several positions: the mainline before variations, then the earliest.
    fn precedence(&self) -> (bool, u32) {
        (self.in_variation, self.ply.get())
    }
}

impl PositionSearch {
    /// Prepares a search.
    ///
    /// # Errors
    /// When the database cannot be read, or its index has another format.
    pub fn new(connection: &Connection) -> StoreResult<PositionSearch> {
        let lines = IndexedLines::of(connection)?;
        Ok(PositionSearch {
            segments: Segment::all(connection, lines)?,
            changed: Arc::new(ChangedGames::all(connection)?),
            lines,
            plies: IndexedPlies::of(connection)?,
            key_bits: KeyBits(!0),
        })
    }

    /// The half-moves of games whose positions are indexed. No game is found by a position that it first reaches later.
    pub fn plies(&self) -> IndexedPlies {
        self.plies
    }

    /// `true` if positions of variations are found, too.
    pub fn finds_variations(&self) -> bool {
        self.lines == IndexedLines::All
    }

    /// `true` if the positions of a game have changed since it was indexed.
    pub(crate) fn has_moved(&self, game: GameId) -> bool {
        self.changed.has_moved(game)
    }

    /// The positions of a list that at least one game reaches. A single position is not looked up.
    pub(crate) fn reached(
        &self,
        connection: &Connection,
        positions: &[Position],
    ) -> StoreResult<Vec<Position>> {
        if positions.len() < 2 {
            return Ok(positions.to_vec());
        }

        let mut reached = Vec::new();
        for position in positions {
            let mut visits = self.visits(connection, position)?;
            if visits.next(connection)?.is_some() {
                reached.push(position.clone());
            }
        }
        Ok(reached)
    }

    /// The first `limit` games that reach at least one of some positions, by number, each once, with its first visit.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn games(
        &self,
        connection: &Connection,
        positions: &[Position],
        limit: usize,
    ) -> StoreResult<Vec<Visited>> {
        let mut visits = self.visits_of(connection, positions)?;
        let mut games = Vec::new();
        while games.len() < limit
            && let Some(visited) = visits.next(connection)?
        {
            games.push(visited);
        }
        Ok(games)
    }

    /// A cursor over the games that reach at least one of some positions, each with its first visit.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn visits_of(
        &self,
        connection: &Connection,
        positions: &[Position],
    ) -> StoreResult<VisitsOf> {
        let mut lists = Vec::with_capacity(positions.len());
        for position in positions {
            let visits = self.visits(connection, position)?;
            lists.push(VisitList {
                visits: Some(visits),
                head: None,
            });
        }
        Ok(VisitsOf { lists })
    }

    /// A game's first visit to any of some positions; `None` if the game reaches none of them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn visit(
        &self,
        connection: &Connection,
        game: GameId,
        positions: &[Position],
    ) -> rusqlite::Result<Option<Visited>> {
        first_visit(connection, game, self.lines, self.plies, positions)
    }

    /// Looks up a legal position in a segment.
    pub(crate) fn find(
        &self,
        connection: &Connection,
        segment: &Segment,
        position: &Position,
    ) -> StoreResult<Reached> {
        self.plies.check()?;
        self.key_bits.find(connection, segment, position)
    }

    /// A cursor over the games that reach a position.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn visits(
        &self,
        connection: &Connection,
        position: &Position,
    ) -> StoreResult<Visits> {
        self.plies.check()?;

        // The last element is taken first.
        let mut moved = self.moved_visits(connection, position)?;
        moved.reverse();

        let no_candidates = Vec::new().into_iter();
        Ok(Visits {
            position: position.clone(),
            segments: self.segments.clone().into_iter(),
            candidates: Candidates::Listed(no_candidates),
            unchanged: None,
            moved,
            changed: Arc::clone(&self.changed),
            lines: self.lines,
            plies: self.plies,
            key_bits: self.key_bits,
        })
    }

    /// The visits of the candidates that reach a position. The candidates are games that the index lists for the key of
    /// the position; some of them may reach another position with this key instead.
    pub(crate) fn visits_among(
        &self,
        connection: &Connection,
        games: Vec<GameId>,
        position: &Position,
    ) -> rusqlite::Result<Vec<Visited>> {
        let mut visits = Vec::new();
        for game in games {
            // `moved_visits` finds these games by their current positions.
            if self.changed.has_moved(game) {
                continue;
            }

            let visited = replay_to_visit(connection, game, self.lines, self.plies, position)?;
            visits.extend(visited);
        }
        Ok(visits)
    }

    /// The visits of the changed games that reach a position now.
    pub(crate) fn moved_visits(
        &self,
        connection: &Connection,
        position: &Position,
    ) -> StoreResult<Vec<Visited>> {
        self.moved_visits_of(connection, position, |_| true)
    }

    /// The visits of the changed games that reach a position now, for the games for which a condition holds.
    pub(crate) fn moved_visits_of(
        &self,
        connection: &Connection,
        position: &Position,
        is_wanted: impl Fn(GameId) -> bool,
    ) -> StoreResult<Vec<Visited>> {
        let mut visits = Vec::new();
        for game in self.changed.moved() {
            if !is_wanted(game) {
                continue;
            }

            let visited = replay_to_visit(connection, game, self.lines, self.plies, position)?;
            visits.extend(visited);
        }
        Ok(visits)
    }
}

/// A cursor over the games that reach a position, by number, each at its first visit.
#[derive(Debug)]
pub(crate) struct Visits {
    position: Position,
    segments: std::vec::IntoIter<Segment>,
    candidates: Candidates,
    /// The next unchanged game, held back while a changed one comes first.
    unchanged: Option<Visited>,
    /// Games whose positions have changed, the last first.
    moved: Vec<Visited>,
    changed: Arc<ChangedGames>,
    lines: IndexedLines,
    plies: IndexedPlies,
    key_bits: KeyBits,
}

/// Games that may reach a position.
#[derive(Debug)]
enum Candidates {
    Listed(std::vec::IntoIter<GameId>),
    Popular(PopularGames),
}

impl Iterator for Candidates {
    type Item = StoreResult<GameId>;

    fn next(&mut self) -> Option<StoreResult<GameId>> {
        match self {
            Candidates::Listed(games) => {
                let game = games.next()?;
                Some(Ok(game))
            }
            Candidates::Popular(games) => {
                let entry = games.next()?;
                Some(entry.map(|(game, _)| game))
            }
        }
    }
}

impl Visits {
    /// The next game.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn next(&mut self, connection: &Connection) -> StoreResult<Option<Visited>> {
        if self.unchanged.is_none() {
            self.unchanged = self.next_unchanged(connection)?;
        }

        let next_unchanged = self.unchanged.as_ref().map(|visited| visited.game);
        let moved = self
            .moved
            .pop_if(|visited| next_unchanged.is_none_or(|game| visited.game < game));
        if moved.is_some() {
            return Ok(moved);
        }
        Ok(self.unchanged.take())
    }

    /// The next game whose positions have not changed since it was indexed; `None` at the end.
    fn next_unchanged(&mut self, connection: &Connection) -> StoreResult<Option<Visited>> {
        loop {
            for candidate in self.candidates.by_ref() {
                let game = candidate?;
                // `moved` has the games whose positions have changed.
                if self.changed.has_moved(game) {
                    continue;
                }
                // Several positions may share a key, so only a replay shows that the game reaches this position.
                let visited =
                    replay_to_visit(connection, game, self.lines, self.plies, &self.position)?;
                if visited.is_some() {
                    return Ok(visited);
                }
            }

            let Some(segment) = self.segments.next() else {
                return Ok(None);
            };
            // Segments have disjoint ranges of games, so the games of all segments are in ascending order.
            let found = self.key_bits.find(connection, &segment, &self.position)?;
            self.candidates = match found {
                Reached::Never => Candidates::Listed(Vec::new().into_iter()),
                Reached::Perhaps(games) => Candidates::Listed(games.into_iter()),
                Reached::Often(popular) => Candidates::Popular(popular.games(connection)?),
            };
        }
    }
}

/// A cursor over the games that reach at least one of several positions, merged by number.
#[derive(Debug)]
pub(crate) struct VisitsOf {
    lists: Vec<VisitList>,
}

/// The games of one position.
#[derive(Debug)]
struct VisitList {
    /// The remaining games; `None` at the end.
    visits: Option<Visits>,
    /// The next game, if it has been fetched.
    head: Option<Visited>,
}

impl VisitsOf {
    /// The next game.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn next(&mut self, connection: &Connection) -> StoreResult<Option<Visited>> {
        let mut least: Option<GameId> = None;
        for list in &mut self.lists {
            if let Some(visited) = list.peek(connection)? {
                let game = visited.game;
                least = Some(least.map_or(game, |other| other.min(game)));
            }
        }
        let Some(first) = least else {
            return Ok(None);
        };

        // A game that reaches several positions heads several lists.
        let visits = self.lists.iter_mut().filter_map(|list| list.take(first));
        Ok(visits.min_by_key(Visited::precedence))
    }
}

impl VisitList {
    /// The next game, which stays in the list.
    fn peek(&mut self, connection: &Connection) -> StoreResult<Option<&Visited>> {
        if self.head.is_none()
            && let Some(visits) = &mut self.visits
        {
            self.head = visits.next(connection)?;
            if self.head.is_none() {
                self.visits = None;
            }
        }
        Ok(self.head.as_ref())
    }

    /// Removes and returns the next game if it has this number.
    fn take(&mut self, game: GameId) -> Option<Visited> {
        self.head.take_if(|visited| visited.game == game)
    }
}

impl KeyBits {
    /// Looks up a legal position in a segment by these bits of the key.
    fn find(
        self,
        connection: &Connection,
        segment: &Segment,
        position: &Position,
    ) -> StoreResult<Reached> {
        let full_key = PositionKey::new(position, Variant::Standard);
        let key = PositionKey(full_key.0 & self.0);
        segment.find(connection, key, position.check_key())
    }
}

/// Replays a game up to its first visit of the position; `None` if there is no visit, or if it is not indexed.
fn replay_to_visit(
    connection: &Connection,
    game: GameId,
    lines: IndexedLines,
    plies: IndexedPlies,
    position: &Position,
) -> rusqlite::Result<Option<Visited>> {
    let played = PlayedGame::read(connection, game, lines)?;
    let visited = played.and_then(|played| visit_of(&played, position));
    Ok(visited.filter(|visited| plies.include(visited.ply)))
}

/// A game's first visit to any of some positions; `None` if there is none, or none that is indexed.
pub(crate) fn first_visit(
    connection: &Connection,
    game: GameId,
    lines: IndexedLines,
    plies: IndexedPlies,
    positions: &[Position],
) -> rusqlite::Result<Option<Visited>> {
    let Some(played) = PlayedGame::read(connection, game, lines)? else {
        return Ok(None);
    };

    // The index has a limited number of half-moves of each game, so later visits are not found.
    let visits = positions
        .iter()
        .filter_map(|position| visit_of(&played, position));
    let indexed_visits = visits.filter(|visited| plies.include(visited.ply));
    Ok(indexed_visits.min_by_key(Visited::precedence))
}

/// The first visit of a game, which is replayed leniently, since other programs may have written it.
fn visit_of(game: &PlayedGame, position: &Position) -> Option<Visited> {
    // Variants that change the rules are not in the index.
    if game.variant.plays_apart() {
        return None;
    }

    let mut line = game.mainline()?;
    let is_played = line.find(position);
    let (ply, next) = if is_played {
        let ply = line.ply();
        let next = line.step().map(|(san, mv)| (san.to_owned(), mv));
        (ply, next)
    } else {
        (game.find_in_variations(position)?, None)
    };

    Some(Visited {
        game: game.id,
        ply,
        in_variation: !is_played,
        mover: position.turn(),
        next,
        facts: game.facts,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};
    use std::path::Path;

    use super::*;
    use crate::import::{ImportOptions, import};
    use crate::index::{BatchPostings, Run, RunLimits};
    use crate::input::find_files;
    use crate::storage::{Database, replay_stored};

    /// A database of the historical games in which only these bits of keys are indexed.
    fn database(path: &Path, bits: u64) -> Database {
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/games");
        let files = find_files(&games).expect("the games are there");
        let options = ImportOptions {
            positions: false,
            ..ImportOptions::default()
        };
        let mut database = Database::open_or_create(path).expect("a new database");
        import(&mut database, &files, options, |_| {}).expect("an import");

        let limits = RunLimits {
            bytes: usize::MAX,
            games: usize::MAX,
            waiting_bytes: 0,
        };
        let lines = IndexedLines::Mainline;
        let mut run = Run::new(database.folder(), lines, limits);
        let gather = |games: &[PlayedGame]| {
            let mut batch = BatchPostings::default();
            for game in games {
                let mut visits = game.visits();
                for visit in &mut visits {
                    visit.key.0 &= bits;
                }
                batch.push_game(visits, game.facts);
            }
            batch.divide();
            batch
        };

        let connection = &database.connection;
        replay_stored(connection, (1, i64::MAX), None, lines, gather, |batch| {
            run.push(batch, 0)
        })
        .and_then(|()| run.write(connection, 1))
        .expect("an index");
        database
    }

    /// Every position of every game, with the games that reach it, found by replaying them all.
    fn truth(connection: &Connection) -> Vec<(Position, HashSet<GameId>)> {
        let mut games: HashMap<String, (Position, HashSet<GameId>)> = HashMap::new();
        let walk = |played: &[PlayedGame]| {
            let mut stops = Vec::new();
            for game in played {
                let mut line = game.mainline().expect("a start");
                loop {
                    stops.push((game.id, line.position().clone()));
                    match line.step() {
                        Some((_, mv)) => line.play(mv),
                        None => break,
                    }
                }
            }
            stops
        };

        let collect = |stops: Vec<(GameId, Position)>| {
            for (game, position) in stops {
                // Positions that differ in the half-move clock and the move number are one position.
                let fen = position.fen();
                let four_fields = fen.rsplitn(3, ' ').nth(2).expect("six fields").to_owned();
                let entry = games.entry(four_fields);
                let (_, reaching) = entry.or_insert((position, HashSet::new()));
                reaching.insert(game);
            }
            Ok::<(), rusqlite::Error>(())
        };

        let all_games = (1, i64::MAX);
        let lines = IndexedLines::Mainline;
        replay_stored(connection, all_games, None, lines, walk, collect)
            .expect("the games can be read");
        games.into_values().collect()
    }

    /// However many positions share a key, every answer equals the answer of a replay of all games. Only where the key
    /// has fewer bits than its check key are games listed instead of counted: then different positions may agree in
    /// both.
    #[test]
    fn answers_are_exact_though_keys_collide() {
        for (bits, is_counted) in [
            (0, false),
            (0xf << 60, false),
            (0x3ff << 54, true),
            (!0, true),
        ] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let database = database(&folder.path().join("games.db"), bits);
            let connection = &database.connection;
            let mut search = PositionSearch::new(connection).expect("an index");
            search.key_bits = KeyBits(bits);
            let positions = truth(connection);
            assert!(positions.len() > 7_000);

            // With few bits each look-up replays most games, so only some positions are tested.
            let step = if bits == !0 { 1 } else { 97 };
            let popular = positions.iter().filter(|(_, games)| games.len() > 20);
            for (position, games) in positions.iter().step_by(step).chain(popular) {
                let one = std::slice::from_ref(position);
                let visits = search
                    .games(connection, one, usize::MAX)
                    .expect("an answer");
                let found: HashSet<GameId> = visits.iter().map(|visited| visited.game).collect();
                assert_eq!(found, *games, "{}", position.fen());
                if !is_counted {
                    continue;
                }

                let all = games.len() as u64;
                let count = search.count(connection, one).expect("a count");
                assert_eq!(count, all);

                let moves = search.moves(connection, one).expect("an answer");
                let of_moves: u64 = moves.iter().map(|counted| counted.counts.all_games()).sum();
                assert_eq!(of_moves, all);
            }
        }
    }
}
