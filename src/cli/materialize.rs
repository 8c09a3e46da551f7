//! `stamma materialize`

use std::time::Instant;

use super::progress::Progress;
use super::selection::{games, games_where};
use super::terminal::counted;
use super::{Outcome, args, open_to_change_games, say};
use crate::catalog::GameSet;
use crate::error::Result;
use crate::storage::{Database, Materialized};

pub(super) fn run(arguments: &args::Materialize) -> Result<Outcome> {
    let started = Instant::now();
    let database = open_to_change_games(&arguments.database)?;
    let written = write(&database, || games(&database, &arguments.games))?;
    say!(
        "{}, {} in {:.2} s",
        counted(written.games, "game", "games"),
        counted(written.positions, "position", "positions"),
        started.elapsed().as_secs_f64(),
    );
    Ok(Outcome::Done)
}

/// Writes the positions of the games for which a condition holds to the table `position_fen`, and shows how far it has
/// come.
pub(super) fn materialize(database: &Database, condition: Option<&str>) -> Result<Materialized> {
    let chosen = || condition.map(|condition| games_where(database, condition)).transpose();
    write(database, chosen)
}

fn write(
    database: &Database,
    choose: impl FnOnce() -> Result<Option<GameSet>>,
) -> Result<Materialized> {
    let progress = Progress::of_games(0);
    let written = database.materialize(choose, |games, all| progress.show_games_of(games, all));
    progress.finish();
    written
}
