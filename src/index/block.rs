//! The bytes of the position index: how sorted postings become blocks, and blocks postings again.
//!
//! `docs/position-index.md` describes the same bytes for readers in other languages; the two change
//! together, with [`FORMAT`].
//!
//! A *unit* is all that is known of one truncated key. Units follow each other in the order of their
//! keys; a block holds as many whole units as fit, and a unit that is larger than a block is cut into
//! a chain of blocks. In a unit, positions met in few games are *rare*: they have only the games, and
//! a replay must tell which of them really reach the position. The others are *popular groups*, each
//! with its whole key, the moves played and their results, and the move of every game.

use super::bits::{BitReader, BitWriter};

/// The version of these bytes, in `position_segment.format`.
pub(super) const FORMAT: i64 = 1;
/// The most bytes in a block: with its row around it, it fills a page of 4096 bytes.
pub(super) const BLOCK_BYTES: usize = 4040;
/// Positions that stand in at least so many games of a segment are popular.
pub(super) const POPULAR_GAMES: usize = 8;
/// The most bits of a truncated key, since a block's row number holds it.
pub(super) const MAX_KEY_BITS: u32 = 32;

const HEADER_BYTES: usize = 3;

/// A position in a game, as it is gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    /// The position's whole key.
    pub(super) key: u64,
    /// The game, counted from the first of the segment.
    pub(super) game: u32,
    /// The move played there, as in [`Visit::next`](crate::replay::Visit::next).
    pub(super) next: u16,
}

/// What one must know of a segment to read its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Widths {
    /// The bits of a truncated key, [`MAX_KEY_BITS`] at most.
    pub(super) key: u32,
    /// The bits of a game's number.
    pub(super) game: u32,
}

impl Widths {
    /// The widths for a number of postings and games: keys so long that a position which is not
    /// there meets a foreign unit once in sixteen times or less, and costs a replay.
    pub(super) fn for_size(postings: usize, games: usize) -> Widths {
        let bits = |count: usize| usize::BITS - count.saturating_sub(1).leading_zeros();
        Widths { key: (bits(postings) + 4).min(MAX_KEY_BITS), game: bits(games) }
    }

    /// The first bits of a key.
    pub(super) fn truncate(self, key: u64) -> u64 {
        key >> (64 - self.key)
    }
}

/// How the games in which a move was played ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// Unfinished or unknown.
    pub unknown: u64,
}

impl Results {
    /// All games.
    pub fn games(&self) -> u64 {
        self.white + self.draws + self.black + self.unknown
    }

    fn slots(&mut self) -> [&mut u64; 4] {
        [&mut self.white, &mut self.draws, &mut self.black, &mut self.unknown]
    }
}

/// The result of a game as the index counts it: an index into White, draw, Black, unknown.
pub(super) type ResultSlot = u8;

/// A block, and where it stands among the blocks of its segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The truncated key of its first unit, shifted to the left of [`MAX_KEY_BITS`] bits.
    pub(super) first_key: u64,
    /// 0, or its number in a chain of blocks of one unit.
    pub(super) link: u32,
    /// The bytes.
    pub(super) data: Vec<u8>,
}

/// A position that stands in many games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// The moves played, with results, the most played first.
    pub(super) moves: Vec<(u16, Results)>,
    /// The games in their order, each with the index of its move; empty when not asked for.
    pub(super) games: Vec<(u32, u16)>,
}

/// What a segment knows of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Games that may reach the position: those of all rare positions with the same truncated key,
    /// when it is not popular itself.
    pub(super) rare: Vec<u32>,
    /// The games that do, when the position is popular.
    pub(super) group: Option<Group>,
}

/// Writes the blocks of postings that are sorted by key and game; `results` has the games' results.
pub(super) fn encode(postings: &[Posting], widths: Widths, results: &[ResultSlot]) -> Vec<Block> {
    let mut encoder = Encoder::new(postings, widths, results);
    for unit in postings.chunk_by(|a, b| widths.truncate(a.key) == widths.truncate(b.key)) {
        encoder.unit(unit);
    }
    encoder.close();
    encoder.blocks
}

struct Encoder<'p> {
    widths: Widths,
    results: &'p [ResultSlot],
    /// The Rice parameter of the differences between keys.
    key_rice: u32,
    bits: BitWriter,
    units: u16,
    first_key: u64,
    last_key: u64,
    blocks: Vec<Block>,
}

impl<'p> Encoder<'p> {
    fn new(postings: &[Posting], widths: Widths, results: &'p [ResultSlot]) -> Encoder<'p> {
        let truncated = |posting: Option<&Posting>| posting.map_or(0, |p| widths.truncate(p.key));
        let range = truncated(postings.last()) - truncated(postings.first());
        let distinct = postings.chunk_by(|a, b| a.key == b.key).count() as u64;
        let key_rice = (range / distinct.max(1)).max(1).ilog2();
        Encoder {
            widths,
            results,
            key_rice,
            bits: BitWriter::default(),
            units: 0,
            first_key: 0,
            last_key: 0,
            blocks: Vec::new(),
        }
    }

    fn unit(&mut self, postings: &[Posting]) {
        let Some(first) = postings.first() else { return };
        let key = self.widths.truncate(first.key);
        let before = self.bits.len();
        if self.units > 0 {
            self.bits.rice(key - self.last_key, self.key_rice);
            self.unit_body(postings);
            if self.bits.len().div_ceil(8) + HEADER_BYTES <= BLOCK_BYTES && self.units < u16::MAX {
                self.units += 1;
                self.last_key = key;
                return;
            }
            self.bits.truncate(before);
            self.close();
        }
        self.first_key = key;
        self.last_key = key;
        self.units = 1;
        self.unit_body(postings);
        if self.bits.len().div_ceil(8) + HEADER_BYTES > BLOCK_BYTES {
            self.close();
        }
    }

    /// Ends the block, as a chain of several when it holds one large unit.
    fn close(&mut self) {
        if self.units == 0 {
            return;
        }
        let mut data = vec![self.key_rice as u8];
        data.extend_from_slice(&self.units.to_le_bytes());
        data.extend_from_slice(&self.bits.to_bytes());
        let first_key = self.first_key << (MAX_KEY_BITS - self.widths.key);
        for (link, part) in (0..).zip(data.chunks(BLOCK_BYTES)) {
            self.blocks.push(Block { first_key, link, data: part.to_vec() });
        }
        self.bits.truncate(0);
        self.units = 0;
    }

    fn unit_body(&mut self, postings: &[Posting]) {
        if let [single] = postings {
            self.bits.fixed(1, 1);
            self.bits.fixed(u64::from(single.game), self.widths.game);
            return;
        }
        self.bits.fixed(0, 1);
        let groups = || postings.chunk_by(|a, b| a.key == b.key);
        let is_popular = |group: &&[Posting]| group.len() >= POPULAR_GAMES;
        let mut rare: Vec<u32> =
            groups().filter(|group| !is_popular(group)).flatten().map(|p| p.game).collect();
        rare.sort_unstable();
        rare.dedup();
        let popular = groups().filter(is_popular).count() as u64;
        if popular == 0 {
            self.bits.gamma(rare.len() as u64 + 1);
            self.games(&rare);
            return;
        }
        self.bits.gamma(1);
        self.bits.gamma(rare.len() as u64 + 1);
        self.games(&rare);
        self.bits.gamma(popular);
        for group in groups().filter(is_popular) {
            self.group(group);
        }
    }

    fn games(&mut self, games: &[u32]) {
        let k = game_rice(self.widths, games.len() as u64);
        let mut next = 0;
        for &game in games {
            self.bits.rice(u64::from(game) - next, k);
            next = u64::from(game) + 1;
        }
    }

    fn group(&mut self, group: &[Posting]) {
        let Some(first) = group.first() else { return };
        self.bits.fixed(first.key, 64 - self.widths.key);
        let moves = self.count_moves(group);
        self.bits.gamma(moves.len() as u64);
        for (code, mut results) in moves.iter().copied() {
            self.bits.fixed(u64::from(code), 16);
            for count in results.slots() {
                self.bits.gamma(*count + 1);
            }
        }
        let rank = |posting: &Posting| {
            moves.iter().position(|(code, _)| *code == posting.next).unwrap_or_default() as u64
        };
        let ranks: u64 = group.iter().map(rank).sum();
        let rank_rice = (ranks / group.len() as u64).max(1).ilog2();
        self.bits.fixed(u64::from(rank_rice), 4);
        let k = game_rice(self.widths, group.len() as u64);
        let mut next = 0;
        for posting in group {
            self.bits.rice(u64::from(posting.game) - next, k);
            next = u64::from(posting.game) + 1;
            self.bits.rice(rank(posting), rank_rice);
        }
    }

    /// The moves of a group with their results, the most played first, else by their codes.
    fn count_moves(&self, group: &[Posting]) -> Vec<(u16, Results)> {
        let mut moves: Vec<(u16, Results)> = Vec::new();
        for posting in group {
            let index = moves.iter().position(|(code, _)| *code == posting.next);
            let index = index.unwrap_or_else(|| {
                moves.push((posting.next, Results::default()));
                moves.len() - 1
            });
            let slot = self.results.get(posting.game as usize).copied().unwrap_or(3);
            *moves[index].1.slots()[slot as usize & 3] += 1;
        }
        moves.sort_by_key(|(code, results)| (std::cmp::Reverse(results.games()), *code));
        moves
    }
}

/// The Rice parameter for so many games out of all of the segment.
fn game_rice(widths: Widths, games: u64) -> u32 {
    widths.game.saturating_sub((games + 1).ilog2() + 1)
}

/// Looks for a key in a block, or in a chain put together.
///
/// Gives nothing when the bytes are no block of this format.
pub(super) fn find(
    data: &[u8],
    widths: Widths,
    first_key: u64,
    key: u64,
    with_games: bool,
) -> Option<Found> {
    let (header, bits) = data.split_at_checked(HEADER_BYTES)?;
    let key_rice = u32::from(header[0]);
    let units = u16::from_le_bytes([header[1], header[2]]);
    if key_rice >= 64 {
        return None;
    }
    let mut decoder = Decoder { widths, bits: BitReader::new(bits) };
    let wanted = widths.truncate(key);
    let mut here = first_key >> (MAX_KEY_BITS - widths.key);
    for unit in 0..units {
        if unit > 0 {
            here = here.checked_add(decoder.bits.rice(key_rice)?)?;
        }
        if here > wanted {
            break;
        }
        if here == wanted {
            return decoder.unit(key, with_games);
        }
        decoder.skip_unit()?;
    }
    Some(Found::default())
}

struct Decoder<'b> {
    widths: Widths,
    bits: BitReader<'b>,
}

impl Decoder<'_> {
    fn unit(&mut self, key: u64, with_games: bool) -> Option<Found> {
        let mut found = Found::default();
        if self.bits.fixed(1)? == 1 {
            found.rare.push(self.bits.fixed(self.widths.game)? as u32);
            return Some(found);
        }
        match self.bits.gamma()? {
            1 => {
                let rare = self.bits.gamma()? - 1;
                found.rare = self.games(rare)?;
                for _ in 0..self.bits.gamma()? {
                    let wanted = key & !(!0u64).unbounded_shl(64 - self.widths.key);
                    let is_it = self.bits.fixed(64 - self.widths.key)? == wanted;
                    let group = self.group(with_games || !is_it)?;
                    if is_it {
                        return Some(Found { rare: Vec::new(), group: Some(group) });
                    }
                }
            }
            count => found.rare = self.games(count - 1)?,
        }
        Some(found)
    }

    fn skip_unit(&mut self) -> Option<()> {
        if self.bits.fixed(1)? == 1 {
            self.bits.fixed(self.widths.game)?;
            return Some(());
        }
        match self.bits.gamma()? {
            1 => {
                let rare = self.bits.gamma()? - 1;
                self.skip_games(rare)?;
                for _ in 0..self.bits.gamma()? {
                    self.bits.fixed(64 - self.widths.key)?;
                    self.group(true)?;
                }
                Some(())
            }
            count => self.skip_games(count - 1),
        }
    }

    fn skip_games(&mut self, count: u64) -> Option<()> {
        let k = game_rice(self.widths, count);
        (0..count).try_for_each(|_| self.bits.rice(k).map(drop))
    }

    fn games(&mut self, count: u64) -> Option<Vec<u32>> {
        let k = game_rice(self.widths, count);
        let mut next = 0u64;
        let mut games = Vec::new();
        for _ in 0..count {
            next = next.checked_add(self.bits.rice(k)?)?;
            games.push(u32::try_from(next).ok()?);
            next += 1;
        }
        Some(games)
    }

    fn group(&mut self, with_games: bool) -> Option<Group> {
        let mut group = Group::default();
        for _ in 0..self.bits.gamma()? {
            let code = self.bits.fixed(16)? as u16;
            let mut results = Results::default();
            for count in results.slots() {
                *count = self.bits.gamma()? - 1;
            }
            group.moves.push((code, results));
        }
        if !with_games {
            return Some(group);
        }
        let count = group.moves.iter().map(|(_, results)| results.games()).sum();
        let rank_rice = self.bits.fixed(4)? as u32;
        let k = game_rice(self.widths, count);
        let mut next = 0u64;
        for _ in 0..count {
            next = next.checked_add(self.bits.rice(k)?)?;
            let rank = self.bits.rice(rank_rice)?;
            group.games.push((u32::try_from(next).ok()?, u16::try_from(rank).ok()?));
            next += 1;
        }
        Some(group)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::replay::Visit;

    /// Postings as games would give them: few popular keys, many rare ones, some that share their
    /// first bits.
    fn postings(games: u32) -> Vec<Posting> {
        let mut state = 1_u64;
        let mut random = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state >> 29
        };
        let popular: Vec<u64> = (0..40).map(|_| random()).collect();
        let mut postings = Vec::new();
        for game in 0..games {
            for &key in popular.iter().filter(|_| game % 3 != 1) {
                let next = (random() >> 60) as u16;
                if key % 4 == 0 || random() >> 62 == 0 {
                    postings.push(Posting { key, game, next });
                }
            }
            for _ in 0..30 {
                let key = random() >> 1 | popular[0] & 1 << 63;
                postings.push(Posting { key, game, next: Visit::END });
                if game % 5 == 0 {
                    postings.push(Posting { key: key ^ 1, game: (game + 7) % games, next: 3 });
                }
            }
        }
        postings.sort_unstable();
        postings.dedup_by_key(|posting| (posting.key, posting.game));
        postings
    }

    fn results(games: u32) -> Vec<ResultSlot> {
        (0..games).map(|game| (game % 4) as u8).collect()
    }

    /// The plain twin of a look-up: everything under its key.
    fn by_key(postings: &[Posting]) -> BTreeMap<u64, Vec<Posting>> {
        let mut map: BTreeMap<u64, Vec<Posting>> = BTreeMap::new();
        for posting in postings {
            map.entry(posting.key).or_default().push(*posting);
        }
        map
    }

    fn chain(blocks: &[Block], widths: Widths, key: u64) -> (u64, Vec<u8>) {
        let wanted = widths.truncate(key) << (MAX_KEY_BITS - widths.key);
        let head = blocks.iter().rfind(|block| block.first_key <= wanted && block.link == 0);
        let first_key = head.map_or(0, |block| block.first_key);
        let parts = blocks.iter().filter(|block| block.first_key == first_key);
        (first_key, parts.flat_map(|block| block.data.clone()).collect())
    }

    fn check(widths: Widths, games: u32) {
        let postings = postings(games);
        let results = results(games);
        let blocks = encode(&postings, widths, &results);
        assert!(blocks.iter().all(|block| block.data.len() <= BLOCK_BYTES));
        assert!(blocks.is_sorted_by_key(|block| (block.first_key, block.link)));
        for (key, expected) in by_key(&postings) {
            let (first_key, data) = chain(&blocks, widths, key);
            let found = find(&data, widths, first_key, key, true).expect("a readable block");
            let games: Vec<u32> = expected.iter().map(|posting| posting.game).collect();
            match found.group {
                Some(group) => {
                    assert!(games.len() >= POPULAR_GAMES);
                    let moves = |&(game, rank): &(u32, u16)| (game, group.moves[rank as usize].0);
                    let found: Vec<(u32, u16)> = group.games.iter().map(moves).collect();
                    let pairs: Vec<(u32, u16)> =
                        expected.iter().map(|posting| (posting.game, posting.next)).collect();
                    assert_eq!(found, pairs);
                    let white = expected.iter().filter(|posting| posting.game % 4 == 0).count();
                    let counted: u64 = group.moves.iter().map(|(_, results)| results.white).sum();
                    assert_eq!(counted, white as u64);
                }
                None => {
                    assert!(games.len() < POPULAR_GAMES);
                    assert!(games.iter().all(|game| found.rare.contains(game)), "{key:x}");
                }
            }
        }
    }

    #[test]
    fn postings_come_back() {
        check(Widths::for_size(postings(1500).len(), 1500), 1500);
    }

    #[test]
    fn postings_come_back_from_short_keys() {
        for key in [1, 3, 8, 11] {
            check(Widths { key, game: 9 }, 300);
        }
    }

    #[test]
    fn postings_come_back_from_long_keys() {
        check(Widths { key: MAX_KEY_BITS, game: 20 }, 300);
    }

    #[test]
    fn absent_keys_are_not_found() {
        let postings = postings(300);
        let widths = Widths { key: MAX_KEY_BITS, game: 9 };
        let blocks = encode(&postings, widths, &results(300));
        for key in postings.iter().map(|posting| posting.key ^ 1 << 40) {
            let (first_key, data) = chain(&blocks, widths, key);
            let found = find(&data, widths, first_key, key, true);
            assert!(data.is_empty() || found == Some(Found::default()));
        }
    }

    #[test]
    fn any_bytes_are_read_without_panic() {
        let postings = postings(100);
        let widths = Widths { key: 12, game: 7 };
        for block in encode(&postings, widths, &results(100)) {
            for flip in 0..block.data.len().min(400) {
                let mut data = block.data.clone();
                data[flip] ^= 0x55;
                for key in [0, 1 << 60, postings[7].key, u64::MAX] {
                    find(&data, widths, block.first_key, key, true);
                }
            }
        }
    }
}
