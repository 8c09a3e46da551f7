//! Data sets as whole processes: time and memory beside an import, and the bytes of each column of positions.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench dataset [-- FILE]` (default `archive-100k.pgn`). The answers are checked: the
//! digests of the file, of the database and of eight shards together must be equal, and positions from the file's own
//! games must have as many rows as a search finds games. Otherwise the exit code is 1.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

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

use peer::corpus_file;
use process::STAMMA;

#[derive(Parser)]
struct Arguments {
    /// The file of the corpus
    #[arg(default_value = "archive-100k.pgn")]
    file: String,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// Positions whose games are counted.
const LINES: [&str; 6] = [
    "e4",
    "e4 c5 Nf3 d6",
    "d4 Nf6 c4 e6 Nc3 Bb4",
    "e4 e5 Nf3 Nc6 Bb5 a6",
    "Nf3 d5 g3",
    "b3 e5 Bb2",
];

/// Runs the program, which may find faults in games, and returns the seconds.
fn seconds(arguments: &[&str]) -> f64 {
    let started = Instant::now();
    let output = Command::new(STAMMA)
        .args(arguments)
        .output()
        .expect("stamma runs");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}");
    started.elapsed().as_secs_f64()
}

/// The files of the table of positions.
fn position_files(data: &Path) -> Vec<PathBuf> {
    let pattern = data.join("positions/*/*.parquet");
    let paths = glob::glob(&pattern.to_string_lossy()).expect("a pattern");
    paths.map(|path| path.expect("a file")).collect()
}

/// The rows and digests of all tables, added up over all parts.
fn sums(data: &Path) -> BTreeMap<String, (u64, u128)> {
    let pattern = data.join("_manifest/*.json");
    let paths = glob::glob(&pattern.to_string_lossy()).expect("a pattern");

    let mut sums: BTreeMap<String, (u64, u128)> = BTreeMap::new();
    for path in paths {
        let text = std::fs::read(path.expect("a file")).expect("a manifest");
        let manifest: Value = serde_json::from_slice(&text).expect("JSON");
        for (table, entry) in manifest["tables"].as_object().expect("tables") {
            let rows = entry["rows"].as_u64().expect("a number");
            let hex = entry["digest"].as_str().expect("a digest");
            let digest = u128::from_str_radix(hex, 16).expect("a digest");

            // Digests of parts are added modulo 2^128.
            let (row_sum, digest_sum) = sums.entry(table.clone()).or_default();
            *row_sum += rows;
            *digest_sum = digest_sum.wrapping_add(digest);
        }
    }
    sums
}

/// Prints the bytes of each column for each row.
fn print_columns(data: &Path) {
    let mut columns: BTreeMap<String, i64> = BTreeMap::new();
    let (mut rows, mut bytes) = (0, 0);
    for path in position_files(data) {
        let file = File::open(&path).expect("a file");
        bytes += file.metadata().expect("a size").len();
        let reader = SerializedFileReader::new(file).expect("a Parquet file");
        for group in reader.metadata().row_groups() {
            rows += group.num_rows();
            for column in group.columns() {
                let name = column.column_path().string();
                *columns.entry(name).or_default() += column.compressed_size();
            }
        }
    }

    for (name, bytes) in columns {
        let share = bytes as f64 / rows as f64;
        println!("  {name:<10} {share:6.3} bytes a position");
    }
    let share = bytes as f64 / rows as f64;
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
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).expect("a row group");
            let column = group.get_column_reader(0).expect("a column");
            let ColumnReader::Int64ColumnReader(mut column) = column else {
                panic!("keys are numbers of 64 bits");
            };
            let mut values = Vec::new();
            column
                .read_records(usize::MAX, None, None, &mut values)
                .expect("values");

            for (key, count) in keys.iter().zip(&mut counts) {
                *count += values.iter().filter(|value| *value == key).count() as u64;
            }
        }
    }
    counts
}

fn are_counts_right(database: &Path, data: &Path) -> bool {
    let database = Database::open(database).expect("a database");
    let mut keys = Vec::new();
    let mut counted = Vec::new();
    for line in LINES {
        let position = reached(line);
        keys.push(position.key().cast_signed());

        let fen = position.fen();
        let query = Query::new().position(fen.as_str()).expect("a position");
        let mut results = database.query(&query).expect("a result");
        counted.push(results.count().expect("a count"));
    }

    let found = count_keys(data, &keys);
    println!("games by search {counted:?}, in the data set {found:?}");
    counted == found
}

/// The position after moves in SAN.
fn reached(line: &str) -> Position {
    let mut position = Position::start();
    for san in line.split(' ') {
        let san = San::parse(san.as_bytes()).expect("a move");
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

    let import = seconds(&["import", "-q", &database, &pgn]);
    let written = seconds(&["dataset", "-q", &pgn, "-o", &path("pgn")]);
    let stored = seconds(&["dataset", "-q", &database, "-o", &path("database")]);
    let with_fen = seconds(&["dataset", "-q", &pgn, "-o", &path("fen"), "--fen"]);
    let ratio = written / import;
    println!("{pgn}");
    println!("import {import:.2} s; data set {written:.2} s, {ratio:.2} times");
    println!("from the database {stored:.2} s; with FEN {with_fen:.2} s");
    print_columns(Path::new(&path("pgn")));
    println!("with FEN:");
    print_columns(Path::new(&path("fen")));

    let shards = path("shards");
    for number in 1..=8 {
        let shard = format!("{number}/8");
        seconds(&["dataset", "-q", &pgn, "-o", &shards, "--shard", &shard]);
    }
    let sums_of = |name: &str| sums(Path::new(&path(name)));
    let whole = sums_of("pgn");
    let are_equal = whole == sums_of("database") && whole == sums_of("shards");
    println!("digests of file, database and shards are equal: {are_equal}");

    let are_counts_right = are_counts_right(Path::new(&database), Path::new(&path("pgn")));
    if are_counts_right && are_equal {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
