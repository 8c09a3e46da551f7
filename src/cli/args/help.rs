//! The arrangement of the help: the commands by task, and the most important options in the short help of a command.

use clap::builder::StyledStr;
use clap::{Arg, Command};

/// The commands by task, in the order of the program's help.
const TASKS: [(&str, &[&str]); 7] = [
    (
        "Import and clean",
        &[
            "import",
            "convert",
            "clean",
            "dedupe",
            "names",
            "merge",
            "delete",
            "forget",
            "evaluations",
            "analyze",
        ],
    ),
    (
        "Search",
        &["search", "moves", "show", "board", "key", "sql"],
    ),
    (
        "Study",
        &[
            "player",
            "head-to-head",
            "prepare",
            "novelties",
            "opening",
            "repertoire",
            "events",
            "crosstable",
        ],
    ),
    ("Export", &["export", "book", "dataset", "materialize"]),
    ("Explore in the browser", &["open", "serve"]),
    ("Maintain", &["info", "check", "optimize", "openings"]),
    ("Help", &["help", "completions", "man"]),
];

/// The options in the short help of commands with many options. The short help of other commands has all options.
const SHORT_HELP: [(&str, &[&str]); 18] = [
    (
        "import",
        &[
            "watch",
            "limit",
            "unique",
            "again",
            "memory",
            "problems",
            "input-encoding",
            "input-notation",
            "input-pieces",
            "player",
            "since",
            "elo",
            "speed",
            "variant",
        ],
    ),
    (
        "search",
        &[
            "after", "pattern", "material", "player", "white", "black", "since", "elo", "opening",
            "result", "format", "limit", "sort",
        ],
    ),
    (
        "moves",
        &[
            "after",
            "depth",
            "player",
            "since",
            "elo",
            "speed",
            "line",
            "min-games",
            "format",
        ],
    ),
    (
        "player",
        &[
            "against", "since", "until", "elo", "speed", "line", "limit", "format",
        ],
    ),
    (
        "prepare",
        &[
            "as",
            "repertoire",
            "recent",
            "since",
            "speed",
            "min-games",
            "format",
            "output",
        ],
    ),
    (
        "novelties",
        &[
            "player",
            "opening",
            "since",
            "elo",
            "after-ply",
            "min-games",
            "sort",
            "limit",
            "format",
        ],
    ),
    (
        "opening",
        &[
            "after",
            "depth",
            "player",
            "since",
            "elo",
            "min-games",
            "format",
            "output",
        ],
    ),
    (
        "repertoire",
        &[
            "as",
            "list",
            "new",
            "since",
            "elo",
            "min-games",
            "sort",
            "limit",
            "format",
            "output",
        ],
    ),
    (
        "events",
        &[
            "event",
            "site",
            "since",
            "elo",
            "min-players",
            "sort",
            "limit",
            "format",
        ],
    ),
    (
        "export",
        &[
            "output", "format", "split-by", "limit", "sort", "player", "since", "elo", "opening",
            "unique", "notation", "pieces", "comments", "tags",
        ],
    ),
    (
        "convert",
        &[
            "output",
            "format",
            "split-by",
            "unique",
            "fix",
            "fill",
            "player",
            "since",
            "elo",
            "opening",
            "notation",
            "pieces",
            "comments",
            "tags",
            "input-encoding",
        ],
    ),
    (
        "clean",
        &[
            "output", "split-by", "notation", "pieces", "comments", "tags", "names", "problems",
        ],
    ),
    (
        "dataset",
        &[
            "output", "schema", "fen", "max-ply", "since", "elo", "speed", "shard", "memory",
        ],
    ),
    (
        "book",
        &[
            "output",
            "min-games",
            "max-ply",
            "both-sides",
            "player",
            "since",
            "elo",
        ],
    ),
    (
        "analyze",
        &[
            "engine",
            "depth",
            "nodes",
            "movetime",
            "processes",
            "position",
            "multipv",
            "repertoire",
            "max-ply",
            "player",
            "since",
            "elo",
        ],
    ),
    (
        "head-to-head",
        &[
            "format", "output", "limit", "since", "until", "event", "opening", "speed",
        ],
    ),
    ("materialize", &["player", "since", "elo", "opening"]),
    (
        "delete",
        &[
            "games", "dry-run", "yes", "player", "event", "since", "unique",
        ],
    ),
];

/// The program with its help arranged.
pub(super) fn with_help(program: Command) -> Command {
    let template = template(&program);
    let mut arranged = program.help_template(template);

    for (name, options) in SHORT_HELP {
        // Builds without a feature lack some commands.
        let has_command = arranged.find_subcommand(name).is_some();
        if has_command {
            arranged =
                arranged.mut_subcommand(name, |command| with_short_help(command, name, options));
        }
    }
    arranged
}

/// The command with a short help that has only these options.
fn with_short_help(command: Command, name: &str, options: &[&str]) -> Command {
    // Positional arguments have no long name, and are always shown.
    let is_shown = |arg: &Arg| arg.get_long().is_none_or(|long| options.contains(&long));
    let with_hidden_options = command.mut_args(|arg| {
        if is_shown(&arg) {
            arg
        } else {
            arg.hide_short_help(true)
        }
    });

    with_hidden_options.after_help(format!("All options, with examples: stamma help {name}"))
}

/// The template of the program's help, with the commands by task.
fn template(program: &Command) -> StyledStr {
    let styles = program.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let names = TASKS.iter().flat_map(|(_, names)| names.iter());
    // All summaries begin in the column after the longest name.
    let width = names.map(|name| name.len()).max().unwrap_or(0);

    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (task, names) in TASKS {
        template += &format!("\n{header}{task}:{header:#}\n");
        for name in names {
            let about = match program.find_subcommand(name) {
                Some(command) => command.get_about().map(StyledStr::to_string),
                // clap adds this command later.
                None if *name == "help" => Some("Explain a command, with examples".to_owned()),
                // Builds without a feature lack some commands.
                None => continue,
            };
            let summary = about.unwrap_or_default();
            template += &format!("  {literal}{name:width$}{literal:#}  {summary}\n");
        }
    }

    template += &format!("\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    StyledStr::from(template)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::program;

    /// `true` in a build with all commands: features leave out some.
    fn has_all_commands() -> bool {
        cfg!(all(feature = "serve", feature = "dataset"))
    }

    #[test]
    fn each_command_belongs_to_one_task() {
        let program = program();
        let mut commands: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        commands.push("help");
        commands.sort_unstable();

        let mut listed = Vec::new();
        for (_, names) in TASKS {
            listed.extend(names.iter().copied());
        }
        listed.sort_unstable();
        if !has_all_commands() {
            listed.retain(|name| commands.contains(name));
        }

        assert_eq!(listed, commands);
    }

    #[test]
    fn a_line_of_the_list_fits_into_80_columns() {
        for command in program().get_subcommands() {
            let about = command.get_about().map(StyledStr::to_string);
            let summary = about.unwrap_or_default();

            // `completions` has the longest name, behind which all summaries begin.
            let columns = "  completions  ".len() + summary.chars().count();
            assert!(columns <= 80, "{}: {columns}", command.get_name());
        }
    }

    #[test]
    fn the_short_help_names_options_that_exist() {
        let program = program();
        for (name, options) in SHORT_HELP {
            let Some(command) = program.find_subcommand(name) else {
                assert!(!has_all_commands(), "{name}");
                continue;
            };
            for option in options {
                let exists = command
                    .get_arguments()
                    .any(|arg| arg.get_long() == Some(option));
                assert!(exists, "{name} --{option}");
            }
        }
    }
}
