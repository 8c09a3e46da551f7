//! Selects the pairs of games that are compared: the pairs that share a key.
//!
//! One kind of key at a time is made for all games and sorted, so that memory is 16 bytes a game whatever the number of
//! kinds. In a bucket of many games, each game is compared only with its neighbours.

use std::collections::HashSet;

use foldhash::fast::RandomState;
use rayon::prelude::*;

use super::facts::GameFacts;
use super::fingerprint::Fingerprint;
use crate::cleaning::names::lesser_first;

/// The data of games from which keys are made.
pub(super) struct Keyed<'g> {
    pub(super) facts: &'g [GameFacts],
    pub(super) prints: &'g [Fingerprint],
    /// The key of each name.
    pub(super) name_keys: &'g [u32],
}

/// The new games of a search, and the games that may share a key with them.
#[derive(Clone, Copy)]
struct NewGames<'n> {
    new: &'n [u32],
    near: &'n [u32],
}

/// A kind of key.
#[derive(Clone, Copy, Debug)]
enum Key {
    /// Equal moves, as far as fingerprints tell, and in short games equal names.
    Moves,
    /// Equal names and equal openings.
    NamesAndOpening,
    /// Equal names and nearly equal moves in a stretch of the game.
    NamesAndWindow(usize),
    /// Nearly equal moves in two stretches of the game.
    Windows(usize, usize),
    /// Nearly equal moves in a stretch, and White's name.
    White(usize),
    /// Nearly equal moves in a stretch, and Black's name.
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

    /// Kinds that cover all kinds: games that share a key of any kind also share a key of one of these kinds.
    const WIDEST: [Key; 6] = [
        Key::Moves,
        Key::NamesAndOpening,
        Key::NamesAndWindow(0),
        Key::Window(1),
        Key::Window(2),
        Key::Window(3),
    ];

    /// The neighbours with which each game of a bucket is compared. In smaller buckets, these are all other games.
    const fn max_neighbours(self) -> usize {
        match self {
            Key::Moves => 40,
            Key::NamesAndOpening | Key::NamesAndWindow(_) => 32,
            Key::Windows(..) | Key::White(_) | Key::Black(_) | Key::Window(_) => 8,
        }
    }
}

/// The maximum number of games in a bucket of a weak key, as a multiple of a game's neighbours.
const MAX_WEAK_NEIGHBOURHOODS: usize = 4;

/// Up to this number of complete windows, two games with equal names are compared although no window is equal.
const MAX_DOUBTFUL_WINDOWS: u32 = 2;

/// Length in plies below which equal moves are a key only together with names.
pub(crate) const SHORT_PLIES: u32 = 20;

/// The hash of a stretch of moves; `None` for 0, which stands for a stretch that the game does not reach.
fn known_hash(hash: u32) -> Option<u64> {
    if hash == 0 {
        return None;
    }

    Some(u64::from(hash))
}

impl Keyed<'_> {
    /// The key of one kind of a game; `None` if the game is too short for it.
    fn key(&self, kind: Key, game: usize) -> Option<u64> {
        let (facts, print) = (&self.facts[game], &self.prints[game]);
        let name = |index: u32| u64::from(self.name_keys[index as usize]);
        let white = name(facts.white);
        let black = name(facts.black);
        let names = mix(white << 32 | black);
        let window = |at: usize| known_hash(print.windows[at]);

        let key = match kind {
            Key::Moves if facts.plies == 0 => return None,
            // Strangers play short games with equal moves.
            Key::Moves if facts.plies < SHORT_PLIES => mix(hash_of_moves(facts, print) ^ names),
            Key::Moves => hash_of_moves(facts, print),
            Key::NamesAndOpening => {
                let opening = known_hash(print.opening)?;
                mix(names ^ opening)
            }
            Key::NamesAndWindow(at) => mix(names ^ window(at)?),
            Key::Windows(first, second) => mix(window(first)? << 32 | window(second)?),
            Key::Window(at) => mix(window(at)?),
            Key::White(at) => mix(white << 32 | window(at)?),
            // Inverted, so that one name and stretch give White and Black different keys.
            Key::Black(at) => mix(!(black << 32 | window(at)?)),
        };
        Some(key)
    }

    /// Pairs of games that share a key, each pair once, the smaller index first. With `new`, a game of each pair is
    /// new.
    pub(super) fn pairs(&self, new: Option<&[u32]>) -> Vec<(u32, u32)> {
        let is_new: Option<HashSet<u32, RandomState>> =
            new.map(|new| new.iter().copied().collect());
        let near = new.map(|new| self.near_games(new));
        let new_games = new
            .zip(near.as_deref())
            .map(|(new, near)| NewGames { new, near });

        let mut pairs = Vec::new();
        for kind in Key::ALL {
            let mut entries = self.entries(kind, new_games);
            entries.par_sort_unstable();
            for bucket in entries.chunk_by(|a, b| a.0 == b.0) {
                if bucket.len() > 1 {
                    self.add_pairs(bucket, kind, is_new.as_ref(), &mut pairs);
                }
            }
        }

        pairs.par_sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The games that may share a key with a new game, a small part of all games.
    fn near_games(&self, new: &[u32]) -> Vec<u32> {
        let mut filter = BloomFilter::with_room_for(Key::WIDEST.len() * new.len());
        for kind in Key::WIDEST {
            for &game in new {
                if let Some(key) = self.key(kind, game as usize) {
                    filter.set(key);
                }
            }
        }

        let is_near = |game: &u32| {
            let mut keys = Key::WIDEST
                .iter()
                .filter_map(|&kind| self.key(kind, *game as usize));
            keys.any(|key| filter.has(key))
        };
        let count = self.facts.len().min(u32::MAX as usize) as u32;
        (0..count).into_par_iter().filter(is_near).collect()
    }

    /// The keys of one kind, each with its game. With new games, only keys of the new games, for the games near them.
    fn entries(&self, kind: Key, new_games: Option<NewGames<'_>>) -> Vec<(u64, u32)> {
        let entry = |game: u32| self.key(kind, game as usize).map(|key| (key, game));
        let Some(NewGames { new, near }) = new_games else {
            let count = self.facts.len().min(u32::MAX as usize) as u32;
            return (0..count).into_par_iter().filter_map(entry).collect();
        };

        let new_keys: HashSet<u64, RandomState> = new
            .iter()
            .filter_map(|&game| self.key(kind, game as usize))
            .collect();

        let near_entries = near.par_iter().copied().filter_map(entry);
        near_entries
            .filter(|(key, _)| new_keys.contains(key))
            .collect()
    }

    /// Adds the pairs of a bucket that may be twins. The games of a bucket share a key. In a large bucket, a game is
    /// paired only with its neighbours by [`Keyed::sort_key`].
    fn add_pairs(
        &self,
        bucket: &[(u64, u32)],
        kind: Key,
        is_new: Option<&HashSet<u32, RandomState>>,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let neighbours = kind.max_neighbours();

        // A weak key that many games share says nothing about twins.
        let is_weak = matches!(kind, Key::Windows(..) | Key::White(_) | Key::Black(_));
        if is_weak && bucket.len() > MAX_WEAK_NEIGHBOURHOODS * neighbours {
            return;
        }

        let mut games: Vec<u32> = bucket.iter().map(|(_, game)| *game).collect();
        if games.len() > neighbours {
            games.sort_unstable_by_key(|&game| self.sort_key(game));
        }

        for (at, &a) in games.iter().enumerate() {
            for &b in games.iter().skip(at + 1).take(neighbours) {
                let has_new = is_new.is_none_or(|new| new.contains(&a) || new.contains(&b));
                let (first, second) = lesser_first(a, b);
                if has_new && self.may_be_twins(first, second, kind) {
                    pairs.push((first, second));
                }
            }
        }
    }

    /// A key by which twins are sorted near each other: names, windows and year.
    fn sort_key(&self, game: u32) -> (u32, u32, [u32; Fingerprint::WINDOWS], u16) {
        let facts = &self.facts[game as usize];
        let print = &self.prints[game as usize];
        let white = self.name_keys[facts.white as usize];
        let black = self.name_keys[facts.black as usize];

        (white, black, print.windows, facts.date.year)
    }

    /// `true` if a pair may be twins by its fingerprints, so that names and moves are compared.
    fn may_be_twins(&self, a: u32, b: u32, kind: Key) -> bool {
        let print = &self.prints[a as usize];
        let other = &self.prints[b as usize];
        let (shared, both) = print.shared(other);
        // The window in which the shorter game ends says nothing about the moves. A stored fingerprint may be wrong, so
        // the two numbers need not fit together.
        let complete = both.saturating_sub(print.unfinished(other));

        match kind {
            Key::Moves => true,
            // Games that only begin alike differ in all later stretches.
            Key::NamesAndOpening | Key::NamesAndWindow(_) => {
                shared > 0 || complete <= MAX_DOUBTFUL_WINDOWS
            }
            Key::Windows(..) | Key::White(_) | Key::Black(_) | Key::Window(_) => 2 * shared >= both,
        }
    }
}

/// A Bloom filter of keys with one hash: it has all its members, and few other keys.
struct BloomFilter {
    bits: Vec<u64>,
}

impl BloomFilter {
    /// A filter for up to `keys` members. It mistakes at most about one of fifty other keys for a member.
    fn with_room_for(keys: usize) -> BloomFilter {
        // A word of 64 bits for each key.
        BloomFilter {
            bits: vec![0; keys.next_power_of_two()],
        }
    }

    /// The index of the word that holds the bit of a key, and the bit as a mask. The number of words is a power of two.
    fn position(&self, key: u64) -> (usize, u64) {
        let word = (key >> 6) as usize & (self.bits.len() - 1);
        let bit = 1 << (key & 63);
        (word, bit)
    }

    fn set(&mut self, key: u64) {
        let (word, bit) = self.position(key);
        self.bits[word] |= bit;
    }

    fn has(&self, key: u64) -> bool {
        let (word, bit) = self.position(key);
        self.bits[word] & bit != 0
    }
}

/// A hash that is equal for equal moves, and hardly ever for other moves.
fn hash_of_moves(facts: &GameFacts, print: &Fingerprint) -> u64 {
    let mut hash = u64::from(facts.plies);
    for number in print.numbers() {
        hash = mix(hash ^ u64::from(number));
    }

    hash
}

/// The finisher of SplitMix64.
const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// The pairs that one thread compares at once, with one pair of buffers.
const CHUNK_PAIRS: usize = 4096;

/// The results for pairs, computed on all threads, in the order of the pairs.
pub(super) fn each_pair<R: Send>(
    pairs: &[(u32, u32)],
    work: impl Fn(&mut Buffers, u32, u32) -> Option<R> + Sync,
) -> Vec<R> {
    let results: Vec<Vec<R>> = pairs
        .par_chunks(CHUNK_PAIRS)
        .map_init(Buffers::default, |buffers, part| {
            part.iter()
                .filter_map(|&(a, b)| work(buffers, a, b))
                .collect()
        })
        .collect();

    results.into_iter().flatten().collect()
}

/// Moves of the two games that a thread compares.
#[derive(Default)]
pub(super) struct Buffers {
    pub(super) a: Vec<u16>,
    pub(super) b: Vec<u16>,
}
