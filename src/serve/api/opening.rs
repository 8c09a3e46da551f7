//! `/api/1/opening-report`: a report on an opening, and `/api/1/report/opening`: the report as HTML.

use super::player::name_query;
use super::report::{Report, report};
use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::line::PlayedLine;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::answer::{self, OpeningRef};
use stamma::query::EcoRange;
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

/// The length of the main lines in half-moves.
const DEPTH: usize = 6;

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let (subject, _) = read_subject(joined)?;
    let names = joined.names_in_answers();
    let report = read(joined, subject)?;

    let answer = answer::OpeningReport::new(&report, names.as_deref());
    Answer::json(&answer)
}

fn answer_as_html(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let (subject, title) = read_subject(joined)?;
    let names = joined.names_in_answers();
    let opening_report = read(joined, subject)?;

    let document = opening_document(&opening_report, names.as_deref(), &title);
    report(&document)
}

fn read(joined: &Joined<'_>, subject: OpeningSubject) -> Result<OpeningReport, Failure> {
    let query = OpeningQuery {
        subject,
        filter: joined.game_options()?.filter,
        depth: DEPTH,
        min_games: None,
    };

    let report =
        joined.together(|databases, watch| OpeningReport::read(databases, &query, &watch))?;
    Ok(report)
}

/// The opening, and its title if the report finds no name for it.
fn read_subject(joined: &Joined<'_>) -> Result<(OpeningSubject, String), Failure> {
    let parameters = joined.request.parameters;
    let name = parameters.get("name").unwrap_or_default().trim();
    if name.is_empty() {
        return read_position(joined);
    }

    // A position beside a name would be ignored without a word.
    for other in ["fen", "play"] {
        let value = parameters.get(other).unwrap_or_default();
        if !value.is_empty() {
            let sentence = format!("give name or {other}, not both");
            return Err(Failure::bad_request(sentence));
        }
    }

    let title = name.trim_start_matches('=').to_owned();
    if let Ok(range) = name.parse::<EcoRange>() {
        return Ok((OpeningSubject::Eco(range), title));
    }

    let query = name_query(name)?;
    Ok((OpeningSubject::Named(query), title))
}

/// The opening of the position of the parameters, and its title.
fn read_position(joined: &Joined<'_>) -> Result<(OpeningSubject, String), Failure> {
    let line = PlayedLine::read(joined.request.parameters)?;
    let opening = OpeningRef::of(joined.openings(), line.positions_back());

    let title = match (opening.eco, opening.opening) {
        (Some(eco), Some(name)) => format!("{eco} {name}"),
        _ => "Position".to_owned(),
    };
    let subject = OpeningSubject::Positions(vec![line.here]);
    Ok((subject, title))
}
