//! Finds the readings of a game that get furthest.

use std::cmp::Reverse;

use super::features::TextFeatures;
use super::named::{Likelihood, Named};
use crate::board::{Move, Role};
use crate::game::Ply;
use crate::notation::MoveFault;
use crate::replay::follow::{FallbackReading, Followed, follow, follow_whole};
use crate::replay::script::{Event, Script};
use crate::replay::{Problem, ProblemKind, Replay};

/// The outcome of trying all readings.
#[derive(Default)]
pub(super) struct TriedReadings<'t> {
    /// The readings that explain the game, or if none does, those that get furthest.
    pub(super) taken: Vec<(usize, Replay<'t>)>,
    pub(super) is_whole: bool,
    /// Whether other readings supplement the chosen one.
    pub(super) is_mixed: bool,
}

/// A reading that does not explain a game, and the event at which it stops.
struct Stopped {
    reading: usize,
    at: usize,
    /// Whether the text there is a move text, though not of a legal move.
    is_move_text: bool,
}

/// Tries all readings, likely ones first.
pub(super) fn try_readings<'t>(all: &[Named], script: &Script<'t>) -> TriedReadings<'t> {
    let features = TextFeatures::of(script.moves().map(|text| &*text.words));
    let mut tried = TriedReadings::default();
    let mut stopped = Vec::new();
    for likelihood in Likelihood::ALL {
        for (reading, one) in all.iter().enumerate() {
            if one.likelihood(&features) != likelihood {
                continue;
            }
            match follow_whole(script, one.reading()) {
                Ok(replay) => tried.taken.push((reading, replay)),
                Err((at, why)) => {
                    let is_move_text = why != Some(MoveFault::NoMoveText);
                    stopped.push(Stopped {
                        reading,
                        at,
                        is_move_text,
                    });
                }
            }
        }
        if !tried.taken.is_empty() {
            tried.is_whole = true;
            tried.keep_most_likely();
            return tried;
        }
    }
    let capitals = capitals(script);
    let furthest = furthest(all, &capitals, &stopped);
    tried.take_furthest(all, script, &features, &capitals, &furthest);
    tried
}

/// The readings that get furthest, restricted to those whose language has the letters of most texts.
fn furthest(all: &[Named], capitals: &[TextFeatures], stopped: &[Stopped]) -> Vec<usize> {
    let most = stopped.iter().map(|one| one.at).max();
    let mut ranked: Vec<_> = stopped
        .iter()
        .filter(|one| Some(one.at) == most)
        .map(|one| {
            let explained = capitals
                .iter()
                .filter(|features| all[one.reading].explains(features));
            ((explained.count(), one.is_move_text), one.reading)
        })
        .collect();
    let best = ranked.iter().map(|&(rank, _)| rank).max();
    ranked.retain(|&(rank, _)| Some(rank) == best);
    let mut readings: Vec<usize> = ranked.into_iter().map(|(_, reading)| reading).collect();
    readings.sort_unstable();
    readings
}

/// The features of each text with a capital.
fn capitals(script: &Script<'_>) -> Vec<TextFeatures> {
    let texts = script.moves().map(|text| TextFeatures::of([&*text.words]));
    texts.filter(TextFeatures::has_capitals).collect()
}

impl<'t> TriedReadings<'t> {
    /// Keeps the readings with the fewest false marks: a mate mark that is false under one reading and true under
    /// another decides. Readings with the most queen promotions come first.
    fn keep_most_likely(&mut self) {
        let faults = |replay: &Replay<'_>| {
            let is_false = |problem: &&Problem| problem.kind == ProblemKind::FalseMark;
            replay.problems.iter().filter(is_false).count()
        };
        let least = self.taken.iter().map(|(_, replay)| faults(replay)).min();
        self.taken
            .retain(|(_, replay)| Some(faults(replay)) == least);
        self.taken.sort_by_key(|(_, replay)| {
            let is_under = |mv: &&Move| mv.promotion.is_some_and(|role| role != Role::Queen);
            replay.played.iter().filter(is_under).count()
        });
    }

    /// Chooses the readings that get furthest, or a mixed one if it gets further.
    fn take_furthest(
        &mut self,
        all: &[Named],
        script: &Script<'t>,
        features: &TextFeatures,
        capitals: &[TextFeatures],
        furthest: &[usize],
    ) {
        let alone = |&i: &usize| (i, follow(script, &[FallbackReading::all(all[i].reading())]));
        let taken: Vec<(usize, Followed<'t>)> = furthest.iter().map(alone).collect();
        let end = script.events.len();
        let lost_at = taken
            .iter()
            .map(|(_, followed)| followed.lost_at)
            .max()
            .unwrap_or(end);
        if lost_at < end
            && let Some((main, mixed)) = best_mixed(all, features, capitals, furthest, script)
            && mixed.lost_at > lost_at
        {
            (self.is_whole, self.is_mixed) = (mixed.lost_at == end, true);
            self.taken.push((main, mixed.replay));
            return;
        }
        self.taken
            .extend(taken.into_iter().map(|(i, followed)| (i, followed.replay)));
    }
}

/// The mixed reading that gets furthest, based on a language that has all letters, on English, or on the one that gets
/// furthest alone; languages with the letters of most texts are tried first.
fn best_mixed<'t>(
    all: &[Named],
    features: &TextFeatures,
    capitals: &[TextFeatures],
    furthest: &[usize],
    script: &Script<'t>,
) -> Option<(usize, Followed<'t>)> {
    let mut mains: Vec<usize> = languages(all)
        .filter(|&i| features.are_in(&all[i].letters))
        .collect();
    for other in [Some(0), furthest.first().copied()].into_iter().flatten() {
        if !mains.contains(&other) {
            mains.push(other);
        }
    }
    mains.sort_by_cached_key(|&main| {
        Reverse(
            capitals
                .iter()
                .filter(|features| features.are_in(&all[main].letters))
                .count(),
        )
    });
    let mixes = mains
        .into_iter()
        .map(|main| (main, mixed(all, main, script)));
    mixes.reduce(|best, mix| {
        if mix.1.lost_at > best.1.lost_at {
            mix
        } else {
            best
        }
    })
}

/// The first reading of each language.
fn languages(all: &[Named]) -> impl Iterator<Item = usize> {
    let is_first = |&i: &usize| {
        all[..i]
            .iter()
            .all(|before| before.letters != all[i].letters)
    };
    (0..all.len()).filter(is_first)
}

/// The maximum number of supplementary languages in a game: those of a handful of books.
const MAX_HELPERS: usize = 4;

/// Plays through a game that switches between systems, or has moves with letters that its main language lacks: a
/// variation from another book, for example.
fn mixed<'t>(all: &[Named], main: usize, script: &Script<'t>) -> Followed<'t> {
    let main = &all[main];
    let mut fallbacks: Vec<FallbackReading<'_>> = std::iter::once(main)
        .chain(
            all.iter()
                .filter(|one| one.letters == main.letters || one.is_numeric()),
        )
        .map(|one| FallbackReading::all(one.reading()))
        .collect();
    let mut best = follow(script, &fallbacks);
    let mut languages = vec![main];
    while languages.len() <= MAX_HELPERS {
        let Some((helper, followed)) =
            best_helper(all, &languages, &fallbacks, script, best.lost_at)
        else {
            break;
        };
        fallbacks.extend(helper_readings(all, &languages, helper));
        languages.push(helper);
        best = followed;
    }
    if let (Some(at), Some(helper)) = (best.other_at, languages.get(1)) {
        best.replay
            .problems
            .insert(0, mixed_language(script, at, main, helper));
    }
    best
}

/// The supplementary language with which a game is followed furthest, if any leads past the event at which it is lost.
/// A text with the letters of an earlier language is not read in a later one.
fn best_helper<'a, 't>(
    all: &'a [Named],
    so_far: &[&'a Named],
    fallbacks: &[FallbackReading<'a>],
    script: &Script<'t>,
    lost_at: usize,
) -> Option<(&'a Named, Followed<'t>)> {
    let Some(Event::Move(lost)) = script.events.get(lost_at) else {
        return None;
    };
    let features = TextFeatures::of([&*lost.words]);
    if so_far
        .iter()
        .any(|language| features.are_in(&language.letters))
    {
        return None;
    }
    languages(all)
        .map(|i| &all[i])
        .filter(|other| features.are_in(&other.letters))
        .map(|other| {
            let fallbacks: Vec<FallbackReading<'_>> = fallbacks
                .iter()
                .cloned()
                .chain(helper_readings(all, so_far, other))
                .collect();
            (other, follow(script, &fallbacks))
        })
        .filter(|(_, followed)| followed.lost_at > lost_at)
        .reduce(|best, next| {
            if next.1.lost_at > best.1.lost_at {
                next
            } else {
                best
            }
        })
}

/// The readings of a language, restricted to texts with letters that the earlier languages lack.
fn helper_readings<'a>(
    all: &'a [Named],
    so_far: &[&'a Named],
    helper: &'a Named,
) -> impl Iterator<Item = FallbackReading<'a>> {
    let unlike: Vec<_> = so_far.iter().map(|language| &language.letters).collect();
    all.iter()
        .filter(|one| one.letters == helper.letters && !one.is_numeric())
        .map(move |one| FallbackReading {
            reading: one.reading(),
            unlike: unlike.clone(),
        })
}

fn mixed_language(script: &Script<'_>, event: usize, main: &Named, other: &Named) -> Problem {
    let text = match &script.events[event] {
        Event::Move(text) => text.range.clone(),
        _ => 0..0,
    };
    Problem {
        kind: ProblemKind::MixedLanguage,
        at: text.start,
        ply: Ply::START,
        text: script.text[text].to_owned(),
        message: format!(
            "this is read with the letters of {}, the moves before it with those of {}",
            other.name(),
            main.name()
        ),
    }
}
