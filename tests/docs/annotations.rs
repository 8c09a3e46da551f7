//! Annotations are stored as `docs/annotations.md` specifies.

use crate::support::document::blocks;
use crate::support::program::{Workplace, json_lines, stdout_of};
use serde_json::Value;
use stamma::notation::San;
use stamma::replay::Mainline;

const PAGE: &str = include_str!("../../docs/annotations.md");

/// The first code block in a language.
fn block(language: &str) -> String {
    let blocks = blocks(PAGE);
    let block = blocks.iter().find(|block| block.language == language);
    block.expect("a block").body()
}

#[test]
fn game_is_stored_as_shown() {
    let work = Workplace::new();
    work.import(block("pgn"));
    assert_eq!(
        work.query("SELECT annotations FROM games"),
        block("json").trim_end()
    );
}

/// `true` if a string conforms to the page's grammar.
fn is_of_the_form(string: &str) -> bool {
    let (first, rest) = string.split_at(1);
    match first {
        // A comment, and an escape line.
        "{" | "%" => true,
        "$" => is_nag(rest),
        "(" | ")" => rest.is_empty(),
        _ => string == "--" || San::parse(string.as_bytes()).is_some(),
    }
}

/// `true` for a NAG from 0 to 255 without leading zeros.
fn is_nag(digits: &str) -> bool {
    let nag = digits.parse::<u8>();
    nag.is_ok_and(|nag| nag.to_string() == digits)
}

#[test]
fn games_of_history_keep_to_the_form() {
    let annotations = "SELECT annotations FROM games WHERE annotations IS NOT NULL";
    let stored = Workplace::with_historical_games().query(annotations);

    let mut variations = 0;
    for json in stored.lines() {
        let parsed: serde_json::Map<String, Value> = serde_json::from_str(json).expect("an object");
        for strings in parsed.values() {
            let mut depth = 0_i32;
            for string in strings.as_array().expect("an array") {
                let string = string.as_str().expect("a string");
                assert!(is_of_the_form(string), "{string} in {json}");

                match string {
                    "(" => {
                        depth += 1;
                        variations += 1;
                    }
                    ")" => depth -= 1,
                    _ => {}
                }
                assert!(depth >= 0, "{json}");
            }
            assert_eq!(depth, 0, "{json}");
        }
    }

    assert!(variations > 20, "{variations}");
}

#[test]
fn lines_of_comments_in_variations_can_be_played() {
    let sql = "SELECT moves, ply, variation FROM games JOIN game_comment(id)
        WHERE variation IS NOT NULL AND fen IS NULL";
    let work = Workplace::with_historical_games();
    let run = work.run(["sql", "games.db", sql, "--format", "jsonl"]);
    let rows = json_lines(&stdout_of(&run.success()));

    for row in &rows {
        let words = |column: &str| {
            let text = row[column].as_str().expect("a text");
            text.split_ascii_whitespace()
        };

        // The variation takes the place of the moves of the mainline from its first move on.
        let ply = row["ply"].as_u64().expect("a number") as usize;
        let begin = ply - words("variation").count();
        let mainline = words("moves").take(begin);
        let sans: Vec<&str> = mainline.chain(words("variation")).collect();

        let moves = sans.join(" ");
        let mut line = Mainline::new(None, &moves).expect("the usual start");
        while let Some((_, mv)) = line.next().expect("a legal move") {
            line.play(mv);
        }

        assert_eq!(line.ply().get() as usize, ply, "{row}");
    }
    assert_eq!(rows.len(), 4, "{rows:?}");
}
