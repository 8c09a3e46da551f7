//! A check of a segment against its games, and of each of its blocks.
//!
//! For each block, the hashes of the entries of compared games are added up. The hashes of the entries that a replay of
//! these games expects are added up as well, and both sums are compared. So a segment of any size is compared in one
//! pass over its blocks and one pass over its games, in any order. A difference is located by its block.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;
use std::mem::discriminant;

use foldhash::fast::FixedState;
use rayon::prelude::*;
use rusqlite::Connection;

use super::counts::Counts;
use super::decode::{Content, PopularGroup, content};
use super::posting::MAX_KEY_BITS;
use super::store::{LINK_MASK, Segment, block_ids, first_key};
use crate::game::GameFacts;
use crate::replay::Visit;
use crate::threads;

/// A game of a segment as the index should have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexedGame {
    /// The facts that were counted when it was indexed.
    pub(crate) facts: GameFacts,
    /// `true` if its positions are compared with a replay.
    pub(crate) is_compared: bool,
}

/// The location of a block: its segment and the keys of its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockPlace {
    pub(crate) segment: i64,
    /// The number of the block, or of the first block of a chain.
    pub(crate) block: i64,
    /// The first 32 bits of the lowest and the highest key that the block can have.
    pub(crate) keys: (u64, u64),
}

impl fmt::Display for BlockPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BlockPlace {
            segment,
            block,
            keys: (first, last),
        } = self;
        write!(
            f,
            "segment {segment}, block {block}, keys {first:08x} to {last:08x}"
        )
    }
}

/// A fault of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BlockFault {
    #[error("it belongs to no chain of blocks")]
    Loose,
    #[error("it cannot be decoded")]
    Unreadable,
    #[error("its keys reach into the next block")]
    Unordered,
    #[error("its first byte is not 0, although it has one unit only")]
    Header,
    #[error("it names game {0}, which is not there")]
    NoSuchGame(i64),
    #[error("what it counts of moves is not what its games say")]
    Counts,
    #[error("its popular positions or their moves are not in their order")]
    GroupOrder,
    #[error("it has {found} positions of the games compared, which have {expected} there")]
    Number { found: u64, expected: u64 },
    #[error("its positions differ from the positions of its games")]
    Positions,
}

/// The content of all blocks of a segment, summed up.
#[derive(Debug)]
pub(crate) struct Inspection {
    segment: Segment,
    chains: Vec<Sums>,
    /// The positions that have a group.
    popular: HashSet<(u64, u16), FixedState>,
    /// The number of blocks.
    pub(crate) blocks: u64,
    /// The number of entries: games, counted once for each truncated key or popular position.
    pub(crate) entries: u64,
}

/// The positions of compared games in a block or chain.
#[derive(Clone, Copy, Debug)]
struct Sums {
    block: i64,
    /// `true` if the block has one unit only and a Rice parameter other than 0. The parameter of one unit means
    /// nothing, so the encoder writes 0.
    has_unused_parameter: bool,
    /// The last key of the block, as in [`BlockPlace::keys`].
    last_key: u64,
    found: Sum,
    /// `true` if a fault has been reported.
    is_faulty: bool,
}

/// The number of some entries, and the sum of their hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    count: u64,
    hashes: u64,
}

impl Sum {
    /// Adds an entry by its hash.
    fn add(&mut self, hash: u64) {
        self.count += 1;
        self.hashes = self.hashes.wrapping_add(hash);
    }
}

/// A block, or a joined chain.
struct Chain {
    block: i64,
    data: Vec<u8>,
    blocks: u64,
    is_whole: bool,
}

/// The content of one chain, summed up.
#[derive(Default)]
struct ChainSummary {
    found: Sum,
    popular: Vec<(u64, u16)>,
    entries: u64,
    last_key: u64,
    is_single: bool,
    faults: Vec<BlockFault>,
}

/// The number of chains read before they are decoded on all threads.
const CHAINS_AT_ONCE: usize = 512;

impl Inspection {
    /// Reads all blocks of a segment. `games` are its games from its first, `None` for missing ones; `report` is called
    /// with each fault.
    pub(crate) fn new(
        connection: &Connection,
        segment: Segment,
        games: &[Option<IndexedGame>],
        mut report: impl FnMut(BlockPlace, BlockFault),
    ) -> rusqlite::Result<Inspection> {
        let mut inspection = Inspection {
            segment,
            chains: Vec::new(),
            popular: HashSet::default(),
            blocks: 0,
            entries: 0,
        };

        // The location of a chain has the key of the next chain as its end. So faults are reported after all chains are
        // read.
        let mut faults: Vec<(usize, BlockFault)> = Vec::new();
        each_chains(connection, segment.id, |chains| {
            let summaries: Vec<ChainSummary> = threads::install(|| {
                chains
                    .par_iter()
                    .map(|chain| read_chain(chain, &segment, games))
                    .collect()
            });

            for (chain, summary) in chains.iter().zip(summaries) {
                let number = inspection.chains.len();
                for fault in &summary.faults {
                    faults.push((number, *fault));
                }
                inspection.add_chain(chain, summary);
            }
        })?;

        for number in 0..inspection.chains.len() {
            if let Some(fault) = inspection.header_or_order_fault(number) {
                faults.push((number, fault));
            }
        }

        for (number, fault) in faults {
            inspection.chains[number].is_faulty = true;
            report(inspection.place(number), fault);
        }

        Ok(inspection)
    }

    /// Appends the summary of a chain.
    fn add_chain(&mut self, chain: &Chain, summary: ChainSummary) {
        self.blocks += chain.blocks;
        self.entries += summary.entries;
        self.popular.extend(summary.popular);

        let has_parameter = chain.data.first() != Some(&0);
        self.chains.push(Sums {
            block: chain.block,
            has_unused_parameter: summary.is_single && has_parameter,
            last_key: summary.last_key,
            found: summary.found,
            is_faulty: false,
        });
    }

    /// The fault of a chain's header, or of its order before the next chain.
    fn header_or_order_fault(&self, number: usize) -> Option<BlockFault> {
        let chain = &self.chains[number];
        let (_, last_key) = self.place(number).keys;
        if chain.last_key > last_key {
            return Some(BlockFault::Unordered);
        }
        if chain.has_unused_parameter {
            return Some(BlockFault::Header);
        }
        None
    }

    /// The location of a chain, by its index.
    fn place(&self, number: usize) -> BlockPlace {
        let first = self.chains[number].block;
        // The last key before the next block.
        let last_key = match self.chains.get(number + 1) {
            Some(next) => first_key(next.block).saturating_sub(1),
            None => (1 << MAX_KEY_BITS) - 1,
        };

        BlockPlace {
            segment: self.segment.id,
            block: first,
            keys: (first_key(first), last_key),
        }
    }

    /// The entries that the positions of a game of the segment must have in the blocks.
    pub(crate) fn expected(&self, game: i64, visits: &[Visit]) -> ExpectedOfGame {
        let widths = self.segment.widths;
        let number = game - self.segment.first_game;

        let mut rare = Vec::with_capacity(visits.len());
        let mut hashes = Vec::with_capacity(visits.len());
        for visit in visits {
            let key = visit.key.0;
            let truncated = widths.truncate(key);
            if self.popular.contains(&(key, visit.check_key)) {
                let hash = popular_hash(key, visit.check_key, number, visit.next);
                hashes.push((self.chain_of_key(truncated), hash));
            } else {
                rare.push(truncated);
            }
        }

        // A unit lists a game once, however many of the game's rare positions have the truncated key.
        rare.sort_unstable();
        rare.dedup();
        for key in rare {
            hashes.push((self.chain_of_key(key), rare_hash(key, number)));
        }
        ExpectedOfGame(hashes)
    }

    /// The index of the chain that must contain a truncated key.
    fn chain_of_key(&self, key: u64) -> usize {
        let first_key_bits = key << (MAX_KEY_BITS - self.segment.widths.key);
        let after = self
            .chains
            .partition_point(|chain| first_key(chain.block) <= first_key_bits);
        after.saturating_sub(1)
    }

    /// The expectation without any game.
    pub(crate) fn no_expectation(&self) -> Expected {
        Expected(vec![Sum::default(); self.chains.len()])
    }

    /// The blocks that differ from the expectation, except blocks with a reported fault.
    pub(crate) fn differences(
        &self,
        expected: &Expected,
    ) -> impl Iterator<Item = (BlockPlace, BlockFault)> {
        let pairs = self.chains.iter().zip(&expected.0);
        pairs.enumerate().filter_map(|(number, (chain, expected))| {
            if chain.is_faulty || chain.found == *expected {
                return None;
            }

            let fault = if chain.found.count == expected.count {
                BlockFault::Positions
            } else {
                BlockFault::Number {
                    found: chain.found.count,
                    expected: expected.count,
                }
            };
            Some((self.place(number), fault))
        })
    }
}

/// The entries of a game: for each, the index of its chain and its hash.
#[derive(Debug)]
pub(crate) struct ExpectedOfGame(Vec<(usize, u64)>);

/// The expected sum of each block.
#[derive(Debug)]
pub(crate) struct Expected(Vec<Sum>);

impl Expected {
    /// Adds a game; `false` if it has positions but there is no block at all.
    pub(crate) fn add(&mut self, game: ExpectedOfGame) -> bool {
        for (chain, hash) in &game.0 {
            if let Some(sum) = self.0.get_mut(*chain) {
                sum.add(*hash);
            }
        }

        game.0.is_empty() || !self.0.is_empty()
    }
}

/// Calls `visit` with the blocks of a segment in their order, [`CHAINS_AT_ONCE`] at a time; chains are joined.
fn each_chains(
    connection: &Connection,
    segment: i64,
    mut visit: impl FnMut(&[Chain]),
) -> rusqlite::Result<()> {
    let sql = "SELECT id, data FROM position_block WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query(block_ids(segment))?;

    let mut chains: Vec<Chain> = Vec::new();
    while let Some(row) = rows.next()? {
        let block: i64 = row.get(0)?;
        // A value that is not a blob is reported when it cannot be decoded.
        let data = row.get_ref(1)?.as_blob().unwrap_or_default();

        let link = block & LINK_MASK;
        if link == 0 && chains.len() >= CHAINS_AT_ONCE {
            visit(&chains);
            chains.clear();
        }

        match chains.last_mut() {
            Some(chain) if link != 0 && chain.block + chain.blocks as i64 == block => {
                chain.data.extend_from_slice(data);
                chain.blocks += 1;
            }
            _ => {
                chains.push(Chain {
                    block,
                    data: data.to_vec(),
                    blocks: 1,
                    is_whole: link == 0,
                });
            }
        }
    }

    visit(&chains);
    Ok(())
}

/// Decodes a chain and sums up its content.
fn read_chain(chain: &Chain, segment: &Segment, games: &[Option<IndexedGame>]) -> ChainSummary {
    let fault = |fault| ChainSummary {
        faults: vec![fault],
        ..ChainSummary::default()
    };

    if !chain.is_whole {
        return fault(BlockFault::Loose);
    }
    let Some(content) = content(&chain.data, segment.widths, first_key(chain.block)) else {
        return fault(BlockFault::Unreadable);
    };

    let mut reader = Reader {
        segment,
        games,
        summary: ChainSummary::default(),
    };
    reader.add_content(&content);
    // A chain of several blocks has a single unit.
    if chain.blocks > 1 && content.units.len() > 1 {
        reader.add_fault(BlockFault::Unreadable);
    }
    reader.summary
}

/// Sums up the content of a block.
struct Reader<'g> {
    segment: &'g Segment,
    games: &'g [Option<IndexedGame>],
    summary: ChainSummary,
}

impl Reader<'_> {
    /// Adds all units of a block.
    fn add_content(&mut self, content: &Content) {
        for (key, unit) in &content.units {
            for &game in &unit.rare {
                self.add_entry(game, || rare_hash(*key, i64::from(game)));
            }

            let is_ascending = unit
                .popular
                .is_sorted_by(|a, b| (a.key, a.check_key) < (b.key, b.check_key));
            if !is_ascending {
                self.add_fault(BlockFault::GroupOrder);
            }

            for group in &unit.popular {
                self.add_group(group);
            }
        }

        let last = content.units.last().map_or(0, |(key, _)| *key);
        self.summary.last_key = last << (MAX_KEY_BITS - self.segment.widths.key);
        self.summary.is_single = content.units.len() == 1;
    }

    /// Adds the games of a popular position, and compares the counts of its moves with these games.
    fn add_group(&mut self, group: &PopularGroup) {
        self.summary.popular.push((group.key, group.check_key));

        // The counts of each move are computed again from the games that are listed for the move.
        let mut counted = vec![Counts::default(); group.moves.len()];
        for &(game, rank) in &group.games {
            let rank = usize::from(rank);
            let Some((next, _)) = group.moves.get(rank) else {
                self.add_fault(BlockFault::Unreadable);
                return;
            };

            let hash = || popular_hash(group.key, group.check_key, i64::from(game), *next);
            if let Some(game) = self.add_entry(game, hash) {
                counted[rank].add(&game.facts, group.turn());
            }
        }

        let stored = group.moves.iter().map(|(_, counts)| counts);
        if stored.ne(&counted) {
            self.add_fault(BlockFault::Counts);
        }

        let order = |(code, counts): &(u16, Counts)| (Reverse(counts.all_games()), *code);
        if !group.moves.is_sorted_by_key(order) {
            self.add_fault(BlockFault::GroupOrder);
        }
    }

    /// Adds an entry of a game, and returns the game if the segment has it.
    fn add_entry(&mut self, game: u32, hash: impl Fn() -> u64) -> Option<IndexedGame> {
        self.summary.entries += 1;

        let Some(known) = self.games.get(game as usize).copied().flatten() else {
            let number = self.segment.first_game.saturating_add(i64::from(game));
            self.add_fault(BlockFault::NoSuchGame(number));
            return None;
        };

        if known.is_compared {
            self.summary.found.add(hash());
        }
        Some(known)
    }

    /// Adds a fault, unless the chain has one of this kind already.
    fn add_fault(&mut self, fault: BlockFault) {
        let is_known = self
            .summary
            .faults
            .iter()
            .any(|known| discriminant(known) == discriminant(&fault));
        if !is_known {
            self.summary.faults.push(fault);
        }
    }
}

/// The hash of a game's entry for the rare positions of a truncated key.
fn rare_hash(key: u64, game: i64) -> u64 {
    mix(mix(key) ^ game.cast_unsigned())
}

/// The hash of a game's entry in a popular group. The highest bit distinguishes it from the hash of an entry of a rare
/// position.
fn popular_hash(key: u64, check_key: u16, game: i64, next: u16) -> u64 {
    let check_key_and_move = u64::from(check_key) << 16 | u64::from(next);
    let position = mix(key) ^ (check_key_and_move | 1 << 63);
    mix(mix(position) ^ game.cast_unsigned())
}

/// The finalizer of SplitMix64: every bit of the result depends on every bit of the number.
fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
