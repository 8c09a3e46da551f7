//! Finds the readings that explain a game, or if none does, the readings that get furthest.

use std::cmp::Reverse;

use super::features::TextFeatures;
use super::named::{Likelihood, NamedReading};
use crate::board::Role;
use crate::game::Ply;
use crate::notation::MoveFault;
use crate::replay::follow::{FallbackReading, Followed, follow, follow_whole};
use crate::replay::script::{Event, Script};
use crate::replay::{Problem, ProblemKind, Replay};

/// The outcome of trying all readings.
#[derive(Default)]
pub(super) struct TriedReadings<'t> {
    /// The readings that explain the game, or if none does, the readings that get furthest, by their indexes and with
    /// their replays.
    pub(super) best: Vec<(usize, Replay<'t>)>,
    /// `true` if these readings explain all of the game.
    pub(super) is_whole: bool,
    /// `true` if other readings supplement the chosen one.
    pub(super) is_mixed: bool,
}

/// A reading that does not explain a game, and the event at which it stops.
struct StoppedReading {
    reading: usize,
    at: usize,
    /// `true` if the text at the event is a move text, though not of a legal move.
    is_move_text: bool,
}

/// Tries all readings, likely ones first.
pub(super) fn try_readings<'t>(
    readings: &[NamedReading],
    script: &Script<'t>,
) -> TriedReadings<'t> {
    let features = TextFeatures::of(script.moves().map(|text| &*text.words));
    let mut tried = TriedReadings::default();
    let mut stopped = Vec::new();

    for likelihood in Likelihood::ALL {
        for (reading, named) in readings.iter().enumerate() {
            if named.likelihood(&features) != likelihood {
                continue;
            }

            match follow_whole(script, named.reading()) {
                Ok(replay) => tried.best.push((reading, replay)),
                Err((at, why)) => stopped.push(StoppedReading {
                    reading,
                    at,
                    is_move_text: why != Some(MoveFault::NoMoveText),
                }),
            }
        }

        // If a likely reading explains the game, the less likely readings are not tried.
        if !tried.best.is_empty() {
            tried.is_whole = true;
            tried.keep_most_likely();
            return tried;
        }
    }

    // Several languages often get equally far, so the texts after the fault are compared as well.
    let capitals = capital_features(script);
    let furthest = furthest(readings, &capitals, &stopped);
    tried.choose_furthest(readings, script, &features, &capitals, &furthest);

    tried
}

/// The readings that get furthest, restricted to the readings whose language has the letters of most texts.
fn furthest(
    readings: &[NamedReading],
    capitals: &[TextFeatures],
    stopped: &[StoppedReading],
) -> Vec<usize> {
    let end = stopped.iter().map(|stop| stop.at).max();

    let mut ranked = Vec::new();
    for stop in stopped {
        if Some(stop.at) != end {
            continue;
        }

        let named = &readings[stop.reading];
        let explained = capitals
            .iter()
            .filter(|features| named.explains(features))
            .count();
        ranked.push(((explained, stop.is_move_text), stop.reading));
    }

    let best_rank = ranked.iter().map(|&(rank, _)| rank).max();
    ranked.retain(|&(rank, _)| Some(rank) == best_rank);

    let mut indexes: Vec<usize> = ranked.into_iter().map(|(_, reading)| reading).collect();
    indexes.sort_unstable();
    indexes
}

/// The features of each text with a capital.
fn capital_features(script: &Script<'_>) -> Vec<TextFeatures> {
    script
        .moves()
        .map(|text| TextFeatures::of([&*text.words]))
        .filter(TextFeatures::has_capitals)
        .collect()
}

impl<'t> TriedReadings<'t> {
    /// Keeps the readings with the fewest false marks: a mate mark that is false under one reading and true under
    /// another decides. Readings with the most queen promotions come first.
    fn keep_most_likely(&mut self) {
        let fewest = self
            .best
            .iter()
            .map(|(_, replay)| count_false_marks(replay))
            .min();
        self.best
            .retain(|(_, replay)| Some(count_false_marks(replay)) == fewest);

        self.best
            .sort_by_key(|(_, replay)| count_underpromotions(replay));
    }

    /// Chooses the readings that get furthest, or a mixed reading if it gets further.
    fn choose_furthest(
        &mut self,
        readings: &[NamedReading],
        script: &Script<'t>,
        features: &TextFeatures,
        capitals: &[TextFeatures],
        furthest: &[usize],
    ) {
        let end = script.events.len();

        let mut alone = Vec::new();
        for &i in furthest {
            let fallbacks = [FallbackReading::for_all_texts(readings[i].reading())];
            alone.push((i, follow(script, &fallbacks)));
        }
        let lost_at = alone.iter().map(|(_, followed)| followed.lost_at).max();

        // A reading that loses no line, slips accepted, needs no other letters.
        if let Some(lost_at) = lost_at
            && lost_at < end
            && let Some((main, mixed)) = best_mixed(readings, features, capitals, furthest, script)
            && mixed.lost_at > lost_at
        {
            self.is_whole = mixed.lost_at == end;
            self.is_mixed = true;
            self.best.push((main, mixed.replay));
            return;
        }

        for (i, followed) in alone {
            self.best.push((i, followed.replay));
        }
    }
}

/// The number of marks of check, mate or capture that are false.
fn count_false_marks(replay: &Replay<'_>) -> usize {
    replay
        .problems
        .iter()
        .filter(|problem| problem.kind == ProblemKind::FalseMark)
        .count()
}

/// The number of promotions to other pieces than queens.
fn count_underpromotions(replay: &Replay<'_>) -> usize {
    replay
        .played
        .iter()
        .filter(|mv| mv.promotion.is_some_and(|role| role != Role::Queen))
        .count()
}

/// The mixed reading that gets furthest, based on a language that has all letters, on English, or on the language that
/// gets furthest alone; languages with the letters of most texts are tried first.
fn best_mixed<'t>(
    readings: &[NamedReading],
    features: &TextFeatures,
    capitals: &[TextFeatures],
    furthest: &[usize],
    script: &Script<'t>,
) -> Option<(usize, Followed<'t>)> {
    let mut mains: Vec<usize> = languages(readings)
        .filter(|&i| features.are_in(&readings[i].letters))
        .collect();

    // The first reading is English.
    for other in [Some(0), furthest.first().copied()].into_iter().flatten() {
        if !mains.contains(&other) {
            mains.push(other);
        }
    }

    mains.sort_by_cached_key(|&main| {
        let letters = &readings[main].letters;
        let explained = capitals.iter().filter(|features| features.are_in(letters));
        Reverse(explained.count())
    });

    let mut best: Option<(usize, Followed<'t>)> = None;
    for main in mains {
        let followed = follow_mixed(readings, main, script);

        let is_better = best
            .as_ref()
            .is_none_or(|(_, best)| followed.lost_at > best.lost_at);
        if is_better {
            best = Some((main, followed));
        }
    }

    best
}

/// The first reading of each language.
fn languages(readings: &[NamedReading]) -> impl Iterator<Item = usize> {
    (0..readings.len()).filter(|&i| {
        readings[..i]
            .iter()
            .all(|before| before.letters != readings[i].letters)
    })
}

/// The maximum number of supplementary languages in a game: the languages of a handful of books.
const MAX_HELPERS: usize = 4;

/// Plays through a game that switches between systems, or has moves with letters that its main language lacks: a
/// variation from another book, for example.
fn follow_mixed<'t>(readings: &[NamedReading], main: usize, script: &Script<'t>) -> Followed<'t> {
    let main = &readings[main];

    let mut fallbacks = vec![FallbackReading::for_all_texts(main.reading())];
    for named in readings {
        if named.letters == main.letters || named.is_numeric() {
            fallbacks.push(FallbackReading::for_all_texts(named.reading()));
        }
    }

    // Each turn adds the language that leads furthest past the event at which the game is lost.
    let mut best = follow(script, &fallbacks);
    let mut languages = vec![main];
    while languages.len() <= MAX_HELPERS {
        let helper = best_helper(readings, &languages, &fallbacks, script, best.lost_at);
        let Some((helper, followed)) = helper else {
            break;
        };

        fallbacks.extend(helper_readings(readings, &languages, helper));
        languages.push(helper);
        best = followed;
    }

    if let (Some(at), Some(helper)) = (best.other_at, languages.get(1)) {
        let problem = mixed_language(script, at, main, helper);
        best.replay.problems.insert(0, problem);
    }

    best
}

/// The supplementary language with which a game is followed furthest, if any leads past the event at which it is lost.
/// A text with the letters of an earlier language is not read in a later one.
fn best_helper<'a, 't>(
    readings: &'a [NamedReading],
    so_far: &[&'a NamedReading],
    fallbacks: &[FallbackReading<'a>],
    script: &Script<'t>,
    lost_at: usize,
) -> Option<(&'a NamedReading, Followed<'t>)> {
    let Some(Event::Move(lost)) = script.events.get(lost_at) else {
        return None;
    };

    let features = TextFeatures::of([&*lost.words]);
    let is_in_earlier = so_far
        .iter()
        .any(|language| features.are_in(&language.letters));
    if is_in_earlier {
        return None;
    }

    let mut best = None;
    let mut best_lost_at = lost_at;
    for i in languages(readings) {
        let helper = &readings[i];
        if !features.are_in(&helper.letters) {
            continue;
        }

        // The game is played from its start, since its other moves must remain readable.
        let mut with_helper = fallbacks.to_vec();
        with_helper.extend(helper_readings(readings, so_far, helper));
        let followed = follow(script, &with_helper);

        if followed.lost_at > best_lost_at {
            best_lost_at = followed.lost_at;
            best = Some((helper, followed));
        }
    }

    best
}

/// The readings of a language, restricted to texts with letters that the earlier languages lack.
fn helper_readings<'a>(
    readings: &'a [NamedReading],
    so_far: &[&'a NamedReading],
    helper: &'a NamedReading,
) -> impl Iterator<Item = FallbackReading<'a>> {
    let unlike: Vec<_> = so_far.iter().map(|language| &language.letters).collect();

    readings
        .iter()
        .filter(|named| named.letters == helper.letters && !named.is_numeric())
        .map(move |named| FallbackReading {
            reading: named.reading(),
            unlike: unlike.clone(),
        })
}

/// The problem of a game that is read in two languages, at the first move that is read in the other language.
fn mixed_language(
    script: &Script<'_>,
    event: usize,
    main: &NamedReading,
    other: &NamedReading,
) -> Problem {
    let range = match &script.events[event] {
        Event::Move(text) => text.range.clone(),
        _ => 0..0,
    };

    Problem {
        kind: ProblemKind::MixedLanguage,
        at: range.start,
        ply: Ply::START,
        text: script.text[range].to_owned(),
        message: format!(
            "this is read with the letters of {}, the moves before it with the letters of {}",
            other.name(),
            main.name()
        ),
    }
}
