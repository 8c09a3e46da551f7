//! Warnings about names that occur in no game, or in hardly any.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::say;
use stamma::error::Result;
use stamma::query::{Filter, NameByInitials, UnknownName, names_by_initials, unknown_names};
use stamma::report::counted;
use stamma::storage::Database;

/// Warns about names in a filter that occur in no game, or in hardly any, and suggests others. With several databases,
/// a name is reported if it is unknown in each of them.
///
/// # Errors
/// When a database cannot be read.
pub(super) fn say_unknown<'d>(
    databases: impl IntoIterator<Item = &'d Database>,
    filter: &Filter,
) -> Result<()> {
    let mut databases = databases.into_iter();
    let Some(first) = databases.next() else {
        return Ok(());
    };

    let mut unknown_everywhere = unknown_names(first, filter)?;
    for database in databases {
        // Every name is known in some database.
        if unknown_everywhere.is_empty() {
            break;
        }

        let unknown_here = unknown_names(database, filter)?;
        unknown_everywhere.retain_mut(|name| unknown_here.iter().any(|other| merge(name, other)));
    }

    for unknown in unknown_everywhere {
        say!("{}", warning(&unknown));
    }
    Ok(())
}

/// The maximum number of spellings in a sentence.
const MAX_SPELLINGS: usize = 3;

/// Warns as [`say_unknown`] does, and reports the spellings with initials that names of players include.
///
/// # Errors
/// When a database cannot be read.
pub(super) fn say_about_names<'d>(
    databases: impl IntoIterator<Item = &'d Database> + Copy,
    filter: &Filter,
) -> Result<()> {
    say_unknown(databases, filter)?;

    // By name as typed, and by spelling: the number of games in all databases.
    let mut games_by_name: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for database in databases {
        for NameByInitials { text, spellings } in names_by_initials(database, filter)? {
            let games_by_spelling = games_by_name.entry(text).or_default();
            for (spelling, games) in spellings {
                *games_by_spelling.entry(spelling).or_default() += games;
            }
        }
    }

    for (name, games_by_spelling) in games_by_name {
        let mut spellings: Vec<(String, u64)> = games_by_spelling.into_iter().collect();
        spellings.sort_by_key(|(_, games)| Reverse(*games));
        say!("{}", included_spellings(&name, &spellings));
    }
    Ok(())
}

/// A sentence about the spellings that the name of a player includes.
fn included_spellings(text: &str, spellings: &[(String, u64)]) -> String {
    let mut listed = Vec::new();
    for (name, games) in spellings.iter().take(MAX_SPELLINGS) {
        let games = counted(*games, "game", "games");
        listed.push(format!("\"{name}\" ({games})"));
    }

    let more = (spellings.len() - listed.len()) as u64;
    if more > 0 {
        listed.push(counted(more, "other spelling", "other spellings"));
    }

    format!("player \"{text}\" includes {}", listed.join(", "))
}

/// The maximum number of names that are suggested from several databases.
const MAX_SUGGESTIONS: usize = 3;

/// Adds the games and the suggestions for a name in another database; returns `false` if `other` is another name.
fn merge(name: &mut UnknownName, other: &UnknownName) -> bool {
    let is_same_name = name.kind == other.kind && name.text == other.text;
    if !is_same_name {
        return false;
    }

    name.games += other.games;
    for (suggested, games) in &other.suggestions {
        let known = name
            .suggestions
            .iter_mut()
            .find(|(known, _)| known == suggested);
        if let Some((_, known)) = known {
            *known = known.zip(*games).map(|(one, other)| one + other);
        } else if name.suggestions.len() < MAX_SUGGESTIONS {
            name.suggestions.push((suggested.clone(), *games));
        }
    }
    true
}

/// The warning about a name, with its suggestions.
fn warning(unknown: &UnknownName) -> String {
    let UnknownName {
        kind,
        text,
        games,
        suggestions,
    } = unknown;
    let fact = match games {
        0 => format!("{kind} \"{text}\" not found"),
        _ => format!("{kind} \"{text}\" has {}", counted(*games, "game", "games")),
    };

    let mut suggested = Vec::with_capacity(suggestions.len());
    for (name, games) in suggestions {
        let text = match games {
            Some(games) => format!("\"{name}\" ({})", counted(*games, "game", "games")),
            None => format!("\"{name}\""),
        };
        suggested.push(text);
    }

    let Some(last) = suggested.pop() else {
        return fact;
    };
    if suggested.is_empty() {
        format!("{fact}; did you mean {last}?")
    } else {
        format!("{fact}; did you mean {} or {last}?", suggested.join(", "))
    }
}
