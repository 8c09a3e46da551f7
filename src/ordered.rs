//! The scheduler: parallel work on all threads, with results in the order of the items.
//!
//! [`ordered`] and [`ordered_by_weight`] read the items on a separate thread, so that reading may be slow.
//! [`ordered_here`] reads the items on the thread that also takes the results, for items that must stay on one thread.

use std::collections::VecDeque;
use std::panic;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::threads;

/// Processes items on all threads of the current rayon pool, and passes the results to `sink` on this thread, in the
/// order of the items. At most `limit` items are in progress or waiting. A thread of the pool works on items too while
/// it waits for a result.
///
/// # Errors
/// The first error of `sink`; no further item is started then.
///
/// # Panics
/// If `items` or `work` panics, with that panic.
pub(crate) fn ordered<T, R, E>(
    items: impl Iterator<Item = T> + Send,
    limit: usize,
    work: impl Fn(T) -> R + Sync,
    sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    T: Send,
    R: Send,
{
    ordered_by_weight(items, limit, |_| 1, work, sink)
}

/// Like [`ordered`], for items of different sizes.
///
/// Items with a total weight of at most `limit` are in progress or waiting, which bounds memory. A heavier item is
/// processed alone. The items are read on a separate thread, so that reading may be slow.
///
/// # Errors
/// The first error of `sink`; no further item is started then.
///
/// # Panics
/// If `items` or `work` panics, with that panic.
pub(crate) fn ordered_by_weight<T, R, E>(
    items: impl Iterator<Item = T> + Send,
    limit: usize,
    weight: impl Fn(&T) -> usize + Send,
    work: impl Fn(T) -> R + Sync,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    T: Send,
    R: Send,
{
    let queue = &Queue::new();
    let work = &work;

    // The scope begins on this thread to use this thread's pool. A new thread would use rayon's global pool.
    threads::in_place_scope(|pool| {
        thread::scope(|scope| {
            let end = EndOnDrop(queue);
            let adding = scope.spawn(move || {
                let _close = CloseOnDrop(queue);
                for item in items {
                    // An item heavier than the limit counts as the limit, and so is processed alone.
                    let weight = weight(&item).clamp(1, limit);
                    let Some(slot) = queue.add(weight, limit) else {
                        break;
                    };
                    pool.spawn(move |_| slot.fill(|| work(item)));
                }
            });

            let result = queue.pass_results(&mut sink);

            // No result is taken any more, so the thread that adds items would wait for room forever.
            drop(end);
            // The scope would replace the payload of the panic by a payload without the reason.
            if let Err(reason) = adding.join() {
                panic::resume_unwind(reason);
            }
            result
        })
    })
}

/// Like [`ordered`], for items that only this thread can produce.
///
/// This thread takes the next item whenever fewer than `limit` items are in progress, and the results in between. A
/// thread of the pool does all the work alone, because it must not wait for the others.
///
/// # Errors
/// The first error of `items` or `sink`; no further item is started then.
///
/// # Panics
/// If `work` panics.
pub(crate) fn ordered_here<T, R, E>(
    mut items: impl Iterator<Item = Result<T, E>>,
    limit: usize,
    work: impl Fn(T) -> R + Sync,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    T: Send,
    R: Send,
{
    let queue = &Queue::new();
    let is_alone = threads::is_one();
    let work = &work;

    threads::in_place_scope(|pool| {
        // After an error or a panic, nobody needs the results that are still in progress.
        let _end = EndOnDrop(queue);

        loop {
            while queue.len() >= limit {
                let Some(taken) = queue.take() else {
                    return Ok(());
                };
                sink(taken.result)?;
            }

            let Some(item) = items.next().transpose()? else {
                break;
            };
            // Without a weight, `add` does not wait for room, which only this thread could make.
            let Some(slot) = queue.add(0, limit) else {
                break;
            };

            if is_alone {
                slot.fill(|| work(item));
            } else {
                pool.spawn(move |_| slot.fill(|| work(item)));
            }
        }

        queue.close();
        while let Some(taken) = queue.take() {
            sink(taken.result)?;
        }
        Ok(())
    })
}

/// Results on their way from the threads that work to the thread that takes them, in the order of the items.
struct Queue<R> {
    state: Mutex<State<R>>,
    /// Signalled when `state` changes: at most one thread waits to add an item, and one to take a result.
    changed: Condvar,
}

struct State<R> {
    /// The items that were added and whose results are not taken yet, in order.
    pending: VecDeque<Pending<R>>,
    /// The number of results taken, which is the number of the first pending item.
    taken: usize,
    /// The number of pending items whose work has not begun.
    waiting_to_begin: usize,
    /// The weight of the items whose results are pending or in the sink.
    weight: usize,
    /// `true` once no further item will be added.
    is_closed: bool,
    /// `true` once no further result will be taken.
    is_over: bool,
}

struct Pending<R> {
    weight: usize,
    progress: Progress<R>,
}

enum Progress<R> {
    Working,
    Done(R),
    /// The work has panicked, or was not begun because nobody needs the result.
    Lost,
}

/// A result that leaves the queue.
struct Taken<R> {
    result: R,
    weight: usize,
}

impl<R> State<R> {
    /// Returns `true` if the next result is not there yet, but may come.
    fn must_wait(&self) -> bool {
        match self.pending.front() {
            Some(first) => matches!(first.progress, Progress::Working),
            None => !self.is_closed,
        }
    }
}

impl<R> Queue<R> {
    fn new() -> Queue<R> {
        let state = State {
            pending: VecDeque::new(),
            taken: 0,
            waiting_to_begin: 0,
            weight: 0,
            is_closed: false,
            is_over: false,
        };

        Queue {
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<R>> {
        // Nothing panics while the state is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of items whose results are not taken yet.
    fn len(&self) -> usize {
        self.lock().pending.len()
    }

    /// Waits until there is room for an item of a weight, and adds it; `None` if no result will be taken any more.
    fn add(&self, weight: usize, limit: usize) -> Option<ResultSlot<'_, R>> {
        let has_no_room = |state: &mut State<R>| !state.is_over && state.weight + weight > limit;
        let waited = self.changed.wait_while(self.lock(), has_no_room);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.is_over {
            return None;
        }

        let number = state.taken + state.pending.len();
        state.weight += weight;
        state.waiting_to_begin += 1;
        state.pending.push_back(Pending {
            weight,
            progress: Progress::Working,
        });
        drop(state);

        // A thread of the pool that waits for a result can now work on this item.
        self.changed.notify_all();
        Some(ResultSlot {
            queue: self,
            number,
            result: None,
        })
    }

    /// Waits for the next result; `None` at the end, or if the work on the next item has panicked. After a panic, the
    /// scope panics on this thread as well, once all its tasks have ended.
    fn take(&self) -> Option<Taken<R>> {
        let mut state = self.lock();
        while state.must_wait() {
            // If all threads of the pool waited, nobody would do the work that they wait for.
            if state.waiting_to_begin > 0 && threads::is_one() {
                drop(state);
                rayon::yield_now();
                state = self.lock();
            } else {
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
        }

        let Pending { weight, progress } = state.pending.pop_front()?;
        state.taken += 1;

        match progress {
            Progress::Done(result) => Some(Taken { result, weight }),
            Progress::Working | Progress::Lost => None,
        }
    }

    /// Passes all results to `sink` in the order of the items, and makes room for an item after each result.
    fn pass_results<E>(&self, sink: &mut impl FnMut(R) -> Result<(), E>) -> Result<(), E> {
        while let Some(taken) = self.take() {
            sink(taken.result)?;
            self.release(taken.weight);
        }
        Ok(())
    }

    /// Makes room after the result of an item has left the sink.
    fn release(&self, weight: usize) {
        self.lock().weight -= weight;
        self.changed.notify_all();
    }

    /// Declares that no further item will be added.
    fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Declares that no further result will be taken.
    fn end(&self) {
        self.lock().is_over = true;
        self.changed.notify_all();
    }
}

/// The place of a result in the queue, which is filled even if the work panics, because the other thread waits for it.
struct ResultSlot<'q, R> {
    queue: &'q Queue<R>,
    /// The number of the item, from 0.
    number: usize,
    result: Option<R>,
}

impl<R> ResultSlot<'_, R> {
    /// Does the work, unless the result is no longer needed.
    fn fill(mut self, work: impl FnOnce() -> R) {
        let mut state = self.queue.lock();
        state.waiting_to_begin -= 1;
        let is_over = state.is_over;
        drop(state);

        if !is_over {
            self.result = Some(work());
        }
    }
}

impl<R> Drop for ResultSlot<'_, R> {
    fn drop(&mut self) {
        let progress = match self.result.take() {
            Some(result) => Progress::Done(result),
            None => Progress::Lost,
        };

        // Items leave the queue in order, so the number of results taken is the number of the first pending item.
        let mut state = self.queue.lock();
        let at = self.number - state.taken;
        state.pending[at].progress = progress;
        drop(state);

        self.queue.changed.notify_all();
    }
}

/// Closes a queue even if the thread that adds items panics.
struct CloseOnDrop<'q, R>(&'q Queue<R>);

impl<R> Drop for CloseOnDrop<'_, R> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Ends a queue even if the thread that takes results fails or panics.
struct EndOnDrop<'q, R>(&'q Queue<R>);

impl<R> Drop for EndOnDrop<'_, R> {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_order() {
        let mut seen = Vec::new();
        let sink = |square| {
            seen.push(square);
            Ok::<(), ()>(())
        };

        let weight = |n: &u64| *n as usize;
        let done = ordered_by_weight(0..50, 7, weight, slow_square, sink);

        assert_eq!(done, Ok(()));
        let squares: Vec<u64> = (0..50).map(|n| n * n).collect();
        assert_eq!(seen, squares);
    }

    /// The square of a number; the first numbers take the longest.
    fn slow_square(n: u64) -> u64 {
        thread::sleep(Duration::from_millis(20 - n.min(20)));
        n * n
    }

    #[test]
    fn an_error_ends_the_run() {
        let sink = |n| if n == 3 { Err("three") } else { Ok(()) };
        assert_eq!(ordered(0.., 4, |n: u64| n, sink), Err("three"));
    }

    #[test]
    fn items_of_this_thread_come_in_order() {
        let mut given = 0;
        let items = std::iter::from_fn(|| {
            given += 1;
            (given <= 50).then_some(Ok::<u64, ()>(given))
        });
        let mut seen = Vec::new();
        let sink = |square| {
            seen.push(square);
            Ok(())
        };

        let done = ordered_here(items, 7, slow_square, sink);

        assert_eq!(done, Ok(()));
        let squares: Vec<u64> = (1..=50).map(|n| n * n).collect();
        assert_eq!(seen, squares);
    }

    #[test]
    fn items_of_this_thread_end_with_an_error() {
        let items = |wrong: u64| (0_u64..).map(move |n| if n == wrong { Err(n) } else { Ok(n) });
        let sink = |n: u64| if n == 30 { Err(n) } else { Ok(()) };

        let error_of_sink = ordered_here(items(u64::MAX), 4, |n| n, sink);
        assert_eq!(error_of_sink, Err(30));

        let error_of_items = ordered_here(items(9), 4, |n| n, sink);
        assert_eq!(error_of_items, Err(9));
    }

    #[test]
    fn a_thread_of_the_pool_works_alone() {
        let sum = threads::install(|| {
            let mut sum = 0;
            let sink = |n: u64| {
                sum += n;
                Ok::<(), ()>(())
            };
            let done = rayon::scope(|_| ordered_here((0..100).map(Ok), 4, |n| n, sink));
            (done, sum)
        });
        assert_eq!(sum, (Ok(()), 4950));
    }

    #[test]
    #[should_panic(expected = "three")]
    fn a_panic_ends_items_of_this_thread() {
        let work = |n: u64| assert_ne!(n, 3, "three");
        let _ = ordered_here((0..).map(Ok::<u64, ()>), 4, work, |()| Ok(()));
    }

    #[test]
    #[should_panic(expected = "three")]
    fn a_panic_ends_the_run() {
        let work = |n: u64| assert_ne!(n, 3, "three");
        let _ = ordered(0.., 4, work, |()| Ok::<(), ()>(()));
    }

    #[test]
    #[should_panic(expected = "three")]
    fn a_panic_of_the_items_ends_the_run() {
        let items = (0_u64..).inspect(|&n| assert_ne!(n, 3, "three"));
        let _ = ordered(items, 4, |n| n, |_| Ok::<(), ()>(()));
    }

    /// The sum of numbers, and the number of threads of the pool that added.
    fn sum_in_pool(numbers: u64) -> (u64, usize) {
        let work = |n: u64| (n, rayon::current_num_threads());
        let mut sum = 0;
        let mut max_threads = 0;
        let sink = |(n, threads)| {
            sum += n;
            max_threads = usize::max(max_threads, threads);
            Ok::<(), ()>(())
        };

        ordered(0..numbers, 4, work, sink).expect("the sink does not fail");
        (sum, max_threads)
    }

    #[test]
    fn threads_of_a_pool_that_wait_work_too() {
        for threads in [1, 3] {
            let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = built.expect("threads can be started");

            let sum = pool.install(|| sum_in_pool(100));
            assert_eq!(sum, (4950, threads));

            // Each thread of the pool waits for the results of a separate run.
            let sums = pool.broadcast(|_| sum_in_pool(100));
            assert_eq!(sums, vec![(4950, threads); threads]);
        }
    }
}
