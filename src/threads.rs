//! The pool of threads: rayon's pool, or another pool in a forked process.
//!
//! A fork copies the memory of a process, but only one of its threads. A pool that was started before the fork has no
//! threads in the child, which would wait for them forever. So the first process that uses threads is recorded, and
//! every other process starts a new pool. There are no locks, since a fork may copy a lock that is held.

use std::cell::RefCell;
use std::mem;
use std::process;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

/// The process that owns the threads of rayon's own pool; 0, which is no process id, before the first use.
static FIRST_PROCESS: AtomicU32 = AtomicU32::new(0);

/// The pool of a forked process.
#[derive(Clone)]
struct ForkedPool {
    process: u32,
    threads: Rc<ThreadPool>,
}

thread_local! {
    /// The pool of each thread that starts work in a forked process. Sharing a pool among these threads would need a
    /// lock.
    static FORKED_POOL: RefCell<Option<ForkedPool>> = const { RefCell::new(None) };
}

/// The number of threads.
pub(crate) fn count() -> usize {
    match forked_pool() {
        Some(pool) => pool.current_num_threads(),
        None => rayon::current_num_threads(),
    }
}

/// Returns `true` on a thread of the pool, which must not wait for the others.
pub(crate) fn is_one() -> bool {
    rayon::current_thread_index().is_some()
}

/// Runs a closure that uses rayon's parallel iterators.
pub(crate) fn install<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match forked_pool() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Runs a closure on this thread that spawns tasks for the pool, and waits for the tasks.
pub(crate) fn in_place_scope<'s, R>(work: impl FnOnce(&Scope<'s>) -> R) -> R {
    match forked_pool() {
        Some(pool) => pool.in_place_scope(work),
        None => rayon::in_place_scope(work),
    }
}

/// The pool of this process, if its parent had started rayon's pool; `None` in the first process, and if the pool
/// cannot be started, so that rayon's threads are used.
fn forked_pool() -> Option<Rc<ThreadPool>> {
    let process = process::id();

    // This number publishes no other memory, so a relaxed order is enough.
    let recorded = FIRST_PROCESS.compare_exchange(0, process, Ordering::Relaxed, Ordering::Relaxed);
    let is_first = recorded.is_ok() || recorded == Err(process);
    if is_first || is_one() {
        return None;
    }

    FORKED_POOL.with_borrow_mut(|pool| {
        if let Some(pool) = pool
            && pool.process == process
        {
            return Some(pool.threads.clone());
        }

        // The threads of the parent's pool do not exist in this process, so the pool cannot be ended here.
        mem::forget(pool.take());

        let threads = Rc::new(ThreadPoolBuilder::new().build().ok()?);
        *pool = Some(ForkedPool {
            process,
            threads: threads.clone(),
        });

        Some(threads)
    })
}
