//! What has been read, and what was wrong with it.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::replay::{Effect, ProblemKind, SourceProblem};

/// How many problems [`Summary::first_problems`] has at most.
const FIRST_PROBLEMS: usize = 10;

/// What an import or a conversion has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bytes read, after what is compressed has been decompressed.
    pub bytes: u64,
    /// Bytes of the inputs that have been read, as they are stored.
    pub consumed: u64,
    /// Of these, the bytes whose positions are in the index.
    pub indexed: u64,
    /// Games stored or written.
    pub games: u64,
    /// Games left out, since they are too large.
    pub large_games: u64,
    /// Positions indexed, each once for each game that reaches it.
    pub positions: u64,
    /// Problems found, by kind.
    pub problems: BTreeMap<ProblemKind, u64>,
}

impl Tally {
    /// All problems.
    pub fn problem_count(&self) -> u64 {
        self.problems.values().sum()
    }

    /// The problems with one effect.
    pub fn problems_with(&self, effect: Effect) -> u64 {
        let kinds = self.problems.iter().filter(|(kind, _)| kind.effect() == effect);
        kinds.map(|(_, count)| count).sum()
    }
}

/// What was read in the end.
#[derive(Debug, Default)]
pub struct Summary {
    /// How much it was.
    pub tally: Tally,
    /// The first problems, each as a line that names its place.
    pub first_problems: Vec<String>,
    /// What could not be read of the inputs, and why.
    pub failures: Vec<Error>,
    /// Whether the run was stopped before its end.
    pub is_interrupted: bool,
}

/// How far a [`Summary`] was at the beginning of a source.
pub(super) struct SummarySnapshot {
    tally: Tally,
    shown: usize,
}

impl Summary {
    /// Counts a problem of a source, and keeps it as a line, if it is one of the first.
    pub(super) fn note(&mut self, name: &str, found: &SourceProblem) {
        let problem = &found.problem;
        *self.tally.problems.entry(problem.kind).or_default() += 1;
        if self.first_problems.len() < FIRST_PROBLEMS {
            let place = format!("{name}:{}:{}", found.line, found.column);
            self.first_problems.push(format!("{place}: {}: {}", problem.kind, problem.message));
        }
    }

    pub(super) fn snapshot(&self) -> SummarySnapshot {
        SummarySnapshot { tally: self.tally.clone(), shown: self.first_problems.len() }
    }

    /// Forgets all of a source that is not PGN, but that its bytes have been read.
    pub(super) fn go_back(&mut self, before: &SummarySnapshot) {
        let Tally { bytes, consumed, indexed, .. } = self.tally;
        self.tally = Tally { bytes, consumed, indexed, ..before.tally.clone() };
        self.first_problems.truncate(before.shown);
    }
}

impl SummarySnapshot {
    /// Whether a game has been left out since that was too large.
    pub(super) fn is_behind_large_game(&self, now: &Tally) -> bool {
        now.large_games > self.tally.large_games
    }
}
