//! A uniform sample of the different positions of a file, however many games reach each: those whose mixed keys are
//! smallest.

use std::collections::BTreeMap;

use shakmaty::Chess;

use crate::truth::{push_new, replay};

/// A position, and the numbers of the games that reach it.
pub(crate) struct Drawn {
    pub(crate) position: Chess,
    pub(crate) games: Vec<u32>,
}

/// A sample of the positions of a file, or all if there are fewer, in an order unrelated to any index.
pub(crate) fn distinct(pgn: &[u8], most: usize) -> Vec<Drawn> {
    let mut drawn: BTreeMap<u64, Drawn> = BTreeMap::new();
    // The greatest rank that is drawn.
    let mut threshold = u64::MAX;
    replay(pgn, |game, key, position| {
        let rank = mix(key.0);
        if rank > threshold {
            return;
        }

        // The threshold only falls, so every position in the final sample was in it from its first visit.
        let entry = drawn.entry(rank).or_insert_with(|| Drawn {
            position: position.clone(),
            games: Vec::new(),
        });
        push_new(&mut entry.games, game);

        if drawn.len() > most {
            drawn.pop_last();
            let last = drawn.last_key_value();
            threshold = last.map_or(u64::MAX, |(&rank, _)| rank);
        }
    });
    drawn.into_values().collect()
}

/// A mixed key (the finalizer of SplitMix64).
fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ key >> 31
}
