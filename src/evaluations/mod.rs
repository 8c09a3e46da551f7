//! Evaluations of positions: from files, and from an engine that is asked.
//!
//! Of files, `line` reads a line, and `known` tells which positions a database has. Chunks of lines are read on all threads,
//! and written in the order of the file by one. `analysis` asks an engine about the positions of a database, and `wanted`
//! tells about which. `analyzer` asks one about any positions, without a database. `searches` has what both share.

mod analysis;
mod analyzer;
mod known;
mod line;
mod searches;
mod wanted;

use std::io::{self, Read};

use crate::error::{Error, Result};
use crate::input::{Content, Input, Source, Stream};
use crate::memory::Memory;
use crate::ordered::ordered;
use crate::storage::{
    Commits, Database, EvaluationKind, EvaluationWriter, InDatabase, NewEvaluation,
};
pub use analysis::{AnalysisSummary, AnalysisTarget, analyze};
pub use analyzer::{Analyzer, AnalyzerSummary};
use known::KnownPositions;
use line::read_line;
pub use searches::{AnalysisEvent, AnalysisOptions, SearchCounts};

/// The size of a chunk of lines.
const CHUNK_BYTES: usize = 1 << 20;
/// A longer line is passed over.
const MAX_LINE_BYTES: usize = 16 << 20;
/// After this many bytes of a file, what has been read is committed.
const STEP_BYTES: u64 = 1 << 30;
/// How many places of lines that cannot be read are kept.
const MAX_PLACES: usize = 10;

/// How evaluations are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationOptions {
    /// Whether positions that no game of the database has are stored, too.
    pub all: bool,
    /// The number of moves of a line to store; 0 for none.
    pub line_moves: usize,
    /// The memory limit.
    pub memory: Memory,
}

/// What was read.
#[derive(Debug, Default)]
pub struct EvaluationSummary {
    /// The number of lines with an evaluation.
    pub lines: u64,
    /// How many of them are of positions that the database has.
    pub wanted: u64,
    /// How many of these are new, or better than what was there.
    pub stored: u64,
    /// The number of lines that could not be read.
    pub unread: u64,
    /// The first of these: names of files and numbers of lines.
    pub places: Vec<(String, u64)>,
    /// The files that could not be read, or not to their end.
    pub failures: Vec<Error>,
}

/// The lines and bytes read so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvaluationProgress {
    /// Lines with an evaluation.
    pub lines: u64,
    /// Bytes of the inputs, as they are stored.
    pub bytes: u64,
}

/// Adds the evaluations in files, where they are better than those that are stored. Each step is durable; after an
/// interruption, the same files may be read again.
///
/// A line is a JSON object as in the file of Lichess's evaluations, or a line of EPD with `ce`, `acd`, `acn`, `pv` or `dm`.
/// Files may also be Parquet with an evaluation in each row.
///
/// # Errors
/// When the database cannot be read or written.
pub fn import_evaluations(
    database: &mut Database,
    inputs: impl IntoIterator<Item = Input>,
    options: EvaluationOptions,
    mut progress: impl FnMut(EvaluationProgress),
) -> Result<EvaluationSummary> {
    let database = &*database;
    database.change_in_steps(options.memory.cache_bytes(), |steps| {
        let mut inputs = inputs.into_iter().peekable();
        // All games are replayed for these, which files that are not there are not worth.
        let are_asked_for = !options.all && inputs.peek().is_some();
        let known = if are_asked_for {
            Some(KnownPositions::of(database, options.memory)?)
        } else {
            None
        };
        let mut reading = Reading {
            database,
            steps,
            options,
            known,
            summary: EvaluationSummary::default(),
            step_bytes: 0,
            bytes_before: 0,
        };
        for input in inputs {
            reading.input(input, &mut progress)?;
        }
        Ok(reading.summary)
    })
}

struct Reading<'d, 's> {
    database: &'d Database,
    steps: &'s Commits<'d>,
    options: EvaluationOptions,
    /// The positions that are wanted; `None` for all.
    known: Option<KnownPositions>,
    summary: EvaluationSummary,
    /// The bytes read since the last step.
    step_bytes: u64,
    /// The bytes of the inputs before this one.
    bytes_before: u64,
}

impl Reading<'_, '_> {
    fn input(&mut self, input: Input, progress: &mut impl FnMut(EvaluationProgress)) -> Result<()> {
        let input_bytes = input.bytes().unwrap_or(0);
        let sources = match input.streamed().of_evaluations().sources() {
            Ok(sources) => sources,
            Err(error) => {
                self.summary.failures.push(error);
                return Ok(());
            }
        };
        for source in sources {
            match source {
                Ok(source) => self.source(source, progress)?,
                Err(error) => self.summary.failures.push(error),
            }
        }
        self.bytes_before += input_bytes;
        Ok(())
    }

    fn source(
        &mut self,
        source: Source,
        progress: &mut impl FnMut(EvaluationProgress),
    ) -> Result<()> {
        let Source {
            name,
            content,
            consumed,
            ..
        } = source;
        let Content::Stream(stream) = content else {
            unreachable!("the input is read as a stream")
        };
        let file_name = name
            .file_name()
            .unwrap_or(name.as_os_str())
            .to_string_lossy()
            .into_owned();
        let waiting = self.options.memory.waiting_evaluations();
        let mut writer = EvaluationWriter::new(EvaluationKind::File, file_name, waiting);
        let connection = &self.database.connection;

        let (known, line_moves) = (self.known.as_ref(), self.options.line_moves);
        let mut failure = None;
        let chunks = Chunks {
            stream,
            rest: Vec::new(),
            failure: &mut failure,
            is_at_end: false,
        };
        let mut lines_before = 0;
        let (summary, steps, step_bytes) = (&mut self.summary, self.steps, &mut self.step_bytes);
        let bytes_before = self.bytes_before;
        ordered(
            chunks,
            self.options.memory.batches(),
            |chunk: Vec<u8>| read_chunk(&chunk, known, line_moves),
            |read: ChunkRead| {
                summary.lines += read.evaluated;
                summary.wanted += read.evaluations.len() as u64;
                summary.unread += read.unread.len() as u64;
                let places = read.unread.iter().map(|line| lines_before + line);
                let room = MAX_PLACES - summary.places.len();
                summary.places.extend(
                    places
                        .take(room)
                        .map(|line| (name.display().to_string(), line)),
                );
                lines_before += read.lines;

                writer
                    .push(connection, read.evaluations)
                    .in_database(self.database)?;
                *step_bytes += read.bytes;
                if *step_bytes >= STEP_BYTES {
                    writer.flush(connection).in_database(self.database)?;
                    steps.next()?;
                    *step_bytes = 0;
                }
                let bytes = bytes_before + consumed.bytes();
                progress(EvaluationProgress {
                    lines: summary.lines,
                    bytes,
                });
                Ok::<(), Error>(())
            },
        )?;
        writer.flush(connection).in_database(self.database)?;
        summary.stored += writer.written();
        if let Some(error) = failure {
            summary
                .failures
                .push(Error::stream(&name, consumed.bytes(), error));
        }
        Ok(())
    }
}

/// What the lines of a chunk say.
struct ChunkRead {
    evaluations: Vec<NewEvaluation>,
    /// The number of lines with an evaluation, wanted or not.
    evaluated: u64,
    /// The numbers of lines that cannot be read, from 1.
    unread: Vec<u64>,
    lines: u64,
    bytes: u64,
}

fn read_chunk(chunk: &[u8], known: Option<&KnownPositions>, line_moves: usize) -> ChunkRead {
    let mut read = ChunkRead {
        evaluations: Vec::new(),
        evaluated: 0,
        unread: Vec::new(),
        lines: 0,
        bytes: chunk.len() as u64,
    };
    for line in chunk.split_inclusive(|&byte| byte == b'\n') {
        read.lines += 1;
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let is_wanted = |key| known.is_none_or(|known| known.may_have(key));
        let text = std::str::from_utf8(line).ok();
        match text.and_then(|text| read_line(text, line_moves, is_wanted)) {
            Some(evaluation) => {
                read.evaluated += 1;
                read.evaluations.extend(evaluation);
            }
            None => read.unread.push(read.lines),
        }
    }
    read
}

/// The lines of a stream, many at once. A line that is too long is cut.
struct Chunks<'f> {
    stream: Stream,
    /// The beginning of a line.
    rest: Vec<u8>,
    failure: &'f mut Option<io::Error>,
    is_at_end: bool,
}

impl Iterator for Chunks<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut chunk = std::mem::take(&mut self.rest);
        while !self.is_at_end {
            let read = self
                .stream
                .by_ref()
                .take(CHUNK_BYTES as u64)
                .read_to_end(&mut chunk);
            match read {
                Ok(0) => self.is_at_end = true,
                Ok(_) => {}
                Err(error) => {
                    *self.failure = Some(error);
                    self.is_at_end = true;
                }
            }
            let end = match memchr::memrchr(b'\n', &chunk) {
                Some(at) => at + 1,
                None if chunk.len() > MAX_LINE_BYTES => chunk.len(),
                None => continue,
            };
            self.rest = chunk.split_off(end);
            return Some(chunk);
        }
        Some(chunk).filter(|chunk| !chunk.is_empty())
    }
}
