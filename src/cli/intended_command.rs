//! Suggestions for input given in place of a position.

use std::path::Path;

use super::quoting::{quoted, quoted_path};
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

/// The command that was probably intended by a text, after the reason.
fn intended_command(text: &str, command: &str, databases: &Databases) -> String {
    let mut quoted_paths = Vec::new();
    for database in databases {
        quoted_paths.push(quoted_path(database.path()));
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

/// The two players that the words of a text name; `None` if the text names a player or an event. If a site or an
/// opening has both words, the text means the players only if they have at least as many games against each other.
fn several_players<'t>(text: &'t str, databases: &Databases) -> Option<[&'t str; 2]> {
    let players = two_words(text)?;

    let games_of_name = match kind(databases, text) {
        None => 0,
        Some("site") => {
            let of_site = Filter {
                site: vec![text.into()],
                ..Filter::default()
            };
            count_games(databases, &of_site)
        }
        Some("opening") => {
            let of_opening = Filter {
                openings: vec![text.into()],
                ..Filter::default()
            };
            count_games(databases, &of_opening)
        }
        Some(_) => return None,
    };

    // A site with the names of both players may have a single game, and is rarely intended.
    if games_of_name > 0 {
        let of_both_players = Filter {
            players: players.map(NameQuery::from).to_vec(),
            ..Filter::default()
        };
        if games_of_name > count_games(databases, &of_both_players) {
            return None;
        }
    }

    let are_players = players
        .iter()
        .all(|name| kind(databases, name) == Some("player"));
    are_players.then_some(players)
}

/// The two players that the two words of a text name; `None` if a single player has both words in the name.
pub(super) fn two_players<'t>(text: &'t str, database: &Database) -> Option<[&'t str; 2]> {
    let players = two_words(text)?;
    if is_player(text, database) {
        return None;
    }

    let are_players = players.iter().all(|name| is_player(name, database));
    are_players.then_some(players)
}

/// `true` if a text is found in a player's name; `false` if the database cannot be read.
fn is_player(text: &str, database: &Database) -> bool {
    kind_of_name(database, text).is_ok_and(|kind| kind == Some("player"))
}

/// The words of a text, if it has exactly two.
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

/// The number of games that a filter matches. A database that cannot be read counts as empty.
fn count_games(databases: &Databases, filter: &Filter) -> u64 {
    let query = Query::new().filter(filter.clone());
    let count = |database: &Database| database.query(&query)?.count();

    let mut games = 0;
    for database in databases {
        games += count(database).unwrap_or_default();
    }
    games
}

/// The likely meaning of a text in words, and the option for this meaning.
fn likely_option(text: &str, databases: &Databases) -> (&'static str, &'static str) {
    if matches!(text, "1-0" | "0-1" | "1/2-1/2" | "1/2" | "draw") {
        return ("games with this result", "--result");
    }
    // A single letter is a range of ECO codes as well, but more likely the beginning of a name.
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

/// The value of an option for a text; `draw` for any text that begins with `1/2`.
fn value_for<'t>(option: &str, text: &'t str) -> &'t str {
    if option == "--result" && text.starts_with("1/2") {
        "draw"
    } else {
        text
    }
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
}
