//! Fingerprints of moves: a few hashes of a game, some of which are equal in games with nearly equal moves.

/// The half-moves in a row that are hashed together.
const RUN: usize = 6;
/// The half-moves of the opening key.
const OPENING: usize = 16;
/// The half-move at which the first run of the first window begins.
const FIRST_RUN: usize = 10;
/// The half-moves before which the runs of the first, second and third window begin.
const ENDS: [usize; Fingerprint::WINDOWS - 1] = [24, 40, 64];

/// Hashes of a game's moves: a hash of its opening, and for each of four stretches of the game the least hash of six
/// moves in a row.
///
/// Games that differ in a move or two share the hashes of the other stretches, whatever the order in which the six
/// moves are played. Zero stands for a stretch that the game does not reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint {
    /// The hash of the first 16 half-moves, or of all half-moves of a shorter game.
    pub(super) opening: u32,
    /// The least hash in each stretch of the game.
    pub(super) windows: [u32; Fingerprint::WINDOWS],
}

impl Fingerprint {
    pub(super) const WINDOWS: usize = 4;
    /// The numbers of a fingerprint.
    pub const NUMBERS: usize = 1 + Fingerprint::WINDOWS;

    /// The fingerprint of the [codes](crate::board::Move::code) of a mainline.
    pub fn new(moves: impl IntoIterator<Item = u16>) -> Fingerprint {
        let mut plies = 0;
        let mut opening = 0_u32;
        // The sum does not depend on the order of the moves.
        let mut sum = 0_u32;
        // The hashes of the last half-moves, each at its number modulo the length, which is a power of two.
        let mut last = [0_u32; RUN.next_power_of_two()];
        let mask = last.len() - 1;
        let mut windows = [u32::MAX; Fingerprint::WINDOWS];
        // Rises once at each of the ends, of which there is one less than there are windows.
        let mut window = 0;

        for code in moves {
            let hash = hash(code, plies);
            sum = sum
                .wrapping_add(hash)
                .wrapping_sub(last[plies.wrapping_sub(RUN) & mask]);
            last[plies & mask] = hash;

            if plies < OPENING {
                opening = opening.wrapping_add(hash);
            }

            plies += 1;
            if plies >= RUN + FIRST_RUN {
                window += usize::from(ENDS.get(window) == Some(&(plies - RUN)));
                windows[window] = mix(sum).max(1).min(windows[window]);
            }
        }

        let reached = if plies >= RUN + FIRST_RUN {
            window + 1
        } else {
            0
        };
        windows[reached..].fill(0);

        let opening = if plies > 0 { mix(opening).max(1) } else { 0 };
        Fingerprint { opening, windows }
    }

    /// The numbers of the fingerprint, the hash of the opening first.
    pub fn numbers(self) -> [u32; Fingerprint::NUMBERS] {
        let [first, second, third, last] = self.windows;
        [self.opening, first, second, third, last]
    }

    /// The fingerprint of [`Fingerprint::numbers`].
    pub fn from_numbers([opening, windows @ ..]: [u32; Fingerprint::NUMBERS]) -> Fingerprint {
        Fingerprint { opening, windows }
    }

    /// 1 if one game stops in a window where the other goes on, so that their hashes differ in it although the moves
    /// may be equal.
    pub(super) fn unfinished(&self, other: &Fingerprint) -> u32 {
        let last = |print: &Fingerprint| print.windows.iter().rposition(|&window| window != 0);
        let (Some(mine), Some(yours)) = (last(self), last(other)) else {
            return 0;
        };

        let last_of_shorter = mine.min(yours);
        let is_different = self.windows[last_of_shorter] != other.windows[last_of_shorter];
        u32::from(is_different)
    }

    /// The number of windows in which both games have equal hashes, and the number of windows that both games have.
    pub(super) fn shared(&self, other: &Fingerprint) -> (u32, u32) {
        let mut shared = 0;
        let mut both = 0;

        for (&mine, &yours) in self.windows.iter().zip(&other.windows) {
            let have_both = mine != 0 && yours != 0;
            both += u32::from(have_both);
            shared += u32::from(have_both && mine == yours);
        }
        (shared, both)
    }
}

/// The hash of a move of one colour.
fn hash(code: u16, ply: usize) -> u32 {
    let colour = ply as u32 & 1;
    let number = u32::from(code) << 1 | colour;

    // White's null move has the number 0, whose mix would be 0.
    mix(number.wrapping_add(0x9e37_79b9))
}

/// The finisher of MurmurHash3.
const fn mix(number: u32) -> u32 {
    let number = (number ^ (number >> 16)).wrapping_mul(0x85eb_ca6b);
    let number = (number ^ (number >> 13)).wrapping_mul(0xc2b2_ae35);
    number ^ (number >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(plies: u16) -> Vec<u16> {
        (0..plies)
            .map(|ply| ply.wrapping_mul(977) % 4000 + 1)
            .collect()
    }

    #[test]
    fn numbers_and_back() {
        let print = Fingerprint::new(game(90));

        let again = Fingerprint::from_numbers(print.numbers());

        assert_eq!(again, print);
        assert!(print.windows.iter().all(|&window| window != 0));
    }

    #[test]
    fn a_slip_changes_one_window() {
        let mut other_game = game(100);
        other_game[80] = 7;
        let print = Fingerprint::new(game(100));
        let other = Fingerprint::new(other_game);

        let (shared, both) = print.shared(&other);

        assert_eq!(both, 4);
        assert!(shared >= 3, "{shared}");
    }

    #[test]
    fn moves_in_another_order_have_the_same_opening() {
        let mut other = game(30);
        other.swap(2, 6);
        assert_eq!(
            Fingerprint::new(game(30)).opening,
            Fingerprint::new(other).opening
        );
    }

    /// All runs of a game side by side.
    fn naive(moves: &[u16]) -> Fingerprint {
        let hashes: Vec<u32> = moves
            .iter()
            .enumerate()
            .map(|(ply, &code)| hash(code, ply))
            .collect();
        let sum = |part: &[u32]| part.iter().fold(0_u32, |sum, &hash| sum.wrapping_add(hash));
        let runs: Vec<u32> = hashes
            .windows(RUN)
            .map(|run| mix(sum(run)).max(1))
            .collect();
        let window = |from: usize, to: usize| {
            runs.iter()
                .take(to)
                .skip(from)
                .copied()
                .min()
                .unwrap_or_default()
        };
        let opening = hashes.get(..OPENING).unwrap_or(&hashes);
        Fingerprint {
            opening: if opening.is_empty() {
                0
            } else {
                mix(sum(opening)).max(1)
            },
            windows: [
                window(10, 24),
                window(24, 40),
                window(40, 64),
                window(64, usize::MAX),
            ],
        }
    }

    #[test]
    fn as_all_runs_say() {
        for plies in 0..120 {
            assert_eq!(
                Fingerprint::new(game(plies)),
                naive(&game(plies)),
                "{plies}"
            );
        }
    }

    #[test]
    fn short_games_have_no_windows() {
        let short = Fingerprint::new(game(15));
        assert_eq!(short.windows, [0; Fingerprint::WINDOWS]);

        // The opening tells them apart.
        let shorter = Fingerprint::new(game(14));
        assert_ne!(short, shorter);

        let empty = Fingerprint::new(game(0));
        assert_eq!(empty, Fingerprint::default());
    }
}
