//! Evaluations of positions: from files, and from an engine.
//!
//! For files, `line` reads a line, and `known` is the set of positions that a database has. Chunks of lines are read on
//! all threads, and one thread writes their evaluations in the order of the file. `analysis` searches positions of a
//! database, which `wanted` selects. `analyzer` searches positions without a database. `searches` has the types that
//! `analysis` and `analyzer` share.

mod analysis;
mod analyzer;
mod known;
mod line;
mod searches;
mod wanted;

use std::io::{self, Read};
use std::path::Path;

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
use line::{EvaluatedLine, read_line};
pub use searches::{AnalysisEvent, AnalysisOptions, SearchCounts};

/// The size of a chunk of lines.
const CHUNK_BYTES: usize = 1 << 20;
/// The maximum length of a line. A longer line is truncated, and counts as unreadable.
const MAX_LINE_BYTES: usize = 16 << 20;
/// The bytes of input between two commits.
const STEP_BYTES: u64 = 1 << 30;
/// The maximum number of unreadable lines that are reported with their places.
const MAX_REPORTED_LINES: usize = 10;

/// Options of reading evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationOptions {
    /// `true` if the evaluations of positions that no game of the database has are also stored.
    pub all: bool,
    /// The number of moves of a line to store; 0 for none.
    pub line_moves: usize,
    /// The memory limit.
    pub memory: Memory,
}

/// The totals of reading evaluations.
#[derive(Debug, Default)]
pub struct EvaluationSummary {
    /// The number of lines with an evaluation.
    pub lines: u64,
    /// The number of evaluations of positions that the database has.
    pub known_positions: u64,
    /// The number of evaluations that were stored, since the position had no evaluation or a worse one.
    pub stored: u64,
    /// The number of lines that could not be read.
    pub unread: u64,
    /// The first lines that could not be read.
    pub places: Vec<UnreadLine>,
    /// The files that could not be read, or not to their end.
    pub failures: Vec<Error>,
}

/// A line of a text, or a row of a Parquet file, that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadLine {
    /// The name of the file.
    pub source: String,
    /// `true` for a row of a Parquet file.
    pub is_row: bool,
    /// The number of the line or row, from 1.
    pub number: u64,
}

/// The lines and bytes read so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvaluationProgress {
    /// Lines with an evaluation.
    pub lines: u64,
    /// Bytes of the inputs as stored, compressed or not.
    pub bytes: u64,
}

/// Adds the evaluations in files that are better than the stored evaluations. Each step is durable. After an
/// interruption, the files may be read again.
///
/// A line is a JSON object as in the file of Lichess's evaluations, or a line of EPD with `ce`, `acd`, `acn`, `pv` or
/// `dm`. Files may also be Parquet with an evaluation in each row.
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
        // The set is made by a replay of all games, which is not worth the time without a file to read.
        let needs_known = !options.all && inputs.peek().is_some();
        let known = if needs_known {
            Some(KnownPositions::read(database, options.memory)?)
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
            reading.read_input(input, &mut progress)?;
        }
        Ok(reading.summary)
    })
}

/// The state of reading evaluations into a database.
struct Reading<'d, 's> {
    database: &'d Database,
    steps: &'s Commits<'d>,
    options: EvaluationOptions,
    /// The positions whose evaluations are stored; `None` for all positions.
    known: Option<KnownPositions>,
    summary: EvaluationSummary,
    /// The bytes read since the last step.
    step_bytes: u64,
    /// The bytes of the inputs before this one.
    bytes_before: u64,
}

impl Reading<'_, '_> {
    /// Reads all sources of an input. Sources that cannot be read are added to the failures.
    fn read_input(
        &mut self,
        input: Input,
        progress: &mut impl FnMut(EvaluationProgress),
    ) -> Result<()> {
        let input_bytes = input.bytes().unwrap_or(0);
        let sources = match input.as_stream().of_evaluations().sources() {
            Ok(sources) => sources,
            Err(error) => {
                self.summary.failures.push(error);
                return Ok(());
            }
        };

        for source in sources {
            match source {
                Ok(source) => self.read_source(source, progress)?,
                Err(error) => self.summary.failures.push(error),
            }
        }
        self.bytes_before += input_bytes;
        Ok(())
    }

    /// Reads the evaluations of a source up to its end, or up to the first damage.
    fn read_source(
        &mut self,
        source: Source,
        progress: &mut impl FnMut(EvaluationProgress),
    ) -> Result<()> {
        let Source {
            name,
            content,
            consumed,
            is_of_records,
            ..
        } = source;
        let Content::Stream(stream) = content else {
            unreachable!("the input is read as a stream")
        };

        let waiting = self.options.memory.waiting_evaluations();
        let mut writer = SourceWriter {
            database: self.database,
            steps: self.steps,
            writer: EvaluationWriter::new(EvaluationKind::File, source_name(&name), waiting),
            name: &name,
            is_of_rows: is_of_records,
            lines_before: 0,
            step_bytes: &mut self.step_bytes,
            summary: &mut self.summary,
        };

        let mut failure = None;
        let chunks = Chunks {
            stream,
            rest: Vec::new(),
            failure: &mut failure,
            is_at_end: false,
            is_in_long_line: false,
        };

        let known = self.known.as_ref();
        let line_moves = self.options.line_moves;
        let read_lines = |chunk: Vec<u8>| read_chunk(&chunk, known, line_moves);

        let bytes_before = self.bytes_before;
        let write_evaluations = |read: ChunkRead| {
            writer.write(read)?;
            progress(EvaluationProgress {
                lines: writer.summary.lines,
                bytes: bytes_before + consumed.bytes(),
            });
            Ok::<(), Error>(())
        };
        let batches = self.options.memory.batches();
        ordered(chunks, batches, read_lines, write_evaluations)?;
        writer.finish()?;

        if let Some(error) = failure {
            let failure = Error::stream(&name, consumed.bytes(), error);
            self.summary.failures.push(failure);
        }
        Ok(())
    }
}

/// The name under which a source is stored: the name of its file, without the folder.
fn source_name(path: &Path) -> String {
    let file_name = path.file_name().unwrap_or(path.as_os_str());
    file_name.to_string_lossy().into_owned()
}

/// Writes the evaluations of a source, and adds them to the totals.
struct SourceWriter<'r, 'd> {
    database: &'d Database,
    steps: &'r Commits<'d>,
    writer: EvaluationWriter,
    /// The name of the source.
    name: &'r Path,
    /// `true` if each line is made from a row.
    is_of_rows: bool,
    /// The number of lines before the next chunk.
    lines_before: u64,
    step_bytes: &'r mut u64,
    summary: &'r mut EvaluationSummary,
}

impl SourceWriter<'_, '_> {
    /// Writes the evaluations of a chunk of lines.
    fn write(&mut self, read: ChunkRead) -> Result<()> {
        self.note_unread(&read.unread);
        self.lines_before += read.lines;
        self.summary.lines += read.evaluated;
        self.summary.known_positions += read.evaluations.len() as u64;

        let connection = &self.database.connection;
        let pushed = self.writer.push(connection, read.evaluations);
        pushed.in_database(self.database)?;

        // Each step is durable: an interruption loses only the evaluations since the last step.
        *self.step_bytes += read.bytes;
        if *self.step_bytes >= STEP_BYTES {
            let flushed = self.writer.flush(connection);
            flushed.in_database(self.database)?;
            self.steps.next()?;
            *self.step_bytes = 0;
        }
        Ok(())
    }

    /// Counts the unreadable lines of a chunk, and notes the places of the first ones.
    fn note_unread(&mut self, unread: &[u64]) {
        self.summary.unread += unread.len() as u64;

        let room = MAX_REPORTED_LINES.saturating_sub(self.summary.places.len());
        for line in unread.iter().take(room) {
            self.summary.places.push(UnreadLine {
                source: self.name.display().to_string(),
                is_row: self.is_of_rows,
                number: self.lines_before + line,
            });
        }
    }

    /// Writes the last evaluations.
    fn finish(mut self) -> Result<()> {
        let flushed = self.writer.flush(&self.database.connection);
        flushed.in_database(self.database)?;
        self.summary.stored += self.writer.written();
        Ok(())
    }
}

/// The evaluations and totals of a chunk of lines.
struct ChunkRead {
    evaluations: Vec<NewEvaluation>,
    /// The number of lines with an evaluation, wanted or not.
    evaluated: u64,
    /// The numbers of the lines that cannot be read, from 1 in the chunk.
    unread: Vec<u64>,
    lines: u64,
    bytes: u64,
}

/// Reads the lines of a chunk. Only evaluations of `known` positions are kept.
fn read_chunk(chunk: &[u8], known: Option<&KnownPositions>, line_moves: usize) -> ChunkRead {
    let mut read = ChunkRead {
        evaluations: Vec::new(),
        evaluated: 0,
        unread: Vec::new(),
        lines: 0,
        bytes: chunk.len() as u64,
    };
    let is_wanted = |key| known.is_none_or(|known| known.may_have(key));
    for line in chunk.split_inclusive(|&byte| byte == b'\n') {
        read.lines += 1;
        if line.len() > MAX_LINE_BYTES {
            read.unread.push(read.lines);
            continue;
        }

        let content = line.trim_ascii();
        if content.is_empty() {
            continue;
        }

        let line_read = match std::str::from_utf8(content) {
            Ok(text) => read_line(text, line_moves, is_wanted),
            Err(_) => None,
        };
        match line_read {
            Some(EvaluatedLine::Wanted(evaluation)) => {
                read.evaluated += 1;
                read.evaluations.push(evaluation);
            }
            Some(EvaluatedLine::Unwanted) => read.evaluated += 1,
            None => read.unread.push(read.lines),
        }
    }
    read
}

/// An iterator over chunks of whole lines of a stream. A line that is too long is truncated, and ends its chunk.
struct Chunks<'f> {
    stream: Stream,
    /// The beginning of the next line.
    rest: Vec<u8>,
    /// The error that ended the stream. It is reported after the evaluations before it have been stored.
    failure: &'f mut Option<io::Error>,
    is_at_end: bool,
    /// `true` if the stream is within a line that has been truncated.
    is_in_long_line: bool,
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

            // The rest of a truncated line is skipped, so that it is not counted as another line.
            if self.is_in_long_line {
                let Some(at) = memchr::memchr(b'\n', &chunk) else {
                    chunk.clear();
                    continue;
                };
                chunk.drain(..=at);
                self.is_in_long_line = false;
            }

            let end = match memchr::memrchr(b'\n', &chunk) {
                Some(at) => at + 1,
                None if chunk.len() > MAX_LINE_BYTES => {
                    self.is_in_long_line = true;
                    chunk.len()
                }
                None => continue,
            };
            self.rest = chunk.split_off(end);
            return Some(chunk);
        }

        // The last line may have no end of line.
        if chunk.is_empty() { None } else { Some(chunk) }
    }
}
