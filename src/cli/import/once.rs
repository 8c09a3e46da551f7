//! One import of `stamma import`, with its progress and its report.

use std::time::Instant;

use super::report;
use super::updates::Updates;
use crate::cli::progress::Progress;
use crate::cli::{WritableDatabase, args, complain, materialize, say, stop};
use stamma::error::{Error, Result};
use stamma::game::Ply;
use stamma::import::{Event, ImportOptions, ProblemLog, ReadOptions, Summary, has_game, import};
use stamma::input::Input;
use stamma::query::Filter;
use stamma::report::counted;
use stamma::storage::Database;

/// Imports the inputs, and reports the result.
pub(super) fn import_and_report(
    arguments: &args::Import,
    filter: &Filter,
    inputs: Vec<Input>,
    problem_log: Option<ProblemLog>,
    started: Instant,
) -> Result<Summary> {
    let mut updates = Updates::default();
    let (summary, written_later) =
        import_all(arguments, filter, inputs, problem_log, &mut updates)?;

    for failure in &summary.failures {
        complain(failure);
    }
    if !arguments.quiet {
        arguments.read_from.say_of_databases(&summary.tally);
        updates.say_rest();
        report::say_summary(&summary, started.elapsed(), &arguments.database);
        if written_later > 0 {
            let games = counted(written_later, "game", "games");
            say!("position_fen: the positions of {games} written that were imported before");
        }
    }
    if arguments.json {
        let updates = arguments.update.then_some(updates);
        report::print_json(&summary, updates, started.elapsed(), &arguments.database)?;
    }
    Ok(summary)
}

/// Imports the inputs. Returns the summary, and the number of games of earlier imports whose positions were written to
/// the table `position_fen`.
fn import_all(
    arguments: &args::Import,
    filter: &Filter,
    inputs: Vec<Input>,
    problem_log: Option<ProblemLog>,
    updates: &mut Updates,
) -> Result<(Summary, u64)> {
    let opened = Database::open_or_create_within(&arguments.database, arguments.wait)?;
    let mut database = WritableDatabase::new(opened);
    let options = import_options(arguments, filter, problem_log);
    let mut progress = progress_of_import(arguments, &inputs);

    // A single source is reported by the totals alone. With `--watch`, each source is reported by its name.
    let single_source = match &inputs[..] {
        [only] if !arguments.watch => Some(only.name().to_owned()),
        _ => None,
    };
    let result = import(&mut database, inputs, options, |event| match event {
        Event::CaughtUp { games, all } => progress.show_caught_up(games, all),
        Event::Written(tally) => progress.show(tally),
        Event::Updated(game) => {
            if let Some(line) = updates.add(game) {
                progress.say(&line);
            }
        }
        Event::Ambiguous(game) => {
            if let Some(line) = updates.add_ambiguous(game) {
                progress.say(&line);
            }
        }
        Event::Ended(source) if single_source.as_ref() == Some(&source.path) => {}
        Event::Ended(source) => progress.say(&report::source_line(source)),
    });
    progress.finish();
    let summary = result?;

    // After an interruption, no positions are written: repeating the command resumes the import and writes them.
    let written_later = if arguments.store_fen && !summary.is_interrupted {
        store_fens(&database, &summary)?
    } else {
        0
    };
    Ok((summary, written_later))
}

/// The options of the library for the import.
fn import_options(
    arguments: &args::Import,
    filter: &Filter,
    problem_log: Option<ProblemLog>,
) -> ImportOptions {
    let encoding = arguments.games_read.input_encoding;

    ImportOptions {
        memory: arguments.read_from.memory,
        readings: arguments.games_read.readings(),
        read: arguments.read_from.options(encoding),
        index_variations: arguments.index_variations,
        index_plies: arguments.index_plies.map(Ply::new),
        filter: filter.clone(),
        unique: arguments.is_unique(),
        limit: arguments.limit(),
        update: arguments.update,
        again: arguments.again,
        stop: Some(stop::stop_flag_before("indexing what has been read")),
        problem_log,
        ..ImportOptions::default()
    }
}

/// Writes to the table `position_fen` all positions of the sources' games that it lacks. Returns the number of these
/// games that earlier imports have added. After a failure, repeating the command writes the positions, since the import
/// is kept.
fn store_fens(database: &Database, summary: &Summary) -> Result<u64> {
    let write = |progress: &mut dyn FnMut(u64, u64)| {
        database.materialize_sources(&summary.sources, progress)
    };

    let written = materialize::with_progress(write)?;
    Ok(written.games.saturating_sub(summary.tally.games))
}

/// A bar, or lines with `--progress`; none with `--quiet`.
fn progress_of_import(arguments: &args::Import, inputs: &[Input]) -> Progress {
    if arguments.quiet {
        Progress::none()
    } else if arguments.progress {
        Progress::in_lines(inputs).with_index()
    } else {
        Progress::of_inputs(inputs).with_index()
    }
}

/// `true` if an input may contain a game. If no input may, reports the reason for each input.
///
/// This is checked before a database is created, since a misspelt path would create an empty database.
pub(super) fn any_has_game(inputs: &mut [Input], options: ReadOptions) -> bool {
    let mut reasons = Vec::new();
    for input in inputs {
        match has_game(input, options) {
            Ok(true) => return true,
            Ok(false) => reasons.push(Error::NoGames(input.name().to_owned())),
            Err(error) => reasons.push(error),
        }
    }
    for reason in &reasons {
        complain(reason);
    }
    false
}
