//! Examples in the help of commands can be run unchanged.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::time::Duration;

use crate::support::document;
#[cfg(unix)]
use crate::support::engine::write_stand_in;
use crate::support::program::{Workplace, games, stderr_of, stdout_of};
use crate::support::server::Server;

/// All commands that the program's help lists.
pub(super) fn commands(work: &Workplace) -> Vec<String> {
    let help = work.output("--help");
    let (_, rest) = help
        .split_once("Import and clean:\n")
        .expect("commands by task");
    let (tasks, _) = rest
        .split_once("\nOptions:\n")
        .expect("options behind the commands");

    let lines = tasks.lines().filter(|line| line.starts_with("  "));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    let commands = names.filter(|name| *name != "help");
    commands.map(str::to_owned).collect()
}

/// The examples at the end of a command's long help.
fn examples(work: &Workplace, command: &str) -> Vec<String> {
    let run = work.run([command, "--help"]).success();
    let help = stdout_of(&run);
    let (_, examples) = help.split_once("Examples:\n").expect(command);

    let lines = examples.lines().map(str::trim);
    let lines_with_text = lines.filter(|line| !line.is_empty());
    lines_with_text.map(str::to_owned).collect()
}

/// A folder with the games of the project at the path used by the examples.
fn workplace() -> Workplace {
    let work = Workplace::new();
    for file in fs::read_dir(games()).expect("a folder") {
        let file = file.expect("a file");
        let name = Path::new("tests/data/games").join(file.file_name());
        let content = fs::read(file.path()).expect("a file");
        work.write(name.to_str().expect("a name"), content);
    }

    work
}

/// Runs a command as a shell does.
fn run(work: &Workplace, example: &str) {
    let output = document::run(work, example);
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{example}\n{messages}"
    );

    let is_silent = output.stdout.is_empty() && messages.is_empty();
    let has_written = example.contains(" -o ") || example.contains(" > ") || is_upkeep(example);
    assert!(!is_silent || has_written, "{example} says nothing");
}

/// `true` if a command has no output on success.
fn is_upkeep(example: &str) -> bool {
    ["sql games.db \"UPDATE", "delete"]
        .iter()
        .any(|command| example.contains(command))
}

#[test]
#[cfg(unix)]
fn examples_run() {
    let work = workplace();
    let commands = commands(&work);
    assert!(commands.len() > 15, "{commands:?}");

    for command in commands {
        let fresh = workplace();
        run(&fresh, "stamma import games.db tests/data/games");
        run(
            &fresh,
            "stamma import studies.db tests/data/games/early.pgn",
        );

        let examples = examples(&work, &command);
        assert!((2..=8).contains(&examples.len()), "{command}: {examples:?}");

        for example in examples {
            assert!(
                example.starts_with(&format!("stamma {command}")),
                "{example}"
            );
            if let Some(arguments) = example.strip_prefix("stamma serve ") {
                let server = Server::start(&fresh, arguments);
                assert_eq!(server.get("/").status, 200);
            } else if example.starts_with("stamma analyze ") {
                write_stand_in(&fresh, "stockfish", Duration::ZERO);
                run(&fresh, &format!("PATH=\"$PWD:$PATH\" {example}"));
            } else if !example.starts_with("stamma open ") {
                // It would open a browser; the tests of the server try it.
                run(&fresh, &example);
            }
        }
    }
}

#[test]
fn help_of_a_command_is_its_long_help() {
    let work = Workplace::new();
    assert_eq!(work.output("help search"), work.output("search --help"));

    let short_help = work.output("search -h");
    let has_examples = short_help.contains("Examples:");
    assert!(!has_examples, "the short help stays short");
}

#[test]
fn the_short_help_of_a_command_fits_on_a_page() {
    let work = Workplace::new();
    for command in commands(&work) {
        let help = work.output(&format!("{command} -h"));
        assert!(help.lines().count() <= 45, "{command}");
    }
}

#[test]
fn lines_of_examples_fit_into_80_columns() {
    let work = Workplace::new();
    // Two columns are for the indent.
    for command in commands(&work) {
        for example in examples(&work, &command) {
            assert!(example.len() <= 78, "{example}");
        }
    }
}

#[test]
fn completions_name_every_command() {
    let work = Workplace::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = work.output(&format!("completions {shell}"));
        for command in commands(&work) {
            assert!(script.contains(&command), "{shell}: {command}");
        }
    }
}

/// The completions of bash for the last of some words.
#[cfg(unix)]
fn completions_of(work: &Workplace, words: &str) -> String {
    let script = format!(
        "source stamma.bash; COMP_WORDS=({words} ''); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
         compopt() {{ :; }}; _stamma stamma '' \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; echo ${{COMPREPLY[*]}}"
    );
    let output = std::process::Command::new("bash")
        .current_dir(work.path(""))
        .args(["-c", &script])
        .output()
        .expect("bash");

    let offered = String::from_utf8(output.stdout).expect("UTF-8");
    offered.trim().to_owned()
}

#[test]
#[cfg(unix)]
fn shells_offer_the_values_of_lists_and_files_where_there_are_some() {
    let work = Workplace::new();
    work.write("stamma.bash", work.output("completions bash"));

    for (words, expected) in [
        (
            "stamma search --speed",
            "ultrabullet bullet blitz rapid classical correspondence",
        ),
        ("stamma moves --flip", "colour left-right both"),
        ("stamma search --result", "1-0 0-1 1/2-1/2 draw"),
        (
            "stamma search --variant",
            "standard chess960 king-of-the-hill three-check",
        ),
        ("stamma search --since", ""),
        ("stamma search --fen-file", "stamma.bash"),
        ("stamma export --output", "stamma.bash"),
    ] {
        assert_eq!(completions_of(&work, words), expected, "{words}");
    }
    assert!(completions_of(&work, "stamma export --pieces").starts_with("en fr de "));
    assert!(completions_of(&work, "stamma man").contains(" search moves player "));
}

#[test]
fn there_is_a_page_for_every_command() {
    let work = Workplace::new();
    assert_eq!(work.output("man -o share/man1"), "");

    for command in commands(&work) {
        let page = work.read(&format!("share/man1/stamma-{command}.1"));
        assert_eq!(page, work.output(&format!("man {command}")), "{command}");

        let mut lines = page.lines();
        let title_line = lines.find(|line| line.starts_with(".TH "));
        let title = title_line.expect("a title");
        let version = env!("CARGO_PKG_VERSION");
        let expected = format!(".TH stamma-{command} 1 \" \" \"stamma {version}\" Stamma");
        assert_eq!(title, expected);

        // The examples, and the line that ends them.
        let (_, shown) = page.split_once(".SH EXAMPLES\n.nf\n").expect("examples");
        let examples = examples(&work, &command);
        assert_eq!(shown.lines().count(), examples.len() + 1, "{command}");
        assert!(shown.ends_with("\n.fi\n"), "{shown}");
    }

    assert_eq!(work.read("share/man1/stamma.1"), work.output("man"));

    // Options and arguments with their values, as the help names them.
    let synopsis = "[\\fB\\-\\-ply\\fR \\fILIST\\fR] ";
    let show = work.output("man show");
    assert!(show.contains(synopsis), "{show}");

    let moves = work.output("man moves");
    assert!(moves.contains(" [\\fIDATABASE|FEN|MOVES\\fR...]\n"));

    let run = work.stamma("man nonsense").code(2);
    let stderr = stderr_of(&run);
    assert!(stderr.contains("there is no command nonsense"), "{stderr}");
}

#[test]
fn version_names_database_sqlite_and_features() {
    let work = Workplace::new();
    let plain = work.output("--version");
    assert_eq!(plain, concat!("stamma ", env!("CARGO_PKG_VERSION"), "\n"));

    work.import("1. e4 *\n");
    let database = work.query("PRAGMA user_version");
    let sqlite = work.query("SELECT sqlite_version()");
    let verbose = work.output("--version --verbose");

    let versions = format!("\ndatabase version: {database}\nSQLite: {sqlite}\n");
    let features = "\nfeatures: program, compressed, serve, dataset, chessbase, bundled\n";
    assert!(verbose.starts_with(&plain), "{verbose}");
    assert!(verbose.contains(&versions), "{verbose}");
    assert!(verbose.contains(features), "{verbose}");

    for same in ["-vV", "-Vv", "--verbose -V"] {
        assert_eq!(work.output(same), verbose, "{same}");
    }
}

#[test]
fn verbose_goes_with_version_alone() {
    let work = Workplace::new();
    work.stamma("--verbose").failure().code(2);
    work.stamma("--verbose info games.db").failure().code(2);
}
