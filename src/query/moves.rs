//! The moves that were played in a position, counted without listing games.

use std::cmp::Reverse;

use rusqlite::Connection;

use super::Selection;
use super::move_count::MoveCount;
use super::notable_games::Played;
use super::position::{PositionSearch, Visited};
use crate::board::{Color, Move, Position};
use crate::columns::ColumnStore;
use crate::index::{Counts, PopularGames, Reached};
use crate::notation::san;
use crate::replay::Visit;
use crate::storage::{GameId, GameSet, read_facts};
use crate::store_fault::{StoreFault, StoreResult};

/// Counts, keyed by the [codes](Move::code) of moves.
#[derive(Debug, Default)]
struct Tally(Vec<(u16, Counts)>);

impl Tally {
    fn counts(&mut self, code: u16) -> &mut Counts {
        let at = self.0.iter().position(|(other, _)| *other == code);
        let at = at.unwrap_or_else(|| {
            self.0.push((code, Counts::default()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }

    fn add(&mut self, visited: &Visited) {
        self.counts(visited.code())
            .add(&visited.facts, visited.mover);
    }

    /// Drops the games that have the position in variations only.
    fn forget_variations(&mut self) {
        self.0.retain(|(code, _)| *code != Visit::VARIATION);
    }

    /// The moves of one side in one of some positions, the most played first, equally frequent ones in the order of
    /// their codes.
    fn into_moves(mut self, positions: &[Position], mover: Color) -> StoreResult<Vec<MoveCount>> {
        self.0.retain(|(_, counts)| counts.all_games() > 0);
        self.0
            .sort_by_key(|(code, counts)| (Reverse(counts.all_games()), *code));
        let positions = positions.iter().filter(|position| position.turn() == mover);
        let counted = self.0.into_iter().map(|(code, counts)| {
            let played = played(positions.clone(), code)?;
            Ok(MoveCount {
                played,
                mover,
                counts,
            })
        });
        counted.collect()
    }
}

/// The moves of several databases in some positions, counted together; with each list come the positions that the games
/// of its database reach.
pub(super) fn merge(
    positions: &[Position],
    parts: Vec<(Vec<MoveCount>, Vec<Position>)>,
) -> Vec<MoveCount> {
    let mut merged: Vec<MoveCount> = Vec::new();
    let mut is_reached = vec![false; positions.len()];
    for (moves, reached) in parts {
        for (position, is_reached) in positions.iter().zip(&mut is_reached) {
            *is_reached |= reached.contains(position);
        }
        for counted in moves {
            let key = (counted.mover, counted.code());
            match merged
                .iter_mut()
                .find(|other| (other.mover, other.code()) == key)
            {
                Some(same) => same.counts.merge(&counted.counts),
                None => merged.push(counted),
            }
        }
    }
    // The first position that has a move tells how it is written.
    let reached = positions
        .iter()
        .zip(is_reached)
        .filter(|(_, is_reached)| *is_reached);
    let reached: Vec<&Position> = reached.map(|(position, _)| position).collect();
    if reached.len() > 1 {
        for counted in &mut merged {
            let of_mover = reached
                .iter()
                .filter(|position| position.turn() == counted.mover);
            if let Ok(played) = played(of_mover.copied(), counted.code()) {
                counted.played = played;
            }
        }
    }
    merged.sort_by_key(|counted| {
        (
            Reverse(counted.counts.all_games()),
            Reverse(counted.mover),
            counted.code(),
        )
    });
    merged
}

/// The moves of several databases in one position, counted together, the most played first.
pub fn joined_moves(position: &Position, parts: Vec<Vec<MoveCount>>) -> Vec<MoveCount> {
    // Of one position alone, it does not matter which database reaches it.
    let parts = parts.into_iter().map(|moves| (moves, Vec::new()));
    merge(std::slice::from_ref(position), parts.collect())
}

/// The move with a code in one of some positions, and its SAN.
fn played<'p>(
    mut positions: impl Iterator<Item = &'p Position> + Clone,
    code: u16,
) -> StoreResult<Option<(String, Move)>> {
    if code == Visit::END {
        return Ok(None);
    }
    let place = positions
        .clone()
        .next()
        .map(Position::fen)
        .unwrap_or_default();
    let found = positions.find_map(|position| {
        let mut moves = position.legal_moves().into_iter().chain([Move::NULL]);
        let mv = moves.find(|mv| mv.code() == code)?;
        Some((san(position, mv), mv))
    });
    found
        .map(Some)
        .ok_or_else(|| StoreFault::IndexedMove(place).into())
}

impl PositionSearch {
    /// The moves that were played in these positions, the most played first. A game that reaches several of them counts
    /// at the first; one that reaches them in variations only does not count.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn moves(
        &self,
        connection: &Connection,
        wanted: &[Position],
    ) -> StoreResult<Vec<MoveCount>> {
        self.moves_among(connection, wanted, None)
    }

    /// Like [`PositionSearch::moves`], for the candidates of a selection only.
    pub(super) fn moves_among(
        &self,
        connection: &Connection,
        wanted: &[Position],
        selection: Option<&Selection<'_>>,
    ) -> StoreResult<Vec<MoveCount>> {
        let reached = self.reached(connection, wanted)?;
        match (&reached[..], selection) {
            ([], _) => Ok(Vec::new()),
            ([position], None) => self.moves_of_one(connection, position, None),
            (_, None) => {
                self.moves_where(connection, &reached, &ColumnStore::new(connection)?, |_| {
                    true
                })
            }
            (_, Some(selection)) => {
                let games = selection.candidates();
                self.moves_where(connection, &reached, selection.column_store(), |game| {
                    games.contains(game)
                })
            }
        }
    }

    /// Like [`PositionSearch::moves`], for some games only.
    pub(crate) fn moves_of_games(
        &self,
        connection: &Connection,
        wanted: &[Position],
        column_store: &ColumnStore<'_>,
        games: &GameSet,
    ) -> StoreResult<Vec<MoveCount>> {
        let reached = self.reached(connection, wanted)?;
        self.moves_where(connection, &reached, column_store, |game| {
            games.contains(game)
        })
    }

    fn moves_where(
        &self,
        connection: &Connection,
        reached: &[Position],
        column_store: &ColumnStore<'_>,
        is_wanted: impl Fn(GameId) -> bool,
    ) -> StoreResult<Vec<MoveCount>> {
        let played = self.first_played(connection, reached, is_wanted)?;
        let (mut white, mut black) = (Tally::default(), Tally::default());
        let mut rest = played.iter();
        column_store.each_facts(played.iter().map(|played| played.game), |_, facts| {
            let Some(&Played { mover, code, .. }) = rest.next() else {
                return;
            };
            let tally = if mover.is_white() {
                &mut white
            } else {
                &mut black
            };
            tally.counts(code).add(&facts, mover);
        })?;
        let mut moves = white.into_moves(reached, Color::White)?;
        moves.extend(black.into_moves(reached, Color::Black)?);
        moves.sort_by_key(|counted| Reverse(counted.counts.all_games()));
        Ok(moves)
    }

    /// The moves played in a position; calls `take`, if given, with each game that reaches it, in no particular order,
    /// and the code of its move, as [`PositionSearch::each_played`] does.
    pub(super) fn moves_of_one(
        &self,
        connection: &Connection,
        position: &Position,
        take: Option<&mut dyn FnMut(GameId, u16)>,
    ) -> StoreResult<Vec<MoveCount>> {
        let mover = position.turn();
        let mut tally = Tally::default();
        let lists_games = take.is_some();
        let mut ignore = |_, _| {};
        let take = take.unwrap_or(&mut ignore);
        for visited in self.moved_visits(connection, position)? {
            tally.add(&visited);
            take(visited.game, visited.code());
        }
        for segment in &self.segments {
            match self.find(connection, segment, position)? {
                Reached::Never => {}
                Reached::Perhaps(games) => {
                    for visited in self.visits_among(connection, games, position)? {
                        tally.add(&visited);
                        take(visited.game, visited.code());
                    }
                }
                Reached::Often(popular) => {
                    let mut moves = popular.moves().to_vec();
                    if self
                        .changed
                        .any_between(segment.first_game, segment.last_game)
                    {
                        let games = || popular.clone().games(connection);
                        self.set_right(connection, &mut moves, games, mover)?;
                    }
                    for (code, counts) in &moves {
                        tally.counts(*code).merge(counts);
                    }
                    if lists_games {
                        self.each_popular(connection, popular, &mut *take)?;
                    }
                }
            }
        }
        if self.finds_variations() {
            tally.forget_variations();
        }
        tally.into_moves(std::slice::from_ref(position), mover)
    }

    /// Removes the indexed counts of changed games, and counts them as they are now.
    fn set_right(
        &self,
        connection: &Connection,
        moves: &mut [(u16, Counts)],
        games: impl Fn() -> StoreResult<PopularGames>,
        mover: Color,
    ) -> StoreResult<()> {
        let mut without_years = vec![false; moves.len()];
        for game in games()? {
            let (game, rank) = game?;
            let Some(changed) = self.changed.get(game) else {
                continue;
            };
            let Some((_, counts)) = moves.get_mut(rank) else {
                continue;
            };
            if counts.remove(&changed.indexed, mover) {
                without_years[rank] = true;
            }
            if !changed.moved
                && let Some(facts) = read_facts(connection, game)?
            {
                counts.add(&facts, mover);
            }
        }
        if !without_years.contains(&true) {
            return Ok(());
        }
        self.find_years(connection, moves, games()?, &without_years)
    }

    /// Recomputes the years of moves whose first or last game may have changed, from all games.
    fn find_years(
        &self,
        connection: &Connection,
        moves: &mut [(u16, Counts)],
        games: PopularGames,
        without_years: &[bool],
    ) -> StoreResult<()> {
        for ((_, counts), _) in moves
            .iter_mut()
            .zip(without_years)
            .filter(|(_, without)| **without)
        {
            counts.years = None;
        }
        for game in games {
            let (game, rank) = game?;
            if without_years.get(rank) != Some(&true) || self.changed.has_moved(game) {
                continue;
            }
            let year = read_facts(connection, game)?.and_then(|facts| facts.year);
            if let (Some(year), Some((_, counts))) = (year, moves.get_mut(rank)) {
                let years = Some((year.get(), year.get()));
                counts.merge(&Counts {
                    years,
                    ..Counts::default()
                });
            }
        }
        Ok(())
    }
}
