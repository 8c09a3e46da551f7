//! Notable games among those that reach a position: the first with each move, and the best-rated.

use std::cmp::Reverse;

use rusqlite::Connection;

use super::{MoveCount, PositionSearch, Selection};
use crate::board::{Color, Position};
use crate::columns::{Column, ColumnStore};
use crate::game::{PartialDate, known_elo};
use crate::replay::Visit;

/// The number of best-rated games kept.
const BEST_GAMES: usize = 3;

/// The first game of a database in which a move was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstGame {
    /// The game.
    pub game: i64,
    /// Its date, which may be partial.
    pub date: Option<PartialDate>,
}

/// The notable games with one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotableGamesOfMove {
    /// The earliest game; games without a date come last, and equal ones are in the order of their numbers.
    pub first: Option<FirstGame>,
    /// The game with the highest mean Elo of both players, the first of equals.
    pub best: Option<i64>,
}

/// The notable games among those that reach a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotableGames {
    /// One entry for each of the given moves.
    pub moves: Vec<NotableGamesOfMove>,
    /// The three games with the highest mean Elo of both players, the highest first.
    pub best: Vec<i64>,
}

/// A game, with the move that it played where it first reached a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Played {
    pub(super) game: i64,
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
    ) -> rusqlite::Result<NotableGames> {
        if moves.is_empty() {
            return Ok(NotableGames::default());
        }
        let played = self.first_played(connection, wanted, |game| {
            selection.is_none_or(|selection| selection.candidates().contains(game))
        })?;
        match selection {
            Some(selection) => NotableGames::find(selection.column_store(), &played, moves),
            None => NotableGames::find(&ColumnStore::new(connection)?, &played, moves),
        }
    }

    /// The games that reach one of some positions on their mainline, by number.
    pub(super) fn first_played(
        &self,
        connection: &Connection,
        wanted: &[Position],
        is_wanted: impl Fn(i64) -> bool,
    ) -> rusqlite::Result<Vec<Played>> {
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
        games.map(|visits| self.first_of(connection, visits, wanted)).collect()
    }

    /// The first of a game's visits; where there are several, only a replay tells.
    fn first_of(
        &self,
        connection: &Connection,
        visits: &[Played],
        wanted: &[Position],
    ) -> rusqlite::Result<Played> {
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
type Age = (u32, i64);
/// The sort key of the better-rated game.
type Strength = (Reverse<u64>, i64);

impl NotableGames {
    fn find(
        column_store: &ColumnStore<'_>,
        played: &[Played],
        moves: &[MoveCount],
    ) -> rusqlite::Result<NotableGames> {
        let ranks = MoveIndex::new(moves);
        let mut first: Vec<Option<Age>> = vec![None; moves.len()];
        let mut strongest: Vec<Option<Strength>> = vec![None; moves.len()];
        let mut best: Vec<Strength> = Vec::with_capacity(BEST_GAMES + 1);
        let mut played = played.iter();
        let games = played.clone().map(|played| played.game);
        let columns = [Column::Date, Column::WhiteElo, Column::BlackElo];
        column_store.each(games, columns, |game, [date, white, black]| {
            let Some(rank) = played.next().and_then(|played| ranks.of(played)) else { return };
            let age = ((date as u32).wrapping_sub(1), game);
            first[rank] = Some(first[rank].map_or(age, |first| first.min(age)));
            if known_elo(white).and(known_elo(black)).is_some() {
                let strength = (Reverse(white + black), game);
                strongest[rank] = Some(strongest[rank].map_or(strength, |best| best.min(strength)));
                keep_best(&mut best, strength);
            }
        })?;
        let moves = first.into_iter().zip(strongest).map(|(first, strongest)| NotableGamesOfMove {
            first: first.map(first_game),
            best: strongest.map(|(_, game)| game),
        });
        Ok(NotableGames {
            moves: moves.collect(),
            best: best.into_iter().map(|(_, game)| game).collect(),
        })
    }
}

fn first_game((date, game): Age) -> FirstGame {
    FirstGame { game, date: PartialDate::from_code(date.wrapping_add(1).into()) }
}

fn keep_best(best: &mut Vec<Strength>, strength: Strength) {
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
        let code =
            |counted: &MoveCount| counted.played.as_ref().map_or(Visit::END, |(_, mv)| mv.code());
        MoveIndex(moves.iter().map(|counted| (counted.mover, code(counted))).collect())
    }

    fn of(&self, played: &Played) -> Option<usize> {
        self.0.iter().position(|known| *known == (played.mover, played.code))
    }
}
