//! Writes all problems of a run as JSON Lines.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::replay::ProblemKind;
use crate::source_problem::SourceProblem;

/// A file that receives every problem as a line.
#[derive(Clone, Debug)]
pub struct ProblemLog {
    path: PathBuf,
    file: Arc<File>,
}

/// A problem as written, with its fields in order.
#[derive(Debug, Serialize)]
pub struct ProblemLine<'p> {
    #[serde(skip)]
    kind: ProblemKind,
    /// `true` if the line is of the text that records were made into.
    #[serde(skip)]
    is_of_records: bool,
    code: &'static str,
    source: &'p str,
    game: Option<i64>,
    byte_offset: u64,
    byte_length: u64,
    line: u64,
    column: u64,
    ply: Option<u32>,
    text: &'p str,
    message: &'p str,
}

impl<'p> ProblemLine<'p> {
    /// The log line of a problem of a source. `game` is the number of the game; `None` for text between games.
    pub(crate) fn new(
        source: &'p str,
        game: Option<i64>,
        row: &'p SourceProblem,
    ) -> ProblemLine<'p> {
        let problem = &row.problem;

        ProblemLine {
            kind: problem.kind,
            is_of_records: false,
            code: problem.kind.code(),
            source,
            game,
            byte_offset: row.byte_offset,
            byte_length: row.byte_length,
            line: row.line,
            column: row.column,
            ply: game.map(|_| problem.ply.get()),
            text: &problem.text,
            message: &problem.message,
        }
    }

    /// Sets whether the source is made from records, whose lines users do not see.
    pub(crate) fn of_records(self, is_of_records: bool) -> ProblemLine<'p> {
        ProblemLine {
            is_of_records,
            ..self
        }
    }
}

impl ProblemLine<'_> {
    /// The kind of the problem.
    pub fn kind(&self) -> ProblemKind {
        self.kind
    }

    /// The name of the source.
    pub fn source(&self) -> &str {
        self.source
    }

    /// The number of the game; `None` for text between games.
    pub fn game(&self) -> Option<i64> {
        self.game
    }

    /// The line of the source on which the text begins, from 1; `None` if the source has no lines, such as a Parquet
    /// file.
    pub fn line(&self) -> Option<u64> {
        if self.is_of_records {
            return None;
        }
        Some(self.line)
    }

    /// The offending text.
    pub fn text(&self) -> &str {
        self.text
    }

    /// The problem as a sentence.
    pub fn message(&self) -> &str {
        self.message
    }
}

impl ProblemLog {
    /// A log to an open file; the path is for messages.
    pub fn new(path: &Path, file: File) -> ProblemLog {
        ProblemLog {
            path: path.to_owned(),
            file: Arc::new(file),
        }
    }

    /// Writes problems of a source, each with the number of its game.
    pub(crate) fn write(&self, source: &str, rows: &[(Option<i64>, SourceProblem)]) -> Result<()> {
        let mut lines = Vec::new();
        for (game, row) in rows {
            let line = ProblemLine::new(source, *game, row);
            serde_json::to_writer(&mut lines, &line).map_err(|error| self.error(error.into()))?;
            lines.push(b'\n');
        }

        let mut file = &*self.file;
        file.write_all(&lines).map_err(|error| self.error(error))
    }

    fn error(&self, source: std::io::Error) -> Error {
        Error::ProblemLog {
            path: self.path.clone(),
            source,
        }
    }
}
