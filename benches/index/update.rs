//! The time of adding a few games to many.

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use memchr::memmem;
use stamma::import::ImportOptions;

use super::bench::{Bench, read};
use super::stored::{Stored, event_tags, import_file};
use super::table::{Table, Unit};
use crate::peer::{median, time};

/// The limit of the time per position of an update, relative to the first import.
const UPDATE: f64 = 2.0;

pub(crate) fn measure(bench: &Bench, table: &mut Table) {
    let [few, _, many] = &bench.steps;
    let update_folder = bench.new_folder();
    let update = update_folder.path().join("update.pgn");
    write_variant(few, &update);

    let mut first = Imports::default();
    let mut second = Imports::default();
    for _ in 0..bench.runs() {
        let folder = bench.new_folder();
        let database = folder.path().join("games.db");
        first.run(many, &database);

        // Pending writes of the first import must not slow down the second one.
        let file = File::open(&database).expect("a database");
        file.sync_all().expect("a database on the disk");
        second.run(&update, &database);

        let stored = Stored::read(&database);
        let games = event_tags(&read(many)) + event_tags(&read(few));
        assert_eq!(stored.games, games, "games are added");
    }

    let first_time = first.median_seconds();
    let second_time = second.median_seconds();
    table.part(format!("update, medians of {}", bench.runs()));
    table.note("first import", first_time, Unit::Seconds);
    table.note("its positions", first.positions, Unit::None);
    table.note("second import", second_time, Unit::Seconds);
    table.note("its positions", second.positions, Unit::None);

    let expected_time = first_time * second.positions / first.positions;
    let factor = second_time / expected_time;
    let name = "time a position, second / first";
    table.limit(name, factor, Unit::None, UPDATE);
}

/// Imports of the same file.
#[derive(Default)]
struct Imports {
    times: Vec<Duration>,
    /// The positions of the last import, which has as many as the others.
    positions: f64,
}

impl Imports {
    /// Imports the file once.
    fn run(&mut self, pgn: &Path, database: &Path) {
        let (tally, taken) = time(|| import_file(pgn, database, ImportOptions::default()));
        self.times.push(taken);
        self.positions = tally.positions as f64;
    }

    fn median_seconds(&mut self) -> f64 {
        median(&mut self.times).as_secs_f64()
    }
}

/// Writes the games with another event in the first game, since a file with known content would be skipped.
fn write_variant(pgn: &Path, to: &Path) {
    const TAG: &[u8] = b"[Event \"";

    let bytes = read(pgn);
    let tag = memmem::find(&bytes, TAG).expect("a game");
    let (before, after) = bytes.split_at(tag + TAG.len());
    let variant = [before, b"Again: ", after].concat();
    fs::write(to, variant).expect("a temporary file");
}
