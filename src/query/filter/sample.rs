//! Random samples of games. Every run draws equal samples.

use std::str::FromStr;

use crate::game::{TagPair, tag_value};

/// The tags that identify a game, together with its moves.
const TAGS: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// A random part of all games. The seed and the game's own texts decide whether a game is in it: the tags Event, Site,
/// Date, Round, White and Black, and the moves of its mainline. So the sample depends neither on threads nor on the
/// order of files. A database and its sources have equal samples, and copies of a game are all in the sample or all
/// outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The share of games.
    pub fraction: Fraction,
    /// A number for each of the possible samples.
    pub seed: u64,
}

/// A number above 0 and not above 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fraction(f64);

/// The error for a text that is not a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number above 0, and not above 1, such as 0.01 for one game in a hundred")]
pub struct ParseFractionError;

impl FromStr for Fraction {
    type Err = ParseFractionError;

    fn from_str(text: &str) -> Result<Fraction, ParseFractionError> {
        let number: f64 = text.trim().parse().map_err(|_| ParseFractionError)?;
        if number > 0.0 && number <= 1.0 {
            Ok(Fraction(number))
        } else {
            Err(ParseFractionError)
        }
    }
}

impl Fraction {
    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Sample {
    /// `true` for a game in the sample, by its tags and its mainline in SAN.
    pub(super) fn has(self, tags: &[TagPair<'_>], moves: &str) -> bool {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.seed.to_le_bytes());
        for name in TAGS {
            let value = tag_value(tags, name).unwrap_or_default();
            hasher.update(value.as_bytes());
            // UTF-8 has no such byte, so that values cannot run into each other.
            hasher.update(&[0xff]);
        }
        hasher.update(moves.as_bytes());

        // The first 32 bits of the hash are a number that is evenly distributed, so a larger fraction of a seed has all
        // games of a smaller fraction.
        let hash = hasher.finalize();
        let first_bytes: Option<[u8; 4]> = hash.as_bytes().first_chunk().copied();
        let number = first_bytes.map_or(0, u32::from_le_bytes);
        let limit = self.fraction.get() * 2_f64.powi(32);
        f64::from(number) < limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(fraction: &str, seed: u64) -> Sample {
        Sample {
            fraction: fraction.parse().expect("a fraction"),
            seed,
        }
    }

    fn chosen(sample: Sample) -> Vec<u32> {
        let is_in = |number: &u32| {
            let tags = [
                TagPair::new("White", "Tal"),
                TagPair::new("Round", number.to_string()),
            ];
            sample.has(&tags, "e4 e5")
        };
        (0..10_000).filter(is_in).collect()
    }

    #[test]
    fn the_share_is_that_of_the_fraction() {
        let tenth = chosen(sample("0.1", 1));
        assert!((900..1100).contains(&tenth.len()), "{}", tenth.len());
        assert_eq!(chosen(sample("1", 1)).len(), 10_000);
    }

    #[test]
    fn a_larger_sample_has_the_smaller_one() {
        let large = chosen(sample("0.2", 1));
        for game in chosen(sample("0.1", 1)) {
            assert!(large.contains(&game), "{game}");
        }
    }

    #[test]
    fn seeds_give_different_samples() {
        assert_ne!(chosen(sample("0.1", 1)), chosen(sample("0.1", 2)));
    }

    #[test]
    fn moves_count() {
        let half = sample("0.5", 0);
        let games = ["e4", "d4", "c4", "e4 e5", "d4 d5", "Nf3", "g3", "b3"];
        let in_sample = games.iter().filter(|moves| half.has(&[], moves)).count();
        assert!((1..games.len()).contains(&in_sample), "{in_sample}");
    }

    #[test]
    fn no_fractions() {
        for text in ["", "0", "-0.1", "1.01", "NaN", "inf", "1%"] {
            assert_eq!(text.parse::<Fraction>(), Err(ParseFractionError), "{text}");
        }
    }
}
