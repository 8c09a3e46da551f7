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

use std::path::PathBuf;
use std::time::Instant;

#[path = "twins/collection.rs"]
mod collection;
#[path = "twins/command.rs"]
mod command;
#[path = "twins/players.rs"]
mod players;
#[path = "twins/sample.rs"]
mod sample;
#[path = "twins/truth.rs"]
mod truth;

use collection::{Collection, cpu_seconds, megabytes};
use stamma::cleaning::names::{TextKey, parse_names};
use stamma::cleaning::twins::{TwinGroup, TwinKind, TwinSearch, find_twins};

fn main() {
    let Some(corpus) = std::env::var_os("STAMMA_CORPUS").map(PathBuf::from) else {
        println!("skipped: STAMMA_CORPUS is not set");
        return;
    };
    let arguments: Vec<String> = std::env::args().collect();
    let sample_at = arguments.iter().position(|argument| argument == "--sample");
    let sample = sample_at
        .and_then(|at| arguments.get(at + 1))
        .and_then(|count| count.parse().ok());
    let pgn = corpus.join("twins.pgn");
    let table = corpus.join("twins.tsv");

    let twins = Collection::read(&pgn);
    let groups = search(&twins);
    truth::report(&twins, &groups, &table);
    println!("  through a database:");
    truth::report(&twins, &command::groups(&pgn), &table);
    let names = players::group(&twins, &groups);
    players::report(&twins, &names, &table);
    drop(twins);
    if arguments.iter().any(|argument| argument == "--truth") {
        return;
    }

    let human = Collection::read(&corpus.join("human.pgn"));
    let groups = search(&human);
    let names = players::group(&human, &groups);
    if let Some(count) = sample {
        sample::print(&human, &groups, count);
        players::sample(&human, &names, 5 * count);
    }
}

/// Searches a collection, and prints time, memory and results.
fn search(games: &Collection) -> Vec<TwinGroup> {
    println!(
        "{} games, {} names, {} MB",
        games.facts.len(),
        games.names.len(),
        megabytes("VmRSS")
    );
    let (begin, cpu) = (Instant::now(), cpu_seconds());
    let name_texts: Vec<&str> = games.names.iter().map(String::as_str).collect();
    let names = parse_names(&name_texts);
    let texts: Vec<TextKey> = games.texts.iter().map(|text| TextKey::new(text)).collect();
    println!(
        "  names parsed in {:.2} s, {:.2} s of CPU",
        begin.elapsed().as_secs_f64(),
        cpu_seconds() - cpu
    );

    let search = TwinSearch::new(&games.facts, &games.prints, &names, &texts);
    let groups = find_twins(&search, None, |game, moves| {
        moves.extend_from_slice(games.moves(game))
    });
    let count = |kind: TwinKind| groups.iter().filter(|group| group.kind == kind).count();
    let same = count(TwinKind::Same);
    let prefix = count(TwinKind::Prefix);
    let variant = count(TwinKind::Variant);
    let short = count(TwinKind::Short);
    println!(
        "  searched in {:.2} s, {:.2} s of CPU, at most {} MB: {} groups (same {same}, prefix {prefix}, variant {variant}, short {short})",
        begin.elapsed().as_secs_f64(),
        cpu_seconds() - cpu,
        megabytes("VmHWM"),
        groups.len(),
    );
    incremental(games, &search);
    groups
}

/// The search for twins of the last 3,000 games only.
fn incremental(games: &Collection, search: &TwinSearch<'_>) {
    let count = games.facts.len() as u32;
    let new: Vec<u32> = (count.saturating_sub(3000)..count).collect();
    let (begin, cpu) = (Instant::now(), cpu_seconds());
    let groups = find_twins(search, Some(&new), |game, moves| {
        moves.extend_from_slice(games.moves(game))
    });
    println!(
        "  3,000 new games in {:.2} s, {:.2} s of CPU: {} groups",
        begin.elapsed().as_secs_f64(),
        cpu_seconds() - cpu,
        groups.len()
    );
}
