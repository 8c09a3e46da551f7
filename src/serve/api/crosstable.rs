//! `/api/1/crosstable`: the standings and games of a tournament.

use crate::serve::answer::Answer;
use crate::serve::databases::named_game;
use crate::serve::failure::Failure;
use crate::serve::route::{
    DatabaseRequest, Description, Handler, Interface, Route, Weight, schema_of,
};
use stamma::answer;
use stamma::study::tournament::{Crosstable, Tournaments};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/crosstable",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::OfOne(answer),
    description: Description {
        summary: "The crosstable of the tournament that a game belongs to",
        parameters: &[("game", "the number of any game of the tournament")],
        has_filters: false,
        schema: Some(schema_of::<answer::Crosstable>),
    },
};

fn answer(request: &DatabaseRequest<'_>) -> Result<Answer, Failure> {
    let text = request.common.parameters.required("game")?;
    let (_, number) = named_game(text);
    let refused = |_| Failure::bad_request(format!("game={text} is not understood"));
    let game = number.trim().parse().map_err(refused)?;
    let (database, watch) = (request.database, &request.watch);
    let tournament = Tournaments::of_game(database, game, watch)?;
    let tournament = tournament.ok_or_else(|| {
        Failure::not_found(format!("there is no game {game}, or it names no event"))
    })?;
    if tournament.games.len() > Crosstable::MOST_GAMES {
        return Err(Failure::bad_request(format!(
            "{} has {} games, more than the {} of a crosstable",
            tournament.event,
            tournament.games.len(),
            Crosstable::MOST_GAMES
        )));
    }
    let crosstable = Crosstable::read(database, &tournament)?;
    let mut answer = answer::Crosstable::read(database, &tournament, &crosstable)?;
    answer.tournament.database.clone_from(&request.name);
    Answer::json(&answer)
}
