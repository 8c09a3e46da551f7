//! `/api/1/preparation`: a preparation for an opponent, also along the lines of a repertoire that is sent; below
//! `/api/1/report/` both as HTML.

use super::player::name_query;
use super::repertoire::{parse_color, read_repertoire};
use super::report::{Report, report};
use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::answer;
use stamma::board::Color;
use stamma::study::preparation::PreparationReport;
use stamma::study::preparation::{Preparation, PreparationQuery};

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
    handler: Handler::Whole(answer),
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
    handler: Handler::Whole(answer_as_html),
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

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    prepare(joined, None, as_json)
}

fn answer_with_repertoire(joined: &Joined<'_>, text: &str) -> Result<Answer, Failure> {
    prepare(joined, Some(text), as_json)
}

fn answer_as_html(joined: &Joined<'_>) -> Result<Answer, Failure> {
    prepare(joined, None, as_html)
}

fn answer_with_repertoire_as_html(joined: &Joined<'_>, text: &str) -> Result<Answer, Failure> {
    prepare(joined, Some(text), as_html)
}

fn as_json(preparation: &PreparationReport<'_>) -> Result<Answer, Failure> {
    let answer = answer::Preparation::new(preparation);
    Answer::json(&answer)
}

fn as_html(preparation: &PreparationReport<'_>) -> Result<Answer, Failure> {
    let document = preparation.document();
    report(&document)
}

/// The colour to play.
fn color_of(joined: &Joined<'_>) -> Result<Color, Failure> {
    let text = joined.request.parameters.get("as").unwrap_or_default();
    match parse_color("as", text)? {
        Some(color) => Ok(color),
        None => {
            let sentence = "the parameter as is missing: give white or black";
            Err(Failure::bad_request(sentence))
        }
    }
}

/// Prepares for an opponent, along the lines of a repertoire if its text is given. `write` makes the answer.
fn prepare(
    joined: &Joined<'_>,
    text: Option<&str>,
    write: fn(&PreparationReport<'_>) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    let color = color_of(joined)?;
    let repertoire = match text {
        Some(text) => Some(read_repertoire(text, Some(color))?),
        None => None,
    };

    let name_text = joined.request.parameters.required("name")?;
    let name = name_query(name_text)?;
    let query = PreparationQuery {
        filter: joined.game_options()?.filter,
        // With a repertoire, its lines are the choice.
        min_games: repertoire.is_some().then_some(1),
        repertoire,
        ..PreparationQuery::new(name, color)
    };

    let names = joined.names_in_answers();
    joined.together(|databases, watch| {
        let preparation = Preparation::read(databases, &query, &watch)?;
        let report = PreparationReport::read(databases, names.as_deref(), &preparation)?;
        write(&report)
    })
}
