//! `/lichess`: the moves of games by speed, rating and month, with the best-rated and the latest games.

use super::asked::{Asked, USUAL_MOVES, add_filters, is_on};
use super::reply::{Fields, Reply};
use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::prepared::MOST_RECENT;
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight};
use stamma::Filter;
use stamma::query::{FeaturedLimits, Query};

/// The most best-rated games.
const MOST_TOP: usize = 4;

const DESCRIPTION: Description = Description {
    summary: "The moves of games by speed, rating and month, as Lichess's explorer tells them of its players",
    parameters: &[
        ("fen", "the position, with spaces or underscores (default: the start)"),
        ("play", "moves from there in UCI notation, separated by commas"),
        (
            "speeds",
            "ultraBullet, bullet, blitz, rapid, classical, correspondence, separated by commas",
        ),
        ("ratings", "groups of mean ratings by their lower ends: 0, 1000, 1200 … 2200, 2500"),
        ("since", "the first month, 2024-01"),
        ("until", "the last month"),
        ("moves", "the most moves (default: 12)"),
        ("topGames", "the most best-rated games, at most 4 (default: 4)"),
        ("recentGames", "the most latest games, at most 8 (default: 8)"),
        ("history", "true counts games by month"),
    ],
    has_filters: false,
    schema: "Explorer",
};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/lichess",
    interface: Interface::Explorer,
    weight: Weight::Light,
    method: Method::Whole(answer),
    description: DESCRIPTION,
};

/// The games of months alone.
pub(in crate::serve) const HISTORY_ROUTE: Route = Route {
    path: "/lichess/history",
    method: Method::Whole(answer_history),
    description: DESCRIPTION,
    ..ROUTE
};

fn answer(question: &Question<'_>) -> Result<Answer, Failure> {
    let asked = Asked::read(question.parameters, USUAL_MOVES, MOST_TOP, MOST_RECENT)?;
    reply(question, &asked, is_on(question.parameters, "history"))
}

fn answer_history(question: &Question<'_>) -> Result<Answer, Failure> {
    let asked = Asked::read(question.parameters, USUAL_MOVES, 0, 0)?;
    reply(question, &Asked { moves: 0, ..asked }, true)
}

fn reply(question: &Question<'_>, asked: &Asked, history: bool) -> Result<Answer, Failure> {
    let fields = Fields { recent_games: true, top_games: true, history, player: None };
    let mut filter = Filter::default();
    add_filters(question.parameters, &mut filter)?;
    let Question { database, prepared, budget, .. } = *question;
    if filter.is_empty() && !history {
        let (moves, featured) = prepared.explore(database, &asked.line.here, budget)?;
        return Answer::json(&Reply::new(question, asked, &moves, &featured, fields)?);
    }
    let query = Query::new().positions([asked.line.here.clone()]).filter(filter);
    let mut results = database.query_watched(&query, question.watch)?;
    let moves = results.moves()?;
    let limits =
        FeaturedLimits { top: asked.top_games, recent: asked.recent_games, months: history };
    let featured = results.featured_games(&*prepared.keys(database, budget)?, limits)?;
    Answer::json(&Reply::new(question, asked, &moves, &featured, fields)?)
}
