//! Warnings about names that occur in no game, or in hardly any.

use super::say;
use super::terminal::counted;
use stamma::error::Result;
use stamma::query::{Filter, UnknownName, unknown_names};
use stamma::storage::Database;

/// Warns about such names in a filter, and suggests others.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn say_unknown(database: &Database, filter: &Filter) -> Result<()> {
    for unknown in unknown_names(database, filter)? {
        say!("{}", sentence(&unknown));
    }
    Ok(())
}

fn sentence(unknown: &UnknownName) -> String {
    let UnknownName { kind, text, games, suggestions } = unknown;
    let found = match games {
        0 => format!("{kind} \"{text}\" not found"),
        _ => format!("{kind} \"{text}\" has {}", counted(*games, "game", "games")),
    };
    let named = suggestions.iter().map(|(name, games)| match games {
        Some(games) => format!("\"{name}\" ({})", counted(*games, "game", "games")),
        None => format!("\"{name}\""),
    });
    let mut named: Vec<String> = named.collect();
    match named.pop() {
        None => found,
        Some(last) if named.is_empty() => format!("{found}; did you mean {last}?"),
        Some(last) => format!("{found}; did you mean {} or {last}?", named.join(", ")),
    }
}
