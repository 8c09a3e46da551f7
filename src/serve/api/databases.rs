//! `/api/1/databases`: the served databases.

use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/databases",
    interface: Interface::Own,
    weight: Weight::Light,
    handler: Handler::OfAll(answer),
    description: Description {
        summary: "The databases that are served; all are used without `db`",
        parameters: &[],
        has_filters: false,
        schema: Some(schema_of::<Vec<ServedDatabase>>),
    },
};

#[derive(Serialize, JsonSchema)]
struct ServedDatabase {
    name: String,
    games: u64,
    positions: u64,
    importing: bool,
    /// The page of the server may change it.
    writable: bool,
}

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let records = joined.run(|request| {
        let database = request.database;
        Ok(ServedDatabase {
            name: request.pool.name.clone(),
            games: database.count_games()?,
            positions: database.count_positions()?,
            importing: database.is_being_written(),
            writable: request.common.state.options.is_writable,
        })
    })?;
    Answer::json(&records)
}
