//! `stamma convert` and `stamma clean`

mod outputs;
mod report;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::args::Convert;
use super::import::{counting_problems, use_threads};
use super::output::refuse_any_of;
use super::progress::Progress;
use super::remarks::{GamePlace, Remarks};
use super::searches::{EngineFailures, say_of_searches};
use super::{
    Failure, Outcome, complain, name_tags, report_replaced, say, say_repeated, say_unplayed, stop,
    warn_of_unchecked,
};
use outputs::Outputs;
use report::{report, report_in_numbers};
use stamma::convert::{self, Conversion, ConvertOptions, Note, Piece, WrittenPositions, convert};
use stamma::engine::PoolEnd;
use stamma::error::Result;
use stamma::evaluations::{AnalysisEvent, AnalyzerSummary};
use stamma::export::PgnWriter;
use stamma::input::Input;
use stamma::query::Query;
use stamma::report::{counted, grouped};
use stamma::storage::OpeningTable;

pub(super) fn run(arguments: &Convert) -> Result<Outcome, Failure> {
    run_with(arguments, |done, files, remarks, time| {
        remarks.report();
        report(done, files, remarks, time);
    })
}

/// Runs a conversion that cleans; see [`Convert::cleaning`].
pub(super) fn clean(arguments: &Convert) -> Result<Outcome, Failure> {
    run_with(arguments, report_in_numbers)
}

/// The report at the end, of the result, the number of files, the remarks and the time.
type Report = fn(&Conversion, Option<u64>, &Remarks<'_>, Duration);

fn run_with(arguments: &Convert, report: Report) -> Result<Outcome, Failure> {
    let query = arguments.query()?;
    let mut failures = Vec::new();
    let inputs = arguments.read_from.inputs(&mut failures);
    failures.iter().for_each(complain);
    if inputs.is_empty() {
        return Ok(Outcome::Failed);
    }
    use_threads(arguments.threads);
    let Convert {
        output,
        duplicates,
        others,
        ..
    } = arguments;
    for path in [output, duplicates, others]
        .into_iter()
        .flatten()
        .map(PathBuf::as_path)
        .chain(arguments.form.logs())
    {
        refuse_any_of(path, inputs.iter().map(path_of))?;
    }
    if let Some(duplicates) = duplicates {
        arguments.form.refuse_logs_in(Some(duplicates))?;
        refuse_any_of(duplicates, output.as_deref())?;
    }
    if let Some(others) = others {
        arguments.form.refuse_logs_in(Some(others))?;
        refuse_any_of(
            others,
            [output, duplicates]
                .into_iter()
                .flatten()
                .map(PathBuf::as_path),
        )?;
    }
    arguments.form.refuse_logs_in(arguments.output.as_deref())?;
    let outcome = arguments.form.with_remarks(|remarks| {
        let done = write_all(arguments, query, &inputs, remarks, report)?;
        let has_faults = remarks.has_faults() || !failures.is_empty();
        Ok(outcome(&done, has_faults, arguments.strict_exit))
    })?;
    Ok(outcome)
}

/// The path of an input. One without comes from standard input, which may be a file with a path.
fn path_of(input: &Input) -> &Path {
    input.path().unwrap_or(Path::new("/dev/stdin"))
}

/// Writes the games, and reports problems and remarks.
fn write_all(
    arguments: &Convert,
    query: Query,
    inputs: &[Input],
    remarks: &mut Remarks<'_>,
    report: Report,
) -> Result<Conversion> {
    let started = Instant::now();
    let mut outputs = Outputs::create(arguments, inputs.iter().map(path_of))?;
    let done = write(arguments, query, inputs, &mut outputs, remarks)?;
    let files = outputs.files();
    outputs.finish(outcome(&done, false, arguments.strict_exit))?;
    done.summary.failures.iter().for_each(complain);
    if !arguments.quiet {
        arguments.read_from.say_of_databases(&done.summary.tally);
        report(&done, files, remarks, started.elapsed());
        if let Some(positions) = &done.positions {
            say_of_positions(positions);
        }
    }
    if let Some(analysis) = &done.analysis {
        say_of_analysis(analysis, arguments.quiet);
    }
    let distinct = done
        .positions
        .as_ref()
        .and_then(|positions| positions.distinct.as_ref());
    if let Some(distinct) = distinct {
        warn_of_unchecked(distinct);
    }
    report_replaced(&done.replaced, arguments.written.byte_style().encoding);
    Ok(done)
}

/// Reports positions that could not be written, and those that were left out.
fn say_of_positions(positions: &WrittenPositions) {
    if positions.unplayed > 0 {
        say_unplayed(positions.unplayed);
    }
    if let Some(distinct) = &positions.distinct {
        say_repeated(distinct);
    }
}

/// Reports what an engine has done, and what it has left undone.
fn say_of_analysis(analysis: &AnalyzerSummary, is_quiet: bool) {
    let searches = &analysis.searches;
    if !is_quiet {
        let asked = searches.found + searches.failed;
        say!(
            "{}: {} known, {} without a move, {} asked of {}, {} failed",
            counted(analysis.positions, "position", "positions"),
            grouped(analysis.known),
            grouped(analysis.without_moves),
            grouped(asked),
            analysis.engine,
            grouped(searches.failed),
        );
        say_of_searches(searches);
    }
    match searches.end {
        PoolEnd::Done => {}
        PoolEnd::Stopped => say!("stopped; the rest is written without evaluations"),
        PoolEnd::NoEngine => {
            say!("stamma: no engine is left; the rest is written without evaluations");
        }
    }
}

fn of_source(place: convert::GamePlace<'_>) -> GamePlace<'_> {
    GamePlace {
        source: Some(place.source),
        game: place.game,
        line: Some(place.line),
    }
}

fn outcome(done: &Conversion, has_faults: bool, is_strict: bool) -> Outcome {
    let Conversion {
        summary, replaced, ..
    } = done;
    let unplayed = done
        .positions
        .as_ref()
        .map_or(0, |positions| positions.unplayed);
    let unsearched = done.analysis.as_ref().map_or(0, |analysis| {
        let is_broken_off = analysis.searches.end != PoolEnd::Done;
        analysis.searches.failed + u64::from(is_broken_off)
    });
    let problems =
        counting_problems(&summary.tally, is_strict) + replaced.count + unplayed + unsearched;
    match (summary.tally.games, problems, summary.failures.len()) {
        (0, ..) => Outcome::Failed,
        (_, 0, 0) if !has_faults => Outcome::Done,
        _ => Outcome::DataProblems,
    }
}

fn write(
    arguments: &Convert,
    query: Query,
    inputs: &[Input],
    outputs: &mut Outputs,
    remarks: &mut Remarks<'_>,
) -> Result<Conversion> {
    let stop = if arguments.is_analyzed() {
        stop::stop_flag_before("writing the rest without evaluations")
    } else {
        Arc::default()
    };
    let options = ConvertOptions {
        readings: arguments.games_read.readings(),
        read: arguments
            .read_from
            .options(arguments.games_read.input_encoding),
        memory: arguments.read_from.memory,
        writer: PgnWriter {
            names: name_tags::of_conversion(&arguments.name_tags)?,
            ..arguments
                .form
                .writer(&arguments.written, OpeningTable::Standard)
        },
        positions: arguments.position_writer(),
        unique_positions: arguments.positions.is_unique(),
        bytes: arguments.written.byte_style(),
        query,
        unique: arguments.is_unique(),
        split: arguments.split.by,
        others: arguments.others.is_some(),
        analysis: arguments.analysis(stop),
    };
    let progress = if arguments.quiet || arguments.output.is_none() {
        Progress::hidden()
    } else {
        Progress::of_inputs(inputs)
    };
    let progress = RefCell::new(progress);
    let mut engine_failures = EngineFailures::default();
    let out = |piece: Piece<'_>| outputs.write(piece);
    let note = |note: Note<'_>| match note {
        Note::Problem(line) => remarks.problem(&line),
        Note::Remark(place, remark) => remarks.note(of_source(place), remark),
        Note::Duplicate(place) => remarks.duplicate(of_source(place)),
        Note::Analysis(AnalysisEvent::Progress { done, all }) => {
            progress.borrow().show_searched(done, all);
            Ok(())
        }
        Note::Analysis(event) => {
            engine_failures.note(&event, &progress.borrow());
            Ok(())
        }
    };
    let done = convert(inputs, &options, out, note, |tally| {
        progress.borrow_mut().show(tally);
    });
    progress.borrow().finish();
    engine_failures.say_unreported();
    done
}
