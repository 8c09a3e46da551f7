//! PGN to PGN without a database: cut, replayed and written on all threads, in the order of the input.
//!
//! What comes out is what an import and an export of the same files give. Of the input, only what is under
//! way is in memory.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use crate::error::{Error, Result};
use crate::export::{ByteStyle, PgnWriter, Remark, Replaced, Unwritable};
use crate::import::{Memory, Summary, Tally};
use crate::ingest::{
    AmbiguousGame, Batch, FileReadings, Part, Preferred, ProblemLine, ReadOptions, of_file,
    of_stream,
};
use crate::input::{Content, Input, MappedFile, Missing, Source, Stream};
use crate::ordered::ordered_by_weight;
use crate::replay::{Readings, Replay, utf8};
use crate::storage::ProblemRow;

/// How games are read and written.
#[derive(Clone, Debug)]
pub struct Options<'s> {
    /// How moves may be written.
    pub readings: Readings,
    /// How the bytes of sources are taken for games.
    pub read: ReadOptions,
    /// The memory that it may take.
    pub memory: Memory,
    /// How games are written.
    pub writer: PgnWriter<'s>,
    /// How text is written.
    pub bytes: ByteStyle,
}

/// What a conversion tells while it runs.
#[derive(Debug)]
pub enum Note<'n> {
    /// What is wrong with a source; games are counted from 1 over all sources.
    Problem(ProblemLine<'n>),
    /// What is not written as it was, and the number of its game, counted in the same way.
    Remark(u64, &'n Remark),
}

/// What a conversion has done.
#[derive(Debug, Default)]
pub struct Conversion {
    /// What it has read and found.
    pub summary: Summary,
    /// The characters that could not be written.
    pub replaced: Replaced,
}

/// A batch as it is to be written.
struct Converted<'f> {
    batch: Batch<'f>,
    games: usize,
    open: Vec<AmbiguousGame>,
    written: Written,
}

/// What is to be written and told of one batch or several.
#[derive(Default)]
struct Written {
    text: Vec<u8>,
    /// The characters that could not be written; games are counted from the first of the batch.
    replaced: Replaced,
    problems: Vec<ProblemRow>,
    /// Each with the number of its game in the batch, from 1.
    remarks: Vec<(usize, Remark)>,
}

impl Written {
    /// Takes what a game or a text beside it has come to.
    fn note(&mut self, game: usize, missing: Missing, changes: &mut Vec<Remark>) {
        self.replaced.note(missing, game as i64);
        self.remarks.extend(changes.drain(..).map(|remark| (game, remark)));
    }

    fn append(&mut self, next: Written) {
        self.text.extend(next.text);
        self.replaced.append(&next.replaced, 0);
        self.problems.extend(next.problems);
        self.remarks.extend(next.remarks);
    }
}

/// What stands before the first game of a source; without any game, the source is none of PGN, and nothing of
/// it is written.
#[derive(Default)]
struct Held {
    has_game: bool,
    written: Written,
}

impl Held {
    /// Takes a batch with so many games, and gives all that can be written.
    fn take(&mut self, next: Written, games: usize) -> Option<Written> {
        if self.has_game {
            return Some(next);
        }
        self.has_game = games > 0;
        self.written.append(next);
        self.has_game.then(|| std::mem::take(&mut self.written))
    }
}

/// Writes all games of some inputs as PGN, and what stands between them as lines that begin with `%`.
///
/// `note` is called with what is wrong and with what is not written as it was, in the order of the output;
/// `progress` is called now and then with what has been done. A source that cannot be read, or has no game
/// in it, is named in [`Summary::failures`]; the others are converted, and so are the games before some damage.
///
/// # Errors
/// When `out` fails.
pub fn convert(
    inputs: &[Input],
    options: &Options<'_>,
    out: &mut impl Write,
    note: impl FnMut(Note<'_>) -> Result<()>,
    progress: impl FnMut(&Tally),
) -> Result<Conversion> {
    let done = Conversion::default();
    let readings = options.readings.clone().without_positions();
    let mut converter = Converter { options, readings, out, note, progress, done };
    for input in inputs {
        converter.input(input)?;
    }
    converter.out.flush().map_err(Error::Output)?;
    Ok(converter.done)
}

struct Converter<'c, W, N, P> {
    options: &'c Options<'c>,
    readings: Readings,
    out: &'c mut W,
    note: N,
    progress: P,
    done: Conversion,
}

impl<W, N, P> Converter<'_, W, N, P>
where
    W: Write,
    N: FnMut(Note<'_>) -> Result<()>,
    P: FnMut(&Tally),
{
    fn input(&mut self, input: &Input) -> Result<()> {
        let before = self.done.summary.tally.consumed;
        match input.sources() {
            Ok(sources) => {
                for source in sources {
                    let done = source.and_then(|source| self.source(source, before));
                    self.note_failure(done)?;
                }
            }
            Err(error) => self.note_failure(Err(error))?,
        }
        self.done.summary.tally.consumed = before + input.bytes().unwrap_or_default();
        Ok(())
    }

    /// Notes what is wrong with a source; other errors end the conversion.
    fn note_failure(&mut self, done: Result<()>) -> Result<()> {
        match done {
            Err(error) if error.is_of_input() => {
                self.done.summary.failures.push(error);
                Ok(())
            }
            done => done,
        }
    }

    /// Converts a source; so many bytes of inputs before have been consumed.
    fn source(&mut self, source: Source, consumed: u64) -> Result<()> {
        let before = self.done.summary.snapshot();
        let Tally { games, large_games, .. } = self.done.summary.tally;
        let Source { name, content, consumed: so_far, .. } = source;
        let done = match content {
            Content::Mapped(file) => self.mapped(&name, &file, consumed),
            Content::Stream(stream) => self.stream(&name, stream, || consumed + so_far.bytes()),
        };
        if self.done.summary.tally.games > games {
            return done;
        }
        let is_too_large = self.done.summary.tally.large_games > large_games;
        self.done.summary.go_back(&before);
        done.and(Err(Error::no_games(&name, is_too_large)))
    }

    fn mapped(&mut self, name: &Path, file: &MappedFile, consumed: u64) -> Result<()> {
        let check = |byte| match file.is_whole() {
            true => Ok(()),
            false => Err(Error::FileChanged { name: name.to_owned(), byte }),
        };
        self.batches(name, of_file(file, self.options.read), check, |range| {
            file.release(range.start as usize..range.end as usize);
            consumed + range.end
        })
    }

    fn stream(&mut self, name: &Path, stream: Stream, consumed: impl Fn() -> u64) -> Result<()> {
        let mut failure = None;
        let mut end = 0;
        let batches = of_stream(stream, self.options.read, &mut failure);
        let done = self.batches(
            name,
            batches,
            |_| Ok(()),
            |range| {
                end = range.end;
                consumed()
            },
        );
        match failure {
            Some(error) => done.and(Err(Error::stream(name, end, error))),
            None => done,
        }
    }

    /// `check` is called when a batch has been converted, with the byte at which it begins, and says whether it may be
    /// written; `written` is called when it has been, and gives how many bytes of inputs are consumed.
    fn batches<'f>(
        &mut self,
        name: &Path,
        batches: impl Iterator<Item = Batch<'f>> + Send,
        check: impl Fn(u64) -> Result<()>,
        mut written: impl FnMut(Range<u64>) -> u64,
    ) -> Result<()> {
        let (options, name) = (self.options, name.to_string_lossy());
        let readings = &self.readings.clone();
        let mut found = FileReadings::new(readings);
        let (mut held, mut begins) = (Held::default(), 0);
        ordered_by_weight(
            batches,
            options.memory.converted_batches(),
            Batch::weight,
            |batch| write_batch(batch, readings, &Preferred::default(), options),
            |converted| {
                let converted = converted
                    .and_then(|converted| settle(converted, readings, &mut found, options));
                // What could not be written may be none of the file.
                check(begins)?;
                let converted = converted
                    .map_err(|source| Error::Unwritable { name: name.to_string(), source })?;
                let (range, games) = (converted.batch.origin(), converted.games);
                let is_large = converted.batch.ends_large_game();
                begins = range.end;
                for row in &converted.written.problems {
                    self.done.summary.note(&name, row);
                }
                if let Some(ready) = held.take(converted.written, games) {
                    self.write(&name, &ready)?;
                }
                let tally = &mut self.done.summary.tally;
                tally.games += games as u64;
                tally.large_games += u64::from(is_large);
                tally.bytes += range.end - range.start;
                tally.consumed = written(range);
                (self.progress)(tally);
                Ok(())
            },
        )
    }

    fn write(&mut self, name: &str, ready: &Written) -> Result<()> {
        self.out.write_all(&ready.text).map_err(Error::Output)?;
        let Conversion { summary, replaced } = &mut self.done;
        let before = summary.tally.games.cast_signed();
        for row in &ready.problems {
            (self.note)(Note::Problem(ProblemLine::new(name, before + 1, row)))?;
        }
        for (game, remark) in &ready.remarks {
            (self.note)(Note::Remark(summary.tally.games + *game as u64, remark))?;
        }
        replaced.append(&ready.replaced, before);
        Ok(())
    }
}

fn write_batch<'f>(
    batch: Batch<'f>,
    readings: &Readings,
    preferred: &Preferred,
    options: &Options<'_>,
) -> std::result::Result<Converted<'f>, Unwritable> {
    let bytes = batch.bytes().len();
    let text = Vec::with_capacity(bytes + bytes / 4);
    let mut written = Written { text, ..Written::default() };
    let (mut games, mut open) = (0, Vec::new());
    let mut changes = Vec::new();
    let mut done = Ok(());
    let problems = batch.replay(
        |number, source| preferred.replay(readings, number, source),
        |part| match part {
            Part::Game(read, _) => {
                open.extend(AmbiguousGame::of(games, read));
                games += 1;
                if done.is_ok() {
                    done = write_game(&read.replay, options, &mut written.text, &mut changes)
                        .map(|missing| written.note(games, missing, &mut changes));
                }
            }
            Part::Text(between, _) => {
                let missing = write_text(&between, options, &mut written.text, &mut changes);
                // What stands behind the game before, if there is one, and else before the first.
                written.note(games.max(1), missing, &mut changes);
            }
        },
    );
    written.problems = problems;
    done.map(|()| Converted { batch, games, open, written })
}

/// Appends a game; gives what the encoding had no bytes for.
fn write_game(
    replay: &Replay<'_>,
    options: &Options<'_>,
    out: &mut Vec<u8>,
    changes: &mut Vec<Remark>,
) -> std::result::Result<Missing, Unwritable> {
    if options.bytes.is_plain() {
        return options
            .writer
            .write(&replay.game, &replay.played, out, changes)
            .map(|()| Missing::default());
    }
    let mut text = Vec::new();
    options.writer.write(&replay.game, &replay.played, &mut text, changes)?;
    Ok(options.bytes.write(utf8(&text), out))
}

/// Appends a text between games in the same way.
fn write_text(
    between: &str,
    options: &Options<'_>,
    out: &mut Vec<u8>,
    changes: &mut Vec<Remark>,
) -> Missing {
    if options.bytes.is_plain() {
        options.writer.write_between(between, out, changes);
        return Missing::default();
    }
    let mut text = Vec::new();
    options.writer.write_between(between, &mut text, changes);
    options.bytes.write(utf8(&text), out)
}

/// Writes a batch once more if the games of the file before it give other moves to one of its games.
fn settle<'f>(
    converted: Converted<'f>,
    readings: &Readings,
    file: &mut FileReadings,
    options: &Options<'_>,
) -> std::result::Result<Converted<'f>, Unwritable> {
    let settled = file.settle(&converted.open, converted.games);
    match settled.preferred.is_empty() {
        true => Ok(converted),
        false => write_batch(converted.batch, readings, &settled.preferred, options),
    }
}
