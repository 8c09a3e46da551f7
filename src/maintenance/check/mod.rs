//! Integrity checks of the file, its rows, the column store and the position index.

mod columns;
mod digest;
mod fault;
mod report;
mod segments;

pub use digest::{DigestReport, digest};
pub use fault::{Fault, Faults};
pub use report::{Depth, Report};

use crate::error::Result;
use crate::storage::Database;

/// The fault of a copy that was made beside a write-ahead log.
const COPY_WITHOUT_LOG: &str = "it was copied while a command wrote to the original, without the log beside that, so \
    that games may be missing; copy the original again";

/// The fault of a database whose tables another program has defined in another way.
const NOT_THIS_VERSION: &str = "it is not read while tables are not of this version, since their columns could be \
    computed without end";

/// Checks the integrity of a database: the file by SQLite's own check, rows that must agree, and the column store and
/// the index against the games.
///
/// `progress` is called regularly with the number of games compared and the number of games to compare.
///
/// # Errors
/// When the database cannot be read for any reason but damage.
pub fn check(
    database: &Database,
    depth: Depth,
    mut progress: impl FnMut(u64, u64),
) -> Result<Report> {
    let mut report = Report::default();
    let checked = check_all(database, depth, &mut report, &mut progress);
    report.faults.add_damage(checked)?;
    Ok(report)
}

/// Runs all checks, and adds their faults to a report.
fn check_all(
    database: &Database,
    depth: Depth,
    report: &mut Report,
    progress: &mut impl FnMut(u64, u64),
) -> Result<()> {
    report.faults.extend(database.file_faults()?);
    report.games = database.count_games()?;
    if database.is_copy_without_log()? {
        report.faults.push("the file", COPY_WITHOUT_LOG);
    }

    // The schema comes before all checks that read columns: a column of a table that another program has defined could
    // be computed without end.
    report.faults.extend(database.schema_faults()?);
    report.faults.extend(database.foreign_code_faults()?);
    if database.has_changed_tables()? {
        report.faults.push("the rest", NOT_THIS_VERSION);
        return Ok(());
    }

    report.faults.extend(database.row_faults()?);

    let step = depth.step(report.games).cast_signed();
    report.faults.extend(database.checksum_faults(step)?);
    report.faults.extend(database.unreadable_games(step)?);
    report.faults.extend(database.opening_faults(step)?);

    columns::check(database, depth, report)?;
    segments::check(database, depth, report, progress)
}
