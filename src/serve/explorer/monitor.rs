//! `/monitor`: a line of figures for programs that watch servers.

use crate::serve::answer::{Answer, PLAIN};
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/monitor",
    interface: Interface::Explorer,
    weight: Weight::Light,
    method: Method::Whole(answer),
    description: Description {
        summary: "The number of games of each database, in the line protocol of InfluxDB",
        parameters: &[],
        has_filters: false,
        schema: "",
    },
};

fn answer(question: &Question<'_>) -> Result<Answer, Failure> {
    let games = question.database.count_games()?;
    let positions = question.database.count_positions()?;
    Ok(Answer::new(PLAIN, format!("opening_explorer games={games}u,positions={positions}u")))
}
