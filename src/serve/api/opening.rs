//! `/api/1/opening-report`: a report on an opening, and `/api/1/report/opening`: the report as HTML.

use super::report::{Report, report};
use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::line::PlayedLine;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::answer::{self, OpeningRef};
use stamma::query::{EcoRange, NameQuery};
use stamma::study::opening::opening_document;
use stamma::study::opening::{OpeningQuery, OpeningReport, OpeningSubject};

/// The parameters of both routes.
const PARAMETERS: &[(&str, &str)] = &[
    (
        "name",
        "the opening, by words of its name or by its code; else by a position",
    ),
    (
        "fen",
        "the position, with spaces or underscores (default: the start)",
    ),
    (
        "play",
        "moves from there in UCI notation, separated by commas",
    ),
];

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/opening-report",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "A report on an opening",
        parameters: PARAMETERS,
        has_filters: true,
        schema: Some(schema_of::<answer::OpeningReport>),
    },
};

pub(in crate::serve) const HTML_ROUTE: Route = Route {
    path: "/api/1/report/opening",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Whole(answer_as_html),
    description: Description {
        summary: "The same as HTML",
        parameters: PARAMETERS,
        has_filters: true,
        schema: Some(schema_of::<Report<'static>>),
    },
};

/// The half-moves of the main lines.
const DEPTH: usize = 6;

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let (subject, _) = subject(joined)?;
    let names = joined.names_in_answers();
    let report = read(joined, subject)?;

    let answer = answer::OpeningReport::new(&report, names.as_deref());
    Answer::json(&answer)
}

fn answer_as_html(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let (subject, title) = subject(joined)?;
    let names = joined.names_in_answers();
    let made = read(joined, subject)?;

    let document = opening_document(&made, names.as_deref(), &title);
    report(&document)
}

fn read(joined: &Joined<'_>, subject: OpeningSubject) -> Result<OpeningReport, Failure> {
    let query = OpeningQuery {
        subject,
        filter: joined.game_options()?.filter,
        depth: DEPTH,
        min_games: None,
    };
    let made = joined.together(|databases, watch| OpeningReport::read(databases, &query, &watch));
    Ok(made?)
}

/// The opening, and its title if the report finds no name for it.
fn subject(joined: &Joined<'_>) -> Result<(OpeningSubject, String), Failure> {
    let parameters = joined.request.parameters;
    let name = parameters
        .get("name")
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let Some(name) = name else {
        let line = PlayedLine::read(parameters)?;
        let opening = OpeningRef::of(joined.openings(), line.positions_back());
        let title = match (opening.eco, opening.opening) {
            (Some(eco), Some(name)) => format!("{eco} {name}"),
            _ => "Position".to_owned(),
        };
        return Ok((OpeningSubject::Positions(vec![line.here]), title));
    };

    for given in ["fen", "play"] {
        if parameters.get(given).is_some_and(|text| !text.is_empty()) {
            return Err(Failure::bad_request(format!(
                "give name or {given}, not both"
            )));
        }
    }

    let title = name.trim_start_matches('=').to_owned();
    if let Ok(range) = name.parse::<EcoRange>() {
        return Ok((OpeningSubject::Eco(range), title));
    }

    let query = NameQuery::from(name);
    if !query.is_exact && !query.text.contains(char::is_alphanumeric) {
        return Err(Failure::bad_request("a name has a letter or a digit"));
    }
    Ok((OpeningSubject::Named(query), title))
}
