//! The counts of a run's games, bytes and problems, and its first problems.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::replay::{Effect, ProblemKind};
use crate::source_problem::SourceProblem;

/// The maximum number of [`Summary::first_problems`].
const MAX_FIRST_PROBLEMS: usize = 10;

/// The progress of an import or a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bytes of PGN read, after decompression. This counts sources that were skipped, too.
    pub bytes: u64,
    /// Bytes read of the inputs as they are on the disk, where they may be compressed. Together with the sizes of the
    /// inputs, this gives the share of the run that is done.
    pub input_bytes: u64,
    /// The number of `input_bytes` whose positions have been indexed; 0 if the run writes no position index.
    pub indexed_bytes: u64,
    /// Games stored or written.
    pub games: u64,
    /// Games that the filter of an import excludes, and games that an import of the source with another filter has
    /// added; they are not in `games`.
    pub passed_over: u64,
    /// Stored games that an import has replaced by newer texts that differ; they are not in `games`.
    pub updated: u64,
    /// Stored games whose newer texts are equal; they are not in `games`.
    pub unchanged: u64,
    /// Games that databases of other programs mark as deleted, whether they are read or left out.
    pub marked_deleted: u64,
    /// Texts in databases of other programs, which are no games and are not read.
    pub foreign_texts: u64,
    /// Games left out because they are too large.
    pub large_games: u64,
    /// Positions indexed, each counted once per game that reaches it.
    pub positions: u64,
    /// Problems found, by kind.
    pub problems: BTreeMap<ProblemKind, u64>,
}

impl Tally {
    /// The number of all problems.
    pub fn problem_count(&self) -> u64 {
        self.problems.values().sum()
    }

    /// The number of problems with this effect.
    pub fn problems_with(&self, effect: Effect) -> u64 {
        let mut count = 0;
        for (kind, problems) in &self.problems {
            if kind.effect() == effect {
                count += problems;
            }
        }

        count
    }
}

/// The result of a run.
#[derive(Debug, Default)]
pub struct Summary {
    /// The totals.
    pub tally: Tally,
    /// The first problems, each as a line with its place.
    pub first_problems: Vec<String>,
    /// The inputs that could not be read, and why.
    pub failures: Vec<Error>,
    /// `true` if the run was stopped early.
    pub is_interrupted: bool,
}

/// The state of a [`Summary`] at the beginning of a source.
pub(super) struct SummarySnapshot {
    tally: Tally,
    shown: usize,
}

impl Summary {
    /// Counts a problem of a source, and keeps it as a line if it is one of the first.
    ///
    /// `games_before` is the number of games before the batch in a source of records, whose games are named by number.
    /// It is `None` for text, whose games are named by line.
    pub(super) fn note(&mut self, name: &str, row: &SourceProblem, games_before: Option<u64>) {
        let problem = &row.problem;
        let kind = problem.kind;
        *self.tally.problems.entry(kind).or_default() += 1;

        if self.first_problems.len() >= MAX_FIRST_PROBLEMS {
            return;
        }

        let place = match (games_before, row.game) {
            (Some(before), Some(game)) => {
                let number = before + game as u64 + 1;
                format!("{name}: game {number}")
            }
            // A text between games has no place in a source of records.
            (Some(_), None) => name.to_owned(),
            (None, _) => format!("{name}:{}:{}", row.line, row.column),
        };
        let message = &problem.message;
        self.first_problems
            .push(format!("{place}: {kind}: {message}"));
    }

    pub(super) fn snapshot(&self) -> SummarySnapshot {
        SummarySnapshot {
            tally: self.tally.clone(),
            shown: self.first_problems.len(),
        }
    }

    /// Discards all counts and problems of a source that is not PGN, except the count of its bytes.
    pub(super) fn go_back(&mut self, before: &SummarySnapshot) {
        let now = std::mem::take(&mut self.tally);

        self.tally = Tally {
            bytes: now.bytes,
            input_bytes: now.input_bytes,
            indexed_bytes: now.indexed_bytes,
            ..before.tally.clone()
        };
        self.first_problems.truncate(before.shown);
    }
}

impl SummarySnapshot {
    /// Returns `true` if a game has been left out since then because it was too large.
    pub(super) fn is_behind_large_game(&self, now: &Tally) -> bool {
        now.large_games > self.tally.large_games
    }
}
