//! `stamma export`

use std::io::Write;

use super::args::{self, ExportFormat, GameRange};
use super::output::{buffered_output, output_of, refuse_files_of};
use super::progress::restrict_to_matching;
use super::remarks::Remarks;
use super::suggestions::say_unknown;
use super::{Outcome, complain, open_to_ask, report_replaced, say_unplayed};
use crate::error::{Error, Result};
use crate::export::{
    ByteStyle, EpdPositions, PgnGame, PgnWriter, Remark, Replaced, Unwritable, write_epd,
    write_json,
};
use crate::input::Encoding;
use crate::query::{Selection, SortKey};
use crate::replay::utf8;
use crate::storage::{Database, GameReader, StoredGame, TextReader, Texts};

pub(super) fn run(arguments: &args::Export) -> Result<Outcome> {
    let is_json = arguments.format == ExportFormat::Jsonl;
    if is_json && arguments.written.byte_style().encoding != Encoding::UTF_8 {
        return Err(Error::JsonIsUtf8);
    }
    let database = open_to_ask(&arguments.database)?;
    if let Some(problems) = arguments.form.problems() {
        refuse_files_of(database.path(), problems)?;
    }
    arguments.form.refuse_problems_in(arguments.output.as_deref())?;
    arguments.form.with_remarks(|remarks| {
        let outcome = match &arguments.output {
            Some(path) => {
                let mut out = output_of(&database, path)?;
                let outcome = export(&database, arguments, &mut out, remarks)?;
                out.finish(outcome)?;
                outcome
            }
            None => export(&database, arguments, &mut buffered_output()?, remarks)?,
        };
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
    let mut writer = GameWriter {
        pgn: arguments.form.writer(&arguments.written),
        format: arguments.format,
        positions: arguments.positions(),
        bytes: arguments.written.byte_style(),
        text: Vec::new(),
        encoded: Vec::new(),
        replaced: Replaced::default(),
        changes: Vec::new(),
        passed_over: 0,
    };
    let (filter, question) = (arguments.filters.filter(), arguments.patterns.question());
    say_unknown(database, &filter)?;
    let outcome = match filter.is_empty() && question.is_none() {
        true => export_ranges(database, arguments, &mut writer, out, remarks)?,
        false => {
            let mut selection = Selection::new(database, &filter)?;
            if let Some(question) = question {
                restrict_to_matching(&mut selection, &question)?;
            }
            export_selected(database, arguments, &selection, &mut writer, out, remarks)?
        }
    };
    out.flush().map_err(Error::Output)?;
    Ok(if writer.report() { Outcome::DataProblems } else { outcome })
}

/// Exports all games, or those of ranges of numbers, with the texts between them.
fn export_ranges(
    database: &Database,
    arguments: &args::Export,
    writer: &mut GameWriter<'_>,
    out: &mut impl Write,
    remarks: &mut Remarks<'_>,
) -> Result<Outcome> {
    let everything = [GameRange { first: 1, last: i64::MAX }];
    let ranges = if arguments.games.is_empty() { &everything[..] } else { &arguments.games };
    let mut reader = GameReader::new(database)?;
    let mut texts = TextReader::new(database)?;
    let mut missing = 0;
    for range in ranges {
        let (mut games, mut last) = (0, range.first);
        let mut texts = match has_texts(arguments, range) {
            true => Some(texts.of_games(range.first, range.last)?),
            false => None,
        };
        reader.each(range.first, range.last, |game| {
            games += 1;
            last = game.id;
            write_texts(writer, texts.as_mut(), game.id, game.id, out)?;
            writer.write(database, &game, out, remarks)
        })?;
        write_texts(writer, texts.as_mut(), i64::MAX, last, out)?;
        writer.changes.drain(..).try_for_each(|remark| remarks.note(last as u64, &remark))?;
        if games == 0 && !arguments.games.is_empty() {
            complain(&Error::NoSuchGame(range.first));
            missing += 1;
        }
    }
    Ok(match missing {
        0 => Outcome::Done,
        // Without a game that was asked for, there is nothing to replace a file with.
        _ if missing == ranges.len() => Outcome::Failed,
        _ => Outcome::DataProblems,
    })
}

/// Exports the games of a selection, of those of ranges of numbers where there are some.
fn export_selected(
    database: &Database,
    arguments: &args::Export,
    selection: &Selection<'_>,
    writer: &mut GameWriter<'_>,
    out: &mut impl Write,
    remarks: &mut Remarks<'_>,
) -> Result<Outcome> {
    let is_in_range = |id: i64| {
        let mut ranges = arguments.games.iter();
        arguments.games.is_empty() || ranges.any(|range| (range.first..=range.last).contains(&id))
    };
    let mut reader = GameReader::new(database)?;
    for id in selection.in_order(SortKey::Id)? {
        let id = id?;
        if is_in_range(id)
            && let Some(game) = reader.game(id)?
        {
            writer.write(database, &game, out, remarks)?;
        }
    }
    Ok(Outcome::Done)
}

/// `true` when what stands between games is written as well: PGN has a form for it, and who asks for a
/// single game means nothing else.
fn has_texts(arguments: &args::Export, range: &GameRange) -> bool {
    arguments.format == ExportFormat::Pgn && range.first < range.last
}

/// Writes the texts that stand before a game; what is to be said of them is said of the game `near`.
fn write_texts(
    writer: &mut GameWriter<'_>,
    texts: Option<&mut Texts<'_>>,
    before: i64,
    near: i64,
    out: &mut impl Write,
) -> Result<()> {
    let Some(texts) = texts else { return Ok(()) };
    while let Some(text) = texts.next_before(before)? {
        out.write_all(writer.between(&text, near)).map_err(Error::Output)?;
    }
    Ok(())
}

/// Makes bytes of one game after the other.
struct GameWriter<'s> {
    pgn: PgnWriter<'s>,
    format: ExportFormat,
    positions: EpdPositions,
    bytes: ByteStyle,
    text: Vec<u8>,
    encoded: Vec<u8>,
    replaced: Replaced,
    /// What has been changed in the last game.
    changes: Vec<Remark>,
    /// Games that have no position that could be written.
    passed_over: u64,
}

impl GameWriter<'_> {
    /// Says what could not be written; `true` when there is something to say.
    fn report(&self) -> bool {
        if self.passed_over > 0 {
            say_unplayed(self.passed_over);
        }
        if self.replaced.count > 0 {
            report_replaced(&self.replaced, self.bytes.encoding);
        }
        self.passed_over > 0 || self.replaced.count > 0
    }

    /// Writes a game, and notes what has been changed in it.
    fn write(
        &mut self,
        database: &Database,
        game: &StoredGame,
        out: &mut impl Write,
        remarks: &mut Remarks<'_>,
    ) -> Result<()> {
        let damaged = |why: Unwritable| database.damaged(format!("game {}: {why}", game.id));
        out.write_all(self.game(game).map_err(damaged)?).map_err(Error::Output)?;
        self.changes.drain(..).try_for_each(|remark| remarks.note(game.id as u64, &remark))
    }

    fn game(&mut self, game: &StoredGame) -> std::result::Result<&[u8], Unwritable> {
        self.text.clear();
        match self.format {
            ExportFormat::Pgn => {
                self.pgn.write(&PgnGame::from(game), &mut self.text, &mut self.changes)
            }
            ExportFormat::Jsonl => write_json(game, &self.pgn.style, &mut self.text),
            ExportFormat::Epd => {
                let is_written = write_epd(game, self.positions, &mut self.text);
                self.passed_over += u64::from(!is_written);
                Ok(())
            }
        }?;
        Ok(self.bytes_near(game.id))
    }

    /// A text between games, beside the game with a number.
    fn between(&mut self, text: &str, game: i64) -> &[u8] {
        self.text.clear();
        self.pgn.write_between(text, &mut self.text, &mut self.changes);
        self.bytes_near(game)
    }

    /// The text as it is to be written.
    fn bytes_near(&mut self, game: i64) -> &[u8] {
        if self.bytes.is_plain() {
            return &self.text;
        }
        self.encoded.clear();
        let missing = self.bytes.write(utf8(&self.text), &mut self.encoded);
        self.replaced.note(missing, game);
        &self.encoded
    }
}
