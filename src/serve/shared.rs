//! A value that is read once for all answers, even if several answers need it at the same time.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::budget::Budget;
use super::locks::lock;
use stamma::error::{Error, Result};

/// The time that an answer waits for the value before it checks its own budget.
const PAUSE: Duration = Duration::from_millis(20);

/// A value that is read once.
#[derive(Debug)]
pub(super) struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
enum State<T> {
    Missing,
    /// An answer reads it, without holding the lock.
    BeingRead,
    Ready(Arc<T>),
}

impl<T> Default for Shared<T> {
    fn default() -> Shared<T> {
        Shared {
            state: Mutex::new(State::Missing),
            changed: Condvar::new(),
        }
    }
}

impl<T> Shared<T> {
    /// The value. If it is missing, it is read at the cost of this answer's budget. If another answer reads it, this
    /// answer waits.
    ///
    /// # Errors
    /// The errors of `read`, after which the next answer reads again; and an interruption when this answer's budget is
    /// over while it waits.
    pub(super) fn get(&self, budget: &Budget, read: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        let mut state = lock(&self.state);
        loop {
            match &*state {
                State::Ready(value) => return Ok(Arc::clone(value)),
                State::Missing => break,
                State::BeingRead if budget.is_over() => return Err(Error::Interrupted),
                State::BeingRead => {
                    // A client that has gone is noticed without a notification, so the wait is short.
                    let waited = self.changed.wait_timeout(state, PAUSE);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }

        *state = State::BeingRead;
        drop(state);

        // Until it is replaced, the outcome of a failure or a panic is that the value is missing.
        let mut reading = Reading {
            shared: self,
            outcome: State::Missing,
        };
        let value = Arc::new(budget.work_for_all(read)?);
        reading.outcome = State::Ready(Arc::clone(&value));
        Ok(value)
    }
}

/// Sets the state when it is dropped, also after a failure or a panic, and wakes the answers that wait.
struct Reading<'s, T> {
    shared: &'s Shared<T>,
    outcome: State<T>,
}

impl<T> Drop for Reading<'_, T> {
    fn drop(&mut self) {
        *lock(&self.shared.state) = std::mem::replace(&mut self.outcome, State::Missing);
        self.shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    fn is_interrupted<T>(result: Result<T>) -> bool {
        matches!(result, Err(Error::Interrupted))
    }

    #[test]
    fn an_answer_that_waits_gives_up_by_its_own_budget() {
        let shared = Shared::default();
        let (begun, has_begun) = channel();
        let (go_on, may_go_on) = channel();

        thread::scope(|threads| {
            let shared = &shared;
            let reader = threads.spawn(move || {
                shared.get(&Budget::new(), || {
                    begun.send(()).expect("a receiver");
                    may_go_on.recv().expect("a sender");
                    Ok(7)
                })
            });
            has_begun.recv().expect("a reader");

            // The client of this answer has gone.
            let gone = Budget::new();
            gone.cancel();
            let given_up = shared.get(&gone, || unreachable!("it is being read"));
            assert!(is_interrupted(given_up));

            // The client of this answer is still there.
            let waiting =
                threads.spawn(|| shared.get(&Budget::new(), || unreachable!("it is being read")));
            go_on.send(()).expect("a reader");
            let read = [reader, waiting].map(|thread| thread.join().expect("no panic"));
            assert_eq!(read.map(|value| *value.expect("a value")), [7, 7]);
        });

        let read = shared.get(&Budget::new(), || unreachable!("it is there"));
        assert_eq!(*read.expect("a value"), 7);
    }

    #[test]
    fn a_read_goes_on_when_its_client_has_gone() {
        let shared = Shared::default();
        let budget = Budget::new();

        let read = shared.get(&budget, || {
            budget.cancel();
            if budget.is_over() {
                Err(Error::Interrupted)
            } else {
                Ok(7)
            }
        });

        assert_eq!(*read.expect("a value"), 7);
        assert!(budget.is_over());
    }

    #[test]
    fn a_read_that_fails_is_begun_again() {
        let shared = Shared::default();

        let failed = shared.get(&Budget::new(), || Err(Error::Interrupted));
        let read_again = shared.get(&Budget::new(), || Ok(7));

        assert!(is_interrupted(failed));
        assert_eq!(*read_again.expect("a value"), 7);
    }
}
