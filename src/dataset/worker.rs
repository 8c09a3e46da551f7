//! The worker of a data set: converts the games of a batch to rows of all tables.

use std::convert::Infallible;
use std::mem::take;
use std::ops::Range;
use std::sync::Arc;

use super::board_row::{BoardRow, with_boards};
use super::digest::Digest;
use super::game_row::{GameFrame, GameRows};
use super::ids::IdBase;
use super::ply_row::PlyRows;
use super::position::{GameValues, Played, PositionRow, each_row};
use super::spill::PartitionedRows;
use super::table::TableSchema;
use crate::board::Position;
use crate::export::Unwritable;
use crate::game::{Game, GameFacts, known_elo, tag_value, year};
use crate::ingest::{GameOrigin, Worker};
use crate::query::GameMatcher;
use crate::replay::ReadGame;
use crate::storage::{OpeningTable, PositionEvaluation, elo_of_tag};

/// Converts the games of a source to rows.
pub(super) struct RowWorker<'d> {
    pub(super) matcher: Option<&'d GameMatcher>,
    pub(super) games: &'d Arc<TableSchema>,
    pub(super) positions: PositionTables,
    pub(super) source: String,
    pub(super) base: IdBase,
}

/// The tables of positions and of half-moves.
#[derive(Clone, Debug)]
pub(super) struct PositionTables {
    /// The maximum number of half-moves before a position; `None` if no positions are written.
    pub(super) max_ply: Option<u16>,
    /// `true` if positions have a FEN.
    pub(super) has_fen: bool,
    /// The schema of the table `plies`; `None` if the table is not written.
    pub(super) plies: Option<Arc<TableSchema>>,
}

/// A game of a batch that has a row.
pub(super) struct WrittenGame {
    /// The index of the game among all games of the batch.
    pub(super) number: usize,
    /// The id in the data set.
    pub(super) id: i64,
}

/// The rows of a batch.
pub(super) struct BatchRows {
    pub(super) games: GameRows,
    /// The games with rows, in the order of the batch.
    pub(super) written: Vec<WrittenGame>,
    positions: Vec<PositionRow>,
    boards: Vec<BoardRow>,
    pub(super) plies: Option<PlyRows>,
    /// The positions by partition; empty until the batch is complete.
    pub(super) partitioned: Option<PartitionedRows>,
    /// The error at the first game that could not be written.
    pub(super) failure: Option<Unwritable>,
}

impl BatchRows {
    /// No rows yet.
    pub(super) fn new(games: &Arc<TableSchema>, tables: &PositionTables) -> BatchRows {
        BatchRows {
            games: GameRows::new(games),
            written: Vec::new(),
            positions: Vec::new(),
            boards: Vec::new(),
            plies: tables.plies.as_ref().map(PlyRows::new),
            partitioned: None,
            failure: None,
        }
    }

    /// Adds the positions of a game. `evaluation` looks a position up in a database, if evaluations are written.
    ///
    /// # Errors
    /// The errors of `evaluation`.
    pub(super) fn push_positions<E>(
        &mut self,
        tables: &PositionTables,
        game: &Game<'_>,
        played: &Played<'_>,
        start: Option<&Position>,
        id: i64,
        evaluation: impl FnMut(&Position) -> Result<Option<PositionEvaluation>, E>,
    ) -> Result<(), E> {
        let Some(max_ply) = tables.max_ply else {
            return Ok(());
        };

        let game_values = GameValues::new(id, &facts(game));
        let before = self.positions.len();
        let add = |row| self.positions.push(row);
        each_row(played, &game_values, max_ply, add);
        if tables.has_fen {
            let rows = &self.positions[before..];
            self.boards.extend(with_boards(played, start, rows));
        }

        if let Some(plies) = &mut self.plies {
            plies.push(game, played, start, &game_values, max_ply, evaluation)?;
        }
        Ok(())
    }

    /// Divides the positions among partitions, when all games have been added.
    pub(super) fn divide(&mut self) {
        let positions = take(&mut self.positions);
        let boards = take(&mut self.boards);
        let partitioned = if boards.is_empty() {
            PartitionedRows::new(&positions)
        } else {
            PartitionedRows::new(&boards)
        };
        self.partitioned = Some(partitioned);
    }

    /// The sum of the digests of the batch's games. The digest of game `n` includes its number of problems,
    /// `problems[n]`.
    pub(super) fn digest(&self, problems: &[u32]) -> Digest {
        // An odd factor, so that different numbers of problems have different products modulo 2^128.
        const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

        let mut sum = Digest::default();
        for (digest, &problems) in self.games.digests.iter().zip(problems) {
            // The number of problems is not known when the rest of the row is hashed, so it is added here.
            sum += Digest(digest.0 ^ u128::from(problems).wrapping_mul(FACTOR));
        }
        sum
    }
}

/// The values of a game that are in the rows of all its positions.
fn facts(game: &Game<'_>) -> GameFacts {
    let elo = |name| {
        let rating = tag_value(&game.tags, name).and_then(elo_of_tag)?;
        known_elo(rating.into())
    };
    GameFacts {
        result: game.result,
        white_elo: elo("WhiteElo"),
        black_elo: elo("BlackElo"),
        year: tag_value(&game.tags, "Date").and_then(year),
    }
}

impl Worker for RowWorker<'_> {
    type Output = BatchRows;

    fn begin(&self, _: usize) -> BatchRows {
        BatchRows::new(self.games, &self.positions)
    }

    fn may_want(&self, text: &str) -> bool {
        self.matcher.is_none_or(|matcher| matcher.may_match(text))
    }

    fn game(&self, game: &mut ReadGame<'_>, origin: GameOrigin<'_>, rows: &mut BatchRows) -> bool {
        let replay = &game.replay;
        let openings = &OpeningTable::Standard;
        let is_wanted = match self.matcher {
            Some(matcher) => matcher.matches(replay, openings),
            None => true,
        };
        // After a failure, the run ends with the error, so further games need no rows.
        if !is_wanted || rows.failure.is_some() {
            return false;
        }

        let id = self.base.id(&origin.bytes);
        let opening = openings.of_game(replay);
        let frame = GameFrame {
            id,
            bytes: origin.bytes,
            moves_hash: replay.moves_hash,
            plies: replay.plies(),
            opening: opening.map(|opening| openings.get(opening)),
            source: &self.source,
        };
        match rows.games.push(&replay.game, &replay.played, &frame) {
            Ok(()) => rows.written.push(WrittenGame {
                number: origin.number,
                id,
            }),
            Err(error) => rows.failure = Some(error),
        }

        let played = Played::from_replay(replay);
        let Ok(()) = rows.push_positions(
            &self.positions,
            &replay.game,
            &played,
            replay.start.as_ref(),
            id,
            // Evaluations are looked up only in a database; games here are from files.
            |_| Ok::<_, Infallible>(None),
        );
        true
    }

    fn text(&self, _: String, _: Range<u64>, _: &mut BatchRows) {}

    fn end(&self, rows: &mut BatchRows) {
        rows.divide();
    }
}
