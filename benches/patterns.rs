//! Pattern queries over all games of a database, and the trusted replay beside the checked one.
//!
//! `cargo bench --bench patterns -- DATABASE` runs each stage three times in turn and prints the medians.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use stamma::query::{
    BoardPattern, Candidate, Flip, Material, MoveSequence, PositionParts, PositionQuery, scan,
};
use stamma::replay::{Mainline, TrustedLine};

/// The result of a replay, which must be equal for both kinds of replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Replayed {
    plies: u64,
    /// The sum of the occupied squares after each move.
    occupied: u64,
}

const RUNS: usize = 3;
const REPLAYED_GAMES: i64 = 200_000;

fn main() {
    let arguments = std::env::args().skip(1);
    // Cargo passes `--bench`.
    for path in arguments.filter(|argument| !argument.starts_with("--")) {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags).expect("a database");
        compare_replays(&mainlines(&connection));

        let candidates = candidates(&connection);
        println!("{} games", candidates.len());
        for (name, question) in questions() {
            time_scan(&connection, &candidates, name, &question);
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
fn questions() -> Vec<(&'static str, PositionQuery)> {
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

fn time_scan(
    connection: &Connection,
    candidates: &[Candidate],
    name: &str,
    question: &PositionQuery,
) {
    // All hits, and the first 20, as a search lists them.
    for limit in [usize::MAX, 20] {
        let mut runs = Vec::new();
        for _ in 0..RUNS {
            let start = Instant::now();
            let games = candidates.iter().copied();
            let hits = scan(connection, question, games, limit, |_| {}).expect("an answer");
            runs.push((start.elapsed(), hits.len()));
        }
        let (time, found) = median(runs);
        let milliseconds = time.as_secs_f64() * 1e3;
        println!("{name:18} {milliseconds:8.1} ms, {found} games");
    }
}

/// Mainlines from the usual start.
fn mainlines(connection: &Connection) -> Vec<String> {
    let sql = "SELECT moves FROM game JOIN movetext ON game_id = id
        WHERE fen IS NULL AND final_key IS NOT NULL ORDER BY id LIMIT ?1";
    let mut select = connection.prepare(sql).expect("a database of Stamma");
    let rows = select
        .query_map([REPLAYED_GAMES], |row| row.get(0))
        .expect("rows");
    rows.map(|row| row.expect("a row")).collect()
}

fn compare_replays(games: &[String]) {
    let mut careful = Vec::new();
    let mut trusted = Vec::new();
    for _ in 0..RUNS {
        let (expected, time) =
            timed(|| games.iter().map(|moves| replay_carefully(moves)).collect());
        careful.push((time, total(&expected)));

        let (found, time) = timed(|| games.iter().map(|moves| replay_trusting(moves)).collect());
        trusted.push((time, total(&found)));
        assert!(found == expected, "both replays see the same");
    }

    for (name, times) in [("Mainline", careful), ("TrustedLine", trusted)] {
        let (time, plies) = median(times);
        let nanoseconds = time.as_nanos() as f64 / plies as f64;
        println!("{name:12} {nanoseconds:6.1} ns a half-move");
    }
}

fn total(games: &[Replayed]) -> u64 {
    games.iter().map(|game| game.plies).sum()
}

fn replay_carefully(moves: &str) -> Replayed {
    let mut line = Mainline::new(None, moves).expect("the usual start");
    let mut replayed = Replayed::default();
    while let Some((_, mv)) = line.step() {
        line.play(mv);
        let occupied = line.position().occupied().0;
        replayed.plies += 1;
        replayed.occupied = replayed.occupied.wrapping_add(occupied);
    }
    replayed
}

fn replay_trusting(moves: &str) -> Replayed {
    let mut line = TrustedLine::new(None, moves.as_bytes());
    let mut replayed = Replayed::default();
    while line.advance().is_some() {
        let occupied = line.placement().occupied().0;
        replayed.plies += 1;
        replayed.occupied = replayed.occupied.wrapping_add(occupied);
    }
    replayed
}

fn timed<T>(work: impl FnOnce() -> Vec<T>) -> (Vec<T>, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

fn median<T>(mut times: Vec<(Duration, T)>) -> (Duration, T) {
    times.sort_by_key(|(time, _)| *time);
    times.swap_remove(times.len() / 2)
}
