//! The changes that `stamma import --update` makes, as lines and for JSON.

use serde::Serialize;

use crate::cli::say;
use stamma::import::{AmbiguousGame, UpdatedGame};
use stamma::report::counted;

/// The most changes that are listed as lines.
const MAX_LINES: usize = 50;
/// The most changes that are listed in JSON.
const MAX_CHANGES: usize = 10_000;

/// The changes so far.
#[derive(Default)]
pub(super) struct Updates {
    lines: usize,
    changes: Vec<Change>,
}

/// A change, for programs.
#[derive(Debug, Serialize)]
pub(super) struct Change {
    game: i64,
    white: String,
    black: String,
    date: String,
    /// What has changed: `moves`, `result`, `tags`, `comments`; nothing for a game that was added.
    changed: Vec<&'static str>,
    /// The half-moves before and now, if the moves have changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<[u32; 2]>,
    /// The result before and now, if it has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<[String; 2]>,
    /// The stored games that this one may be; it was added beside them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ambiguous_with: Vec<i64>,
}

impl Updates {
    /// Keeps a change; returns its line, if it is one of the first.
    pub(super) fn add(&mut self, game: &UpdatedGame) -> Option<String> {
        let [white, black] = game.players.clone();
        let mut changed = Vec::new();
        let mut words = Vec::new();
        if let Some([before, now]) = game.plies {
            changed.push("moves");
            if before == now {
                words.push("moves".to_owned());
            } else {
                words.push(format!("moves ({before} to {now} half-moves)"));
            }
        }
        if let Some([before, now]) = &game.result {
            changed.push("result");
            if before == now {
                words.push("result".to_owned());
            } else {
                words.push(format!("result ({before} to {now})"));
            }
        }
        for (is_changed, name) in [(game.tags, "tags"), (game.comments, "comments")] {
            if is_changed {
                changed.push(name);
                words.push(name.to_owned());
            }
        }

        let id = game.game.get();
        let line = format!(
            "game {id}: {}: {}",
            heading(&game.players, &game.date),
            words.join(", ")
        );
        self.keep(Change {
            game: id,
            white,
            black,
            date: game.date.clone(),
            changed,
            plies: game.plies,
            result: game.result.clone(),
            ambiguous_with: Vec::new(),
        });
        self.listed(line)
    }

    /// Keeps a game that was added though it may be a stored one; returns its line, if it is one of the first.
    pub(super) fn add_ambiguous(&mut self, game: &AmbiguousGame) -> Option<String> {
        let [white, black] = game.players.clone();
        let id = game.game.get();
        let others: Vec<i64> = game.others.iter().map(|other| other.get()).collect();
        let names: Vec<String> = others.iter().map(i64::to_string).collect();
        let reason = match &names[..] {
            [only] => format!("game {only} is of the same encounter and the same file"),
            _ => format!(
                "it may be any of the games {}, or another one",
                names.join(", ")
            ),
        };
        let line = format!(
            "game {id}: {}: added, as {reason}",
            heading(&game.players, &game.date)
        );
        self.keep(Change {
            game: id,
            white,
            black,
            date: game.date.clone(),
            changed: Vec::new(),
            plies: None,
            result: None,
            ambiguous_with: others,
        });
        self.listed(line)
    }

    fn keep(&mut self, change: Change) {
        if self.changes.len() < MAX_CHANGES {
            self.changes.push(change);
        }
    }

    fn listed(&mut self, line: String) -> Option<String> {
        self.lines += 1;
        (self.lines <= MAX_LINES).then_some(line)
    }

    /// Prints how many changes were not listed.
    pub(super) fn say_rest(&self) {
        let more = self.lines.saturating_sub(MAX_LINES);
        if more > 0 {
            let changes = counted(more as u64, "more change", "more changes");
            say!("… and {changes}; --json lists the first 10,000");
        }
    }

    /// The changes for JSON.
    pub(super) fn into_changes(self) -> Vec<Change> {
        self.changes
    }
}

fn heading([white, black]: &[String; 2], date: &str) -> String {
    let name = |name: &str| {
        if name.is_empty() {
            "?".to_owned()
        } else {
            name.to_owned()
        }
    };
    let (white, black) = (name(white), name(black));
    match date {
        "" => format!("{white} - {black}"),
        _ => format!("{white} - {black}, {date}"),
    }
}
