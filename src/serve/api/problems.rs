//! `/api/1/problems`: what was wrong in the sources, page by page.

use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight};
use crate::serve::source_file::source_file;
use stamma::storage::GameId;

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/problems",
    interface: Interface::Own,
    weight: Weight::Heavy,
    method: Method::Whole(answer),
    description: Description {
        summary: "The problems of the data, page by page",
        parameters: &[
            ("kind", "one kind only"),
            ("limit", "the number of problems of a page, at most 500 (default: 50)"),
            ("cursor", "the page, as `next` of the page before it has it"),
        ],
        has_filters: false,
        schema: "Problems",
    },
};

const USUAL_ROWS: usize = 50;
const MOST_ROWS: usize = 500;

#[derive(Serialize)]
struct Record {
    problems: Vec<Problem>,
    next: Option<String>,
}

#[derive(Serialize)]
struct Problem {
    game: Option<GameId>,
    kind: String,
    message: String,
    source: String,
    line: i64,
    ply: Option<i64>,
}

fn answer(question: &Question<'_>) -> Result<Answer, Failure> {
    let parameters = question.parameters;
    let limit = parameters.rows("limit", USUAL_ROWS, MOST_ROWS)?;
    let after: i64 = parameters.parsed("cursor")?.unwrap_or(0);
    let kind = parameters.get("kind").filter(|kind| !kind.is_empty());
    let mut problems = question.database.problems(kind, after, limit + 1)?;
    let has_more = problems.len() > limit;
    problems.truncate(limit);
    let next = problems.last().filter(|_| has_more).map(|problem| problem.id.to_string());
    let problems = problems.into_iter().map(|problem| Problem {
        game: problem.game,
        kind: problem.kind,
        message: problem.message,
        source: source_file(&problem.source).to_owned(),
        line: problem.line,
        ply: problem.ply,
    });
    Answer::json(&Record { problems: problems.collect(), next })
}
