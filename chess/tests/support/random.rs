//! A deterministic pseudo-random generator.

/// A sequence of numbers (64-bit xorshift), determined by its seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// A number from 0 to one less than the bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // A step of Marsaglia's xorshift, of which the upper half is used.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;

        let upper_half = (self.0 >> 32) as usize;
        upper_half % bound
    }

    /// Returns `true` once in `times` times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One element of a slice, which must not be empty.
    pub(crate) fn choose<'t, T>(&mut self, among: &'t [T]) -> &'t T {
        &among[self.below(among.len())]
    }
}
