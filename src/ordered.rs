//! Parallel work with results in order: the only scheduler.
//!
//! [`ordered`] and [`ordered_by_weight`] take items from a thread of their own, so that reading them may be slow;
//! [`ordered_here`] takes them on the thread that also takes the results, for items that must stay on one thread.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread;

use crate::threads;

/// Processes items on all threads of the current rayon pool, and passes the results to `sink` on this thread, in the
/// order of the items. At most `limit` items are in progress or waiting.
///
/// # Errors
/// The first error of `sink`; no further item is started then.
///
/// # Panics
/// If `work` does.
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
/// Items with a total weight of at most `limit` are in progress or waiting, which bounds memory; a heavier item is
/// processed alone. The items come from a thread of their own, which may be slow.
///
/// # Errors
/// The first error of `sink`; no further item is started then.
///
/// # Panics
/// If `work` does.
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
    let (permit, permits) = sync_channel(limit);
    for _ in 0..limit {
        // The channel has room for all of them, and its receiver lives.
        let _ = permit.send(());
    }
    let is_over = &AtomicBool::new(false);
    let work = &work;
    let (sender, mut results) = in_order();
    // The closure owns the permits, so that they end with it, and with them the feeding thread.
    thread::scope(move |scope| {
        let _end = SetOnDrop(is_over);
        scope.spawn(move || {
            threads::in_place_scope(|pool| {
                for (number, item) in items.enumerate() {
                    let weight = weight(&item).clamp(1, limit);
                    if (0..weight).any(|_| permits.recv().is_err()) {
                        break;
                    }
                    let slot = ResultSlot { sender: sender.clone(), number, weight, result: None };
                    pool.spawn(move |_| slot.fill(is_over, || work(item)));
                }
                drop(sender);
            });
        });
        while let Some((weight, result)) = results.next() {
            sink(result)?;
            for _ in 0..weight {
                let _ = permit.send(());
            }
        }
        Ok(())
    })
}

/// Like [`ordered`], for items that only this thread can produce: it takes the next one whenever fewer than `limit` are
/// in progress, and the results in between. On a thread of the pool, it does all the work alone, because it must not
/// wait for the others.
///
/// # Errors
/// The first error of `items` or `sink`; no further item is started then.
///
/// # Panics
/// If `work` does.
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
    let is_over = &AtomicBool::new(false);
    let is_alone = threads::is_one();
    let work = &work;
    let (sender, mut results) = in_order();
    threads::in_place_scope(|pool| {
        // However this ends, nobody needs the results still in progress.
        let _end = SetOnDrop(is_over);
        for number in 0.. {
            while number - results.taken >= limit {
                let Some((_, result)) = results.next() else { return Ok(()) };
                sink(result)?;
            }
            let Some(item) = items.next().transpose()? else { break };
            let slot = ResultSlot { sender: sender.clone(), number, weight: 1, result: None };
            if is_alone {
                slot.fill(is_over, || work(item))
            } else {
                pool.spawn(move |_| slot.fill(is_over, || work(item)))
            }
        }
        drop(sender);
        while let Some((_, result)) = results.next() {
            sink(result)?;
        }
        Ok(())
    })
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The number of an item, its weight, and its result, which is missing if its work has panicked.
type Numbered<R> = (usize, usize, Option<R>);

/// A slot for a result, which is sent even if the work panics, because the receiver waits for it.
struct ResultSlot<R> {
    sender: Sender<Numbered<R>>,
    number: usize,
    weight: usize,
    result: Option<R>,
}

impl<R> ResultSlot<R> {
    /// Does the work, unless the result is no longer needed.
    fn fill(mut self, is_over: &AtomicBool, work: impl FnOnce() -> R) {
        if !is_over.load(Ordering::Relaxed) {
            self.result = Some(work());
        }
    }
}

impl<R> Drop for ResultSlot<R> {
    fn drop(&mut self) {
        // The receiver is gone if the sink has failed.
        let _ = self.sender.send((self.number, self.weight, self.result.take()));
    }
}

/// Results in the order of their numbers.
struct InOrder<R> {
    results: Receiver<Numbered<R>>,
    /// Results that arrived early.
    early: BTreeMap<usize, (usize, R)>,
    /// The number of results taken.
    taken: usize,
}

fn in_order<R>() -> (Sender<Numbered<R>>, InOrder<R>) {
    let (sender, results) = channel();
    (sender, InOrder { results, early: BTreeMap::new(), taken: 0 })
}

impl<R> InOrder<R> {
    /// Waits for the next result and its weight; `None` at the end, or if a result is missing because its work has
    /// panicked; then this thread panics, too, once all threads have ended.
    fn next(&mut self) -> Option<(usize, R)> {
        loop {
            if let Some(next) = self.early.remove(&self.taken) {
                self.taken += 1;
                return Some(next);
            }
            let (number, weight, result) = self.results.recv().ok()?;
            self.early.insert(number, (weight, result?));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let mut seen = Vec::new();
        let slow_first = |n: u64| {
            thread::sleep(std::time::Duration::from_millis(20 - n.min(20)));
            n * n
        };
        let sink = |square| {
            seen.push(square);
            Ok::<(), ()>(())
        };
        ordered_by_weight(0..50, 7, |n| *n as usize, slow_first, sink)
            .expect("the sink does not fail");
        assert_eq!(seen, (0..50).map(|n| n * n).collect::<Vec<u64>>());
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
        let slow_first = |n: u64| {
            thread::sleep(std::time::Duration::from_millis(20 - n.min(20)));
            n * n
        };
        let mut seen = Vec::new();
        let sink = |square| {
            seen.push(square);
            Ok(())
        };
        assert_eq!(ordered_here(items, 7, slow_first, sink), Ok(()));
        assert_eq!(seen, (1..=50).map(|n| n * n).collect::<Vec<u64>>());
    }

    #[test]
    fn items_of_this_thread_end_with_an_error() {
        let items = |wrong: u64| (0_u64..).map(move |n| if n == wrong { Err(n) } else { Ok(n) });
        let sink = |n: u64| if n == 30 { Err(n) } else { Ok(()) };
        assert_eq!(ordered_here(items(u64::MAX), 4, |n| n, sink), Err(30));
        assert_eq!(ordered_here(items(9), 4, |n| n, sink), Err(9));
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
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_ends_the_run() {
        let work = |n: u64| assert_ne!(n, 3, "three");
        let _ = ordered(0.., 4, work, |()| Ok::<(), ()>(()));
    }
}
