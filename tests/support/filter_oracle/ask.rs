//! Runs random queries, and compares the program's answers with the oracle's.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::Connection;
use stamma::board::Position;
use stamma::pgn::Termination;
use stamma::query::{Filter, Mover, NameQuery, PositionSearch, Query, StartKind, Winner};
use stamma::storage::{Database, GameId};

use super::draw::random_query;
use super::{FilterQuery, Known, read_pgn};
use crate::support::corpus::fewer;
use crate::support::program::{Workplace, text};
use crate::support::random::Random;

/// A query as the library's filter.
pub(crate) fn filter(query: &FilterQuery) -> Filter {
    let mut filter = Filter::default();
    for (option, value) in &query.conditions {
        let name = NameQuery {
            text: value.clone(),
            is_exact: query.is_exact,
        };
        let values = || value.split(',');
        match *option {
            "--player" => filter.players.push(name),
            "--white" => filter.white.push(name),
            "--black" => filter.black.push(name),
            "--event" => filter.event.push(name),
            "--site" => filter.site.push(name),
            "--opening" => filter.openings.push(name),
            "--since" => filter.since = Some(value.parse().expect("a date")),
            "--until" => filter.until = Some(value.parse().expect("a date")),
            "--result" => filter.results = values().map(result).collect(),
            "--eco" => filter.eco = values().map(|v| v.parse().expect("codes")).collect(),
            "--elo" => filter.elo = Some(value.parse().expect("bounds")),
            "--white-elo" => filter.white_elo = Some(value.parse().expect("bounds")),
            "--black-elo" => filter.black_elo = Some(value.parse().expect("bounds")),
            "--mean-elo" => filter.mean_elo = Some(value.parse().expect("bounds")),
            "--winner" => filter.winner = Some(winner(value)),
            "--plies" => filter.plies = Some(value.parse().expect("bounds")),
            "--blunder" => filter.quality.blunder = Some(mover(value)),
            "--swing" => filter.quality.swing = Some(value.parse().expect("bounds")),
            "--accuracy" => filter.quality.accuracy = Some(value.parse().expect("bounds")),
            "--white-accuracy" => {
                filter.quality.white_accuracy = Some(value.parse().expect("bounds"));
            }
            "--black-accuracy" => {
                filter.quality.black_accuracy = Some(value.parse().expect("bounds"));
            }
            "--blunder-time" => {
                filter.quality.blunder_time = Some(value.parse().expect("bounds"));
            }
            "--time-left" => filter.quality.time_left = Some(value.parse().expect("bounds")),
            "--ending" => filter.endings = values().map(|v| v.parse().expect("a kind")).collect(),
            "--title" => filter.titles = values().map(|v| v.parse().expect("a title")).collect(),
            "--variant" => filter.variants = values().map(str::to_owned).collect(),
            "--speed" => filter.speeds = values().map(|v| v.parse().expect("a speed")).collect(),
            "--annotated" => filter.annotated = true,
            "--complete" => filter.complete = true,
            "--start" => filter.start = Some(start(value)),
            "--comment" => filter.comments.push(value.clone()),
            "--tag" => filter.tags.push(value.parse().expect("a tag")),
            "--line" => filter.line = Some(value.parse().expect("a line")),
            "--where" => filter.condition = Some(value.clone()),
            option => panic!("no such option: {option}"),
        }
    }
    filter
}

fn start(text: &str) -> StartKind {
    let kinds = [StartKind::Standard, StartKind::Fen, StartKind::Odds];
    kinds
        .into_iter()
        .find(|kind| kind.as_str() == text)
        .expect("a kind of start")
}

fn mover(text: &str) -> Mover {
    match text {
        "white" => Mover::White,
        "black" => Mover::Black,
        "any" => Mover::Any,
        _ => panic!("no such player: {text}"),
    }
}

fn winner(text: &str) -> Winner {
    match text {
        "higher-rated" => Winner::HigherRated,
        "lower-rated" => Winner::LowerRated,
        _ => panic!("no such winner: {text}"),
    }
}

fn result(text: &str) -> Termination {
    Termination::from_ascii(text.as_bytes()).expect("a result")
}

/// The games that the library finds, restricted to those that reach a position, if given.
fn found(database: &Database, query: &FilterQuery, epd: Option<&str>) -> Vec<i64> {
    let mut full = Query::new().filter(filter(query));
    if let Some(epd) = epd {
        full = full.positions([Position::from_fen(epd).expect("a legal position")]);
    }
    let mut results = database.query(&full).expect("a plan");
    let listed: Result<Vec<GameId>, _> = results.numbers().expect("an answer").collect();
    let listed = listed.expect("an answer");
    assert_eq!(results.count().expect("an answer"), listed.len() as u64);
    let games = results.into_games().expect("an answer");
    assert!(games.iter().eq(listed.iter().copied()));
    listed.into_iter().map(GameId::get).collect()
}

/// The number of queries, of those that match a game, and of those that match all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct QueryCounts {
    pub(crate) queries: usize,
    pub(crate) answered: usize,
    pub(crate) all: usize,
}

/// Runs random queries on games, half of them with a position, and compares all answers.
pub(crate) fn compare(
    path: &Path,
    games: &[Known],
    count: usize,
    random: &mut Random,
) -> QueryCounts {
    let database = Database::open(path).expect("a database");
    let connection = Connection::open(path).expect("a database");
    let search = PositionSearch::new(&connection).expect("an index");
    let mut tally = QueryCounts::default();
    for _ in 0..count / fewer(6) {
        let query = random_query(games, random);
        // `tests/oracle/index.rs` covers positions in variations.
        let is_position = !search.finds_variations() && random.once_in(2);
        let epd = is_position.then(|| position(games, random));
        let expected: Vec<i64> = games
            .iter()
            .filter(|game| query.holds(game))
            .filter(|game| epd.as_ref().is_none_or(|epd| game.positions.contains(epd)))
            .map(|game| game.id)
            .collect();
        let found = found(&database, &query, epd.as_deref());
        assert_eq!(found, expected, "{query:?} {epd:?}");
        tally.queries += 1;
        tally.answered += usize::from(!expected.is_empty());
        tally.all += usize::from(expected.len() == games.len());
    }
    tally
}

/// A position that some games reach, usually one that many do.
fn position(games: &[Known], random: &mut Random) -> String {
    loop {
        let game = random.choose(games);
        let early = random.below(8);
        if let Some(epd) = game.positions.get(early) {
            return epd.clone();
        }
    }
}

/// Runs random queries on the command line: searches, counts of moves, exports.
pub(crate) fn compare_commands(
    work: &Workplace,
    games: &[Known],
    count: usize,
    random: &mut Random,
) {
    for _ in 0..count {
        let query = loop {
            let query = random_query(games, random);
            // The command line refuses names and comments without a word.
            let has_words = |(option, text): &(&str, String)| {
                matches!(*option, "--annotated" | "--complete")
                    || text.contains(char::is_alphanumeric)
            };
            if query.conditions.iter().all(has_words) && query.has_days() {
                break query;
            }
        };
        let epd = position(games, random);
        let reaching = |game: &&Known| game.positions.contains(&epd);
        let chosen: Vec<&Known> = games.iter().filter(|game| query.holds(game)).collect();
        let listed = run(work, &["search", "games.db", "--format", "csv"], &query);
        let numbers = chosen.iter().map(|game| game.id.to_string());
        assert_eq!(
            first_fields(&listed),
            numbers.collect::<Vec<_>>(),
            "{query:?}"
        );
        let there: Vec<&Known> = chosen.iter().copied().filter(reaching).collect();
        let counted = run(
            work,
            &["search", "games.db", &epd, "--format", "count"],
            &query,
        );
        assert_eq!(counted.trim(), there.len().to_string(), "{query:?} {epd}");
        let moves = run(
            work,
            &["moves", "games.db", &epd, "--format", "csv"],
            &query,
        );
        assert_eq!(counts(&moves), played(&there, &epd), "{query:?} {epd}");
        let exported = read_pgn(&run(work, &["export", "games.db"], &query));
        // Unknown values are written as a query mark.
        let white = |game: &Known| game.white.clone().unwrap_or_else(|| "?".to_owned());
        let told = |game: &Known| (white(game), game.eco.clone(), game.moves.clone());
        let exported: Vec<_> = exported.iter().map(told).collect();
        let expected: Vec<_> = chosen.iter().map(|game| told(game)).collect();
        assert_eq!(exported, expected, "{query:?}");
    }
}

fn run(work: &Workplace, arguments: &[&str], query: &FilterQuery) -> String {
    let given = arguments.iter().map(|argument| (*argument).to_owned());
    text(&work.run(given.chain(query.arguments())).success())
}

fn first_fields(csv: &str) -> Vec<&str> {
    csv.lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .collect()
}

/// Moves without check marks, empty where games end, with the number of their games.
fn counts(csv: &str) -> BTreeMap<String, usize> {
    let count = |line: &str| {
        let mut fields = line.split(',');
        let san = fields.next()?.trim_end_matches(['+', '#']).to_owned();
        Some((san, fields.nth(1)?.parse().ok()?))
    };
    csv.lines().skip(1).filter_map(count).collect()
}

/// The same, computed from games: the moves played at their first visit.
fn played(games: &[&Known], epd: &str) -> BTreeMap<String, usize> {
    let mut played: BTreeMap<String, usize> = BTreeMap::new();
    for game in games {
        let at = game
            .positions
            .iter()
            .position(|other| other == epd)
            .expect("a visit");
        *played
            .entry(game.moves.get(at).cloned().unwrap_or_default())
            .or_default() += 1;
    }
    played
}
