//! Which readings of a game get furthest.

use super::named::{Likelihood, Named};
use super::traits::Traits;
use crate::replay::follow::{Followed, Turn, follow, follow_whole};
use crate::replay::script::{Event, Script};
use crate::replay::{Problem, ProblemKind, Replay};

/// What has come of the readings that were tried.
#[derive(Default)]
pub(super) struct Trials<'t> {
    /// Readings that explain the game, or if none does, those that get furthest.
    pub(super) taken: Vec<(usize, Replay<'t>)>,
    pub(super) is_whole: bool,
}

/// Tries all readings, the likely ones first.
pub(super) fn try_readings<'t>(all: &[Named], script: &Script<'t>) -> Trials<'t> {
    let traits = Traits::of(script.moves().map(|text| &*text.words));
    let mut trials = Trials::default();
    let mut reached = Vec::new();
    for likelihood in Likelihood::ALL {
        for (i, one) in all.iter().enumerate() {
            if one.likelihood(&traits) != likelihood {
                continue;
            }
            match follow_whole(script, one.reading()) {
                Ok(replay) => trials.taken.push((i, replay)),
                Err(number) => reached.push((i, number)),
            }
        }
        if !trials.taken.is_empty() {
            trials.is_whole = true;
            trials.keep_least_faulty();
            return trials;
        }
    }
    reached.sort_unstable();
    trials.take_furthest(all, script, &reached);
    trials
}

impl<'t> Trials<'t> {
    /// A mate that is none under one reading, and one under another, shows which is meant.
    fn keep_least_faulty(&mut self) {
        let faults = |replay: &Replay<'_>| {
            let is_false = |problem: &&Problem| problem.kind == ProblemKind::FalseMark;
            replay.problems.iter().filter(is_false).count()
        };
        let least = self.taken.iter().map(|(_, replay)| faults(replay)).min();
        self.taken.retain(|(_, replay)| Some(faults(replay)) == least);
    }

    /// Takes the readings that get furthest, the first alone if it is one of them; or one that others
    /// help out, where that leads further.
    fn take_furthest(&mut self, all: &[Named], script: &Script<'t>, reached: &[(usize, usize)]) {
        let most = reached.iter().map(|&(_, number)| number).max();
        let furthest = reached.iter().filter(|&&(_, number)| Some(number) == most);
        let mut furthest: Vec<usize> = furthest.map(|&(i, _)| i).collect();
        if furthest.first() == Some(&0) {
            furthest.truncate(1);
        }
        let alone = |i: usize| (i, follow(script, &[Turn::all(all[i].reading())]));
        let taken: Vec<(usize, Followed<'t>)> = furthest.iter().copied().map(alone).collect();
        let end = script.events.len();
        let lost_at = taken.iter().map(|(_, followed)| followed.lost_at).max().unwrap_or(end);
        if lost_at < end
            && let Some((main, mixed)) = best_mixed(all, furthest.first().copied(), script)
            && mixed.lost_at > lost_at
        {
            self.is_whole = mixed.lost_at == end;
            self.taken.push((main, mixed.replay));
            return;
        }
        self.taken.extend(taken.into_iter().map(|(i, followed)| (i, followed.replay)));
    }
}

/// The mixed reading that gets furthest: mainly in a language that has all letters, else in English or
/// in that which gets furthest alone.
fn best_mixed<'t>(
    all: &[Named],
    furthest: Option<usize>,
    script: &Script<'t>,
) -> Option<(usize, Followed<'t>)> {
    let traits = Traits::of(script.moves().map(|text| &*text.words));
    let has_all = |&i: &usize| traits.are_in(&all[i].letters);
    let others = [Some(0), furthest].into_iter().flatten();
    let mains = languages(all).filter(has_all).chain(others);
    let mixes = mains.map(|main| (main, mixed(all, main, script)));
    mixes.reduce(|best, mix| if mix.1.lost_at > best.1.lost_at { mix } else { best })
}

/// The first reading of each language.
fn languages(all: &[Named]) -> impl Iterator<Item = usize> {
    let is_first = |&i: &usize| all[..i].iter().all(|before| before.letters != all[i].letters);
    (0..all.len()).filter(is_first)
}

/// Follows a game that goes from one system to another, or has moves with letters that are none in the
/// language of the others: a variation from another book, say.
fn mixed<'t>(all: &[Named], main: usize, script: &Script<'t>) -> Followed<'t> {
    let main = &all[main];
    let turns: Vec<Turn<'_>> = std::iter::once(main)
        .chain(all.iter().filter(|one| one.letters == main.letters || one.is_numeric()))
        .map(|one| Turn::all(one.reading()))
        .collect();
    let mut best = follow(script, &turns);
    let Some(Event::Move(lost)) = script.events.get(best.lost_at) else { return best };
    let traits = Traits::of([&*lost.words]);
    if traits.are_in(&main.letters) {
        return best;
    }
    for other in languages(all).map(|i| &all[i]).filter(|other| traits.are_in(&other.letters)) {
        let akin = all.iter().filter(|one| one.letters == other.letters && !one.is_numeric());
        let others = akin.map(|one| Turn { reading: one.reading(), unlike: Some(&main.letters) });
        let turns: Vec<Turn<'_>> = turns.iter().cloned().chain(others).collect();
        let mut followed = follow(script, &turns);
        if followed.lost_at > best.lost_at {
            let problem = followed.other_at.map(|at| mixed_language(script, at, main, other));
            followed.replay.problems.splice(0..0, problem);
            best = followed;
        }
    }
    best
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
