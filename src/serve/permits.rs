//! The permits of requests. They limit the number of requests that are answered at once.
//!
//! A permit is for work. An answer that is sent piece by piece returns its permit while the client does not take the
//! next piece, so that clients which never read do not block other requests.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Duration, timeout};

use super::route::Weight;

/// The maximum time that a request waits for its permit.
pub(super) const PERMIT_TIMEOUT: Duration = Duration::from_secs(30);

/// The maximum time that a request waits for an engine. When a page moves on to another position, the search of the
/// earlier position ends sooner than this.
const ENGINE_TIMEOUT: Duration = Duration::from_secs(3);

/// The maximum number of texts of requests in memory.
const MAX_TEXTS: usize = 16;
/// The maximum number of answers that are sent piece by piece. Each has a thread, even while it has no permit.
pub(super) const MAX_STREAMS: usize = 32;

/// The permits of requests.
pub(super) struct Permits {
    all: Arc<Semaphore>,
    heavy: Arc<Semaphore>,
    texts: Arc<Semaphore>,
    streams: Arc<Semaphore>,
    engines: Arc<Semaphore>,
}

/// The permit of a request, which ends when it is dropped.
pub(super) struct Permit {
    _permits: [Option<OwnedSemaphorePermit>; 2],
}

/// The place of an answer that is sent piece by piece, and its permit while there is work for it.
pub(super) struct StreamPermit {
    permits: Arc<Permits>,
    /// `None` for the search of an engine, which has a place but takes no permit from other requests.
    weight: Option<Weight>,
    permit: Option<Permit>,
    _place: OwnedSemaphorePermit,
}

impl Permits {
    /// Permits for `connections` requests, half of which may be heavy, and for `engines` searches.
    pub(super) fn new(connections: usize, engines: usize) -> Permits {
        Permits {
            all: Arc::new(Semaphore::new(connections)),
            heavy: Arc::new(Semaphore::new(connections.div_ceil(2))),
            texts: Arc::new(Semaphore::new(MAX_TEXTS)),
            streams: Arc::new(Semaphore::new(MAX_STREAMS)),
            engines: Arc::new(Semaphore::new(engines)),
        }
    }

    /// Waits until there is room for a text; `None` if that takes too long.
    pub(super) async fn take_text(&self) -> Option<OwnedSemaphorePermit> {
        let place = Arc::clone(&self.texts).acquire_owned();
        timeout(PERMIT_TIMEOUT, place).await.ok()?.ok()
    }

    /// Waits for a permit; `None` if that takes too long.
    pub(super) async fn take_permit(&self, weight: Weight) -> Option<Permit> {
        timeout(PERMIT_TIMEOUT, self.acquire(weight)).await.ok()?
    }

    /// Waits for the permit of an answer that is sent piece by piece; `None` if that takes too long.
    pub(super) async fn take_stream(self: &Arc<Permits>, weight: Weight) -> Option<StreamPermit> {
        let free_place = Arc::clone(&self.streams).acquire_owned();
        let place = timeout(PERMIT_TIMEOUT, free_place).await.ok()?.ok()?;

        // A stream that waits for a place must not hold a permit, which others could use.
        let permit = self.take_permit(weight).await?;

        Some(StreamPermit {
            permits: Arc::clone(self),
            weight: Some(weight),
            permit: Some(permit),
            _place: place,
        })
    }

    /// Waits for an engine; `None` if that takes too long. A request that waits takes neither a thread nor a permit.
    pub(super) async fn take_engine(self: &Arc<Permits>) -> Option<StreamPermit> {
        let free_place = Arc::clone(&self.engines).acquire_owned();
        let place = timeout(ENGINE_TIMEOUT, free_place).await.ok()?.ok()?;

        Some(StreamPermit {
            permits: Arc::clone(self),
            weight: None,
            permit: None,
            _place: place,
        })
    }

    /// Waits without a time limit for the permit of a request.
    async fn acquire(&self, weight: Weight) -> Option<Permit> {
        // While a heavy request waits for the permit of heavy requests, it holds no permit that a light one could use.
        let heavy = match weight {
            Weight::Heavy => Some(Arc::clone(&self.heavy).acquire_owned().await.ok()?),
            Weight::Light => None,
        };
        let all = Arc::clone(&self.all).acquire_owned().await.ok()?;
        Some(Permit {
            _permits: [heavy, Some(all)],
        })
    }
}

impl StreamPermit {
    /// Returns the permit, so that other requests can acquire it.
    pub(super) fn give_back(&mut self) {
        self.permit = None;
    }

    /// Waits for the permit again, if it was given back; `false` if that takes too long.
    pub(super) async fn take_again(&mut self) -> bool {
        let Some(weight) = self.weight else {
            return true;
        };
        if self.permit.is_none() {
            self.permit = self.permits.take_permit(weight).await;
        }
        self.permit.is_some()
    }
}
