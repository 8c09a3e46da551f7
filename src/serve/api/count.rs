//! `/api/1/count`: how many games a query has.

use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Interface, Joined, Method, Route, Weight};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/count",
    interface: Interface::Own,
    weight: Weight::Heavy,
    method: Method::Whole(answer),
    description: Description {
        summary: "The number of games of a query",
        parameters: &[
            ("fen", "a position that games must reach; fields at its end may be left out"),
            ("play", "moves from there in UCI notation, separated by commas"),
        ],
        has_filters: true,
        schema: "Count",
    },
};

#[derive(Serialize)]
struct Record {
    count: u64,
    /// The last half-move after which positions are indexed, if not all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    index_plies: Option<u32>,
}

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let (query, _) = joined.game_query()?;
    let counts = joined.ask(|question| {
        let mut results = question.database.query_watched(&query, question.watch)?;
        Ok(results.count()?)
    })?;
    let index_plies = joined.plies_of(&query);
    Answer::json(&Record { count: counts.into_iter().sum(), index_plies })
}
