//! `/api/1/crosstable`: the standings and games of a tournament.

use crate::serve::answer::Answer;
use crate::serve::databases::named_game;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::answer;
use stamma::query::GameOfDatabase;
use stamma::storage::GameId;
use stamma::study::tournament::{Crosstable, Tournaments};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/crosstable",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "The crosstable of the tournament that a game belongs to",
        parameters: &[("game", "the number of any game of the tournament")],
        has_filters: false,
        schema: Some(schema_of::<answer::Crosstable>),
    },
};

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let (number, game) = game(joined)?;
    let names = joined.names_in_answers();
    joined.together(|databases, watch| {
        let Some(tournament) = Tournaments::of_game(databases, game, &watch)? else {
            return Err(Failure::not_found(format!(
                "there is no game {number}, or it names no event"
            )));
        };
        let games = tournament.games.len();
        if games > Crosstable::MAX_GAMES {
            return Err(Failure::bad_request(format!(
                "{} has {games} games, more than the {} of a crosstable",
                tournament.event,
                Crosstable::MAX_GAMES
            )));
        }

        let names = names.as_deref();
        let crosstable = Crosstable::read(databases, &tournament)?;
        let answer = answer::Crosstable::read(databases, names, &tournament, &crosstable)?;
        Answer::json(&answer)
    })
}

/// The game of the request, and its number for messages.
fn game(joined: &Joined<'_>) -> Result<(String, GameOfDatabase), Failure> {
    let text = joined.request.parameters.required("game")?;
    let (name, number) = named_game(text);
    let refused = |_| Failure::bad_request(format!("game={text} is not understood"));
    let game: GameId = number.trim().parse().map_err(refused)?;

    let names = joined.names();
    let database = match name {
        Some(name) => names.iter().position(|known| known == name),
        None if names.len() == 1 => Some(0),
        None => {
            return Err(Failure::bad_request(format!(
                "game={text} is one of each database; name one, as in game={}:{game}",
                names[0]
            )));
        }
    };
    let Some(database) = database else {
        let name = name.unwrap_or_default();
        return Err(Failure::not_found(format!(
            "there is no database {name} here"
        )));
    };
    Ok((game.to_string(), GameOfDatabase { database, game }))
}
