//! Disjoint sets of indexes, which grow together pair by pair.

/// A forest of indexes. Each tree is a set, which its root names.
#[derive(Clone, Debug)]
pub(super) struct DisjointSets {
    /// The parent of each index; a root is its own parent.
    parents: Vec<u32>,
}

impl DisjointSets {
    /// Sets of one index each, for the indexes below `count`. Indexes beyond 32 bits have no set.
    pub(super) fn new(count: usize) -> DisjointSets {
        let count = count.min(u32::MAX as usize) as u32;
        DisjointSets {
            parents: (0..count).collect(),
        }
    }

    /// All indexes, in ascending order.
    pub(super) fn indexes(&self) -> std::ops::Range<u32> {
        0..self.parents.len() as u32
    }

    /// The root of the set of an index.
    ///
    /// # Panics
    /// If the index is not below the count.
    pub(super) fn root(&mut self, index: u32) -> u32 {
        let mut at = index;
        loop {
            let parent = self.parents[at as usize];
            if parent == at {
                return at;
            }

            // Halves the path for the next look-up.
            let next = self.parents[parent as usize];
            self.parents[at as usize] = next;
            at = next;
        }
    }

    /// Adds the set of a root to the set of another root, which stays the root of both.
    pub(super) fn attach(&mut self, root: u32, to: u32) {
        self.parents[root as usize] = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attached_sets_have_one_root() {
        let mut sets = DisjointSets::new(5);
        sets.attach(1, 0);
        sets.attach(3, 2);
        sets.attach(2, 0);

        let roots: Vec<u32> = sets.indexes().map(|index| sets.root(index)).collect();

        assert_eq!(roots, [0, 0, 0, 0, 4]);
    }
}
