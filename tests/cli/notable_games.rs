//! The notable games of each move, compared with those found by looking at all games.

use std::collections::BTreeMap;

use crate::support::program::{Workplace, json_lines, stdout_of};
use serde_json::Value;

fn json(work: &Workplace, arguments: &[&str]) -> Vec<Value> {
    let arguments = [arguments, &["--format", "jsonl"]].concat();
    let run = work.run(arguments).success();
    json_lines(&stdout_of(&run))
}

/// By move: the first game with its date, and the best-rated game.
type Expected = BTreeMap<Option<String>, (Value, Value, Value)>;

/// Looks at all games that reach a position, one by one.
fn expected_games(work: &Workplace, fen: &str, condition: &str) -> Expected {
    let sql = format!(
        "SELECT san, id, white_elo + black_elo AS elo,
            CASE WHEN date GLOB '[0-9]*' THEN date END AS date FROM position('{fen}')
         JOIN game ON id = game_id WHERE {condition} ORDER BY id"
    );
    let mut by_move: BTreeMap<Option<String>, Vec<Value>> = BTreeMap::new();
    for game in json(work, &["sql", "games.db", &sql]) {
        let san = game["san"].as_str().map(str::to_owned);
        by_move.entry(san).or_default().push(game);
    }

    let mut expected = Expected::new();
    for (san, games) in by_move {
        // A partial date counts as its earliest possible day.
        let earliest = |game: &&Value| game["date"].as_str().unwrap_or("?").replace('?', "0");
        let dated = games.iter().filter(|game| !game["date"].is_null());
        let first = dated.min_by_key(earliest).unwrap_or(&games[0]);

        // Of several maxima, `max_by_key` returns the last; of equal games, the first counts.
        let rated = games.iter().rev().filter(|game| !game["elo"].is_null());
        let best = rated.max_by_key(|game| game["elo"].as_i64());
        let best_id = match best {
            Some(game) => game["id"].clone(),
            None => Value::Null,
        };

        expected.insert(san, (first["id"].clone(), first["date"].clone(), best_id));
    }

    expected
}

fn notable_games(work: &Workplace, fen: &str, filter: &[&str]) -> Expected {
    let arguments = [&["moves", "games.db", fen], filter].concat();

    let mut found = Expected::new();
    for record in json(work, &arguments) {
        let san = record["san"].as_str().map(str::to_owned);
        let first_game = record["first_game"].clone();
        let first_date = record["first_date"].clone();
        let best_game = record["best_game"].clone();
        found.insert(san, (first_game, first_date, best_game));
    }

    found
}

/// Positions of many games and of one, at the end of games, and as partial FENs.
const FENS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
    "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R b KQkq -",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR",
    "8/8/8/8/8/4k3/8/4K3 w - -",
];

#[test]
fn of_all_games() {
    let work = Workplace::with_historical_games();
    for fen in FENS {
        assert_eq!(
            notable_games(&work, fen, &[]),
            expected_games(&work, fen, "true"),
            "{fen}"
        );
    }
}

#[test]
fn of_some_games() {
    let work = Workplace::with_historical_games();
    for fen in FENS {
        let filtered = notable_games(&work, fen, &["--since", "1950", "--result", "1-0"]);
        let condition = "date >= '1950' AND date GLOB '[0-9]*' AND result = '1-0'";
        assert_eq!(filtered, expected_games(&work, fen, condition), "{fen}");
    }
}

#[test]
fn of_games_that_have_changed() {
    let work = Workplace::with_historical_games();
    work.query("UPDATE game SET date = '????.??.??' WHERE id % 3 = 0 RETURNING id");
    work.query("UPDATE game SET date = '1800.02.??', white_elo = 2000 + id % 5, black_elo = 2000 WHERE id % 5 = 0 RETURNING id");
    work.query("DELETE FROM game WHERE id % 7 = 0 RETURNING id");
    work.query("UPDATE movetext SET moves = 'd4 d5' WHERE game_id % 11 = 0 AND (SELECT fen FROM game WHERE id = game_id) IS NULL RETURNING game_id");

    for fen in FENS {
        assert_eq!(
            notable_games(&work, fen, &[]),
            expected_games(&work, fen, "true"),
            "{fen}"
        );
    }
}

#[test]
fn the_best_rated_games_stand_below_the_table() {
    let work = Workplace::with_historical_games();
    let table = work.output("moves games.db");
    let sql = "SELECT id FROM game WHERE white_elo + black_elo > 0 AND fen IS NULL
        AND variant IS NULL ORDER BY white_elo + black_elo DESC, id LIMIT 3";
    let (_, best) = table.split_once("best rated").expect("a second table");
    let rows = best.lines().skip(1);
    let shown: Vec<&str> = rows
        .filter_map(|row| row.split_whitespace().next())
        .collect();

    assert_eq!(shown.join("\n"), work.query(sql));
    assert!(
        table.lines().all(|line| line.chars().count() <= 100),
        "{table}"
    );
}
