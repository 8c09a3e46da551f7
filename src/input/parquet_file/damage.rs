//! Damaged files: what the Parquet library says of them, in words or by a panic.

use parquet::errors::ParquetError;

use crate::bug::caught;

/// Runs code of the Parquet library, whose panics on damaged files become errors.
pub(super) fn guarded<T>(
    read: impl FnOnce() -> parquet::errors::Result<T>,
) -> parquet::errors::Result<T> {
    // What was being read is not used again.
    caught(read).unwrap_or_else(|_| Err(ParquetError::General("a page makes no sense".to_owned())))
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
