//! The games that the options of a command ask for.

use super::args::{GameQuery, GameRange};
use super::complain;
use super::progress::Progress;
use super::suggestions::say_unknown;
use stamma::error::{Error, Result};
use stamma::query::{PositionQuery, Selection};
use stamma::storage::{Database, GameSet};

/// The games for which all options hold; nothing where there are no options, so that all games are asked for. Says
/// which names no game has.
///
/// # Errors
/// When the database cannot be read, or a condition is none in SQL.
pub(super) fn select<'d>(
    database: &'d Database,
    query: &GameQuery,
) -> Result<Option<Selection<'d>>> {
    match query.is_empty() {
        true => Ok(None),
        false => select_numbers(database, &[], query).map(Some),
    }
}

/// The games in some ranges of numbers, of all where there are no ranges, for which all options hold.
///
/// # Errors
/// As for [`select`].
pub(super) fn select_numbers<'d>(
    database: &'d Database,
    ranges: &[GameRange],
    query: &GameQuery,
) -> Result<Selection<'d>> {
    let filter = query.filter();
    say_unknown(database, &filter)?;
    let mut selection = Selection::new(database, &filter)?;
    if !ranges.is_empty() {
        let ranges: Vec<_> = ranges.iter().map(|range| range.first..=range.last).collect();
        selection.restrict_to_numbers(&ranges);
    }
    if let Some(question) = query.question() {
        restrict_to_matching(&mut selection, &question)?;
    }
    Ok(selection)
}

/// Says which ranges of numbers have no game at all; whether there are such.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn say_missing(database: &Database, ranges: &[GameRange]) -> Result<bool> {
    let mut is_missing = false;
    for range in ranges {
        if !database.has_game_between(range.first, range.last)? {
            complain(&Error::NoSuchGame(range.first));
            is_missing = true;
        }
    }
    Ok(is_missing)
}

/// The games for which all options hold; nothing where there are no options.
///
/// # Errors
/// As for [`select`].
pub(super) fn games(database: &Database, query: &GameQuery) -> Result<Option<GameSet>> {
    select(database, query)?.map(Selection::into_games).transpose()
}

/// Leaves the games of a selection in which a question about positions holds, and shows how many have been looked at.
fn restrict_to_matching(selection: &mut Selection<'_>, question: &PositionQuery) -> Result<()> {
    let bar = Progress::of_games(0);
    let done = selection.restrict_to_matching(question, |done, all| bar.show_games_of(done, all));
    bar.finish();
    done
}
