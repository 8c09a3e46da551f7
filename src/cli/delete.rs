//! `stamma delete`

use super::terminal::counted;
use super::{Outcome, args, complain, open_to_write, say};
use crate::error::{Error, Result};

pub(super) fn run(arguments: &args::Delete) -> Result<Outcome> {
    let database = open_to_write(&arguments.database)?;
    let ranges: Vec<_> = arguments.games.iter().map(|range| range.first..=range.last).collect();
    let deletion = database.delete_games(&ranges, arguments.condition.as_deref())?;
    for &game in &deletion.missing {
        complain(&Error::NoSuchGame(game));
    }
    say!("{} deleted", counted(deletion.games, "game", "games"));
    Ok(if deletion.missing.is_empty() { Outcome::Done } else { Outcome::DataProblems })
}
