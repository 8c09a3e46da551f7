//! `/api/1/openings`: openings by words of their names.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::replay::Mainline;

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/openings",
    interface: Interface::Own,
    weight: Weight::Light,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "Openings whose code or name has words that begin like the words of a text",
        parameters: &[
            ("text", "words or word prefixes"),
            ("limit", "the most openings, at most 500 (default: 50)"),
        ],
        has_filters: false,
        schema: Some(schema_of::<Vec<OpeningLine<'static>>>),
    },
};

const DEFAULT_ROWS: usize = 50;
const MAX_ROWS: usize = 500;

#[derive(Serialize, JsonSchema)]
struct OpeningLine<'l> {
    eco: &'l str,
    name: &'l str,
    moves: &'l str,
    fen: String,
}

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let text = parameters.get("text").unwrap_or_default().to_lowercase();
    let prefixes: Vec<&str> = words(&text).collect();
    let limit = parameters.rows("limit", DEFAULT_ROWS, MAX_ROWS)?;

    // A line of the table has the moves, the code and the name, separated by tabs.
    let table = joined.run_one(0, |request| request.database.opening_lines())?;
    let mut openings = Vec::new();
    for line in table.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [moves, eco, name, ..] = columns[..] else {
            continue;
        };

        let text_of_opening = format!("{eco} {name}");
        if has_words(&text_of_opening, &prefixes) {
            openings.push((moves, eco, name));
        }
    }

    // A name with several lines is listed with the shortest one, and short lines come first.
    openings.sort_by_key(|(moves, ..)| moves.len());
    let mut seen = HashSet::new();
    openings.retain(|(_, eco, name)| seen.insert((*eco, *name)));

    let mut records = Vec::new();
    for (moves, eco, name) in openings.into_iter().take(limit) {
        records.push(OpeningLine {
            eco,
            name,
            moves,
            fen: fen(moves),
        });
    }
    Answer::json(&records)
}

/// `true` if each prefix begins a word of a text; prefixes are in lower case.
fn has_words(text: &str, prefixes: &[&str]) -> bool {
    let lower = text.to_lowercase();
    for prefix in prefixes {
        let has_word = words(&lower).any(|word| word.starts_with(*prefix));
        if !has_word {
            return false;
        }
    }
    true
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// The FEN after moves of the table of openings, which are legal.
fn fen(moves: &str) -> String {
    let Ok(mut line) = Mainline::new(None, moves) else {
        return String::new();
    };
    while let Some((_, mv)) = line.step() {
        line.play(mv);
    }
    line.position().fen()
}
