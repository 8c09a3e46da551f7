//! Pattern queries over all games of a database, and the trusted replay beside the checked one.
//!
//! `cargo bench --bench patterns -- DATABASE` runs each stage three times in turn and prints the medians.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::num::NonZeroU32;

use rusqlite::{Connection, OpenFlags};
use stamma::query::{
    BoardPattern, Candidate, Flip, Material, MoveSequence, PositionParts, PositionQuery, scan,
};
use stamma::replay::{Mainline, TrustedLine};

#[allow(dead_code, reason = "other benches read games with the peer")]
#[path = "../chess/benches/peer/mod.rs"]
mod peer;

use peer::{median, time};

/// The result of a replay, which must be equal for both kinds of replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Replayed {
    plies: u64,
    /// The sum of the occupied squares after each move.
    occupied: u64,
}

impl Replayed {
    /// Adds a half-move, after which these squares are occupied, as bits.
    fn add(&mut self, occupied: u64) {
        self.plies += 1;
        self.occupied = self.occupied.wrapping_add(occupied);
    }
}

/// The number of runs of each stage.
const RUNS: usize = 3;
/// The most games that both replays are compared by.
const REPLAYED_GAMES: i64 = 200_000;

fn main() {
    let arguments = std::env::args().skip(1);
    // Cargo passes `--bench`.
    for path in arguments.filter(|argument| !argument.starts_with("--")) {
        // No mutex: the connection stays on this thread.
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags).expect("a database");
        let mainlines = mainlines(&connection);
        compare_replays(&mainlines);

        let candidates = candidates(&connection);
        println!("{} games", candidates.len());
        for (name, query) in queries() {
            time_scan(&connection, &candidates, name, &query);
        }
    }
}

/// All games that have positions, with the knowledge that a scan uses.
fn candidates(connection: &Connection) -> Vec<Candidate> {
    let sql = "SELECT id, fen IS NULL AND variant IS NULL FROM game WHERE final_key IS NOT NULL";
    let mut select = connection.prepare(sql).expect("a database of Stamma");
    let mut rows = select.query([]).expect("rows");

    let mut candidates = Vec::new();
    while let Some(row) = rows.next().expect("a row") {
        candidates.push(Candidate {
            game: row.get(0).expect("a number"),
            starts_from_standard: row.get(1).expect("a truth value"),
            is_trusted: true,
        });
    }
    candidates
}

/// Queries of several kinds, the slowest first.
fn queries() -> Vec<(&'static str, PositionQuery)> {
    let pattern = |text| Some(BoardPattern::parse(text).expect("a pattern"));
    let material = |text| Some(Material::parse(text).expect("material"));
    let through = |text| Some(MoveSequence::parse(text).expect("moves"));
    let both = Flip {
        colors: true,
        left_right: true,
    };
    let none = PositionParts::default;
    [
        (
            "that never holds",
            PositionParts {
                pattern: pattern("PPPPPPPP"),
                ..none()
            },
        ),
        (
            "structure",
            PositionParts {
                pattern: pattern("*/*/*/3p*/2PP*"),
                ..none()
            },
        ),
        (
            "file, flipped",
            PositionParts {
                pattern: pattern("*R*/*R*/*/*/*/*/*/*K*"),
                flip: both,
                ..none()
            },
        ),
        (
            "material",
            PositionParts {
                material: material("KRPkr"),
                positions: NonZeroU32::MIN.saturating_add(9),
                flip: Flip {
                    colors: true,
                    left_right: false,
                },
                ..none()
            },
        ),
        (
            "moves",
            PositionParts {
                through: through("Bxh7+ Kxh7 Ng5+"),
                ..none()
            },
        ),
    ]
    .map(|(name, parts)| (name, PositionQuery::new(&parts)))
    .into()
}

/// Prints the median time of a scan, and the number of games that it finds.
fn time_scan(connection: &Connection, candidates: &[Candidate], name: &str, query: &PositionQuery) {
    // All hits, and the first 20, as a search lists them.
    for limit in [usize::MAX, 20] {
        let mut found = 0;
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let games = candidates.iter().copied();
            let (result, taken) = time(|| scan(connection, query, games, limit, |_| {}));
            found = result.expect("an answer").len();
            times.push(taken);
        }

        let median = median(&mut times);
        let milliseconds = median.as_secs_f64() * 1e3;
        println!("{name:18} {milliseconds:8.1} ms, {found} games");
    }
}

/// Mainlines from the usual start.
fn mainlines(connection: &Connection) -> Vec<String> {
    let sql = "SELECT moves FROM game JOIN movetext ON game_id = id
        WHERE fen IS NULL AND final_key IS NOT NULL ORDER BY id LIMIT ?1";
    let mut select = connection.prepare(sql).expect("a database of Stamma");
    let mut rows = select.query([REPLAYED_GAMES]).expect("rows");

    let mut mainlines = Vec::new();
    while let Some(row) = rows.next().expect("a row") {
        mainlines.push(row.get(0).expect("a text"));
    }
    mainlines
}

/// Prints the median time of a half-move in both replays, which must see the same.
fn compare_replays(games: &[String]) {
    let mut plies: u64 = 0;
    let mut careful_times = Vec::new();
    let mut trusting_times = Vec::new();
    for _ in 0..RUNS {
        let (expected, taken) = time(|| replay_all(games, replay_carefully));
        careful_times.push(taken);
        let (found, taken) = time(|| replay_all(games, replay_trusting));
        trusting_times.push(taken);

        assert!(found == expected, "both replays see the same");
        plies = expected.iter().map(|game| game.plies).sum();
    }

    for (name, times) in [
        ("Mainline", &mut careful_times),
        ("TrustedLine", &mut trusting_times),
    ] {
        let nanoseconds = median(times).as_nanos() as f64 / plies as f64;
        println!("{name:12} {nanoseconds:6.1} ns a half-move");
    }
}

/// Replays all games.
fn replay_all(games: &[String], replay: fn(&str) -> Replayed) -> Vec<Replayed> {
    games.iter().map(|moves| replay(moves)).collect()
}

/// The replay for moves that may be wrong.
fn replay_carefully(moves: &str) -> Replayed {
    let mut line = Mainline::new(None, moves).expect("the usual start");
    let mut replayed = Replayed::default();
    while let Some((_, mv)) = line.step() {
        line.play(mv);
        replayed.add(line.position().occupied().0);
    }
    replayed
}

/// The replay for moves that an import has checked.
fn replay_trusting(moves: &str) -> Replayed {
    let mut line = TrustedLine::new(None, moves.as_bytes());
    let mut replayed = Replayed::default();
    while line.advance().is_some() {
        replayed.add(line.placement().occupied().0);
    }
    replayed
}
