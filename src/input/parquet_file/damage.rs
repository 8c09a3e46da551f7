//! Errors of the Parquet library on damaged files, some of which are panics.

use parquet::errors::ParquetError;

use crate::bug::caught;

/// Runs code of the Parquet library, whose panics on damaged files become errors.
pub(super) fn guarded<T>(
    read: impl FnOnce() -> parquet::errors::Result<T>,
) -> parquet::errors::Result<T> {
    // After a panic, the reader is in an unknown state. It is not used again.
    match caught(read) {
        Ok(result) => result,
        Err(_) => Err(ParquetError::General("a page makes no sense".to_owned())),
    }
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
