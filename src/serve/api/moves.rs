//! `/api/1/moves`: the moves played in a position, with their results.

use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::line::Line;
use crate::serve::named::{Named, named};
use crate::serve::route::{Description, Interface, Joined, Method, Question, Route, Weight};
use stamma::board::Move;
use stamma::notation::Uci;
use stamma::query::{MoveCount, Query, joined_moves};
use stamma::storage::GameId;

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/moves",
    interface: Interface::Own,
    weight: Weight::Light,
    method: Method::Whole(answer),
    description: Description {
        summary: "The moves played in a position, the most played first",
        parameters: &[
            ("fen", "the position, with spaces or underscores (default: the start)"),
            ("play", "moves from there in UCI notation, separated by commas"),
        ],
        has_filters: true,
        schema: "Moves",
    },
};

#[derive(Serialize)]
struct Record {
    fen: String,
    opening: Option<Named>,
    white: u64,
    draws: u64,
    black: u64,
    games: u64,
    moves: Vec<PlayedMove>,
    /// The last half-move after which positions are indexed, if not all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    index_plies: Option<u32>,
}

/// A move, or the end of games, whose `uci` and `san` are null.
#[derive(Serialize)]
struct PlayedMove {
    uci: Option<String>,
    san: Option<String>,
    white: u64,
    draws: u64,
    black: u64,
    average_elo: Option<i64>,
    performance: Option<i64>,
    first_year: Option<u16>,
    last_year: Option<u16>,
    opening: Option<Named>,
    games: u64,
    game: Option<GameId>,
    /// The database of this game, if the request is about several.
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<String>,
}

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let line = Line::read(joined.request.parameters)?;
    let options = joined.game_options()?;
    let query = options.query.positions([line.here.clone()]);
    let found = joined.ask(|question| counted(question, &query))?;
    let (parts, singles): (Vec<_>, Vec<_>) = found.into_iter().unzip();

    let moves = joined_moves(&line.here, parts);
    let counted = moves.iter().map(|counted| {
        let of_move = |single: &&(Option<Move>, GameId)| single.0 == played_move(counted);
        let mut games = singles.iter().enumerate().filter_map(|(database, singles)| {
            let (_, game) = singles.iter().find(of_move)?;
            Some((joined.name_of(database), *game))
        });
        let single = games.next().filter(|_| counted.counts.all_games() == 1);
        played(joined, &line, counted, single)
    });
    let sum = |part: fn(&MoveCount) -> u64| moves.iter().map(part).sum();
    Answer::json(&Record {
        fen: line.here.fen(),
        opening: named(joined.openings(), line.positions_back()),
        white: sum(|counted| counted.counts.white),
        draws: sum(|counted| counted.counts.draws),
        black: sum(|counted| counted.counts.black),
        games: sum(|counted| counted.counts.all_games()),
        moves: counted.collect(),
        index_plies: joined.indexed_plies(),
    })
}

/// The moves of the games of a query, and those of them that one game of the database has played, with this game.
type Counted = (Vec<MoveCount>, Vec<(Option<Move>, GameId)>);

fn counted(question: &Question<'_>, query: &Query) -> Result<Counted, Failure> {
    let mut results = question.database.query_watched(query, question.watch)?;
    let moves = results.moves()?;
    if !moves.iter().any(|counted| counted.counts.all_games() == 1) {
        return Ok((moves, Vec::new()));
    }
    let notable = results.notable_games(&moves)?.moves;
    let of_one = moves.iter().zip(notable).filter(|(counted, _)| counted.counts.all_games() == 1);
    let singles = of_one
        .filter_map(|(counted, notable)| Some((played_move(counted), notable.first?.game)))
        .collect();
    Ok((moves, singles))
}

fn played_move(counted: &MoveCount) -> Option<Move> {
    counted.played.as_ref().map(|(_, mv)| *mv)
}

/// A move with its counts, and with its game if there is one only.
fn played(
    joined: &Joined<'_>,
    line: &Line,
    counted: &MoveCount,
    single: Option<(Option<String>, GameId)>,
) -> PlayedMove {
    let counts = &counted.counts;
    let uci: Uci = line.uci();
    let (san, uci) = counted.played.as_ref().map(|(san, mv)| (san.clone(), uci.text(*mv))).unzip();
    let after = counted.positions_after(std::slice::from_ref(&line.here));
    let (database, game) = single.unzip();
    PlayedMove {
        uci,
        san,
        white: counts.white,
        draws: counts.draws,
        black: counts.black,
        average_elo: counted.average_elo().map(whole),
        performance: counted.performance().map(whole),
        first_year: counts.years.map(|(first, _)| first),
        last_year: counts.years.map(|(_, last)| last),
        opening: named(joined.openings(), &after),
        games: counts.all_games(),
        game,
        database: database.flatten(),
    }
}

fn whole(points: f64) -> i64 {
    points.round() as i64
}
