//! The work that one answer may take, and its end when the client has gone.
//!
//! Work is counted, not timed: a request takes an equal share on every machine and at every load. Only SQL of users is
//! also timed, since one of its steps may take long.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The number of steps of SQLite's virtual machine between two checks of the budget.
pub(super) const STEPS_PER_CHECK: i32 = 1000;
/// The number of steps between two checks for SQL of users, whose steps may take long.
pub(super) const STEPS_PER_CLOSE_CHECK: i32 = 20;
/// The maximum number of steps of one answer.
const MAX_STEPS: i64 = 200_000_000;
/// The cost of the replay of a game, in steps.
const STEPS_PER_GAME: i64 = 50;
/// The maximum time of SQL of a user.
const MAX_SQL_TIME: Duration = Duration::from_secs(10);

/// The rest of the work that one answer may take.
#[derive(Debug)]
pub(super) struct Budget {
    steps: AtomicI64,
    is_cancelled: AtomicBool,
    /// The number of tasks under way whose results other answers need, too.
    for_all: AtomicUsize,
    /// The time at which the budget is over; unset without a time limit.
    end: OnceLock<Instant>,
}

impl Budget {
    pub(super) fn new() -> Arc<Budget> {
        Arc::new(Budget {
            steps: AtomicI64::new(MAX_STEPS),
            is_cancelled: AtomicBool::new(false),
            for_all: AtomicUsize::new(0),
            end: OnceLock::new(),
        })
    }

    /// Also limits the time of this answer. The time begins with the first call.
    pub(super) fn limit_time(&self) {
        self.end.get_or_init(|| Instant::now() + MAX_SQL_TIME);
    }

    /// Subtracts steps; returns `true` if the budget is over.
    pub(super) fn spend(&self, steps: i32) -> bool {
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

    /// `true` if no work or no time is left. Also `true` if nobody waits for the answer any more, except during [work
    /// for all](Budget::work_for_all).
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

    /// Does work whose result other answers need, too. The work is not cancelled when nobody waits for this answer any
    /// more, so the next answer need not begin it again.
    pub(super) fn work_for_all<T>(&self, work: impl FnOnce() -> T) -> T {
        // Databases are read in parallel at the cost of one budget, so several tasks may be under way.
        self.for_all.fetch_add(1, Ordering::Relaxed);
        let result = work();
        self.for_all.fetch_sub(1, Ordering::Relaxed);
        result
    }

    /// `true` if nobody waits for the answer any more.
    pub(super) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    pub(super) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

/// A count of the games that are replayed for one query, at the cost of a budget.
#[derive(Debug)]
pub(super) struct Replays {
    budget: Arc<Budget>,
    steps: Cell<i64>,
}

impl Replays {
    /// Subtracts the cost of games from the budget. `games` is the number of all games that the query has replayed so
    /// far.
    pub(super) fn count(&self, games: u64) {
        let steps = games.cast_signed().saturating_mul(STEPS_PER_GAME);
        let before = self.steps.replace(steps);

        // Only the games since the last call are new.
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

        // 40 games of 50 steps leave 2,000 steps, which are two checks.
        let games = (MAX_STEPS / STEPS_PER_GAME - 40).cast_unsigned();
        let replays = budget.replays();
        replays.count(games);
        replays.count(games);

        assert!(!budget.spend(STEPS_PER_CHECK));
        assert!(budget.spend(STEPS_PER_CHECK));
        assert!(budget.is_over());
        assert!(!budget.is_cancelled());
    }

    #[test]
    fn an_answer_that_nobody_waits_for_ends() {
        let budget = Budget::new();

        drop(CancelOnDrop(Arc::clone(&budget)));

        assert!(budget.spend(STEPS_PER_CHECK));
        assert!(budget.is_cancelled());
    }
}
