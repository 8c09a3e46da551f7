//! Work done in parallel, results taken in order.

use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::thread;

use crate::threads;

/// Works on items on all threads of the current rayon pool, and hands the results to `sink` on this
/// thread, in the order of the items. At most `limit` items are under way or waiting.
///
/// # Errors
/// The first error of `sink`; no further item is begun then.
///
/// # Panics
/// When `work` does.
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

/// The same for items that take more memory or less.
///
/// Items of a weight of `limit` in all are under way or waiting, so memory is bounded; one that is as heavy or heavier
/// is so alone. The items come from a thread of their own, which may take its time.
///
/// # Errors
/// The first error of `sink`; no further item is begun then.
///
/// # Panics
/// When `work` does.
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
    let (sender, results) = channel();
    for _ in 0..limit {
        // The channel has room for all of them, and its receiver lives.
        let _ = permit.send(());
    }
    let work = &work;
    // The permits go into the closure, so that they end with it, and with them the feeding thread.
    thread::scope(move |scope| {
        scope.spawn(move || {
            threads::in_place_scope(|pool| {
                for (number, item) in items.enumerate() {
                    let weight = weight(&item).clamp(1, limit);
                    if (0..weight).any(|_| permits.recv().is_err()) {
                        break;
                    }
                    let sender = sender.clone();
                    pool.spawn(move |_| {
                        let mut place = Place { sender, number, weight, result: None };
                        place.result = Some(work(item));
                    });
                }
                drop(sender);
            });
        });
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (number, weight, result) in results {
            // Without a result, its work has panicked, and so does this when all threads have come to their end.
            let Some(result) = result else { break };
            early.insert(number, (weight, result));
            while let Some((weight, result)) = early.remove(&next) {
                sink(result)?;
                next += 1;
                for _ in 0..weight {
                    let _ = permit.send(());
                }
            }
        }
        Ok(())
    })
}

/// Where a result is going to stand, which is handed over whatever happens to it: somebody waits for it.
struct Place<R> {
    sender: Sender<(usize, usize, Option<R>)>,
    number: usize,
    weight: usize,
    result: Option<R>,
}

impl<R> Drop for Place<R> {
    fn drop(&mut self) {
        // Nobody listens any more when the sink has failed.
        let _ = self.sender.send((self.number, self.weight, self.result.take()));
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
    fn an_error_ends_it() {
        let sink = |n| if n == 3 { Err("three") } else { Ok(()) };
        assert_eq!(ordered(0.., 4, |n: u64| n, sink), Err("three"));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_ends_it() {
        let work = |n: u64| assert_ne!(n, 3, "three");
        let _ = ordered(0.., 4, work, |()| Ok::<(), ()>(()));
    }
}
