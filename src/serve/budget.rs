//! The work that one answer may take, and its end when the client has gone.
//!
//! Work is counted, not timed: the same request takes the same share on every machine and at every load. Only SQL of
//! users is also timed, since one step of it may take long.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The steps of SQLite's virtual machine between two looks at the budget.
pub(super) const STEPS_A_LOOK: i32 = 1000;
/// The steps between two looks for SQL of users, whose steps may take long.
pub(super) const STEPS_A_CLOSE_LOOK: i32 = 20;
/// The steps of one answer.
const STEPS: i64 = 200_000_000;
/// The steps whose cost is that of replaying a game.
const STEPS_A_GAME: i64 = 50;
/// The time that SQL of a user may take.
const TIME: Duration = Duration::from_secs(10);

/// What is left of the work for one answer.
#[derive(Debug)]
pub(super) struct Budget {
    steps: AtomicI64,
    is_cancelled: AtomicBool,
    /// The number of tasks under way whose results other answers need, too.
    for_all: AtomicUsize,
    /// When the time is over, if it is limited.
    end: OnceLock<Instant>,
}

impl Budget {
    pub(super) fn new() -> Arc<Budget> {
        Arc::new(Budget {
            steps: AtomicI64::new(STEPS),
            is_cancelled: AtomicBool::new(false),
            for_all: AtomicUsize::new(0),
            end: OnceLock::new(),
        })
    }

    /// Lets the time of this answer end, too.
    pub(super) fn limit_time(&self) {
        self.end.get_or_init(|| Instant::now() + TIME);
    }

    /// Takes some steps; returns `true` if nothing is left.
    pub(super) fn look(&self, steps: i32) -> bool {
        self.steps.fetch_sub(steps.into(), Ordering::Relaxed);
        self.is_over()
    }

    /// A count of the games that are replayed for one query.
    pub(super) fn replays(self: &Arc<Budget>) -> Replays {
        Replays {
            budget: Arc::clone(self),
            steps: Cell::new(0),
        }
    }

    /// `true` if nothing is left, or nobody waits for the answer any more, unless this is [work for
    /// all](Budget::work_for_all).
    pub(super) fn is_over(&self) -> bool {
        if self.steps.load(Ordering::Relaxed) <= 0 {
            return true;
        }
        if self.end.get().is_some_and(|end| Instant::now() >= *end) {
            return true;
        }

        let is_for_all = self.for_all.load(Ordering::Relaxed) > 0;
        self.is_cancelled() && !is_for_all
    }

    /// Does work whose result others need, too: it does not end when nobody waits for this answer any more, so that
    /// the next one need not begin it again.
    pub(super) fn work_for_all<T>(&self, work: impl FnOnce() -> T) -> T {
        self.for_all.fetch_add(1, Ordering::Relaxed);
        let done = work();
        self.for_all.fetch_sub(1, Ordering::Relaxed);
        done
    }

    /// `true` if nobody waits for the answer any more.
    pub(super) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    pub(super) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

/// The games that are replayed for one query, which take their cost from a budget.
#[derive(Debug)]
pub(super) struct Replays {
    budget: Arc<Budget>,
    steps: Cell<i64>,
}

impl Replays {
    /// Takes the cost of games from the budget; `games` is the number of all games that the query has replayed so far.
    pub(super) fn count(&self, games: u64) {
        let steps = games.cast_signed().saturating_mul(STEPS_A_GAME);
        let before = self.steps.replace(steps);
        let cost = (steps - before).max(0);
        self.budget.steps.fetch_sub(cost, Ordering::Relaxed);
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
        let games = (STEPS / STEPS_A_GAME - 40).cast_unsigned();
        let replays = budget.replays();
        replays.count(games);
        replays.count(games);
        assert!(!budget.look(STEPS_A_LOOK));
        assert!(budget.look(STEPS_A_LOOK) && budget.is_over() && !budget.is_cancelled());
    }

    #[test]
    fn an_answer_that_nobody_waits_for_ends() {
        let budget = Budget::new();
        drop(CancelOnDrop(Arc::clone(&budget)));
        assert!(budget.look(STEPS_A_LOOK) && budget.is_cancelled());
    }
}
