//! The positions of some games, as a worker hands them over.

use std::ops::Range;

use super::posting::Posting;
use crate::replay::Visit;
use crate::storage::GameFacts;

/// Postings are divided by so many of the first bits of their keys.
pub(super) const BUCKET_BITS: u32 = 10;
/// The number of parts into which they are divided.
pub(super) const BUCKETS: usize = 1 << BUCKET_BITS;

/// The positions of consecutive games, on their way from a worker to a [`Run`](super::Run).
#[derive(Debug, Default)]
pub(crate) struct BatchPostings {
    postings: Vec<Posting>,
    /// Where each bucket begins, once [`BatchPostings::divide`] has been called.
    starts: Vec<u32>,
    pub(super) facts: Vec<GameFacts>,
}

impl BatchPostings {
    /// With room for so many postings.
    pub(crate) fn with_capacity(postings: usize) -> BatchPostings {
        BatchPostings { postings: Vec::with_capacity(postings), ..BatchPostings::default() }
    }

    /// Adds the positions of the next game.
    pub(crate) fn push_game(&mut self, visits: &[Visit], facts: GameFacts) {
        let game = self.facts.len() as u32;
        let posting = |visit: &Visit| Posting {
            key: visit.key.0,
            game,
            witness: visit.witness,
            next: visit.next,
        };
        self.postings.extend(visits.iter().map(posting));
        self.facts.push(facts);
    }

    /// Leaves numbers out, as those of games that are gone, so that the next game is the
    /// `number`th from 0.
    pub(crate) fn skip_to(&mut self, number: usize) {
        self.facts.resize(number.max(self.facts.len()), GameFacts::default());
    }

    /// The number of games, numbers that are left out among them.
    pub(crate) fn games(&self) -> usize {
        self.facts.len()
    }

    /// The number of postings.
    pub(crate) fn len(&self) -> usize {
        self.postings.len()
    }

    /// Sorts the postings into buckets, by counting.
    pub(crate) fn divide(&mut self) {
        let mut places = [0u32; BUCKETS];
        for posting in &self.postings {
            places[bucket(posting)] += 1;
        }
        let mut start = 0;
        for place in &mut places {
            (*place, start) = (start, start + *place);
        }
        self.starts = places.to_vec();
        self.starts.push(start);
        let mut divided = vec![Posting::default(); self.postings.len()];
        for posting in &self.postings {
            let place = &mut places[bucket(posting)];
            divided[*place as usize] = *posting;
            *place += 1;
        }
        self.postings = divided;
    }

    /// The postings of some neighbouring buckets.
    pub(super) fn buckets(&self, buckets: &Range<usize>) -> &[Posting] {
        let bound = |bucket: usize| self.starts.get(bucket).copied().unwrap_or(0) as usize;
        &self.postings[bound(buckets.start)..bound(buckets.end)]
    }
}

#[inline]
fn bucket(posting: &Posting) -> usize {
    (posting.key >> (u64::BITS - BUCKET_BITS)) as usize
}
