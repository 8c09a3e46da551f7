//! `stamma export`: writes the games of a database.

mod row;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::args::{self, CsvCells, ExportFormat, GameRange, GameSelection};
use super::output::{buffered_output, output_of, refuse_files_of, refuse_sources_of};
use super::printable::printable_json;
use super::progress::Progress;
use super::records::{write_csv, write_csv_rows};
use super::remarks::{GamePlace, Remarks};
use super::selection::{ReplayBar, among, say_missing};
use super::split_output::SplitOutput;
use super::suggestions::say_about_names;
use super::{
    Failure, Outcome, complain, damaged, name_tags, open_for_queries, report_replaced,
    say_repeated, say_unplayed, warn_of_unchecked,
};
use row::{COLUMNS, Row};
use stamma::board::Position;
use stamma::bug::caught;
use stamma::error::{Error, Result};
use stamma::export::{
    ByteStyle, DistinctPositions, Evaluated, PgnWriter, PositionWriter, Remark, Replaced, SplitBy,
    Unwritable, write_json,
};
use stamma::game::Game;
use stamma::import::Memory;
use stamma::input::Encoding;
use stamma::query::{SortOrder, Watch};
use stamma::storage::{Database, GameId, GameReader, TextReader, Texts, database_files};

pub(super) fn run(arguments: &args::Export) -> Result<Outcome, Failure> {
    // JSON is exchanged as UTF-8 (RFC 8259 §8.1).
    let encoding = arguments.written.byte_style().encoding;
    if arguments.format.is_json() && encoding != Encoding::UTF_8 {
        return Err(Failure::JsonIsUtf8);
    }

    let selection = arguments.selection()?;
    let database = open_for_queries(&arguments.database)?;

    // A log of remarks must not overwrite the database, or a file from which games were imported.
    for log in arguments.pgn_options.logs() {
        refuse_files_of(database.path(), log)?;
        refuse_sources_of(&database, log)?;
    }
    arguments
        .pgn_options
        .refuse_logs_in(arguments.output.as_deref())?;

    let outcome = arguments.pgn_options.with_remarks(|remarks| {
        let outcome = match (&arguments.output, arguments.split.by) {
            (None, _) => {
                let mut out = buffered_output()?;
                export(&database, arguments, &selection, None, &mut out, remarks)?
            }
            (Some(path), None) => export_to_file(&database, arguments, &selection, path, remarks)?,
            (Some(path), Some(by)) => {
                export_to_files(&database, arguments, &selection, by, path, remarks)?
            }
        };

        if !arguments.quiet {
            remarks.report();
        }
        if remarks.has_faults() {
            Ok(Outcome::DataProblems)
        } else {
            Ok(outcome)
        }
    })?;
    Ok(outcome)
}

/// Exports to a file, which may neither belong to the database nor be one of its sources.
fn export_to_file(
    database: &Database,
    arguments: &args::Export,
    selection: &GameSelection,
    path: &Path,
    remarks: &mut Remarks<'_>,
) -> Result<Outcome> {
    let mut out = output_of(database, path)?;
    let outcome = export(database, arguments, selection, None, &mut out, remarks)?;
    out.finish(outcome)?;
    Ok(outcome)
}

/// Divides the games among files, none of which may belong to the database, be one of its sources, or receive remarks.
fn export_to_files(
    database: &Database,
    arguments: &args::Export,
    selection: &GameSelection,
    by: SplitBy,
    path: &Path,
    remarks: &mut Remarks<'_>,
) -> Result<Outcome> {
    let own_files = database_files(database.path());
    let sources = database.source_paths()?;
    let mut refused: Vec<&Path> = vec![database.path()];
    refused.extend(own_files.iter().map(PathBuf::as_path));
    refused.extend(sources.iter().map(Path::new));
    refused.extend(arguments.pgn_options.logs());
    let mut files = SplitOutput::create(path, refused)?;

    let split = Some((by, &mut files));
    let mut nowhere = io::sink();
    let outcome = export(database, arguments, selection, split, &mut nowhere, remarks)?;
    files.finish(outcome)?;
    Ok(outcome)
}

/// Exports to `out`, or to the files of `split` if there are any.
fn export(
    database: &Database,
    arguments: &args::Export,
    selection: &GameSelection,
    split: Option<(SplitBy, &mut SplitOutput)>,
    out: &mut impl Write,
    remarks: &mut Remarks<'_>,
) -> Result<Outcome> {
    let mut writer = GameWriter::new(database, arguments, split)?;
    // The header goes through the writer, which encodes it like the rows.
    if arguments.format == ExportFormat::Csv {
        write_csv::<Row<'_>>(&COLUMNS, &[], arguments.csv_cells, &mut writer.text)?;
        writer.encode(0);
        out.write_all(writer.bytes_written())
            .map_err(Error::Output)?;
    }

    let outcome = if is_in_database_order(arguments, selection) {
        export_ranges(database, arguments, &mut writer, out, remarks)?
    } else {
        export_selected(database, arguments, selection, &mut writer, out, remarks)?
    };
    out.flush().map_err(Error::Output)?;

    if !arguments.quiet {
        writer.report();
    }
    if let Some(distinct) = &writer.distinct {
        warn_of_unchecked(distinct);
    }
    if writer.has_omissions() {
        Ok(Outcome::DataProblems)
    } else {
        Ok(outcome)
    }
}

/// `true` if all games, or ranges of them, are written in the order of the database, so that the texts between them can
/// be written as well.
fn is_in_database_order(arguments: &args::Export, selection: &GameSelection) -> bool {
    let is_one_file = arguments.split.by.is_none();
    let is_in_order = arguments.order.order() == SortOrder::default();
    let is_unlimited = arguments.limit() == usize::MAX;

    let is_unchanged = is_in_order && is_unlimited;
    selection.are_all() && is_one_file && is_unchanged
}

/// Exports all games, or ranges of games, with the texts between them.
fn export_ranges(
    database: &Database,
    arguments: &args::Export,
    writer: &mut GameWriter<'_>,
    out: &mut impl Write,
    remarks: &mut Remarks<'_>,
) -> Result<Outcome> {
    let ranges = requested_ranges(arguments);
    let mut game_reader = GameReader::new(database)?;
    let mut text_reader = TextReader::new(database)?;
    let progress = progress_of_export(database, arguments)?;
    let mut written = 0;
    let mut missing = 0;
    for range in &ranges {
        let first = GameId::new(range.first);
        let last = GameId::new(range.last);
        let mut texts = if has_texts(arguments, range) {
            Some(text_reader.of_games(first, last)?)
        } else {
            None
        };

        let mut games = 0;
        let mut latest = range.first;
        game_reader.each(first, last, |id, game| {
            games += 1;
            latest = id.get();
            written += 1;
            progress.show_games(written);

            write_texts(writer, texts.as_mut(), latest, latest, out)?;
            writer.write(database, latest, &game, out, remarks)
        })?;

        // Remarks on a text are noted with the game after the text. The last texts have no such game.
        write_texts(writer, texts.as_mut(), i64::MAX, latest, out)?;
        writer.note_changes(latest, remarks)?;

        if games == 0 && !arguments.numbers.is_empty() {
            complain(&Error::NoSuchGame(range.first));
            missing += 1;
        }
    }
    progress.finish();

    if missing == 0 {
        Ok(Outcome::Done)
    } else if missing == ranges.len() {
        // Without any of the requested games, no file is replaced.
        Ok(Outcome::Failed)
    } else {
        Ok(Outcome::DataProblems)
    }
}

/// The ranges of games to write, by default one range with all games.
fn requested_ranges(arguments: &args::Export) -> Vec<GameRange> {
    if !arguments.numbers.is_empty() {
        return arguments.numbers.clone();
    }

    let all = GameRange {
        first: 1,
        last: i64::MAX,
    };
    vec![all]
}

/// The progress of writing all games to a file. Ranges rarely have many games, and games on a terminal show the
/// progress themselves.
fn progress_of_export(database: &Database, arguments: &args::Export) -> Result<Progress> {
    if arguments.quiet || arguments.output.is_none() || !arguments.numbers.is_empty() {
        return Ok(Progress::none());
    }

    Ok(Progress::of_games(database.count_games()?))
}

/// Exports the first games that match all options, in the requested order.
fn export_selected(
    database: &Database,
    arguments: &args::Export,
    selection: &GameSelection,
    writer: &mut GameWriter<'_>,
    out: &mut impl Write,
    remarks: &mut Remarks<'_>,
) -> Result<Outcome> {
    say_about_names([database], &selection.filter)?;

    let query = among(selection.query(), &arguments.numbers)
        .order(arguments.order.order())
        .limit(arguments.limit());
    let bar = ReplayBar::default();
    let show = |replayed, all| bar.show(replayed, all);
    let mut results = database.query_watched(&query, Watch::new().progress(&show))?;
    let is_missing = selection.are_all() && say_missing(database, &arguments.numbers)?;

    for game in results.games()? {
        bar.give_way();
        let (id, game) = game?;
        writer.write(database, id.get(), &game, out, remarks)?;
    }

    if is_missing {
        Ok(Outcome::DataProblems)
    } else {
        Ok(Outcome::Done)
    }
}

/// `true` if the texts between the games of a range are written: only PGN has a form for them, and a single game has
/// none.
fn has_texts(arguments: &args::Export, range: &GameRange) -> bool {
    arguments.format == ExportFormat::Pgn && range.first < range.last
}

/// Writes the texts before the game with the number `before`. Remarks on the texts name the game `near`.
fn write_texts(
    writer: &mut GameWriter<'_>,
    texts: Option<&mut Texts<'_>>,
    before: i64,
    near: i64,
    out: &mut impl Write,
) -> Result<()> {
    let Some(texts) = texts else {
        return Ok(());
    };

    let game = GameId::new(before);
    while let Some(text) = texts.next_before(game)? {
        let bytes = writer.encode_between(&text, near);
        out.write_all(bytes).map_err(Error::Output)?;
    }
    Ok(())
}

/// The text of a writer's output, which is always UTF-8.
fn utf8(text: &[u8]) -> &str {
    str::from_utf8(text).expect("games are written in UTF-8")
}

/// A writer of games in the chosen format.
struct GameWriter<'s> {
    pgn: PgnWriter<'s>,
    /// The form of evaluations from the database; `None` if they are not written.
    evaluated: Option<Evaluated>,
    format: ExportFormat,
    csv_cells: CsvCells,
    positions: Option<PositionWriter>,
    /// The positions written, if each is written once.
    distinct: Option<DistinctPositions>,
    bytes: ByteStyle,
    /// The last game or text in UTF-8.
    text: Vec<u8>,
    /// The last game or text in the encoding of the output; not used for plain bytes.
    encoded: Vec<u8>,
    replaced: Replaced,
    /// The remarks on the last game.
    changes: Vec<Remark>,
    /// The number of games without positions, which were not written.
    passed_over: u64,
    /// The number of games left out because of a bug.
    bugs: u64,
    /// The files among which games are divided.
    split: Option<(SplitBy, &'s mut SplitOutput)>,
    /// The number of games divided so far.
    written: u64,
}

impl<'s> GameWriter<'s> {
    fn new(
        database: &Database,
        arguments: &'s args::Export,
        split: Option<(SplitBy, &'s mut SplitOutput)>,
    ) -> Result<GameWriter<'s>> {
        let names = name_tags::for_export(database, &arguments.name_tags)?;
        let openings = database.openings()?;
        let pgn = PgnWriter {
            names,
            ..arguments.pgn_options.writer(&arguments.written, openings)
        };
        let distinct = if arguments.positions.is_unique() {
            Some(DistinctPositions::new(Memory::default()))
        } else {
            None
        };

        Ok(GameWriter {
            pgn,
            evaluated: arguments.evaluated(),
            format: arguments.format,
            csv_cells: arguments.csv_cells,
            positions: arguments.position_writer(),
            distinct,
            bytes: arguments.written.byte_style(),
            text: Vec::new(),
            encoded: Vec::new(),
            replaced: Replaced::default(),
            changes: Vec::new(),
            passed_over: 0,
            bugs: 0,
            split,
            written: 0,
        })
    }

    /// Reports games without positions, replaced characters and repeated positions.
    fn report(&self) {
        if self.passed_over > 0 {
            say_unplayed(self.passed_over);
        }
        if self.replaced.count > 0 {
            report_replaced(&self.replaced, self.bytes.encoding);
        }
        if let Some(distinct) = &self.distinct {
            say_repeated(distinct);
        }
    }

    /// `true` if a game or a character could not be written.
    fn has_omissions(&self) -> bool {
        self.passed_over > 0 || self.replaced.count > 0 || self.bugs > 0
    }

    /// Writes a game, and collects remarks on it.
    fn write(
        &mut self,
        database: &Database,
        id: i64,
        game: &Game<'_>,
        out: &mut impl Write,
        remarks: &mut Remarks<'_>,
    ) -> Result<()> {
        // The game is written to memory first, so that a game on which the program panics is left out completely.
        let written = caught(|| {
            let keys = self.split_keys(game);
            self.write_to_memory(database, id, game)?;
            Ok::<Vec<String>, Error>(keys)
        });
        let keys = match written {
            Ok(keys) => keys?,
            Err(bug) => {
                self.bugs += 1;
                self.changes.clear();
                complain(&Error::Bug {
                    path: database.path().to_owned(),
                    game: id,
                    bug,
                });
                return Ok(());
            }
        };

        if keys.is_empty() {
            out.write_all(self.bytes_written()).map_err(Error::Output)?;
        } else {
            self.write_to_files(&keys)?;
        }

        self.note_changes(id, remarks)
    }

    /// Passes the remarks on the last game or text to `remarks`, with the number of a game.
    fn note_changes(&mut self, game: i64, remarks: &mut Remarks<'_>) -> Result<()> {
        let place = GamePlace::in_database(game.cast_unsigned());
        for remark in self.changes.drain(..) {
            remarks.note(place, &remark)?;
        }
        Ok(())
    }

    /// Writes a game into `text` and `encoded`, with the evaluations of the database if they are requested.
    fn write_to_memory(&mut self, database: &Database, id: i64, game: &Game<'_>) -> Result<()> {
        let written = match self.evaluated {
            Some(evaluated) => {
                let read = |position: &Position| database.evaluation(position);
                let with_evaluations = evaluated.write(game, read)?;
                self.write_in_format(id, &with_evaluations)
            }
            None => self.write_in_format(id, game),
        };
        written.map_err(damaged(database, id))
    }

    /// The keys of the files that receive the next game; empty if games are not divided.
    fn split_keys(&self, game: &Game<'_>) -> Vec<String> {
        let Some((by, _)) = &self.split else {
            return Vec::new();
        };

        match by {
            SplitBy::Games(games) => vec![SplitBy::key_of_place(self.written, *games)],
            // Games are divided by their completed tags, which include the tags that --fill adds.
            _ => by.keys(&self.pgn.completed(game)),
        }
    }

    /// Writes the last game into the files of `keys`.
    fn write_to_files(&mut self, keys: &[String]) -> Result<()> {
        self.written += 1;
        let text = if self.bytes.is_plain() {
            &self.text
        } else {
            &self.encoded
        };

        let Some((_, files)) = &mut self.split else {
            return Ok(());
        };
        for key in keys {
            files.write(key, text)?;
        }
        Ok(())
    }

    /// Writes a game into `text` in the chosen format, and encodes it.
    fn write_in_format(&mut self, id: i64, game: &Game<'_>) -> std::result::Result<(), Unwritable> {
        self.text.clear();

        // The writer of PGN applies the names itself.
        let mut with_names = Cow::Borrowed(game);
        if self.format != ExportFormat::Pgn
            && let Some(names) = &self.pgn.names
        {
            with_names = Cow::Owned(game.borrowed());
            names.apply(with_names.to_mut(), &mut self.changes);
        }

        match self.format {
            ExportFormat::Pgn => {
                let pgn = &self.pgn;
                pgn.write(&with_names, &[], &mut self.text, &mut self.changes)?;
            }
            ExportFormat::Csv => {
                let row = Row::new(id, &with_names, &self.pgn.style)?;
                // Writing to memory cannot fail.
                let _ = write_csv_rows(&[row], self.csv_cells, &mut self.text);
            }
            ExportFormat::Jsonl => {
                let style = &self.pgn.style;
                write_json(GameId::new(id), &with_names, style, &mut self.text)?;
                if let Cow::Owned(text) = printable_json(utf8(&self.text)) {
                    self.text = text.into_bytes();
                }
            }
            ExportFormat::Fen | ExportFormat::Epd | ExportFormat::PositionsJsonl => {
                self.write_positions(id, &with_names);
            }
        }

        self.encode(id);
        Ok(())
    }

    /// Appends the positions of a game, or counts a game that has none.
    fn write_positions(&mut self, id: i64, game: &Game<'_>) {
        let lines = match &self.positions {
            Some(positions) => positions.lines(game),
            None => None,
        };

        match lines {
            Some(lines) => {
                lines.write(GameId::new(id), self.distinct.as_mut(), &mut self.text);
            }
            None => self.passed_over += 1,
        }
    }

    /// Encodes a text between games, and returns its bytes; `game` is the number of an adjacent game.
    fn encode_between(&mut self, text: &str, game: i64) -> &[u8] {
        self.text.clear();
        self.pgn
            .write_between(text, &mut self.text, &mut self.changes);
        self.encode(game);
        self.bytes_written()
    }

    /// The last game or text in the encoding of the output.
    fn bytes_written(&self) -> &[u8] {
        if self.bytes.is_plain() {
            &self.text
        } else {
            &self.encoded
        }
    }

    /// Encodes the text, and counts the characters that the encoding lacks. `game` is reported with the first such
    /// character.
    fn encode(&mut self, game: i64) {
        if self.bytes.is_plain() {
            return;
        }

        self.encoded.clear();
        let missing = self.bytes.write(utf8(&self.text), &mut self.encoded);
        self.replaced.note(missing, game);
    }
}
