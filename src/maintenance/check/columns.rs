//! A check of the column store against the games.

use super::report::{Depth, Report};
use crate::columns::each_fault;
use crate::error::Result;
use crate::storage::{Database, InDatabase};

/// Checks the columns against the rows of games, and the words of names and comments.
pub(super) fn check(database: &Database, depth: Depth, report: &mut Report) -> Result<()> {
    let step = depth.step(database.count_games()?).cast_signed();
    let faults = &mut report.faults;

    let checked = each_fault(&database.connection, step, |fault| faults.add(fault));
    checked.in_database(database)
}
