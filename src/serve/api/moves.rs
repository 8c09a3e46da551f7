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
    let parameters = joined.request.parameters;
    let line = PlayedLine::read(parameters)?;
    let options = joined.game_options()?;
    let query = options.query.positions([line.here.clone()]);

    let by_database = joined.run(|request| counted_moves(request, &query))?;
    let (counts, singles): (Vec<_>, Vec<_>) = by_database.into_iter().unzip();
    let moves = joined_moves(&line.here, counts);

    let openings = joined.openings();
    let positions = std::slice::from_ref(&line.here);
    let index_plies = joined.indexed_plies();
    let mut answer = Moves::new(openings, positions, &moves, index_plies);

    // A position without a name has the opening of the line that leads to it.
    answer.opening = OpeningRef::of(openings, line.positions_back());

    // The first and the best games are looked for among all games of the moves, unlike counts.
    let wants_notable_games = parameters.parse("notable")?.unwrap_or(false);
    if wants_notable_games {
        add_notable_games(joined, &mut answer, &query, &moves)?;
    } else {
        add_single_games(joined, &mut answer, &moves, &singles);
    }

    add_evaluations(joined, &mut answer, &line, &moves)?;
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
    singles: &[SingleGames],
) {
    for (played, counted) in answer.moves.iter_mut().zip(counted) {
        if counted.counts.all_games() != 1 {
            continue;
        }

        // A move of a single game is a move of a single game in its database, too.
        let single = played_move(counted);
        for (database, of_database) in singles.iter().enumerate() {
            let found = of_database.iter().find(|(mv, _)| *mv == single);
            let Some((_, game)) = found else {
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
    for move_count in counted {
        // The games that ended in the position have no move, and no position after it.
        let after = move_count.positions_after(here).pop();
        positions.push(after);
    }

    let mut evaluations = joined.evaluations(&positions)?.into_iter();
    let before = evaluations.next().flatten();
    let after: Vec<_> = evaluations.collect();
    answer.add_evaluations(here, before.as_ref(), &after);
    Ok(())
}

/// The moves that a single game of a database has played, each with its game.
type SingleGames = Vec<(Option<Move>, FirstGame)>;

/// The counted moves of the games of a query, and the moves that a single game has played.
fn counted_moves(
    request: &DatabaseRequest<'_>,
    query: &Query,
) -> Result<(Vec<MoveCount>, SingleGames), Failure> {
    let mut results = request.database.query_watched(query, request.watch)?;
    let moves = results.moves()?;
    let is_single = |counted: &MoveCount| counted.counts.all_games() == 1;
    if !moves.iter().any(is_single) {
        return Ok((moves, Vec::new()));
    }

    // The first game of a move that one game has played is this game.
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

/// The move that was counted; `None` for the end of games.
fn played_move(counted: &MoveCount) -> Option<Move> {
    counted.played.as_ref().map(|(_, mv)| *mv)
}
