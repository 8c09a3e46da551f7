//! `/api/1/problems`: what was wrong in the sources, page by page.

use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::answer::source_file;
use stamma::storage::{GameId, ReportedProblem};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/problems",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "The problems of the data, page by page",
        parameters: &[
            ("kind", "one kind only"),
            (
                "limit",
                "the number of problems of a page, at most 500 (default: 50)",
            ),
            ("cursor", "the page, as `next` of the page before it has it"),
        ],
        has_filters: false,
        schema: Some(schema_of::<ProblemsAnswer>),
    },
};

const DEFAULT_ROWS: usize = 50;
const MAX_ROWS: usize = 500;

#[derive(Serialize, JsonSchema)]
struct ProblemsAnswer {
    problems: Vec<Problem>,
    next: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Problem {
    /// The name of the database, if the request is about several.
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<String>,
    game: Option<i64>,
    kind: String,
    message: String,
    source: String,
    line: i64,
    ply: Option<i64>,
}

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let limit = parameters.rows("limit", DEFAULT_ROWS, MAX_ROWS)?;
    let kind = parameters.get("kind").filter(|kind| !kind.is_empty());
    // A cursor is the last problem of the page before, behind the index of its database if there are several.
    let cursor = parameters.get("cursor").unwrap_or_default();
    let (database, after) = cursor.split_once('.').unwrap_or(("0", cursor));
    let (database, after) = match (database.parse::<usize>(), after.parse::<i64>()) {
        (Ok(database), Ok(after)) => (database, after),
        (Ok(_), Err(_)) if cursor.is_empty() => (0, 0),
        _ => {
            return Err(Failure::bad_request(format!(
                "cursor={cursor} is not understood"
            )));
        }
    };

    let found = joined.run(|request| {
        let is_after = request.index >= database;
        let after = if request.index == database { after } else { 0 };
        Ok(match is_after {
            true => request.database.problems(kind, after, limit + 1)?,
            false => Vec::new(),
        })
    })?;
    let of_all = found.into_iter().enumerate();
    let mut problems: Vec<(usize, ReportedProblem)> = of_all
        .flat_map(|(database, problems)| problems.into_iter().map(move |one| (database, one)))
        .collect();
    let has_more = problems.len() > limit;
    problems.truncate(limit);
    let next = problems
        .last()
        .filter(|_| has_more)
        .map(|(database, last)| {
            if joined.has_several() {
                format!("{database}.{}", last.id)
            } else {
                last.id.to_string()
            }
        });
    let problems = problems.into_iter().map(|(database, problem)| Problem {
        database: joined.name_of(database),
        game: problem.game.map(GameId::get),
        kind: problem.kind,
        message: problem.message,
        source: source_file(&problem.source).to_owned(),
        line: problem.line,
        ply: problem.ply,
    });
    Answer::json(&ProblemsAnswer {
        problems: problems.collect(),
        next,
    })
}
