//! Which readings of a game get furthest.

use std::cmp::Reverse;

use super::features::TextFeatures;
use super::named::{Likelihood, Named};
use crate::board::{Move, Role};
use crate::notation::MoveFault;
use crate::replay::follow::{FallbackReading, Followed, follow, follow_whole};
use crate::replay::script::{Event, Script};
use crate::replay::{Problem, ProblemKind, Replay};

/// What has come of the readings that were tried.
#[derive(Default)]
pub(super) struct TriedReadings<'t> {
    /// Readings that explain the game, or if none does, those that get furthest.
    pub(super) taken: Vec<(usize, Replay<'t>)>,
    pub(super) is_whole: bool,
    /// Whether other readings help out the one that is taken.
    pub(super) is_mixed: bool,
}

/// A reading that does not explain a game: its number, and the event at which it is at an end.
struct Stopped {
    reading: usize,
    at: usize,
    /// Whether what stands there is a move text, of a move that is not legal.
    is_move_text: bool,
}

/// Tries all readings, the likely ones first.
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
                    stopped.push(Stopped { reading, at, is_move_text });
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

/// The readings that get furthest, and of these the ones whose language has the letters of most texts.
fn furthest(all: &[Named], capitals: &[TextFeatures], stopped: &[Stopped]) -> Vec<usize> {
    let most = stopped.iter().map(|one| one.at).max();
    let mut ranked: Vec<_> = stopped
        .iter()
        .filter(|one| Some(one.at) == most)
        .map(|one| {
            let explained = capitals.iter().filter(|features| all[one.reading].explains(features));
            ((explained.count(), one.is_move_text), one.reading)
        })
        .collect();
    let best = ranked.iter().map(|&(rank, _)| rank).max();
    ranked.retain(|&(rank, _)| Some(rank) == best);
    let mut readings: Vec<usize> = ranked.into_iter().map(|(_, reading)| reading).collect();
    readings.sort_unstable();
    readings
}

/// What stands in each text that has a capital.
fn capitals(script: &Script<'_>) -> Vec<TextFeatures> {
    let texts = script.moves().map(|text| TextFeatures::of([&*text.words]));
    texts.filter(TextFeatures::has_capitals).collect()
}

impl<'t> TriedReadings<'t> {
    /// Keeps the readings with the fewest false marks, since a mate that is none under one reading, and
    /// one under another, shows which is meant. First stand those with most queens among promotions.
    fn keep_most_likely(&mut self) {
        let faults = |replay: &Replay<'_>| {
            let is_false = |problem: &&Problem| problem.kind == ProblemKind::FalseMark;
            replay.problems.iter().filter(is_false).count()
        };
        let least = self.taken.iter().map(|(_, replay)| faults(replay)).min();
        self.taken.retain(|(_, replay)| Some(faults(replay)) == least);
        self.taken.sort_by_key(|(_, replay)| {
            let is_under = |mv: &&Move| mv.promotion.is_some_and(|role| role != Role::Queen);
            replay.played.iter().filter(is_under).count()
        });
    }

    /// Takes the readings that get furthest, or one that others help out, where that leads further.
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
        let lost_at = taken.iter().map(|(_, followed)| followed.lost_at).max().unwrap_or(end);
        if lost_at < end
            && let Some((main, mixed)) = best_mixed(all, features, capitals, furthest, script)
            && mixed.lost_at > lost_at
        {
            (self.is_whole, self.is_mixed) = (mixed.lost_at == end, true);
            self.taken.push((main, mixed.replay));
            return;
        }
        self.taken.extend(taken.into_iter().map(|(i, followed)| (i, followed.replay)));
    }
}

/// The mixed reading that gets furthest: mainly in a language that has all letters, in English, or in that
/// which gets furthest alone; that with the letters of most texts first.
fn best_mixed<'t>(
    all: &[Named],
    features: &TextFeatures,
    capitals: &[TextFeatures],
    furthest: &[usize],
    script: &Script<'t>,
) -> Option<(usize, Followed<'t>)> {
    let mut mains: Vec<usize> =
        languages(all).filter(|&i| features.are_in(&all[i].letters)).collect();
    for other in [Some(0), furthest.first().copied()].into_iter().flatten() {
        if !mains.contains(&other) {
            mains.push(other);
        }
    }
    mains.sort_by_cached_key(|&main| {
        Reverse(capitals.iter().filter(|features| features.are_in(&all[main].letters)).count())
    });
    let mixes = mains.into_iter().map(|main| (main, mixed(all, main, script)));
    mixes.reduce(|best, mix| if mix.1.lost_at > best.1.lost_at { mix } else { best })
}

/// The first reading of each language.
fn languages(all: &[Named]) -> impl Iterator<Item = usize> {
    let is_first = |&i: &usize| all[..i].iter().all(|before| before.letters != all[i].letters);
    (0..all.len()).filter(is_first)
}

/// Languages that help out in one game: those of a handful of books.
const MOST_HELPERS: usize = 4;

/// Follows a game that goes from one system to another, or has moves with letters that are none in the
/// language of the others: a variation from another book, say.
fn mixed<'t>(all: &[Named], main: usize, script: &Script<'t>) -> Followed<'t> {
    let main = &all[main];
    let mut fallbacks: Vec<FallbackReading<'_>> = std::iter::once(main)
        .chain(all.iter().filter(|one| one.letters == main.letters || one.is_numeric()))
        .map(|one| FallbackReading::all(one.reading()))
        .collect();
    let mut best = follow(script, &fallbacks);
    let mut languages = vec![main];
    while languages.len() <= MOST_HELPERS {
        let Some((helper, followed)) = helped(all, &languages, &fallbacks, script, best.lost_at)
        else {
            break;
        };
        fallbacks.extend(helping(all, &languages, helper));
        languages.push(helper);
        best = followed;
    }
    if let (Some(at), Some(helper)) = (best.other_at, languages.get(1)) {
        best.replay.problems.insert(0, mixed_language(script, at, main, helper));
    }
    best
}

/// The language by whose help a game is followed furthest, if any leads past the event at which it is lost.
/// A text that has the letters of one of the languages so far is no other's.
fn helped<'a, 't>(
    all: &'a [Named],
    so_far: &[&'a Named],
    fallbacks: &[FallbackReading<'a>],
    script: &Script<'t>,
    lost_at: usize,
) -> Option<(&'a Named, Followed<'t>)> {
    let Some(Event::Move(lost)) = script.events.get(lost_at) else { return None };
    let features = TextFeatures::of([&*lost.words]);
    if so_far.iter().any(|language| features.are_in(&language.letters)) {
        return None;
    }
    languages(all)
        .map(|i| &all[i])
        .filter(|other| features.are_in(&other.letters))
        .map(|other| {
            let fallbacks: Vec<FallbackReading<'_>> =
                fallbacks.iter().cloned().chain(helping(all, so_far, other)).collect();
            (other, follow(script, &fallbacks))
        })
        .filter(|(_, followed)| followed.lost_at > lost_at)
        .reduce(|best, next| if next.1.lost_at > best.1.lost_at { next } else { best })
}

/// The readings of a language for texts with letters that the languages so far have not.
fn helping<'a>(
    all: &'a [Named],
    so_far: &[&'a Named],
    helper: &'a Named,
) -> impl Iterator<Item = FallbackReading<'a>> {
    let unlike: Vec<_> = so_far.iter().map(|language| &language.letters).collect();
    all.iter()
        .filter(|one| one.letters == helper.letters && !one.is_numeric())
        .map(move |one| FallbackReading { reading: one.reading(), unlike: unlike.clone() })
}

fn mixed_language(script: &Script<'_>, event: usize, main: &Named, other: &Named) -> Problem {
    let text = match &script.events[event] {
        Event::Move(text) => text.range.clone(),
        _ => 0..0,
    };
    Problem {
        kind: ProblemKind::MixedLanguage,
        at: text.start,
        ply: 0,
        text: script.text[text].to_owned(),
        message: format!(
            "this is read with the letters of {}, the moves before it with those of {}",
            other.name(),
            main.name()
        ),
    }
}
