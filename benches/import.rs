//! Import end to end: a file into a new database, everything stored and indexed, on all cores,
//! beside `pgn-reader` and `shakmaty` playing the same mainlines on one thread and storing nothing.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench import [-- FILE] [--runs N]` (default `archive-100k.pgn`,
//! five runs). Both programs run in turn; the medians and their ratio are printed. Asserted: the
//! number of games is that of the `Event` tags, and the half-moves are those that the peer plays.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use memchr::memmem;
use rusqlite::Connection;
use shakmaty::{Position as _, san::SanPlus};
use stamma::import::{Options, import};
use stamma::storage::Database;

mod peer;

use peer::{Follow, Game, corpus_file, median, read_games, time};

#[derive(Parser)]
struct Arguments {
    /// The file of the corpus
    #[arg(default_value = "archive-100k.pgn")]
    file: String,
    /// How often each program runs
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// What Cargo says to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// The peer's side: every move is resolved and played, and nothing kept.
#[derive(Debug, Default)]
struct Played {
    games: u64,
    plies: u64,
    /// Games that are not played to their end.
    lost: u64,
}

impl Follow for Played {
    fn san(&mut self, game: &mut Game, san: SanPlus) {
        match san.san.to_move(&game.position) {
            Ok(mv) => {
                game.position.play_unchecked(mv);
                self.plies += 1;
            }
            Err(_) => game.is_lost = true,
        }
    }

    fn end(&mut self, game: &Game) {
        self.games += u64::from(game.has_event);
        self.lost += u64::from(game.is_lost);
    }
}

fn theirs(pgn: &Path) -> Played {
    let mut played = Played::default();
    read_games(File::open(pgn).expect("the corpus holds the file"), usize::MAX, &mut played);
    played
}

fn ours(pgn: &Path, database: &Path) {
    let mut database = Database::open_or_create(database).expect("a new database");
    let summary =
        import(&mut database, &[pgn.to_owned()], Options::default(), |_| {}).expect("an import");
    assert!(summary.failures.is_empty(), "{:?}", summary.failures);
}

/// What a database holds, asked of SQLite itself.
struct Stored {
    games: u64,
    plies: u64,
    postings: u64,
    database_bytes: u64,
    position_bytes: u64,
}

impl Stored {
    fn read(path: &Path) -> Stored {
        let connection = Connection::open(path).expect("the new database");
        let ask = |sql: &str| {
            let answer: i64 = connection.query_row(sql, [], |row| row.get(0)).expect(sql);
            answer as u64
        };
        Stored {
            games: ask("SELECT count(*) FROM game"),
            plies: ask("SELECT sum(ply_count) FROM game"),
            postings: ask("SELECT sum(postings) FROM position_segment"),
            database_bytes: size(path),
            // All pages of the table, with what stands empty in them.
            position_bytes: ask(
                "SELECT pgsize FROM dbstat('main', 1) WHERE name = 'position_block'",
            ),
        }
    }

    fn check(&self, pgn: &Path, played: &Played) {
        let tag_sections = event_tags(&fs::read(pgn).expect("the corpus holds the file"));
        assert_eq!(self.games, tag_sections, "games are stored as there are Event tags");
        assert_eq!(played.games, tag_sections, "the peer reads as many games");
        // A game with a fault ends for both where no move can be understood, but what is understood
        // differs: `Qxb5` where nothing stands is a move for Stamma, and none for shakmaty. In a
        // million games there is one such.
        let apart = self.plies.abs_diff(played.plies);
        assert!(apart * 10_000 <= played.plies, "{} and {} plies", self.plies, played.plies);
    }
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).expect("a file that was just written or read").len()
}

/// The lines that begin with an `Event` tag; no comment in the corpus holds one.
fn event_tags(pgn: &[u8]) -> u64 {
    let first = u64::from(pgn.starts_with(b"[Event "));
    first + memmem::find_iter(pgn, b"\n[Event ").count() as u64
}

/// The median times of both programs, ours first, and what they left behind.
fn run(pgn: &Path, runs: u32) -> (Duration, Duration, Stored, Played) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database: PathBuf = folder.path().join("games.db");
    let (mut our_times, mut their_times) = (Vec::new(), Vec::new());
    let mut played = Played::default();
    for _ in 0..runs {
        if database.exists() {
            fs::remove_file(&database).expect("the database of the run before");
        }
        our_times.push(time(|| ours(pgn, &database)).1);
        let (found, their_time) = time(|| theirs(pgn));
        their_times.push(their_time);
        played = found;
    }
    (median(&mut our_times), median(&mut their_times), Stored::read(&database), played)
}

fn print(name: &str, value: impl std::fmt::Display) {
    println!("{name:<44} {value:>14}");
}

fn main() {
    let arguments = Arguments::parse();
    let Some(pgn) = corpus_file(&arguments.file) else { return };
    let (our_time, their_time, stored, played) = run(&pgn, arguments.runs);
    stored.check(&pgn, &played);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    println!("{}, {} runs", pgn.display(), arguments.runs);
    print("games", stored.games);
    print("half-moves, stamma", stored.plies);
    print("half-moves, peer", played.plies);
    print("games lost to the peer", played.lost);
    print(&format!("time, stamma, {cores} cores, all stored"), seconds(our_time));
    print("time, peer, 1 thread, nothing stored", seconds(their_time));
    let ratio = our_time.as_secs_f64() / their_time.as_secs_f64();
    print("stamma's time / the peer's", format!("{ratio:.2}"));
    let per_second = stored.games as f64 / our_time.as_secs_f64();
    print("games a second, stamma", format!("{per_second:.0}"));
    let ratio = stored.database_bytes as f64 / size(&pgn) as f64;
    print("size of the database / of the PGN", format!("{ratio:.3}"));
    print("positions (each once a game)", stored.postings);
    let per_position = stored.position_bytes as f64 / stored.postings as f64;
    print("bytes a position", format!("{per_position:.3}"));
}
