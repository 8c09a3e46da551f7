//! Which pairs of games are worth comparing: those that share a key.
//!
//! One kind of key at a time is made for all games and sorted, so that memory is 16 bytes a game whatever the number of
//! kinds. In a bucket of many games, each is compared with its neighbours alone.

use std::collections::HashSet;

use foldhash::fast::RandomState;
use rayon::prelude::*;

use super::facts::GameFacts;
use super::fingerprint::Fingerprint;

/// What keys are made of.
pub(super) struct Keyed<'g> {
    pub(super) facts: &'g [GameFacts],
    pub(super) prints: &'g [Fingerprint],
    /// The key of each name.
    pub(super) name_keys: &'g [u32],
}

/// A kind of key.
#[derive(Clone, Copy, Debug)]
enum Key {
    /// Equal moves, as far as fingerprints tell, and in short games equal names.
    Moves,
    /// Equal names and the same opening.
    NamesAndOpening,
    /// Equal names and nearly equal moves in a stretch of the game.
    NamesAndWindow(usize),
    /// Nearly equal moves in two stretches of the game.
    Windows(usize, usize),
    /// Nearly equal moves in a stretch, the name of one colour.
    White(usize),
    /// The other colour.
    Black(usize),
    /// Nearly equal moves in a stretch of the game.
    Window(usize),
}

impl Key {
    const ALL: [Key; 14] = [
        Key::Moves,
        Key::NamesAndOpening,
        Key::NamesAndWindow(0),
        Key::NamesAndWindow(1),
        Key::NamesAndWindow(2),
        Key::NamesAndWindow(3),
        Key::Windows(1, 2),
        Key::Windows(2, 3),
        Key::Windows(1, 3),
        Key::White(1),
        Key::Black(1),
        Key::White(2),
        Key::Black(2),
        Key::White(3),
    ];

    /// Games that share any key share one of these.
    const WIDEST: [Key; 6] = [
        Key::Moves,
        Key::NamesAndOpening,
        Key::NamesAndWindow(0),
        Key::Window(1),
        Key::Window(2),
        Key::Window(3),
    ];

    /// Games of one key that are all compared with each other; in larger buckets, each with as many neighbours.
    const fn most_neighbours(self) -> usize {
        match self {
            Key::Moves => 40,
            Key::NamesAndOpening | Key::NamesAndWindow(_) => 32,
            Key::Windows(..) | Key::White(_) | Key::Black(_) | Key::Window(_) => 8,
        }
    }
}

/// Under so many half-moves, equal moves are a key only together with names.
pub(crate) const SHORT_PLIES: u32 = 20;

impl Keyed<'_> {
    fn key(&self, kind: Key, game: usize) -> Option<u64> {
        let (facts, print) = (&self.facts[game], &self.prints[game]);
        let name = |index: u32| u64::from(self.name_keys[index as usize]);
        let (white, black) = (name(facts.white), name(facts.black));
        let names = mix(white << 32 | black);
        let found = |hash: u32| (hash != 0).then_some(u64::from(hash));
        match kind {
            Key::Moves if facts.plies == 0 => None,
            Key::Moves if facts.plies < SHORT_PLIES => Some(mix(moves(facts, print) ^ names)),
            Key::Moves => Some(moves(facts, print)),
            Key::NamesAndOpening => found(print.opening).map(|hash| mix(names ^ hash)),
            Key::NamesAndWindow(at) => found(print.windows[at]).map(|hash| mix(names ^ hash)),
            Key::Windows(a, b) => Some(mix(
                found(print.windows[a])? << 32 | found(print.windows[b])?
            )),
            Key::Window(at) => found(print.windows[at]).map(mix),
            Key::White(at) => found(print.windows[at]).map(|hash| mix(white << 32 | hash)),
            Key::Black(at) => found(print.windows[at]).map(|hash| mix(!(black << 32 | hash))),
        }
    }

    /// Pairs of games that share a key, the smaller index first, each once; with `new`, those of which one is new.
    pub(super) fn pairs(&self, new: Option<&[u32]>) -> Vec<(u32, u32)> {
        let is_new: Option<HashSet<u32, RandomState>> =
            new.map(|new| new.iter().copied().collect());
        let near = new.map(|new| self.near(new));
        let mut pairs = Vec::new();
        for kind in Key::ALL {
            let mut entries = self.entries(kind, new.zip(near.as_deref()));
            entries.par_sort_unstable();
            for bucket in entries
                .chunk_by(|a, b| a.0 == b.0)
                .filter(|bucket| bucket.len() > 1)
            {
                self.pairs_in(bucket, kind, is_new.as_ref(), &mut pairs);
            }
        }
        pairs.par_sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The games that may share a key with a new one, which are few of all.
    fn near(&self, new: &[u32]) -> Vec<u32> {
        let mut filter = BloomFilter::with_room_for(Key::WIDEST.len() * new.len());
        for kind in Key::WIDEST {
            new.iter()
                .filter_map(|&game| self.key(kind, game as usize))
                .for_each(|key| filter.set(key));
        }
        let is_near = |game: &u32| {
            let keys = Key::WIDEST
                .iter()
                .filter_map(|&kind| self.key(kind, *game as usize));
            keys.into_iter().any(|key| filter.has(key))
        };
        let count = self.facts.len().min(u32::MAX as usize) as u32;
        (0..count).into_par_iter().filter(is_near).collect()
    }

    /// The keys of one kind; with new games, those that one of them has, of the games that are near.
    fn entries(&self, kind: Key, new: Option<(&[u32], &[u32])>) -> Vec<(u64, u32)> {
        let entry = |game: u32| self.key(kind, game as usize).map(|key| (key, game));
        match new {
            None => {
                let count = self.facts.len().min(u32::MAX as usize) as u32;
                (0..count).into_par_iter().filter_map(entry).collect()
            }
            Some((new, near)) => {
                let wanted: HashSet<u64, RandomState> = new
                    .iter()
                    .filter_map(|&game| self.key(kind, game as usize))
                    .collect();
                let near = near.par_iter().copied().filter_map(entry);
                near.filter(|(key, _)| wanted.contains(key)).collect()
            }
        }
    }

    fn pairs_in(
        &self,
        bucket: &[(u64, u32)],
        kind: Key,
        is_new: Option<&HashSet<u32, RandomState>>,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let most = kind.most_neighbours();
        if bucket.len() > 4 * most
            && matches!(kind, Key::Windows(..) | Key::White(_) | Key::Black(_))
        {
            return;
        }
        let mut games: Vec<u32> = bucket.iter().map(|(_, game)| *game).collect();
        if games.len() > most {
            games.sort_unstable_by_key(|&game| self.order(game));
        }
        for (at, &a) in games.iter().enumerate() {
            for &b in games.iter().skip(at + 1).take(most) {
                let is_wanted = is_new.is_none_or(|new| new.contains(&a) || new.contains(&b));
                if is_wanted && self.is_worth(a.min(b), a.max(b), kind) {
                    pairs.push((a.min(b), a.max(b)));
                }
            }
        }
    }

    /// Twins are near each other in this order.
    fn order(&self, game: u32) -> (u32, u32, [u32; Fingerprint::WINDOWS], u16) {
        let facts = &self.facts[game as usize];
        let name = |index: u32| self.name_keys[index as usize];
        let windows = self.prints[game as usize].windows;
        (
            name(facts.white),
            name(facts.black),
            windows,
            facts.date.year,
        )
    }

    /// Whether a pair need not be left out before names and moves are looked at.
    fn is_worth(&self, a: u32, b: u32, kind: Key) -> bool {
        let (a, b) = (&self.prints[a as usize], &self.prints[b as usize]);
        let (shared, both) = a.shared(b);
        let complete = both - a.unfinished(b);
        match kind {
            Key::Moves => true,
            // Of games that only begin alike, all later stretches differ.
            Key::NamesAndOpening | Key::NamesAndWindow(_) => shared > 0 || complete <= 2,
            Key::Windows(..) | Key::White(_) | Key::Black(_) | Key::Window(_) => 2 * shared >= both,
        }
    }
}

/// A Bloom filter of keys: all members are found, and few others.
struct BloomFilter {
    bits: Vec<u64>,
}

impl BloomFilter {
    /// About one of fifty other keys is taken for one of so many, or fewer.
    fn with_room_for(keys: usize) -> BloomFilter {
        BloomFilter {
            bits: vec![0; keys.next_power_of_two()],
        }
    }

    fn place(&self, key: u64) -> (usize, u64) {
        ((key >> 6) as usize & (self.bits.len() - 1), 1 << (key & 63))
    }

    fn set(&mut self, key: u64) {
        let (word, bit) = self.place(key);
        self.bits[word] |= bit;
    }

    fn has(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        self.bits[word] & bit != 0
    }
}

/// A hash that is equal for equal moves, and hardly for others.
fn moves(facts: &GameFacts, print: &Fingerprint) -> u64 {
    let add = |sum: u64, number: u32| mix(sum ^ u64::from(number));
    print
        .numbers()
        .into_iter()
        .fold(u64::from(facts.plies), add)
}

/// The finisher of SplitMix64.
const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Works on pairs on all threads, in their order.
pub(super) fn each_pair<R: Send>(
    pairs: &[(u32, u32)],
    work: impl Fn(&mut Buffers, u32, u32) -> Option<R> + Sync,
) -> Vec<R> {
    let found: Vec<Vec<R>> = pairs
        .par_chunks(4096)
        .map_init(Buffers::default, |buffers, part| {
            part.iter()
                .filter_map(|&(a, b)| work(buffers, a, b))
                .collect()
        })
        .collect();
    found.into_iter().flatten().collect()
}

/// Moves of the two games that a thread compares.
#[derive(Default)]
pub(super) struct Buffers {
    pub(super) a: Vec<u16>,
    pub(super) b: Vec<u16>,
}
