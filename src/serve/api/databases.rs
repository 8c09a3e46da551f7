//! `/api/1/databases`: which databases are served.

use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::budget::Budget;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight};
use stamma::storage::Database;

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/databases",
    interface: Interface::Own,
    weight: Weight::Light,
    method: Method::Whole(answer),
    description: Description {
        summary: "The databases that are served, the first of which is used without `db`",
        parameters: &[],
        has_filters: false,
        schema: "Databases",
    },
};

#[derive(Serialize)]
struct Record<'d> {
    name: &'d str,
    games: u64,
    positions: u64,
    importing: bool,
}

fn answer(question: &Question<'_>) -> Result<Answer, Failure> {
    let mut records = Vec::new();
    for pool in &question.site.pools {
        let record = |database: &Database| -> Result<Record<'_>, Failure> {
            Ok(Record {
                name: &pool.name,
                games: database.count_games()?,
                positions: database.count_positions()?,
                importing: database.is_being_written(),
            })
        };
        let is_own = std::ptr::eq(pool, question.pool);
        records.push(match is_own {
            true => record(question.database)?,
            false => pool.with_connection(&Budget::new(), |database, _| record(database))?,
        });
    }
    Answer::json(&records)
}
