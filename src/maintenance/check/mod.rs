//! Is a database whole: the file, its rows, and the column store and the position index beside its games?

mod columns;
mod digest;
mod fault;
mod report;
mod segments;

pub use digest::{Digested, digest};
pub use fault::{Fault, Faults};
pub use report::{Depth, Report};

use crate::error::Result;
use crate::storage::Database;

/// Checks a database: the file as SQLite knows it, rows that belong together, and the column store and the index
/// beside the games.
///
/// `progress` is called now and then with the games that have been compared and the number of all
/// that will be.
///
/// # Errors
/// When the database cannot be read for another reason than that it is damaged.
pub fn check(
    database: &Database,
    depth: Depth,
    mut progress: impl FnMut(u64, u64),
) -> Result<Report> {
    let mut report = Report::default();
    let done = check_all(database, depth, &mut report, &mut progress);
    report.faults.take_damage(done)?;
    Ok(report)
}

fn check_all(
    database: &Database,
    depth: Depth,
    report: &mut Report,
    progress: &mut impl FnMut(u64, u64),
) -> Result<()> {
    report.faults.extend(database.file_faults()?);
    report.games = database.count_games()?;
    report.faults.extend(database.schema_faults()?);
    report.faults.extend(database.row_faults()?);
    let step = depth.step(report.games).cast_signed();
    report.faults.extend(database.checksum_faults(step)?);
    report.faults.extend(database.unreadable_games(step)?);
    report.faults.extend(database.opening_faults(step)?);
    columns::check(database, depth, report)?;
    segments::check(database, depth, report, progress)
}
