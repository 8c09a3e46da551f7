//! Decoding of blocks: the look-up of a key in a block.
//!
//! Every read returns `None` if the bytes are not a block of this format; the caller reports the damaged block.

mod content;

use super::bits::BitReader;
use super::counts::{Counts, Ratings};
use super::encode::remainder_bits;
use super::posting::{
    CHECK_KEY_BITS, HEADER_BYTES, MAX_KEY_BITS, MOVE_CODE_BITS, RANK_RICE_BITS, RATING_BITS,
    Widths, YEAR_BITS, turn,
};
use crate::board::Color;

pub(super) use content::{Content, PopularGroup, content};

/// A popular position.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The codes of the moves played, with the counts of their games, by descending number of games.
    pub(super) moves: Vec<(u16, Counts)>,
    /// The position of the list of games, in bits.
    games_at: usize,
}

/// The result of looking up a key in a segment.
#[derive(Clone, Debug, Default)]
pub(super) enum Lookup {
    /// The key is absent.
    #[default]
    Absent,
    /// Games that may reach the position: the games of all rare positions with this truncated key.
    Rare(Vec<u32>),
    /// The position is popular.
    Popular(Group),
}

/// Looks up a position in a block, or in a joined chain.
pub(super) fn find(
    data: &[u8],
    widths: Widths,
    first_key: u64,
    key: u64,
    check_key: u16,
) -> Option<Lookup> {
    let key_rice = u32::from(*data.first()?);
    // A damaged parameter would shift beyond a word.
    if key_rice >= u64::BITS {
        return None;
    }

    let mut decoder = Decoder {
        widths,
        bits: BitReader::new(data, 8 * HEADER_BYTES),
    };
    let target = widths.truncate(key);
    let mut unit_key = first_key >> (MAX_KEY_BITS - widths.key);

    for unit in 0..unit_count(data)? {
        if unit > 0 {
            let difference = decoder.bits.rice(key_rice)?;
            unit_key = unit_key.checked_add(difference)?;
        }

        if unit_key > target {
            break;
        }
        if unit_key == target {
            return decoder.find_in_unit(widths.rest(key), check_key);
        }
        decoder.skip_unit()?;
    }
    Some(Lookup::Absent)
}

/// The number of units in the header of a block, at least one.
pub(super) fn unit_count(data: &[u8]) -> Option<u16> {
    let &[_, low, high] = data.first_chunk()?;
    let count = u16::from_le_bytes([low, high]);
    if count == 0 {
        return None;
    }
    Some(count)
}

/// A reader of units, positioned at a bit of a block.
struct Decoder<'b> {
    widths: Widths,
    bits: BitReader<&'b [u8]>,
}

impl Decoder<'_> {
    /// Looks up a position in the unit of its truncated key. `rest` has the bits of the key that are not in the
    /// truncated key.
    fn find_in_unit(&mut self, rest: u64, check_key: u16) -> Option<Lookup> {
        if self.bits.fixed(1)? == 1 {
            let game = self.bits.fixed(self.widths.game)? as u32;
            return Some(Lookup::Rare(vec![game]));
        }

        let count = self.bits.gamma()? - 1;
        if count > 0 {
            return Some(Lookup::Rare(self.read_games(count)?));
        }

        // An empty list of games marks a unit with popular positions. The games of its rare positions come first.
        let rare_count = self.bits.gamma()? - 1;
        let rare = self.read_games(rare_count)?;

        for _ in 0..self.bits.gamma()? {
            let group_rest = self.bits.fixed(self.widths.rest_bits())?;
            let group_check_key = self.bits.fixed(CHECK_KEY_BITS)? as u16;
            let group = self.read_group(group_check_key)?;
            if (group_rest, group_check_key) == (rest, check_key) {
                return Some(Lookup::Popular(group));
            }
            self.skip_group_games(&group)?;
        }

        if rare.is_empty() {
            Some(Lookup::Absent)
        } else {
            Some(Lookup::Rare(rare))
        }
    }

    /// Skips a unit without its key.
    #[inline]
    fn skip_unit(&mut self) -> Option<()> {
        if self.bits.fixed(1)? == 1 {
            self.bits.fixed(self.widths.game)?;
            return Some(());
        }

        let count = self.bits.gamma()? - 1;
        if count > 0 {
            return self.skip_games(count);
        }

        let rare_count = self.bits.gamma()? - 1;
        self.skip_games(rare_count)?;

        for _ in 0..self.bits.gamma()? {
            self.bits.fixed(self.widths.rest_bits())?;
            let check_key = self.bits.fixed(CHECK_KEY_BITS)? as u16;
            let group = self.read_group(check_key)?;
            self.skip_group_games(&group)?;
        }
        Some(())
    }

    /// Skips a list of `count` games.
    fn skip_games(&mut self, count: u64) -> Option<()> {
        let game_rice = self.widths.game_rice(count);
        for _ in 0..count {
            self.bits.rice(game_rice)?;
        }
        Some(())
    }

    /// Reads a list of `count` games.
    fn read_games(&mut self, count: u64) -> Option<Vec<u32>> {
        // A damaged count must not make a list longer than the number of games that the segment can have.
        if count > 1 << self.widths.game {
            return None;
        }

        let game_rice = self.widths.game_rice(count);
        let mut next = 0u64;
        let mut games = Vec::new();
        for _ in 0..count {
            let difference = self.bits.rice(game_rice)?;
            next = next.checked_add(difference)?;
            games.push(u32::try_from(next).ok()?);
            next += 1;
        }
        Some(games)
    }

    /// Reads the moves of a group whose key and check key have been read. The list of its games follows.
    fn read_group(&mut self, check_key: u16) -> Option<Group> {
        let mover = turn(check_key);
        let mut moves = Vec::new();
        for _ in 0..self.bits.gamma()? {
            let code = self.bits.fixed(MOVE_CODE_BITS)? as u16;
            let counts = self.read_counts(mover)?;
            moves.push((code, counts));
        }

        Some(Group {
            moves,
            games_at: self.bits.pos(),
        })
    }

    /// Skips the list of games of a group.
    fn skip_group_games(&mut self, group: &Group) -> Option<()> {
        let mut list = GroupGames::new(self.bits.clone(), group, self.widths)?;
        while list.left > 0 {
            list.read()?;
        }

        self.bits = list.bits;
        Some(())
    }

    /// Reads the counts of a move of the side `mover`.
    fn read_counts(&mut self, mover: Color) -> Option<Counts> {
        let mut count = || Some(self.bits.gamma()? - 1);
        let mut counts = Counts {
            white: count()?,
            draws: count()?,
            black: count()?,
            unfinished: count()?,
            ..Counts::default()
        };

        let finished = counts
            .white
            .checked_add(counts.draws)?
            .checked_add(counts.black)?;
        let games = finished.checked_add(counts.unfinished)?;
        // A damaged count may exceed the number of games that the segment can have.
        if games == 0 || games > 1 << self.widths.game {
            return None;
        }

        counts.mover_elo = self.read_ratings(games)?;
        counts.opponent_elo = self.read_ratings(finished)?;
        counts.half_points = self.read_half_points(&counts, finished, mover)?;

        if self.bits.fixed(1)? == 1 {
            let first = self.bits.fixed(YEAR_BITS)? as u16;
            let span = u16::try_from(self.bits.gamma()? - 1).ok()?;
            let last = first.checked_add(span)?;
            counts.years = Some((first, last));
        }
        Some(counts)
    }

    /// The score against rated opponents, which is stored only if some of the opponents have a rating and some have
    /// none.
    fn read_half_points(&mut self, counts: &Counts, finished: u64, mover: Color) -> Option<u64> {
        let rated = counts.opponent_elo.games;
        if rated == 0 {
            return Some(0);
        }
        if rated == finished {
            let points_of_wins = counts.wins(mover).checked_mul(2)?;
            return points_of_wins.checked_add(counts.draws);
        }

        let points = self.bits.gamma()? - 1;
        if points > 2 * rated {
            return None;
        }
        Some(points)
    }

    /// Reads the known ratings among the ratings of `all_games` games.
    fn read_ratings(&mut self, all_games: u64) -> Option<Ratings> {
        let unrated = self.bits.gamma()? - 1;
        let games = all_games.checked_sub(unrated)?;
        if games == 0 {
            return Some(Ratings::default());
        }

        let mean = self.bits.fixed(RATING_BITS)?;
        let remainder = self.bits.fixed(remainder_bits(games))?;
        let sum = mean.checked_mul(games)?.checked_add(remainder)?;
        Some(Ratings { games, sum })
    }
}

/// A lazy reader of the games of a popular position, in their order.
#[derive(Clone, Debug)]
pub(super) struct GroupGames<B> {
    bits: BitReader<B>,
    /// The Rice parameters of games and of the indexes of moves.
    game_rice: u32,
    rank_rice: u32,
    /// The least number that the next game can have.
    next: u64,
    /// The number of games that have not been read.
    left: u64,
}

impl<B: AsRef<[u8]>> GroupGames<B> {
    /// The games of a group that was found in these bytes.
    pub(super) fn in_block(data: B, group: &Group, widths: Widths) -> Option<GroupGames<B>> {
        GroupGames::new(BitReader::new(data, group.games_at), group, widths)
    }

    /// The games of a group, whose list begins at the next bit.
    fn new(mut bits: BitReader<B>, group: &Group, widths: Widths) -> Option<GroupGames<B>> {
        let games = group.moves.iter().map(|(_, counts)| counts.all_games());
        let left = games.fold(0, u64::saturating_add);
        let rank_rice = bits.fixed(RANK_RICE_BITS)? as u32;

        Some(GroupGames {
            bits,
            game_rice: widths.game_rice(left),
            rank_rice,
            next: 0,
            left,
        })
    }

    /// The next game, and the index of its move.
    #[inline]
    fn read(&mut self) -> Option<(u32, u16)> {
        let difference = self.bits.rice(self.game_rice)?;
        self.next = self.next.checked_add(difference)?;
        let game = u32::try_from(self.next).ok()?;
        self.next += 1;
        self.left -= 1;

        let index = self.bits.rice(self.rank_rice)?;
        let rank = u16::try_from(index).ok()?;
        Some((game, rank))
    }
}

/// Yields `None` for bytes that are not a list of games, and ends there.
impl<B: AsRef<[u8]>> Iterator for GroupGames<B> {
    type Item = Option<(u32, u16)>;

    fn next(&mut self) -> Option<Option<(u32, u16)>> {
        if self.left == 0 {
            return None;
        }

        let read = self.read();
        if read.is_none() {
            self.left = 0;
        }
        Some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::bits::BitWriter;

    /// A win of each side, one of them against an opponent of 1500.
    fn counts(half_points: u64) -> Option<Counts> {
        let mut bits = BitWriter::default();
        for count in [2, 1, 2, 1] {
            bits.gamma(count);
        }
        for unrated in [3, 2] {
            bits.gamma(unrated);
        }
        bits.fixed(1500, RATING_BITS);
        bits.gamma(half_points + 1);
        bits.fixed(0, 1);

        let mut data = Vec::new();
        bits.append_to(&mut data);
        let mut decoder = Decoder {
            widths: Widths { key: 8, game: 4 },
            bits: BitReader::new(&data[..], 0),
        };
        decoder.read_counts(Color::White)
    }

    #[test]
    fn nobody_scores_more_than_all_games() {
        assert_eq!(counts(2).map(|counts| counts.half_points), Some(2));
        assert_eq!(counts(3), None);
    }
}
