//! The threads that share work: rayon's pool, and another one in a process that was forked.
//!
//! A fork copies the memory of a process and one of its threads. A pool that was started before the fork has no thread
//! in the child, which would wait for it forever. So the process that first asks for threads is noted, and every other
//! process starts a pool of its own. No lock is used, since a fork may copy one that is held.

use std::cell::RefCell;
use std::mem;
use std::process;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

/// The process whose threads are those of rayon's own pool; 0, which no program has, before the first asks.
static FIRST_PROCESS: AtomicU32 = AtomicU32::new(0);

/// The pool of a process that was forked.
#[derive(Clone)]
struct ForkedPool {
    process: u32,
    threads: Rc<ThreadPool>,
}

thread_local! {
    /// That of the thread that asks: one that all threads shared would need a lock.
    static FORKED_POOL: RefCell<Option<ForkedPool>> = const { RefCell::new(None) };
}

/// How many threads there are.
pub(crate) fn count() -> usize {
    forked_pool().map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads())
}

/// `true` on one of these threads, which may not wait for the others.
pub(crate) fn is_one() -> bool {
    rayon::current_thread_index().is_some()
}

/// Carries out work that uses rayon's parallel iterators.
pub(crate) fn install<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match forked_pool() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Carries out work on this thread that spawns tasks for the others, and waits for them.
pub(crate) fn in_place_scope<'s, R>(work: impl FnOnce(&Scope<'s>) -> R) -> R {
    match forked_pool() {
        Some(pool) => pool.in_place_scope(work),
        None => rayon::in_place_scope(work),
    }
}

/// The pool of this process, if its parent had started that of rayon; nothing where that cannot be started, so that
/// the threads of rayon are those that are asked.
fn forked_pool() -> Option<Rc<ThreadPool>> {
    let process = process::id();
    let first = FIRST_PROCESS.compare_exchange(0, process, Ordering::Relaxed, Ordering::Relaxed);
    if first.is_ok() || first == Err(process) || is_one() {
        return None;
    }
    FORKED_POOL.with_borrow_mut(|pool| {
        if pool.as_ref().is_none_or(|pool| pool.process != process) {
            // What a parent has started cannot be ended here.
            mem::forget(pool.take());
            let threads = Rc::new(ThreadPoolBuilder::new().build().ok()?);
            *pool = Some(ForkedPool { process, threads });
        }
        pool.as_ref().map(|pool| pool.threads.clone())
    })
}
