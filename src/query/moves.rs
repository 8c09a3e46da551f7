//! The moves that were played in a position, counted without listing games.

use std::cmp::Reverse;

use rusqlite::Connection;

use super::Selection;
use super::move_count::MoveCount;
use super::notable_games::Played;
use super::position::{PositionSearch, Visited};
use crate::board::{Color, Move, Position};
use crate::columns::ColumnStore;
use crate::index::{Counts, Popular, PopularGames, Reached, Segment};
use crate::notation::san;
use crate::replay::Visit;
use crate::storage::{GameId, GameSet, read_facts};
use crate::store_fault::{StoreFault, StoreResult};

/// Counts, keyed by the [codes](Move::code) of moves.
#[derive(Debug, Default)]
struct Tally(Vec<(u16, Counts)>);

impl Tally {
    /// The counts of the move with a code, which are added if the move is new.
    fn counts_of(&mut self, code: u16) -> &mut Counts {
        // A position has few different moves, so a list suffices.
        let known = self.0.iter().position(|(other, _)| *other == code);
        let at = match known {
            Some(at) => at,
            None => {
                self.0.push((code, Counts::default()));
                self.0.len() - 1
            }
        };

        let (_, counts) = &mut self.0[at];
        counts
    }

    fn add(&mut self, visited: &Visited) {
        let counts = self.counts_of(visited.code());
        counts.add(&visited.facts, visited.mover);
    }

    /// Removes the counts of the games that have the position in variations only.
    fn remove_variations(&mut self) {
        self.0.retain(|(code, _)| *code != Visit::VARIATION);
    }

    /// The moves of one side in some positions, the most played first. Equally frequent moves are in the order of their
    /// codes.
    fn into_moves(mut self, positions: &[Position], mover: Color) -> StoreResult<Vec<MoveCount>> {
        self.0.retain(|(_, counts)| counts.all_games() > 0);
        self.0
            .sort_by_key(|(code, counts)| (Reverse(counts.all_games()), *code));

        let of_mover = positions.iter().filter(|position| position.turn() == mover);
        let mut moves = Vec::with_capacity(self.0.len());
        for (code, counts) in self.0 {
            let played = played_move(of_mover.clone(), code)?;
            moves.push(MoveCount {
                played,
                mover,
                counts,
            });
        }
        Ok(moves)
    }
}

/// The moves of several databases in some positions, counted together. Each part has the moves of a database, and the
/// positions that its games reach.
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
            let known = merged
                .iter_mut()
                .find(|other| (other.mover, other.code()) == key);
            match known {
                Some(known) => known.counts.merge(&counted.counts),
                None => merged.push(counted),
            }
        }
    }

    let mut reached: Vec<&Position> = Vec::new();
    for (position, is_reached) in positions.iter().zip(is_reached) {
        if is_reached {
            reached.push(position);
        }
    }
    if reached.len() > 1 {
        write_moves(&mut merged, &reached);
    }

    // Ties as in one database: White's moves first, then the codes.
    merged.sort_by_key(|counted| {
        let games = counted.counts.all_games();
        (Reverse(games), Reverse(counted.mover), counted.code())
    });
    merged
}

/// Writes moves as in one database: SAN depends on the position, and the first reached position that has a move decides
/// how the move is written.
fn write_moves(moves: &mut [MoveCount], reached: &[&Position]) {
    for counted in moves {
        let mover = counted.mover;
        let of_mover = reached.iter().filter(|position| position.turn() == mover);
        if let Ok(played) = played_move(of_mover.copied(), counted.code()) {
            counted.played = played;
        }
    }
}

/// The moves of several databases in one position, counted together, the most played first.
pub fn joined_moves(position: &Position, parts: Vec<Vec<MoveCount>>) -> Vec<MoveCount> {
    // The list of reached positions is used only if there are several positions, so it is left empty.
    let without_reached = parts.into_iter().map(|moves| (moves, Vec::new()));
    merge(std::slice::from_ref(position), without_reached.collect())
}

/// The legal or null move with a code in a position.
pub(crate) fn move_with_code(position: &Position, code: u16) -> Option<Move> {
    let mut moves = position.legal_moves().into_iter().chain([Move::NULL]);
    moves.find(|mv| mv.code() == code)
}

/// The move with a code and its SAN, by the first of some positions in which the move is legal; `None` for the end of a
/// game.
fn played_move<'p>(
    mut positions: impl Iterator<Item = &'p Position> + Clone,
    code: u16,
) -> StoreResult<Option<(String, Move)>> {
    if code == Visit::END {
        return Ok(None);
    }

    let first = positions.clone().next();
    let found = positions.find_map(|position| {
        let mv = move_with_code(position, code)?;
        Some((san(position, mv), mv))
    });

    // Only legal moves are indexed, so the index is damaged.
    if found.is_none() {
        let place = first.map(Position::fen).unwrap_or_default();
        return Err(StoreFault::IndexedMove(place).into());
    }
    Ok(found)
}

impl PositionSearch {
    /// The moves that were played in some positions, the most played first. A game that reaches several of the
    /// positions counts at the first. A game that reaches them in variations only does not count.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn moves(
        &self,
        connection: &Connection,
        positions: &[Position],
    ) -> StoreResult<Vec<MoveCount>> {
        self.moves_among(connection, positions, None)
    }

    /// Like [`PositionSearch::moves`], but only for the candidates of a selection, if one is given.
    pub(super) fn moves_among(
        &self,
        connection: &Connection,
        positions: &[Position],
        selection: Option<&Selection<'_>>,
    ) -> StoreResult<Vec<MoveCount>> {
        // A partial FEN may match thousands of positions, few of which occur.
        let reached = self.reached(connection, positions)?;

        match (&reached[..], selection) {
            ([], _) => Ok(Vec::new()),
            // The index has counted the moves of a popular position already.
            ([position], None) => self.moves_of_one(connection, position, None),
            (_, None) => {
                let column_store = ColumnStore::new(connection)?;
                self.moves_where(connection, &reached, &column_store, |_| true)
            }
            (_, Some(selection)) => {
                let games = selection.candidates();
                let column_store = selection.column_store();
                self.moves_where(connection, &reached, column_store, |game| {
                    games.contains(game)
                })
            }
        }
    }

    /// Like [`PositionSearch::moves`], for the games of a set only.
    pub(crate) fn moves_of_games(
        &self,
        connection: &Connection,
        positions: &[Position],
        column_store: &ColumnStore<'_>,
        games: &GameSet,
    ) -> StoreResult<Vec<MoveCount>> {
        let reached = self.reached(connection, positions)?;
        self.moves_where(connection, &reached, column_store, |game| {
            games.contains(game)
        })
    }

    /// Like [`PositionSearch::moves`], for the games for which a condition holds only.
    fn moves_where(
        &self,
        connection: &Connection,
        reached: &[Position],
        column_store: &ColumnStore<'_>,
        is_wanted: impl Fn(GameId) -> bool,
    ) -> StoreResult<Vec<MoveCount>> {
        let played = self.first_played(connection, reached, is_wanted)?;

        // The facts come in the order of the games, one for each.
        let mut white = Tally::default();
        let mut black = Tally::default();
        let mut rest = played.iter();
        let games = played.iter().map(|played| played.game);
        column_store.each_facts(games, |_, facts| {
            let Some(&Played { mover, code, .. }) = rest.next() else {
                return;
            };
            let tally = match mover {
                Color::White => &mut white,
                Color::Black => &mut black,
            };
            tally.counts_of(code).add(&facts, mover);
        })?;

        let mut moves = white.into_moves(reached, Color::White)?;
        moves.extend(black.into_moves(reached, Color::Black)?);
        moves.sort_by_key(|counted| Reverse(counted.counts.all_games()));
        Ok(moves)
    }

    /// The moves played in a position. Calls `on_game`, if given, with each game that reaches the position, in no
    /// particular order, and the code of its move, as [`PositionSearch::each_played`] does.
    pub(super) fn moves_of_one(
        &self,
        connection: &Connection,
        position: &Position,
        on_game: Option<&mut dyn FnMut(GameId, u16)>,
    ) -> StoreResult<Vec<MoveCount>> {
        let mover = position.turn();
        let mut tally = Tally::default();
        let lists_games = on_game.is_some();
        let mut ignore = |_, _| {};
        let on_game = on_game.unwrap_or(&mut ignore);

        for visited in self.moved_visits(connection, position)? {
            tally.add(&visited);
            on_game(visited.game, visited.code());
        }

        for segment in &self.segments {
            match self.find(connection, segment, position)? {
                Reached::Never => {}
                Reached::Perhaps(games) => {
                    for visited in self.visits_among(connection, games, position)? {
                        tally.add(&visited);
                        on_game(visited.game, visited.code());
                    }
                }
                Reached::Often(popular) => {
                    for (code, counts) in
                        self.popular_moves(connection, segment, &popular, mover)?
                    {
                        tally.counts_of(code).merge(&counts);
                    }
                    // A popular position has many games, which are read only if `on_game` is given.
                    if lists_games {
                        self.each_popular(connection, popular, &mut *on_game)?;
                    }
                }
            }
        }

        if self.finds_variations() {
            tally.remove_variations();
        }
        tally.into_moves(std::slice::from_ref(position), mover)
    }

    /// The moves in a popular position with the counts of the index, corrected for changed games.
    fn popular_moves(
        &self,
        connection: &Connection,
        segment: &Segment,
        popular: &Popular,
        mover: Color,
    ) -> StoreResult<Vec<(u16, Counts)>> {
        let mut moves = popular.moves().to_vec();

        let has_changed = self
            .changed
            .any_between(segment.first_game, segment.last_game);
        if has_changed {
            let games = || popular.clone().games(connection);
            self.correct_counts(connection, &mut moves, games, mover)?;
        }
        Ok(moves)
    }

    /// Subtracts changed games as the index has counted them, and adds them with their current facts.
    fn correct_counts(
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

            let may_change_years = counts.remove(&changed.indexed, mover);
            if may_change_years {
                without_years[rank] = true;
            }
            // A game whose positions have changed may have another move here, so it is counted after a replay.
            if !changed.moved
                && let Some(facts) = read_facts(connection, game)?
            {
                counts.add(&facts, mover);
            }
        }

        if !without_years.contains(&true) {
            return Ok(());
        }
        self.recompute_years(connection, moves, games()?, &without_years)
    }

    /// Recomputes the years of the moves that are `true` in `without_years`, from the games whose
    /// positions have not changed.
    fn recompute_years(
        &self,
        connection: &Connection,
        moves: &mut [(u16, Counts)],
        games: PopularGames,
        without_years: &[bool],
    ) -> StoreResult<()> {
        for ((_, counts), is_without) in moves.iter_mut().zip(without_years) {
            if *is_without {
                counts.years = None;
            }
        }

        for game in games {
            let (game, rank) = game?;
            if without_years.get(rank) != Some(&true) || self.changed.has_moved(game) {
                continue;
            }

            let facts = read_facts(connection, game)?;
            let year = facts.and_then(|facts| facts.year);
            if let (Some(year), Some((_, counts))) = (year, moves.get_mut(rank)) {
                // Merging counts of no games changes nothing but the range of years.
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
