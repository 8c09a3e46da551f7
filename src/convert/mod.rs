//! PGN to PGN without a database: cut, replayed and written on all threads, in the order of the input.
//!
//! What comes out is what an import and an export of the same files give. Of the input, only what is under
//! way is in memory.

mod stream;

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::export::{PgnGame, Unwritable, write_pgn};
use crate::import::{
    Batch, Batches, FileReadings, Open, Part, Preferred, ProblemLog, Summary, Tally,
};
use crate::input::MappedFile;
use crate::notation::Style;
use crate::ordered::ordered;
use crate::pgn::write_between;
use crate::replay::Readings;
use crate::storage::ProblemRow;
use stream::Stream;

/// Where games come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input, which is read to its end.
    StandardInput,
}

impl Source {
    /// How it is named in messages.
    pub fn name(&self) -> &Path {
        match self {
            Source::File(path) => path,
            Source::StandardInput => Path::new("standard input"),
        }
    }
}

/// A batch as it is to be written.
struct Converted<'f> {
    batch: Batch<'f>,
    text: Vec<u8>,
    games: usize,
    open: Vec<Open>,
    problems: Vec<ProblemRow>,
}

/// Batches that are under way for each thread: as many as keep all threads at work.
const BATCHES_A_THREAD: usize = 4;

/// Writes all games of some sources as PGN, with their moves in a style, and what stands between them as
/// lines that begin with `%`.
///
/// `progress` is called now and then with what has been done. Problems are written to `log` as they are found. A source that cannot be read, or has no game
/// in it, is named in [`Summary::failures`]; the others are converted.
///
/// # Errors
/// When `out` fails.
pub fn convert(
    sources: &[Source],
    readings: &Readings,
    style: &Style<'_>,
    out: &mut impl Write,
    log: Option<&ProblemLog>,
    progress: impl FnMut(&Tally),
) -> Result<Summary> {
    let readings = &readings.clone().without_positions();
    let summary = Summary::default();
    let mut conversion = Conversion { readings, style, out, log, progress, summary };
    for source in sources {
        match conversion.source(source) {
            Ok(()) => {}
            Err(
                error @ (Error::Output(_) | Error::ProblemLog { .. } | Error::Unwritable { .. }),
            ) => return Err(error),
            Err(error) => conversion.summary.failures.push(error),
        }
    }
    conversion.out.flush().map_err(Error::Output)?;
    Ok(conversion.summary)
}

struct Conversion<'c, W, P> {
    readings: &'c Readings,
    style: &'c Style<'c>,
    out: &'c mut W,
    log: Option<&'c ProblemLog>,
    progress: P,
    summary: Summary,
}

impl<W: Write, P: FnMut(&Tally)> Conversion<'_, W, P> {
    fn source(&mut self, source: &Source) -> Result<()> {
        let before = self.summary.so_far();
        let games = self.summary.tally.games;
        match source {
            Source::File(path) => self.file(path)?,
            Source::StandardInput => self.stream(io::stdin(), source.name())?,
        }
        if self.summary.tally.games == games {
            self.summary.go_back(before);
            return Err(Error::NoGames(source.name().to_owned()));
        }
        Ok(())
    }

    fn file(&mut self, path: &Path) -> Result<()> {
        let file = MappedFile::open(path)?;
        let mut released = 0;
        self.batches(path, Batches::new(&file), |bytes| {
            let end = released + bytes as usize;
            file.release(released..end);
            released = end;
        })
    }

    fn stream(&mut self, input: impl Read + Send, name: &Path) -> Result<()> {
        let mut failure = None;
        let done = self.batches(name, Stream::new(input, &mut failure), |_| {});
        match failure {
            Some(error) => Err(Error::Input(error)),
            None => done,
        }
    }

    /// `written` is called with the bytes of each batch when it has been written.
    fn batches<'f>(
        &mut self,
        name: &Path,
        batches: impl Iterator<Item = Batch<'f>> + Send,
        mut written: impl FnMut(u64),
    ) -> Result<()> {
        let (style, name) = (self.style, name.to_string_lossy());
        let readings = self.readings;
        let mut found = FileReadings::new(readings);
        let mut held = Held::default();
        let limit = BATCHES_A_THREAD * rayon::current_num_threads();
        ordered(
            batches,
            limit,
            |batch| write_batch(batch, readings, &Preferred::default(), style),
            |converted| {
                let converted = converted
                    .and_then(|converted| settle(converted, readings, &mut found, style))
                    .map_err(|source| Error::Unwritable { name: name.to_string(), source })?;
                for row in &converted.problems {
                    self.summary.note(&name, row);
                }
                let bytes = converted.batch.bytes().len() as u64;
                let ready = Ready { text: converted.text, problems: converted.problems };
                if let Some(ready) = held.take(ready, converted.games) {
                    self.write(&name, &ready)?;
                }
                self.summary.tally.games += converted.games as u64;
                self.summary.tally.bytes += bytes;
                written(bytes);
                (self.progress)(&self.summary.tally);
                Ok(())
            },
        )
    }

    fn write(&mut self, name: &str, ready: &Ready) -> Result<()> {
        self.out.write_all(&ready.text).map_err(Error::Output)?;
        let first_game = self.summary.tally.games as i64 + 1;
        self.log.map_or(Ok(()), |log| log.write(name, first_game, &ready.problems))
    }
}

/// What is to be written of one batch or several.
#[derive(Default)]
struct Ready {
    text: Vec<u8>,
    problems: Vec<ProblemRow>,
}

/// What stands before the first game of a source; without any game, the source is none of PGN, and nothing of
/// it is written.
#[derive(Default)]
struct Held {
    has_game: bool,
    ready: Ready,
}

impl Held {
    /// Takes a batch with so many games, and gives all that can be written.
    fn take(&mut self, next: Ready, games: usize) -> Option<Ready> {
        if self.has_game {
            return Some(next);
        }
        self.has_game = games > 0;
        self.ready.text.extend(next.text);
        self.ready.problems.extend(next.problems);
        self.has_game.then(|| std::mem::take(&mut self.ready))
    }
}

fn write_batch<'f>(
    batch: Batch<'f>,
    readings: &Readings,
    preferred: &Preferred,
    style: &Style<'_>,
) -> std::result::Result<Converted<'f>, Unwritable> {
    let bytes = batch.bytes().len();
    let mut text = Vec::with_capacity(bytes + bytes / 4);
    let (mut games, mut open) = (0, Vec::new());
    let mut done = Ok(());
    let problems = batch.replay(
        |number, source| preferred.replay(readings, number, source),
        |part, _| match part {
            Part::Game(read, source) => {
                if done.is_ok() {
                    done = write_pgn(&PgnGame::replayed(&read.replay, source), style, &mut text);
                }
                open.extend(Open::of(games, read));
                games += 1;
            }
            Part::Text(between) => write_between(&between, &mut text),
        },
    );
    done.map(|()| Converted { batch, text, games, open, problems })
}

/// Writes a batch once more if the games of the file before it give other moves to one of its games.
fn settle<'f>(
    converted: Converted<'f>,
    readings: &Readings,
    file: &mut FileReadings,
    style: &Style<'_>,
) -> std::result::Result<Converted<'f>, Unwritable> {
    let settled = file.settle(&converted.open, converted.games);
    match settled.preferred.is_empty() {
        true => Ok(converted),
        false => write_batch(converted.batch, readings, &settled.preferred, style),
    }
}
