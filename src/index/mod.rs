//! From a position to the games that reach it.
//!
//! Like a full-text index with positions for words: for each position the list of its games, in
//! sorted blocks that are rows of ordinary tables. The bytes are described in `docs/position-index.md`.

mod bits;
mod block;
mod run;
mod store;

use rusqlite::Connection;

pub use block::Results;
pub(crate) use run::{BatchPostings, Run};

use crate::replay::PositionKey;
use store::Segment;

/// The games that the index finds under a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Postings {
    /// Games that reach the position, in their order, and how many there are.
    pub(crate) certain: Vec<i64>,
    /// The number of `certain` games, known also when they are not listed.
    pub(crate) certain_count: u64,
    /// Games, in their order, that reach it or another one; a replay tells.
    pub(crate) possible: Vec<i64>,
}

/// Looks positions up.
pub(crate) struct PositionIndex<'c> {
    connection: &'c Connection,
    segments: Vec<Segment>,
}

impl<'c> PositionIndex<'c> {
    /// Opens the index of a database.
    pub(crate) fn open(connection: &'c Connection) -> rusqlite::Result<PositionIndex<'c>> {
        Ok(PositionIndex { connection, segments: Segment::all(connection)? })
    }

    /// What is known of a key, segment by segment, which is in the order of the games.
    pub(crate) fn find(
        &self,
        key: PositionKey,
        with_games: bool,
    ) -> impl Iterator<Item = rusqlite::Result<Postings>> {
        self.segments.iter().map(move |segment| {
            let found = segment.find(self.connection, key.0, with_games)?;
            let number = |game: u32| segment.first_game + i64::from(game);
            let group = found.group.unwrap_or_default();
            Ok(Postings {
                certain: group.games.iter().map(|&(game, _)| number(game)).collect(),
                certain_count: group.moves.iter().map(|(_, results)| results.games()).sum(),
                possible: found.rare.into_iter().map(number).collect(),
            })
        })
    }
}
