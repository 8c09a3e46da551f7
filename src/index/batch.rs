//! The postings of a batch of games, as a worker returns them.

use super::posting::{CHECK_KEY_BITS, Posting};
use crate::game::GameFacts;
use crate::replay::Visit;

/// The number of leading key bits that select a posting's bucket.
pub(super) const BUCKET_BITS: u32 = 8;
/// The number of buckets.
pub(super) const BUCKETS: usize = 1 << BUCKET_BITS;

/// A posting in 12 bytes instead of 16, since most postings of an import wait in this form: without the key bits of its
/// bucket, and with the index of its game in the batch.
#[derive(Clone, Copy, Debug, Default)]
struct Packed {
    /// The 32 bits of the key after the bits of the bucket.
    high: u32,
    /// The last 24 bits of the key, and the highest bits of the game's index.
    low: u32,
    /// The other bits of the index, the check key, and the move.
    rest: u32,
}

/// The bits of a game's index in its batch.
const GAME_BITS: u32 = 11;
/// The bits of the code of a move. No move has the two greatest codes of 15 bits. [`Visit::VARIATION`] and
/// [`Visit::END`] are these codes with a sixteenth bit.
const MOVE_BITS: u32 = 15;
const MOVE: u16 = (1 << MOVE_BITS) - 1;
const NO_MOVE: u16 = Visit::VARIATION & MOVE;
/// The bits of the game's index that are stored with the key.
const HIGH_GAME_BITS: u32 = 8;
const LOW_GAME_BITS: u32 = GAME_BITS - HIGH_GAME_BITS;

impl Packed {
    /// The bits of `low` that belong to the key.
    const KEY: u32 = !0 << HIGH_GAME_BITS;

    /// Packs a position of the game with an index in the batch.
    #[inline]
    fn new(visit: &Visit, game: u32) -> Packed {
        let key = visit.key.0 << BUCKET_BITS;
        let low_game = game << (CHECK_KEY_BITS + MOVE_BITS);
        let check_key = u32::from(visit.check_key) << MOVE_BITS;
        let next = u32::from(visit.next & MOVE);

        Packed {
            high: (key >> 32) as u32,
            low: key as u32 | game >> LOW_GAME_BITS,
            rest: low_game | check_key | next,
        }
    }

    /// The index of its game in the batch.
    #[inline]
    fn game(self) -> u32 {
        let high = (self.low & !Packed::KEY) << LOW_GAME_BITS;
        let low = self.rest >> (CHECK_KEY_BITS + MOVE_BITS);
        high | low
    }

    /// The posting with another game of the batch.
    fn with_game(self, game: u32) -> Packed {
        const REST: u32 = (1 << (CHECK_KEY_BITS + MOVE_BITS)) - 1;

        Packed {
            low: self.low & Packed::KEY | game >> LOW_GAME_BITS,
            rest: game << (CHECK_KEY_BITS + MOVE_BITS) | self.rest & REST,
            ..self
        }
    }

    /// Unpacks the posting, which is in a bucket.
    #[inline]
    fn posting(self, bucket: usize) -> Posting {
        let key = u64::from(self.high) << 32 | u64::from(self.low & Packed::KEY);
        let bucket_bits = (bucket as u64) << (u64::BITS - BUCKET_BITS);
        let check_key = (self.rest >> MOVE_BITS) as u16 & ((1 << CHECK_KEY_BITS) - 1);

        let code = self.rest as u16 & MOVE;
        // The two codes that are not moves have a sixteenth bit, which is not packed.
        let next = if code < NO_MOVE { code } else { code | !MOVE };

        Posting {
            key: bucket_bits | key >> BUCKET_BITS,
            game: self.game(),
            check_key,
            next,
        }
    }
}

/// A number for each bucket.
#[derive(Debug)]
struct Counts([u32; BUCKETS]);

impl Default for Counts {
    fn default() -> Counts {
        Counts([0; BUCKETS])
    }
}

/// The postings of consecutive games, on their way from a worker to a [`Run`](super::Run).
#[derive(Debug, Default)]
pub(crate) struct BatchPostings {
    /// The positions of each game, until they are divided.
    gathered: Vec<Vec<Visit>>,
    /// The number of postings in each bucket, counted while they are in the processor's cache.
    counts: Counts,
    /// The postings in their buckets, once [`BatchPostings::divide`] has been called.
    divided: Vec<Packed>,
    /// The start of each bucket in `divided`.
    starts: Vec<u32>,
    games: Vec<GameFacts>,
    /// The number of each game in the batch; `None` if no number is skipped, so that the index of a game is its number.
    /// This is the usual case.
    numbers: Option<Vec<u32>>,
    /// The number of the next game.
    next_number: u32,
}

impl BatchPostings {
    /// The maximum number of games in a batch.
    pub(crate) const MAX_GAMES: usize = 1 << GAME_BITS;
    /// The memory for a posting that waits in a run, in bytes.
    pub(super) const POSTING_BYTES: usize = size_of::<Packed>();

    /// Adds the positions of the next game; at most [`BatchPostings::MAX_GAMES`] fit.
    pub(crate) fn push_game(&mut self, visits: Vec<Visit>, facts: GameFacts) {
        assert!(
            self.games.len() < BatchPostings::MAX_GAMES,
            "whoever cuts batches counts games"
        );
        for visit in &visits {
            self.counts.0[bucket_of(visit)] += 1;
        }
        self.gathered.push(visits);

        self.games.push(facts);
        if let Some(numbers) = &mut self.numbers {
            numbers.push(self.next_number);
        }
        self.next_number += 1;
    }

    /// Skips numbers, such as numbers of deleted games, so that the next game has `number`, counted from 0.
    pub(crate) fn skip_to(&mut self, number: u32) {
        if number <= self.next_number {
            return;
        }

        let games = self.games.len() as u32;
        self.numbers.get_or_insert_with(|| (0..games).collect());
        self.next_number = number;
    }

    /// The games with their numbers in the batch.
    pub(super) fn games(&self) -> impl Iterator<Item = (u32, GameFacts)> {
        let number = |index: usize| self.number(index as u32);
        self.games
            .iter()
            .enumerate()
            .map(move |(index, facts)| (number(index), *facts))
    }

    /// The number of a game in the batch, from 0.
    #[inline]
    fn number(&self, index: u32) -> u32 {
        self.numbers
            .as_ref()
            .map_or(index, |numbers| numbers[index as usize])
    }

    /// The count of numbers, including skipped ones.
    pub(crate) fn numbers(&self) -> u32 {
        self.next_number
    }

    /// The number of postings.
    pub(crate) fn len(&self) -> usize {
        let mut postings = self.divided.len();
        for visits in &self.gathered {
            postings += visits.len();
        }
        postings
    }

    /// Sorts the postings into buckets with a counting sort.
    pub(crate) fn divide(&mut self) {
        // The count of each bucket becomes its start, and then the place of its next posting.
        let mut places = std::mem::take(&mut self.counts).0;
        let mut start = 0;
        for place in &mut places {
            (*place, start) = (start, start + *place);
        }

        self.starts = places.to_vec();
        self.starts.push(start);
        self.divided = vec![Packed::default(); start as usize];

        let gathered = std::mem::take(&mut self.gathered);
        for (game, visits) in (0..).zip(gathered) {
            for visit in visits {
                let place = &mut places[bucket_of(&visit)];
                self.divided[*place as usize] = Packed::new(&visit, game);
                *place += 1;
            }
        }
    }

    /// Keeps the games whose flag in `is_kept` is set, by index, once the postings are divided.
    ///
    /// No number may have been skipped.
    pub(crate) fn retain(&mut self, is_kept: &[bool]) {
        assert!(self.numbers.is_none() && self.gathered.is_empty());

        let mut new_index = Vec::with_capacity(is_kept.len());
        let mut kept_games = 0;
        for &is_kept in is_kept {
            new_index.push(kept_games);
            kept_games += u32::from(is_kept);
        }

        let mut divided = Vec::with_capacity(self.divided.len());
        let mut starts = Vec::with_capacity(self.starts.len());
        for bounds in self.starts.windows(2) {
            starts.push(divided.len() as u32);

            let bucket = bounds[0] as usize..bounds[1] as usize;
            for packed in &self.divided[bucket] {
                let game = packed.game() as usize;
                if is_kept[game] {
                    divided.push(packed.with_game(new_index[game]));
                }
            }
        }
        starts.push(divided.len() as u32);
        self.divided = divided;
        self.starts = starts;

        let mut flags = is_kept.iter();
        self.games
            .retain(|_| flags.next().is_some_and(|&is_kept| is_kept));
        self.next_number = kept_games;
    }

    /// The postings of a bucket in the order of their games, whose numbers start at `first_game`.
    #[inline]
    pub(super) fn bucket(
        &self,
        bucket: usize,
        first_game: u32,
    ) -> impl ExactSizeIterator<Item = Posting> {
        let bound = |bucket: usize| self.starts.get(bucket).copied().unwrap_or(0) as usize;
        let packed = &self.divided[bound(bucket)..bound(bucket + 1)];

        packed.iter().map(move |packed| {
            let posting = packed.posting(bucket);
            Posting {
                game: first_game + self.number(posting.game),
                ..posting
            }
        })
    }
}

/// The bucket of a position: the first bits of its key.
#[inline]
fn bucket_of(visit: &Visit) -> usize {
    (visit.key.0 >> (u64::BITS - BUCKET_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::PositionKey;

    #[test]
    fn postings_come_back_with_the_numbers_of_their_games() {
        const KEY: u64 = 0x0123_4567_89ab_cdef;
        let check_key = |key: u64| (key as u16 ^ 9) & 0x3fff;
        let next = |key: u64| match key {
            0 => Visit::END,
            KEY => Visit::VARIATION,
            _ => 77,
        };
        let visit = |key: u64| Visit {
            key: PositionKey(key),
            check_key: check_key(key),
            next: next(key),
            ply: 0,
        };
        let keys = [0, !0, KEY, 0x003f_ffff_ffff_ffff];

        let mut batch = BatchPostings::default();
        batch.push_game(keys.map(visit).to_vec(), GameFacts::default());
        batch.skip_to(1000);
        batch.push_game(vec![visit(!0)], GameFacts::default());
        batch.divide();

        let mut found: Vec<(u64, u32)> = Vec::new();
        for bucket in 0..BUCKETS {
            for posting in batch.bucket(bucket, 5) {
                assert_eq!(posting.check_key, check_key(posting.key));
                assert_eq!(posting.next, next(posting.key));
                found.push((posting.key, posting.game));
            }
        }
        found.sort_unstable();

        let mut expected: Vec<(u64, u32)> = keys.map(|key| (key, 5)).to_vec();
        expected.push((!0, 1005));
        expected.sort_unstable();
        assert_eq!(found, expected);
        assert_eq!((batch.len(), batch.numbers()), (5, 1001));
    }

    #[test]
    fn games_that_are_dropped_take_their_postings_with_them() {
        let visit = |key: u64| Visit {
            key: PositionKey(key),
            check_key: 9,
            next: 77,
            ply: 0,
        };
        let keys = [0, !0, 0x0123_4567_89ab_cdef];
        // Each game has the keys, and one of its own; indexes use all of their bits.
        let of_game = |game: u64| {
            let own_key = game << 40 | 1;
            keys.into_iter()
                .chain([own_key])
                .map(visit)
                .collect::<Vec<Visit>>()
        };
        let games = BatchPostings::MAX_GAMES as u64;
        let is_kept = |game: u64| game % 3 != 1;

        let mut batch = BatchPostings::default();
        let mut expected = BatchPostings::default();
        for game in 0..games {
            batch.push_game(of_game(game), GameFacts::default());
            if is_kept(game) {
                expected.push_game(of_game(game), GameFacts::default());
            }
        }
        batch.divide();
        expected.divide();

        let kept: Vec<bool> = (0..games).map(is_kept).collect();
        batch.retain(&kept);

        let postings = |batch: &BatchPostings| -> Vec<(u64, u32, u16, u16)> {
            (0..BUCKETS)
                .flat_map(|bucket| batch.bucket(bucket, 0))
                .map(|posting| (posting.key, posting.game, posting.check_key, posting.next))
                .collect()
        };
        assert_eq!(postings(&batch), postings(&expected));
        assert_eq!(batch.len(), expected.len());
        assert_eq!(batch.numbers(), expected.numbers());
    }
}
