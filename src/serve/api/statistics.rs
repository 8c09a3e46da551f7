//! `/api/1/statistics`: the numbers of games, sources and problems of a database, and the import that is under way.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{
    DatabaseRequest, Description, Handler, Interface, Joined, Route, Weight, schema_of,
};
use stamma::answer::source_file;
use stamma::pgn::Termination;
use stamma::query::GameKeys;
use stamma::replay::ProblemKind;
use stamma::storage::{Database, SourceSummary};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/statistics",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "Sources, problems, years and results of a database, and the import under way",
        parameters: &[],
        has_filters: false,
        schema: Some(schema_of::<Statistics<'static>>),
    },
};

#[derive(Serialize, JsonSchema)]
struct Statistics<'s> {
    #[serde(flatten)]
    stored: &'s Stored,
    importing: Option<Importing>,
}

/// The statistics that are counted once for each state of the database.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub(in crate::serve) struct Stored {
    games: u64,
    duplicates: u64,
    positions: u64,
    bytes: u64,
    sources: Vec<Source>,
    problems: Vec<Problems>,
    years: Vec<Year>,
    results: Results,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Source {
    /// The name of the database, if the request is about several.
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<String>,
    id: i64,
    file: String,
    bytes: u64,
    games: u64,
    problems: u64,
    imported: String,
    unfinished: bool,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Problems {
    count: u64,
    meaning: &'static str,
    kind: String,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Year {
    year: u16,
    games: u64,
}

#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
struct Results {
    white: u64,
    draws: u64,
    black: u64,
    other: u64,
}

/// The source that is being imported, as far as it has been stored; without one, the import has yet to begin.
#[derive(Serialize, JsonSchema)]
struct Importing {
    source: Option<String>,
    bytes: u64,
    of_bytes: u64,
}

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let by_database = joined.run(|request| {
        let statistics = &request.prepared.statistics;
        let stored = statistics.get(request.common.budget, || read_stored(request))?;

        // A running import is no state of the database, so it is looked up for each answer.
        let importing = importing(request.database)?;
        Ok((stored, importing))
    })?;

    let mut sum = Stored::default();
    let mut under_way = None;
    for (database, (stored, importing)) in by_database.into_iter().enumerate() {
        let name = joined.name_of(database);
        sum.add(&stored, name.as_ref());
        under_way = under_way.or(importing);
    }

    Answer::json(&Statistics {
        stored: &sum,
        importing: under_way,
    })
}

impl Stored {
    /// Adds the statistics of another database. Its sources get its name.
    fn add(&mut self, other: &Stored, name: Option<&String>) {
        self.games += other.games;
        self.duplicates += other.duplicates;
        self.positions += other.positions;
        self.bytes += other.bytes;

        for source in &other.sources {
            self.sources.push(Source {
                database: name.cloned(),
                ..source.clone()
            });
        }

        self.results.white += other.results.white;
        self.results.draws += other.results.draws;
        self.results.black += other.results.black;
        self.results.other += other.results.other;

        for problems in &other.problems {
            let mut own_problems = self.problems.iter_mut();
            match own_problems.find(|own| own.kind == problems.kind) {
                Some(own) => own.count += problems.count,
                None => self.problems.push(problems.clone()),
            }
        }
        self.problems
            .sort_by_key(|problems| Reverse(problems.count));

        // Years are in ascending order, and stay so.
        for year in &other.years {
            let found = self.years.binary_search_by_key(&year.year, |own| own.year);
            match found {
                Ok(at) => self.years[at].games += year.games,
                Err(at) => self.years.insert(at, year.clone()),
            }
        }
    }
}

fn read_stored(request: &DatabaseRequest<'_>) -> stamma::Result<Stored> {
    let database = request.database;
    let mut problems = Vec::new();
    for (kind, count) in database.problem_counts()? {
        // A database may have a kind of problem that this version does not know.
        let meaning = match ProblemKind::from_code(&kind) {
            Some(known) => known.meaning(),
            None => "",
        };
        problems.push(Problems {
            count,
            meaning,
            kind,
        });
    }

    let keys = request.prepared.keys(database, request.common.budget)?;
    let mut years = Vec::new();
    for (year, games) in keys.years() {
        years.push(Year { year, games });
    }

    let mut sources = Vec::new();
    for summary in database.sources()? {
        sources.push(source(summary));
    }

    let bytes = match std::fs::metadata(database.path()) {
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };

    Ok(Stored {
        games: database.count_games()?,
        duplicates: database.count_duplicates()?,
        positions: database.count_positions()?,
        bytes,
        sources,
        problems,
        years,
        results: results(&keys),
    })
}

fn source(source: SourceSummary) -> Source {
    Source {
        database: None,
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

/// The import that is under way. Its source is the last unfinished source.
fn importing(database: &Database) -> stamma::Result<Option<Importing>> {
    if !database.is_being_written() {
        return Ok(None);
    }

    let Some((path, bytes, of_bytes)) = database.unfinished_sources()?.pop() else {
        return Ok(Some(Importing {
            source: None,
            bytes: 0,
            of_bytes: 0,
        }));
    };
    Ok(Some(Importing {
        source: Some(source_file(&path).to_owned()),
        bytes,
        of_bytes,
    }))
}
