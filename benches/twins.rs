//! Duplicate games against a table of the truth, and in a large collection: recall by kind, false pairs, time and
//! memory.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench twins [-- --sample N]`. `twins.pgn` and `twins.tsv` have pairs of games from
//! two sources, each with its kind: rows with an odd number were used to choose the weights, those with an even number
//! were held back. `human.pgn` is searched as a whole. `--sample N` prints N findings of each kind for review;
//! `--truth` skips `human.pgn`, and `--wrong` prints differences from the table.
//!
//! The table is also compared with the groups of `stamma dedupe` after an import of the pairs.
//!
//! Reading the files is not timed: a search begins with what a database stores of each game.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::time::{Duration, Instant};

#[path = "twins/collection.rs"]
mod collection;
#[path = "twins/command.rs"]
mod command;
#[allow(dead_code, reason = "other benches read games with the peer")]
#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[path = "twins/players.rs"]
mod players;
#[allow(dead_code, reason = "other benches compare with other programs")]
mod process;
#[path = "twins/sample.rs"]
mod sample;
#[path = "twins/truth.rs"]
mod truth;
#[allow(dead_code, reason = "other benches measure other processes")]
mod usage;

use collection::Collection;
use peer::corpus_file;
use stamma::cleaning::names::{TextKey, parse_names};
use stamma::cleaning::twins::{TwinGroup, TwinKind, TwinSearch, find_twins};
use usage::{Memory, own_cpu};

/// The number of games that an incremental search takes for new, as it is printed.
const NEW_GAMES: u32 = 3_000;
/// The number of sampled joins of names for each sampled group of games.
const NAMES_PER_GROUP: usize = 5;

fn main() {
    let Some(pgn) = corpus_file("twins.pgn") else {
        return;
    };
    let table = pgn.with_extension("tsv");

    let twins = Collection::read(&pgn);
    let groups = search(&twins);
    truth::report(&twins, &groups, &table);
    println!("  through a database:");
    let groups_of_command = command::groups(&pgn);
    truth::report(&twins, &groups_of_command, &table);

    let names = players::group(&twins, &groups);
    players::report(&twins, &names, &table);

    // The memory of the next search is measured, and would include this collection.
    drop(twins);
    if has_argument("--truth") {
        return;
    }

    let human = Collection::read(&pgn.with_file_name("human.pgn"));
    let groups = search(&human);
    let names = players::group(&human, &groups);
    if let Some(count) = sample_argument() {
        sample::print(&human, &groups, count);
        players::sample(&human, &names, NAMES_PER_GROUP * count);
    }
}

/// `true` if the command line has an argument.
fn has_argument(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}

/// The number after `--sample`.
fn sample_argument() -> Option<usize> {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--sample");
    arguments.nth(1)?.parse().ok()
}

/// The time since a moment, and the processor time of this process since that moment.
struct Stopwatch {
    begin: Instant,
    cpu_before: Duration,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch {
            begin: Instant::now(),
            cpu_before: own_cpu(),
        }
    }

    /// Both times, as they are printed.
    fn show(&self) -> String {
        let seconds = self.begin.elapsed().as_secs_f64();
        let cpu = own_cpu() - self.cpu_before;
        let cpu_seconds = cpu.as_secs_f64();
        format!("in {seconds:.2} s, {cpu_seconds:.2} s of CPU")
    }
}

/// A measure of the memory of this process, in thousands of kibibytes; 0 if the system does not tell.
fn megabytes(memory: Memory) -> u64 {
    let kib = memory.kibibytes(std::process::id());
    kib.unwrap_or(0) * 1024 / 1_000_000
}

/// Searches a collection, and prints time, memory and results.
fn search(games: &Collection) -> Vec<TwinGroup> {
    println!(
        "{} games, {} names, {} MB",
        games.facts.len(),
        games.names.len(),
        megabytes(Memory::Resident)
    );

    let watch = Stopwatch::start();
    let name_texts: Vec<&str> = games.names.iter().map(String::as_str).collect();
    let names = parse_names(&name_texts);
    let texts: Vec<TextKey> = games.texts.iter().map(|text| TextKey::new(text)).collect();
    println!("  names parsed {}", watch.show());

    // The time of a search includes the time to parse the names.
    let search = TwinSearch::new(&games.facts, &games.prints, &names, &texts);
    let groups = find_twins(&search, None, |game, moves| {
        moves.extend_from_slice(games.moves(game))
    });
    let times = watch.show();
    let peak = megabytes(Memory::ResidentPeak);

    let count = |kind: TwinKind| groups.iter().filter(|group| group.kind == kind).count();
    let all = groups.len();
    let same = count(TwinKind::Same);
    let prefix = count(TwinKind::Prefix);
    let variant = count(TwinKind::Variant);
    let short = count(TwinKind::Short);
    println!(
        "  searched {times}, at most {peak} MB: {all} groups (same {same}, prefix {prefix}, variant {variant}, short {short})"
    );

    incremental(games, &search);
    groups
}

/// Searches for twins of the last games of a collection only, as after an import of new games, and prints the time.
fn incremental(games: &Collection, search: &TwinSearch<'_>) {
    let count = games.facts.len() as u32;
    let first_new = count.saturating_sub(NEW_GAMES);
    let new: Vec<u32> = (first_new..count).collect();

    let watch = Stopwatch::start();
    let groups = find_twins(search, Some(&new), |game, moves| {
        moves.extend_from_slice(games.moves(game))
    });
    println!(
        "  3,000 new games {}: {} groups",
        watch.show(),
        groups.len()
    );
}
