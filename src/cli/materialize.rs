//! `stamma materialize`: writes the FENs of positions into a table.

use std::time::Instant;

use super::progress::Progress;
use super::selection::matching_games;
use super::{Failure, Outcome, args, open_to_change_games, say};
use stamma::error::Result;
use stamma::report::counted;
use stamma::storage::Materialized;

pub(super) fn run(arguments: &args::Materialize) -> Result<Outcome, Failure> {
    let selection = arguments.games.resolve()?;
    let started = Instant::now();
    let database = open_to_change_games(&arguments.database)?;

    // The games are chosen within the transaction that writes their positions.
    let choose = || matching_games(&database, &selection);
    let written = with_progress(|progress| database.materialize(choose, progress))?;

    say!(
        "{}, {} in {:.2} s",
        counted(written.games, "game", "games"),
        counted(written.positions, "position", "positions"),
        started.elapsed().as_secs_f64(),
    );
    Ok(Outcome::Done)
}

/// Runs a function that writes positions to the table `position_fen`, and shows its progress.
pub(super) fn with_progress(
    write: impl FnOnce(&mut dyn FnMut(u64, u64)) -> Result<Materialized>,
) -> Result<Materialized> {
    let progress = Progress::of_games(0);
    let written = write(&mut |games, all| progress.show_games_of(games, all));

    progress.finish();
    written
}
