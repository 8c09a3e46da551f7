//! `/api/1/add`, `/api/1/games/{id}/replace` and `/api/1/undo`: changes of a database, by the page of a server that was
//! started with `--write`.
//!
//! A change is an import or a deletion, as by `stamma import` and `stamma forget`, and takes their lock. While another
//! program writes, the change is rejected, and the page keeps its games. All games of a request are changed in one
//! transaction.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{
    ChangeRequest, Description, Handler, Interface, Route, Weight, schema_of,
};
use stamma::error::Error;
use stamma::import::{EarlierImport, ImportOptions, Summary, import_text};
use stamma::pgn::{Span, split};
use stamma::report::counted;
use stamma::storage::{Database, GameId, SourceId};

/// The name of the source of games that a page has sent. Only sources with this name can be undone.
const SOURCE_NAME: &str = "sent-by-the-page.pgn";

/// Adds games.
pub(in crate::serve) const ADD_ROUTE: Route = Route {
    path: "/api/1/add",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Change(add),
    description: Description {
        summary: "Adds the games of a text to a database, with `stamma serve --write` and from its own page",
        parameters: &[],
        has_filters: false,
        schema: Some(schema_of::<Change>),
    },
};

/// Replaces a game.
pub(in crate::serve) const REPLACE_ROUTE: Route = Route {
    path: "/api/1/games/{id}/replace",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Change(replace),
    description: Description {
        summary: "Replaces a game by the game of a text, with `stamma serve --write` and from its own page",
        parameters: &[],
        has_filters: false,
        schema: Some(schema_of::<Change>),
    },
};

/// Deletes games that were added by a page.
pub(in crate::serve) const UNDO_ROUTE: Route = Route {
    path: "/api/1/undo",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Change(undo),
    description: Description {
        summary: "Deletes the games that `/api/1/add` has added, with `stamma serve --write` and from its own page",
        parameters: &[(
            "source",
            "the number of the source that the answer to the addition had",
        )],
        has_filters: false,
        schema: Some(schema_of::<Change>),
    },
};

/// A change of a database.
#[derive(Serialize, JsonSchema)]
struct Change {
    /// A sentence for people about the change.
    sentence: String,
    /// The number of the source of the new games, by which they can be taken back; `null` without new games.
    source: Option<i64>,
    /// The number of the first of the new games, or of the game that was replaced.
    first_game: Option<i64>,
    /// The number of new games.
    games: u64,
    /// The number of games with a changed text.
    replaced: u64,
    /// The number of deleted games.
    deleted: u64,
    /// The problems of the new games.
    problems: u64,
}

/// Imports the games of a text.
fn add(request: &ChangeRequest<'_>, text: &str) -> Result<Answer, Failure> {
    let name = &request.pool.name;
    let change = request.pool.change(|database| {
        let summary = import(database, text, ImportOptions::default())?;
        let games = summary.tally.games;

        let sentence = if games == 0 {
            "Nothing was added: the database has these games already.".to_owned()
        } else {
            let counted_games = counted(games, "game was", "games were");
            format!("{counted_games} added to {name}.")
        };
        addition(database, &summary, sentence)
    })?;
    Answer::json(&change)
}

/// Replaces the game at `{id}` by the game of a text.
fn replace(request: &ChangeRequest<'_>, text: &str) -> Result<Answer, Failure> {
    let id = request.common.id;
    let Ok(game) = id.parse::<i64>() else {
        return Err(Failure::not_found(format!("there is no game {id}")));
    };

    let spans = split(text.as_bytes());
    let games = spans.filter(|span| matches!(span, Span::Game(_))).count();
    if games > 1 {
        let sentence = "a game is replaced by one game, and this text has several";
        return Err(Failure::bad_request(sentence));
    }

    let options = ImportOptions {
        // The database may have had this text before.
        again: true,
        update: true,
        replaced: Some(GameId::new(game)),
        ..ImportOptions::default()
    };
    let change = request.pool.change(|database| {
        let summary = import(database, text, options)?;
        Ok(Change {
            sentence: format!("Game {game} was replaced."),
            source: None,
            first_game: Some(game),
            games: 0,
            replaced: summary.tally.updated,
            deleted: 0,
            problems: summary.tally.problem_count(),
        })
    })?;
    Answer::json(&change)
}

fn undo(request: &ChangeRequest<'_>, _text: &str) -> Result<Answer, Failure> {
    let parameters = request.common.parameters;
    let Some(source) = parameters.parse::<i64>("source")? else {
        return Err(Failure::bad_request("give the number of the source"));
    };

    let change = request.pool.change(|database| {
        // Files that `stamma import` has imported cannot be deleted here.
        let sources = database.sources()?;
        let sent = sources.iter().find(|known| {
            known.id == SourceId::new(source) && Path::new(&known.path).ends_with(SOURCE_NAME)
        });
        let Some(sent) = sent else {
            let sentence = format!("no page has sent a source {source}");
            return Err(Failure::not_found(sentence));
        };

        // A source whose text replaced a game has no games: the game still belongs to its first source.
        if database.games_of_source(sent.id)?.is_none() {
            let sentence = format!("no games were added by source {source}");
            return Err(Failure::not_found(sentence));
        }

        database.forget_sources(&[sent.id])?;
        let name = &request.pool.name;
        let counted_games = counted(sent.games, "game was", "games were");
        Ok(Change {
            sentence: format!("{counted_games} taken out of {name}."),
            source: None,
            first_game: None,
            games: 0,
            replaced: 0,
            deleted: sent.games,
            problems: 0,
        })
    })?;
    Answer::json(&change)
}

/// Imports a text; a text without games is a fault of the request.
fn import(database: &mut Database, text: &str, options: ImportOptions) -> Result<Summary, Failure> {
    let summary = import_text(database, SOURCE_NAME, text, options)?;
    let tally = &summary.tally;
    let games = tally.games + tally.updated + tally.unchanged;

    // A text that was imported before is a known source, and is not read again.
    let is_known = |earlier: &EarlierImport| matches!(earlier, EarlierImport::Complete { .. });
    let is_known_text = summary.earlier.iter().any(is_known);
    if games > 0 || is_known_text {
        return Ok(summary);
    }

    let reason = match summary.failures.first() {
        None | Some(Error::NoGames(_)) => "no game was found in this text; is it PGN?".to_owned(),
        Some(failure) => failure.to_string(),
    };
    Err(Failure::bad_request(reason))
}

/// The answer for games that were added.
fn addition(database: &Database, summary: &Summary, sentence: String) -> Result<Change, Failure> {
    // Without new games, there is nothing to undo, and the answer names no source.
    let mut source = None;
    let mut first_game = None;
    if let Some(&added) = summary.sources.last()
        && summary.tally.games > 0
    {
        source = Some(i64::from(added));
        let range = database.games_of_source(added)?;
        first_game = range.map(|(first, _)| i64::from(first));
    }

    Ok(Change {
        sentence,
        source,
        first_game,
        games: summary.tally.games,
        replaced: 0,
        deleted: 0,
        problems: summary.tally.problem_count(),
    })
}
