//! `stamma export`

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::args::{self, ExportFormat, GameRange};
use super::{Outcome, complain};
use crate::error::{Error, Result};
use crate::export::{write_json, write_pgn};
use crate::storage::{Database, GameReader};

pub(super) fn run(arguments: &args::Export) -> Result<Outcome> {
    let database = Database::open(&arguments.database)?;
    match &arguments.output {
        Some(path) => to_file(&database, arguments, path),
        None => export(&database, arguments, &mut BufWriter::new(io::stdout().lock())),
    }
}

/// Writes a file beside the one that is asked for, and puts it in its place at the end, so that an
/// export that fails leaves what was there before.
fn to_file(database: &Database, arguments: &args::Export, path: &Path) -> Result<Outcome> {
    if is_same_file(path, database.path()) {
        return Err(Error::WouldOverwrite(path.to_owned()));
    }
    if path.exists() && !path.is_file() {
        // A device or a pipe cannot be put in the place of anything.
        let file = File::create(path).map_err(Error::file(path))?;
        return export(database, arguments, &mut BufWriter::new(file));
    }
    let part = path.with_added_extension("part");
    let file = File::create(&part).map_err(Error::file(&part))?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let outcome = export(database, arguments, &mut out);
    drop(out);
    match outcome {
        Ok(outcome) => fs::rename(&part, path).map_err(Error::file(path)).map(|()| outcome),
        Err(error) => {
            fs::remove_file(&part).map_err(Error::file(&part))?;
            Err(error)
        }
    }
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

fn export(database: &Database, arguments: &args::Export, out: &mut impl Write) -> Result<Outcome> {
    let everything = [GameRange { first: 1, last: i64::MAX }];
    let ranges = if arguments.games.is_empty() { &everything[..] } else { &arguments.games };
    let mut reader = GameReader::new(database)?;
    let mut outcome = Outcome::Done;
    for range in ranges {
        let mut games = 0;
        reader.each(range.first, range.last, |game| {
            games += 1;
            let written = match arguments.format {
                ExportFormat::Pgn => write_pgn(&game, out),
                ExportFormat::Jsonl => write_json(&game, out),
            };
            written.map_err(Error::Output)
        })?;
        if games == 0 && !arguments.games.is_empty() {
            complain(&Error::NoSuchGame(range.first));
            outcome = Outcome::DataProblems;
        }
    }
    out.flush().map_err(Error::Output)?;
    Ok(outcome)
}
