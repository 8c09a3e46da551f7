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
    let (summary, made_up) = import_all(arguments, filter, inputs, problem_log, &mut updates)?;
    summary.failures.iter().for_each(complain);
    if !arguments.quiet {
        arguments.read_from.say_of_databases(&summary.tally);
        updates.say_rest();
        report::say_all(&summary, started.elapsed(), &arguments.database);
        if made_up > 0 {
            let games = counted(made_up, "game", "games");
            say!("position_fen: the positions of {games} written that were imported before");
        }
    }
    if arguments.json {
        let updates = arguments.update.then_some(updates);
        report::print_json(&summary, updates, started.elapsed(), &arguments.database)?;
    }
    Ok(summary)
}

fn import_all(
    arguments: &args::Import,
    filter: &Filter,
    inputs: Vec<Input>,
    problem_log: Option<ProblemLog>,
    updates: &mut Updates,
) -> Result<(Summary, u64)> {
    let opened = Database::open_or_create_within(&arguments.database, arguments.wait)?;
    let mut database = WritableDatabase::new(opened);
    let options = ImportOptions {
        memory: arguments.read_from.memory,
        readings: arguments.games_read.readings(),
        read: arguments
            .read_from
            .options(arguments.games_read.input_encoding),
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
    };
    let mut progress = progress(arguments, &inputs);
    // The single source is reported at the end; one that has just appeared needs its name.
    let is_named = inputs.len() == 1 && !arguments.watch;
    let only = inputs
        .first()
        .filter(|_| is_named)
        .map(|input| input.name().to_owned());
    let summary = import(&mut database, inputs, options, |event| match event {
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
        Event::Ended(source) if only.as_ref() == Some(&source.path) => {}
        Event::Ended(source) => progress.say(&report::ended(source)),
    });
    progress.finish();
    let summary = summary?;
    let made_up = if arguments.store_fen && !summary.is_interrupted {
        store_fens(&database, &summary)?
    } else {
        0
    };
    Ok((summary, made_up))
}

/// Writes the positions of all games of the sources that are not in the table yet. On failure, the import is kept, and
/// running the same command again writes them. Returns how many of the games were imported before.
fn store_fens(database: &Database, summary: &Summary) -> Result<u64> {
    let write = |progress: &mut dyn FnMut(u64, u64)| {
        database.materialize_sources(&summary.sources, progress)
    };
    let written = materialize::with_progress(write)?;
    Ok(written.games.saturating_sub(summary.tally.games))
}

fn progress(arguments: &args::Import, inputs: &[Input]) -> Progress {
    if arguments.quiet {
        return Progress::none();
    }
    if arguments.progress {
        return Progress::in_lines(inputs).with_index();
    }
    Progress::of_inputs(inputs).with_index()
}

/// `true` if some input may contain a game; otherwise reports why none does.
///
/// Otherwise a misspelt path would leave an empty database behind.
pub(super) fn any_has_game(inputs: &mut [Input], options: ReadOptions) -> bool {
    let mut reasons = Vec::new();
    for input in inputs {
        match has_game(input, options) {
            Ok(true) => return true,
            Ok(false) => reasons.push(Error::NoGames(input.name().to_owned())),
            Err(error) => reasons.push(error),
        }
    }
    reasons.iter().for_each(complain);
    false
}
