//! Suggestions for input given in place of a position.

use std::path::Path;

use stamma::error::Error;
use stamma::game::PartialDate;
use stamma::query::{Databases, EcoRange, Filter, NameQuery, Query, kind_of_name};
use stamma::storage::Database;

/// An error that suggests the intended command for a text that is not a position.
pub(super) fn with_command(error: Error, command: &str, databases: &Databases) -> Error {
    let Error::NotAPosition { text, .. } = error else {
        return error;
    };

    let meant = intended_command(&text, command, databases);
    Error::NotAPosition {
        meant: Some(meant),
        text,
    }
}

/// The command that a text was probably meant for, behind the reason.
fn intended_command(text: &str, command: &str, databases: &Databases) -> String {
    let mut quoted_paths = Vec::new();
    for database in databases {
        quoted_paths.push(quoted(&database.path().display().to_string()));
    }
    let paths = quoted_paths.join(" ");

    if Path::new(text).is_file() {
        let file = quoted(text);
        return format!("its games are imported first: stamma import {paths} {file}");
    }

    if let Some(players) = several_players(text, databases) {
        let options = players
            .map(|name| format!("--player {}", quoted(name)))
            .join(" ");
        return format!("games of these players: stamma {command} {paths} {options}");
    }

    let (reason, option) = likely_option(text, databases);
    let value = quoted(value_for(option, text));
    format!("{reason}: stamma {command} {paths} {option} {value}")
}

/// Two players that the words of a text name, if they do not name one player or event together. A site or an opening with both
/// words has more games than the players have against each other; else it is named after them.
fn several_players<'t>(text: &'t str, databases: &Databases) -> Option<[&'t str; 2]> {
    let players = two_words(text)?;

    let games_of_name = match kind(databases, text) {
        None => 0,
        Some("site") => {
            let of_site = Filter {
                site: vec![text.into()],
                ..Filter::default()
            };
            games(databases, &of_site)
        }
        Some("opening") => {
            let of_opening = Filter {
                openings: vec![text.into()],
                ..Filter::default()
            };
            games(databases, &of_opening)
        }
        Some(_) => return None,
    };

    // A site with the names of two players can have a single game, and is not what they are typed for.
    if games_of_name > 0 {
        let of_both_players = Filter {
            players: players.map(NameQuery::from).to_vec(),
            ..Filter::default()
        };
        if games_of_name > games(databases, &of_both_players) {
            return None;
        }
    }

    let are_players = players
        .iter()
        .all(|name| kind(databases, name) == Some("player"));
    are_players.then_some(players)
}

/// The two words of a text that name two players, while no player has both.
pub(super) fn two_players<'t>(text: &'t str, database: &Database) -> Option<[&'t str; 2]> {
    let players = two_words(text)?;
    if is_player(text, database) {
        return None;
    }

    let are_players = players.iter().all(|name| is_player(name, database));
    are_players.then_some(players)
}

/// `true` if a text is found in a player's name; `false` also where the database cannot be read.
fn is_player(text: &str, database: &Database) -> bool {
    kind_of_name(database, text).is_ok_and(|kind| kind == Some("player"))
}

fn two_words(text: &str) -> Option<[&str; 2]> {
    let mut words = text
        .split([' ', '-', '–', ','])
        .filter(|word| !word.is_empty());

    let both = [words.next()?, words.next()?];
    if words.next().is_none() {
        Some(both)
    } else {
        None
    }
}

/// The number of games that a filter matches; 0 where a database cannot be read.
fn games(databases: &Databases, filter: &Filter) -> u64 {
    let query = Query::new().filter(filter.clone());
    let count = |database: &Database| database.query(&query)?.count();

    let mut games = 0;
    for database in databases {
        games += count(database).unwrap_or_default();
    }
    games
}

/// The likely meaning of a text, and the option for it.
fn likely_option(text: &str, databases: &Databases) -> (&'static str, &'static str) {
    if matches!(text, "1-0" | "0-1" | "1/2-1/2" | "1/2" | "draw") {
        return ("games with this result", "--result");
    }
    // A letter alone is a range of codes, too, but more likely the beginning of a name.
    let is_code = text.len() == 3 && text.parse::<EcoRange>().is_ok();
    if is_code {
        return ("games with this ECO code", "--eco");
    }
    if text.parse::<PartialDate>().is_ok() {
        return ("games of this time", "--date");
    }

    match kind(databases, text) {
        Some("event") => ("games of this event", "--event"),
        Some("site") => ("games at this site", "--site"),
        Some("opening") => ("games of this opening", "--opening"),
        _ => ("games of this player", "--player"),
    }
}

/// The kind of a name in the first database that has the name.
fn kind(databases: &Databases, name: &str) -> Option<&'static str> {
    databases
        .iter()
        .find_map(|database| kind_of_name(database, name).ok()?)
}

/// The value that an option takes for a text.
fn value_for<'t>(option: &str, text: &'t str) -> &'t str {
    if option == "--result" && text.starts_with("1/2") {
        "draw"
    } else {
        text
    }
}

/// A word quoted for shells.
pub(super) fn quoted(word: &str) -> String {
    // Shells give these letters no meaning of their own.
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./,:+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }

    // Single quotes cannot be escaped within single quotes: they are closed, and opened again behind the escaped quote.
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_words_may_be_two_players() {
        for (text, words) in [
            ("carlsen nepo", Some(["carlsen", "nepo"])),
            ("carlsen-nepo", Some(["carlsen", "nepo"])),
            ("carlsen – nepo", Some(["carlsen", "nepo"])),
            ("carlsen", None),
            ("tal carlsen nepo", None),
        ] {
            assert_eq!(two_words(text), words, "{text}");
        }
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_cut_them() {
        assert_eq!(quoted("fischer"), "fischer");
        assert_eq!(quoted("bobby fischer"), "'bobby fischer'");
        assert_eq!(quoted("O'Kelly"), r"'O'\''Kelly'");
    }
}
