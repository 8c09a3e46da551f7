//! `stamma export`

mod row;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::args::{self, CsvCells, ExportFormat, GameRange, WantedGames};
use super::output::{buffered_output, output_of, refuse_files_of, refuse_sources_of};
use super::printable::printable_json;
use super::progress::Progress;
use super::records::{write_csv, write_csv_rows};
use super::remarks::{GamePlace, Remarks};
use super::selection::{ReplayBar, among, say_missing};
use super::split_output::SplitOutput;
use super::suggestions::say_about_names;
use super::{
    Failure, Outcome, complain, damaged, name_tags, open_to_ask, report_replaced, say_repeated,
    say_unplayed, warn_of_unchecked,
};
use row::{COLUMNS, Row};
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
    if arguments.format.is_json() && arguments.written.byte_style().encoding != Encoding::UTF_8 {
        return Err(Failure::JsonIsUtf8);
    }
    let wanted = arguments.wanted()?;
    let database = open_to_ask(&arguments.database)?;
    for log in arguments.form.logs() {
        refuse_files_of(database.path(), log)?;
        refuse_sources_of(&database, log)?;
    }
    arguments.form.refuse_logs_in(arguments.output.as_deref())?;
    let outcome = arguments.form.with_remarks(|remarks| {
        let outcome = match (&arguments.output, arguments.split.by) {
            (Some(path), None) => {
                let mut out = output_of(&database, path)?;
                let outcome = export(&database, arguments, &wanted, None, &mut out, remarks)?;
                out.finish(outcome)?;
                outcome
            }
            (Some(path), Some(by)) => {
                let files = database_files(database.path());
                let sources = database.source_paths()?;
                let refused = files.iter().map(PathBuf::as_path).chain([database.path()]);
                let refused = refused.chain(sources.iter().map(Path::new));
                let mut files = SplitOutput::create(path, refused.chain(arguments.form.logs()))?;
                let split = Some((by, &mut files));
                let outcome = export(
                    &database,
                    arguments,
                    &wanted,
                    split,
                    &mut io::sink(),
                    remarks,
                )?;
                files.finish(outcome)?;
                outcome
            }
            (None, _) => export(
                &database,
                arguments,
                &wanted,
                None,
                &mut buffered_output()?,
                remarks,
            )?,
        };
        if !arguments.quiet {
            remarks.report();
        }
        Ok(if remarks.has_faults() {
            Outcome::DataProblems
        } else {
            outcome
        })
    })?;
    Ok(outcome)
}

fn export(
    database: &Database,
    arguments: &args::Export,
    wanted: &WantedGames,
    split: Option<(SplitBy, &mut SplitOutput)>,
    out: &mut impl Write,
    remarks: &mut Remarks<'_>,
) -> Result<Outcome> {
    let mut writer = GameWriter {
        pgn: PgnWriter {
            names: name_tags::of_export(database, &arguments.name_tags)?,
            ..arguments
                .form
                .writer(&arguments.written, database.openings()?)
        },
        evaluated: arguments.evaluated(),
        format: arguments.format,
        csv_cells: arguments.csv_cells,
        positions: arguments.position_writer(),
        distinct: arguments
            .positions
            .is_unique()
            .then(|| DistinctPositions::new(Memory::default())),
        bytes: arguments.written.byte_style(),
        text: Vec::new(),
        encoded: Vec::new(),
        replaced: Replaced::default(),
        changes: Vec::new(),
        passed_over: 0,
        bugs: 0,
        split,
        written: 0,
    };
    if arguments.format == ExportFormat::Csv {
        write_csv::<Row<'_>>(&COLUMNS, &[], arguments.csv_cells, &mut writer.text)?;
        out.write_all(writer.bytes_near(0)).map_err(Error::Output)?;
    }
    let outcome = if is_whole(arguments, wanted) {
        export_ranges(database, arguments, &mut writer, out, remarks)?
    } else {
        export_selected(database, arguments, wanted, &mut writer, out, remarks)?
    };
    out.flush().map_err(Error::Output)?;
    if !arguments.quiet {
        writer.report();
    }
    if let Some(distinct) = &writer.distinct {
        warn_of_unchecked(distinct);
    }
    Ok(if writer.has_omissions() {
        Outcome::DataProblems
    } else {
        outcome
    })
}

/// `true` if games are written as they are in the database, so that the texts between them are written, too.
fn is_whole(arguments: &args::Export, wanted: &WantedGames) -> bool {
    let is_in_place = arguments.order.order() == SortOrder::default();
    let is_one_file = arguments.split.by.is_none();
    wanted.are_all() && is_in_place && is_one_file && arguments.limit() == usize::MAX
}

/// Exports all games, or ranges of games, with the texts between them.
fn export_ranges(
    database: &Database,
    arguments: &args::Export,
    writer: &mut GameWriter<'_>,
    out: &mut impl Write,
    remarks: &mut Remarks<'_>,
) -> Result<Outcome> {
    let everything = [GameRange {
        first: 1,
        last: i64::MAX,
    }];
    let ranges = if arguments.numbers.is_empty() {
        &everything[..]
    } else {
        &arguments.numbers
    };
    let mut reader = GameReader::new(database)?;
    let mut texts = TextReader::new(database)?;
    let mut missing = 0;
    let progress = progress(database, arguments)?;
    let mut written = 0;
    for range in ranges {
        let (mut games, mut last) = (0, range.first);
        let mut texts = if has_texts(arguments, range) {
            Some(texts.of_games(GameId::new(range.first), GameId::new(range.last))?)
        } else {
            None
        };
        reader.each(
            GameId::new(range.first),
            GameId::new(range.last),
            |id, game| {
                games += 1;
                last = id.get();
                written += 1;
                progress.show_games(written);
                write_texts(writer, texts.as_mut(), id.get(), id.get(), out)?;
                writer.write(database, id.get(), &game, out, remarks)
            },
        )?;
        write_texts(writer, texts.as_mut(), i64::MAX, last, out)?;
        for remark in writer.changes.drain(..) {
            remarks.note(GamePlace::in_database(last.cast_unsigned()), &remark)?;
        }
        if games == 0 && !arguments.numbers.is_empty() {
            complain(&Error::NoSuchGame(range.first));
            missing += 1;
        }
    }
    progress.finish();
    Ok(match missing {
        0 => Outcome::Done,
        // Without any of the requested games, no file is replaced.
        _ if missing == ranges.len() => Outcome::Failed,
        _ => Outcome::DataProblems,
    })
}

/// The progress of writing all games to a file. Ranges of games are seldom many, and games on a terminal show themselves
/// how far they are.
fn progress(database: &Database, arguments: &args::Export) -> Result<Progress> {
    if arguments.quiet || arguments.output.is_none() || !arguments.numbers.is_empty() {
        return Ok(Progress::none());
    }
    Ok(Progress::of_games(database.count_games()?))
}

/// Exports the first games that match all options, in the requested order.
fn export_selected(
    database: &Database,
    arguments: &args::Export,
    wanted: &WantedGames,
    writer: &mut GameWriter<'_>,
    out: &mut impl Write,
    remarks: &mut Remarks<'_>,
) -> Result<Outcome> {
    say_about_names([database], &wanted.filter)?;
    let query = among(wanted.query(), &arguments.numbers)
        .order(arguments.order.order())
        .limit(arguments.limit());
    let bar = ReplayBar::default();
    let show = |replayed, all| bar.show(replayed, all);
    let mut results = database.query_watched(&query, Watch::new().progress(&show))?;
    let is_missing = wanted.are_all() && say_missing(database, &arguments.numbers)?;
    for game in results.games()? {
        bar.give_way();
        let (id, game) = game?;
        writer.write(database, id.get(), &game, out, remarks)?;
    }
    Ok(if is_missing {
        Outcome::DataProblems
    } else {
        Outcome::Done
    })
}

/// `true` if texts between games are written as well: PGN has a form for them, and the request is not for a single
/// game.
fn has_texts(arguments: &args::Export, range: &GameRange) -> bool {
    arguments.format == ExportFormat::Pgn && range.first < range.last
}

/// Writes the texts before a game; remarks on them name the game `near`.
fn write_texts(
    writer: &mut GameWriter<'_>,
    texts: Option<&mut Texts<'_>>,
    before: i64,
    near: i64,
    out: &mut impl Write,
) -> Result<()> {
    let Some(texts) = texts else { return Ok(()) };
    while let Some(text) = texts.next_before(GameId::new(before))? {
        out.write_all(writer.between(&text, near))
            .map_err(Error::Output)?;
    }
    Ok(())
}

/// The output of a writer, which is UTF-8.
fn utf8(text: &[u8]) -> &str {
    str::from_utf8(text).expect("games are written in UTF-8")
}

/// A writer of games in the chosen format.
struct GameWriter<'s> {
    pgn: PgnWriter<'s>,
    /// What is written of the database's evaluations.
    evaluated: Option<Evaluated>,
    format: ExportFormat,
    csv_cells: CsvCells,
    positions: Option<PositionWriter>,
    /// The positions written, if each is written once.
    distinct: Option<DistinctPositions>,
    bytes: ByteStyle,
    text: Vec<u8>,
    encoded: Vec<u8>,
    replaced: Replaced,
    /// The remarks on the last game.
    changes: Vec<Remark>,
    /// The number of games without a position that could be written.
    passed_over: u64,
    /// The number of games left out because of a bug.
    bugs: u64,
    /// The files that games are divided among.
    split: Option<(SplitBy, &'s mut SplitOutput)>,
    /// The number of games divided so far.
    written: u64,
}

impl GameWriter<'_> {
    /// Reports omissions.
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
        let written = caught(|| {
            let keys = self.keys(game);
            let written = match self.evaluated {
                Some(evaluated) => {
                    let game = evaluated.write(game, |position| database.evaluation(position))?;
                    self.game(id, &game)
                }
                None => self.game(id, game),
            };
            written.map_err(damaged(database, id))?;
            Ok::<_, Error>(keys)
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
            self.divide(&keys)?;
        }

        for remark in self.changes.drain(..) {
            remarks.note(GamePlace::in_database(id.cast_unsigned()), &remark)?;
        }
        Ok(())
    }

    /// The keys of the files of the next game; none if there is one file.
    fn keys(&self, game: &Game<'_>) -> Vec<String> {
        match &self.split {
            None => Vec::new(),
            Some((SplitBy::Games(games), _)) => vec![SplitBy::key_of_place(self.written, *games)],
            Some((by, _)) => by.keys(&self.pgn.completed(game)),
        }
    }

    /// Writes the last game into the files of some keys.
    fn divide(&mut self, keys: &[String]) -> Result<()> {
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

    fn game(&mut self, id: i64, game: &Game<'_>) -> std::result::Result<&[u8], Unwritable> {
        self.text.clear();
        let mut named = Cow::Borrowed(game);
        if let Some(names) = self
            .pgn
            .names
            .as_ref()
            .filter(|_| self.format != ExportFormat::Pgn)
        {
            named = Cow::Owned(game.borrowed());
            names.apply(named.to_mut(), &mut self.changes);
        }
        let game = &*named;
        match self.format {
            ExportFormat::Pgn => self.pgn.write(game, &[], &mut self.text, &mut self.changes),
            ExportFormat::Csv => {
                let row = Row::new(id, game, &self.pgn.style)?;
                // Writing to memory cannot fail.
                let _ = write_csv_rows(&[row], self.csv_cells, &mut self.text);
                Ok(())
            }
            ExportFormat::Jsonl => {
                write_json(GameId::new(id), game, &self.pgn.style, &mut self.text)?;
                if let Cow::Owned(text) = printable_json(utf8(&self.text)) {
                    self.text = text.into_bytes();
                }
                Ok(())
            }
            ExportFormat::Fen | ExportFormat::Epd | ExportFormat::PositionsJsonl => {
                self.positions(id, game);
                Ok(())
            }
        }?;
        Ok(self.bytes_near(id))
    }

    /// Appends the positions of a game, or counts a game that has none.
    fn positions(&mut self, id: i64, game: &Game<'_>) {
        let lines = self
            .positions
            .as_ref()
            .and_then(|positions| positions.lines(game));
        match lines {
            Some(lines) => {
                lines.write(GameId::new(id), self.distinct.as_mut(), &mut self.text);
            }
            None => self.passed_over += 1,
        }
    }

    /// Writes a text between games; `near` is the number of a game beside it.
    fn between(&mut self, text: &str, game: i64) -> &[u8] {
        self.text.clear();
        self.pgn
            .write_between(text, &mut self.text, &mut self.changes);
        self.bytes_near(game)
    }

    /// The last game or text in the encoding of the output.
    fn bytes_written(&self) -> &[u8] {
        if self.bytes.is_plain() {
            &self.text
        } else {
            &self.encoded
        }
    }

    /// The text in its output form.
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
