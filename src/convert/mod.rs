//! PGN to PGN without a database: cut, replayed and written on all threads, in the order of the input.
//!
//! What comes out is what an import and an export of the same files give. Of the input, only what is under
//! way is in memory.

mod stream;

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::export::{PgnGame, PgnWriter, Remark, Unwritable};
use crate::import::{Batch, Batches, FileReadings, Open, Preferred, Summary, Tally};
use crate::input::MappedFile;
use crate::ordered::ordered;
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
    /// Each with the number of its game in the batch.
    remarks: Vec<(usize, Remark)>,
}

/// Batches that are under way for each thread: as many as keep all threads at work.
const BATCHES_A_THREAD: usize = 4;

/// Writes all games of some sources as PGN.
///
/// `note` is called with what is not written as it was, and the number of its game, from 1 over all sources;
/// `progress` is called now and then with what has been done. A source that cannot be read, or has no game
/// in it, is named in [`Summary::failures`]; the others are converted.
///
/// # Errors
/// When `out` fails.
pub fn convert(
    sources: &[Source],
    readings: &Readings,
    writer: &PgnWriter<'_>,
    out: &mut impl Write,
    note: impl FnMut(u64, &Remark) -> Result<()>,
    progress: impl FnMut(&Tally),
) -> Result<Summary> {
    let readings = &readings.clone().without_positions();
    let mut conversion =
        Conversion { readings, writer, out, note, progress, summary: Summary::default() };
    for source in sources {
        match conversion.source(source) {
            Ok(()) => {}
            Err(error @ (Error::Output(_) | Error::Unwritable { .. })) => return Err(error),
            Err(error) => conversion.summary.failures.push(error),
        }
    }
    conversion.out.flush().map_err(Error::Output)?;
    Ok(conversion.summary)
}

struct Conversion<'c, W, N, P> {
    readings: &'c Readings,
    writer: &'c PgnWriter<'c>,
    out: &'c mut W,
    note: N,
    progress: P,
    summary: Summary,
}

impl<W, N, P> Conversion<'_, W, N, P>
where
    W: Write,
    N: FnMut(u64, &Remark) -> Result<()>,
    P: FnMut(&Tally),
{
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
        let (writer, name) = (self.writer, name.to_string_lossy());
        let readings = self.readings;
        let mut found = FileReadings::new(readings);
        let limit = BATCHES_A_THREAD * rayon::current_num_threads();
        ordered(
            batches,
            limit,
            |batch| write_batch(batch, readings, &Preferred::default(), writer),
            |converted| {
                let converted = converted
                    .and_then(|converted| settle(converted, readings, &mut found, writer))
                    .map_err(|source| Error::Unwritable { name: name.to_string(), source })?;
                self.out.write_all(&converted.text).map_err(Error::Output)?;
                for row in &converted.problems {
                    self.summary.note(&name, row);
                }
                for (game, remark) in &converted.remarks {
                    (self.note)(self.summary.tally.games + *game as u64 + 1, remark)?;
                }
                let bytes = converted.batch.bytes().len() as u64;
                self.summary.tally.games += converted.games as u64;
                self.summary.tally.bytes += bytes;
                written(bytes);
                (self.progress)(&self.summary.tally);
                Ok(())
            },
        )
    }
}

fn write_batch<'f>(
    batch: Batch<'f>,
    readings: &Readings,
    preferred: &Preferred,
    writer: &PgnWriter<'_>,
) -> std::result::Result<Converted<'f>, Unwritable> {
    let bytes = batch.bytes().len();
    let mut text = Vec::with_capacity(bytes + bytes / 4);
    let (mut games, mut open) = (0, Vec::new());
    let (mut changes, mut remarks) = (Vec::new(), Vec::new());
    let mut done = Ok(());
    let problems = batch.replay(
        |number, source| preferred.replay(readings, number, source),
        |read, source, _| {
            if done.is_ok() {
                done =
                    writer.write(&PgnGame::replayed(&read.replay, source), &mut text, &mut changes);
            }
            remarks.extend(changes.drain(..).map(|remark| (games, remark)));
            open.extend(Open::of(games, read));
            games += 1;
        },
    );
    done.map(|()| Converted { batch, text, games, open, problems, remarks })
}

/// Writes a batch once more if the games of the file before it give other moves to one of its games.
fn settle<'f>(
    converted: Converted<'f>,
    readings: &Readings,
    file: &mut FileReadings,
    writer: &PgnWriter<'_>,
) -> std::result::Result<Converted<'f>, Unwritable> {
    let settled = file.settle(&converted.open, converted.games);
    match settled.preferred.is_empty() {
        true => Ok(converted),
        false => write_batch(converted.batch, readings, &settled.preferred, writer),
    }
}
