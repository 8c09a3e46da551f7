//! A disturbed command, the database that it starts with, and its undisturbed result.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rusqlite::Connection;

use crate::peer::time;
use crate::process::{STAMMA, quiet};

/// The sizes of the sources, in hundredths of the file.
const CUTS: [usize; 3] = [50, 75, 78];
/// The step between games with positions in the table, which comes from one byte of the file.
const SMALL: usize = 20;

/// A command to disturb and repeat.
pub(crate) struct Task {
    pub(crate) name: String,
    /// The database that it starts with, if any.
    template: Option<PathBuf>,
    command: &'static str,
    /// The arguments after the database. Each run uses one of these equivalent lists.
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
        let output = check
            .args(["check", "--digest"])
            .arg(database)
            .output()
            .expect("stamma runs");
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
    // Of no rows, there is no sum.
    let number = |row: &rusqlite::Row<'_>, at: usize| row.get::<_, Option<i64>>(at);
    let row = |row: &rusqlite::Row<'_>| {
        let [count, first, second] = [number(row, 0)?, number(row, 1)?, number(row, 2)?];
        Ok((count.unwrap_or(0), first.unwrap_or(0), second.unwrap_or(0)))
    };
    Connection::open(database)?.query_row(sql, [], row)
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
        self.arguments
            .push(arguments.into_iter().map(Into::into).collect());
        self
    }

    /// The arguments of the program; `turn` selects one of the equivalent lists.
    pub(crate) fn arguments(&self, database: &Path, turn: usize) -> Vec<OsString> {
        let mut arguments = vec![self.command.into(), database.into()];
        arguments.extend(self.arguments[turn % self.arguments.len()].iter().cloned());
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
        self.taken = time(|| stamma(self.arguments(database, 0))).1;
        self.expected = State::of(database);
        self.bytes = fs::metadata(database).expect("the database").len();
        assert!(self.expected.is_whole(), "{}: a digest", self.name);
        self
    }
}

/// The filters of an import of about a part of the games.
const FILTERS: &[&str] = &["--result", "1-0", "--plies", "40.."];

/// A newer text of the games, of which one in nine has another result, and one in seven another tag.
fn changed(text: &[u8]) -> Vec<u8> {
    let mut newer = Vec::with_capacity(text.len());
    let begins = memchr::memmem::find_iter(text, b"\n[Event ").chain([text.len()]);
    let mut start = 0;
    for (number, end) in begins.enumerate() {
        let game = &text[start..end];
        let change = |from: &str, to: &str| -> Vec<u8> {
            match memchr::memmem::find(game, from.as_bytes()) {
                Some(at) => [&game[..at], to.as_bytes(), &game[at + from.len()..]].concat(),
                None => game.to_vec(),
            }
        };
        newer.extend(match number {
            _ if number % 9 == 0 => change("[Result \"1-0\"]", "[Result \"*\"]"),
            _ if number % 7 == 0 => change("\n[Date ", "\n[Annotator \"newer\"]\n[Date "),
            _ => game.to_vec(),
        });
        start = end;
    }
    newer
}

/// Runs the program, which must succeed.
fn stamma<A: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = A>) {
    let mut command = Command::new(STAMMA);
    let code = quiet(command.args(arguments))
        .status()
        .expect("stamma runs")
        .code();
    // The exit code is 1 because some games have faults.
    assert!(matches!(code, Some(0 | 1)), "{command:?}: {code:?}");
}

/// All commands that change databases, with their input in a folder.
pub(crate) fn tasks(text: &[u8], folder: &Path) -> Vec<Task> {
    let sources = cut(text, folder, "");
    let small = cut(&text[..text.len() / SMALL], folder, "small-");
    let newer_folder = folder.join("newer");
    fs::create_dir(&newer_folder).expect("a place for the sources");
    let newer = cut(&changed(text), &newer_folder, "");
    let make = |name: &str, sources: &[PathBuf]| {
        let database = folder.join(name);
        let paths = sources.iter().map(PathBuf::as_path);
        stamma([Path::new("import"), &database].into_iter().chain(paths));
        database
    };
    let (whole, half) = (make("whole.db", &sources), make("half.db", &sources[..1]));
    let rest = make("rest.db", &sources[1..]);
    let loose = folder.join("loose.db");
    fs::copy(&whole, &loose).expect("room for a database");
    let few = "id % 11 = 0";
    stamma([
        "delete".as_ref(),
        loose.as_os_str(),
        "--where".as_ref(),
        few.as_ref(),
    ]);
    let marked = folder.join("marked.db");
    fs::copy(&whole, &marked).expect("room for a database");
    stamma([
        "dedupe".as_ref(),
        marked.as_os_str(),
        "--merge-tags".as_ref(),
    ]);
    let named = folder.join("named.db");
    fs::copy(&marked, &named).expect("room for a database");
    stamma(["names".as_ref(), named.as_os_str(), "--apply".as_ref()]);
    let some = format!("id % {SMALL} = 0");
    let tasks = vec![
        imports(Task::new("import", None, "import"), &sources, &[]),
        imports(
            Task::new("import behind others", Some(&half), "import"),
            &sources[1..],
            &[],
        ),
        imports(
            Task::new("import --store-fen", None, "import"),
            &small,
            &["--store-fen"],
        ),
        imports(
            Task::new("import filtered", None, "import"),
            &sources,
            FILTERS,
        ),
        imports(
            Task::new("import --update", Some(&whole), "import"),
            &newer,
            &["--update"],
        ),
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
    tasks
        .into_iter()
        .map(|task| task.measured(&database))
        .collect()
}

/// An import of files, mapped or not, compressed or not: any of them can resume an interrupted one.
fn imports(task: Task, sources: &[PathBuf], options: &[&str]) -> Task {
    let packed: Vec<PathBuf> = sources
        .iter()
        .map(|path| path.with_extension("pgn.gz"))
        .collect();
    let given = |paths: &[PathBuf], more: &[&str]| -> Vec<OsString> {
        let options = options.iter().chain(more).map(OsString::from);
        paths.iter().map(OsString::from).chain(options).collect()
    };
    task.with(given(sources, &[]))
        .with(given(sources, &["--no-mmap"]))
        .with(given(&packed, &[]))
}

/// Cuts a text into files between games, each also in compressed form.
fn cut(text: &[u8], folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let mut start = 0;
    let mut sources = Vec::new();
    for (number, part) in CUTS.into_iter().chain([100]).enumerate() {
        let at = text.len() / 100 * part;
        let next = memchr::memmem::find(&text[at..], b"\n[Event ").filter(|_| part < 100);
        let end = next.map_or(text.len(), |next| at + next + 1);
        let path = folder.join(format!("{prefix}{number}.pgn"));
        fs::write(&path, &text[start..end]).expect("a place for the sources");
        pack(&text[start..end], &path.with_extension("pgn.gz"));
        sources.push(path);
        start = end;
    }
    sources
}

fn pack(bytes: &[u8], path: &Path) {
    let file = fs::File::create(path).expect("a place for the sources");
    let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    packed.write_all(bytes).expect("room");
    packed.finish().expect("room");
}
