//! Notable games that reach a position: the first game with each move, and the best-rated games.

use std::cmp::Reverse;

use rusqlite::Connection;

use super::{MoveCount, PositionSearch, Selection};
use crate::board::{Color, Position};
use crate::columns::{Column, ColumnStore, GameFlags};
use crate::game::{PartialDate, known_elo};
use crate::replay::Visit;
use crate::storage::GameId;
use crate::store_fault::StoreResult;

/// The maximum number of best-rated games.
const MAX_BEST_GAMES: usize = 3;

/// The first game in which a move was played. `G` is its number, or its number with its database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstGame<G = GameId> {
    /// The game.
    pub game: G,
    /// The date of the game, which may be partial.
    pub date: Option<PartialDate>,
}

/// The notable games with one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotableGamesOfMove<G = GameId> {
    /// The earliest game. Games without a date come last, and games of one date are in the order of their numbers.
    pub first: Option<FirstGame<G>>,
    /// The game with the highest mean Elo of both players, the first of equals. A game in which a program plays counts
    /// only if no other game is rated.
    pub best: Option<G>,
}

/// The notable games among the games that reach a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotableGames<G = GameId> {
    /// One entry for each of the given moves.
    pub moves: Vec<NotableGamesOfMove<G>>,
    /// The three games with the highest mean Elo of both players, the highest first. Games in which programs play are
    /// left out, unless no other game is rated.
    pub best: Vec<G>,
}

/// A game, with the move that it played where it first reached a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Played {
    pub(super) game: GameId,
    pub(super) mover: Color,
    pub(super) code: u16,
}

impl PositionSearch {
    /// The notable games among the candidates of a selection, or all games, that reach one of some positions and have
    /// been counted as `moves`.
    pub(super) fn notable_games(
        &self,
        connection: &Connection,
        positions: &[Position],
        moves: &[MoveCount],
        selection: Option<&Selection<'_>>,
    ) -> StoreResult<RankedNotableGames<GameId>> {
        if moves.is_empty() {
            return Ok(RankedNotableGames::default());
        }

        let is_candidate = |game| match selection {
            Some(selection) => selection.candidates().contains(game),
            None => true,
        };
        let played = self.first_played(connection, positions, is_candidate)?;
        match selection {
            Some(selection) => RankedNotableGames::find(selection.column_store(), &played, moves),
            None => RankedNotableGames::find(&ColumnStore::new(connection)?, &played, moves),
        }
    }

    /// The games that reach one of some positions on their mainline, by number.
    pub(super) fn first_played(
        &self,
        connection: &Connection,
        positions: &[Position],
        is_wanted: impl Fn(GameId) -> bool,
    ) -> StoreResult<Vec<Played>> {
        // A game that reaches several of the positions is listed several times at first.
        let mut all = Vec::new();
        for position in positions {
            let mover = position.turn();
            self.each_played_of(connection, position, &is_wanted, |game, code| {
                if code != Visit::VARIATION {
                    all.push(Played { game, mover, code });
                }
            })?;
        }
        all.sort_unstable();
        if positions.len() < 2 {
            return Ok(all);
        }

        let mut first = Vec::new();
        for visits in all.chunk_by(|one, other| one.game == other.game) {
            first.push(self.first_visit(connection, visits, positions)?);
        }
        Ok(first)
    }

    /// The first of a game's visits, of which there is at least one. Only a replay can order several visits, since the
    /// index has no plies.
    fn first_visit(
        &self,
        connection: &Connection,
        visits: &[Played],
        positions: &[Position],
    ) -> StoreResult<Played> {
        let first = visits[0];
        if visits.len() == 1 {
            return Ok(first);
        }

        match self.visit(connection, first.game, positions)? {
            Some(visited) => Ok(Played {
                mover: visited.mover,
                code: visited.code(),
                ..first
            }),
            None => Ok(first),
        }
    }
}

/// The sort key for the first game: the code of the date minus 1, and the game. An unknown date has
/// the code 0, which wraps to the greatest number.
type Age<G> = (u32, G);
/// The sort key for the best-rated game: least is best. Ratings of programs and of people are not comparable, so games
/// in which a program plays come last.
type Strength<G> = (HasEngine, Reverse<u64>, G);

/// `true` if a program plays the game.
type HasEngine = bool;

/// Notable games with their sort keys.
#[derive(Debug)]
pub(super) struct RankedNotableGames<G> {
    first: Vec<Option<Age<G>>>,
    strongest: Vec<Option<Strength<G>>>,
    best: Vec<Strength<G>>,
}

impl<G> Default for RankedNotableGames<G> {
    fn default() -> RankedNotableGames<G> {
        RankedNotableGames {
            first: Vec::new(),
            strongest: Vec::new(),
            best: Vec::new(),
        }
    }
}

impl RankedNotableGames<GameId> {
    /// Ranks the games of `played` for each of `moves`, and together.
    fn find(
        column_store: &ColumnStore<'_>,
        played: &[Played],
        moves: &[MoveCount],
    ) -> StoreResult<RankedNotableGames<GameId>> {
        let indices = MoveIndex::new(moves);
        let mut ranked: RankedNotableGames<GameId> = RankedNotableGames {
            first: vec![None; moves.len()],
            strongest: vec![None; moves.len()],
            best: Vec::with_capacity(MAX_BEST_GAMES + 1),
        };

        let games = played.iter().map(|played| played.game);
        let columns = [
            Column::Date,
            Column::WhiteElo,
            Column::BlackElo,
            Column::GameFlags,
        ];
        // The values come in the order of the games, one set for each.
        let mut rest = played.iter();
        column_store.each(games, columns, |game, [date, white, black, flags]| {
            let Some(at) = rest.next().and_then(|played| indices.index_of(played)) else {
                return;
            };

            // An unknown date has the code 0, which wraps to the greatest.
            let age = ((date as u32).wrapping_sub(1), game);
            keep_least(&mut ranked.first[at], age);

            let are_rated = known_elo(white).is_some() && known_elo(black).is_some();
            if are_rated {
                let has_engine = GameFlags::from_value(flags).has_engine();
                let strength = (has_engine, Reverse(white + black), game);
                keep_least(&mut ranked.strongest[at], strength);
                keep_best(&mut ranked.best, strength);
            }
        })?;
        Ok(ranked)
    }
}

impl<G: Copy + Ord> RankedNotableGames<G> {
    /// The notable games of several databases, all found for one list of moves.
    pub(super) fn merge(all: impl IntoIterator<Item = RankedNotableGames<G>>) -> Self {
        let mut parts = all.into_iter();
        let mut merged = parts.next().unwrap_or_default();
        for part in parts {
            keep_least_of_each(&mut merged.first, part.first);
            keep_least_of_each(&mut merged.strongest, part.strongest);
            for strength in part.best {
                keep_best(&mut merged.best, strength);
            }
        }
        merged
    }

    /// The games without their sort keys.
    pub(super) fn into_games(self) -> NotableGames<G> {
        let mut moves = Vec::with_capacity(self.first.len());
        for (first, strongest) in self.first.into_iter().zip(self.strongest) {
            moves.push(NotableGamesOfMove {
                first: first.map(first_game),
                best: strongest.map(|(_, _, game)| game),
            });
        }

        // Games with programs are last, so the first game decides whether they are listed.
        let are_engines = match self.best.first() {
            Some((has_engine, ..)) => *has_engine,
            None => false,
        };
        let mut best = Vec::with_capacity(self.best.len());
        for (has_engine, _, game) in self.best {
            if has_engine == are_engines {
                best.push(game);
            }
        }
        NotableGames { moves, best }
    }

    /// The games under other names, such as their numbers with their databases.
    pub(super) fn renamed<N>(self, name: impl Fn(G) -> N) -> RankedNotableGames<N> {
        let age = |(date, game): Age<G>| (date, name(game));
        let strength = |(has_engine, elo, game): Strength<G>| (has_engine, elo, name(game));

        let mut first = Vec::with_capacity(self.first.len());
        for first_of_move in self.first {
            first.push(first_of_move.map(age));
        }

        let mut strongest = Vec::with_capacity(self.strongest.len());
        for strongest_of_move in self.strongest {
            strongest.push(strongest_of_move.map(strength));
        }

        let mut best = Vec::with_capacity(self.best.len());
        for best_game in self.best {
            best.push(strength(best_game));
        }
        RankedNotableGames {
            first,
            strongest,
            best,
        }
    }
}

/// The first game of a sort key.
fn first_game<G>((date, game): Age<G>) -> FirstGame<G> {
    FirstGame {
        game,
        date: PartialDate::from_code(date.wrapping_add(1).into()),
    }
}

/// Replaces each key of `least` that is greater than the key of the same move in `others`.
fn keep_least_of_each<K: Copy + Ord>(least: &mut [Option<K>], others: Vec<Option<K>>) {
    for (known, other) in least.iter_mut().zip(others) {
        if let Some(key) = other {
            keep_least(known, key);
        }
    }
}

/// Replaces `least` by a key that is less, or if there is none.
fn keep_least<K: Copy + Ord>(least: &mut Option<K>, key: K) {
    if least.is_none_or(|known| key < known) {
        *least = Some(key);
    }
}

/// Inserts a game into the list of the best games.
fn keep_best<G: Ord>(best: &mut Vec<Strength<G>>, strength: Strength<G>) {
    let is_full = best.len() == MAX_BEST_GAMES;
    if is_full && best.last().is_some_and(|last| *last <= strength) {
        return;
    }

    let place = best.partition_point(|other| *other < strength);
    best.insert(place, strength);
    best.truncate(MAX_BEST_GAMES);
}

/// The indices of moves in a list, by side and code.
struct MoveIndex(Vec<(Color, u16)>);

impl MoveIndex {
    /// An index of the moves in a list.
    fn new(moves: &[MoveCount]) -> MoveIndex {
        let mut keys = Vec::with_capacity(moves.len());
        for counted in moves {
            keys.push((counted.mover, counted.code()));
        }
        MoveIndex(keys)
    }

    /// The index of the move that a game played; `None` if the list lacks it.
    fn index_of(&self, played: &Played) -> Option<usize> {
        let key = (played.mover, played.code);
        self.0.iter().position(|known| *known == key)
    }
}
