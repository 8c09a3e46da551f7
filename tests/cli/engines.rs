//! Games with chess programs: filters, and the best games, which are those of people.

use crate::support::program::{Workplace, first_fields, json_lines, stderr_of};
use serde_json::Value;

fn game(white: &str, black: &str, tags: &str, elo: u32) -> String {
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n[WhiteElo \"{elo}\"]\n\
         [BlackElo \"{elo}\"]\n{tags}\n1. e4 e5 2. Nf3 Nc6 1-0\n\n"
    )
}

fn workplace() -> Workplace {
    let work = Workplace::new();
    work.import(
        [
            game("Berg, Anna", "Fritz, Nils", "", 2400),
            game("Stockfish 16", "Komodo 14", "", 3600),
            game("Berg, Anna", "Comp Hitech", "", 2500),
            game("Winter", "Weiss", "[Event \"TCEC Season 9\"]\n", 3400),
            game("Winter", "Weiss", "[Event \"Hastings\"]\n", 2300),
            game(
                "maia1",
                "anna",
                "[Event \"Rated Blitz game\"]\n[WhiteTitle \"BOT\"]\n",
                1500,
            ),
            game(
                "A",
                "B",
                "[WhiteType \"program\"]\n[BlackType \"human\"]\n",
                2450,
            ),
            game("Stockfish", "anna", "[Event \"Rated Blitz game\"]\n", 1400),
        ]
        .concat(),
    );
    work
}

fn game_numbers(work: &Workplace, arguments: &str) -> Vec<String> {
    let csv = work.output(&format!("search games.db --format csv {arguments}"));
    let numbers = first_fields(&csv);
    numbers.into_iter().map(str::to_owned).collect()
}

#[test]
fn every_game_is_of_people_or_of_programs() {
    let work = workplace();

    // In the last game, the name of a program is a user name, and no evidence.
    assert_eq!(game_numbers(&work, "--humans"), ["1", "5", "8"]);
    assert_eq!(game_numbers(&work, "--engines"), ["2", "3", "4", "6", "7"]);
    assert_eq!(game_numbers(&work, "--engines --player berg"), ["3"]);

    let refused = work.stamma("search games.db --humans --engines").failure();
    let stderr = stderr_of(&refused);
    assert!(stderr.contains("--humans"), "{stderr}");
}

/// Games that other programs have changed are described anew.
#[test]
fn a_changed_tag_is_seen() {
    let work = workplace();
    let sql = "UPDATE game
        SET white_id = (SELECT id FROM player WHERE name = 'Comp Hitech')
        WHERE id = 1";
    work.run(["sql", "games.db", "--write", sql]).success();

    assert_eq!(game_numbers(&work, "--humans"), ["5", "8"]);

    work.stamma("optimize games.db").success();
    assert_eq!(game_numbers(&work, "--humans"), ["5", "8"]);
}

#[test]
fn the_best_games_are_those_of_people() {
    let work = workplace();
    // The best game of the first move.
    let best = |arguments: &str| -> Value {
        let moves = work.output(&format!("moves games.db --format jsonl {arguments}"));
        let rows = json_lines(&moves);
        rows[0]["best_game"].clone()
    };

    assert_eq!(best(""), 1);
    assert_eq!(best("--engines"), 2);

    // The key games of a report.
    let report = |arguments: &str| -> Vec<u64> {
        let text = work.output(&format!(
            "opening games.db --after e4 --format json {arguments}"
        ));
        let report: Value = serde_json::from_str(&text).expect("JSON");
        let games = report["key_games"].as_array().expect("games");
        let numbers = games.iter().map(|game| game["game"].as_u64());
        numbers.map(|number| number.expect("a number")).collect()
    };

    assert_eq!(report(""), [1, 5, 8]);
    assert_eq!(report("--engines")[0], 2);

    work.write("lines.pgn", "1. e4 e5 2. Nf3 *\n");
    let departures = work.output("repertoire games.db lines.pgn --as white --format jsonl");
    let rows = json_lines(&departures);
    let best = rows[0]["best_games"].as_array().expect("games");

    let numbers: Vec<&Value> = best.iter().map(|game| &game["game"]).collect();
    assert_eq!(numbers, [1, 5, 8], "{departures}");
}
