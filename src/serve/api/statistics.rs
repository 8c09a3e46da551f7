//! `/api/1/statistics`: what a database has, and the import that is under way.

use serde::Serialize;
use serde_json::Value;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight};
use crate::serve::source_file::source_file;
use stamma::error::Error;
use stamma::pgn::Termination;
use stamma::query::GameKeys;
use stamma::replay::ProblemKind;
use stamma::storage::{Database, SourceSummary};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/statistics",
    interface: Interface::Own,
    weight: Weight::Heavy,
    method: Method::Whole(answer),
    description: Description {
        summary: "Sources, problems, years and results of a database, and the import under way",
        parameters: &[],
        has_filters: false,
        schema: "Statistics",
    },
};

#[derive(Serialize)]
struct Record<'s> {
    #[serde(flatten)]
    stored: &'s Value,
    importing: Option<Importing>,
}

/// What is counted once for each state of the database.
#[derive(Serialize)]
struct Stored {
    games: u64,
    duplicates: u64,
    positions: u64,
    bytes: u64,
    sources: Vec<Source>,
    problems: Vec<Problems>,
    years: Vec<Year>,
    results: Results,
}

#[derive(Serialize)]
struct Source {
    id: i64,
    file: String,
    bytes: u64,
    games: u64,
    problems: u64,
    imported: String,
    unfinished: bool,
}

#[derive(Serialize)]
struct Problems {
    count: u64,
    meaning: &'static str,
    kind: String,
}

#[derive(Serialize)]
struct Year {
    year: u16,
    games: u64,
}

#[derive(Serialize)]
struct Results {
    white: u64,
    draws: u64,
    black: u64,
    other: u64,
}

/// The source that is being imported, as far as it has been stored; without one, the import has yet to begin.
#[derive(Serialize)]
struct Importing {
    source: Option<String>,
    bytes: u64,
    of_bytes: u64,
}

fn answer(question: &Question<'_>) -> Result<Answer, Failure> {
    let count = || serde_json::to_value(stored(question)?).map_err(|e| Error::Output(e.into()));
    let stored = question.prepared.statistics.get(question.budget, count)?;
    Answer::json(&Record { stored: &stored, importing: importing(question.database)? })
}

fn stored(question: &Question<'_>) -> stamma::Result<Stored> {
    let database = question.database;
    let keys = question.prepared.keys(database, question.budget)?;
    let problems = database.problem_counts()?.into_iter().map(|(kind, count)| Problems {
        count,
        meaning: ProblemKind::from_code(&kind).map_or("", ProblemKind::meaning),
        kind,
    });
    let years = keys.years().into_iter().map(|(year, games)| Year { year, games });
    Ok(Stored {
        games: database.count_games()?,
        duplicates: database.count_duplicates()?,
        positions: database.count_positions()?,
        bytes: std::fs::metadata(database.path()).map_or(0, |metadata| metadata.len()),
        sources: database.sources()?.into_iter().map(source).collect(),
        problems: problems.collect(),
        years: years.collect(),
        results: results(&keys),
    })
}

fn source(source: SourceSummary) -> Source {
    Source {
        id: source.id.get(),
        file: source_file(&source.path).to_owned(),
        bytes: source.bytes,
        games: source.games,
        problems: source.problems,
        imported: source.imported_at,
        unfinished: source.is_unfinished,
    }
}

fn results(keys: &GameKeys) -> Results {
    Results {
        white: keys.with_result(Termination::WhiteWins),
        draws: keys.with_result(Termination::Draw),
        black: keys.with_result(Termination::BlackWins),
        other: keys.with_result(Termination::Unknown),
    }
}

fn importing(database: &Database) -> stamma::Result<Option<Importing>> {
    if !database.is_being_written() {
        return Ok(None);
    }
    let last = database.unfinished_sources()?.pop();
    let (source, bytes, of_bytes) =
        last.map_or((None, 0, 0), |(path, bytes, of_bytes)| (Some(path), bytes, of_bytes));
    let source = source.map(|path| source_file(&path).to_owned());
    Ok(Some(Importing { source, bytes, of_bytes }))
}
