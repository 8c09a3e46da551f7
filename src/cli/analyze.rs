//! `stamma analyze`: evaluates positions by a chess engine.

use std::io::Write;
use std::time::Instant;

use super::output::buffered_output;
use super::progress::Progress;
use super::searches::{EngineFailures, say_of_end, say_of_searches};
use super::selection::matching_games;
use super::{Failure, Outcome, args, open_to_change_games, repertoire, say, stop};
use stamma::board::{Color, Position};
use stamma::engine::{PoolEnd, Search, SearchLine};
use stamma::error::{Error, Result};
use stamma::evaluations::{AnalysisEvent, AnalysisSummary, AnalysisTarget, analyze};
use stamma::notation::san;
use stamma::pgn::Evaluation;
use stamma::report::{counted, grouped};

pub(super) fn run(arguments: &args::Analyze) -> Result<Outcome, Failure> {
    let selection = arguments.selection()?;
    let started = Instant::now();
    let options = arguments.options();
    let positions = positions(arguments)?;
    let stop = stop::stop_flag_before("storing what was found");
    let database = open_to_change_games(&arguments.database)?;

    let target = if arguments.has_positions() {
        AnalysisTarget::Positions(positions)
    } else {
        AnalysisTarget::Games(|| matching_games(&database, &selection))
    };
    let mut report = Report::new(arguments);
    let analyzed = analyze(&database, target, &options, &stop, |event| {
        report.note(&event)
    });
    report.progress.finish();
    let summary = analyzed?;

    report.write_lines()?;
    report.failures.say_unreported();
    if report.prints && summary.known > 0 {
        say!(
            "a position that is evaluated as deeply already is not searched again; `stamma moves` shows its evaluation"
        );
    }
    say_summary(&summary, started);
    Ok(outcome(&summary))
}

/// The positions of the arguments, which take the place of games.
fn positions(arguments: &args::Analyze) -> Result<Vec<Position>> {
    let mut positions = arguments.positions()?;
    if !arguments.repertoire.is_empty() {
        // Any side is right, as the positions of a repertoire do not depend on it.
        let repertoire = repertoire::read(&arguments.repertoire, Some(Color::White))?;
        for known in repertoire.positions() {
            positions.push(known.position.clone());
        }
    }
    Ok(positions)
}

/// The output during an analysis, and the results to print at its end.
struct Report {
    progress: Progress,
    /// The positions to print, with their searches.
    printed: Vec<(Position, Search)>,
    /// `true` if searches are printed.
    prints: bool,
    failures: EngineFailures,
}

impl Report {
    fn new(arguments: &args::Analyze) -> Report {
        let prints = arguments.has_positions() && arguments.repertoire.is_empty();
        Report {
            progress: Progress::of_positions(0),
            printed: Vec::new(),
            prints,
            failures: EngineFailures::default(),
        }
    }

    /// Shows the progress, collects a search to print, or reports a failure.
    fn note(&mut self, event: &AnalysisEvent<'_>) {
        match event {
            AnalysisEvent::Progress { done, all } => self.progress.show_games_of(*done, *all),
            // The progress bar is on the terminal until the analysis ends, so searches are printed afterwards.
            AnalysisEvent::Found(position, search) if self.prints => {
                let found = ((*position).clone(), (*search).clone());
                self.printed.push(found);
            }
            event => self.failures.note(event, &self.progress),
        }
    }

    /// Prints the collected searches: the FEN of each position, then the lines of its search.
    fn write_lines(&self) -> Result<()> {
        let mut text = String::new();
        for (position, search) in &self.printed {
            text += &position.fen();
            text.push('\n');
            for line in &search.lines {
                text += &line_text(position, line);
                text.push('\n');
            }
        }

        let mut out = buffered_output()?;
        out.write_all(text.as_bytes()).map_err(Error::Output)?;
        out.flush().map_err(Error::Output)
    }
}

/// A line with its score and its depth, like `+0.35  depth 12  e4 e5 Nf3`.
fn line_text(position: &Position, line: &SearchLine) -> String {
    let mut reached = position.clone();
    let mut moves = Vec::new();
    for mv in &line.moves {
        moves.push(san(&reached, *mv));
        reached.play(*mv);
    }

    let score = match line.score {
        Evaluation::Centipawns(centipawns) if centipawns > 0 => format!("+{}", line.score),
        score => score.to_string(),
    };

    let text = format!("{score:>7}  depth {}  {}", line.depth, moves.join(" "));
    text.trim_end().to_owned()
}

/// Reports the numbers of positions and searches.
fn say_summary(summary: &AnalysisSummary, started: Instant) {
    let games = match summary.games {
        0 => String::new(),
        games => format!(" of {}", counted(games, "game", "games")),
    };
    let left_out = match summary.without_moves {
        0 => String::new(),
        positions => format!(", {} without a move", grouped(positions)),
    };

    let searches = &summary.searches;
    let searched = searches.found + searches.failed;
    say!(
        "{}{games}, {} different: {} known{left_out}, {} asked of {}, {} stored, {} failed in {:.2} s",
        counted(summary.positions, "position", "positions"),
        grouped(summary.distinct),
        grouped(summary.known),
        grouped(searched),
        summary.engine,
        grouped(summary.stored),
        grouped(searches.failed),
        started.elapsed().as_secs_f64(),
    );
    say_of_searches(searches);

    if summary.other_variants > 0 {
        say!(
            "{} of other variants passed over",
            counted(summary.other_variants, "game", "games")
        );
    }
    say_of_end(searches.end, "the same command goes on with the rest");
}

/// `DataProblems` if a search has failed or was stopped; `Failed` if no search has succeeded, or the engine is gone.
fn outcome(summary: &AnalysisSummary) -> Outcome {
    let searches = &summary.searches;
    let has_no_result = searches.found == 0 && searches.failed > 0;

    match searches.end {
        PoolEnd::NoEngine => Outcome::Failed,
        _ if has_no_result => Outcome::Failed,
        // The evaluations found so far are stored. Running the command again resumes the analysis.
        PoolEnd::Stopped => Outcome::DataProblems,
        PoolEnd::Done if searches.failed > 0 => Outcome::DataProblems,
        PoolEnd::Done => Outcome::Done,
    }
}
