//! The loadable extension in the programs that people have: it answers what `stamma sql` answers.

mod support;

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use support::program::{Workplace, stdout_of};

const PAGE: &str = include_str!("../docs/extension.md");

/// Queries whose rows have one text column, `answer`.
const QUESTIONS: &[&str] = &[
    "SELECT json_array(white, date, ply, san, uci) AS answer FROM games
        JOIN position('rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R b KQkq -')
        ON game_id = id WHERE white_elo > 2600",
    "SELECT json_array(game_id, ply) AS answer
        FROM position('rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R')",
    "SELECT json_array(ply, fen, san, uci) AS answer FROM game_position(8)",
    "SELECT json_array(id, c.ply, comment, clock_seconds, eval_centipawns, variation) AS answer
        FROM game JOIN game_comment(game.id) AS c",
    "SELECT json_array(id, fen_after(moves, ply_count, fen) = final_fen) AS answer FROM games",
    "SELECT json_array(id, san_to_uci(moves, fen)) AS answer FROM games",
    "SELECT board_text(fen_normalize(final_fen)) AS answer FROM games WHERE id < 4",
];

const A_POSITION: &str = "SELECT * FROM position('4k3/8/8/8/8/8/8/4K3 w - -')";
const A_BAD_FEN: &str = "SELECT * FROM position('8/8')";
const A_LINE: &str = "SELECT san_to_uci('e4 e5')";

/// Runs one query in an SQLite that has loaded the extension, and prints the rows.
const PYTHON: &str = "
import sys
try:
    import apsw
except ImportError:
    sys.exit(77)
library, database, query = sys.argv[1:]
connection = apsw.Connection(database)
connection.enable_load_extension(True)
connection.load_extension(library)
for row in connection.execute(query):
    print(*row, sep='|')
connection.close()
";

const NOT_INSTALLED: i32 = 77;

/// Cargo in the folder of the extension, which is a workspace of its own: it needs an SQLite that is not bundled. It
/// shares the target folder, and with it most of its dependencies, with the program.
fn cargo(command: &str) {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("extension/Cargo.toml");
    let status = Command::new(env!("CARGO"))
        .args([command, "--locked", "--quiet", "--manifest-path"])
        .arg(manifest)
        .arg("--target-dir")
        .arg(target())
        .status();
    assert!(status.expect("cargo runs").success(), "cargo {command}");
}

fn target() -> PathBuf {
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    parent.expect("a folder in the target folder").to_owned()
}

/// The extension without the end of its name, as SQLite takes it on every system.
fn library() -> &'static str {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        cargo("build");
        let library = target().join("debug").join(format!("{DLL_PREFIX}stamma"));
        assert!(
            library.with_added_extension(&DLL_SUFFIX[1..]).exists(),
            "{}",
            library.display()
        );
        library.to_str().expect("a path in UTF-8").to_owned()
    })
}

/// A program that loads extensions.
#[derive(Clone, Copy, Debug)]
enum Host {
    Shell,
    Python,
}

impl Host {
    /// Runs a query; says so and gives nothing when the program is not installed.
    #[expect(
        clippy::print_stderr,
        reason = "a skipped test tells the one who runs it"
    )]
    fn run(self, database: &Path, query: &str) -> Option<Output> {
        let mut command = match self {
            Host::Shell => Command::new("sqlite3"),
            Host::Python => Command::new("python3"),
        };
        match self {
            Host::Shell => command
                .arg("-batch")
                .arg(database)
                .arg(format!(".load {}", library()))
                .arg(query),
            Host::Python => command
                .args(["-c", PYTHON, library()])
                .arg(database)
                .arg(query),
        };
        let output = command.output();
        let is_there = |output: &Output| output.status.code() != Some(NOT_INSTALLED);
        let output = output.ok().filter(is_there);
        if output.is_none() {
            match self {
                Host::Shell => eprintln!("skipped: there is no program sqlite3"),
                Host::Python => eprintln!("skipped: there is no python3 with apsw"),
            }
        }
        output
    }

    /// What a query prints, which must end well.
    fn answer(self, database: &Path, query: &str) -> Option<String> {
        let output = self.run(database, query)?;
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{self:?}: {query}: {said}");
        Some(
            String::from_utf8(output.stdout)
                .expect("UTF-8")
                .replace("\r\n", "\n"),
        )
    }

    /// What a query says that must fail, and must not end its host.
    fn refusal(self, database: &Path, query: &str) -> Option<String> {
        let output = self.run(database, query)?;
        assert_eq!(
            output.status.code(),
            Some(1),
            "{self:?}: {query}: {output:?}"
        );
        Some(String::from_utf8(output.stderr).expect("UTF-8"))
    }
}

/// What the program itself answers.
fn expected(work: &Workplace, query: &str) -> String {
    let lines = stdout_of(
        &work
            .run(["sql", "games.db", query, "--format", "jsonl"])
            .success(),
    );
    let answer = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        row["answer"].as_str().expect("a text").to_owned() + "\n"
    };
    lines.lines().map(answer).collect()
}

fn answers_like_the_program(host: Host) {
    let work = Workplace::with_historical_games();
    for query in QUESTIONS {
        let expected = expected(&work, query);
        assert!(!expected.is_empty(), "{query}");

        // Not every computer has every host.
        let Some(answer) = host.answer(&work.path("games.db"), query) else {
            return;
        };
        assert_eq!(answer, expected, "{host:?}: {query}");
    }

    let said = host.refusal(&work.path("games.db"), A_BAD_FEN);
    let said = said.expect("it is installed");
    assert!(
        said.contains("the board of the FEN has 2 ranks instead of 8"),
        "{said}"
    );
}

#[test]
fn the_shell_answers_like_the_program() {
    answers_like_the_program(Host::Shell);
}

#[test]
fn python_answers_like_the_program() {
    answers_like_the_program(Host::Python);
}

fn loads_into_any_database(host: Host) {
    let nowhere = Path::new(":memory:");
    let Some(line) = host.answer(nowhere, A_LINE) else {
        return;
    };
    assert_eq!(line, "e2e4 e7e5\n");
    let said = host.refusal(nowhere, A_POSITION).expect("it is installed");
    assert!(said.contains("not a Stamma database"), "{said}");
    let said = host
        .refusal(nowhere, "SELECT * FROM position")
        .expect("it is installed");
    assert!(said.contains("position(fen) needs a FEN"), "{said}");
}

#[test]
fn the_shell_loads_it_into_any_database() {
    loads_into_any_database(Host::Shell);
}

#[test]
fn python_loads_it_into_any_database() {
    loads_into_any_database(Host::Python);
}

#[test]
fn strange_hosts_are_refused() {
    cargo("test");
}

/// A block of the page on the extension, with the path of the extension that has just been built.
fn shown(kind: &str) -> String {
    let (_, block) = PAGE.split_once(&format!("```{kind}\n")).expect("a block");
    let (block, _) = block.split_once("```").expect("an end of the block");
    block.replace("extension/target/release/libstamma", library())
}

#[test]
fn commands_of_the_page_run() {
    let work = Workplace::with_historical_games();
    let commands = shown("sh");
    let command = commands
        .lines()
        .find(|line| line.starts_with("sqlite3 "))
        .expect("a command");
    if Host::Shell
        .answer(&work.path("games.db"), "SELECT 1")
        .is_some()
    {
        let run = Command::new("sh")
            .args(["-c", command])
            .current_dir(work.path(""))
            .output();
        let run = run.expect("a shell");
        assert!(
            run.status.success() && !run.stdout.is_empty(),
            "{command}: {run:?}"
        );
    }
    let program = shown("python");
    if Host::Python
        .answer(&work.path("games.db"), "SELECT 1")
        .is_some()
    {
        let run = Command::new("python3")
            .args(["-c", &program])
            .current_dir(work.path(""))
            .output();
        let run = run.expect("Python");
        assert!(
            run.status.success() && !run.stdout.is_empty(),
            "{program}: {run:?}"
        );
    }
}
