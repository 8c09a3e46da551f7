//! `stamma export`

use std::io::{self, BufWriter, Write};

use super::args::{self, ExportFormat, GameRange};
use super::output::to_file;
use super::{Outcome, complain};
use crate::error::{Error, Result};
use crate::export::{PgnGame, Unwritable, write_json, write_pgn};
use crate::storage::{Database, GameReader};

pub(super) fn run(arguments: &args::Export) -> Result<Outcome> {
    let database = Database::open(&arguments.database)?;
    match &arguments.output {
        Some(path) => to_file(&database, path, |out| export(&database, arguments, out)),
        None => export(&database, arguments, &mut BufWriter::new(io::stdout().lock())),
    }
}

fn export(database: &Database, arguments: &args::Export, out: &mut impl Write) -> Result<Outcome> {
    let everything = [GameRange { first: 1, last: i64::MAX }];
    let ranges = if arguments.games.is_empty() { &everything[..] } else { &arguments.games };
    let mut reader = GameReader::new(database)?;
    let style = arguments.written.style();
    let mut outcome = Outcome::Done;
    let mut text = Vec::new();
    for range in ranges {
        let mut games = 0;
        reader.each(range.first, range.last, |game| {
            games += 1;
            text.clear();
            let written = match arguments.format {
                ExportFormat::Pgn => write_pgn(&PgnGame::from(&game), &style, &mut text),
                ExportFormat::Jsonl => write_json(&game, &style, &mut text),
            };
            let damaged = |why: Unwritable| database.damaged(format!("game {}: {why}", game.id));
            written.map_err(damaged)?;
            out.write_all(&text).map_err(Error::Output)
        })?;
        if games == 0 && !arguments.games.is_empty() {
            complain(&Error::NoSuchGame(range.first));
            outcome = Outcome::DataProblems;
        }
    }
    out.flush().map_err(Error::Output)?;
    Ok(outcome)
}
