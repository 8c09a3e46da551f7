//! Progress and cancellation of a query.

use std::fmt;

use crate::error::{Error, Result};

/// Two callbacks of a running query: one for progress, one for cancellation.
///
/// A cancelled query ends with [`Error::Interrupted`]. To end a single long step of SQLite, such as a condition in
/// SQL, take the interrupt handle of [`Database::connection`](crate::storage::Database::connection) as well.
///
/// ```
/// use std::time::{Duration, Instant};
/// use stamma::query::Watch;
///
/// let end = Instant::now() + Duration::from_secs(2);
/// let is_late = || Instant::now() > end;
/// let watch = Watch::new().cancel_when(&is_late);
/// ```
#[derive(Clone, Copy)]
pub struct Watch<'w> {
    progress: &'w dyn Fn(u64, u64),
    is_cancelled: &'w dyn Fn() -> bool,
}

impl<'w> Watch<'w> {
    /// A watch without callbacks.
    pub fn new() -> Watch<'w> {
        Watch {
            progress: &|_, _| {},
            is_cancelled: &|| false,
        }
    }

    /// Sets the callback for progress. Its arguments are the number of games replayed so far, and the number of all
    /// games that may need a replay. Repertoires and novelties count a position that is looked up as a game.
    pub fn progress(self, progress: &'w dyn Fn(u64, u64)) -> Watch<'w> {
        Watch { progress, ..self }
    }

    /// Cancels the query as soon as this returns `true`. It is called between steps and between batches of games.
    pub fn cancel_when(self, is_cancelled: &'w dyn Fn() -> bool) -> Watch<'w> {
        Watch {
            is_cancelled,
            ..self
        }
    }

    pub(crate) fn report(&self, replayed: u64, all: u64) {
        (self.progress)(replayed, all);
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        (self.is_cancelled)()
    }

    /// An error when the query is cancelled.
    pub(crate) fn check(&self) -> Result<()> {
        if self.is_cancelled() {
            Err(Error::Interrupted)
        } else {
            Ok(())
        }
    }
}

impl Default for Watch<'_> {
    fn default() -> Self {
        Watch::new()
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Watch")
    }
}
