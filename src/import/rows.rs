//! What a worker of an import does: a batch to rows and postings.

use std::borrow::Cow;

use crate::board::Position;
use crate::columns::{Description, GameTexts};
use crate::game::{Annotation, balanced};
use crate::index::BatchPostings;
use crate::ingest::{AmbiguousGame, BATCH_SPANS, Batch, Part, Preferred};
use crate::replay::{Mainline, MaterialSignature, Readings, Replay, Variations, Visit};
use crate::storage::{GameRow, IndexedLines, ProblemRow, RowBuilder, SourceTextRow, TextArena};

/// Text for which there is about one position.
const TEXT_BYTES_A_POSITION: usize = 7;

// The postings of a batch count its games in some bits.
const _: () = assert!(BATCH_SPANS <= BatchPostings::MOST_GAMES);

/// A batch with all that is to be written of it.
pub(super) struct Finished<'f> {
    pub(super) batch: Batch<'f>,
    /// The games that are not simply PGN in English, or might not be, in their order.
    pub(super) open: Vec<AmbiguousGame>,
    pub(super) games: Vec<GameRow>,
    /// What filters ask of each game.
    pub(super) descriptions: Vec<Description>,
    pub(super) texts: TextArena,
    /// The texts between games.
    pub(super) between: Vec<SourceTextRow>,
    pub(super) problems: Vec<ProblemRow>,
    pub(super) postings: BatchPostings,
}

/// Replays all games of a batch, and gathers the positions of these lines.
pub(super) fn finish<'f>(
    batch: Batch<'f>,
    readings: &Readings,
    preferred: &Preferred,
    lines: IndexedLines,
) -> Finished<'f> {
    let length = batch.bytes().len();
    let mut builder = RowBuilder::default();
    let (mut games, mut open, mut between) = (Vec::new(), Vec::new(), Vec::new());
    let mut descriptions = Vec::new();
    let mut texts = TextArena::with_capacity(length);
    let mut postings = BatchPostings::with_capacity(length / TEXT_BYTES_A_POSITION);
    let problems = batch.replay(
        |number, text| preferred.replay(readings, number, text),
        |part| {
            let (read, game) = match part {
                Part::Game(read, game) => (read, game),
                Part::Text(text, bytes) => {
                    between.push(SourceTextRow { games_before: games.len(), bytes, text });
                    return;
                }
            };
            let replay = &read.replay;
            open.extend(AmbiguousGame::of(games.len(), read));
            let mut row = builder.game(replay, game.bytes, &mut texts);
            row.encoding = game.encoding;
            (row.notation, row.reading) = (read.notation, read.reading);
            postings.push_game(&visits(replay, lines), row.facts(&texts));
            descriptions.push(described(&row, replay, &texts));
            games.push(row);
        },
    );
    postings.divide();
    Finished { batch, open, games, descriptions, texts, between, problems, postings }
}

/// What filters ask of a game.
fn described(row: &GameRow, replay: &Replay<'_>, texts: &TextArena) -> Description {
    let game = &replay.game;
    let material_signature = if game.is_played {
        MaterialSignature::of_moves(replay.start.as_ref(), &replay.last, &game.moves)
    } else {
        MaterialSignature::UNKNOWN
    };
    let draws = &row.ending;
    Description::of(&GameTexts {
        event: texts.get(row.event),
        date: texts.get(row.date),
        round: texts.get(row.round),
        result: row.result,
        white_elo: row.white_elo,
        black_elo: row.black_elo,
        eco: texts.get(row.eco),
        plies: row.ply_count,
        variant: game.variant,
        fen: texts.get(row.fen),
        is_played: game.is_played,
        board_ending: row.ending.board,
        draws: [draws.fifty_moves, draws.seventy_five_moves, draws.threefold, draws.fivefold]
            .map(|ply| ply.is_some()),
        tags: &game.tags,
        annotations: &game.annotations,
        material_signature,
    })
}

/// The positions of these lines of a game.
fn visits<'r>(replay: &'r Replay<'_>, lines: IndexedLines) -> Cow<'r, [Visit]> {
    let is_variation = |annotation| annotation == Annotation::BeginVariation;
    let has_variation = || replay.game.annotations.iter().any(|(_, one)| is_variation(one));
    if lines == IndexedLines::Mainline || !replay.game.is_played || !has_variation() {
        return Cow::Borrowed(&replay.visits);
    }
    let start = replay.start.clone().unwrap_or_else(Position::start);
    let mainline = Mainline::from_position(start, &replay.game.moves);
    let mut visits = replay.visits.clone();
    let variations = Variations::new(mainline, balanced(&replay.game.annotations));
    variations.add_visits(replay.game.variant, &mut visits);
    Cow::Owned(visits)
}
