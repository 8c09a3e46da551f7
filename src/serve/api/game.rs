//! `/api/1/games/{id}`: one game, with its moves as a tree.

use schemars::JsonSchema;
use serde::Serialize;

use super::tree::{Node, tree};
use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{
    DatabaseRequest, Description, Handler, Interface, Route, Weight, schema_of,
};
use stamma::answer::{ListedGame, OpeningRef, one_decimal, source_file};
use stamma::board::Position;
use stamma::error::Error;
use stamma::export::EvaluatedMainline;
use stamma::game::{Accuracy, Game};
use stamma::notation::read_fen;
use stamma::storage::{Database, GameId, GameReader};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/games/{id}",
    interface: Interface::Own,
    weight: Weight::Light,
    handler: Handler::OfOne(answer),
    description: Description {
        summary: "One game with everything that is stored of it",
        parameters: &[],
        has_filters: false,
        schema: Some(schema_of::<GameAnswer>),
    },
};

/// The maximum number of twins in an answer.
const MAX_TWINS: usize = 50;

#[derive(Serialize, JsonSchema)]
struct GameAnswer {
    /// The name of the database, if several are served and it is not chosen by `db`.
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<String>,
    game: i64,
    tags: Vec<(String, String)>,
    start: String,
    result: &'static str,
    #[serde(flatten)]
    opening: OpeningRef,
    source: String,
    byte_offset: i64,
    comment: Option<String>,
    moves: Vec<Node>,
    /// The accuracy of White, if all positions are evaluated.
    white_accuracy: Option<PlayerAccuracy>,
    /// The accuracy of Black, if all positions are evaluated.
    black_accuracy: Option<PlayerAccuracy>,
    rest: Option<String>,
    problems: Vec<Problem>,
    twins: Vec<ListedGame>,
}

/// The accuracy of a player, by the formulas of Lichess.
#[derive(Serialize, JsonSchema)]
struct PlayerAccuracy {
    /// In per cent, with one decimal.
    accuracy: f64,
    /// The average loss of a move in centipawns, with one decimal.
    centipawn_loss: f64,
}

impl From<Accuracy> for PlayerAccuracy {
    fn from(found: Accuracy) -> PlayerAccuracy {
        PlayerAccuracy {
            accuracy: one_decimal(found.percent),
            centipawn_loss: one_decimal(found.centipawn_loss),
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GameProblem")]
struct Problem {
    kind: String,
    message: String,
    ply: Option<i64>,
}

fn answer(request: &DatabaseRequest<'_>) -> Result<Answer, Failure> {
    let database = request.database;
    let (id, game) = requested_game(request)?;
    let listing = database.listing(GameId::new(id))?.unwrap_or_default();
    let heading = database.heading(GameId::new(id))?.unwrap_or_default();
    let start = start_position(&game);

    // For moves without an evaluation in a comment, the database may have an evaluation.
    let mut tree = tree(&game, &start);
    let mainline = EvaluatedMainline::read(&game, |position| database.evaluation(position))?;
    let evaluated = mainline.filter(EvaluatedMainline::is_evaluated);
    if let Some(mainline) = &evaluated {
        tree.add_evaluations(mainline);
    }

    let accuracies = evaluated.and_then(|line| line.evaluations.accuracy(line.plies()));
    let white_accuracy = accuracies.map(|[white, _]| PlayerAccuracy::from(white));
    let black_accuracy = accuracies.map(|[_, black]| PlayerAccuracy::from(black));

    let mut tags = Vec::new();
    for tag in &game.tags {
        tags.push((tag.name.to_string(), tag.value.to_string()));
    }

    Answer::json(&GameAnswer {
        database: request.name.clone(),
        game: id,
        tags,
        start: start.fen(),
        result: game.result.as_str(),
        opening: OpeningRef {
            eco: heading.opening_eco,
            opening: heading.opening,
        },
        source: source_file(&listing.source).to_owned(),
        byte_offset: listing.byte_offset,
        comment: tree.comment,
        moves: tree.moves,
        white_accuracy,
        black_accuracy,
        rest: game.rest.as_deref().map(str::to_owned),
        problems: read_problems(database, id)?,
        twins: read_twins(request, id)?,
    })
}

fn read_problems(database: &Database, id: i64) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for problem in database.problems_of(GameId::new(id))? {
        problems.push(Problem {
            kind: problem.kind,
            message: problem.message,
            ply: problem.ply,
        });
    }
    Ok(problems)
}

fn read_twins(request: &DatabaseRequest<'_>, id: i64) -> Result<Vec<ListedGame>, Failure> {
    let database = request.database;
    let all_twins = database.twins_of(GameId::new(id))?;

    let mut twins = Vec::new();
    for twin in all_twins.into_iter().take(MAX_TWINS) {
        let mut listed = ListedGame::read(database, twin)?;
        listed.game.database.clone_from(&request.name);
        twins.push(listed);
    }
    Ok(twins)
}

/// The game that a request names by its number.
pub(super) fn requested_game(
    request: &DatabaseRequest<'_>,
) -> Result<(i64, Game<'static>), Failure> {
    let text = request.common.id;
    let Some(id) = game_number(text) else {
        let sentence = format!("there is no game {text}");
        return Err(Failure::not_found(sentence));
    };

    let mut reader = GameReader::new(request.database)?;
    match reader.game(GameId::new(id))? {
        Some(game) => Ok((id, game)),
        None => Err(Error::NoSuchGame(id).into()),
    }
}

/// The number of a game in an address.
fn game_number(text: &str) -> Option<i64> {
    let id: i64 = text.parse().ok()?;

    // Numbers such as `007` and `+7` are rejected, so that each game has one address.
    if id.to_string() != text {
        return None;
    }
    Some(id)
}

/// The position with which a game begins. A game whose FEN cannot be set up is shown from the standard position.
fn start_position(game: &Game<'_>) -> Position {
    let own_start = game.start.as_deref().and_then(position);
    own_start.unwrap_or_else(Position::start)
}

fn position(fen: &str) -> Option<Position> {
    let (setup, _) = read_fen(fen).ok()?;
    Position::try_from(&setup).ok()
}
