//! `/api/1/moves`: the moves played in a position, with their results.

use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::line::Line;
use crate::serve::named::{Named, named};
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight};
use stamma::notation::Uci;
use stamma::query::MoveCount;
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
}

fn answer(question: &Question<'_>) -> Result<Answer, Failure> {
    let line = Line::read(question.parameters)?;
    let options = question.game_options()?;
    let query = options.query.positions([line.here.clone()]);
    let mut results = question.database.query_watched(&query, question.watch)?;
    let moves = results.moves()?;
    let games = match moves.iter().any(|counted| counted.counts.all_games() == 1) {
        true => {
            results.notable_games(&moves)?.moves.into_iter().map(|notable| notable.first).collect()
        }
        false => vec![None; moves.len()],
    };
    let counted = moves.iter().zip(games).map(|(counted, first)| {
        let is_single = counted.counts.all_games() == 1;
        played(question, &line, counted, first.filter(|_| is_single).map(|first| first.game))
    });
    let sum = |part: fn(&MoveCount) -> u64| moves.iter().map(part).sum();
    Answer::json(&Record {
        fen: line.here.fen(),
        opening: named(&question.prepared.openings, line.positions_back()),
        white: sum(|counted| counted.counts.white),
        draws: sum(|counted| counted.counts.draws),
        black: sum(|counted| counted.counts.black),
        games: sum(|counted| counted.counts.all_games()),
        moves: counted.collect(),
    })
}

fn played(
    question: &Question<'_>,
    line: &Line,
    counted: &MoveCount,
    game: Option<GameId>,
) -> PlayedMove {
    let counts = &counted.counts;
    let uci: Uci = line.uci();
    let (san, uci) = counted.played.as_ref().map(|(san, mv)| (san.clone(), uci.text(*mv))).unzip();
    let after = counted.positions_after(std::slice::from_ref(&line.here));
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
        opening: named(&question.prepared.openings, &after),
        games: counts.all_games(),
        game,
    }
}

fn whole(points: f64) -> i64 {
    points.round() as i64
}
