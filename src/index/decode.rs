//! Decoding of blocks: what a block says of a key.
//!
//! Every read returns `None` if the bytes are not a block of this format; the caller reports the damaged block.

mod content;

use super::bits::BitReader;
use super::counts::{Counts, Ratings};
use super::encode::remainder_bits;
use super::posting::{CHECK_KEY_BITS, HEADER_BYTES, MAX_KEY_BITS, Widths, turn};
use crate::board::Color;

pub(super) use content::{Content, PopularGroup, content};

/// A popular position.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The codes of the moves played, with the counts of their games, the most played first.
    pub(super) moves: Vec<(u16, Counts)>,
    /// The position of the list of games, in bits.
    games_at: usize,
}

/// The result of looking up a key in a segment.
#[derive(Clone, Debug, Default)]
pub(super) enum Found {
    /// The key is absent.
    #[default]
    Nothing,
    /// Games that may reach the position: those of all rare positions with this truncated key.
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
) -> Option<Found> {
    let key_rice = u32::from(*data.first()?);
    if key_rice >= 64 {
        return None;
    }
    let mut decoder = Decoder {
        widths,
        bits: BitReader::new(data, 8 * HEADER_BYTES),
    };
    let wanted = widths.truncate(key);
    let mut here = first_key >> (MAX_KEY_BITS - widths.key);
    for unit in 0..unit_count(data)? {
        if unit > 0 {
            here = here.checked_add(decoder.bits.rice(key_rice)?)?;
        }
        if here > wanted {
            break;
        }
        if here == wanted {
            return decoder.unit(widths.rest(key), check_key);
        }
        decoder.skip_unit()?;
    }
    Some(Found::Nothing)
}

/// The number of units in the header of a block, at least one.
pub(super) fn unit_count(data: &[u8]) -> Option<u16> {
    let &[_, low, high] = data.first_chunk()?;
    Some(u16::from_le_bytes([low, high])).filter(|&count| count > 0)
}

struct Decoder<'b> {
    widths: Widths,
    bits: BitReader<&'b [u8]>,
}

impl Decoder<'_> {
    fn unit(&mut self, rest: u64, check_key: u16) -> Option<Found> {
        if self.bits.fixed(1)? == 1 {
            return Some(Found::Rare(vec![self.bits.fixed(self.widths.game)? as u32]));
        }
        let count = self.bits.gamma()? - 1;
        if count > 0 {
            return Some(Found::Rare(self.games(count)?));
        }
        let rare = self.bits.gamma()? - 1;
        let rare = self.games(rare)?;
        for _ in 0..self.bits.gamma()? {
            let here = (
                self.bits.fixed(64 - self.widths.key)?,
                self.bits.fixed(CHECK_KEY_BITS)? as u16,
            );
            let group = self.group(here.1)?;
            if here == (rest, check_key) {
                return Some(Found::Popular(group));
            }
            self.skip_group_games(&group)?;
        }
        Some(if rare.is_empty() {
            Found::Nothing
        } else {
            Found::Rare(rare)
        })
    }

    #[inline]
    fn skip_unit(&mut self) -> Option<()> {
        if self.bits.fixed(1)? == 1 {
            return self.bits.fixed(self.widths.game).map(drop);
        }
        let count = self.bits.gamma()? - 1;
        if count > 0 {
            return self.skip_games(count);
        }
        let rare = self.bits.gamma()? - 1;
        self.skip_games(rare)?;
        for _ in 0..self.bits.gamma()? {
            self.bits.fixed(64 - self.widths.key)?;
            let check_key = self.bits.fixed(CHECK_KEY_BITS)? as u16;
            let group = self.group(check_key)?;
            self.skip_group_games(&group)?;
        }
        Some(())
    }

    fn skip_games(&mut self, count: u64) -> Option<()> {
        let k = self.widths.game_rice(count);
        (0..count).try_for_each(|_| self.bits.rice(k).map(drop))
    }

    fn games(&mut self, count: u64) -> Option<Vec<u32>> {
        if count > 1 << self.widths.game {
            return None;
        }
        let k = self.widths.game_rice(count);
        let mut next = 0u64;
        let mut games = Vec::new();
        for _ in 0..count {
            next = next.checked_add(self.bits.rice(k)?)?;
            games.push(u32::try_from(next).ok()?);
            next += 1;
        }
        Some(games)
    }

    fn group(&mut self, check_key: u16) -> Option<Group> {
        let mut moves = Vec::new();
        for _ in 0..self.bits.gamma()? {
            let code = self.bits.fixed(16)? as u16;
            moves.push((code, self.counts(turn(check_key))?));
        }
        Some(Group {
            moves,
            games_at: self.bits.pos(),
        })
    }

    fn skip_group_games(&mut self, group: &Group) -> Option<()> {
        let mut list = GroupGames::new(self.bits.clone(), group, self.widths)?;
        while list.left > 0 {
            list.read()?;
        }
        self.bits = list.bits;
        Some(())
    }

    fn counts(&mut self, mover: Color) -> Option<Counts> {
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
        if games == 0 || games > 1 << self.widths.game {
            return None;
        }
        counts.mover_elo = self.ratings(games)?;
        counts.opponent_elo = self.ratings(finished)?;
        counts.half_points = match counts.opponent_elo.games {
            0 => 0,
            rated if rated < finished => {
                Some(self.bits.gamma()? - 1).filter(|&points| points <= 2 * rated)?
            }
            _ => counts
                .wins(mover)
                .checked_mul(2)?
                .checked_add(counts.draws)?,
        };
        if self.bits.fixed(1)? == 1 {
            let first = self.bits.fixed(14)? as u16;
            let last = first.checked_add(u16::try_from(self.bits.gamma()? - 1).ok()?)?;
            counts.years = Some((first, last));
        }
        Some(counts)
    }

    fn ratings(&mut self, of: u64) -> Option<Ratings> {
        let games = of.checked_sub(self.bits.gamma()? - 1)?;
        if games == 0 {
            return Some(Ratings::default());
        }
        let mean = self.bits.fixed(14)?;
        let left_over = self.bits.fixed(remainder_bits(games))?;
        Some(Ratings {
            games,
            sum: mean.checked_mul(games)?.checked_add(left_over)?,
        })
    }
}

/// A lazy reader of the games of a popular position, in their order.
#[derive(Clone, Debug)]
pub(super) struct GroupGames<B> {
    bits: BitReader<B>,
    k: u32,
    rank_rice: u32,
    next: u64,
    left: u64,
}

impl<B: AsRef<[u8]>> GroupGames<B> {
    /// The games of a group that was found in these bytes.
    pub(super) fn of(data: B, group: &Group, widths: Widths) -> Option<GroupGames<B>> {
        GroupGames::new(BitReader::new(data, group.games_at), group, widths)
    }

    fn new(mut bits: BitReader<B>, group: &Group, widths: Widths) -> Option<GroupGames<B>> {
        let games = group.moves.iter().map(|(_, counts)| counts.all_games());
        let left = games.fold(0, u64::saturating_add);
        let rank_rice = bits.fixed(4)? as u32;
        Some(GroupGames {
            bits,
            k: widths.game_rice(left),
            rank_rice,
            next: 0,
            left,
        })
    }

    /// The next game, and the index of its move.
    #[inline]
    fn read(&mut self) -> Option<(u32, u16)> {
        self.next = self.next.checked_add(self.bits.rice(self.k)?)?;
        let game = u32::try_from(self.next).ok()?;
        self.next += 1;
        self.left -= 1;
        Some((game, u16::try_from(self.bits.rice(self.rank_rice)?).ok()?))
    }
}

/// Yields `None` for bytes that are not a list, and ends there.
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
        [2, 1, 2, 1].into_iter().for_each(|count| bits.gamma(count));
        [3, 2].into_iter().for_each(|unrated| bits.gamma(unrated));
        bits.fixed(1500, 14);
        bits.gamma(half_points + 1);
        bits.fixed(0, 1);
        let mut data = Vec::new();
        bits.append_to(&mut data);
        let bits = BitReader::new(&data[..], 0);
        Decoder {
            widths: Widths { key: 8, game: 4 },
            bits,
        }
        .counts(Color::White)
    }

    #[test]
    fn nobody_scores_more_than_all_games() {
        assert_eq!(counts(2).map(|counts| counts.half_points), Some(2));
        assert_eq!(counts(3), None);
    }
}
