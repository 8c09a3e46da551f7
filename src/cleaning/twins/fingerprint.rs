//! A few bytes of a game's moves that games with nearly the same moves share.

/// How many half-moves in a row are hashed together.
const RUN: usize = 6;
/// The half-moves of the opening key.
const OPENING: usize = 16;
/// Where the runs begin of which each window keeps the least hash.
const WINDOWS: [(usize, usize); Fingerprint::WINDOWS] =
    [(10, 24), (24, 40), (40, 64), (64, usize::MAX)];

/// Hashes of a game's moves: one of its opening, and for each of four stretches of the game the least hash of six moves in
/// a row.
///
/// Games that differ in a move or two share the hashes of the stretches where they do not, whatever the order in
/// which the six moves are played. Zero stands for a stretch that the game does not reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    pub(super) opening: u32,
    pub(super) windows: [u32; Fingerprint::WINDOWS],
}

impl Fingerprint {
    pub(super) const WINDOWS: usize = 4;
    /// How many bytes are stored for a game.
    pub const BYTES: usize = 20;

    /// Of the [codes](crate::board::Move::code) of a mainline.
    pub fn new(moves: &[u16]) -> Fingerprint {
        let hashes: Vec<u32> =
            moves.iter().enumerate().map(|(ply, &code)| hash(code, ply)).collect();
        let sum = |part: &[u32]| part.iter().fold(0_u32, |sum, &hash| sum.wrapping_add(hash));
        let mut print = Fingerprint::default();
        if let Some(opening) = hashes.get(..OPENING) {
            print.opening = mix(sum(opening)).max(1);
        }
        let runs: Vec<u32> = hashes.windows(RUN).map(|run| mix(sum(run))).collect();
        for (window, (from, to)) in print.windows.iter_mut().zip(WINDOWS) {
            let within = runs.get(from..to.min(runs.len())).unwrap_or_default();
            *window = within.iter().copied().min().map_or(0, |least| least.max(1));
        }
        print
    }

    /// As it is stored: little-endian, the opening first.
    pub fn to_bytes(self) -> [u8; Fingerprint::BYTES] {
        let mut bytes = [0; Fingerprint::BYTES];
        let numbers = [self.opening].into_iter().chain(self.windows);
        for (part, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            part.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    /// From what is stored.
    pub fn from_bytes(bytes: [u8; Fingerprint::BYTES]) -> Fingerprint {
        let mut numbers = bytes.as_chunks::<4>().0.iter().map(|part| u32::from_le_bytes(*part));
        let mut next = || numbers.next().unwrap_or_default();
        Fingerprint { opening: next(), windows: std::array::from_fn(|_| next()) }
    }

    /// In how many windows both have the same hash, and how many both have.
    pub(super) fn shared(&self, other: &Fingerprint) -> (u32, u32) {
        let both = || self.windows.iter().zip(&other.windows).filter(|(a, b)| **a != 0 && **b != 0);
        (both().filter(|(a, b)| a == b).count() as u32, both().count() as u32)
    }
}

/// A move of one colour as a number.
fn hash(code: u16, ply: usize) -> u32 {
    mix((u32::from(code) << 1 | (ply as u32 & 1)).wrapping_add(0x9e37_79b9))
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
        (0..plies).map(|ply| ply.wrapping_mul(977) % 4000 + 1).collect()
    }

    #[test]
    fn bytes_and_back() {
        let print = Fingerprint::new(&game(90));
        assert_eq!(Fingerprint::from_bytes(print.to_bytes()), print);
        assert!(print.windows.iter().all(|&window| window != 0));
    }

    #[test]
    fn a_slip_changes_one_window() {
        let mut other = game(100);
        other[80] = 7;
        let (shared, both) = Fingerprint::new(&game(100)).shared(&Fingerprint::new(&other));
        assert!(both == 4 && shared >= 3, "{shared} of {both}");
    }

    #[test]
    fn moves_in_another_order_have_the_same_opening() {
        let mut other = game(30);
        other.swap(2, 6);
        assert_eq!(Fingerprint::new(&game(30)).opening, Fingerprint::new(&other).opening);
    }

    #[test]
    fn short_games_have_no_windows() {
        assert_eq!(Fingerprint::new(&game(15)), Fingerprint::default());
    }
}
