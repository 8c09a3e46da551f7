//! `/monitor`: a line of figures for programs that watch servers.

use crate::serve::answer::{Answer, PLAIN};
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/monitor",
    interface: Interface::Explorer,
    weight: Weight::Light,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "The number of games of all databases, in the line protocol of InfluxDB",
        parameters: &[],
        has_filters: false,
        schema: None,
    },
};

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let counts = joined.run(|request| {
        let database = request.database;
        Ok((database.count_games()?, database.count_positions()?))
    })?;

    let games: u64 = counts.iter().map(|(games, _)| games).sum();
    let positions: u64 = counts.iter().map(|(_, positions)| positions).sum();
    let line = format!("opening_explorer games={games}u,positions={positions}u");
    Ok(Answer::new(PLAIN, line))
}
