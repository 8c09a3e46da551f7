//! `/api/1/command`: the command line that lists the games of a query.

use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::options::GameOptions;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/command",
    interface: Interface::Own,
    weight: Weight::Light,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "The command line that lists the games of a query",
        parameters: &[
            (
                "fen",
                "a position that games must reach; fields at its end may be left out",
            ),
            (
                "play",
                "moves from there in UCI notation, separated by commas",
            ),
        ],
        has_filters: true,
        schema: Some(schema_of::<CommandLine>),
    },
};

#[derive(Serialize, JsonSchema)]
struct CommandLine {
    /// The command, quoted for a shell.
    command: String,
}

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let (_, options) = joined.game_query()?;
    Answer::json(&CommandLine {
        command: command(joined, &options)?,
    })
}

/// The command that lists the same games.
fn command(joined: &Joined<'_>, options: &GameOptions) -> Result<String, Failure> {
    let mut words = vec!["stamma".to_owned(), "search".to_owned()];
    words.extend(joined.pools().map(|pool| pool.path().display().to_string()));
    if let Some([position]) = joined.request.positions()?.as_deref() {
        words.push(position.fen());
    } else if let Some(fen) = joined
        .request
        .parameters
        .get("fen")
        .filter(|fen| !fen.is_empty())
    {
        words.push(fen.replace('_', " "));
    }
    words.extend(options.arguments.iter().cloned());
    Ok(words
        .iter()
        .map(|word| quoted(word))
        .collect::<Vec<_>>()
        .join(" "))
}

/// A word quoted for shells.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./,:+@%=".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
