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
                "only games of this source, by its path, file name or number; last: the source of the latest import",
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
/// The maximum number of remarks on a text.
const MAX_REMARKS: usize = 20;
/// The maximum number of remarks in the sentence of a failure.
const MAX_NAMED_REMARKS: usize = 5;

fn answer(joined: &Joined<'_>, text: &str) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let limit = parameters.rows("limit", DEFAULT_ROWS, MAX_ROWS)?;
    let min_games: u64 = parameters.parse("min-games")?.unwrap_or(1);
    let kind = parse_kind(parameters.get("kind").unwrap_or_default())?;
    let query = read_query(joined)?;
    let side = parse_color("color", parameters.get("color").unwrap_or_default())?;

    let repertoire = read_repertoire(text, side)?;
    let hits = find_hits(joined, &repertoire, &query)?;

    let mut departures: Vec<&Departure> = Vec::new();
    for departure in &hits.departures {
        let is_frequent = departure.counts.all_games() >= min_games;
        let is_of_kind = kind.is_none_or(|kind| departure.kind == kind);
        if is_frequent && is_of_kind {
            departures.push(departure);
        }
    }

    // The counts include the rows beyond the limit.
    let mut rows = RepertoireRows {
        departure_count: departures.len(),
        ..Default::default()
    };
    departures.truncate(limit);
    rows.departures = departure_rows(joined, &repertoire, &departures)?;

    for (number, at) in repertoire.ends().enumerate() {
        rows.line_count += 1;
        if number < limit {
            let line = RepertoireLine::new(joined.openings(), &repertoire, &hits, at);
            rows.lines.push(line);
        }
    }

    for remark in repertoire.remarks().iter().take(MAX_REMARKS) {
        rows.remarks.push(RepertoireRemark {
            line: remark.line,
            message: remark.message.clone(),
        });
    }
    Answer::json(&answer::Repertoire::new(&repertoire, &hits, rows))
}

fn departure_rows(
    joined: &Joined<'_>,
    repertoire: &Repertoire,
    departures: &[&Departure],
) -> Result<Vec<answer::Departure>, Failure> {
    let openings = joined.openings();

    // The names cannot be read below, where all snapshots are locked.
    let names = joined.names_in_answers();

    joined.together(|databases, _| -> Result<Vec<answer::Departure>, Failure> {
        let names = names.as_deref();
        let mut rows = Vec::with_capacity(departures.len());
        for departure in departures {
            let row = answer::Departure::read(databases, names, openings, repertoire, departure)?;
            rows.push(row);
        }
        Ok(rows)
    })
}

/// The games of all databases.
fn find_hits(
    joined: &Joined<'_>,
    repertoire: &Repertoire,
    query: &RepertoireQuery,
) -> Result<RepertoireHits, Failure> {
    // The latest source is the latest of all databases, so sources are found before each database is asked.
    let sources = joined
        .together(|databases, _| NewGames::in_databases(query.new_games.as_ref(), databases))?;

    let by_database = joined.run(|request| {
        // `sources` has an entry for each database.
        let own_sources = sources
            .as_ref()
            .map(|by_database| by_database[request.index].clone());
        let own_query = RepertoireQuery {
            sources: own_sources,
            ..query.clone()
        };
        let hits = RepertoireHits::read(request.database, repertoire, &own_query, &request.watch)?;
        Ok(hits)
    })?;

    match RepertoireHits::joined(repertoire, by_database) {
        Some(hits) => Ok(hits),
        None => Err(Failure::unavailable("there is no database any more")),
    }
}

fn read_query(joined: &Joined<'_>) -> Result<RepertoireQuery, Failure> {
    let parameters = joined.request.parameters;
    Ok(RepertoireQuery {
        filter: joined.game_options()?.filter,
        new_games: joined.request.new_games(),
        whole: parameters.parse("whole")?.unwrap_or(false),
        ..RepertoireQuery::default()
    })
}

/// The maximum number of positions of a repertoire that is sent.
const MAX_POSITIONS: usize = 50_000;

/// The repertoire of a text, for a side. Without a side, it is inferred from the moves.
pub(super) fn read_repertoire(text: &str, side: Option<Color>) -> Result<Repertoire, Failure> {
    let mut reader = RepertoireReader::new().max_positions(MAX_POSITIONS);
    reader.read("", text);

    // If a text has no positions, its remarks have the reasons.
    let mut remarks = String::new();
    for remark in reader.remarks().iter().take(MAX_NAMED_REMARKS) {
        remarks += &format!("; line {}: {}", remark.line, remark.message);
    }

    let error = match reader.finish(side) {
        Ok(repertoire) => return Ok(repertoire),
        Err(error) => error,
    };
    let advice = match error {
        RepertoireError::UnclearSide { .. } => "; give color=white or color=black",
        RepertoireError::NoPositions => &remarks,
        _ => "",
    };
    Err(Failure::bad_request(format!("{error}{advice}")))
}

/// The colour of a parameter; `None` if it is empty.
pub(super) fn parse_color(name: &str, text: &str) -> Result<Option<Color>, Failure> {
    match text {
        "" => Ok(None),
        "white" => Ok(Some(Color::White)),
        "black" => Ok(Some(Color::Black)),
        other => {
            let sentence = format!("{name}={other}: give white or black");
            Err(Failure::bad_request(sentence))
        }
    }
}

/// The kind of departures of a parameter; `None` if it is empty.
fn parse_kind(text: &str) -> Result<Option<DepartureKind>, Failure> {
    if text.is_empty() {
        return Ok(None);
    }

    let mut kinds = DepartureKind::ALL.into_iter();
    match kinds.find(|kind| kind.as_str() == text) {
        Some(kind) => Ok(Some(kind)),
        None => {
            let known = DepartureKind::ALL.map(DepartureKind::as_str).join(", ");
            let sentence = format!("kind={text}: give one of {known}");
            Err(Failure::bad_request(sentence))
        }
    }
}
