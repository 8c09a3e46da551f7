//! Notable games among those that reach a position: the first with each move, and the best-rated.

use std::cmp::Reverse;

use rusqlite::Connection;

use super::{MoveCount, PositionSearch, Selection};
use crate::board::{Color, Position};
use crate::columns::{Column, ColumnStore, GameFlags};
use crate::game::{PartialDate, known_elo};
use crate::replay::Visit;
use crate::storage::GameId;
use crate::store_fault::StoreResult;

/// The number of best-rated games kept.
const BEST_GAMES: usize = 3;

/// The first game in which a move was played. `G` is its number, or names its database as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstGame<G = GameId> {
    /// The game.
    pub game: G,
    /// Its date, which may be partial.
    pub date: Option<PartialDate>,
}

/// The notable games with one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotableGamesOfMove<G = GameId> {
    /// The earliest game; games without a date come last, and equal ones are in the order of their numbers.
    pub first: Option<FirstGame<G>>,
    /// The game with the highest mean Elo of both players, the first of equals; one in which a program plays only if no
    /// other is rated.
    pub best: Option<G>,
}

/// The notable games among those that reach a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotableGames<G = GameId> {
    /// One entry for each of the given moves.
    pub moves: Vec<NotableGamesOfMove<G>>,
    /// The three games with the highest mean Elo of both players, the highest first; without those in which programs
    /// play, unless no other is rated.
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
        wanted: &[Position],
        moves: &[MoveCount],
        selection: Option<&Selection<'_>>,
    ) -> StoreResult<RankedNotableGames<GameId>> {
        if moves.is_empty() {
            return Ok(RankedNotableGames::default());
        }
        let played = self.first_played(connection, wanted, |game| {
            selection.is_none_or(|selection| selection.candidates().contains(game))
        })?;
        match selection {
            Some(selection) => RankedNotableGames::find(selection.column_store(), &played, moves),
            None => RankedNotableGames::find(&ColumnStore::new(connection)?, &played, moves),
        }
    }

    /// The games that reach one of some positions on their mainline, by number.
    pub(super) fn first_played(
        &self,
        connection: &Connection,
        wanted: &[Position],
        is_wanted: impl Fn(GameId) -> bool,
    ) -> StoreResult<Vec<Played>> {
        let mut all = Vec::new();
        for position in wanted {
            let mover = position.turn();
            self.each_played_of(connection, position, &is_wanted, |game, code| {
                if code != Visit::VARIATION {
                    all.push(Played { game, mover, code });
                }
            })?;
        }
        all.sort_unstable();
        if wanted.len() < 2 {
            return Ok(all);
        }
        let games = all.chunk_by(|one, other| one.game == other.game);
        games
            .map(|visits| self.first_of(connection, visits, wanted))
            .collect()
    }

    /// The first of a game's visits; where there are several, only a replay tells.
    fn first_of(
        &self,
        connection: &Connection,
        visits: &[Played],
        wanted: &[Position],
    ) -> StoreResult<Played> {
        let first = visits[0];
        if visits.len() == 1 {
            return Ok(first);
        }
        let visited = self.visit(connection, first.game, wanted)?;
        Ok(visited.map_or(first, |visited| Played {
            mover: visited.mover,
            code: visited.code(),
            ..first
        }))
    }
}

/// The sort key of the first game; an unknown date is the greatest.
type Age<G> = (u32, G);
/// The sort key of the better-rated game. Ratings of programs are not those of people, so games in which a program plays
/// come last.
type Strength<G> = (HasEngine, Reverse<u64>, G);

/// Whether a program plays a game.
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
    fn find(
        column_store: &ColumnStore<'_>,
        played: &[Played],
        moves: &[MoveCount],
    ) -> StoreResult<RankedNotableGames<GameId>> {
        let ranks = MoveIndex::new(moves);
        let mut first: Vec<Option<Age<GameId>>> = vec![None; moves.len()];
        let mut strongest: Vec<Option<Strength<GameId>>> = vec![None; moves.len()];
        let mut best: Vec<Strength<GameId>> = Vec::with_capacity(BEST_GAMES + 1);
        let mut played = played.iter();
        let games = played.clone().map(|played| played.game);
        let columns = [
            Column::Date,
            Column::WhiteElo,
            Column::BlackElo,
            Column::GameFlags,
        ];
        column_store.each(games, columns, |game, [date, white, black, flags]| {
            let Some(rank) = played.next().and_then(|played| ranks.of(played)) else {
                return;
            };
            let age = ((date as u32).wrapping_sub(1), game);
            first[rank] = Some(first[rank].map_or(age, |first| first.min(age)));
            if known_elo(white).and(known_elo(black)).is_some() {
                let has_engine = GameFlags::from_value(flags).has_engine();
                let strength = (has_engine, Reverse(white + black), game);
                strongest[rank] = Some(strongest[rank].map_or(strength, |best| best.min(strength)));
                keep_best(&mut best, strength);
            }
        })?;
        Ok(RankedNotableGames {
            first,
            strongest,
            best,
        })
    }
}

impl<G: Copy + Ord> RankedNotableGames<G> {
    /// The notable games of several databases, found for the same moves.
    pub(super) fn merge(all: impl IntoIterator<Item = RankedNotableGames<G>>) -> Self {
        let mut all = all.into_iter();
        let mut merged = all.next().unwrap_or_default();
        for other in all {
            keep_least(&mut merged.first, other.first);
            keep_least(&mut merged.strongest, other.strongest);
            other
                .best
                .into_iter()
                .for_each(|strength| keep_best(&mut merged.best, strength));
        }
        merged
    }

    /// The games alone.
    pub(super) fn into_games(self) -> NotableGames<G> {
        let moves = self.first.into_iter().zip(self.strongest);
        let moves = moves.map(|(first, strongest)| NotableGamesOfMove {
            first: first.map(first_game),
            best: strongest.map(|(_, _, game)| game),
        });
        let are_engines = self
            .best
            .first()
            .is_some_and(|(has_engine, ..)| *has_engine);
        let listed = self
            .best
            .into_iter()
            .filter(|(has_engine, ..)| *has_engine == are_engines);
        let best = listed.map(|(_, _, game)| game).collect();
        NotableGames {
            moves: moves.collect(),
            best,
        }
    }

    /// The same games under other names.
    pub(super) fn renamed<N>(self, name: impl Fn(G) -> N) -> RankedNotableGames<N> {
        let first = self
            .first
            .into_iter()
            .map(|first| first.map(|(date, game)| (date, name(game))));
        let strength = |(has_engine, elo, game): Strength<G>| (has_engine, elo, name(game));
        RankedNotableGames {
            first: first.collect(),
            strongest: self
                .strongest
                .into_iter()
                .map(|one| one.map(strength))
                .collect(),
            best: self.best.into_iter().map(strength).collect(),
        }
    }
}

fn first_game<G>((date, game): Age<G>) -> FirstGame<G> {
    FirstGame {
        game,
        date: PartialDate::from_code(date.wrapping_add(1).into()),
    }
}

/// Keeps the lesser of two keys for each move.
fn keep_least<K: Ord>(least: &mut [Option<K>], others: Vec<Option<K>>) {
    for (least, other) in least.iter_mut().zip(others) {
        *least = least.take().into_iter().chain(other).min();
    }
}

fn keep_best<G: Ord>(best: &mut Vec<Strength<G>>, strength: Strength<G>) {
    if best.len() == BEST_GAMES && best.last().is_some_and(|last| *last <= strength) {
        return;
    }
    best.insert(best.partition_point(|other| *other < strength), strength);
    best.truncate(BEST_GAMES);
}

/// The indices of moves in a list, by side and code.
struct MoveIndex(Vec<(Color, u16)>);

impl MoveIndex {
    fn new(moves: &[MoveCount]) -> MoveIndex {
        MoveIndex(
            moves
                .iter()
                .map(|counted| (counted.mover, counted.code()))
                .collect(),
        )
    }

    fn of(&self, played: &Played) -> Option<usize> {
        self.0
            .iter()
            .position(|known| *known == (played.mover, played.code))
    }
}
