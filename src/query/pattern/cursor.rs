//! A lazy cursor over the games in which a pattern matches.

use std::vec::IntoIter;

use super::position_query::PositionQuery;
use super::rows::Candidate;
use super::scan::PatternHit;

/// The number of games in the first batch. Each further batch is `GROWTH` times larger, so that all threads have work
/// when many matches are wanted.
const FIRST_GAMES: usize = 256;
const GROWTH: usize = 4;

/// Candidates by number, and the matches found among them.
#[derive(Debug)]
pub(crate) struct PatternCursor {
    pattern: PositionQuery,
    candidates: IntoIter<Candidate>,
    batch_size: usize,
    found: IntoIter<PatternHit>,
}

impl PatternCursor {
    pub(crate) fn new(pattern: PositionQuery, candidates: Vec<Candidate>) -> PatternCursor {
        PatternCursor {
            pattern,
            candidates: candidates.into_iter(),
            batch_size: FIRST_GAMES,
            found: Vec::new().into_iter(),
        }
    }

    /// The next match; `scan` searches a batch of candidates.
    pub(crate) fn next<E>(
        &mut self,
        mut scan: impl FnMut(&PositionQuery, IntoIter<Candidate>) -> Result<Vec<PatternHit>, E>,
    ) -> Result<Option<PatternHit>, E> {
        loop {
            if let Some(found) = self.found.next() {
                return Ok(Some(found));
            }
            if self.candidates.as_slice().is_empty() {
                return Ok(None);
            }

            let batch: Vec<Candidate> = self.candidates.by_ref().take(self.batch_size).collect();
            self.found = scan(&self.pattern, batch.into_iter())?.into_iter();
            self.batch_size = self.batch_size.saturating_mul(GROWTH);
        }
    }

    /// All remaining candidates, for one scan.
    pub(crate) fn into_candidates(self) -> (PositionQuery, IntoIter<Candidate>) {
        (self.pattern, self.candidates)
    }
}
