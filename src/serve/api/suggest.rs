//! `/api/1/suggest`: names for what is being typed.

use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight};
use stamma::query::NameField;

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/suggest",
    interface: Interface::Own,
    weight: Weight::Light,
    method: Method::Whole(answer),
    description: Description {
        summary: "Names with words that begin like those of a text, the most frequent first",
        parameters: &[
            ("field", "player, event, site or opening"),
            ("text", "words or word prefixes"),
            ("limit", "the most names, at most 100 (default: 10)"),
        ],
        has_filters: false,
        schema: "Suggestions",
    },
};

const USUAL_ROWS: usize = 10;
const MOST_ROWS: usize = 100;

#[derive(Serialize)]
struct Record {
    value: String,
    games: u64,
}

fn answer(question: &Question<'_>) -> Result<Answer, Failure> {
    let field = match question.parameters.required("field")? {
        "player" | "white" | "black" => NameField::Player,
        "event" => NameField::Event,
        "site" => NameField::Site,
        "opening" => NameField::Opening,
        other => return Err(Failure::bad_request(format!("there are no suggestions for {other}"))),
    };
    let text = question.parameters.get("text").unwrap_or_default();
    let limit = question.parameters.rows("limit", USUAL_ROWS, MOST_ROWS)?;
    let counts = question.prepared.names(question.database, field, question.budget)?;
    let names = counts.suggest(question.database, text, limit)?;
    let records = names.into_iter().map(|(value, games)| Record { value, games });
    Answer::json(&records.collect::<Vec<_>>())
}
