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
            let sentence = format!("there is no game {number}, or it names no event");
            return Err(Failure::not_found(sentence));
        };

        // An event of more games is no tournament, such as the games of a month on a server.
        let games = tournament.games.len();
        let max_games = Crosstable::MAX_GAMES;
        if games > max_games {
            let event = &tournament.event;
            let sentence =
                format!("{event} has {games} games, more than the {max_games} of a crosstable");
            return Err(Failure::bad_request(sentence));
        }

        let crosstable = Crosstable::read(databases, &tournament)?;
        let names = names.as_deref();
        let answer = answer::Crosstable::read(databases, names, &tournament, &crosstable)?;
        Answer::json(&answer)
    })
}

/// The game of the request, and its number for messages.
fn game(joined: &Joined<'_>) -> Result<(String, GameOfDatabase), Failure> {
    let text = joined.request.parameters.required("game")?;
    let (name, number) = named_game(text);
    let Ok(game) = number.trim().parse::<GameId>() else {
        let sentence = format!("game={text} is not understood");
        return Err(Failure::bad_request(sentence));
    };

    let names = joined.names();
    let database = match (name, &names[..]) {
        (Some(name), _) => database_of_name(&names, name)?,
        (None, [first, _, ..]) => {
            let sentence =
                format!("game={text} is one of each database; name one, as in game={first}:{game}");
            return Err(Failure::bad_request(sentence));
        }
        // A request has at least one database.
        (None, _) => 0,
    };

    Ok((game.to_string(), GameOfDatabase { database, game }))
}

/// The index of the database with a name.
fn database_of_name(names: &[String], name: &str) -> Result<usize, Failure> {
    let found = names.iter().position(|known| known == name);
    match found {
        Some(database) => Ok(database),
        None => {
            let sentence = format!("there is no database {name} here");
            Err(Failure::not_found(sentence))
        }
    }
}
