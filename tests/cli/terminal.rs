//! Text from data is printed without characters that a terminal would obey.

use crate::support::program::{Workplace, stderr_of, stdout_of};

/// One of each kind: C0 and C1 controls, DEL, bidirectional controls, joiners and other characters without a
/// width, separators of lines and paragraphs.
const HOSTILE: &str = "\u{1b}[31m\u{7}\u{8}\u{7f}\u{85}\u{9b}31m\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\
    \u{2068}\u{2069}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{61c}\u{2028}\u{2029}\u{2060}\u{feff}\u{ad}\u{e0041}";

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The characters of a text that a terminal would obey or that are invisible.
fn control_characters(text: &str) -> Vec<char> {
    text.chars()
        .filter(|&letter| !matches!(letter, '\n' | '\t') && is_hostile(letter))
        .collect()
}

fn is_hostile(letter: char) -> bool {
    letter.is_control() || (!letter.is_ascii() && HOSTILE.contains(letter))
}

/// Runs the program, checks all of its output, and returns it.
fn checked_output<S: AsRef<std::ffi::OsStr>>(
    work: &Workplace,
    arguments: impl IntoIterator<Item = S>,
) -> String {
    let words: Vec<std::ffi::OsString> = arguments
        .into_iter()
        .map(|word| word.as_ref().to_owned())
        .collect();
    let run = work.run(&words);

    // Messages repeat what was given, so they are checked like the output.
    let printed = stdout_of(&run) + &stderr_of(&run);
    assert_eq!(control_characters(&printed), [], "{words:?}:\n{printed}");

    printed
}

/// A name with all hostile characters that a file name may have.
fn name(stem: &str) -> String {
    format!("{stem}{HOSTILE}")
}

/// Games with hostile characters in tags, comments, variations, moves, unread text and between games.
fn games() -> String {
    let bad = HOSTILE;
    let tags: String = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
        .iter()
        .chain(&[
            "WhiteElo",
            "BlackElo",
            "ECO",
            "Opening",
            "Annotator",
            "TimeControl",
        ])
        .map(|tag| (tag, if *tag == "Black" { "Bert" } else { "Anna" }))
        .map(|(tag, name)| format!("[{tag} \"{name}{bad}\"]\n"))
        .collect();

    format!(
        "{tags}[X{bad} \"y\"]\n[ill{bad}\n\n{{first {bad} words}} 1. e4 {{said{bad}}} e5{bad} (1... c5 {{in{bad}}}) \
         2. Nf3{bad} $300{bad} Nc6 3. Zz9{bad} 1-0 behind{bad}\n\nbetween{bad}\n\n\
         {tags}[Variant \"odd{bad}\"]\n\n1. e4 {bad} *\n\n\
         {tags}[SetUp \"1\"]\n[FEN \"8/8{bad}\"]\n\n1. e4 *\n\n\
         [Event \"plain\"]\n[White \"Anna\"]\n[Black \"Bert\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n"
    )
}

/// A database with hostile texts, and hostile names of files.
struct Hostile {
    work: Workplace,
    database: String,
    source: String,
}

impl Hostile {
    fn new() -> Hostile {
        let (work, source) = (Workplace::new(), name("in") + ".pgn");
        work.write(&source, games());

        let database = name("games") + ".db";
        let said = checked_output(&work, ["import", &database, &source]);
        assert!(said.contains("4 games"), "{said}");

        Hostile {
            work,
            database,
            source,
        }
    }

    /// Runs a command on the database.
    fn runs(&self, command: &str, arguments: &[&str]) -> String {
        checked_output(
            &self.work,
            [command, &self.database].iter().chain(arguments),
        )
    }
}

#[test]
fn imports_and_conversions() {
    let Hostile {
        work,
        database,
        source,
    } = &Hostile::new();
    for options in [
        &["--json"][..],
        &["--progress", "--again"],
        &["--again", "--quiet"],
        &[],
    ] {
        checked_output(work, ["import", database, source].iter().chain(options));
    }

    for options in [
        &[][..],
        &["--strict"],
        &["--fix"],
        &["--output-encoding", "latin1"],
    ] {
        let command = ["convert", source, "-o", "out.pgn"];
        checked_output(work, command.iter().chain(options));
    }
}

#[test]
fn lists_and_pages() {
    let hostile = Hostile::new();
    for format in ["table", "jsonl", "csv"] {
        // CSV of texts is for programs, and has the characters themselves.
        if format != "csv" {
            hostile.runs("search", &["--format", format]);
            hostile.runs("search", &["--format", format, START]);
            hostile.runs("player", &["--format", format, "Anna"]);
            hostile.runs("player", &["--format", format, "Anna", "--against", "Bert"]);
            let all_texts = "SELECT * FROM games; SELECT * FROM problem";
            hostile.runs("sql", &["--format", format, all_texts]);
        }

        hostile.runs("moves", &["--format", format, START]);
        hostile.runs("moves", &["--format", format, "--depth", "3", START]);
    }

    assert!(hostile.runs("player", &["Anna"]).contains("Anna [31m"));

    hostile.runs("info", &[]);
    for game in ["1", "2", "3", "4", "9"] {
        hostile.runs("show", &[game]);
    }

    hostile.runs("export", &["--format", "jsonl"]);
    hostile.runs("export", &["-o", "out.pgn", "--strict"]);
}

#[test]
fn lists_of_positions() {
    let hostile = Hostile::new();
    let list = name("list");
    hostile.work.write(
        &list,
        format!(
            "{START} ; id \"{HOSTILE}\";\n{START} id \"a{HOSTILE}b\";\n8/8{HOSTILE} w\n{HOSTILE}\n"
        ),
    );

    for format in ["table", "count", "jsonl"] {
        let said = hostile.runs("search", &["--fen-file", &list, "--format", format]);
        assert!(said.contains('4'), "{said}");
    }
}

#[test]
fn names_and_conditions_that_are_refused() {
    let hostile = Hostile::new();
    let bad = name("Annb");

    for option in [
        "--player",
        "--variant",
        "--where",
        "--after",
        "--pattern",
        "--limit",
        "--format",
    ] {
        hostile.runs("search", &[option, &bad]);
    }

    // A tag, a position, and an option itself.
    hostile.runs("search", &["--tag", &format!("{bad}=x")]);
    hostile.runs("search", &[&bad]);
    hostile.runs("search", &[&format!("--{bad}")]);

    hostile.runs("sql", &[&bad]);
    hostile.runs("delete", &["--where", &bad]);
    hostile.runs("export", &["-o", &format!("{bad}/none/out.pgn")]);

    // The name as a file, a database, a source and a command.
    let Hostile { work, database, .. } = &hostile;
    checked_output(work, [&bad]);
    checked_output(work, ["info", &bad]);
    checked_output(work, ["import", database, &bad]);
    checked_output(work, ["man", &bad]);
    checked_output(work, ["convert", &bad]);
}

#[test]
fn upkeep() {
    let hostile = Hostile::new();
    let book = name("book");
    let merged = name("new");

    hostile.runs("check", &["--full"]);
    hostile.runs("check", &["--digest"]);
    hostile.runs("book", &["-o", &book, "--min-games", "1"]);
    hostile.runs("materialize", &[]);
    hostile.runs("optimize", &[]);

    // The first merge creates the database, and the second adds to it.
    for _ in 0..2 {
        checked_output(&hostile.work, ["merge", &merged, &hostile.database]);
    }

    hostile.runs("forget", &["out.pgn"]);
    hostile.runs("forget", &[&hostile.source]);
    hostile.runs("delete", &["--games", "1"]);
}

/// Another program has written other values into columns that Stamma fills from a fixed list.
#[test]
fn columns_that_another_program_has_filled() {
    let work = Workplace::new();
    work.import(games());

    let connection = rusqlite::Connection::open(work.path("games.db")).expect("a database");
    connection
        .pragma_update(None, "ignore_check_constraints", true)
        .expect("a setting");

    for change in [
        "UPDATE game SET result = result || ?1, date = ?1, eco = ?1",
        "UPDATE movetext SET moves = moves || ?1, rest = ?1,
            annotations = json_object('1', json_array('$' || ?1, '(', 'e5' || ?1, '{' || ?1, ')'))",
        "UPDATE source SET path = ?1, imported_at = ?1, notation = ?1, language = ?1, encoding = ?1",
    ] {
        connection
            .execute(change, [HOSTILE])
            .expect("rows are changed");
    }

    drop(connection);
    for arguments in [
        "info games.db",
        "show games.db 1",
        "show games.db 2",
        "show games.db 4",
    ] {
        checked_output(&work, arguments.split(' '));
    }

    for arguments in [
        "search games.db",
        "moves games.db",
        "player games.db anna",
        "check games.db --full",
    ] {
        checked_output(&work, arguments.split(' '));
    }

    checked_output(&work, ["forget", "games.db", "1"]);
}

/// Output for programs has the text of the files, with escapes in JSON.
#[test]
fn programs_get_what_there_is() {
    let hostile = Hostile::new();
    let name = format!("Anna{HOSTILE}");

    let printed = hostile.runs("search", &["--format", "jsonl", "--limit", "1"]);
    let mut lines = printed.lines();
    let json = lines.find(|line| line.starts_with('{')).expect("a game");
    let game: serde_json::Value = serde_json::from_str(json).expect("JSON");
    assert_eq!(game["white"], name);

    // CSV has no escapes.
    let search = ["search", &hostile.database, "--format", "csv"];
    let csv = stdout_of(&hostile.work.run(search));
    assert!(csv.contains(&name), "{csv}");
}

/// What a command writes to a terminal, which `script` provides; `None` without that program.
#[cfg(target_os = "linux")]
fn on_a_terminal(work: &Workplace, arguments: &str) -> Option<String> {
    let program = env!("CARGO_BIN_EXE_stamma");
    let run = std::process::Command::new("script")
        .args([
            "--quiet",
            "--command",
            &format!("'{program}' {arguments}"),
            "/dev/null",
        ])
        .current_dir(work.path(""))
        .env("TERM", "xterm-256color")
        .env("LC_ALL", "C.UTF-8")
        .env_remove("NO_COLOR")
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;

    // The terminal begins each line at the left.
    Some(String::from_utf8_lossy(&run.stdout).replace("\r\n", "\n"))
}

#[test]
#[cfg(target_os = "linux")]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn formats_for_programs_are_harmless_on_a_terminal() {
    let work = Workplace::new();
    work.import(games());

    for arguments in [
        "search games.db --format csv",
        "search games.db --format pgn",
        "export games.db",
        "export games.db --format csv",
        "export games.db --output-encoding latin1",
        "convert in.pgn --quiet",
        "sql games.db --format csv 'SELECT * FROM games'",
        "player games.db Anna --format csv",
    ] {
        let Some(shown) = on_a_terminal(&work, arguments) else {
            eprintln!("skipped: there is no `script`");
            return;
        };
        assert!(shown.contains("Anna [31m"), "{arguments}: {shown}");
        assert_eq!(control_characters(&shown), [], "{arguments}: {shown}");
    }

    // Colours of the program's own stay.
    for arguments in [
        "board",
        "show games.db 4",
        "search games.db e4",
        "moves games.db",
    ] {
        let shown = on_a_terminal(&work, arguments).unwrap_or_default();
        assert!(shown.contains("\u{1b}[38;5;16m"), "{arguments}: {shown}");
    }
}

/// A pipe gets every byte of the games.
#[test]
fn formats_for_programs_are_whole_in_a_pipe() {
    let work = Workplace::new();
    work.import(games());

    for arguments in [
        "export games.db",
        "export games.db --format csv",
        "search games.db --format pgn",
    ] {
        let written = work.output(arguments);
        assert!(
            written.contains(&format!("Anna{HOSTILE}")),
            "{arguments}: {written}"
        );
    }
}
