//! Replayed batches, and the readings of their games.

use super::batch::{Batch, Part};
use super::languages::{AmbiguousGame, FileReadings, Preferred};
use super::sink::{GameReading, Worker};
use crate::replay::{Readings, SourceProblem};

/// A batch that a worker has replayed.
pub(super) struct Replayed<'f, O> {
    pub(super) batch: Batch<'f>,
    /// The games that are not, or not only, English PGN, in order.
    ambiguous: Vec<AmbiguousGame>,
    pub(super) games: Vec<GameReading>,
    pub(super) problems: Vec<SourceProblem>,
    pub(super) output: O,
}

/// Replays all games of a batch.
pub(super) fn replay<'f, W: Worker>(
    batch: Batch<'f>,
    readings: &Readings,
    preferred: &Preferred,
    worker: &W,
) -> Replayed<'f, W::Output> {
    let mut output = worker.begin(batch.bytes().len());
    let (mut games, mut ambiguous) = (Vec::new(), Vec::new());
    let problems = batch.replay(
        |number, text| preferred.replay(readings, number, text),
        |part| match part {
            Part::Game(game, text) => {
                ambiguous.extend(AmbiguousGame::of(games.len(), game));
                let (notation, reading) = (game.notation, game.reading);
                games.push(GameReading { notation, reading, encoding: text.encoding });
                worker.game(game, text, &mut output);
            }
            Part::Text(text, bytes) => worker.text(text, bytes, &mut output),
        },
    );
    worker.end(&mut output);
    Replayed { batch, ambiguous, games, problems, output }
}

/// Gives each game of a batch the reading that fits it and the earlier games of the source. If that changes moves,
/// which is rare, the batch is replayed.
pub(super) fn settle<'f, W: Worker>(
    mut replayed: Replayed<'f, W::Output>,
    readings: &Readings,
    file: &mut FileReadings,
    worker: &W,
) -> Replayed<'f, W::Output> {
    let resolved = file.settle(&replayed.ambiguous, replayed.games.len());
    if !resolved.preferred.is_empty() {
        replayed = replay(replayed.batch, readings, &resolved.preferred, worker);
    }
    for (game, reading) in resolved.readings {
        replayed.games[game].reading = Some(reading);
    }
    let same = |one: &GameReading, next: &GameReading| {
        (one.notation, one.reading) == (next.notation, next.reading)
    };
    for alike in replayed.games.chunk_by(same) {
        let GameReading { notation, reading, .. } = alike[0];
        let foreign = reading.filter(|&reading| readings.language(reading).is_some());
        file.give(notation, foreign, alike.len() as u64);
    }
    replayed
}
