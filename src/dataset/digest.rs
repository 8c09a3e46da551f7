//! Digests of tables that do not depend on the order of rows.

use std::fmt;
use std::iter::Sum;
use std::ops::AddAssign;

use super::position::PositionRow;

/// The sum of the hashes of rows, modulo 2^128.
///
/// The digests of the parts of a data set add up to the digest of the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest(pub u128);

impl AddAssign for Digest {
    fn add_assign(&mut self, other: Digest) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl Sum for Digest {
    fn sum<I: Iterator<Item = Digest>>(digests: I) -> Digest {
        let mut sum = Digest::default();
        for digest in digests {
            sum += digest;
        }
        sum
    }
}

/// Writes 32 hexadecimal digits.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Hashes the values of a row: BLAKE3 over each value with its type and length.
#[derive(Debug, Default)]
pub(super) struct RowHasher(Vec<u8>);

impl RowHasher {
    /// Adds NULL.
    pub(super) fn null(&mut self) {
        self.0.push(0);
    }

    /// Adds a number.
    pub(super) fn number(&mut self, value: Option<i64>) {
        let Some(value) = value else {
            return self.null();
        };
        self.0.push(1);
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Adds a text.
    pub(super) fn text(&mut self, value: Option<&[u8]>) {
        let Some(value) = value else {
            return self.null();
        };
        self.0.push(2);
        self.0
            .extend_from_slice(&(value.len() as u64).to_le_bytes());
        self.0.extend_from_slice(value);
    }

    /// The digest of the row; the next value begins another row.
    pub(super) fn finish(&mut self) -> Digest {
        let hash = blake3::hash(&self.0);
        self.0.clear();

        // A hash has 32 bytes, a digest has the first 16.
        let first_bytes = hash.as_bytes().first_chunk().copied();
        Digest(u128::from_le_bytes(first_bytes.unwrap_or_default()))
    }
}

/// The factors of [`position_digest`]. They must not change, because manifests store digests.
const FACTORS: [u64; 4] = [
    0x9e37_79b9_7f4a_7c15,
    0xc2b2_ae3d_27d4_eb4f,
    0x1656_67b1_9e37_79f9,
    0xd6e8_feb8_6659_fd93,
];

/// The digest of a row of the table `positions`, by four products of 128 bits. A data set has a hundred positions for
/// each game, so this hash is made to be fast. It does not withstand people who search for collisions.
pub(super) fn position_digest(row: &PositionRow) -> Digest {
    let game = row.game.cast_unsigned();
    let ply = u64::from(row.ply) << 48;
    let next = u64::from(row.next) << 32;
    let white_elo = u64::from(row.white_elo) << 16;
    let black_elo = u64::from(row.black_elo);
    let packed = ply | next | white_elo | black_elo;

    // Each product depends on the products before it, so that every value changes both halves.
    let first = mixed_product(row.key, game, 0);
    let facts = u64::from(row.facts) ^ first.rotate_left(32);
    let second = mixed_product(packed, facts, 1);
    let low = mixed_product(first, second, 2);
    let high = mixed_product(low ^ row.key, second.wrapping_add(game), 3);
    Digest(u128::from(high) << 64 | u128::from(low))
}

/// The product of two numbers, folded to 64 bits by XOR of both halves. Each number is first changed by a factor.
/// `factor` is an index in [`FACTORS`].
#[inline]
fn mixed_product(left: u64, right: u64, factor: usize) -> u64 {
    let product = u128::from(left ^ FACTORS[factor]) * u128::from(right ^ FACTORS[factor ^ 1]);
    (product as u64) ^ (product >> 64) as u64
}
