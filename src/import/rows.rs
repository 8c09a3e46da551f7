//! What a worker of an import does: a batch to rows and postings.

use std::ops::Range;

use super::batch::Batch;
use crate::index::BatchPostings;
use crate::storage::{GameRow, ProblemRow, RowBuilder, TextArena};

/// Text for which there is about one position.
const TEXT_BYTES_A_POSITION: usize = 7;

/// A batch with all that is to be written of it.
pub(super) struct Finished {
    pub(super) games: Vec<GameRow>,
    pub(super) texts: TextArena,
    pub(super) problems: Vec<ProblemRow>,
    pub(super) postings: BatchPostings,
    /// Where the batch stands in its file.
    pub(super) range: Range<usize>,
}

/// Replays all games of a batch.
pub(super) fn finish(batch: Batch<'_>) -> Finished {
    let range = batch.range();
    let mut builder = RowBuilder::default();
    let mut games = Vec::new();
    let mut texts = TextArena::with_capacity(range.len());
    let mut postings = BatchPostings::with_capacity(range.len() / TEXT_BYTES_A_POSITION);
    let problems = batch.replay(|replay, text, range| {
        let place = (range.start as u64, range.len() as u64);
        let row = builder.game(replay, text, place, &mut texts);
        postings.push_game(&replay.visits, row.facts(&texts));
        games.push(row);
    });
    postings.divide();
    Finished { games, texts, problems, postings, range }
}
