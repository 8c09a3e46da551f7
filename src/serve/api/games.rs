//! `/api/1/games`: the games of a query, page by page.

use serde::Serialize;

use super::listed::Listed;
use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::options::GameOptions;
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight};
use stamma::game::Ply;

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/games",
    interface: Interface::Own,
    weight: Weight::Heavy,
    method: Method::Whole(answer),
    description: Description {
        summary: "The games of a query, page by page",
        parameters: &[
            ("fen", "a position that games must reach; fields at its end may be left out"),
            ("play", "moves from there in UCI notation, separated by commas"),
            ("limit", "the number of games of a page, at most 500 (default: 50)"),
            ("cursor", "the page, as `next` of the page before it has it"),
        ],
        has_filters: true,
        schema: "Games",
    },
};

const USUAL_ROWS: usize = 50;
const MOST_ROWS: usize = 500;

#[derive(Serialize)]
struct Record {
    games: Vec<Listed>,
    next: Option<String>,
    command: String,
}

fn answer(question: &Question<'_>) -> Result<Answer, Failure> {
    let (query, options) = question.game_query()?;
    let limit = question.parameters.rows("limit", USUAL_ROWS, MOST_ROWS)?;
    // A cursor is the number of games before the page.
    let before: usize = question.parameters.parsed("cursor")?.unwrap_or(0);
    let mut results = question.database.query_watched(&query, question.watch)?;
    let mut hits = results.hits()?;
    hits.pass(before)?;
    let mut games = Vec::new();
    for hit in hits.by_ref().take(limit) {
        let hit = hit?;
        games.push(Listed::read(question.database, hit.game.get(), hit.ply.map(Ply::get))?);
    }
    let has_more = games.len() == limit && hits.next().transpose()?.is_some();
    Answer::json(&Record {
        next: has_more.then(|| (before + games.len()).to_string()),
        games,
        command: command(question, &options)?,
    })
}

/// The command that lists the same games.
fn command(question: &Question<'_>, options: &GameOptions) -> Result<String, Failure> {
    let mut words = vec!["stamma".to_owned(), "search".to_owned()];
    words.push(question.pool.path().display().to_string());
    if let Some([position]) = question.positions()?.as_deref() {
        words.push(position.fen());
    } else if let Some(fen) = question.parameters.get("fen").filter(|fen| !fen.is_empty()) {
        words.push(fen.replace('_', " "));
    }
    words.extend(options.arguments.iter().cloned());
    Ok(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "))
}

/// A word quoted for shells.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./,:+@%=".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
