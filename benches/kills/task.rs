//! A disturbed command, the database that it starts with, and its undisturbed result.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rusqlite::Connection;

use crate::peer::time;
use crate::process::{STAMMA, quiet};

/// The ends of all sources but the last, in hundredths of the file: sources of half the file, a quarter, and little.
const CUTS: [usize; 3] = [50, 75, 78];
/// The step between games with positions in the table, which comes from one byte of the file.
const SMALL: usize = 20;

/// A command to disturb and repeat.
pub(crate) struct Task {
    pub(crate) name: String,
    /// The database that it starts with, if any.
    template: Option<PathBuf>,
    command: &'static str,
    /// The arguments after the database, as equivalent lists. Each run uses one list.
    arguments: Vec<Vec<OsString>>,
    pub(crate) expected: State,
    /// The time of an undisturbed run.
    pub(crate) taken: Duration,
    /// The final size of the database.
    pub(crate) bytes: u64,
}

/// The content of a database: its digest, and counts and sums of its table of positions and of its marks of duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    digest: String,
    fens: Option<(i64, i64, i64)>,
    marks: Option<(i64, i64, i64)>,
}

impl State {
    /// The content of a database; all fields are `None` if it cannot be read.
    pub(crate) fn of(database: &Path) -> State {
        let mut check = Command::new(STAMMA);
        check.args(["check", "--digest"]).arg(database);
        let output = check.output().expect("stamma runs");
        let digest = String::from_utf8_lossy(&output.stdout).trim().to_owned();

        let fens = "SELECT count(*), sum(game_id * 1000 + ply), sum(length(fen)) FROM position_fen";
        let marks = "SELECT count(*), sum(game_id * 1000 + place), sum(kept_id) FROM duplicate_of";
        State {
            digest,
            fens: sums(database, fens).ok(),
            marks: sums(database, marks).ok(),
        }
    }

    pub(crate) fn is_whole(&self) -> bool {
        !self.digest.is_empty()
    }
}

fn sums(database: &Path, sql: &str) -> rusqlite::Result<(i64, i64, i64)> {
    let connection = Connection::open(database)?;
    connection.query_row(sql, [], |row| {
        let count: i64 = row.get(0)?;
        // Without rows, a sum is null.
        let first: Option<i64> = row.get(1)?;
        let second: Option<i64> = row.get(2)?;
        Ok((count, first.unwrap_or(0), second.unwrap_or(0)))
    })
}

impl Task {
    fn new(name: impl Into<String>, template: Option<&Path>, command: &'static str) -> Task {
        Task {
            name: name.into(),
            template: template.map(Path::to_owned),
            command,
            arguments: Vec::new(),
            expected: State::default(),
            taken: Duration::ZERO,
            bytes: 0,
        }
    }

    fn with<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Task {
        let list = arguments.into_iter().map(Into::into);
        self.arguments.push(list.collect());
        self
    }

    /// The arguments of the program; `turn` selects one of the equivalent lists.
    pub(crate) fn arguments(&self, database: &Path, turn: usize) -> Vec<OsString> {
        let list = &self.arguments[turn % self.arguments.len()];
        let mut arguments = vec![self.command.into(), database.into()];
        arguments.extend(list.iter().cloned());
        arguments
    }

    /// Restores the database that the command starts with.
    pub(crate) fn begin(&self, database: &Path) {
        for name in ["", "-journal", "-wal", "-shm", "-lock"] {
            let mut path = database.as_os_str().to_owned();
            path.push(name);
            // Most of them do not exist.
            let _ = fs::remove_file(path);
        }
        if let Some(template) = &self.template {
            fs::copy(template, database).expect("room for a database");
        }
    }

    /// Runs it undisturbed, and records the result.
    fn measured(mut self, database: &Path) -> Task {
        self.begin(database);
        let ((), taken) = time(|| stamma(self.arguments(database, 0)));
        self.taken = taken;
        self.expected = State::of(database);
        self.bytes = fs::metadata(database).expect("the database").len();
        assert!(self.expected.is_whole(), "{}: a digest", self.name);
        self
    }
}

/// The filters of an import of about a part of the games.
const FILTERS: &[&str] = &["--result", "1-0", "--plies", "40.."];

/// A newer text of the games, of which one in nine has another result, and one in seven another tag.
fn newer_text(text: &[u8]) -> Vec<u8> {
    const WON: &str = "[Result \"1-0\"]";
    const UNFINISHED: &str = "[Result \"*\"]";
    const DATE: &str = "\n[Date ";
    const ANNOTATOR_AND_DATE: &str = "\n[Annotator \"newer\"]\n[Date ";

    let mut newer = Vec::with_capacity(text.len());
    let ends = memchr::memmem::find_iter(text, b"\n[Event ").chain([text.len()]);
    let mut start = 0;
    for (number, end) in ends.enumerate() {
        let game = &text[start..end];
        if number % 9 == 0 {
            newer.extend(replaced(game, WON, UNFINISHED));
        } else if number % 7 == 0 {
            newer.extend(replaced(game, DATE, ANNOTATOR_AND_DATE));
        } else {
            newer.extend_from_slice(game);
        }
        start = end;
    }
    newer
}

/// A game with the first occurrence of a text replaced.
fn replaced(game: &[u8], from: &str, to: &str) -> Vec<u8> {
    match memchr::memmem::find(game, from.as_bytes()) {
        Some(at) => {
            let rest = &game[at + from.len()..];
            [&game[..at], to.as_bytes(), rest].concat()
        }
        None => game.to_vec(),
    }
}

/// Runs the program, which must succeed.
fn stamma<A: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = A>) {
    let mut command = Command::new(STAMMA);
    command.args(arguments);
    let status = quiet(&mut command).status().expect("stamma runs");
    let code = status.code();
    // The exit code is 1 because some games have faults.
    assert!(matches!(code, Some(0 | 1)), "{command:?}: {code:?}");
}

/// All commands that change databases, with their input in a folder.
pub(crate) fn tasks(text: &[u8], folder: &Path) -> Vec<Task> {
    let sources = cut(text, folder, "");
    let small = cut(&text[..text.len() / SMALL], folder, "small-");
    let newer_folder = folder.join("newer");
    fs::create_dir(&newer_folder).expect("a place for the sources");
    let newer = cut(&newer_text(text), &newer_folder, "");

    let whole = imported(folder.join("whole.db"), &sources);
    let half = imported(folder.join("half.db"), &sources[..1]);
    let rest = imported(folder.join("rest.db"), &sources[1..]);

    let few = "id % 11 = 0";
    let loose = changed_copy(&whole, folder.join("loose.db"), "delete", &["--where", few]);
    let marked = changed_copy(
        &whole,
        folder.join("marked.db"),
        "dedupe",
        &["--merge-tags"],
    );
    let named = changed_copy(&marked, folder.join("named.db"), "names", &["--apply"]);

    let some = format!("id % {SMALL} = 0");
    let later_sources = &sources[1..];
    let tasks = [
        import_task("import", None, &sources, &[]),
        import_task("import behind others", Some(&half), later_sources, &[]),
        import_task("import --store-fen", None, &small, &["--store-fen"]),
        import_task("import filtered", None, &sources, FILTERS),
        import_task("import --update", Some(&whole), &newer, &["--update"]),
        Task::new("optimize", Some(&loose), "optimize").with([""; 0]),
        Task::new("delete", Some(&whole), "delete").with(["--where", few]),
        Task::new("dedupe", Some(&whole), "dedupe").with(["--merge-tags", "--prefer", "first"]),
        Task::new("dedupe --undo", Some(&marked), "dedupe").with(["--undo"]),
        Task::new("names --apply", Some(&marked), "names").with(["--apply"]),
        Task::new("names --undo", Some(&named), "names").with(["--undo"]),
        Task::new("merge", Some(&half), "merge").with([&rest]),
        Task::new("forget", Some(&whole), "forget").with([&sources[1]]),
        Task::new("materialize", Some(&whole), "materialize").with(["--where", &some]),
    ];

    let database = folder.join("undisturbed.db");
    let measured = tasks.into_iter().map(|task| task.measured(&database));
    measured.collect()
}

/// Imports files into a new database.
fn imported(database: PathBuf, sources: &[PathBuf]) -> PathBuf {
    let mut arguments = vec![Path::new("import"), &database];
    arguments.extend(sources.iter().map(PathBuf::as_path));
    stamma(arguments);
    database
}

/// Copies a database, and changes the copy by a command.
fn changed_copy(database: &Path, copy: PathBuf, command: &str, options: &[&str]) -> PathBuf {
    fs::copy(database, &copy).expect("room for a database");

    let mut arguments = vec![OsStr::new(command), copy.as_os_str()];
    arguments.extend(options.iter().map(OsStr::new));
    stamma(arguments);
    copy
}

/// An import of files, mapped or not, compressed or not: any of them can resume an interrupted one.
fn import_task(name: &str, template: Option<&Path>, sources: &[PathBuf], options: &[&str]) -> Task {
    let mut packed = Vec::new();
    for path in sources {
        packed.push(path.with_extension("pgn.gz"));
    }

    let arguments = |paths: &[PathBuf]| -> Vec<OsString> {
        let options = options.iter().map(OsString::from);
        paths.iter().map(OsString::from).chain(options).collect()
    };
    let mut not_mapped = arguments(sources);
    not_mapped.push("--no-mmap".into());
    Task::new(name, template, "import")
        .with(arguments(sources))
        .with(not_mapped)
        .with(arguments(&packed))
}

/// Cuts a text into files between games, each also in compressed form.
fn cut(text: &[u8], folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let mut start = 0;
    let mut sources = Vec::new();
    for (number, percent) in CUTS.into_iter().chain([100]).enumerate() {
        let at = text.len() / 100 * percent;
        let next_game = memchr::memmem::find(&text[at..], b"\n[Event ");
        let end = match next_game {
            // Behind the line feed.
            Some(next) if percent < 100 => at + next + 1,
            _ => text.len(),
        };

        let part = &text[start..end];
        let path = folder.join(format!("{prefix}{number}.pgn"));
        fs::write(&path, part).expect("a place for the sources");
        pack(part, &path.with_extension("pgn.gz"));
        sources.push(path);
        start = end;
    }
    sources
}

fn pack(bytes: &[u8], path: &Path) {
    let file = fs::File::create(path).expect("a place for the sources");
    let level = flate2::Compression::fast();
    let mut packed = flate2::write::GzEncoder::new(file, level);
    packed.write_all(bytes).expect("room");
    packed.finish().expect("room");
}
