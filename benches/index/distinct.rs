//! Positions drawn from all different ones of a file, each with the same chance, however many games
//! reach it: those whose keys, mixed, are the smallest numbers.

use std::collections::BTreeMap;

use shakmaty::Chess;

use crate::truth::{push_new, replay};

/// A position and the games that reach it, by their numbers.
pub(crate) struct Drawn {
    pub(crate) position: Chess,
    pub(crate) games: Vec<u32>,
}

/// So many positions of a file, or all where it has fewer, in no order that an index knows.
pub(crate) fn distinct(pgn: &[u8], most: usize) -> Vec<Drawn> {
    let mut drawn: BTreeMap<u64, Drawn> = BTreeMap::new();
    let mut last = u64::MAX;
    replay(pgn, |game, key, position| {
        let rank = mix(key.0);
        if rank > last {
            return;
        }
        // The last rank only falls, so who is drawn in the end was so at the first visit.
        let new = || Drawn { position: position.clone(), games: Vec::new() };
        push_new(&mut drawn.entry(rank).or_insert_with(new).games, game);
        if drawn.len() > most {
            drawn.pop_last();
            last = drawn.last_key_value().map_or(u64::MAX, |(&rank, _)| rank);
        }
    });
    drawn.into_values().collect()
}

/// Another number for each number (the finalizer of SplitMix64).
fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ key >> 31
}
