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

    // A FEN that stands for several positions stays as it is.
    let positions = joined.request.positions()?.unwrap_or_default();
    let fen = joined.request.parameters.get("fen").unwrap_or_default();
    if let [position] = &positions[..] {
        words.push(position.fen());
    } else if !fen.is_empty() {
        words.push(fen.replace('_', " "));
    }
    words.extend(options.arguments.iter().cloned());

    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    Ok(quoted.join(" "))
}

/// A word in single quotes, unless all shells read it as it is.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./,:+@%=".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }

    // A single quote ends the quoted text, stands behind a backslash, and begins the next quoted text.
    let escaped = word.replace('\'', "'\\''");
    format!("'{escaped}'")
}
