//! Aligns the moves of two games, with slips, insertions and omissions between them.

/// The shorter of two games aligned with the beginning of the longer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alignment {
    /// Half-moves until the first difference.
    pub prefix: usize,
    /// Half-moves that are changed, left out or added until the shorter game ends.
    pub edits: usize,
    /// Half-moves of the shorter game.
    pub shorter: usize,
    /// Half-moves of the longer game.
    pub longer: usize,
}

impl Alignment {
    /// Half-moves of the shorter game that are in the longer one, at least.
    pub fn matched(self) -> usize {
        self.shorter.saturating_sub(self.edits)
    }
}

/// Aligns the moves of two games; `None` if more than `max_edits` are needed.
///
/// ```
/// use stamma::cleaning::twins::align;
/// let found = align(&[1, 2, 3, 9, 5], &[1, 2, 3, 4, 5, 6, 7], 2).expect("one slip");
/// assert_eq!((found.prefix, found.edits), (3, 1));
/// assert_eq!(align(&[1, 2, 3], &[4, 5, 6], 2), None);
/// ```
pub fn align(a: &[u16], b: &[u16], max_edits: usize) -> Option<Alignment> {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let equal_moves = short.iter().zip(long).take_while(|(a, b)| a == b);
    let prefix = equal_moves.count();

    // The common beginning needs no matrix.
    let rest_of_short = short.get(prefix..)?;
    let rest_of_long = long.get(prefix..)?;
    let edits = edits(rest_of_short, rest_of_long, max_edits)?;
    Some(Alignment {
        prefix,
        edits,
        shorter: short.len(),
        longer: long.len(),
    })
}

/// The fewest edits, by the furthest points that are reached on each diagonal (Ukkonen, *Algorithms for Approximate
/// String Matching*, 1985).
///
/// A row is a half-move of the shorter game. A diagonal is the number of a half-move of the longer game minus its row,
/// plus `center`, so that it is an index.
fn edits(short: &[u16], long: &[u16], max_edits: usize) -> Option<usize> {
    const NEVER: isize = isize::MIN / 2;
    // One diagonal more at each end, which is never reached.
    let width = 2 * max_edits + 3;
    let center = max_edits as isize + 1;
    let mut reached = vec![NEVER; width];

    for edits in 0..=max_edits {
        let before = reached.clone();
        let row_before = |diagonal: isize| before.get(diagonal as usize).copied().unwrap_or(NEVER);

        for diagonal in center - edits as isize..=center + edits as isize {
            let begun = if edits == 0 {
                0
            } else {
                let changed = row_before(diagonal) + 1;
                let added = row_before(diagonal - 1);
                let left_out = row_before(diagonal + 1) + 1;
                changed.max(added).max(left_out)
            };

            let offset = diagonal - center;
            let mut row = begun
                .min(short.len() as isize)
                .min(long.len() as isize - offset);
            if row < 0 || row + offset < 0 {
                continue;
            }

            while let (Some(mine), Some(yours)) =
                (short.get(row as usize), long.get((row + offset) as usize))
                && mine == yours
            {
                row += 1;
            }

            // The shorter game may end anywhere in the longer one.
            if row as usize == short.len() {
                return Some(edits);
            }
            reached[diagonal as usize] = row;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of Wagner and Fischer, with the end of the longer game for free.
    fn naive(short: &[u16], long: &[u16]) -> usize {
        let mut row: Vec<usize> = (0..=long.len()).collect();
        for (i, mine) in short.iter().enumerate() {
            let mut next = vec![i + 1];
            for (j, yours) in long.iter().enumerate() {
                let substituted = row[j] + usize::from(mine != yours);
                let deleted = row[j + 1] + 1;
                let inserted = next[j] + 1;
                next.push(substituted.min(deleted).min(inserted));
            }
            row = next;
        }

        // The longer game may go on.
        row.into_iter().min().expect("a row")
    }

    proptest::proptest! {
        #[test]
        fn as_the_table_says(a in proptest::collection::vec(0_u16..4, 0..24), b in proptest::collection::vec(0_u16..4, 0..24)) {
            let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
            let expected = naive(short, long);

            // No more than 24 edits can be needed.
            let edits = align(&a, &b, 40).map(|alignment| alignment.edits);
            proptest::prop_assert_eq!(edits, Some(expected));
            if expected > 0 {
                proptest::prop_assert_eq!(align(&a, &b, expected - 1), None);
            }
        }
    }
}
