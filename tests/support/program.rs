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

/// Where temporary folders are: in memory where there is plenty, since tests change thousands of databases and would wait
/// for the disk at each change. A `TMPDIR` that is set decides.
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
    let told = fs::read_to_string("/proc/meminfo").ok()?;
    let line = told
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib / 1024)
}

/// The mebibytes that are free in a file system; `None` on a system that does not tell.
fn free_mib(folder: &Path) -> Option<u64> {
    let told = std::process::Command::new("df")
        .arg("-Pk")
        .arg(folder)
        .output()
        .ok()?;
    let told = String::from_utf8(told.stdout).ok()?;
    let kib: u64 = told
        .lines()
        .nth(1)?
        .split_whitespace()
        .nth(3)?
        .parse()
        .ok()?;
    Some(kib / 1024)
}

/// A temporary folder in which `stamma` runs, removed at the end of the test.
pub(crate) struct Workplace(TempDir);

impl Workplace {
    pub(crate) fn new() -> Workplace {
        Workplace(tempfile::tempdir_in(&*TEMPORARY).expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
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
        text(&self.stamma(arguments).success())
    }

    /// Imports a PGN text into `games.db`, whatever its problems.
    pub(crate) fn import(&self, pgn: impl AsRef<[u8]>) {
        self.write("in.pgn", pgn);
        let code = self
            .stamma("import games.db in.pgn")
            .get_output()
            .status
            .code();
        assert!(
            matches!(code, Some(0 | 1)),
            "the import ended with {code:?}"
        );
    }

    /// The only column of a query, as lines.
    pub(crate) fn query(&self, sql: &str) -> String {
        let connection = rusqlite::Connection::open(self.path("games.db")).expect("a database");
        let mut statement = connection.prepare(sql).expect("SQL");
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            let cells = (0..columns).map(|column| cell(row.get_ref(column).expect("a column")));
            Ok(cells.collect::<Vec<String>>().join("|"))
        });
        let rows: Vec<String> = rows.expect("rows").map(|row| row.expect("a row")).collect();
        rows.join("\n")
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
pub(crate) fn text(run: &Assert) -> String {
    String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8")
}

/// The standard error of a run.
pub(crate) fn messages(run: &Assert) -> String {
    String::from_utf8(run.get_output().stderr.clone()).expect("UTF-8")
}
