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
    let by_database = joined.run(|request| {
        let games = request.database.count_games()?;
        let positions = request.database.count_positions()?;
        Ok((games, positions))
    })?;

    let mut games = 0;
    let mut positions = 0;
    for (games_of_database, positions_of_database) in by_database {
        games += games_of_database;
        positions += positions_of_database;
    }

    // The suffix `u` marks an unsigned integer in the line protocol.
    let line = format!("opening_explorer games={games}u,positions={positions}u");
    Ok(Answer::new(PLAIN, line))
}
