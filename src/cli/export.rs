//! `stamma export`

use std::io::{self, BufWriter, Write};

use super::args::{self, ExportFormat, GameRange};
use super::output::to_file;
use super::terminal::counted;
use super::{Outcome, complain, say};
use crate::error::{Error, Result};
use crate::export::{PgnGame, Unwritable, write_epd, write_json, write_pgn};
use crate::pgn::write_between;
use crate::storage::{Database, GameReader, StoredGame, TextReader, Texts};

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
    let mut texts = TextReader::new(database)?;
    let mut outcome = Outcome::Done;
    let mut text = Vec::new();
    let mut passed_over = 0;
    for range in ranges {
        let mut games = 0;
        let mut texts = match has_texts(arguments, range) {
            true => Some(texts.of_games(range.first, range.last)?),
            false => None,
        };
        reader.each(range.first, range.last, |game| {
            games += 1;
            text.clear();
            append_texts(texts.as_mut(), game.id, &mut text)?;
            let is_written = write(&game, arguments, &mut text)
                .map_err(|why| database.damaged(format!("game {}: {why}", game.id)))?;
            passed_over += u64::from(!is_written);
            out.write_all(&text).map_err(Error::Output)
        })?;
        text.clear();
        append_texts(texts.as_mut(), i64::MAX, &mut text)?;
        out.write_all(&text).map_err(Error::Output)?;
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

/// `true` when what stands between games is written as well: PGN has a form for it, and who asks for a
/// single game means nothing else.
fn has_texts(arguments: &args::Export, range: &GameRange) -> bool {
    arguments.format == ExportFormat::Pgn && range.first < range.last
}

/// Appends the texts that stand before a game.
fn append_texts(texts: Option<&mut Texts<'_>>, game: i64, text: &mut Vec<u8>) -> Result<()> {
    let Some(texts) = texts else { return Ok(()) };
    while let Some(between) = texts.next_before(game)? {
        write_between(&between, text);
    }
    Ok(())
}

/// Appends a game; `false` when it has no position that could be written.
fn write(
    game: &StoredGame,
    arguments: &args::Export,
    text: &mut Vec<u8>,
) -> std::result::Result<bool, Unwritable> {
    let style = arguments.written.style();
    match arguments.format {
        ExportFormat::Pgn => write_pgn(&PgnGame::from(game), &style, text).map(|()| true),
        ExportFormat::Jsonl => write_json(game, &style, text).map(|()| true),
        ExportFormat::Epd => Ok(write_epd(game, arguments.positions(), text)),
    }
}
