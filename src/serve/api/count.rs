//! `/api/1/count`: the number of games that match a query.

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::answer::GameCount;

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/count",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "The number of games of a query",
        parameters: &[
            (
                "fen",
                "a position that games must reach; fields at its end may be left out",
            ),
            (
                "play",
                "moves from there in UCI notation, separated by commas",
            ),
        ],
        has_filters: true,
        schema: Some(schema_of::<GameCount>),
    },
};

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let (query, _) = joined.game_query()?;
    let counts = joined.run(|request| {
        let mut results = request.database.query_watched(&query, request.watch)?;
        let count = results.count()?;
        Ok(count)
    })?;

    // A game that two databases have counts twice.
    let games: u64 = counts.into_iter().sum();
    Answer::json(&GameCount {
        games,
        index_plies: joined.plies_of(&query),
    })
}
