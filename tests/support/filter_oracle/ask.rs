//! Runs random queries, and compares the program's answers with the oracle's.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;
use std::str::FromStr;

use rusqlite::Connection;
use stamma::board::Position;
use stamma::pgn::Termination;
use stamma::query::{Filter, Mover, NameQuery, PositionSearch, Query, StartKind, Winner};
use stamma::storage::{Database, GameId};

use super::draw::random_query;
use super::{FilterQuery, Known, read_pgn};
use crate::support::corpus::fewer;
use crate::support::program::{Workplace, first_fields, stdout_of};
use crate::support::random::Random;

/// A query as the library's filter.
pub(crate) fn filter(query: &FilterQuery) -> Filter {
    let mut filter = Filter::default();
    for (option, value) in &query.conditions {
        let name = NameQuery {
            text: value.clone(),
            is_exact: query.is_exact,
        };

        match *option {
            "--player" => filter.players.push(name),
            "--white" => filter.white.push(name),
            "--black" => filter.black.push(name),
            "--event" => filter.event.push(name),
            "--site" => filter.site.push(name),
            "--opening" => filter.openings.push(name),

            "--since" => filter.since = parsed(value),
            "--until" => filter.until = parsed(value),
            "--result" => filter.results = value.split(',').map(result).collect(),
            "--eco" => filter.eco = parsed_list(value),
            "--elo" => filter.elo = parsed(value),
            "--white-elo" => filter.white_elo = parsed(value),
            "--black-elo" => filter.black_elo = parsed(value),
            "--mean-elo" => filter.mean_elo = parsed(value),
            "--winner" => filter.winner = Some(winner(value)),
            "--plies" => filter.plies = parsed(value),

            "--blunder" => filter.quality.blunder = Some(mover(value)),
            "--swing" => filter.quality.swing = parsed(value),
            "--accuracy" => filter.quality.accuracy = parsed(value),
            "--white-accuracy" => filter.quality.white_accuracy = parsed(value),
            "--black-accuracy" => filter.quality.black_accuracy = parsed(value),
            "--blunder-time" => filter.quality.blunder_time = parsed(value),
            "--time-left" => filter.quality.time_left = parsed(value),

            "--start" => filter.start = Some(start(value)),
            "--complete" => filter.complete = true,
            "--ending" => filter.endings = parsed_list(value),
            "--title" => filter.titles = parsed_list(value),
            "--variant" => filter.variants = value.split(',').map(str::to_owned).collect(),
            "--speed" => filter.speeds = parsed_list(value),

            "--annotated" => filter.annotated = true,
            "--comment" => filter.comments.push(value.clone()),
            "--tag" => filter.tags.push(value.parse().expect("a tag")),
            "--line" => filter.line = parsed(value),
            "--where" => filter.condition = Some(value.clone()),
            option => panic!("no such option: {option}"),
        }
    }
    filter
}

fn parsed<T: FromStr<Err: Debug>>(value: &str) -> Option<T> {
    Some(value.parse().expect("a value of the option"))
}

fn parsed_list<T: FromStr<Err: Debug>>(values: &str) -> Vec<T> {
    let parsed = values.split(',').map(str::parse::<T>);
    parsed
        .map(|value| value.expect("a value of the option"))
        .collect()
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
fn answer(database: &Database, query: &FilterQuery, epd: Option<&str>) -> Vec<i64> {
    let mut full = Query::new().filter(filter(query));
    if let Some(epd) = epd {
        full = full.positions([Position::from_fen(epd).expect("a legal position")]);
    }

    let mut results = database.query(&full).expect("a plan");
    let numbers = results.numbers().expect("an answer");
    let listed: Vec<GameId> = numbers.map(|number| number.expect("an answer")).collect();

    // Three ways to one answer: the numbers one by one, their count, and the set of games.
    let count = results.count().expect("an answer");
    assert_eq!(count, listed.len() as u64, "{query:?} {epd:?}");

    let games = results.into_games().expect("an answer");
    let is_same_set = games.iter().eq(listed.iter().copied());
    assert!(is_same_set, "{query:?} {epd:?}");

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

        // The oracle reads every game; the library plans the query over its indexes.
        let mut expected = Vec::new();
        for game in games {
            let is_reaching = epd.as_ref().is_none_or(|epd| game.positions.contains(epd));
            if is_reaching && query.holds(game) {
                expected.push(game.id);
            }
        }
        let answer = answer(&database, &query, epd.as_deref());
        assert_eq!(answer, expected, "{query:?} {epd:?}");

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
        let query = random_command_query(games, random);
        let epd = position(games, random);

        // What the oracle expects: the games of the query, and those among them that reach the position.
        let mut matching: Vec<&Known> = Vec::new();
        let mut reaching: Vec<&Known> = Vec::new();
        for game in games.iter().filter(|game| query.holds(game)) {
            matching.push(game);
            if game.positions.contains(&epd) {
                reaching.push(game);
            }
        }

        compare_search(work, &query, &matching);
        compare_count(work, &query, &epd, reaching.len());
        compare_moves(work, &query, &epd, &reaching);
        compare_export(work, &query, &matching);
    }
}

/// Searches for a query, and compares the numbers of the games.
fn compare_search(work: &Workplace, query: &FilterQuery, matching: &[&Known]) {
    let csv = run(work, &["search", "games.db", "--format", "csv"], query);
    let numbers: Vec<String> = matching.iter().map(|game| game.id.to_string()).collect();
    assert_eq!(first_fields(&csv), numbers, "{query:?}");
}

/// Counts the games of a query that reach a position.
fn compare_count(work: &Workplace, query: &FilterQuery, epd: &str, expected: usize) {
    let arguments = ["search", "games.db", epd, "--format", "count"];
    let printed = run(work, &arguments, query);
    assert_eq!(printed.trim(), expected.to_string(), "{query:?} {epd}");
}

/// Lists the moves in a position, and compares how often each was played.
fn compare_moves(work: &Workplace, query: &FilterQuery, epd: &str, reaching: &[&Known]) {
    let arguments = ["moves", "games.db", epd, "--format", "csv"];
    let csv = run(work, &arguments, query);
    assert_eq!(counts(&csv), played(reaching, epd), "{query:?} {epd}");
}

/// A query that the command line accepts: it refuses names and comments without a word, and a range without a day.
fn random_command_query(games: &[Known], random: &mut Random) -> FilterQuery {
    let has_words = |(option, text): &(&str, String)| {
        matches!(*option, "--annotated" | "--complete") || text.contains(char::is_alphanumeric)
    };
    loop {
        let query = random_query(games, random);
        if query.conditions.iter().all(has_words) && query.has_days() {
            return query;
        }
    }
}

/// Exports the games of a query, and compares White, the ECO code and the moves of each.
fn compare_export(work: &Workplace, query: &FilterQuery, matching: &[&Known]) {
    let pgn = run(work, &["export", "games.db"], query);
    let exported: Vec<ExportedGame> = read_pgn(&pgn).iter().map(exported_game).collect();

    let expected: Vec<ExportedGame> = matching.iter().map(|game| exported_game(game)).collect();
    assert_eq!(exported, expected, "{query:?}");
}

/// White, the ECO code, and the moves.
type ExportedGame = (String, Option<String>, Vec<String>);

fn exported_game(game: &Known) -> ExportedGame {
    // Unknown values are written as a question mark.
    let white = game.white.as_deref().unwrap_or("?");
    (white.to_owned(), game.eco.clone(), game.moves.clone())
}

fn run(work: &Workplace, arguments: &[&str], query: &FilterQuery) -> String {
    let given = arguments.iter().map(|argument| (*argument).to_owned());
    stdout_of(&work.run(given.chain(query.arguments())).success())
}

/// Moves without check marks, empty where games end, with the number of their games.
fn counts(csv: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for row in csv.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        // The third column is the number of games; a line without it is no row of a move.
        let Some(games) = fields.get(2).and_then(|games| games.parse().ok()) else {
            continue;
        };
        let san = fields[0].trim_end_matches(['+', '#']);
        counts.insert(san.to_owned(), games);
    }
    counts
}

/// The moves played at the first visit of a position, with the number of their games.
fn played(games: &[&Known], epd: &str) -> BTreeMap<String, usize> {
    let mut played: BTreeMap<String, usize> = BTreeMap::new();
    for game in games {
        let visit = game.positions.iter().position(|other| other == epd);
        let next = game.moves.get(visit.expect("a visit"));
        let san = next.cloned().unwrap_or_default();
        *played.entry(san).or_default() += 1;
    }
    played
}
