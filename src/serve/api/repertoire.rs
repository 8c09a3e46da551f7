//! `/api/1/repertoire`: the games that reach a repertoire, and where they leave it.
//!
//! The repertoire is sent with the question, and forgotten with the answer.

use serde::Serialize;

use super::listed::Listed;
use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight};
use stamma::answer::source_file;
use stamma::board::{Color, Position};
use stamma::notation::Uci;
use stamma::query::Counts;
use stamma::storage::Database;
use stamma::study::repertoire::{
    Departure, DepartureKind, Repertoire, RepertoireError, RepertoireHits, RepertoireQuery,
    RepertoireReader,
};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/repertoire",
    interface: Interface::Own,
    weight: Weight::Heavy,
    method: Method::OfText(answer),
    description: Description {
        summary: "The games that reach a repertoire, which is sent as PGN with variations or as a list of FENs, and \
                  where they leave it",
        parameters: &[
            ("color", "white or black, the side that it is for (default: as its moves tell)"),
            (
                "source",
                "only games of this source, by its path, file name or number; last: that of the last import",
            ),
            (
                "kind",
                "only departures of a kind: opponent, own, end-of-line, end-of-game or return",
            ),
            ("min-games", "only departures of at least so many games (default: 1)"),
            ("whole", "true: games also count that leave on the way that all lines share"),
            ("limit", "the most departures, and the most lines, at most 1000 (default: 100)"),
        ],
        has_filters: true,
        schema: "Repertoire",
    },
};

const USUAL_ROWS: usize = 100;
const MOST_ROWS: usize = 1000;
/// The most remarks on a text.
const MOST_REMARKS: usize = 20;
/// The most remarks in the sentence of a failure.
const MOST_NAMED_REMARKS: usize = 5;

#[derive(Serialize)]
struct Record {
    color: &'static str,
    color_given: bool,
    positions: usize,
    games: u64,
    hits: u64,
    duplicates: u64,
    sources: Vec<String>,
    departures: Vec<DepartureRow>,
    departure_count: usize,
    lines: Vec<Line>,
    line_count: usize,
    remarks: Vec<Remark>,
}

/// The most half-moves of a line that are given, the last ones.
const MOST_PLIES: usize = 100;

/// A position of the repertoire, by the moves that lead to it.
#[derive(Serialize)]
struct Place {
    /// The position before these moves, if it is not the usual start.
    fen: Option<String>,
    play: String,
    line: String,
}

#[derive(Serialize)]
struct DepartureRow {
    #[serde(flatten)]
    place: Place,
    kind: &'static str,
    /// The number of the move: `9.` or `9...`.
    number: String,
    san: Option<String>,
    uci: Option<String>,
    #[serde(flatten)]
    results: Results,
    /// The games in the position, and those of them that play the move.
    reached: u64,
    all: u64,
    best: Vec<Listed>,
}

#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    results: Results,
}

#[derive(Serialize)]
struct Results {
    games: u64,
    white: u64,
    draws: u64,
    black: u64,
}

#[derive(Serialize)]
struct Remark {
    line: usize,
    message: String,
}

fn answer(question: &Question<'_>, text: &str) -> Result<Answer, Failure> {
    let parameters = question.request.parameters;
    let limit = parameters.rows("limit", USUAL_ROWS, MOST_ROWS)?;
    let least: u64 = parameters.parsed("min-games")?.unwrap_or(1);
    let kind = kind(parameters.get("kind").unwrap_or_default())?;
    let query = query(question)?;
    let repertoire =
        repertoire(text, color("color", parameters.get("color").unwrap_or_default())?)?;
    let found = RepertoireHits::read(question.database, &repertoire, &query, &question.watch)?;
    let is_wanted = |one: &&Departure| {
        one.counts.all_games() >= least && kind.is_none_or(|kind| one.kind == kind)
    };
    let departures: Vec<&Departure> = found.departures.iter().filter(is_wanted).collect();
    let shown = departures.iter().take(limit);
    let shown = shown.map(|one| DepartureRow::read(question.database, &repertoire, one));
    let ends: Vec<usize> = repertoire.ends().collect();
    let lines = ends.iter().take(limit);
    let lines = lines.map(|&at| Line::of(&repertoire, at, found.reached(at)));
    let remarks = repertoire.remarks().iter().take(MOST_REMARKS);
    let remarks = remarks.map(|one| Remark { line: one.line, message: one.message.clone() });
    let sources = found.sources.iter().map(|source| source_file(&source.path).to_owned());
    Answer::json(&Record {
        color: if repertoire.side().is_white() { "white" } else { "black" },
        color_given: repertoire.is_side_given(),
        positions: repertoire.positions().len(),
        games: found.games,
        hits: found.hits,
        duplicates: found.duplicates,
        sources: sources.collect(),
        departures: shown.collect::<stamma::Result<_>>()?,
        departure_count: departures.len(),
        lines: lines.collect(),
        line_count: ends.len(),
        remarks: remarks.collect(),
    })
}

fn query(question: &Question<'_>) -> Result<RepertoireQuery, Failure> {
    let parameters = question.request.parameters;
    Ok(RepertoireQuery {
        filter: question.game_options()?.filter,
        new_games: question.request.new_games(),
        whole: parameters.parsed("whole")?.unwrap_or(false),
        ..RepertoireQuery::default()
    })
}

/// The most positions of a repertoire that is sent.
const MOST_POSITIONS: usize = 50_000;

/// The repertoire of a text, for a side or for the one that its moves tell.
pub(super) fn repertoire(text: &str, side: Option<Color>) -> Result<Repertoire, Failure> {
    let mut reader = RepertoireReader::new().most_positions(MOST_POSITIONS);
    reader.read("", text);
    let remarks = reader.remarks().iter().take(MOST_NAMED_REMARKS);
    let remarks: String =
        remarks.map(|one| format!("; line {}: {}", one.line, one.message)).collect();
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
        other => Err(Failure::bad_request(format!("{name}={other}: give white or black"))),
    }
}

fn kind(text: &str) -> Result<Option<DepartureKind>, Failure> {
    let found = DepartureKind::ALL.into_iter().find(|kind| kind.as_str() == text);
    match (found, text) {
        (None, "") => Ok(None),
        (Some(kind), _) => Ok(Some(kind)),
        (None, other) => {
            let known = DepartureKind::ALL.map(DepartureKind::as_str).join(", ");
            Err(Failure::bad_request(format!("kind={other}: give one of {known}")))
        }
    }
}

impl Place {
    fn of(repertoire: &Repertoire, at: usize) -> Place {
        let line = repertoire.line_end(at, MOST_PLIES);
        let start = line.first().map_or(at, |(first, _)| *first);
        let start = &repertoire.positions()[start].position;
        let uci = Uci::of(start);
        let moves: Vec<String> = line.iter().map(|(_, mv)| uci.text(mv.mv)).collect();
        Place {
            fen: (*start != Position::start()).then(|| start.fen()),
            play: moves.join(","),
            line: repertoire.text(&line),
        }
    }
}

impl DepartureRow {
    fn read(
        database: &Database,
        repertoire: &Repertoire,
        departure: &Departure,
    ) -> stamma::Result<DepartureRow> {
        let at = departure.position;
        let position = &repertoire.positions()[at].position;
        let (san, mv) = departure.played.clone().unzip();
        let best = departure.best.iter().map(|&game| Listed::read(database, game.get(), None));
        Ok(DepartureRow {
            place: Place::of(repertoire, at),
            kind: departure.kind.as_str(),
            number: repertoire.move_number(at),
            san,
            uci: mv.map(|mv| Uci::of(position).text(mv)),
            results: Results::of(&departure.counts),
            reached: departure.reached,
            all: departure.all.all_games(),
            best: best.collect::<stamma::Result<_>>()?,
        })
    }
}

impl Line {
    fn of(repertoire: &Repertoire, at: usize, counts: &Counts) -> Line {
        Line { place: Place::of(repertoire, at), results: Results::of(counts) }
    }
}

impl Results {
    fn of(counts: &Counts) -> Results {
        let Counts { white, draws, black, .. } = *counts;
        Results { games: counts.all_games(), white, draws, black }
    }
}
