//! The full content of a block, or of a joined chain.

use super::{BitReader, Counts, Decoder, GroupGames, unit_count};
use crate::board::Color;
use crate::index::posting::{CHECK_KEY_BITS, HEADER_BYTES, MAX_KEY_BITS, Widths, turn};

/// The content of a block.
#[derive(Debug, Default)]
pub(in crate::index) struct Content {
    /// The truncated keys, ascending, with their units.
    pub(in crate::index) units: Vec<(u64, Unit)>,
}

/// The unit of a truncated key.
#[derive(Debug, Default)]
pub(in crate::index) struct Unit {
    /// The games of its rare positions, in their order, each once.
    pub(in crate::index) rare: Vec<u32>,
    pub(in crate::index) popular: Vec<PopularGroup>,
}

/// A popular position with all its games.
#[derive(Debug)]
pub(in crate::index) struct PopularGroup {
    /// The whole key of the position.
    pub(in crate::index) key: u64,
    pub(in crate::index) check_key: u16,
    /// The codes of its moves, with the counts of their games.
    pub(in crate::index) moves: Vec<(u16, Counts)>,
    /// The games in their order, each with the index of its move.
    pub(in crate::index) games: Vec<(u32, u16)>,
}

/// Decodes a block to its last bit; `None` if that fails.
pub(in crate::index) fn content(data: &[u8], widths: Widths, first_key: u64) -> Option<Content> {
    let key_rice = u32::from(*data.first()?);
    // A damaged parameter would shift beyond a word.
    if key_rice >= u64::BITS {
        return None;
    }

    let mut decoder = Decoder {
        widths,
        bits: BitReader::new(data, 8 * HEADER_BYTES),
    };

    let mut key = first_key >> (MAX_KEY_BITS - widths.key);
    let mut content = Content::default();
    for number in 0..unit_count(data)? {
        if number > 0 {
            let difference = decoder.bits.rice(key_rice)?;
            // A unit has all postings of a truncated key, so two units never have equal keys.
            if difference == 0 {
                return None;
            }
            key = key.checked_add(difference)?;
        }

        let unit = decoder.read_unit(key)?;
        content.units.push((key, unit));
    }

    // A damaged block may still be decoded, as other numbers.
    let is_in_range = key >> widths.key == 0;
    if !is_in_range || !decoder.is_at_end(data) {
        return None;
    }
    Some(content)
}

impl Decoder<'_> {
    /// Reads a unit with all its games.
    fn read_unit(&mut self, key: u64) -> Option<Unit> {
        if self.bits.fixed(1)? == 1 {
            let game = self.bits.fixed(self.widths.game)? as u32;
            return Some(Unit {
                rare: vec![game],
                popular: Vec::new(),
            });
        }

        let count = self.bits.gamma()? - 1;
        if count > 0 {
            return Some(Unit {
                rare: self.read_games(count)?,
                popular: Vec::new(),
            });
        }

        // An empty list of games marks a unit with popular positions. The games of its rare positions come first.
        let rare_count = self.bits.gamma()? - 1;
        let mut unit = Unit {
            rare: self.read_games(rare_count)?,
            popular: Vec::new(),
        };
        for _ in 0..self.bits.gamma()? {
            let rest_bits = self.widths.rest_bits();
            let rest = self.bits.fixed(rest_bits)?;
            let full_key = key << rest_bits | rest;
            let group = self.read_popular_group(full_key)?;
            unit.popular.push(group);
        }
        Some(unit)
    }

    /// Reads a group with all its games; `key` is the full key of the position.
    fn read_popular_group(&mut self, key: u64) -> Option<PopularGroup> {
        let check_key = self.bits.fixed(CHECK_KEY_BITS)? as u16;
        let group = self.read_group(check_key)?;

        let mut list = GroupGames::new(self.bits.clone(), &group, self.widths)?;
        let mut games = Vec::new();
        while list.left > 0 {
            games.push(list.read()?);
        }
        self.bits = list.bits;

        Some(PopularGroup {
            key,
            check_key,
            moves: group.moves,
            games,
        })
    }

    /// `true` if nothing follows but the zeros that pad the last byte.
    fn is_at_end(&mut self, data: &[u8]) -> bool {
        let rest = (8 * data.len()).saturating_sub(self.bits.pos());
        rest < 8 && self.bits.fixed(rest as u32) == Some(0)
    }
}

impl PopularGroup {
    /// The side to move.
    pub(in crate::index) fn turn(&self) -> Color {
        turn(self.check_key)
    }
}
