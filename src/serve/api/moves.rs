//! `/api/1/moves`: the moves played in a position, with their results.

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::line::PlayedLine;
use crate::serve::route::{
    DatabaseRequest, Description, Handler, Interface, Joined, Route, Weight, schema_of,
};
use stamma::answer::{Moves, OpeningRef};
use stamma::board::Move;
use stamma::query::{FirstGame, MoveCount, Query, joined_moves};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/moves",
    interface: Interface::Own,
    weight: Weight::Light,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "The moves played in a position, the most played first",
        parameters: &[
            (
                "fen",
                "the position, with spaces or underscores (default: the start)",
            ),
            (
                "play",
                "moves from there in UCI notation, separated by commas",
            ),
            (
                "notable",
                "true: the first and the best game with each move; without it, only moves of a single game have first_game",
            ),
        ],
        has_filters: true,
        schema: Some(schema_of::<Moves>),
    },
};

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let line = PlayedLine::read(joined.request.parameters)?;
    let options = joined.game_options()?;
    let query = options.query.positions([line.here.clone()]);
    let by_database = joined.run(|request| counted(request, &query))?;
    let (parts, singles): (Vec<_>, Vec<_>) = by_database.into_iter().unzip();
    let counted = joined_moves(&line.here, parts);

    let openings = joined.openings();
    let positions = std::slice::from_ref(&line.here);
    let mut answer = Moves::new(openings, positions, &counted, joined.indexed_plies());
    answer.opening = OpeningRef::of(openings, line.positions_back());

    let has_notable_games: Option<bool> = joined.request.parameters.parse("notable")?;
    if has_notable_games.unwrap_or(false) {
        add_notable_games(joined, &mut answer, &query, &counted)?;
    } else {
        add_single_games(joined, &mut answer, &counted, &singles);
    }
    add_evaluations(joined, &mut answer, &line, &counted)?;
    Answer::json(&answer)
}

/// Adds the first and the best game of each move.
fn add_notable_games(
    joined: &Joined<'_>,
    answer: &mut Moves,
    query: &Query,
    counted: &[MoveCount],
) -> Result<(), Failure> {
    let notable = joined.query(query, |results| results.notable_games(counted))?;
    let names = joined.names_in_answers();
    answer.add_notable_games(&notable.moves, names.as_deref());
    Ok(())
}

/// Adds the game of each move that one game alone has played.
fn add_single_games(
    joined: &Joined<'_>,
    answer: &mut Moves,
    counted: &[MoveCount],
    singles: &[Vec<(Option<Move>, FirstGame)>],
) {
    for (played, counted) in answer.moves.iter_mut().zip(counted) {
        if counted.counts.all_games() != 1 {
            continue;
        }

        // A move of a single game is a move of a single game in its database, too.
        let single = played_move(counted);
        for (database, singles) in singles.iter().enumerate() {
            let Some((_, game)) = singles.iter().find(|(mv, _)| *mv == single) else {
                continue;
            };
            played.first_database = joined.name_of(database);
            played.first_game = Some(game.game.get());
            played.first_date = game.date.map(|date| date.to_string());
            break;
        }
    }
}

/// Adds the evaluations of the position and of the positions after its moves, the best of all databases.
fn add_evaluations(
    joined: &Joined<'_>,
    answer: &mut Moves,
    line: &PlayedLine,
    counted: &[MoveCount],
) -> Result<(), Failure> {
    let here = std::slice::from_ref(&line.here);
    let mut positions = vec![Some(line.here.clone())];
    for one in counted {
        positions.push(one.positions_after(here).pop());
    }

    let mut after = joined.evaluations(&positions)?;
    let before = after.remove(0);
    answer.add_evaluations(here, before.as_ref(), &after);
    Ok(())
}

/// The moves of the games of a query, and each move that a single game of the database has played, with its game.
type Counted = (Vec<MoveCount>, Vec<(Option<Move>, FirstGame)>);

fn counted(request: &DatabaseRequest<'_>, query: &Query) -> Result<Counted, Failure> {
    let mut results = request.database.query_watched(query, request.watch)?;
    let moves = results.moves()?;
    let is_single = |counted: &MoveCount| counted.counts.all_games() == 1;
    if !moves.iter().any(is_single) {
        return Ok((moves, Vec::new()));
    }

    let notable_games = results.notable_games(&moves)?.moves;
    let mut singles = Vec::new();
    for (counted, notable) in moves.iter().zip(notable_games) {
        if is_single(counted)
            && let Some(first) = notable.first
        {
            singles.push((played_move(counted), first));
        }
    }
    Ok((moves, singles))
}

fn played_move(counted: &MoveCount) -> Option<Move> {
    counted.played.as_ref().map(|(_, mv)| *mv)
}
