//! The replay of a batch, which survives panics, and the final readings of its games.

use super::batch::{Batch, Bugs, MaybeRead, Part};
use super::languages::{AmbiguousGame, FileReadings, Preferred};
use super::sink::{GameReading, Worker};
use crate::bug::caught;
use crate::input::Encoding;
use crate::replay::{ReadGame, Readings};
use crate::source_problem::SourceProblem;

/// A batch that a worker has replayed.
pub(super) struct Replayed<'f, O> {
    pub(super) batch: Batch<'f>,
    /// The games that can be read in another way than as English PGN, in order.
    ambiguous: Vec<AmbiguousGame>,
    pub(super) games: Vec<GameReading>,
    pub(super) problems: Vec<SourceProblem>,
    pub(super) output: O,
}

/// Replays all games of a batch.
///
/// If the work on a game panics, the batch is replayed again with this game as text. If the work on the text panics as
/// well, the batch is replayed without the game.
///
/// # Panics
/// If the panic did not occur in the work on a game.
pub(super) fn replay<'f, W: Worker>(
    batch: Batch<'f>,
    readings: &Readings,
    preferred: &Preferred,
    worker: &W,
) -> Replayed<'f, W::Output> {
    let mut bugs = Bugs::default();

    loop {
        match caught(|| replay_games(&batch, &bugs, readings, preferred, worker)) {
            Ok(work) => {
                return Replayed {
                    batch,
                    ambiguous: work.ambiguous,
                    games: work.games,
                    problems: work.problems,
                    output: work.output,
                };
            }
            Err(bug) => bugs.note(bug).unwrap_or_else(|bug| panic!("{bug}")),
        }
    }
}

/// The result of a replay without a panic.
struct ReplayedGames<O> {
    ambiguous: Vec<AmbiguousGame>,
    games: Vec<GameReading>,
    problems: Vec<SourceProblem>,
    output: O,
}

/// Replays the games of a batch. A game on which an earlier replay has panicked is kept as text, or left out.
fn replay_games<W: Worker>(
    batch: &Batch<'_>,
    bugs: &Bugs,
    readings: &Readings,
    preferred: &Preferred,
    worker: &W,
) -> ReplayedGames<W::Output> {
    let mut output = worker.begin(batch.bytes().len());
    let mut games = Vec::new();
    let mut ambiguous = Vec::new();

    let problems = batch.replay(
        bugs,
        |number, text, bug| match bug {
            Some(bug) => MaybeRead {
                game: Some(ReadGame::unread(text, bug)),
                is_wanted: worker.may_want(text),
            },
            None => replay_if_needed(worker, readings, preferred, number, text),
        },
        |part| {
            // Games that are passed over have readings, too: they count for the language of later games.
            let (game, encoding) = match &part {
                Part::Game(game, origin) => (Some(&**game), origin.encoding),
                Part::PassedOver(game, encoding) => (*game, *encoding),
                Part::Text(..) => (None, None),
            };
            let is_text = matches!(part, Part::Text(..));
            if !is_text {
                ambiguous.extend(game.and_then(|game| AmbiguousGame::of(games.len(), game)));
                games.push(reading_of(game, encoding));
            }

            add_part(worker, part, &mut output)
        },
    );

    worker.end(&mut output);
    ReplayedGames {
        ambiguous,
        games,
        problems,
        output,
    }
}

/// Passes a part of a batch to the worker; returns `false` for a game that is not wanted.
fn add_part<W: Worker>(worker: &W, part: Part<'_, '_>, output: &mut W::Output) -> bool {
    match part {
        Part::Game(game, origin) => {
            #[cfg(debug_assertions)]
            panic_if_asked(game);
            worker.game(game, origin, output)
        }
        Part::PassedOver(..) => false,
        Part::Text(text, bytes) => {
            worker.text(text, bytes, output);
            true
        }
    }
}

/// Panics at a game whose tag asks for it, for tests: at `row` in the work on the replayed game only, at `text` also in
/// the work on the game as text.
#[cfg(debug_assertions)]
fn panic_if_asked(game: &ReadGame<'_>) {
    use crate::bug::{PROVOKING_TAG, provoke};

    let game = &game.replay.game;
    let tag = game.tag(PROVOKING_TAG);
    if game.is_played {
        provoke(tag, "row");
    }
    provoke(tag, "text");
}

/// The reading of a game; a game that was passed over may have none.
fn reading_of(game: Option<&ReadGame<'_>>, encoding: Option<Encoding>) -> GameReading {
    GameReading {
        notation: game.and_then(|game| game.notation),
        reading: game.and_then(|game| game.reading),
        encoding,
    }
}

/// Replays a game, unless the worker does not want it and its reading is known without a replay.
fn replay_if_needed<'t>(
    worker: &impl Worker,
    readings: &Readings,
    preferred: &Preferred,
    number: usize,
    text: &'t str,
) -> MaybeRead<'t> {
    let is_wanted = worker.may_want(text);

    // The reading of an unwanted game still counts for the games after it.
    let game = if is_wanted || !readings.are_settled_for(text) {
        Some(preferred.replay(readings, number, text))
    } else {
        None
    };

    MaybeRead { game, is_wanted }
}

/// Chooses the final reading of each game of a batch. It depends on the game and on the earlier games of the source. If
/// the choice changes moves, which is rare, the batch is replayed again.
pub(super) fn choose_readings<'f, W: Worker>(
    mut replayed: Replayed<'f, W::Output>,
    readings: &Readings,
    file: &mut FileReadings,
    worker: &W,
) -> Replayed<'f, W::Output> {
    let resolved = file.choose(&replayed.ambiguous, replayed.games.len());

    if !resolved.preferred.is_empty() {
        replayed = replay(replayed.batch, readings, &resolved.preferred, worker);
    }

    for (game, reading) in resolved.readings {
        replayed.games[game].reading = Some(reading);
    }

    // Consecutive games with equal readings are counted together, because nearly all games of a file have one reading.
    let is_same = |one: &GameReading, next: &GameReading| {
        (one.notation, one.reading) == (next.notation, next.reading)
    };
    for run in replayed.games.chunk_by(is_same) {
        let GameReading {
            notation, reading, ..
        } = run[0];
        let foreign = reading.filter(|&reading| readings.language(reading).is_some());
        file.count(notation, foreign, run.len() as u64);
    }

    replayed
}
