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

/// Imports the inputs, and reports what was imported.
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
        report::say_all(&summary, started.elapsed(), &arguments.database);
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

/// Imports the inputs. Returns also the number of games of earlier imports whose positions were written to the table
/// `position_fen`.
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

    // A single source is reported by the totals alone; a source that has just appeared needs its name.
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
        Event::Ended(source) => progress.say(&report::ended(source)),
    });
    progress.finish();
    let summary = result?;

    // After an interruption, the same command resumes the import and writes the positions.
    let written_later = if arguments.store_fen && !summary.is_interrupted {
        store_fens(&database, &summary)?
    } else {
        0
    };
    Ok((summary, written_later))
}

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

/// Writes to the table `position_fen` the positions of all games of the sources that are not there yet. On failure, the
/// import is kept, and running the same command again writes them. Returns the number of games from earlier imports.
fn store_fens(database: &Database, summary: &Summary) -> Result<u64> {
    let write = |progress: &mut dyn FnMut(u64, u64)| {
        database.materialize_sources(&summary.sources, progress)
    };

    let written = materialize::with_progress(write)?;
    Ok(written.games.saturating_sub(summary.tally.games))
}

fn progress_of_import(arguments: &args::Import, inputs: &[Input]) -> Progress {
    if arguments.quiet {
        Progress::none()
    } else if arguments.progress {
        Progress::in_lines(inputs).with_index()
    } else {
        Progress::of_inputs(inputs).with_index()
    }
}

/// `true` if some input may contain a game; otherwise reports the reason for each input.
///
/// This is asked before a database is created: a misspelt path would leave an empty one behind.
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
