//! Damaged files: what the Parquet library says of them, in words or by a panic.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::errors::ParquetError;

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs code of the Parquet library, whose panics on damaged files become errors.
pub(super) fn guarded<T>(
    read: impl FnOnce() -> parquet::errors::Result<T>,
) -> parquet::errors::Result<T> {
    IS_GUARDED.set(true);
    // What was being read is not used again.
    let read = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(false);
    read.unwrap_or_else(|_| Err(ParquetError::General("a page makes no sense".to_owned())))
}

/// Returns `true` if a panic of this thread will become an error about a damaged file, so that a panic hook may be silent.
pub fn is_panic_expected() -> bool {
    IS_GUARDED.get()
}

/// The message of an error, without the name of its kind.
pub(super) fn sentence(error: &ParquetError) -> String {
    match error {
        ParquetError::General(message)
        | ParquetError::NYI(message)
        | ParquetError::EOF(message) => message.trim_end_matches('.').to_owned(),
        other => other.to_string(),
    }
}
