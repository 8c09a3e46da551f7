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

/// The number of hits that are read and passed on at once. The more databases, the smaller the chunks, down to a minimum.
const MAX_CHUNK_HITS: usize = 256;
const MIN_CHUNK_HITS: usize = 16;

/// Hits with their values of the sort key.
type Chunk<T> = Result<Vec<(u64, T)>>;

/// The games of a query of several databases, each with the index of its database.
///
/// A few hundred games are read ahead. Games are sorted as within one database. Games with equal values are in the order of
/// the databases, and so are all games of a query that sorts by number.
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
    /// One database after the other: the databases that are left, and the current database.
    InTurn(IntoIter<usize>, Option<usize>),
    /// The database whose next hit has the least value of the sort key. `None` before the first hits are read.
    Least(Option<Heads>),
}

/// The databases by the values of their next hits, the least first.
type Heads = BinaryHeap<Reverse<(u64, usize)>>;

impl<'s, T: Send + 'static> CombinedHits<'s, T> {
    pub(super) fn start(
        sessions: &'s Sessions<'s>,
        order: SortOrder,
        limit: usize,
        read: impl Fn(&Database, Vec<Hit>) -> Result<Vec<T>> + Send + Sync + 'static,
    ) -> CombinedHits<'s, T> {
        // Two full chunks of hits in all: few databases pass on large chunks, many databases small chunks.
        let share = 2 * MAX_CHUNK_HITS / sessions.len().max(1);
        let chunk_size = share.clamp(MIN_CHUNK_HITS, MAX_CHUNK_HITS);
        let shared_read = Arc::new(read);

        let mut sources = Vec::with_capacity(sessions.len());
        for database in 0..sessions.len() {
            // A channel of one chunk bounds how far a thread reads ahead.
            let (sender, chunks) = sync_channel(1);
            let read = Arc::clone(&shared_read);
            sessions.start(database, move |results, turn| {
                pass_on(results, turn, chunk_size, &*read, &sender)
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

    fn advance(&mut self) -> Result<Option<(usize, T)>> {
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
            Next::Least(heads) => {
                let heads = match heads {
                    Some(heads) => heads,
                    None => heads.insert(first_heads(sessions, sources)?),
                };
                let Some(Reverse((_, database))) = heads.pop() else {
                    return Ok(None);
                };

                let source = &mut sources[database];
                let hit = source.next(sessions)?;
                // Databases are ordered by their next hits.
                if let Some(value) = source.peek(sessions)? {
                    heads.push(Reverse((value, database)));
                }
                Ok(hit.map(|(_, hit)| (database, hit)))
            }
        }
    }
}

fn first_heads<T>(sessions: &Sessions<'_>, sources: &mut [Source<T>]) -> Result<Heads> {
    let mut heads = Heads::new();
    for (database, source) in sources.iter_mut().enumerate() {
        if let Some(value) = source.peek(sessions)? {
            heads.push(Reverse((value, database)));
        }
    }
    Ok(heads)
}

impl<T> Source<T> {
    /// The value of the next hit.
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

    fn next(&mut self, sessions: &Sessions<'_>) -> Result<Option<(u64, T)>> {
        self.peek(sessions)?;
        Ok(self.ready.next())
    }
}

/// Reads all hits of a database in chunks, and passes them on until the receiver is dropped.
fn pass_on<T>(
    results: &mut Results<'_>,
    turn: &Turn<'_>,
    chunk_size: usize,
    read: impl Fn(&Database, Vec<Hit>) -> Result<Vec<T>>,
    sender: &SyncSender<Chunk<T>>,
) {
    let database = results.database;
    let mut hits = match turn.take(move || results.hits()) {
        Ok(hits) => hits,
        Err(error) => {
            let _ = sender.send(Err(error));
            return;
        }
    };

    loop {
        // Only the reading takes the turn: while the thread waits to send, others work.
        let chunk = turn.take(|| next_chunk(database, &mut hits, chunk_size, &read));
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

        let next = self.advance().transpose();
        // Nothing follows an error or the last game.
        if !matches!(next, Some(Ok(_))) {
            self.left = 0;
        }
        next
    }
}
