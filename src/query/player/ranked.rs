//! Lists truncated to their first rows.

use super::score::PlayerScore;

/// The first rows of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked<K> {
    /// The keys, each with its score.
    pub rows: Vec<(K, PlayerScore)>,
    /// The number of rows before the cut.
    pub all: usize,
}

impl<K> Default for Ranked<K> {
    /// An empty list.
    fn default() -> Ranked<K> {
        Ranked {
            rows: Vec::new(),
            all: 0,
        }
    }
}

impl<K> Ranked<K> {
    /// The rows with other keys: each key is replaced by the result of `name`.
    pub(super) fn try_map<L>(
        self,
        name: impl Fn(K) -> rusqlite::Result<L>,
    ) -> rusqlite::Result<Ranked<L>> {
        let mut rows = Vec::with_capacity(self.rows.len());
        for (key, score) in self.rows {
            rows.push((name(key)?, score));
        }
        Ok(Ranked {
            rows,
            all: self.all,
        })
    }
}
