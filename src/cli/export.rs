//! `stamma export`

use std::io::{self, BufWriter, Write};

use super::args::{self, ExportFormat, GameRange};
use super::output::{refuse_database, to_file};
use super::remarks::Remarks;
use super::terminal::counted;
use super::{Outcome, complain, say};
use crate::error::{Error, Result};
use crate::export::{PgnGame, PgnWriter, Remark, Unwritable, write_epd, write_json};
use crate::storage::{Database, GameReader, StoredGame};

pub(super) fn run(arguments: &args::Export) -> Result<Outcome> {
    let database = Database::open(&arguments.database)?;
    if let Some(problems) = arguments.form.problems() {
        refuse_database(&database, problems)?;
    }
    arguments.form.with_remarks(|remarks| {
        let outcome = match &arguments.output {
            Some(path) => {
                to_file(&database, path, |out| export(&database, arguments, out, remarks))
            }
            None => {
                let mut out = BufWriter::new(io::stdout().lock());
                export(&database, arguments, &mut out, remarks)
            }
        }?;
        remarks.report();
        Ok(if remarks.has_faults() { Outcome::DataProblems } else { outcome })
    })
}

fn export(
    database: &Database,
    arguments: &args::Export,
    out: &mut impl Write,
    remarks: &mut Remarks<'_>,
) -> Result<Outcome> {
    let everything = [GameRange { first: 1, last: i64::MAX }];
    let ranges = if arguments.games.is_empty() { &everything[..] } else { &arguments.games };
    let mut reader = GameReader::new(database)?;
    let mut outcome = Outcome::Done;
    let writer = arguments.form.writer(&arguments.written);
    let (mut text, mut changes) = (Vec::new(), Vec::new());
    let mut passed_over = 0;
    for range in ranges {
        let mut games = 0;
        reader.each(range.first, range.last, |game| {
            games += 1;
            text.clear();
            let is_written = write(&game, arguments, &writer, &mut text, &mut changes)
                .map_err(|why| database.damaged(format!("game {}: {why}", game.id)))?;
            passed_over += u64::from(!is_written);
            changes.drain(..).try_for_each(|remark| remarks.note(game.id as u64, &remark))?;
            out.write_all(&text).map_err(Error::Output)
        })?;
        if games == 0 && !arguments.games.is_empty() {
            complain(&Error::NoSuchGame(range.first));
            outcome = Outcome::DataProblems;
        }
    }
    out.flush().map_err(Error::Output)?;
    if passed_over > 0 {
        let games = counted(passed_over, "game", "games");
        say!(
            "{games} passed over: the variant or the start is not known here, so there are no positions"
        );
        outcome = Outcome::DataProblems;
    }
    Ok(outcome)
}

/// Appends a game; `false` when it has no position that could be written.
fn write(
    game: &StoredGame,
    arguments: &args::Export,
    writer: &PgnWriter<'_>,
    text: &mut Vec<u8>,
    changes: &mut Vec<Remark>,
) -> std::result::Result<bool, Unwritable> {
    match arguments.format {
        ExportFormat::Pgn => writer.write(&PgnGame::from(game), text, changes).map(|()| true),
        ExportFormat::Jsonl => write_json(game, &writer.style, text).map(|()| true),
        ExportFormat::Epd => Ok(write_epd(game, arguments.positions(), text)),
    }
}
