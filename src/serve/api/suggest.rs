//! `/api/1/suggest`: names that complete a text while it is typed.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::query::NameField;

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/suggest",
    interface: Interface::Own,
    weight: Weight::Light,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "Names with words that begin like the words of a text, the most frequent first",
        parameters: &[
            ("field", "player, event, site or opening"),
            ("text", "words or word prefixes"),
            ("limit", "the most names, at most 100 (default: 10)"),
        ],
        has_filters: false,
        schema: Some(schema_of::<Vec<Suggestion>>),
    },
};

const DEFAULT_ROWS: usize = 10;
const MAX_ROWS: usize = 100;

#[derive(Serialize, JsonSchema)]
struct Suggestion {
    value: String,
    games: u64,
}

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let field = match parameters.required("field")? {
        "player" | "white" | "black" => NameField::Player,
        "event" => NameField::Event,
        "site" => NameField::Site,
        "opening" => NameField::Opening,
        other => {
            let sentence = format!("there are no suggestions for {other}");
            return Err(Failure::bad_request(sentence));
        }
    };
    let text = parameters.get("text").unwrap_or_default();
    let limit = parameters.rows("limit", DEFAULT_ROWS, MAX_ROWS)?;

    let suggested = joined.run(|request| {
        let budget = request.common.budget;
        let counts = request.prepared.names(request.database, field, budget)?;
        let names = counts.suggest(request.database, text, limit)?;
        Ok(names)
    })?;

    let names = if joined.has_several() {
        joined_names(joined, field, suggested, limit)?
    } else {
        suggested.into_iter().flatten().collect()
    };

    let mut records = Vec::with_capacity(names.len());
    for (value, games) in names {
        records.push(Suggestion { value, games });
    }
    Answer::json(&records)
}

/// The names that any database suggests, with the sums of their games.
fn joined_names(
    joined: &Joined<'_>,
    field: NameField,
    suggested: Vec<Vec<(String, u64)>>,
    limit: usize,
) -> Result<Vec<(String, u64)>, Failure> {
    let mut names = BTreeSet::new();
    for (name, _) in suggested.into_iter().flatten() {
        names.insert(name);
    }

    // A database may have games of a name that it has not suggested.
    let games_of_names = joined.sums(|request| {
        let database = request.database;
        let counts = request
            .prepared
            .names(database, field, request.common.budget)?;

        let mut games: Vec<u64> = Vec::with_capacity(names.len());
        for name in &names {
            let games_of_name = counts.of_name(database, name)?;
            games.push(games_of_name);
        }
        Ok(games)
    })?;

    let mut with_games: Vec<(String, u64)> = names.into_iter().zip(games_of_names).collect();

    // Names with equally many games stay in alphabetical order.
    with_games.sort_by_key(|(_, games)| Reverse(*games));
    with_games.truncate(limit);
    Ok(with_games)
}
