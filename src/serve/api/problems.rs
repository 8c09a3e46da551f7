//! `/api/1/problems`: the problems found in the sources, page by page.

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
    /// The name of the database, if the request is about several databases.
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
    let cursor_text = parameters.get("cursor").unwrap_or_default();
    let start = read_cursor(cursor_text)?;

    // One problem more than the limit shows that there is another page.
    let mut problems = problems_after(joined, start, kind, limit + 1)?;
    let has_more = problems.len() > limit;
    problems.truncate(limit);
    let next = match problems.last() {
        Some((database, last)) if has_more => Some(cursor(joined, *database, last.id)),
        _ => None,
    };

    let mut rows = Vec::with_capacity(problems.len());
    for (database, problem) in problems {
        rows.push(Problem {
            database: joined.name_of(database),
            game: problem.game.map(GameId::get),
            kind: problem.kind,
            message: problem.message,
            source: source_file(&problem.source).to_owned(),
            line: problem.line,
            ply: problem.ply,
        });
    }
    Answer::json(&ProblemsAnswer {
        problems: rows,
        next,
    })
}

/// The problems behind a cursor, each with the index of its database; at most `limit` of each database.
fn problems_after(
    joined: &Joined<'_>,
    (first_database, last_problem): (usize, i64),
    kind: Option<&str>,
    limit: usize,
) -> Result<Vec<(usize, ReportedProblem)>, Failure> {
    let by_database = joined.run(|request| {
        if request.index < first_database {
            return Ok(Vec::new());
        }

        let is_first = request.index == first_database;
        let after = if is_first { last_problem } else { 0 };
        let problems = request.database.problems(kind, after, limit)?;
        Ok(problems)
    })?;

    let mut problems = Vec::new();
    for (database, of_database) in by_database.into_iter().enumerate() {
        for problem in of_database {
            problems.push((database, problem));
        }
    }
    Ok(problems)
}

/// The cursor behind a problem: its number, after the index of its database if there are several.
fn cursor(joined: &Joined<'_>, database: usize, problem: i64) -> String {
    if joined.has_several() {
        format!("{database}.{problem}")
    } else {
        problem.to_string()
    }
}

/// The index of the database and the number of the last problem on the preceding page; zeros without a cursor.
fn read_cursor(cursor: &str) -> Result<(usize, i64), Failure> {
    if cursor.is_empty() {
        return Ok((0, 0));
    }

    // The cursor of a single database has no index.
    let (database, problem) = cursor.split_once('.').unwrap_or(("0", cursor));
    let (Ok(database), Ok(problem)) = (database.parse::<usize>(), problem.parse::<i64>()) else {
        let sentence = format!("cursor={cursor} is not understood");
        return Err(Failure::bad_request(sentence));
    };
    Ok((database, problem))
}

#[cfg(test)]
mod tests {
    use super::read_cursor;

    #[test]
    fn cursors_have_a_database_and_a_problem() {
        for (cursor, expected) in [
            ("", Some((0, 0))),
            ("17", Some((0, 17))),
            ("2.17", Some((2, 17))),
            ("2.", None),
            ("x", None),
        ] {
            assert_eq!(read_cursor(cursor).ok(), expected, "{cursor}");
        }
    }
}
