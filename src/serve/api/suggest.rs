//! `/api/1/suggest`: names for what is being typed.

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
        summary: "Names with words that begin like those of a text, the most frequent first",
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
    let field = match joined.request.parameters.required("field")? {
        "player" | "white" | "black" => NameField::Player,
        "event" => NameField::Event,
        "site" => NameField::Site,
        "opening" => NameField::Opening,
        other => {
            return Err(Failure::bad_request(format!(
                "there are no suggestions for {other}"
            )));
        }
    };
    let text = joined.request.parameters.get("text").unwrap_or_default();
    let limit = joined
        .request
        .parameters
        .rows("limit", DEFAULT_ROWS, MAX_ROWS)?;
    let suggested = joined.run(|request| {
        let counts = request
            .prepared
            .names(request.database, field, request.common.budget)?;
        Ok(counts.suggest(request.database, text, limit)?)
    })?;
    let names = match joined.has_several() {
        true => joined_names(joined, field, suggested, limit)?,
        false => suggested.into_iter().flatten().collect(),
    };
    let records = names
        .into_iter()
        .map(|(value, games)| Suggestion { value, games });
    Answer::json(&records.collect::<Vec<_>>())
}

/// The names that any database suggests, with their games in all.
fn joined_names(
    joined: &Joined<'_>,
    field: NameField,
    suggested: Vec<Vec<(String, u64)>>,
    limit: usize,
) -> Result<Vec<(String, u64)>, Failure> {
    let names: BTreeSet<String> = suggested
        .into_iter()
        .flatten()
        .map(|(name, _)| name)
        .collect();
    let counts = joined.run(|request| {
        let counts = request
            .prepared
            .names(request.database, field, request.common.budget)?;
        let games = names
            .iter()
            .map(|name| counts.of_name(request.database, name));
        Ok(games.collect::<stamma::Result<Vec<u64>>>()?)
    })?;
    let with_games = names.into_iter().enumerate().map(|(at, name)| {
        let games = counts.iter().map(|counts| counts[at]).sum();
        (name, games)
    });
    let mut names: Vec<(String, u64)> = with_games.collect();
    names.sort_by_key(|(_, games)| Reverse(*games));
    names.truncate(limit);
    Ok(names)
}
