//! `/api/1/preparation`: a preparation for an opponent, also along the lines of a repertoire that is sent; below
//! `/api/1/report/` the same as HTML.

use super::repertoire::{color, repertoire};
use super::report::{Report, report};
use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{
    DatabaseRequest, Description, Handler, Interface, Joined, Route, Weight, schema_of,
};
use stamma::answer;
use stamma::board::Color;
use stamma::query::NameQuery;
use stamma::study::preparation::PreparationReport;
use stamma::study::preparation::{Preparation, PreparationQuery};
use stamma::study::repertoire::Repertoire;

/// The parameters of all routes.
const PARAMETERS: &[(&str, &str)] = &[
    (
        "name",
        "the opponent: words or word prefixes of the name, or the exact name behind =",
    ),
    (
        "as",
        "white or black, the colour to play against the opponent",
    ),
];

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/preparation",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::OfOne(answer),
    description: Description {
        summary: "A preparation for an opponent",
        parameters: PARAMETERS,
        has_filters: true,
        schema: Some(schema_of::<answer::Preparation>),
    },
};

pub(in crate::serve) const REPERTOIRE_ROUTE: Route = Route {
    path: "/api/1/preparation-repertoire",
    handler: Handler::OfText(answer_with_repertoire),
    description: Description {
        summary: "The same along the lines of a repertoire, which is sent",
        ..ROUTE.description
    },
    ..ROUTE
};

pub(in crate::serve) const HTML_ROUTE: Route = Route {
    path: "/api/1/report/prepare",
    handler: Handler::OfOne(answer_as_html),
    description: Description {
        summary: "A preparation for an opponent, as HTML",
        schema: Some(schema_of::<Report<'static>>),
        ..ROUTE.description
    },
    ..ROUTE
};

pub(in crate::serve) const HTML_REPERTOIRE_ROUTE: Route = Route {
    path: "/api/1/report/prepare-repertoire",
    handler: Handler::OfText(answer_with_repertoire_as_html),
    description: Description {
        summary: "The same along the lines of a repertoire, which is sent",
        ..HTML_ROUTE.description
    },
    ..HTML_ROUTE
};

fn answer(request: &DatabaseRequest<'_>) -> Result<Answer, Failure> {
    prepared(request, color_of(request)?, None, as_json)
}

fn answer_with_repertoire(joined: &Joined<'_>, text: &str) -> Result<Answer, Failure> {
    joined.single(|request| {
        let color = color_of(request)?;
        prepared(
            request,
            color,
            Some(repertoire(text, Some(color))?),
            as_json,
        )
    })
}

fn answer_as_html(request: &DatabaseRequest<'_>) -> Result<Answer, Failure> {
    prepared(request, color_of(request)?, None, as_html)
}

fn answer_with_repertoire_as_html(joined: &Joined<'_>, text: &str) -> Result<Answer, Failure> {
    joined.single(|request| {
        let color = color_of(request)?;
        prepared(
            request,
            color,
            Some(repertoire(text, Some(color))?),
            as_html,
        )
    })
}

fn as_json(made: &PreparationReport<'_>) -> Result<Answer, Failure> {
    Answer::json(&answer::Preparation::new(made))
}

fn as_html(made: &PreparationReport<'_>) -> Result<Answer, Failure> {
    report(&made.document())
}

fn color_of(request: &DatabaseRequest<'_>) -> Result<Color, Failure> {
    let missing = || Failure::bad_request("the parameter as is missing: give white or black");
    color(
        "as",
        request.common.parameters.get("as").unwrap_or_default(),
    )?
    .ok_or_else(missing)
}

fn prepared(
    request: &DatabaseRequest<'_>,
    color: Color,
    repertoire: Option<Repertoire>,
    written: fn(&PreparationReport<'_>) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    let name = NameQuery::from(request.common.parameters.required("name")?.trim());
    if !name.is_exact && !name.text.contains(char::is_alphanumeric) {
        return Err(Failure::bad_request("a name has a letter or a digit"));
    }
    let query = PreparationQuery {
        filter: request.game_options()?.filter,
        // With a repertoire, its lines are the choice.
        min_games: repertoire.is_some().then_some(1),
        repertoire,
        ..PreparationQuery::new(name, color)
    };
    let preparation = Preparation::read(request.database, &query, &request.watch)?;
    let made = PreparationReport::read(request.database, &preparation)?;
    written(&made)
}
