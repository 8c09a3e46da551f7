//! `stamma convert` and `stamma clean`: convert PGN files without a database.

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
use super::searches::{EngineFailures, say_of_end, say_of_searches};
use super::{
    Failure, Outcome, complain, name_tags, report_replaced, say, say_repeated, say_unplayed, stop,
    warn_of_unchecked,
};
use outputs::Outputs;
use report::{report, report_in_numbers};
use stamma::convert::{
    self, Conversion, ConvertOptions, Note, OutputPart, Tally, WrittenPositions, convert,
};
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

/// Runs `stamma clean`, whose arguments come from [`Convert::cleaning`].
pub(super) fn clean(arguments: &Convert) -> Result<Outcome, Failure> {
    run_with(arguments, report_in_numbers)
}

/// A function that reports a finished conversion: its result, the number of files, its remarks and its time.
type Report = fn(&Conversion, Option<u64>, &Remarks<'_>, Duration);

/// Runs a conversion, and reports it by `report`.
fn run_with(arguments: &Convert, report: Report) -> Result<Outcome, Failure> {
    let query = arguments.query()?;
    let mut failures = Vec::new();
    let inputs = arguments.read_from.inputs(&mut failures);
    for failure in &failures {
        complain(failure);
    }
    if inputs.is_empty() {
        return Ok(Outcome::Failed);
    }

    use_threads(arguments.threads);
    refuse_equal_files(arguments, &inputs)?;

    let outcome = arguments.pgn_options.with_remarks(|remarks| {
        let done = write_all(arguments, query, &inputs, remarks, report)?;
        let outcome = outcome(&done, arguments.strict_exit);

        let has_faults = remarks.has_faults() || !failures.is_empty();
        if has_faults && outcome == Outcome::Done {
            Ok(Outcome::DataProblems)
        } else {
            Ok(outcome)
        }
    })?;
    Ok(outcome)
}

/// Refuses an output that is also an input, and two outputs that are one file.
fn refuse_equal_files(arguments: &Convert, inputs: &[Input]) -> Result<(), Failure> {
    let Convert {
        output,
        duplicates,
        others,
        pgn_options,
        ..
    } = arguments;

    let outputs = [output, duplicates, others].into_iter().flatten();
    for path in outputs.map(PathBuf::as_path).chain(pgn_options.logs()) {
        refuse_any_of(path, inputs.iter().map(path_of))?;
    }

    if let Some(duplicates) = duplicates {
        pgn_options.refuse_logs_in(Some(duplicates))?;
        refuse_any_of(duplicates, output.as_deref())?;
    }
    if let Some(others) = others {
        pgn_options.refuse_logs_in(Some(others))?;
        let earlier = [output, duplicates].into_iter().flatten();
        refuse_any_of(others, earlier.map(PathBuf::as_path))?;
    }
    pgn_options.refuse_logs_in(output.as_deref())?;
    Ok(())
}

/// The path of an input. An input without a path is standard input, which may be a file with a path.
fn path_of(input: &Input) -> &Path {
    input.path().unwrap_or(Path::new("/dev/stdin"))
}

/// Converts the inputs into the files of the arguments, and reports the result.
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
    // Only a failed conversion discards the output. Remarks do not make a conversion fail.
    outputs.finish(outcome(&done, arguments.strict_exit))?;

    for failure in &done.summary.failures {
        complain(failure);
    }
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
    if let Some(positions) = &done.positions
        && let Some(distinct) = &positions.distinct
    {
        warn_of_unchecked(distinct);
    }
    report_replaced(&done.replaced, arguments.written.byte_style().encoding);
    Ok(done)
}

/// Reports games without positions, and positions that were left out.
fn say_of_positions(positions: &WrittenPositions) {
    if positions.unplayed > 0 {
        say_unplayed(positions.unplayed);
    }
    if let Some(distinct) = &positions.distinct {
        say_repeated(distinct);
    }
}

/// Reports the numbers of an engine's searches, and the reason if the engine has not searched all positions.
fn say_of_analysis(analysis: &AnalyzerSummary, is_quiet: bool) {
    let searches = &analysis.searches;
    if !is_quiet {
        let searched = searches.found + searches.failed;
        say!(
            "{}: {} known, {} without a move, {} asked of {}, {} failed",
            counted(analysis.positions, "position", "positions"),
            grouped(analysis.known),
            grouped(analysis.without_moves),
            grouped(searched),
            analysis.engine,
            grouped(searches.failed),
        );
        say_of_searches(searches);
    }
    say_of_end(searches.end, "the rest is written without evaluations");
}

/// The place of a game in a source, for remarks.
fn remark_place(place: convert::GamePlace<'_>) -> GamePlace<'_> {
    GamePlace {
        source: Some(place.source),
        game: place.game,
        line: place.line,
    }
}

/// The outcome of a conversion, regardless of remarks and of inputs that could not be opened.
fn outcome(done: &Conversion, is_strict: bool) -> Outcome {
    let Conversion {
        summary, replaced, ..
    } = done;
    // A conversion without games fails, so that no output replaces an earlier file.
    if summary.tally.games == 0 {
        return Outcome::Failed;
    }

    let unplayed = match &done.positions {
        Some(positions) => positions.unplayed,
        None => 0,
    };
    let unsearched = match &done.analysis {
        Some(analysis) => {
            let is_incomplete = analysis.searches.end != PoolEnd::Done;
            analysis.searches.failed + u64::from(is_incomplete)
        }
        None => 0,
    };
    let problems_in_games = counting_problems(&summary.tally, is_strict);
    let problems = problems_in_games + replaced.count + unplayed + unsearched;

    let is_clean = problems == 0 && summary.failures.is_empty();
    if is_clean {
        Outcome::Done
    } else {
        Outcome::DataProblems
    }
}

/// The options of the library for the conversion.
fn options(arguments: &Convert, query: Query) -> Result<ConvertOptions<'_>> {
    let stop = if arguments.is_analyzed() {
        stop::stop_flag_before("writing the rest without evaluations")
    } else {
        Arc::default()
    };
    let names = name_tags::for_conversion(&arguments.name_tags)?;
    let writer = PgnWriter {
        names,
        ..arguments
            .pgn_options
            .writer(&arguments.written, OpeningTable::Standard)
    };
    let encoding = arguments.games_read.input_encoding;

    Ok(ConvertOptions {
        readings: arguments.games_read.readings(),
        read: arguments.read_from.options(encoding),
        memory: arguments.read_from.memory,
        writer,
        positions: arguments.position_writer(),
        unique_positions: arguments.positions.is_unique(),
        bytes: arguments.written.byte_style(),
        query,
        unique: arguments.is_unique(),
        split: arguments.split.by,
        others: arguments.others.is_some(),
        analysis: arguments.analysis(stop),
    })
}

/// Converts the inputs into `outputs`, with a progress bar.
fn write(
    arguments: &Convert,
    query: Query,
    inputs: &[Input],
    outputs: &mut Outputs,
    remarks: &mut Remarks<'_>,
) -> Result<Conversion> {
    let options = options(arguments, query)?;

    // A bar on the terminal would mix with games on standard output.
    let is_hidden = arguments.quiet || arguments.output.is_none();
    let bar = if is_hidden {
        Progress::hidden()
    } else {
        Progress::of_inputs(inputs)
    };
    // Both the notes and the tally move the bar.
    let progress = RefCell::new(bar);
    let show = |tally: &Tally| progress.borrow_mut().show(tally);

    let mut engine_failures = EngineFailures::default();
    let out = |part: OutputPart<'_>| outputs.write(part);
    let note = |note: Note<'_>| match note {
        Note::Problem(line) => remarks.problem(&line),
        Note::Remark(place, remark) => remarks.note(remark_place(place), remark),
        Note::Duplicate(place) => remarks.duplicate(remark_place(place)),
        Note::Analysis(AnalysisEvent::Progress { done, all }) => {
            progress.borrow().show_searched(done, all);
            Ok(())
        }
        Note::Analysis(event) => {
            engine_failures.note(&event, &progress.borrow());
            Ok(())
        }
    };

    let done = convert(inputs, &options, out, note, show);
    progress.borrow().finish();
    engine_failures.say_unreported();
    done
}
