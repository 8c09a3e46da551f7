//! The turns of requests: how many are answered at once.
//!
//! A turn is for work. An answer that is sent piece by piece gives its turn back while its client does not take the next
//! piece, so that clients which never read keep nobody else waiting.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Duration, timeout};

use super::route::Weight;

/// How long a request waits for its turn.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// The most texts of requests at once.
const TEXTS: usize = 16;
/// The most answers at once that are sent piece by piece. Each has a thread, whether it has its turn or not.
pub(super) const MAX_STREAMS: usize = 32;

/// The turns of requests.
pub(super) struct Turns {
    all: Arc<Semaphore>,
    heavy: Arc<Semaphore>,
    texts: Arc<Semaphore>,
    streams: Arc<Semaphore>,
}

/// The turn of a request, which ends when it is dropped.
pub(super) struct Turn {
    _permits: [Option<OwnedSemaphorePermit>; 2],
}

/// The place of an answer that is sent piece by piece, and its turn while there is work for it.
pub(super) struct StreamTurn {
    turns: Arc<Turns>,
    weight: Weight,
    turn: Option<Turn>,
    _place: OwnedSemaphorePermit,
}

impl Turns {
    /// Turns for so many connections, half of which heavy requests may have.
    pub(super) fn new(connections: usize) -> Turns {
        Turns {
            all: Arc::new(Semaphore::new(connections)),
            heavy: Arc::new(Semaphore::new(connections.div_ceil(2))),
            texts: Arc::new(Semaphore::new(TEXTS)),
            streams: Arc::new(Semaphore::new(MAX_STREAMS)),
        }
    }

    /// Waits until there is room for a text; `None` if that takes too long.
    pub(super) async fn take_text(&self) -> Option<OwnedSemaphorePermit> {
        timeout(PATIENCE, Arc::clone(&self.texts).acquire_owned()).await.ok()?.ok()
    }

    /// Waits for a turn; `None` if that takes too long.
    pub(super) async fn take(&self, weight: Weight) -> Option<Turn> {
        timeout(PATIENCE, self.permits(weight)).await.ok()?
    }

    /// Waits for the turn of an answer that is sent piece by piece; `None` if that takes too long.
    pub(super) async fn take_stream(self: &Arc<Turns>, weight: Weight) -> Option<StreamTurn> {
        let place =
            timeout(PATIENCE, Arc::clone(&self.streams).acquire_owned()).await.ok()?.ok()?;
        let turn = Some(self.take(weight).await?);
        Some(StreamTurn { turns: Arc::clone(self), weight, turn, _place: place })
    }

    async fn permits(&self, weight: Weight) -> Option<Turn> {
        let heavy = match weight {
            Weight::Heavy => Some(Arc::clone(&self.heavy).acquire_owned().await.ok()?),
            Weight::Light => None,
        };
        let all = Arc::clone(&self.all).acquire_owned().await.ok()?;
        Some(Turn { _permits: [heavy, Some(all)] })
    }
}

impl StreamTurn {
    /// Lets others have the turn.
    pub(super) fn give_back(&mut self) {
        self.turn = None;
    }

    /// Waits for the turn again, if it was given back; `false` if that takes too long.
    pub(super) async fn take_again(&mut self) -> bool {
        if self.turn.is_none() {
            self.turn = self.turns.take(self.weight).await;
        }
        self.turn.is_some()
    }
}
