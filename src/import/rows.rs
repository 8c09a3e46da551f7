//! What a worker of an import does: a batch to rows and postings.

use std::collections::BTreeMap;

use memchr::memchr2;

use super::batch::Batch;
use crate::index::BatchPostings;
use crate::replay::{ReadingId, Readings};
use crate::storage::{GameRow, ProblemRow, RowBuilder, TextArena};

/// Text for which there is about one position.
const TEXT_BYTES_A_POSITION: usize = 7;

/// A game of which the file's other games may say more.
pub(super) struct Open {
    /// The game's number in its batch.
    pub(super) game: usize,
    /// The readings that explain it equally well; none for a game of PGN in English that may be one of
    /// another language.
    pub(super) equals: Vec<ReadingId>,
    /// Whether they explain all of it.
    pub(super) is_whole: bool,
    /// Whether they give different moves.
    pub(super) differ: bool,
}

/// The readings that games of a batch are to be given, by their numbers.
pub(super) type Preferred = BTreeMap<usize, ReadingId>;

/// A batch with all that is to be written of it.
pub(super) struct Finished<'f> {
    pub(super) batch: Batch<'f>,
    /// The games that are not simply PGN in English, or might not be, in their order.
    pub(super) open: Vec<Open>,
    pub(super) games: Vec<GameRow>,
    pub(super) texts: TextArena,
    pub(super) problems: Vec<ProblemRow>,
    pub(super) postings: BatchPostings,
}

/// Replays all games of a batch.
pub(super) fn finish<'f>(
    batch: Batch<'f>,
    readings: &Readings,
    preferred: &Preferred,
) -> Finished<'f> {
    let length = batch.bytes().len();
    let mut builder = RowBuilder::default();
    let (mut games, mut open) = (Vec::new(), Vec::new());
    let mut texts = TextArena::with_capacity(length);
    let mut postings = BatchPostings::with_capacity(length / TEXT_BYTES_A_POSITION);
    let problems = batch.replay(
        |number, text| match preferred.get(&number) {
            Some(&reading) => readings.try_all(text, Some(reading)),
            None => readings.replay(text),
        },
        |read, game| {
            let replay = &read.replay;
            if read.reading.is_some() || may_be_foreign(&replay.moves, game.text) {
                let (is_whole, differ) = (read.is_whole, read.differ);
                open.push(Open {
                    game: games.len(),
                    equals: read.equals.clone(),
                    is_whole,
                    differ,
                });
            }
            let mut row = builder.game(replay, game.text, game.bytes, &mut texts);
            row.encoding = game.encoding;
            (row.notation, row.reading) = (read.notation, read.reading);
            postings.push_game(&replay.visits, row.facts(&texts));
            games.push(row);
        },
    );
    postings.divide();
    Finished { batch, open, games, texts, problems, postings }
}

/// `true` when a game that was read as English SAN has letters, and none that only English has.
///
/// A `P` is a pawn in English, where nobody writes it, and a knight in Dutch.
fn may_be_foreign(moves: &str, text: &str) -> bool {
    let is_pawn_move = |part: &[u8]| matches!(part, [b'P', b'a'..=b'h', b'1'..=b'8' | b'x']);
    memchr2(b'N', b'Q', moves.as_bytes()).is_none()
        && (moves.bytes().any(|byte| matches!(byte, b'K' | b'R' | b'B'))
            || text.as_bytes().windows(3).any(is_pawn_move))
}
