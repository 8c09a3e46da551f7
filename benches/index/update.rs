//! The time of adding a few games to many.

use std::fs::{self, File};
use std::path::Path;

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

    let (mut first_times, mut second_times) = (Vec::new(), Vec::new());
    let (mut first_positions, mut second_positions) = (0, 0);
    for _ in 0..bench.runs() {
        let folder = bench.new_folder();
        let database = folder.path().join("games.db");
        let import = |pgn| time(|| import_file(pgn, &database, ImportOptions::default()));

        let (tally, first_time) = import(many);
        first_positions = tally.positions;
        // Pending writes of the first import must not slow down the second one.
        let file = File::open(&database).expect("a database");
        file.sync_all().expect("a database on the disk");
        let (tally, second_time) = import(&update);
        second_positions = tally.positions;

        first_times.push(first_time);
        second_times.push(second_time);
        let games = event_tags(&read(many)) + event_tags(&read(few));
        assert_eq!(Stored::read(&database).games, games, "games are added");
    }

    let first_time = median(&mut first_times).as_secs_f64();
    let second_time = median(&mut second_times).as_secs_f64();
    let (first, second) = (first_positions as f64, second_positions as f64);
    table.part(format!("update, medians of {}", bench.runs()));
    table.note("first import", first_time, Unit::Seconds);
    table.note("its positions", first, Unit::None);
    table.note("second import", second_time, Unit::Seconds);
    table.note("its positions", second, Unit::None);
    let expected_time = first_time * second / first;
    let factor = second_time / expected_time;
    let name = "time a position, second / first";
    table.limit(name, factor, Unit::None, UPDATE);
}

/// Writes the games with another event in the first game, since a file with known content would be skipped.
fn write_variant(pgn: &Path, to: &Path) {
    const TAG: &[u8] = b"[Event \"";

    let bytes = read(pgn);
    let at = memmem::find(&bytes, TAG).expect("a game") + TAG.len();
    let (before, after) = bytes.split_at(at);
    let variant = [before, b"Again: ", after].concat();
    fs::write(to, variant).expect("a temporary file");
}
