//! `/api/1/repertoire`: the games that reach a repertoire, and where they leave it.
//!
//! The repertoire is sent with the request, and forgotten with the answer.

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::answer;
use stamma::answer::{RepertoireLine, RepertoireRemark, RepertoireRows};
use stamma::board::Color;
use stamma::study::repertoire::{
    Departure, DepartureKind, NewGames, Repertoire, RepertoireError, RepertoireHits,
    RepertoireQuery, RepertoireReader,
};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/repertoire",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::OfText(answer),
    description: Description {
        summary: "The games that reach a repertoire, which is sent as PGN with variations or as a list of FENs, and \
                  where they leave it",
        parameters: &[
            (
                "color",
                "white or black, the side that it is for (default: as its moves tell)",
            ),
            (
                "source",
                "only games of this source, by its path, file name or number; last: that of the last import",
            ),
            (
                "kind",
                "only departures of a kind: opponent, own, end-of-line, end-of-game or return",
            ),
            (
                "min-games",
                "only departures of at least so many games (default: 1)",
            ),
            (
                "whole",
                "true: games also count that leave on the way that all lines share",
            ),
            (
                "limit",
                "the most departures, and the most lines, at most 1000 (default: 100)",
            ),
        ],
        has_filters: true,
        schema: Some(schema_of::<answer::Repertoire>),
    },
};

const DEFAULT_ROWS: usize = 100;
const MAX_ROWS: usize = 1000;
/// The most remarks on a text.
const MAX_REMARKS: usize = 20;
/// The most remarks in the sentence of a failure.
const MAX_NAMED_REMARKS: usize = 5;

fn answer(joined: &Joined<'_>, text: &str) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let limit = parameters.rows("limit", DEFAULT_ROWS, MAX_ROWS)?;
    let least: u64 = parameters.parsed("min-games")?.unwrap_or(1);
    let kind = kind(parameters.get("kind").unwrap_or_default())?;
    let query = query(joined)?;
    let repertoire = repertoire(
        text,
        color("color", parameters.get("color").unwrap_or_default())?,
    )?;
    let found = hits(joined, &repertoire, &query)?;
    let is_wanted = |one: &&Departure| {
        one.counts.all_games() >= least && kind.is_none_or(|kind| one.kind == kind)
    };
    let departures: Vec<&Departure> = found.departures.iter().filter(is_wanted).collect();
    let openings = joined.openings();
    let names = joined.has_several().then(|| joined.names());
    let mut rows = RepertoireRows {
        departure_count: departures.len(),
        ..Default::default()
    };
    joined.together(|databases, _| -> Result<(), Failure> {
        let names = names.as_deref();
        for departure in departures.into_iter().take(limit) {
            let row = answer::Departure::read(databases, names, openings, &repertoire, departure)?;
            rows.departures.push(row);
        }
        Ok(())
    })?;
    for (number, at) in repertoire.ends().enumerate() {
        rows.line_count += 1;
        if number < limit {
            rows.lines
                .push(RepertoireLine::new(openings, &repertoire, &found, at));
        }
    }
    for remark in repertoire.remarks().iter().take(MAX_REMARKS) {
        let message = remark.message.clone();
        rows.remarks.push(RepertoireRemark {
            line: remark.line,
            message,
        });
    }
    Answer::json(&answer::Repertoire::new(&repertoire, &found, rows))
}

/// The games of all databases.
fn hits(
    joined: &Joined<'_>,
    repertoire: &Repertoire,
    query: &RepertoireQuery,
) -> Result<RepertoireHits, Failure> {
    let sources = joined
        .together(|databases, _| NewGames::in_databases(query.new_games.as_ref(), databases))?;
    let found = joined.run(|request| {
        let sources = sources
            .as_ref()
            .map(|sources| sources[request.index].clone());
        let of_one = RepertoireQuery {
            sources,
            ..query.clone()
        };
        Ok(RepertoireHits::read(
            request.database,
            repertoire,
            &of_one,
            &request.watch,
        )?)
    })?;
    let missing = || Failure::unavailable("there is no database any more");
    RepertoireHits::joined(repertoire, found).ok_or_else(missing)
}

fn query(joined: &Joined<'_>) -> Result<RepertoireQuery, Failure> {
    let parameters = joined.request.parameters;
    Ok(RepertoireQuery {
        filter: joined.game_options()?.filter,
        new_games: joined.request.new_games(),
        whole: parameters.parsed("whole")?.unwrap_or(false),
        ..RepertoireQuery::default()
    })
}

/// The most positions of a repertoire that is sent.
const MAX_POSITIONS: usize = 50_000;

/// The repertoire of a text, for a side or for the one that its moves tell.
pub(super) fn repertoire(text: &str, side: Option<Color>) -> Result<Repertoire, Failure> {
    let mut reader = RepertoireReader::new().most_positions(MAX_POSITIONS);
    reader.read("", text);
    let remarks = reader.remarks().iter().take(MAX_NAMED_REMARKS);
    let remarks: String = remarks
        .map(|one| format!("; line {}: {}", one.line, one.message))
        .collect();
    reader.finish(side).map_err(|error| {
        let advice = match error {
            RepertoireError::UnclearSide { .. } => "; give color=white or color=black",
            RepertoireError::NoPositions => &remarks,
            _ => "",
        };
        Failure::bad_request(format!("{error}{advice}"))
    })
}

/// The colour of a parameter; `None` if it is empty.
pub(super) fn color(name: &str, text: &str) -> Result<Option<Color>, Failure> {
    match text {
        "" => Ok(None),
        "white" => Ok(Some(Color::White)),
        "black" => Ok(Some(Color::Black)),
        other => Err(Failure::bad_request(format!(
            "{name}={other}: give white or black"
        ))),
    }
}

fn kind(text: &str) -> Result<Option<DepartureKind>, Failure> {
    let found = DepartureKind::ALL
        .into_iter()
        .find(|kind| kind.as_str() == text);
    match (found, text) {
        (None, "") => Ok(None),
        (Some(kind), _) => Ok(Some(kind)),
        (None, other) => {
            let known = DepartureKind::ALL.map(DepartureKind::as_str).join(", ");
            Err(Failure::bad_request(format!(
                "kind={other}: give one of {known}"
            )))
        }
    }
}
