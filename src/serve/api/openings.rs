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
        summary: "Openings whose code or name has words that begin like those of a text",
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
    let text = joined
        .request
        .parameters
        .get("text")
        .unwrap_or_default()
        .to_lowercase();
    let wanted: Vec<&str> = words(&text).collect();
    let limit = joined
        .request
        .parameters
        .rows("limit", DEFAULT_ROWS, MAX_ROWS)?;
    let lines = joined.run_one(0, |request| request.database.opening_lines())?;
    let mut openings: Vec<_> = lines
        .lines()
        .filter_map(|line| {
            let mut columns = line.split('\t');
            let (moves, eco, name) = (columns.next()?, columns.next()?, columns.next()?);
            let lower = format!("{eco} {name}").to_lowercase();
            let has = |wanted: &&str| words(&lower).any(|word| word.starts_with(wanted));
            wanted.iter().all(has).then_some((moves, eco, name))
        })
        .collect();
    // The shortest line of each name, and short lines first.
    openings.sort_by_key(|(moves, ..)| moves.len());
    let mut seen = HashSet::new();
    openings.retain(|(_, eco, name)| seen.insert((*eco, *name)));
    let records = openings
        .into_iter()
        .take(limit)
        .map(|(moves, eco, name)| OpeningLine {
            eco,
            name,
            moves,
            fen: fen(moves),
        });
    Answer::json(&records.collect::<Vec<_>>())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// The position after moves of the table, all of which are legal.
fn fen(moves: &str) -> String {
    let Ok(mut line) = Mainline::new(None, moves) else {
        return String::new();
    };
    while let Some((_, mv)) = line.step() {
        line.play(mv);
    }
    line.position().fen()
}
