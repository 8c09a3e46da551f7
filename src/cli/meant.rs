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
    let paths = databases
        .iter()
        .map(|database| quoted(&database.path().display().to_string()));
    let paths = paths.collect::<Vec<_>>().join(" ");
    let meant = if Path::new(&text).is_file() {
        format!(
            "its games are imported first: stamma import {paths} {}",
            quoted(&text)
        )
    } else if let Some(players) = several_players(&text, databases) {
        let players: Vec<String> = players
            .iter()
            .map(|name| format!("--player {}", quoted(name)))
            .collect();
        format!(
            "games of these players: stamma {command} {paths} {}",
            players.join(" ")
        )
    } else {
        let (what, option) = option(&text, databases);
        format!(
            "{what}: stamma {command} {paths} {option} {}",
            quoted(value(option, &text))
        )
    };
    Error::NotAPosition {
        meant: Some(meant),
        text,
    }
}

/// Two players that the words of a text name, if they do not name one player or event together. A site or an opening with both
/// words has more games than the players have against each other; else it is named after them.
fn several_players<'t>(text: &'t str, databases: &Databases) -> Option<[&'t str; 2]> {
    let players = two_words(text)?;
    let of_one_thing = match kind(databases, text) {
        None => None,
        Some("site") => Some(Filter {
            site: vec![text.into()],
            ..Filter::default()
        }),
        Some("opening") => Some(Filter {
            openings: vec![text.into()],
            ..Filter::default()
        }),
        Some(_) => return None,
    };
    let of_both = Filter {
        players: players.map(NameQuery::from).to_vec(),
        ..Filter::default()
    };
    let is_one_thing = of_one_thing
        .is_some_and(|of_one_thing| games(databases, &of_one_thing) > games(databases, &of_both));
    if is_one_thing {
        return None;
    }

    let are_players = players
        .iter()
        .all(|name| kind(databases, name) == Some("player"));
    are_players.then_some(players)
}

/// The two words of a text that name two players, while no player has both.
pub(super) fn two_players<'t>(text: &'t str, database: &Database) -> Option<[&'t str; 2]> {
    let players = two_words(text)?;
    let is_player =
        |name: &str| kind_of_name(database, name).is_ok_and(|kind| kind == Some("player"));
    (!is_player(text) && players.iter().all(|name| is_player(name))).then_some(players)
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
    databases
        .iter()
        .map(|database| count(database).unwrap_or_default())
        .sum()
}

/// What a text may be, and the option for it.
fn option(text: &str, databases: &Databases) -> (&'static str, &'static str) {
    let is_code = text.len() == 3 && text.parse::<EcoRange>().is_ok();
    match text {
        "1-0" | "0-1" | "1/2-1/2" | "1/2" | "draw" => ("games with this result", "--result"),
        _ if is_code => ("games with this ECO code", "--eco"),
        _ if text.parse::<PartialDate>().is_ok() => ("games of this time", "--date"),
        name => match kind(databases, name) {
            Some("event") => ("games of this event", "--event"),
            Some("site") => ("games at this site", "--site"),
            Some("opening") => ("games of this opening", "--opening"),
            _ => ("games of this player", "--player"),
        },
    }
}

/// What the first database that knows a name has it for.
fn kind(databases: &Databases, name: &str) -> Option<&'static str> {
    databases
        .iter()
        .find_map(|database| kind_of_name(database, name).ok()?)
}

fn value<'t>(option: &str, text: &'t str) -> &'t str {
    match option {
        "--result" if text.starts_with("1/2") => "draw",
        _ => text,
    }
}

/// A word quoted for shells.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./,:+@%".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_cut_them() {
        assert_eq!(quoted("fischer"), "fischer");
        assert_eq!(quoted("bobby fischer"), "'bobby fischer'");
        assert_eq!(quoted("O'Kelly"), r"'O'\''Kelly'");
    }
}
