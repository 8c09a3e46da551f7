//! The work that one answer may take, and its end when the client has gone.
//!
//! Work is counted, not timed: the same request takes the same share on every machine and at every load.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// The steps of SQLite's virtual machine between two looks at the budget.
pub(super) const STEPS_A_LOOK: i32 = 1000;
/// The looks of one answer: two hundred million steps.
const LOOKS: i64 = 200_000;
/// The games that are replayed at the cost of one look.
const GAMES_A_LOOK: i64 = 20;

/// What is left of the work for one answer.
#[derive(Debug)]
pub(super) struct Budget {
    looks: AtomicI64,
    replayed_looks: AtomicI64,
    is_cancelled: AtomicBool,
}

impl Budget {
    pub(super) fn new() -> Arc<Budget> {
        Arc::new(Budget {
            looks: AtomicI64::new(LOOKS),
            replayed_looks: AtomicI64::new(0),
            is_cancelled: AtomicBool::new(false),
        })
    }

    /// Takes the cost of [`STEPS_A_LOOK`] steps; returns `true` if nothing is left.
    pub(super) fn look(&self) -> bool {
        self.looks.fetch_sub(1, Ordering::Relaxed);
        self.is_over()
    }

    /// Takes the cost of games replayed, whose number so far is given.
    pub(super) fn replay(&self, games: u64) {
        let looks = games.cast_signed() / GAMES_A_LOOK;
        let before = self.replayed_looks.swap(looks, Ordering::Relaxed);
        self.looks.fetch_sub((looks - before).max(0), Ordering::Relaxed);
    }

    /// `true` if nothing is left, or nobody waits for the answer any more.
    pub(super) fn is_over(&self) -> bool {
        self.looks.load(Ordering::Relaxed) <= 0 || self.is_cancelled()
    }

    /// `true` if nobody waits for the answer any more.
    pub(super) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    pub(super) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

/// Ends the work for an answer when it is dropped, since the client has gone or the answer is there.
#[derive(Debug)]
pub(super) struct CancelOnDrop(pub(super) Arc<Budget>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replays_and_steps_are_taken_from_one_budget() {
        let budget = Budget::new();
        budget.replay((GAMES_A_LOOK * (LOOKS - 2)).cast_unsigned());
        budget.replay((GAMES_A_LOOK * (LOOKS - 2)).cast_unsigned());
        assert!(!budget.look());
        assert!(budget.look() && budget.is_over() && !budget.is_cancelled());
    }

    #[test]
    fn an_answer_that_nobody_waits_for_ends() {
        let budget = Budget::new();
        drop(CancelOnDrop(Arc::clone(&budget)));
        assert!(budget.look() && budget.is_cancelled());
    }
}
