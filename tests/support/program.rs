//! Helpers for tests of the command line: a folder for each test, with the program in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use tempfile::TempDir;

/// The folder of the project's own games.
pub(crate) fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/games")
}

/// The project's own games as one text, in the order of an import of their folder.
pub(crate) fn text_of_games() -> String {
    let mut text = String::new();
    for file in stamma::input::find_files(&games()).expect("the games are there") {
        text += &fs::read_to_string(file).expect("PGN");
    }
    text
}

/// [`text_of_games`] with a comment before the first move of each game.
pub(crate) fn commented_games(comment: &str) -> String {
    let first_move = format!("\n\n{{{comment}}}\n1. ");
    text_of_games().replace("\n\n1. ", &first_move)
}

/// Where temporary folders are: in memory where there is plenty, since tests change thousands of databases and would
/// wait for the disk at each change. A `TMPDIR` that is set decides.
static TEMPORARY: LazyLock<PathBuf> = LazyLock::new(|| {
    const MIN_FREE_MIB: u64 = 4000;
    let memory = Path::new("/dev/shm");
    let is_chosen = std::env::var_os("TMPDIR").is_some();
    if !is_chosen && free_memory_mib().min(free_mib(memory)) > Some(MIN_FREE_MIB) {
        memory.to_owned()
    } else {
        std::env::temp_dir()
    }
});

/// The mebibytes that programs can have without swapping; `None` on a system that does not tell.
fn free_memory_mib() -> Option<u64> {
    let report = fs::read_to_string("/proc/meminfo").ok()?;
    let mut lines = report.lines();

    // For example `MemAvailable:    8047532 kB`.
    let available = lines.find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let digits = available.trim().strip_suffix(" kB")?;
    let kib: u64 = digits.parse().ok()?;
    Some(kib / 1024)
}

/// The mebibytes that are free in a file system; `None` on a system that does not tell.
fn free_mib(folder: &Path) -> Option<u64> {
    let mut df = std::process::Command::new("df");
    let output = df.arg("-Pk").arg(folder).output().ok()?;
    let report = String::from_utf8(output.stdout).ok()?;

    // With `-P`, each file system has one line, whose fourth word is the free space.
    let line = report.lines().nth(1)?;
    let digits = line.split_whitespace().nth(3)?;
    let kib: u64 = digits.parse().ok()?;
    Some(kib / 1024)
}

/// A temporary folder in which `stamma` runs, removed at the end of the test.
pub(crate) struct Workplace(TempDir);

impl Workplace {
    pub(crate) fn new() -> Workplace {
        Workplace(tempfile::tempdir_in(&*TEMPORARY).expect("a temporary folder"))
    }

    /// A folder whose `games.db` has the project's own games, imported by `stamma`.
    pub(crate) fn with_historical_games() -> Workplace {
        let work = Workplace::new();
        let games = games();
        let import = ["import".as_ref(), "games.db".as_ref(), games.as_os_str()];
        work.run(import).success();

        work
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        // A name may have folders that are not there yet.
        let folder = path.parent().expect("a folder");
        fs::create_dir_all(folder).expect("a new folder");
        fs::write(path, content).expect("a new file");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a text file")
    }

    /// Runs `stamma` with arguments separated by spaces.
    pub(crate) fn stamma(&self, arguments: &str) -> Assert {
        self.run(arguments.split_whitespace())
    }

    /// Runs `stamma` with arguments that may contain spaces.
    pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
    ) -> Assert {
        let mut command = Command::cargo_bin("stamma").expect("the program is built");
        command.current_dir(self.0.path()).args(arguments).assert()
    }

    /// Runs `stamma`, which must succeed, and returns its output.
    pub(crate) fn output(&self, arguments: &str) -> String {
        stdout_of(&self.stamma(arguments).success())
    }

    /// Imports a PGN text into `games.db`, whatever its problems.
    pub(crate) fn import(&self, pgn: impl AsRef<[u8]>) {
        self.write("in.pgn", pgn);
        let run = self.stamma("import games.db in.pgn");
        let code = run.get_output().status.code();
        // The exit code is 1 if games have problems.
        assert!(
            matches!(code, Some(0 | 1)),
            "the import ended with {code:?}"
        );
    }

    /// The rows of a query, as lines of cells with bars between them.
    pub(crate) fn query(&self, sql: &str) -> String {
        let connection = rusqlite::Connection::open(self.path("games.db")).expect("a database");
        let mut statement = connection.prepare(sql).expect("SQL");
        let columns = statement.column_count();

        let mut lines = Vec::new();
        let mut rows = statement.query([]).expect("rows");
        while let Some(row) = rows.next().expect("a row") {
            let mut cells = Vec::new();
            for column in 0..columns {
                let value = row.get_ref(column).expect("a column");
                cells.push(cell(value));
            }
            lines.push(cells.join("|"));
        }
        lines.join("\n")
    }
}

fn cell(value: rusqlite::types::ValueRef<'_>) -> String {
    use rusqlite::types::ValueRef;
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => format!("{bytes:02x?}"),
    }
}

/// The standard output of a run.
pub(crate) fn stdout_of(run: &Assert) -> String {
    let bytes = run.get_output().stdout.clone();
    String::from_utf8(bytes).expect("UTF-8")
}

/// The values of JSON Lines.
pub(crate) fn json_lines(text: &str) -> Vec<serde_json::Value> {
    let values = text.lines().map(serde_json::from_str);
    values.map(|value| value.expect("JSON")).collect()
}

/// The first field of each row of CSV, without the header. The fields must be numbers or words, without quotes.
///
/// # Panics
/// If a row has one field only.
pub(crate) fn first_fields(csv: &str) -> Vec<&str> {
    let rows = csv.lines().skip(1);
    let fields = rows.map(|row| row.split_once(',').expect("several columns").0);
    fields.collect()
}

/// The standard error of a run.
pub(crate) fn stderr_of(run: &Assert) -> String {
    let bytes = run.get_output().stderr.clone();
    String::from_utf8(bytes).expect("UTF-8")
}
