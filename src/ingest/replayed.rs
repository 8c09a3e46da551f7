//! Replayed batches, and the readings of their games.

use super::batch::{Batch, MaybeRead, Part};
use super::languages::{AmbiguousGame, FileReadings, Preferred};
use super::sink::{GameReading, Worker};
use crate::input::Encoding;
use crate::replay::{ReadGame, Readings, SourceProblem};

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
        |number, text| read(worker, readings, preferred, number, text),
        |part| {
            let (game, encoding) = match &part {
                Part::Game(game, origin) => (Some(&**game), origin.encoding),
                Part::PassedOver(game, encoding) => (*game, *encoding),
                Part::Text(..) => (None, None),
            };
            if !matches!(part, Part::Text(..)) {
                ambiguous.extend(game.and_then(|game| AmbiguousGame::of(games.len(), game)));
                games.push(reading(game, encoding));
            }
            match part {
                Part::Game(game, origin) => worker.game(game, origin, &mut output),
                Part::PassedOver(..) => false,
                Part::Text(text, bytes) => {
                    worker.text(text, bytes, &mut output);
                    true
                }
            }
        },
    );
    worker.end(&mut output);
    Replayed { batch, ambiguous, games, problems, output }
}

/// The reading of a game; one that was passed over may have none.
fn reading(game: Option<&ReadGame<'_>>, encoding: Option<Encoding>) -> GameReading {
    let (notation, reading) = game.map_or((None, None), |game| (game.notation, game.reading));
    GameReading { notation, reading, encoding }
}

/// Replays a game, unless the worker does not want it and its reading is known without.
fn read<'t>(
    worker: &impl Worker,
    readings: &Readings,
    preferred: &Preferred,
    number: usize,
    text: &'t str,
) -> MaybeRead<'t> {
    let is_wanted = worker.may_want(text);
    let is_read = is_wanted || !readings.are_settled_for(text);
    let game = is_read.then(|| preferred.replay(readings, number, text));
    MaybeRead { game, is_wanted }
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
