//! `/api/1/head-to-head`: the games of two players against each other; below `/api/1/report/` as HTML.

use super::player::name_query;
use super::report::{Report, report};
use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{
    DatabaseRequest, Description, Handler, Interface, Route, Weight, schema_of,
};
use stamma::answer;
use stamma::study::head_to_head::{HeadToHead, HeadToHeadQuery, head_to_head_document};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/head-to-head",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::OfOne(respond),
    description: Description {
        summary: "The games of two players against each other",
        parameters: &[
            (
                "name",
                "the player whose wins count as wins: words or word prefixes of the name, or the exact name behind =",
            ),
            ("against", "the other player"),
            (
                "limit",
                "the maximum number of openings and of games, at most 1000 (default: 50)",
            ),
        ],
        has_filters: true,
        schema: Some(schema_of::<answer::HeadToHead>),
    },
};

pub(in crate::serve) const HTML_ROUTE: Route = Route {
    path: "/api/1/report/head-to-head",
    handler: Handler::OfOne(respond_with_html),
    description: Description {
        summary: "The same as HTML",
        schema: Some(schema_of::<Report<'static>>),
        ..ROUTE.description
    },
    ..ROUTE
};

const DEFAULT_ROWS: usize = 50;
const MAX_ROWS: usize = 1000;

fn respond(request: &DatabaseRequest<'_>) -> Result<Answer, Failure> {
    let head_to_head = read(request)?;
    let answer = answer::HeadToHead::read(request.database, &head_to_head)?;
    Answer::json(&answer)
}

fn respond_with_html(request: &DatabaseRequest<'_>) -> Result<Answer, Failure> {
    let head_to_head = read(request)?;
    let mut headings = Vec::new();
    for (game, _) in &head_to_head.games {
        let heading = request.database.heading(*game)?;
        headings.push(heading.unwrap_or_default());
    }

    let document = head_to_head_document(&head_to_head, &headings);
    report(&document)
}

fn read(request: &DatabaseRequest<'_>) -> Result<HeadToHead, Failure> {
    let parameters = request.common.parameters;
    let player = name_query(parameters.required("name")?)?;
    let opponent = name_query(parameters.required("against")?)?;
    let query = HeadToHeadQuery {
        player,
        opponent,
        filter: request.game_options()?.filter,
        limit: parameters.rows("limit", DEFAULT_ROWS, MAX_ROWS)?,
    };

    let head_to_head = HeadToHead::read(request.database, &query, &request.watch)?;
    Ok(head_to_head)
}
