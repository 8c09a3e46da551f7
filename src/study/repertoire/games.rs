//! For each game, the deepest position of the repertoire that it reaches.

use std::sync::atomic::{AtomicU64, Ordering};

use super::graph::NodeId;
use crate::columns::ColumnStore;
use crate::game::GameFacts;
use crate::pgn::Termination;
use crate::storage::game_set::{BLOCK_GAMES, block_and_slot};
use crate::storage::{GameId, GameSet};
use crate::store_fault::StoreResult;

/// The deepest place of a game that has not reached a position of the repertoire so far.
const NOWHERE: u64 = 0;
/// The deepest place of a game that is not in the table, or that lists ignore because it is replayed.
const PASSED_OVER: u64 = u64::MAX;

/// A place in the repertoire: a position, and the code of the move played there.
pub(super) type Place = (NodeId, u16);

/// A place as a number. The number of a deeper position is greater, and all numbers are greater than [`NOWHERE`].
#[inline]
fn pack((at, code): Place) -> u64 {
    let number = u64::from(at) + 1;
    number << 16 | u64::from(code)
}

/// The place of a number that [`pack`] has returned.
#[inline]
fn unpack(place: u64) -> Place {
    let number = place >> 16;
    ((number - 1) as NodeId, place as u16)
}

/// The games of a query, in blocks of numbers, each with its deepest place and its facts.
#[derive(Debug)]
pub(super) struct GameTable {
    /// The numbers of the blocks, ascending.
    blocks: Vec<i64>,
    slots: Vec<Slot>,
}

/// The deepest place of a game and its facts. They are stored side by side, since lists read both.
#[derive(Debug)]
struct Slot {
    deepest: AtomicU64,
    facts: GameFacts,
}

/// The block of the last look-up, and its first slot if the table has the block. The next game is mostly in this block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor(Option<(i64, Option<usize>)>);

impl GameTable {
    /// A table of the games of a set, without places so far.
    pub(super) fn new(column_store: &ColumnStore<'_>, games: &GameSet) -> StoreResult<GameTable> {
        let unknown = GameFacts {
            result: Termination::Unknown,
            white_elo: None,
            black_elo: None,
            year: None,
        };
        let empty = || Slot {
            deepest: AtomicU64::new(PASSED_OVER),
            facts: unknown,
        };
        let blocks = games.block_numbers();
        let slots = std::iter::repeat_with(empty)
            .take(blocks.len() * BLOCK_GAMES)
            .collect();

        let mut table = GameTable { blocks, slots };
        let mut cursor = Cursor::default();
        column_store.each_facts_of(games, |game, facts| {
            if let Some(slot) = table.slot(&mut cursor, game) {
                table.slots[slot] = Slot {
                    deepest: AtomicU64::new(NOWHERE),
                    facts,
                };
            }
        })?;
        Ok(table)
    }

    /// The index of the slot of a game; `None` for a game in no block of the table.
    #[inline]
    fn slot(&self, cursor: &mut Cursor, game: GameId) -> Option<usize> {
        let (block, slot) = block_and_slot(game);
        if let Cursor(Some((known, first))) = *cursor
            && known == block
        {
            return Some(first? + slot);
        }

        let at = self.blocks.binary_search(&block).ok();
        let first = at.map(|at| at * BLOCK_GAMES);
        cursor.0 = Some((block, first));
        Some(first? + slot)
    }

    /// Marks games that are replayed, so that lists ignore them.
    pub(super) fn pass_over(&mut self, games: &[GameId]) {
        let mut cursor = Cursor::default();
        for &game in games {
            if let Some(slot) = self.slot(&mut cursor, game) {
                *self.slots[slot].deepest.get_mut() = PASSED_OVER;
            }
        }
    }

    /// Notes that a game reaches a place, and returns the facts of the game; `None` for a game that is passed over.
    #[inline]
    pub(super) fn note(
        &self,
        cursor: &mut Cursor,
        game: GameId,
        place: Place,
    ) -> Option<&GameFacts> {
        let Slot { deepest, facts } = &self.slots[self.slot(cursor, game)?];
        let known = deepest.load(Ordering::Relaxed);
        if known == PASSED_OVER {
            return None;
        }

        // Most games are noted at their deepest place first, so most calls only read. All threads read lists at once
        // and in any order, so the greatest number is kept.
        let number = pack(place);
        if known < number {
            deepest.fetch_max(number, Ordering::Relaxed);
        }
        Some(facts)
    }

    /// Sets the deepest place of a game that was passed over; returns the facts of the game.
    pub(super) fn set_place(&mut self, game: GameId, place: Option<Place>) -> Option<GameFacts> {
        let slot = self.slot(&mut Cursor::default(), game)?;
        let Slot { deepest, facts } = &mut self.slots[slot];
        *deepest.get_mut() = match place {
            Some(place) => pack(place),
            None => NOWHERE,
        };
        Some(*facts)
    }

    /// The games in the repertoire, by number, with their deepest places and their facts.
    pub(super) fn places(&self) -> impl Iterator<Item = (GameId, Place, &GameFacts)> {
        let blocks = self.blocks.iter().zip(self.slots.chunks(BLOCK_GAMES));
        let numbered_slots = blocks.flat_map(|(&block, slots)| {
            let first = block * BLOCK_GAMES as i64;
            (first..).map(GameId::new).zip(slots)
        });

        numbered_slots.filter_map(|(game, slot)| {
            let place = slot.deepest.load(Ordering::Relaxed);
            if place == NOWHERE || place == PASSED_OVER {
                return None;
            }
            Some((game, unpack(place), &slot.facts))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_numbers_in_the_order_of_depth() {
        let (last_node, last_code) = (NodeId::MAX, u16::MAX);
        let places = [(0, 0), (0, last_code), (1, 0), (last_node, last_code)];
        let numbers = places.map(pack);

        assert!(numbers.is_sorted());
        assert_eq!(numbers.map(unpack), places);
        assert!(
            numbers
                .iter()
                .all(|&number| number > NOWHERE && number < PASSED_OVER)
        );
    }
}
