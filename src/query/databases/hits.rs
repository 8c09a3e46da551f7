//! Hits of several databases, in one order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::vec::IntoIter;

use super::super::hits::Hits;
use super::super::{Hit, Results, SortKey, SortOrder};
use super::session::{Sessions, Turn};
use crate::error::Result;
use crate::storage::Database;

/// The maximum number of hits in a chunk. With more databases, chunks are smaller.
const MAX_CHUNK_HITS: usize = 256;
/// The minimum number of hits in a chunk, however many databases there are.
const MIN_CHUNK_HITS: usize = 16;
/// The size of the chunks of all databases together, in chunks of the maximum size.
const CHUNKS_IN_ALL: usize = 2;
/// The number of chunks that wait in the channel of a database. It keeps a thread from reading further ahead.
const CHUNKS_AHEAD: usize = 1;

/// The next hits of a database, each with its value of the sort key, or the error that ends them.
type Chunk<T> = Result<Vec<(u64, T)>>;

/// The games of a query of several databases, each with the index of its database.
///
/// A few hundred games are read ahead. Games are sorted as within one database. Games with equal values are in the
/// order of the databases, and so are all games of a query that sorts by number.
pub struct CombinedHits<'s, T> {
    sessions: &'s Sessions<'s>,
    sources: Vec<Source<T>>,
    next: Next,
    left: usize,
}

/// The hits of one database.
struct Source<T> {
    chunks: Receiver<Chunk<T>>,
    ready: IntoIter<(u64, T)>,
}

/// The choice of the database that has the next hit.
enum Next {
    /// One database after the other: the indexes of the databases that are left, and of the current database.
    InTurn(IntoIter<usize>, Option<usize>),
    /// The database whose next hit has the least value of the sort key. `None` before the first hits are read.
    Least(Option<NextHits>),
}

/// The next hit of each database as its value of the sort key and the index of the database; the least value is first.
type NextHits = BinaryHeap<Reverse<(u64, usize)>>;

impl<'s, T: Send + 'static> CombinedHits<'s, T> {
    /// Starts to read the hits on the threads of all databases.
    pub(super) fn start(
        sessions: &'s Sessions<'s>,
        order: SortOrder,
        limit: usize,
        read: impl Fn(&Database, Vec<Hit>) -> Result<Vec<T>> + Send + Sync + 'static,
    ) -> CombinedHits<'s, T> {
        // Few databases pass on large chunks, many databases small chunks.
        let share = CHUNKS_IN_ALL * MAX_CHUNK_HITS / sessions.len().max(1);
        let chunk_size = share.clamp(MIN_CHUNK_HITS, MAX_CHUNK_HITS);
        let shared_read = Arc::new(read);

        let mut sources = Vec::with_capacity(sessions.len());
        for database in 0..sessions.len() {
            let (sender, chunks) = sync_channel(CHUNKS_AHEAD);
            let read = Arc::clone(&shared_read);
            sessions.start_task(database, move |results, turn| {
                send_chunks(results, turn, chunk_size, &*read, &sender)
            });
            sources.push(Source {
                chunks,
                ready: Vec::new().into_iter(),
            });
        }

        let next = if order.key == SortKey::Id {
            let mut in_turn: Vec<usize> = (0..sessions.len()).collect();
            if order.is_reversed {
                in_turn.reverse();
            }
            Next::InTurn(in_turn.into_iter(), None)
        } else {
            Next::Least(None)
        };

        CombinedHits {
            sessions,
            sources,
            next,
            left: limit,
        }
    }

    /// The next game and the index of its database, regardless of the limit; `None` at the end.
    fn next_hit(&mut self) -> Result<Option<(usize, T)>> {
        let CombinedHits {
            sessions,
            sources,
            next,
            ..
        } = self;
        match next {
            Next::InTurn(databases, current) => loop {
                if let Some(database) = *current
                    && let Some((_, hit)) = sources[database].next(sessions)?
                {
                    return Ok(Some((database, hit)));
                }
                *current = databases.next();
                if current.is_none() {
                    return Ok(None);
                }
            },
            Next::Least(next_hits) => {
                let next_hits = match next_hits {
                    Some(next_hits) => next_hits,
                    None => next_hits.insert(peek_all(sessions, sources)?),
                };
                let Some(Reverse((_, database))) = next_hits.pop() else {
                    return Ok(None);
                };

                let source = &mut sources[database];
                let hit = source.next(sessions)?;
                // Databases are ordered by their next hits.
                if let Some(value) = source.peek(sessions)? {
                    next_hits.push(Reverse((value, database)));
                }
                Ok(hit.map(|(_, hit)| (database, hit)))
            }
        }
    }
}

/// Waits for the first hit of each database. A database without hits is left out.
fn peek_all<T>(sessions: &Sessions<'_>, sources: &mut [Source<T>]) -> Result<NextHits> {
    let mut next_hits = NextHits::new();
    for (database, source) in sources.iter_mut().enumerate() {
        if let Some(value) = source.peek(sessions)? {
            next_hits.push(Reverse((value, database)));
        }
    }
    Ok(next_hits)
}

impl<T> Source<T> {
    /// The value of the sort key of the next hit, which stays in place; `None` at the end.
    fn peek(&mut self, sessions: &Sessions<'_>) -> Result<Option<u64>> {
        if self.ready.len() == 0
            && let Some(chunk) = sessions.receive(&self.chunks)?
        {
            let hits = chunk?;
            self.ready = hits.into_iter();
        }

        let next = self.ready.as_slice().first();
        Ok(next.map(|(value, _)| *value))
    }

    /// Takes the next hit, with its value of the sort key; `None` at the end.
    fn next(&mut self, sessions: &Sessions<'_>) -> Result<Option<(u64, T)>> {
        self.peek(sessions)?;
        Ok(self.ready.next())
    }
}

/// Reads all hits of a database in chunks, and sends the chunks until the receiver is dropped.
fn send_chunks<T>(
    results: &mut Results<'_>,
    turn: &Turn<'_>,
    chunk_size: usize,
    read: impl Fn(&Database, Vec<Hit>) -> Result<Vec<T>>,
    sender: &SyncSender<Chunk<T>>,
) {
    let database = results.database;
    let mut hits = match turn.with_permit(move || results.hits()) {
        Ok(hits) => hits,
        Err(error) => {
            let _ = sender.send(Err(error));
            return;
        }
    };

    loop {
        // The thread holds a permit only while it reads. While it waits to send a chunk, other threads work.
        let chunk = turn.with_permit(|| next_chunk(database, &mut hits, chunk_size, &read));
        let is_error = chunk.is_err();
        let is_end = chunk.as_ref().is_ok_and(Vec::is_empty);
        if is_end {
            return;
        }

        // The receiver is dropped when enough hits have been listed.
        let is_received = sender.send(chunk).is_ok();
        if is_error || !is_received {
            return;
        }
    }
}

/// Reads up to `chunk_size` further hits; an empty chunk is the end.
fn next_chunk<T>(
    database: &Database,
    hits: &mut Hits<'_, '_>,
    chunk_size: usize,
    read: impl Fn(&Database, Vec<Hit>) -> Result<Vec<T>>,
) -> Chunk<T> {
    let mut values = Vec::new();
    let mut chunk = Vec::new();
    while chunk.len() < chunk_size
        && let Some(next) = hits.next_ranked()
    {
        let (value, hit) = next?;
        values.push(value);
        chunk.push(hit);
    }

    let read_hits = read(database, chunk)?;
    Ok(values.into_iter().zip(read_hits).collect())
}

impl<T: Send + 'static> Iterator for CombinedHits<'_, T> {
    type Item = Result<(usize, T)>;

    fn next(&mut self) -> Option<Result<(usize, T)>> {
        self.left = self.left.checked_sub(1)?;

        let next = self.next_hit().transpose();
        // Nothing follows an error or the last game.
        if !matches!(next, Some(Ok(_))) {
            self.left = 0;
        }
        next
    }
}
