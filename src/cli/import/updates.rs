//! The changes that `stamma import --update` makes, as lines and for JSON.

use serde::Serialize;

use crate::cli::say;
use stamma::import::{AmbiguousGame, UpdatedGame};
use stamma::report::{counted, grouped};

/// The maximum number of changes that are listed as lines.
const MAX_LINES: usize = 50;
/// The maximum number of changes that are listed in JSON.
const MAX_CHANGES: usize = 10_000;

/// The changes so far.
#[derive(Default)]
pub(super) struct Updates {
    /// The number of changes, listed or not.
    lines: usize,
    changes: Vec<Change>,
}

/// A change as JSON.
#[derive(Debug, Serialize)]
pub(super) struct Change {
    game: i64,
    white: String,
    black: String,
    date: String,
    /// The changed parts: `moves`, `result`, `tags`, `comments`; none for a game that was added.
    changed: Vec<&'static str>,
    /// The half-moves before and now, if the moves have changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<[u32; 2]>,
    /// The result before and now, if it has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<[String; 2]>,
    /// The stored games of which the added game may be a newer text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ambiguous_with: Vec<i64>,
}

impl Updates {
    /// Records the update of a game; returns a line about it, unless too many lines have been listed.
    pub(super) fn add(&mut self, game: &UpdatedGame) -> Option<String> {
        let id = game.game.get();
        let heading = heading(&game.players, &game.date);
        let changes = changes_in_words(game).join(", ");
        let line = format!("game {id}: {heading}: {changes}");

        let [white, black] = game.players.clone();
        self.record(Change {
            game: id,
            white,
            black,
            date: game.date.clone(),
            changed: changed_parts(game),
            plies: game.plies,
            result: game.result.clone(),
            ambiguous_with: Vec::new(),
        });
        self.line_to_list(line)
    }

    /// Records a game that was added although it may be a newer text of a stored game; returns a line about it, unless
    /// too many lines have been listed.
    pub(super) fn add_ambiguous(&mut self, game: &AmbiguousGame) -> Option<String> {
        let others: Vec<i64> = game.others.iter().map(|other| other.get()).collect();
        let numbers: Vec<String> = others.iter().map(i64::to_string).collect();
        let reason = match &numbers[..] {
            [only] => format!("game {only} is of the same encounter and the same file"),
            _ => format!(
                "it may be any of the games {}, or another one",
                numbers.join(", ")
            ),
        };
        let id = game.game.get();
        let heading = heading(&game.players, &game.date);
        let line = format!("game {id}: {heading}: added, as {reason}");

        let [white, black] = game.players.clone();
        self.record(Change {
            game: id,
            white,
            black,
            date: game.date.clone(),
            changed: Vec::new(),
            plies: None,
            result: None,
            ambiguous_with: others,
        });
        self.line_to_list(line)
    }

    /// Records a change for JSON, unless too many have been recorded.
    fn record(&mut self, change: Change) {
        if self.changes.len() < MAX_CHANGES {
            self.changes.push(change);
        }
    }

    /// Counts a line, and returns it if it is one of the first.
    fn line_to_list(&mut self, line: String) -> Option<String> {
        self.lines += 1;
        if self.lines <= MAX_LINES {
            Some(line)
        } else {
            None
        }
    }

    /// Prints the number of changes that were not listed.
    pub(super) fn say_rest(&self) {
        let more = self.lines.saturating_sub(MAX_LINES);
        if more > 0 {
            let changes = counted(more as u64, "more change", "more changes");
            let in_json = grouped(MAX_CHANGES as u64);
            say!("… and {changes}; --json lists the first {in_json}");
        }
    }

    /// The changes for JSON.
    pub(super) fn into_changes(self) -> Vec<Change> {
        self.changes
    }
}

/// The names of the changed parts, for JSON.
fn changed_parts(game: &UpdatedGame) -> Vec<&'static str> {
    let parts = [
        (game.plies.is_some(), "moves"),
        (game.result.is_some(), "result"),
        (game.tags, "tags"),
        (game.comments, "comments"),
    ];

    let mut changed = Vec::new();
    for (is_changed, name) in parts {
        if is_changed {
            changed.push(name);
        }
    }
    changed
}

/// The changed parts in words, with the numbers of half-moves and the results if they differ. If only the termination
/// marker has changed, the result does not differ.
fn changes_in_words(game: &UpdatedGame) -> Vec<String> {
    let mut words = Vec::new();
    match &game.plies {
        Some([before, now]) if before != now => {
            words.push(format!("moves ({before} to {now} half-moves)"));
        }
        Some(_) => words.push("moves".to_owned()),
        None => {}
    }

    match &game.result {
        Some([before, now]) if before != now => {
            words.push(format!("result ({before} to {now})"));
        }
        Some(_) => words.push("result".to_owned()),
        None => {}
    }

    if game.tags {
        words.push("tags".to_owned());
    }
    if game.comments {
        words.push("comments".to_owned());
    }
    words
}

/// The players, and the date if it is known.
fn heading(players: &[String; 2], date: &str) -> String {
    let [white, black] = players;
    let names = format!("{} - {}", name_or_unknown(white), name_or_unknown(black));
    if date.is_empty() {
        names
    } else {
        format!("{names}, {date}")
    }
}

/// The name, or the `?` that PGN has for an unknown name.
fn name_or_unknown(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}
