//! Batches of stored games for a scan.

use std::collections::VecDeque;
use std::ops::Range;

use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Connection, Row, params};

use crate::game::Variant;
use crate::storage::{GameId, owned_text_cell, variant_cell};

/// If the range of candidate numbers is at most this many times as large as their count, all rows of the range are
/// read; otherwise each row is looked up.
const DENSE: i64 = 4;

/// A game to replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The number of the game.
    pub game: GameId,
    /// `true` if the game is known to start from the standard position, so that its row in `game` need not be read.
    pub starts_from_standard: bool,
    /// `true` if its moves are canonical SAN, as an import has written them.
    pub is_trusted: bool,
}

/// The games of a batch, with their mainlines in one buffer.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) games: Vec<CandidateGame>,
    texts: Vec<u8>,
}

/// A game with positions.
#[derive(Debug)]
pub(super) struct CandidateGame {
    pub(super) id: GameId,
    /// The FEN of the start position; `None` for the standard position.
    pub(super) fen: Option<String>,
    pub(super) is_trusted: bool,
    moves: Range<usize>,
}

impl Batch {
    /// Reads the games of some candidates, which are in ascending order.
    pub(super) fn read(
        connection: &Connection,
        candidates: &[Candidate],
    ) -> rusqlite::Result<Batch> {
        let mut starts = read_starts(connection, candidates)?;
        let mut batch = Batch::default();
        let mut rows = Rows::new(connection, "movetext", "game_id", "moves", "1")?;
        rows.each(candidates, |candidate, row| {
            let Some(start) = start_of(candidate, &mut starts) else {
                return Ok(());
            };

            let at = batch.texts.len();
            // A value that is not text can match nothing.
            if let ValueRef::Text(moves) = row.get_ref(1)? {
                batch.texts.extend_from_slice(moves);
            }
            batch.games.push(CandidateGame {
                id: candidate.game,
                fen: start,
                is_trusted: candidate.is_trusted,
                moves: at..batch.texts.len(),
            });
            Ok(())
        })?;
        Ok(batch)
    }

    /// The mainline of a game of this batch.
    pub(super) fn moves(&self, game: &CandidateGame) -> &[u8] {
        &self.texts[game.moves.clone()]
    }
}

/// The number of a candidate, and the FEN of its start position; `None` for the standard position.
type Start = (GameId, Option<String>);

/// The start positions of the candidates whose start position is unknown. Candidates without positions are left out.
fn read_starts(
    connection: &Connection,
    candidates: &[Candidate],
) -> rusqlite::Result<VecDeque<Start>> {
    let unknown: Vec<Candidate> = candidates
        .iter()
        .filter(|candidate| !candidate.starts_from_standard)
        .copied()
        .collect();
    if unknown.is_empty() {
        return Ok(VecDeque::new());
    }

    let has_positions = "final_key IS NOT NULL";
    let mut rows = Rows::new(connection, "game", "id", "fen, variant", has_positions)?;
    let mut starts = VecDeque::new();
    rows.each(&unknown, |candidate, row| {
        if variant_cell(row, 2)? != Variant::Other {
            starts.push_back((candidate.game, owned_text_cell(row, 1)?));
        }
        Ok(())
    })?;
    Ok(starts)
}

/// The start position of a candidate; `None` if it has no positions. `starts` are in the order of the candidates.
fn start_of(candidate: Candidate, starts: &mut VecDeque<Start>) -> Option<Option<String>> {
    if candidate.starts_from_standard {
        return Some(None);
    }

    // Starts of games without a row in `movetext` are left over.
    while starts
        .pop_front_if(|(game, _)| *game < candidate.game)
        .is_some()
    {}
    let (_, fen) = starts.pop_front_if(|(game, _)| *game == candidate.game)?;
    Some(fen)
}

/// Rows of a table, keyed by the number of the game.
struct Rows<'c> {
    between: CachedStatement<'c>,
    one: CachedStatement<'c>,
}

impl<'c> Rows<'c> {
    /// Rows with the columns `columns` of the games for which `condition` holds; `id` is the column of the game number.
    fn new(
        connection: &'c Connection,
        table: &str,
        id: &str,
        columns: &str,
        condition: &str,
    ) -> rusqlite::Result<Rows<'c>> {
        let select = format!("SELECT {id}, {columns} FROM {table} WHERE {condition} AND {id}");
        let between = format!("{select} BETWEEN ?1 AND ?2 ORDER BY {id}");
        let one = format!("{select} = ?1");
        Ok(Rows {
            between: connection.prepare_cached(&between)?,
            one: connection.prepare_cached(&one)?,
        })
    }

    /// Calls `take` with the row of each candidate that has one, in their order.
    fn each(
        &mut self,
        candidates: &[Candidate],
        mut take: impl FnMut(Candidate, &Row<'_>) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let (Some(first), Some(last)) = (candidates.first(), candidates.last()) else {
            return Ok(());
        };
        let range = last.game.get().saturating_sub(first.game.get());
        // Reading the next row is faster than looking one up.
        let is_dense = range / DENSE < candidates.len() as i64;
        if is_dense {
            return self.each_between(first.game, last.game, candidates, take);
        }

        for &candidate in candidates {
            let mut rows = self.one.query([candidate.game])?;
            if let Some(row) = rows.next()? {
                take(candidate, row)?;
            }
        }
        Ok(())
    }

    /// Like [`Rows::each`], but reads all rows from the first game to the last.
    fn each_between(
        &mut self,
        first: GameId,
        last: GameId,
        candidates: &[Candidate],
        mut take: impl FnMut(Candidate, &Row<'_>) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let mut rows = self.between.query(params![first, last])?;
        let mut rest = candidates.iter().copied().peekable();

        while let Some(row) = rows.next()? {
            let game: GameId = row.get(0)?;

            // Rows and candidates are both in the order of the games.
            while rest.next_if(|candidate| candidate.game < game).is_some() {}
            if let Some(candidate) = rest.next_if(|candidate| candidate.game == game) {
                take(candidate, row)?;
            }
        }
        Ok(())
    }
}
