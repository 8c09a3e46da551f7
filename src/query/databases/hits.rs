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

/// The hits that are read and passed on at once: of one database, and the least of many.
const CHUNK_HITS: usize = 256;
const LEAST_CHUNK_HITS: usize = 16;

/// Hits with their values of the sort key.
type Chunk<T> = Result<Vec<(u64, T)>>;

/// The games of a query of several databases, each with the index of its database.
///
/// They are read ahead by a few hundred. The order is that of one database: games with equal values, and all games where
/// they are ordered by number, are in the order of the databases.
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

/// How the next database is found.
enum Next {
    /// One database after the other: those that are left.
    InTurn(IntoIter<usize>, Option<usize>),
    /// By the values of the next hits, which `None` does not know yet.
    Least(Option<BinaryHeap<Reverse<(u64, usize)>>>),
}

impl<'s, T: Send + 'static> CombinedHits<'s, T> {
    pub(super) fn start(
        sessions: &'s Sessions<'s>,
        order: SortOrder,
        limit: usize,
        read: impl Fn(&Database, Vec<Hit>) -> Result<Vec<T>> + Send + Sync + 'static,
    ) -> CombinedHits<'s, T> {
        let read = Arc::new(read);
        let hits = (2 * CHUNK_HITS / sessions.len().max(1)).clamp(LEAST_CHUNK_HITS, CHUNK_HITS);
        let sources = (0..sessions.len()).map(|database| {
            let (sender, chunks) = sync_channel(1);
            let read = Arc::clone(&read);
            sessions.start(database, move |results, turn| {
                pass_on(results, turn, hits, &*read, &sender)
            });
            Source {
                chunks,
                ready: Vec::new().into_iter(),
            }
        });
        let sources: Vec<_> = sources.collect();
        let mut in_turn: Vec<usize> = (0..sessions.len()).collect();
        let next = match order {
            SortOrder {
                key: SortKey::Id,
                is_reversed,
            } => {
                if is_reversed {
                    in_turn.reverse();
                }
                Next::InTurn(in_turn.into_iter(), None)
            }
            _ => Next::Least(None),
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
                let hit = source.next(sessions)?.map(|(_, hit)| (database, hit));
                heads.extend(
                    source
                        .peek(sessions)?
                        .map(|value| Reverse((value, database))),
                );
                Ok(hit)
            }
        }
    }
}

fn first_heads<T>(
    sessions: &Sessions<'_>,
    sources: &mut [Source<T>],
) -> Result<BinaryHeap<Reverse<(u64, usize)>>> {
    let mut heads = BinaryHeap::new();
    for (database, source) in sources.iter_mut().enumerate() {
        heads.extend(
            source
                .peek(sessions)?
                .map(|value| Reverse((value, database))),
        );
    }
    Ok(heads)
}

impl<T> Source<T> {
    /// The value of the next hit.
    fn peek(&mut self, sessions: &Sessions<'_>) -> Result<Option<u64>> {
        if self.ready.len() == 0
            && let Some(chunk) = sessions.receive(&self.chunks)?
        {
            self.ready = chunk?.into_iter();
        }
        Ok(self.ready.as_slice().first().map(|(value, _)| *value))
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
    most: usize,
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
        let chunk = turn.take(|| next_chunk(database, &mut hits, most, &read));
        let is_last = chunk.as_ref().map_or(true, Vec::is_empty);
        // An empty chunk says nothing that the end does not.
        let is_empty = chunk.as_ref().is_ok_and(Vec::is_empty);
        if is_empty || sender.send(chunk).is_err() || is_last {
            return;
        }
    }
}

fn next_chunk<T>(
    database: &Database,
    hits: &mut Hits<'_, '_>,
    most: usize,
    read: impl Fn(&Database, Vec<Hit>) -> Result<Vec<T>>,
) -> Chunk<T> {
    let (mut values, mut chunk) = (Vec::new(), Vec::new());
    while chunk.len() < most
        && let Some(next) = hits.next_ranked()
    {
        let (value, hit) = next?;
        values.push(value);
        chunk.push(hit);
    }
    Ok(values.into_iter().zip(read(database, chunk)?).collect())
}

impl<T: Send + 'static> Iterator for CombinedHits<'_, T> {
    type Item = Result<(usize, T)>;

    fn next(&mut self) -> Option<Result<(usize, T)>> {
        self.left = self.left.checked_sub(1)?;
        let next = self.advance().transpose();
        if !matches!(next, Some(Ok(_))) {
            self.left = 0;
        }
        next
    }
}
