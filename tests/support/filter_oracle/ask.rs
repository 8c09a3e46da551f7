//! Questions put to the program, and its answers beside those of the plain twin.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::Connection;
use stamma::board::Position;
use stamma::pgn::Termination;
use stamma::query::{Filter, NameQuery, PositionSearch, Query};
use stamma::storage::Database;

use super::draw::question;
use super::{Known, Question, read_pgn};
use crate::support::program::{Workplace, text};
use crate::support::random::Random;

/// A question as the library has it.
fn filter(question: &Question) -> Filter {
    let mut filter = Filter::default();
    for (option, value) in &question.conditions {
        let name = NameQuery { text: value.clone(), is_exact: question.is_exact };
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
            "--plies" => filter.plies = Some(value.parse().expect("bounds")),
            "--ending" => filter.endings = values().map(|v| v.parse().expect("a kind")).collect(),
            "--title" => filter.titles = values().map(|v| v.parse().expect("a title")).collect(),
            "--variant" => filter.variants = values().map(str::to_owned).collect(),
            "--speed" => filter.speeds = values().map(|v| v.parse().expect("a speed")).collect(),
            "--annotated" => filter.annotated = true,
            "--comment" => filter.comments.push(value.clone()),
            "--tag" => filter.tags.push(value.parse().expect("a tag")),
            "--line" => filter.line = Some(value.parse().expect("a line")),
            "--where" => filter.condition = Some(value.clone()),
            option => panic!("no such option: {option}"),
        }
    }
    filter
}

fn result(text: &str) -> Termination {
    Termination::from_ascii(text.as_bytes()).expect("a result")
}

/// The games that the library finds, those that reach a position where one is asked for.
fn found(database: &Database, question: &Question, epd: Option<&str>) -> Vec<i64> {
    let mut query = Query::new().filter(filter(question));
    if let Some(epd) = epd {
        query = query.positions([Position::from_fen(epd).expect("a legal position")]);
    }
    let mut results = database.query(&query).expect("a plan");
    let listed: Result<Vec<i64>, _> = results.numbers().expect("an answer").collect();
    let listed = listed.expect("an answer");
    assert_eq!(results.count().expect("an answer"), listed.len() as u64);
    let games = results.into_games().expect("an answer");
    assert!(games.iter().eq(listed.iter().copied()));
    listed
}

/// How many questions had an answer, and how many one that is not all games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) questions: usize,
    pub(crate) answered: usize,
    pub(crate) all: usize,
}

/// Asks so many questions about games, half of them with a position, and compares all answers.
pub(crate) fn compare(path: &Path, games: &[Known], count: usize, random: &mut Random) -> Asked {
    let database = Database::open(path).expect("a database");
    let connection = Connection::open(path).expect("a database");
    let search = PositionSearch::new(&connection).expect("an index");
    let mut asked = Asked::default();
    for _ in 0..count {
        let question = question(games, random);
        // `tests/answers.rs` looks for positions in variations.
        let is_position = !search.finds_variations() && random.once_in(2);
        let epd = is_position.then(|| position(games, random));
        let expected: Vec<i64> = games
            .iter()
            .filter(|game| question.holds(game))
            .filter(|game| epd.as_ref().is_none_or(|epd| game.positions.contains(epd)))
            .map(|game| game.id)
            .collect();
        let found = found(&database, &question, epd.as_deref());
        assert_eq!(found, expected, "{question:?} {epd:?}");
        asked.questions += 1;
        asked.answered += usize::from(!expected.is_empty());
        asked.all += usize::from(expected.len() == games.len());
    }
    asked
}

/// A position that some games reach, mostly one that many do.
fn position(games: &[Known], random: &mut Random) -> String {
    loop {
        let game = random.choose(games);
        let early = random.below(8);
        if let Some(epd) = game.positions.get(early) {
            return epd.clone();
        }
    }
}

/// Asks so many questions on the command line: searches, counts of moves, exports.
pub(crate) fn compare_commands(
    work: &Workplace,
    games: &[Known],
    count: usize,
    random: &mut Random,
) {
    for _ in 0..count {
        let question = loop {
            let question = question(games, random);
            // The command line refuses names and comments without a word.
            let has_words = |(_, text): &(_, String)| text.contains(char::is_alphanumeric);
            if question.conditions.iter().all(has_words) {
                break question;
            }
        };
        let epd = position(games, random);
        let reaching = |game: &&Known| game.positions.contains(&epd);
        let chosen: Vec<&Known> = games.iter().filter(|game| question.holds(game)).collect();
        let listed = run(work, &["search", "games.db", "--format", "csv"], &question);
        let numbers = chosen.iter().map(|game| game.id.to_string());
        assert_eq!(first_fields(&listed), numbers.collect::<Vec<_>>(), "{question:?}");
        let there: Vec<&Known> = chosen.iter().copied().filter(reaching).collect();
        let counted = run(work, &["search", "games.db", &epd, "--format", "count"], &question);
        assert_eq!(counted.trim(), there.len().to_string(), "{question:?} {epd}");
        let moves = run(work, &["moves", "games.db", &epd, "--format", "csv"], &question);
        assert_eq!(counts(&moves), played(&there, &epd), "{question:?} {epd}");
        let exported = read_pgn(&run(work, &["export", "games.db"], &question));
        // What is not known is written as a question mark.
        let white = |game: &Known| game.white.clone().unwrap_or_else(|| "?".to_owned());
        let told = |game: &Known| (white(game), game.eco.clone(), game.moves.clone());
        let exported: Vec<_> = exported.iter().map(told).collect();
        let expected: Vec<_> = chosen.iter().map(|game| told(game)).collect();
        assert_eq!(exported, expected, "{question:?}");
    }
}

fn run(work: &Workplace, arguments: &[&str], question: &Question) -> String {
    let given = arguments.iter().map(|argument| (*argument).to_owned());
    text(&work.run(given.chain(question.arguments())).success())
}

fn first_fields(csv: &str) -> Vec<&str> {
    csv.lines().skip(1).filter_map(|line| line.split(',').next()).collect()
}

/// Moves without signs of check, `` where games end, with the number of their games.
fn counts(csv: &str) -> BTreeMap<String, usize> {
    let count = |line: &str| {
        let mut fields = line.split(',');
        let san = fields.next()?.trim_end_matches(['+', '#']).to_owned();
        Some((san, fields.nth(1)?.parse().ok()?))
    };
    csv.lines().skip(1).filter_map(count).collect()
}

/// The same from games: what was played when they were there first.
fn played(games: &[&Known], epd: &str) -> BTreeMap<String, usize> {
    let mut played: BTreeMap<String, usize> = BTreeMap::new();
    for game in games {
        let at = game.positions.iter().position(|other| other == epd).expect("a visit");
        *played.entry(game.moves.get(at).cloned().unwrap_or_default()).or_default() += 1;
    }
    played
}
