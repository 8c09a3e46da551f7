//! `/api/1/transpositions`: for each legal move, the number of games that reach the position after it, by this move or
//! by transposition.

use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::line::PlayedLine;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::notation::san;

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/transpositions",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "The games that reach the positions after each legal move, by any order of moves",
        parameters: &[
            (
                "fen",
                "the position, with spaces or underscores (default: the start)",
            ),
            (
                "play",
                "moves from there in UCI notation, separated by commas",
            ),
        ],
        has_filters: true,
        schema: Some(schema_of::<Transpositions>),
    },
};

#[derive(Serialize, JsonSchema)]
struct Transpositions {
    moves: Vec<Reached>,
    /// The last half-move after which positions are indexed, if not all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    index_plies: Option<u32>,
}

/// A legal move whose position games reach.
#[derive(Serialize, JsonSchema)]
struct Reached {
    uci: String,
    san: String,
    games: u64,
}

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let line = PlayedLine::read(joined.request.parameters)?;
    let options = joined.game_options()?;
    let here = &line.here;
    let legal = here.legal_moves();

    // Moves that no game has played here may lead to positions that games reach by other moves.
    let games_of_moves = joined.sums(|request| {
        let mut counts = Vec::with_capacity(legal.len());
        for mv in &legal {
            let mut after = here.clone();
            after.play(*mv);

            let query = options.query.clone().positions([after]);
            let mut results = request.database.query_watched(&query, request.watch)?;
            counts.push(results.count()?);
        }
        Ok(counts)
    })?;

    let mut moves = Vec::new();
    for (mv, games) in legal.into_iter().zip(games_of_moves) {
        if games > 0 {
            moves.push(Reached {
                uci: line.uci().text(mv),
                san: san(here, mv),
                games,
            });
        }
    }

    moves.sort_by_key(|reached| std::cmp::Reverse(reached.games));
    Answer::json(&Transpositions {
        moves,
        index_plies: joined.indexed_plies(),
    })
}
