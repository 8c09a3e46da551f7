//! Data sets as whole processes: time and memory beside an import, and the bytes of each column of positions.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench dataset [-- FILE]` (default `archive-100k.pgn`). The answers are checked: the
//! digests of the file, of the database and of eight shards together must be equal, and positions from the file's own
//! games must have as many rows as a search finds games. Otherwise the exit code is 1.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;
use parquet::column::reader::ColumnReader;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;
use stamma::board::Position;
use stamma::notation::San;
use stamma::{Database, Query};

#[allow(dead_code, reason = "other benches read games with the peer")]
#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[allow(dead_code, reason = "other benches time programs")]
mod process;

use peer::{corpus_file, time};
use process::{STAMMA, run_stamma};

#[derive(Parser)]
struct Arguments {
    /// The file of the corpus
    #[arg(default_value = "archive-100k.pgn")]
    file: String,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// The number of shards that a data set is also made in.
const SHARDS: u32 = 8;
/// Positions whose games are counted.
const LINES: [&str; 6] = [
    "e4",
    "e4 c5 Nf3 d6",
    "d4 Nf6 c4 e6 Nc3 Bb4",
    "e4 e5 Nf3 Nc6 Bb5 a6",
    "Nf3 d5 g3",
    "b3 e5 Bb2",
];

/// The rows of a table, and their digest.
#[derive(Default, PartialEq, Eq)]
struct TableSum {
    rows: u64,
    /// The sum of the digests of all parts, modulo 2^128.
    digest: u128,
}

/// Runs the program, which may find faults in games, and returns the seconds.
fn seconds(arguments: &[&str]) -> f64 {
    let mut command = Command::new(STAMMA);
    command.args(arguments);

    let ((), taken) = time(|| run_stamma(&mut command));
    taken.as_secs_f64()
}

/// The files of the table of positions.
fn position_files(data: &Path) -> Vec<PathBuf> {
    paths(data, "positions/*/*.parquet")
}

/// The files in a folder whose paths match a pattern.
fn paths(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let pattern = folder.join(pattern);
    let paths = glob::glob(&pattern.to_string_lossy()).expect("a pattern");
    paths.map(|path| path.expect("a file")).collect()
}

/// The rows and digests of all tables, added up over all parts.
fn sums(data: &Path) -> BTreeMap<String, TableSum> {
    let mut sums: BTreeMap<String, TableSum> = BTreeMap::new();
    for path in paths(data, "_manifest/*.json") {
        let text = fs::read(path).expect("a manifest");
        let manifest: Value = serde_json::from_slice(&text).expect("JSON");
        let tables = manifest["tables"].as_object().expect("tables");
        for (table, entry) in tables {
            let rows = entry["rows"].as_u64().expect("a number");
            let hex = entry["digest"].as_str().expect("a digest");
            let digest = u128::from_str_radix(hex, 16).expect("a digest");

            let sum = sums.entry(table.clone()).or_default();
            sum.rows += rows;
            sum.digest = sum.digest.wrapping_add(digest);
        }
    }
    sums
}

/// Prints the bytes of each column for each row.
fn print_columns(data: &Path) {
    let mut columns: BTreeMap<String, i64> = BTreeMap::new();
    let mut rows = 0;
    let mut file_bytes = 0;
    for path in position_files(data) {
        let file = File::open(&path).expect("a file");
        file_bytes += file.metadata().expect("a size").len();

        let reader = SerializedFileReader::new(file).expect("a Parquet file");
        for group in reader.metadata().row_groups() {
            rows += group.num_rows();
            for column in group.columns() {
                let name = column.column_path().string();
                let bytes = columns.entry(name).or_default();
                *bytes += column.compressed_size();
            }
        }
    }

    for (name, bytes) in columns {
        let share = bytes as f64 / rows as f64;
        println!("  {name:<10} {share:6.3} bytes a position");
    }
    // Besides the columns, files have their metadata.
    let share = file_bytes as f64 / rows as f64;
    println!(
        "  {:<10} {share:6.3} bytes a position, {rows} positions",
        "all"
    );
}

/// The number of rows with each of some keys.
fn count_keys(data: &Path, keys: &[i64]) -> Vec<u64> {
    let mut counts = vec![0; keys.len()];
    for path in position_files(data) {
        let file = File::open(path).expect("a file");
        let reader = SerializedFileReader::new(file).expect("Parquet");
        for number in 0..reader.num_row_groups() {
            let group = reader.get_row_group(number).expect("a row group");
            // The key is the first column.
            let column = group.get_column_reader(0).expect("a column");
            let ColumnReader::Int64ColumnReader(mut column) = column else {
                panic!("keys are numbers of 64 bits");
            };
            let mut values = Vec::new();
            column
                .read_records(usize::MAX, None, None, &mut values)
                .expect("values");

            for (key, count) in keys.iter().zip(&mut counts) {
                let rows = values.iter().filter(|value| *value == key);
                *count += rows.count() as u64;
            }
        }
    }
    counts
}

/// Compares the rows of some positions with the games that a search finds, and prints both.
fn are_counts_right(database: &Path, data: &Path) -> bool {
    let database = Database::open(database).expect("a database");
    let mut keys = Vec::new();
    let mut counted = Vec::new();
    for line in LINES {
        let position = reached(line);
        // Parquet has the key as a signed number.
        let key = position.key();
        keys.push(key.cast_signed());

        let fen = position.fen();
        let query = Query::new().position(fen.as_str()).expect("a position");
        let mut results = database.query(&query).expect("a result");
        let games = results.count().expect("a count");
        counted.push(games);
    }

    let found = count_keys(data, &keys);
    println!("games by search {counted:?}, in the data set {found:?}");
    counted == found
}

/// The position after moves in SAN.
fn reached(line: &str) -> Position {
    let mut position = Position::start();
    for word in line.split(' ') {
        let san = San::parse(word.as_bytes()).expect("a move");
        let resolved = san.resolve(&position).expect("a legal move");
        position.play(resolved.mv);
    }
    position
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(pgn) = corpus_file(&arguments.file) else {
        return ExitCode::SUCCESS;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let pgn = pgn.to_string_lossy().into_owned();
    let database = path("games.db");
    let from_pgn = path("pgn");
    let from_database = path("database");
    let with_fen = path("fen");
    let shards = path("shards");

    let import_time = seconds(&["import", "-q", &database, &pgn]);
    let pgn_time = seconds(&["dataset", "-q", &pgn, "-o", &from_pgn]);
    let database_time = seconds(&["dataset", "-q", &database, "-o", &from_database]);
    let fen_time = seconds(&["dataset", "-q", &pgn, "-o", &with_fen, "--fen"]);
    let ratio = pgn_time / import_time;
    println!("{pgn}");
    println!("import {import_time:.2} s; data set {pgn_time:.2} s, {ratio:.2} times");
    println!("from the database {database_time:.2} s; with FEN {fen_time:.2} s");

    print_columns(Path::new(&from_pgn));
    println!("with FEN:");
    print_columns(Path::new(&with_fen));

    for number in 1..=SHARDS {
        let shard = format!("{number}/{SHARDS}");
        seconds(&["dataset", "-q", &pgn, "-o", &shards, "--shard", &shard]);
    }
    let of_pgn = sums(Path::new(&from_pgn));
    let of_database = sums(Path::new(&from_database));
    let of_shards = sums(Path::new(&shards));
    let are_equal = of_pgn == of_database && of_pgn == of_shards;
    println!("digests of file, database and shards are equal: {are_equal}");

    let are_counts_right = are_counts_right(Path::new(&database), Path::new(&from_pgn));
    if are_counts_right && are_equal {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
