//! The games that a filter matches, found as they are needed.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::str::FromStr;

use rusqlite::Connection;

use super::super::{PatternHit, PositionSearch, Watch};
use super::check::Check;
use super::{Filter, conditions};
use crate::board::Position;
use crate::columns::{Column, ColumnStore, GameFlags};
use crate::error::Result;
use crate::pgn::Termination;
use crate::storage::{Database, GameId, GameSet, InDatabase};
use crate::store_fault::StoreResult;

/// The sort key of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortKey {
    /// The number of the game, which is in the order of the input.
    #[default]
    Id,
    /// The date, earliest first; games without a date come last.
    Date,
    /// The mean Elo of both players, lowest first; games without ratings come last.
    Elo,
    /// The number of half-moves, fewest first.
    Plies,
    /// The result: White's wins, draws, Black's wins; games without a result come last.
    Result,
}

impl SortKey {
    /// The reverse order: the latest, the best-rated or the longest first.
    pub fn reversed(self) -> SortOrder {
        SortOrder {
            key: self,
            is_reversed: true,
        }
    }
}

/// The order of games: by a key, ascending or reversed. Games without a value come last in both directions; equal games
/// are in the order of their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SortOrder {
    /// The sort key.
    pub key: SortKey,
    /// `true` for the reverse of the key's order.
    pub is_reversed: bool,
}

/// The error for a text that is not an order of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "give id, date, elo, plies or result, or one of them with - in front for the other way round"
)]
pub struct ParseOrderError;

impl From<SortKey> for SortOrder {
    fn from(key: SortKey) -> SortOrder {
        SortOrder {
            key,
            is_reversed: false,
        }
    }
}

impl FromStr for SortOrder {
    type Err = ParseOrderError;

    /// Parses a key such as `date`, or `-date` for its reverse.
    fn from_str(text: &str) -> std::result::Result<SortOrder, ParseOrderError> {
        let (is_reversed, name) = match text.strip_prefix('-') {
            Some(name) => (true, name),
            None => (false, text),
        };
        let key = match name {
            "id" => SortKey::Id,
            "date" => SortKey::Date,
            "elo" => SortKey::Elo,
            "plies" | "ply" => SortKey::Plies,
            "result" => SortKey::Result,
            _ => return Err(ParseOrderError),
        };
        Ok(SortOrder { key, is_reversed })
    }
}

/// The games that a filter matches, in the state that the database has when the selection is made.
pub(crate) struct Selection<'d> {
    database: &'d Database,
    column_store: ColumnStore<'d>,
    /// The games that satisfy all conditions that the column store and the position index can decide.
    candidates: GameSet,
    check: Check,
}

impl<'d> Selection<'d> {
    /// Finds the candidates, without a check of single games.
    ///
    /// # Errors
    /// When the database cannot be read, or the filter's condition is not valid SQL.
    pub(crate) fn new(database: &'d Database, filter: &Filter) -> Result<Selection<'d>> {
        let check = Check::new(database, filter)?;
        let (column_store, candidates) =
            find_candidates(&database.connection, filter, &check).in_database(database)?;

        Ok(Selection {
            database,
            column_store,
            candidates,
            check,
        })
    }

    /// A superset of the games that the filter matches.
    pub(crate) fn candidates(&self) -> &GameSet {
        &self.candidates
    }

    /// Retains the games that reach at least one of some positions.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn reach(
        &mut self,
        search: &PositionSearch,
        positions: &[Position],
        watch: &Watch<'_>,
    ) -> Result<()> {
        let connection = &self.database.connection;
        let mut reaching = GameSet::default();
        for position in positions {
            watch.check()?;
            let is_read = search.each_played(connection, position, &self.candidates, |game, _| {
                reaching.insert(game);
            });
            is_read.in_database(self.database)?;
        }
        self.candidates = reaching;
        Ok(())
    }

    /// The column store that answers filters.
    pub(crate) fn column_store(&self) -> &ColumnStore<'d> {
        &self.column_store
    }

    /// `true` if the filter matches all candidates.
    pub(crate) fn is_settled(&self) -> bool {
        self.check.is_empty()
    }

    /// Checks all candidates, and drops the games that the filter does not match.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn settle(&mut self, watch: &Watch<'_>) -> Result<()> {
        if self.is_settled() {
            return Ok(());
        }

        let games: Vec<GameId> = self.candidates.iter().collect();
        let matching = self.check.matching(self.database, &games, watch)?;
        self.candidates = matching.into_iter().collect();
        self.check = Check::default();
        Ok(())
    }

    /// Replaces the candidates by some of them.
    pub(crate) fn restrict_to(&mut self, games: GameSet) {
        self.candidates = games;
    }

    /// The games in an order, checked in chunks.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn in_order(&self, order: SortOrder, watch: Watch<'d>) -> Result<InOrder<'_, 'd>> {
        let games = self.candidates.iter();
        // Candidates are in the order of their numbers, so the first hits need no list of all games.
        let candidates: Box<dyn Iterator<Item = (u64, GameId)>> = if order == SortOrder::default() {
            Box::new(games.map(|game| (0, game)))
        } else {
            let sorted = self.with_sort_values(games, order)?;
            Box::new(sorted.into_iter())
        };

        Ok(InOrder {
            selection: self,
            watch,
            candidates,
            ready: Vec::new().into_iter(),
            chunk_size: FIRST_CHUNK,
        })
    }

    /// Sorts hits, at most one of each game, each with its value of the sort key. Their games are candidates.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn sort(
        &self,
        hits: Vec<PatternHit>,
        order: SortOrder,
    ) -> Result<Vec<(u64, PatternHit)>> {
        let mut games: Vec<GameId> = Vec::with_capacity(hits.len());
        let mut by_game: HashMap<GameId, PatternHit> = HashMap::with_capacity(hits.len());
        for hit in hits {
            games.push(hit.game);
            by_game.insert(hit.game, hit);
        }

        // Columns are read block by block, in the order of the games.
        games.sort_unstable();

        let mut sorted = Vec::with_capacity(games.len());
        for (value, game) in self.with_sort_values(games, order)? {
            if let Some(hit) = by_game.remove(&game) {
                sorted.push((value, hit));
            }
        }
        Ok(sorted)
    }

    /// Sorted games, each with its value of the sort key. The games are given in ascending order. Lower values are
    /// first. Values of several databases can be compared.
    fn with_sort_values(
        &self,
        games: impl IntoIterator<Item = GameId>,
        order: SortOrder,
    ) -> Result<Vec<(u64, GameId)>> {
        let mut ranked: Vec<(u64, GameId)> = Vec::new();
        let mut rank = |value: Option<u64>, game| {
            // A missing value is last, reversed or not.
            let sort_value = match value {
                None => u64::MAX,
                Some(value) if order.is_reversed => MAX_SORT_VALUE.saturating_sub(value),
                Some(value) => value,
            };
            ranked.push((sort_value, game));
        };

        let column_store = &self.column_store;
        let is_read = match order.key {
            SortKey::Id => return Ok(by_number(games, order.is_reversed)),
            SortKey::Date => column_store.each(games, [Column::Date], |game, [date]| {
                let known = (date > 0).then_some(date);
                rank(known, game);
            }),
            SortKey::Elo => {
                // The sum of both ratings sorts as their mean does, without halves.
                let columns = [Column::WhiteElo, Column::BlackElo];
                column_store.each(games, columns, |game, [white, black]| {
                    let are_known = white > 0 && black > 0;
                    let sum = white.saturating_add(black).min(MAX_SORT_VALUE);
                    rank(are_known.then_some(sum), game);
                })
            }
            SortKey::Plies => column_store.each(games, [Column::Plies], |game, [plies]| {
                rank(Some(plies), game)
            }),
            SortKey::Result => column_store.each(games, [Column::GameFlags], |game, [flags]| {
                let result = GameFlags::from_value(flags).result();
                rank(result_rank(result), game);
            }),
        };
        is_read.in_database(self.database)?;

        // Games with equal values are in the order of their numbers.
        ranked.sort_unstable();
        Ok(ranked)
    }

    /// Retains the games whose numbers are in at least one range.
    pub(crate) fn restrict_to_numbers(&mut self, ranges: &[RangeInclusive<GameId>]) {
        let is_in = |game: &GameId| ranges.iter().any(|range| range.contains(game));
        self.candidates = self.candidates.iter().filter(is_in).collect();
    }

    /// The remaining games.
    pub(crate) fn into_candidates(self) -> GameSet {
        self.candidates
    }
}

/// The columns, and the games that satisfy all conditions that the column store and the position index can decide.
fn find_candidates<'d>(
    connection: &'d Connection,
    filter: &Filter,
    check: &Check,
) -> StoreResult<(ColumnStore<'d>, GameSet)> {
    let column_store = ColumnStore::new(connection)?;
    let mut games = conditions::games(connection, &column_store, filter)?;
    check.retain_words(connection, &mut games, |game| {
        column_store.has_changed(game)
    })?;

    // The line is last, since it reads postings of the games that are left.
    if let Some(line) = &filter.line {
        line.retain(connection, &column_store, &mut games)?;
    }
    Ok((column_store, games))
}

/// Games in the order of their numbers or the reverse order. They need no value to be sorted by.
fn by_number(games: impl IntoIterator<Item = GameId>, is_reversed: bool) -> Vec<(u64, GameId)> {
    let mut in_order: Vec<(u64, GameId)> = games.into_iter().map(|game| (0, game)).collect();
    if is_reversed {
        in_order.reverse();
    }
    in_order
}

/// The rank of a result in the order of [`SortKey::Result`]; `None` for a game without a result.
fn result_rank(result: Termination) -> Option<u64> {
    match result {
        Termination::WhiteWins => Some(0),
        Termination::Draw => Some(1),
        Termination::BlackWins => Some(2),
        Termination::Unknown => None,
    }
}

/// The greatest value of a sort key. A game without a value has `u64::MAX`, so it comes last.
const MAX_SORT_VALUE: u64 = u64::MAX - 1;

/// The size of the first chunk of candidates, small so that the first hits are listed early.
const FIRST_CHUNK: usize = 64;
/// Each further chunk is this many times as large, so that work that an SQL condition does once per statement is
/// repeated only a few times.
const CHUNK_GROWTH: usize = 4;

/// An iterator over the games of a selection, each with its value of the sort key.
pub(crate) struct InOrder<'s, 'd> {
    selection: &'s Selection<'d>,
    watch: Watch<'d>,
    candidates: Box<dyn Iterator<Item = (u64, GameId)> + 's>,
    ready: std::vec::IntoIter<(u64, GameId)>,
    chunk_size: usize,
}

impl Iterator for InOrder<'_, '_> {
    type Item = Result<(u64, GameId)>;

    fn next(&mut self) -> Option<Result<(u64, GameId)>> {
        loop {
            if let Some(game) = self.ready.next() {
                return Some(Ok(game));
            }

            let next_candidates = self.candidates.by_ref().take(self.chunk_size);
            let chunk: Vec<(u64, GameId)> = next_candidates.collect();
            if chunk.is_empty() {
                return None;
            }
            self.chunk_size = self.chunk_size.saturating_mul(CHUNK_GROWTH);

            match self.matching_games(chunk) {
                Ok(matching) => self.ready = matching.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl InOrder<'_, '_> {
    /// The games of a chunk that satisfy the conditions of the selection's check.
    fn matching_games(&self, mut chunk: Vec<(u64, GameId)>) -> Result<Vec<(u64, GameId)>> {
        let Selection {
            database, check, ..
        } = self.selection;
        if check.is_empty() {
            return Ok(chunk);
        }

        let games: Vec<GameId> = chunk.iter().map(|&(_, game)| game).collect();
        let matching = check.matching(database, &games, &self.watch)?;
        let retained: GameSet = matching.into_iter().collect();
        chunk.retain(|&(_, game)| retained.contains(game));
        Ok(chunk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read() {
        let order = |key, is_reversed| Ok(SortOrder { key, is_reversed });
        assert_eq!("date".parse(), order(SortKey::Date, false));
        assert_eq!("-date".parse(), order(SortKey::Date, true));
        assert_eq!("-ply".parse(), order(SortKey::Plies, true));
        for wrong in ["", "-", "--date", "Date", "white"] {
            assert_eq!(wrong.parse::<SortOrder>(), Err(ParseOrderError), "{wrong}");
        }
    }
}
