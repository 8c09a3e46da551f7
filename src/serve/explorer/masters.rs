//! `/masters`: the moves of all games in a position, with the best-rated games.

use super::asked::{Asked, USUAL_MOVES, add_years};
use super::reply::{Fields, Reply};
use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::prepared::MOST_TOP;
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight};
use stamma::Filter;
use stamma::query::{FeaturedLimits, Query};

const DESCRIPTION: Description = Description {
    summary: "The moves of all games in a position, as Lichess's explorer tells them of masters",
    parameters: &[
        ("fen", "the position, with spaces or underscores (default: the start)"),
        ("play", "moves from there in UCI notation, separated by commas"),
        ("since", "the first year"),
        ("until", "the last year"),
        ("moves", "the most moves (default: 12)"),
        ("topGames", "the most games, at most 15 (default: 15)"),
    ],
    has_filters: false,
    schema: "Explorer",
};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/masters",
    interface: Interface::Explorer,
    weight: Weight::Light,
    method: Method::Whole(answer),
    description: DESCRIPTION,
};

/// The same under its older name.
pub(in crate::serve) const OLDER_ROUTE: Route =
    Route { path: "/master", description: DESCRIPTION, ..ROUTE };

const FIELDS: Fields =
    Fields { recent_games: false, top_games: true, history: false, player: None };

fn answer(question: &Question<'_>) -> Result<Answer, Failure> {
    let asked = Asked::read(question.parameters, USUAL_MOVES, MOST_TOP, 0)?;
    let mut filter = Filter::default();
    add_years(question.parameters, &mut filter)?;
    let Question { database, prepared, budget, .. } = *question;
    if filter.is_empty() {
        let (moves, featured) = prepared.explore(database, &asked.line.here, budget)?;
        return Answer::json(&Reply::new(question, &asked, &moves, &featured, FIELDS)?);
    }
    let query = Query::new().positions([asked.line.here.clone()]).filter(filter);
    let mut results = database.query_watched(&query, question.watch)?;
    let moves = results.moves()?;
    let limits = FeaturedLimits { top: asked.top_games, ..FeaturedLimits::default() };
    let featured = results.featured_games(&*prepared.keys(database, budget)?, limits)?;
    Answer::json(&Reply::new(question, &asked, &moves, &featured, FIELDS)?)
}
