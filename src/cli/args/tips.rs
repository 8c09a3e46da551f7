//! Suggestions for unknown options and for words in the wrong order.

use std::ffi::OsString;
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use super::database_beside;
use crate::cli::output::is_sqlite;
use crate::cli::quoting::{quoted, quoted_path};

/// The minimum similarity of a suggested option, from 0 to 1.
const MIN_SIMILARITY: f64 = 0.85;

/// Options that people try, and the advice for them.
const SENTENCES: &[(&[&str], &str)] = &[
    (
        &["fen", "position"],
        "a position is asked for by `stamma search` and `stamma moves`, as a FEN or as moves: \
         stamma search games.db '1. e4 c5'",
    ),
    (
        &["openings", "variation"],
        "--opening najdorf takes names of openings, --eco B20-B99 ECO codes, --line '1. e4 c5' games that begin so, \
         --after '1. e4 c5' positions by any order of moves",
    ),
    (
        &["moves", "move", "pgn-moves"],
        "--line '1. e4 c5' asks for games that begin so, --after '1. e4 c5' for the position by any order of moves, \
         --moves-through 'Bxh7+ Kxh7' for moves anywhere in a game",
    ),
    (
        &["date", "year"],
        "the time of games is chosen by `stamma search`, `stamma export` and others: --date 1972, --since, --until",
    ),
    (
        &["from", "to", "before", "until-date"],
        "--date 1972..1975, --since 1972 and --until 1975 ask for a time",
    ),
    (
        &["evaluations", "judge"],
        "`stamma export games.db --evaluations --judge` writes the evaluations of a database, `stamma convert --analyze` asks an engine",
    ),
    (
        &["name"],
        "games of a player are chosen by `stamma search`, `stamma export` and others: --player fischer",
    ),
    (
        &[
            "rating",
            "ratings",
            "min-elo",
            "max-elo",
            "min-rating",
            "max-rating",
        ],
        "--elo 2600 asks for 2600 or more of both players, ..2400 for at most, 2400..2600 for both; \
         --white-elo, --black-elo and --mean-elo do the same",
    ),
    (
        &["ply", "length", "min-plies", "max-plies"],
        "--plies 40 asks for games of 40 half-moves or more, ..50 for at most 50",
    ),
    (
        &["order", "order-by", "reverse", "newest"],
        "--sort date has the earliest game first, --sort -date the latest",
    ),
    (
        &["sort", "games", "id", "where"],
        "games are sorted, and asked for by number or in SQL, in a database: `stamma import` and `stamma export`",
    ),
    (
        &["count", "csv", "json", "jsonl", "pgn", "epd"],
        "what is written is chosen by --format",
    ),
    (&["port"], "--bind takes a port, too: --bind 8080"),
    (
        &["encoding", "charset"],
        "--input-encoding latin1 is how files are read (default: detected), --output-encoding how PGN is written",
    ),
    (
        &["color", "colour"],
        "--white NAME and --black NAME ask for a player with a colour",
    ),
    (
        &["versus", "vs", "opponent"],
        "--player NAME is given twice for two players; `stamma player` has --against NAME",
    ),
];

/// The tip for a command line with a known mistake: files without a database, or an output file without `-o`.
fn tip_for_words(error: &Error, words: &[OsString], program: &Command) -> Option<String> {
    let (command, rest) = words.split_first()?;
    let command = command.to_str()?;
    match error.kind() {
        ErrorKind::MissingRequiredArgument if command == "import" => tip_for_import(rest),
        ErrorKind::UnknownArgument => match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(argument)) => tip_for_argument(argument, command, program),
            _ => None,
        },
        _ => None,
    }
}

/// The tip for `stamma import` with a single path, which is either the database or the games.
fn tip_for_import(words: &[OsString]) -> Option<String> {
    let is_option = |word: &OsString| word.to_string_lossy().starts_with('-');
    let first_word = words.iter().find(|word| !is_option(word))?;
    let path = Path::new(first_word);
    let file = quoted_path(path);

    // A file that does not exist may be the database, which an import would create.
    if is_sqlite(path) || !path.exists() {
        return Some(format!(
            "name the files to import: stamma import {file} games.pgn"
        ));
    }

    let database = quoted_path(&database_beside(path));
    Some(format!(
        "the database comes first: stamma import {database} {file}"
    ))
}

/// The tip for an argument that a command does not have; `None` if the argument is no known mistake.
fn tip_for_argument(argument: &str, command: &str, program: &Command) -> Option<String> {
    let known = program.find_subcommand(command)?;
    if argument == "--limit" && command == "info" {
        return Some("--sources lists all sources; the rest is whole".to_owned());
    }

    let has_output = known
        .get_arguments()
        .any(|known| known.get_id() == "output");
    if !has_output || argument.starts_with('-') {
        return None;
    }
    Some(format!("-o {} writes to a file", quoted(argument)))
}

/// The usage line of the command in the program's arguments, which precedes all options.
fn usage_of_command(mut program: Command) -> Option<StyledStr> {
    program.build();
    let name = std::env::args_os().nth(1)?;
    program.find_subcommand_mut(name).map(Command::render_usage)
}

/// The error with a better tip: advice for an option that people try, a similar option, or the corrected command.
pub(super) fn with_better_tip(mut error: Error, program: Command) -> Error {
    // Names of files need not be Unicode.
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let Some(tip) = tip_for_words(&error, &words, &program) {
        insert_tip(&mut error, tip.into());
        insert_usage(&mut error, program);
        return error;
    }

    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let option = bare_option(given);

    let advice = advice_on(&option);
    if advice.is_some() || !is_suggestion_similar(&error, &option) {
        error.remove(ContextKind::SuggestedArg);
    }
    // clap's usage line is for the option that clap has suggested.
    insert_usage(&mut error, program);
    if let Some(advice) = advice {
        insert_tip(&mut error, advice.into());
    }
    error
}

/// Sets the tip of an error.
fn insert_tip(error: &mut Error, tip: StyledStr) {
    let tips = ContextValue::StyledStrs(vec![tip]);
    error.insert(ContextKind::Suggested, tips);
}

/// Sets the usage line of an error to the usage of the command.
fn insert_usage(error: &mut Error, program: Command) {
    if let Some(usage) = usage_of_command(program) {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    }
}

/// The name of a typed option, without dashes and value, in lower case.
fn bare_option(given: &str) -> String {
    let before_value = given.split('=').next().unwrap_or_default();
    before_value.trim_start_matches('-').to_lowercase()
}

/// The advice for an option that people try; `None` for other options.
fn advice_on(option: &str) -> Option<&'static str> {
    for &(options, advice) in SENTENCES {
        if options.contains(&option) {
            return Some(advice);
        }
    }
    None
}

/// `true` if the option that clap suggests is similar enough for a misspelling. clap also suggests less similar
/// options.
fn is_suggestion_similar(error: &Error, option: &str) -> bool {
    let suggested = match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(suggested)) => suggested.trim_start_matches('-'),
        _ => "",
    };
    strsim::jaro_winkler(option, suggested) >= MIN_SIMILARITY
}
