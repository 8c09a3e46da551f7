//! `stamma openings`: chooses the table that names openings.

use super::{Outcome, args, file_error, open_to_write, say};
use stamma::error::{Error, Result};
use stamma::openings::read_openings;
use stamma::report::{counted, grouped};
use stamma::storage::{Database, OpeningTable};

pub(super) fn run(arguments: &args::Openings) -> Result<Outcome> {
    if arguments.set.is_some() || arguments.standard {
        let lines = requested_lines(arguments)?;
        open_to_write(&arguments.database)?.set_openings(lines.as_deref())?;
    }

    let database = Database::open(&arguments.database)?;
    let table = database.openings()?;
    let which = match table {
        OpeningTable::Standard => "the standard table",
        OpeningTable::Own(_) => "a table of its own",
    };
    let openings = table.iter().count() as u64;
    let games = database.count_games()?;
    let named_games = database.count_named_games()?;

    say!(
        "{}: {which} names {}; {} of {} a name",
        arguments.database.display(),
        counted(openings, "opening", "openings"),
        grouped(named_games),
        counted(games, "game has", "games have"),
    );
    Ok(Outcome::Done)
}

/// The lines of the requested table, in its file; `None` if no file is given, for the standard table.
fn requested_lines(arguments: &args::Openings) -> Result<Option<String>> {
    let Some(path) = &arguments.set else {
        return Ok(None);
    };

    let bytes = std::fs::read(path).map_err(file_error(path))?;
    match read_openings(&String::from_utf8_lossy(&bytes)) {
        Ok(lines) => Ok(Some(lines)),
        Err(fault) => Err(Error::OpeningsFile {
            path: path.clone(),
            fault,
        }),
    }
}
