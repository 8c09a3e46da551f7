//! The worker: turns the games of a batch into columns and positions.

use std::ops::Range;
use std::sync::Arc;

use super::digest::Digest;
use super::game_row::{GameFrame, GameRows};
use super::ids::IdBase;
use super::position::{OfGame, Played, PositionRow, each_row};
use super::spill::PartitionedRows;
use super::table::Form;
use crate::export::Unwritable;
use crate::game::{Game, GameFacts, known_elo, tag_value, year};
use crate::ingest::{GameOrigin, Worker};
use crate::query::GameMatcher;
use crate::replay::ReadGame;
use crate::storage::{OpeningTable, elo_of_tag};

/// Makes rows of the games of a source.
pub(super) struct RowWorker<'d> {
    pub(super) matcher: Option<&'d GameMatcher>,
    pub(super) games: &'d Arc<Form>,
    /// The most half-moves before a position; `None` without positions.
    pub(super) max_ply: Option<u16>,
    pub(super) source: String,
    pub(super) base: IdBase,
}

/// The rows of a batch.
pub(super) struct BatchRows {
    pub(super) games: GameRows,
    /// The number of each game in the batch, and its id.
    pub(super) ids: Vec<(usize, i64)>,
    positions: Vec<PositionRow>,
    /// Set when the batch is complete.
    pub(super) partitioned: Option<PartitionedRows>,
    /// The error at the first game that could not be written.
    pub(super) failure: Option<Unwritable>,
}

impl BatchRows {
    /// No rows yet.
    pub(super) fn new(games: &Arc<Form>) -> BatchRows {
        BatchRows {
            games: GameRows::new(games),
            ids: Vec::new(),
            positions: Vec::new(),
            partitioned: None,
            failure: None,
        }
    }

    /// The sum of the digests of its games, whose problems are these.
    pub(super) fn digest(&self, problems: &[u32]) -> Digest {
        let digests = self.games.digests.iter().zip(problems);
        let with_problems = |(digest, &problems): (&Digest, &u32)| {
            const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
            Digest(digest.0 ^ u128::from(problems).wrapping_mul(FACTOR))
        };
        digests.map(with_problems).sum()
    }
}

/// The values of a game that its positions have in common.
pub(super) fn facts(game: &Game<'_>) -> GameFacts {
    let elo = |name| {
        let elo = tag_value(&game.tags, name).and_then(elo_of_tag);
        elo.and_then(|elo| known_elo(elo.into()))
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
        BatchRows::new(self.games)
    }

    fn may_want(&self, text: &str) -> bool {
        self.matcher.is_none_or(|matcher| matcher.may_match(text))
    }

    fn game(&self, game: &ReadGame<'_>, origin: GameOrigin, rows: &mut BatchRows) -> bool {
        let (replay, openings) = (&game.replay, &OpeningTable::Standard);
        let is_wanted = self.matcher.is_none_or(|matcher| matcher.matches(replay, openings));
        if !is_wanted || rows.failure.is_some() {
            return false;
        }
        let id = self.base.id(&origin.bytes);
        let frame = GameFrame {
            id,
            bytes: origin.bytes,
            moves_hash: replay.moves_hash,
            plies: replay.plies(),
            opening: openings.of_game(replay).map(|opening| openings.get(opening)),
            source: &self.source,
        };
        match rows.games.push(&replay.game, &replay.played, &frame) {
            Ok(()) => rows.ids.push((origin.number, id)),
            Err(error) => rows.failure = Some(error),
        }
        if let Some(max_ply) = self.max_ply {
            let of_game = OfGame::new(id, &facts(&replay.game));
            each_row(&Played::of(replay), &of_game, max_ply, |row| rows.positions.push(row));
        }
        true
    }

    fn text(&self, _: String, _: Range<u64>, _: &mut BatchRows) {}

    fn end(&self, rows: &mut BatchRows) {
        rows.partitioned = Some(PartitionedRows::new(&rows.positions));
        rows.positions = Vec::new();
    }
}
