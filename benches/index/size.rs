//! The size of the index and of the database.

use super::bench::Bench;
use super::stored::{Stored, size};
use super::table::{Table, Unit};

/// The limit of index bytes per position of a game.
const POSITION_BYTES: f64 = 5.0;
/// The limit of the database's size, relative to its PGN.
const DATABASE_PER_PGN: f64 = 1.55;

pub(crate) fn measure(bench: &Bench, table: &mut Table) {
    let stored = Stored::read(bench.database());
    assert_eq!(
        stored.games,
        bench.games(),
        "games are stored as there are Event tags"
    );

    let games = stored.games as f64;
    let positions = stored.positions as f64;
    let index = stored.index_bytes as f64;
    let database = stored.database_bytes as f64;
    let pgn = size(&bench.pgn) as f64;

    table.part("size");
    table.note("games", games, Unit::None);
    table.note("positions, each once a game", positions, Unit::None);

    let name = "index, a position";
    let per_position = index / positions;
    table.limit(name, per_position, Unit::Bytes, POSITION_BYTES);

    table.note("index", index / 1e6, Unit::Megabytes);
    table.note("database", database / 1e6, Unit::Megabytes);

    let name = "database / PGN";
    let ratio = database / pgn;
    table.limit(name, ratio, Unit::None, DATABASE_PER_PGN);
}
