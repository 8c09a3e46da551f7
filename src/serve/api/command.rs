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
    let command = command(joined, &options)?;
    Answer::json(&CommandLine { command })
}

/// The command that lists the games of the request.
fn command(joined: &Joined<'_>, options: &GameOptions) -> Result<String, Failure> {
    let mut words = vec!["stamma".to_owned(), "search".to_owned()];
    for pool in joined.pools() {
        words.push(pool.path().display().to_string());
    }

    // A FEN that matches several positions is not changed.
    let positions = joined.request.positions()?.unwrap_or_default();
    let fen = joined.request.parameters.get("fen").unwrap_or_default();
    if let [position] = positions.as_slice() {
        words.push(position.fen());
    } else if !fen.is_empty() {
        words.push(fen.replace('_', " "));
    }
    words.extend_from_slice(&options.arguments);

    let mut quoted_words = Vec::with_capacity(words.len());
    for word in &words {
        quoted_words.push(quote(word));
    }
    Ok(quoted_words.join(" "))
}

/// A word, in single quotes if a shell would change the bare word.
fn quote(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./,:+@%=".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }

    // A single quote ends the quoted text, stands behind a backslash, and begins the next quoted text.
    let escaped = word.replace('\'', "'\\''");
    format!("'{escaped}'")
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        for (word, quoted) in [
            ("games.db", "games.db"),
            ("--elo", "--elo"),
            ("2500..", "2500.."),
            ("Tal, Mikhail", "'Tal, Mikhail'"),
            ("O'Kelly", "'O'\\''Kelly'"),
            ("$HOME", "'$HOME'"),
            ("", "''"),
        ] {
            assert_eq!(quote(word), quoted);
        }
    }
}
