//! Messages about an engine that searches positions.

use super::progress::Progress;
use super::say;
use stamma::engine::{EngineFailure, PoolEnd};
use stamma::evaluations::{AnalysisEvent, SearchCounts};
use stamma::report::counted;

/// The maximum number of failures of an engine that are reported one by one.
const MAX_REPORTED_FAILURES: u64 = 10;

/// A reporter of an engine's failures.
#[derive(Default)]
pub(super) struct EngineFailures {
    /// The number of failures so far, reported or not.
    failures: u64,
}

impl EngineFailures {
    /// Reports a failure, if an event is one.
    pub(super) fn note(&mut self, event: &AnalysisEvent<'_>, progress: &Progress) {
        match event {
            AnalysisEvent::EngineEnded(failure) => {
                self.note_failure(failure, "its process is ended", progress);
            }
            AnalysisEvent::Failed(position, failure) => {
                let what = format!("given up: {}", position.fen());
                self.note_failure(failure, &what, progress);
            }
            AnalysisEvent::GaveUp => {
                progress.say(
                    "stamma: an engine process has failed too often, and is not started again",
                );
            }
            AnalysisEvent::Progress { .. } | AnalysisEvent::Found(..) => {}
        }
    }

    /// Reports a failure if it is one of the first; `what` is the consequence.
    fn note_failure(&mut self, failure: &EngineFailure, what: &str, progress: &Progress) {
        self.failures += 1;
        if self.failures <= MAX_REPORTED_FAILURES {
            progress.say(&format!("stamma: {failure}; {what}"));
        }
    }

    /// Prints the number of failures that were not reported one by one.
    pub(super) fn say_unreported(&self) {
        if self.failures > MAX_REPORTED_FAILURES {
            let more = self.failures - MAX_REPORTED_FAILURES;
            say!("… and {}", counted(more, "more failure", "more failures"));
        }
    }
}

/// Prints the reason if an engine has not searched all positions; `rest` is a clause about the other positions.
pub(super) fn say_of_end(end: PoolEnd, rest: &str) {
    match end {
        PoolEnd::Done => {}
        PoolEnd::Stopped => say!("stopped; {rest}"),
        PoolEnd::NoEngine => say!("stamma: no engine is left; {rest}"),
    }
}

/// Prints the number of searches that ended before their limit, and the number of positions that were not searched.
pub(super) fn say_of_searches(searches: &SearchCounts) {
    if searches.cut_short > 0 {
        let stopped = counted(searches.cut_short, "search was", "searches were");
        say!("{stopped} stopped before the limit; --engine-timeout allows more time");
    }
    if searches.passed_over > 0 {
        let positions = counted(searches.passed_over, "position", "positions");
        say!("{positions} with castling of Chess960 passed over: the engine has no UCI_Chess960");
    }
}
