//! For each game, the deepest position of the repertoire that it reaches.

use std::sync::atomic::{AtomicU64, Ordering};

use super::graph::NodeId;
use crate::columns::ColumnStore;
use crate::game::GameFacts;
use crate::pgn::Termination;
use crate::storage::game_set::{BLOCK_GAMES, block_and_slot};
use crate::storage::{GameId, GameSet};
use crate::store_fault::StoreResult;

/// A game without a position of the repertoire so far.
const NOWHERE: u64 = 0;
/// A game that is not looked at, or that is not answered by lists of games.
const PASSED_OVER: u64 = u64::MAX;

/// A place in the repertoire: a position, and the code of the move played there.
pub(super) type Place = (NodeId, u16);

/// Wanted games, in blocks of numbers, each with its deepest place and its facts.
#[derive(Debug)]
pub(super) struct GameTable {
    /// The numbers of the blocks, ascending.
    blocks: Vec<i64>,
    slots: Vec<Slot>,
}

/// The deepest place of a game and its facts, side by side, since lists read both.
#[derive(Debug)]
struct Slot {
    deepest: AtomicU64,
    facts: GameFacts,
}

/// The block that was looked for last, in which the next game mostly is, and its first slot if it has one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor(Option<(i64, Option<usize>)>);

impl GameTable {
    /// A table of some games, none of which is in the repertoire so far.
    pub(super) fn new(column_store: &ColumnStore<'_>, wanted: &GameSet) -> StoreResult<GameTable> {
        let unknown = GameFacts {
            result: Termination::Unknown,
            white_elo: None,
            black_elo: None,
            year: None,
        };
        let blocks = wanted.block_numbers();
        let empty = || Slot {
            deepest: AtomicU64::new(PASSED_OVER),
            facts: unknown,
        };
        let slots = std::iter::repeat_with(empty)
            .take(blocks.len() * BLOCK_GAMES)
            .collect();
        let mut table = GameTable { blocks, slots };
        let mut cursor = Cursor::default();
        column_store.each_facts_of(wanted, |game, facts| {
            if let Some(slot) = table.slot(&mut cursor, game) {
                table.slots[slot] = Slot {
                    deepest: AtomicU64::new(NOWHERE),
                    facts,
                };
            }
        })?;
        Ok(table)
    }

    /// The slot of a game.
    #[inline]
    fn slot(&self, cursor: &mut Cursor, game: GameId) -> Option<usize> {
        let (block, slot) = block_and_slot(game);
        let first = match cursor.0 {
            Some((known, first)) if known == block => first,
            _ => {
                let first = self
                    .blocks
                    .binary_search(&block)
                    .ok()
                    .map(|at| at * BLOCK_GAMES);
                cursor.0 = Some((block, first));
                first
            }
        };
        Some(first? + slot)
    }

    /// Leaves games to a replay, so that lists pass over them.
    pub(super) fn pass_over(&mut self, games: &[GameId]) {
        let mut cursor = Cursor::default();
        for &game in games {
            if let Some(slot) = self.slot(&mut cursor, game) {
                *self.slots[slot].deepest.get_mut() = PASSED_OVER;
            }
        }
    }

    /// Notes that a game has a place, unless it is passed over; returns its facts then.
    #[inline]
    pub(super) fn note(
        &self,
        cursor: &mut Cursor,
        game: GameId,
        (at, code): Place,
    ) -> Option<&GameFacts> {
        let Slot { deepest, facts } = &self.slots[self.slot(cursor, game)?];
        let known = deepest.load(Ordering::Relaxed);
        if known == PASSED_OVER {
            return None;
        }
        let place = (u64::from(at) + 1) << 16 | u64::from(code);
        if known < place {
            deepest.fetch_max(place, Ordering::Relaxed);
        }
        Some(facts)
    }

    /// Sets the deepest place of a game that was passed over; returns its facts.
    pub(super) fn set(&mut self, game: GameId, place: Option<Place>) -> Option<GameFacts> {
        let slot = self.slot(&mut Cursor::default(), game)?;
        let Slot { deepest, facts } = &mut self.slots[slot];
        *deepest.get_mut() = place.map_or(NOWHERE, |(at, code)| {
            (u64::from(at) + 1) << 16 | u64::from(code)
        });
        Some(*facts)
    }

    /// The games in the repertoire, by number, with their deepest places and their facts.
    pub(super) fn places(&self) -> impl Iterator<Item = (GameId, Place, &GameFacts)> {
        let of_block = self.slots.chunks(BLOCK_GAMES);
        self.blocks
            .iter()
            .zip(of_block)
            .flat_map(|(&block, slots)| {
                let first = block * BLOCK_GAMES as i64;
                (first..).map(GameId::new).zip(slots).filter_map(
                    |(game, Slot { deepest, facts })| {
                        let place = deepest.load(Ordering::Relaxed);
                        let is_there = place != NOWHERE && place != PASSED_OVER;
                        is_there
                            .then(|| (game, (((place >> 16) - 1) as NodeId, place as u16), facts))
                    },
                )
            })
    }
}
