//! Encoding of sorted postings as blocks.
//!
//! `docs/position-index.md` specifies the bytes for readers in other languages; it must change together with this file,
//! `decode.rs` and [`posting`](super::posting).
//!
//! A *unit* has everything about one truncated key. Units are in the order of their keys; a block holds as many whole
//! units as fit, and a unit larger than a block is cut into a chain of blocks. In a unit, positions of few games are
//! *rare*: only their games are stored, and a replay decides which of them really reach the position. The others are
//! *popular groups*, each with its full key, its moves and the counts of their games, and the move of every game.

use std::cmp::Reverse;

use super::bits::BitWriter;
use super::counts::{Counts, Ratings};
use super::posting::{
    BLOCK_BYTES, CHECK_KEY_BITS, HEADER_BYTES, MAX_KEY_BITS, MOVE_CODE_BITS, POPULAR_GAMES,
    Posting, RANK_RICE_BITS, RATING_BITS, Widths, YEAR_BITS,
};
use crate::board::Color;
use crate::game::GameFacts;

/// A block, and its place among the blocks of its segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The truncated key of the first unit, left-aligned in [`MAX_KEY_BITS`] bits.
    pub(super) first_key: u64,
    /// The number of the block in a chain of blocks of one unit; 0 for the first block and for a block without a chain.
    pub(super) link: u32,
    /// The bytes: at most [`BLOCK_BYTES`].
    pub(super) data: Vec<u8>,
}

/// Encodes postings as blocks. `postings` are sorted by key, check key and game, in parts that share no truncated key;
/// `facts` are the facts of the run's games.
pub(super) fn encode(postings: &[Vec<Posting>], widths: Widths, facts: &[GameFacts]) -> Vec<Block> {
    let mut encoder = Encoder::new(postings, widths, facts);
    for part in postings {
        for unit in part.chunk_by(|a, b| widths.truncate(a.key) == widths.truncate(b.key)) {
            encoder.push_unit(unit);
        }
    }

    encoder.close_block();
    encoder.blocks
}

/// Writes units into blocks.
struct Encoder<'p> {
    widths: Widths,
    facts: &'p [GameFacts],
    /// The Rice parameter of the differences between keys.
    key_rice: u32,
    bits: BitWriter,
    /// The number of units in the block being filled, and the truncated keys of its first and last unit.
    units: u16,
    first_key: u64,
    last_key: u64,
    /// The finished blocks.
    blocks: Vec<Block>,
}

impl<'p> Encoder<'p> {
    /// An encoder with an empty block, for all postings of a segment.
    fn new(postings: &[Vec<Posting>], widths: Widths, facts: &'p [GameFacts]) -> Encoder<'p> {
        Encoder {
            widths,
            facts,
            key_rice: key_rice(postings, widths),
            bits: BitWriter::default(),
            units: 0,
            first_key: 0,
            last_key: 0,
            blocks: Vec::new(),
        }
    }

    /// Appends a unit to the block, or begins the next block with it if it does not fit. Its key is greater than the
    /// keys of all units before it.
    fn push_unit(&mut self, postings: &[Posting]) {
        let Some(first) = postings.first() else {
            return;
        };
        let key = self.widths.truncate(first.key);

        if self.units > 0 {
            // The unit is written to learn whether it fits.
            let before = self.bits.len();
            self.bits.rice(key - self.last_key, self.key_rice);
            self.write_unit(postings);
            if self.fits() && self.units < u16::MAX {
                self.units += 1;
                self.last_key = key;
                return;
            }

            self.bits.truncate(before);
            self.close_block();
        }

        self.first_key = key;
        self.last_key = key;
        self.units = 1;
        self.write_unit(postings);
        // A unit that is larger than a block has a chain of blocks to itself.
        if !self.fits() {
            self.close_block();
        }
    }

    /// `true` if the bits written so far fit into a block.
    fn fits(&self) -> bool {
        self.bits.len().div_ceil(8) + HEADER_BYTES <= BLOCK_BYTES
    }

    /// Ends the block. A unit that is larger than a block becomes a chain of several blocks.
    fn close_block(&mut self) {
        if self.units == 0 {
            return;
        }

        // A block with a single unit has no difference between keys, so the parameter means nothing. It is 0, so that
        // equal blocks have equal bytes in every segment.
        let key_rice = if self.units > 1 {
            self.key_rice as u8
        } else {
            0
        };
        let mut data = Vec::with_capacity(BLOCK_BYTES);
        data.push(key_rice);
        data.extend_from_slice(&self.units.to_le_bytes());
        self.bits.append_to(&mut data);

        let first_key = self.first_key << (MAX_KEY_BITS - self.widths.key);
        if data.len() <= BLOCK_BYTES {
            self.blocks.push(Block {
                first_key,
                link: 0,
                data,
            });
        } else {
            for (link, part) in (0..).zip(data.chunks(BLOCK_BYTES)) {
                self.blocks.push(Block {
                    first_key,
                    link,
                    data: part.to_vec(),
                });
            }
        }

        self.bits.truncate(0);
        self.units = 0;
    }

    /// Writes a unit without its key.
    #[inline]
    fn write_unit(&mut self, postings: &[Posting]) {
        if let [single] = postings {
            let game_and_flag = u64::from(single.game) << 1 | 1;
            self.bits.fixed(game_and_flag, self.widths.game + 1);
            return;
        }

        self.bits.fixed(0, 1);
        if postings.len() < POPULAR_GAMES {
            self.write_rare_unit(postings);
        } else {
            self.write_large_unit(postings);
        }
    }

    /// Writes fewer than [`POPULAR_GAMES`] postings, without an allocation: there are many such units.
    fn write_rare_unit(&mut self, postings: &[Posting]) {
        let mut rare = [0; POPULAR_GAMES];
        for (game, posting) in rare.iter_mut().zip(postings) {
            *game = posting.game;
        }
        let rare = &mut rare[..postings.len()];

        // Nearly every unit has a single position, whose games are in order already.
        if rare.is_sorted_by(|one, next| one < next) {
            self.bits.gamma(rare.len() as u64 + 1);
            return self.write_games(rare);
        }

        let mut games = rare.to_vec();
        sort_games(&mut games);
        self.bits.gamma(games.len() as u64 + 1);
        self.write_games(&games);
    }

    /// Writes a unit that may have popular positions: the games of its rare positions, and a group for each popular
    /// one.
    fn write_large_unit(&mut self, postings: &[Posting]) {
        let mut rare: Vec<u32> = Vec::new();
        let mut popular = 0_u64;
        for group in postings.chunk_by(Posting::is_same_position) {
            if is_popular(group) {
                popular += 1;
            } else {
                rare.extend(group.iter().map(|posting| posting.game));
            }
        }
        sort_games(&mut rare);

        if popular > 0 {
            // An empty list of games marks a unit with groups. A unit without groups begins with its rare games.
            self.bits.gamma(1);
        }
        self.bits.gamma(rare.len() as u64 + 1);
        self.write_games(&rare);

        if popular > 0 {
            self.bits.gamma(popular);
            for group in postings.chunk_by(Posting::is_same_position) {
                if is_popular(group) {
                    self.write_group(group);
                }
            }
        }
    }

    /// Writes a list of games in ascending order, each once, without its length.
    fn write_games(&mut self, games: &[u32]) {
        let game_rice = self.widths.game_rice(games.len() as u64);
        let mut next = 0;
        for &number in games {
            let game = u64::from(number);
            self.bits.rice(game - next, game_rice);
            next = game + 1;
        }
    }

    /// Writes a popular position: its full key, its moves with their counts, and the move of every game. Its games are
    /// in ascending order, each once; see [`is_popular`].
    fn write_group(&mut self, group: &[Posting]) {
        let Some(first) = group.first() else { return };

        let rest = self.widths.rest(first.key);
        self.bits.fixed(rest, self.widths.rest_bits());
        self.bits.fixed(u64::from(first.check_key), CHECK_KEY_BITS);

        let (moves, ranks) = self.count_moves(group);
        self.bits.gamma(moves.len() as u64);
        for (code, counts) in &moves {
            self.bits.fixed(u64::from(*code), MOVE_CODE_BITS);
            self.write_counts(counts, first.turn());
        }

        // Most games have one of the first moves, so the indexes of moves are small.
        let sum: u64 = ranks.iter().map(|&rank| u64::from(rank)).sum();
        let mean_rank = (sum / group.len() as u64).max(1);
        let rank_rice = mean_rank.ilog2();
        self.bits.fixed(u64::from(rank_rice), RANK_RICE_BITS);

        let game_rice = self.widths.game_rice(group.len() as u64);
        let mut next = 0;
        for (posting, rank) in group.iter().zip(ranks) {
            let game = u64::from(posting.game);
            self.bits.rice(game - next, game_rice);
            next = game + 1;
            self.bits.rice(u64::from(rank), rank_rice);
        }
    }

    /// The moves of a group with their counts, and for each posting the index of its move. Moves are sorted by
    /// descending number of games, then by their codes.
    fn count_moves(&self, group: &[Posting]) -> (Vec<(u16, Counts)>, Vec<u16>) {
        // The games are far apart in memory: fetching their facts first lets the cache misses overlap.
        let facts_of = |posting: &Posting| self.facts.get(posting.game as usize).copied();
        let facts_of_games: Vec<Option<GameFacts>> = group.iter().map(facts_of).collect();

        let mut moves: Vec<(u16, Counts)> = Vec::new();
        let mut indexes: Vec<u16> = Vec::with_capacity(group.len());
        for (posting, facts) in group.iter().zip(facts_of_games) {
            let known = moves.iter().position(|(code, _)| *code == posting.next);
            let index = known.unwrap_or_else(|| {
                moves.push((posting.next, Counts::default()));
                moves.len() - 1
            });

            let (_, counts) = &mut moves[index];
            counts.add(&facts.unwrap_or_default(), posting.turn());
            indexes.push(index as u16);
        }

        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_key(|&index| {
            let (code, counts) = &moves[index];
            (Reverse(counts.all_games()), *code)
        });

        // `indexes` are in the order of occurrence. `ranks` maps them to the sorted order.
        let mut ranks = vec![0; moves.len()];
        for (rank, &index) in order.iter().enumerate() {
            ranks[index] = rank as u16;
        }
        for index in &mut indexes {
            *index = ranks[*index as usize];
        }

        let sorted = order.into_iter().map(|index| moves[index]).collect();
        (sorted, indexes)
    }

    /// Writes the counts of a move.
    fn write_counts(&mut self, counts: &Counts, mover: Color) {
        for count in [counts.white, counts.draws, counts.black, counts.unfinished] {
            self.bits.gamma(count + 1);
        }

        self.write_ratings(counts.mover_elo, counts.all_games());
        self.write_ratings(counts.opponent_elo, counts.finished());

        let some_are_rated = (1..counts.finished()).contains(&counts.opponent_elo.games);
        if some_are_rated {
            self.bits.gamma(counts.half_points + 1);
        } else {
            // If all opponents are rated, the score follows from the results. If none is, there is no score.
            debug_assert!(
                counts.opponent_elo.games == 0
                    || counts.half_points == 2 * counts.wins(mover) + counts.draws
            );
        }

        match counts.years {
            None => self.bits.fixed(0, 1),
            Some((first, last)) => {
                self.bits.fixed(1, 1);
                self.bits.fixed(u64::from(first), YEAR_BITS);
                self.bits.gamma(u64::from(last - first) + 1);
            }
        }
    }

    /// Writes the known ratings among the ratings of `all_games` games: the number of games without a rating, the mean,
    /// and the remainder.
    fn write_ratings(&mut self, ratings: Ratings, all_games: u64) {
        self.bits.gamma(all_games - ratings.games + 1);

        if let Some(mean) = ratings.sum.checked_div(ratings.games) {
            let remainder = ratings.sum % ratings.games;
            self.bits.fixed(mean, RATING_BITS);
            self.bits.fixed(remainder, remainder_bits(ratings.games));
        }
    }
}

/// The best Rice parameter for the differences between keys: the logarithm of the mean difference.
fn key_rice(postings: &[Vec<Posting>], widths: Widths) -> u32 {
    // Keys are uniformly distributed, so the first part with several keys is like the others.
    for part in postings {
        let (Some(first), Some(last)) = (part.first(), part.last()) else {
            continue;
        };
        let range = widths.truncate(last.key) - widths.truncate(first.key);
        if range == 0 {
            continue;
        }

        let distinct = part.chunk_by(|a, b| a.key == b.key).count() as u64;
        let mean_difference = (range / distinct).max(1);
        return mean_difference.ilog2();
    }
    0
}

/// `true` if the postings of a position are a group. A game that occurs twice shows that two positions share key and
/// check key: only a replay can tell them apart.
fn is_popular(position: &[Posting]) -> bool {
    position.len() >= POPULAR_GAMES && position.is_sorted_by(|a, b| a.game < b.game)
}

/// The bits of the remainder when a sum is divided by `games`, which is at least 1.
pub(super) fn remainder_bits(games: u64) -> u32 {
    u64::BITS - (games - 1).leading_zeros()
}

/// Sorts games and removes duplicates.
fn sort_games(games: &mut Vec<u32>) {
    games.sort_unstable();
    games.dedup();
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::num::NonZeroU16;

    use super::*;
    use crate::index::decode::{GroupGames, Lookup, find};
    use crate::pgn::Termination;
    use crate::replay::Visit;

    /// Postings as in real games: few popular keys, many rare ones, some that share their first bits, and some
    /// that share all bits but are different positions.
    fn postings(games: u32) -> Vec<Posting> {
        let mut state = 1_u64;
        let mut random = move || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            state ^ state >> 29
        };
        let popular: Vec<u64> = (0..40).map(|_| random()).collect();

        let mut postings = Vec::new();
        for game in 0..games {
            for &key in popular.iter().filter(|_| game % 3 != 1) {
                let next = (random() >> 60) as u16;
                let check_key = (key & 0x3ffe) as u16 | (game % 2) as u16;
                if key % 4 == 0 || random() >> 62 == 0 {
                    postings.push(Posting {
                        key,
                        game,
                        check_key,
                        next,
                    });
                }
            }
            for _ in 0..30 {
                let key = random() >> 1 | popular[0] & 1 << 63;
                let posting = Posting {
                    key,
                    game,
                    check_key: 5,
                    next: Visit::END,
                };
                postings.push(posting);
                if game % 5 == 0 {
                    let game = (game + 7) % games;
                    postings.push(Posting {
                        key: key ^ 1,
                        game,
                        check_key: 4,
                        next: 3,
                    });
                }
            }
        }
        postings.sort_unstable_by_key(|posting| (posting.key, posting.check_key, posting.game));
        postings.dedup_by_key(|posting| (posting.key, posting.check_key, posting.game));
        postings
    }

    fn facts(games: u32) -> Vec<GameFacts> {
        use Termination::{BlackWins, Draw, Unknown, WhiteWins};
        let elo = |game: u32| NonZeroU16::new((game % 7 * 400) as u16);
        let fact = |game: u32| GameFacts {
            result: [WhiteWins, Draw, BlackWins, Unknown][game as usize % 4],
            white_elo: elo(game),
            black_elo: elo(game + 3),
            year: if game.is_multiple_of(11) {
                None
            } else {
                NonZeroU16::new(1900 + game as u16 % 100)
            },
        };
        (0..games).map(fact).collect()
    }

    /// The expected result of look-ups: all postings by their position.
    fn by_position(postings: &[Posting]) -> BTreeMap<(u64, u16), Vec<Posting>> {
        let mut map: BTreeMap<(u64, u16), Vec<Posting>> = BTreeMap::new();
        for posting in postings {
            map.entry((posting.key, posting.check_key))
                .or_default()
                .push(*posting);
        }
        map
    }

    /// The joined data of the blocks of each first key.
    fn chains(blocks: &[Block]) -> BTreeMap<u64, Vec<u8>> {
        let mut chains: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
        for block in blocks {
            chains
                .entry(block.first_key)
                .or_default()
                .extend_from_slice(&block.data);
        }
        chains
    }

    /// The chain that has a key if any has, with its first key.
    fn chain_of(chains: &BTreeMap<u64, Vec<u8>>, widths: Widths, key: u64) -> (u64, &[u8]) {
        let wanted = widths.truncate(key) << (MAX_KEY_BITS - widths.key);
        match chains.range(..=wanted).next_back() {
            Some((&first_key, data)) => (first_key, data),
            None => (0, &[]),
        }
    }

    fn check_popular(
        group: &crate::index::decode::Group,
        data: &[u8],
        widths: Widths,
        expected: &[Posting],
        facts: &[GameFacts],
    ) {
        assert!(expected.len() >= POPULAR_GAMES);

        let list = GroupGames::in_block(data, group, widths).expect("a list");
        let games: Vec<(u32, u16)> = list
            .map(|game| game.expect("a readable list"))
            .map(|(game, rank)| (game, group.moves[rank as usize].0))
            .collect();
        let pairs: Vec<_> = expected
            .iter()
            .map(|posting| (posting.game, posting.next))
            .collect();
        assert_eq!(games, pairs);

        for (code, counts) in &group.moves {
            let mut plain = Counts::default();
            for posting in expected.iter().filter(|posting| posting.next == *code) {
                plain.add(&facts[posting.game as usize], posting.turn());
            }
            assert_eq!(*counts, plain);
        }
    }

    fn check(widths: Widths, games: u32) {
        let postings = postings(games);
        let facts = facts(games);
        let blocks = encode(std::slice::from_ref(&postings), widths, &facts);

        assert!(blocks.iter().all(|block| block.data.len() <= BLOCK_BYTES));
        assert!(blocks.is_sorted_by_key(|block| (block.first_key, block.link)));

        let chains = chains(&blocks);
        for ((key, check_key), expected) in by_position(&postings) {
            let (first_key, data) = chain_of(&chains, widths, key);
            match find(data, widths, first_key, key, check_key).expect("a readable block") {
                Lookup::Popular(group) => {
                    check_popular(&group, data, widths, &expected, &facts);
                }
                Lookup::Rare(rare) => {
                    assert!(expected.len() < POPULAR_GAMES);
                    assert!(expected.iter().all(|posting| rare.contains(&posting.game)));
                }
                Lookup::Absent => panic!("{key:x} is not found"),
            }
        }
    }

    #[test]
    fn postings_come_back() {
        let count = postings(1500).len() as u64;
        check(Widths::for_size(count, 1500), 1500);
    }

    #[test]
    fn postings_come_back_from_short_keys() {
        for key in [1, 3, 8, 11] {
            check(Widths { key, game: 9 }, 300);
        }
    }

    #[test]
    fn postings_come_back_from_long_keys() {
        let widths = Widths {
            key: MAX_KEY_BITS,
            game: 20,
        };
        check(widths, 300);
    }

    #[test]
    fn absent_keys_are_not_found() {
        let postings = postings(300);
        let widths = Widths {
            key: MAX_KEY_BITS,
            game: 9,
        };
        let blocks = encode(std::slice::from_ref(&postings), widths, &facts(300));
        let chains = chains(&blocks);

        for key in postings.iter().map(|posting| posting.key ^ 1 << 40) {
            let (first_key, data) = chain_of(&chains, widths, key);
            let found = find(data, widths, first_key, key, 5);
            assert!(data.is_empty() || matches!(found, Some(Lookup::Absent)));
        }
    }

    #[test]
    fn any_bytes_are_read_without_panic() {
        let postings = postings(100);
        let widths = Widths { key: 12, game: 7 };
        for block in encode(std::slice::from_ref(&postings), widths, &facts(100)) {
            for flip in 0..block.data.len().min(400) {
                let mut data = block.data.clone();
                data[flip] ^= 0x55;
                for key in [0, 1 << 60, postings[7].key, u64::MAX] {
                    let found = find(&data, widths, block.first_key, key, postings[7].check_key);
                    if let Some(Lookup::Popular(group)) = found {
                        GroupGames::in_block(&data[..], &group, widths).map(Iterator::count);
                    }
                }
            }
        }
    }
}
