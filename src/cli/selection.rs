//! Selection of games by the options of a command.

use std::cell::{Cell, OnceCell};
use std::io::{self, IsTerminal};

use super::args::{GameRange, GameSelection};
use super::complain;
use super::progress::Progress;
use super::suggestions::say_unknown;
use stamma::error::{Error, Result};
use stamma::query::{Query, Watch};
use stamma::storage::{Database, GameId, GameSet};

/// The games that match all options; `None` without options, when all games match. Warns about names that occur in no
/// game.
///
/// # Errors
/// When the database cannot be read, or a condition is not valid SQL.
pub(super) fn matching_games(
    database: &Database,
    selection: &GameSelection,
) -> Result<Option<GameSet>> {
    if selection.are_all() {
        return Ok(None);
    }

    let games = games_among(database, &[], selection)?;
    Ok(Some(games))
}

/// The games that match all options, within ranges of numbers if there are any.
///
/// # Errors
/// As for [`matching_games`].
pub(super) fn games_among(
    database: &Database,
    ranges: &[GameRange],
    selection: &GameSelection,
) -> Result<GameSet> {
    say_unknown([database], &selection.filter)?;

    let bar = ReplayBar::default();
    let show = |replayed, all| bar.show(replayed, all);
    let watch = Watch::new().progress(&show);

    let query = among(selection.query(), ranges);
    let results = database.query_watched(&query, watch)?;
    results.into_games()
}

/// The query restricted to ranges of game numbers, if there are any.
pub(super) fn among(query: Query, ranges: &[GameRange]) -> Query {
    if ranges.is_empty() {
        return query;
    }

    let ids = ranges
        .iter()
        .map(|range| GameId::new(range.first)..=GameId::new(range.last));
    query.games(ids)
}

/// Reports ranges of numbers without any game; returns `true` if there is such a range.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn say_missing(database: &Database, ranges: &[GameRange]) -> Result<bool> {
    let mut is_missing = false;
    for range in ranges {
        let first = GameId::new(range.first);
        let last = GameId::new(range.last);
        if !database.has_game_between(first, last)? {
            complain(&Error::NoSuchGame(range.first));
            is_missing = true;
        }
    }
    Ok(is_missing)
}

/// A progress bar for games replayed for a pattern; hidden if no game is replayed.
#[derive(Default)]
pub(super) struct ReplayBar {
    bar: OnceCell<Progress>,
    is_over: Cell<bool>,
}

impl ReplayBar {
    /// Shows the number of replayed games, out of all games to replay.
    pub(super) fn show(&self, replayed: u64, all: u64) {
        if self.is_over.get() {
            return;
        }

        // The bar begins with the first replayed game: most queries replay none.
        let bar = self.bar.get_or_init(|| Progress::of_games(0));
        bar.show_games_of(replayed, all);
    }

    /// Removes the bar if results are printed to the same terminal.
    pub(super) fn give_way(&self) {
        if !self.is_over.get() && io::stdout().is_terminal() {
            self.finish();
        }
    }

    /// Removes the bar, and shows none any more.
    fn finish(&self) {
        self.is_over.set(true);
        if let Some(bar) = self.bar.get() {
            bar.finish();
        }
    }
}

impl Drop for ReplayBar {
    fn drop(&mut self) {
        self.finish();
    }
}
