//! The changes that a conversion or an export makes. They are counted by kind with examples, and written in full to a
//! report.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::args::CsvCells;
use super::output::OutputFile;
use super::records::{write_csv, write_csv_rows, write_jsonl};
use super::say;
use stamma::error::Result;
use stamma::report::grouped;

/// The number of examples of each kind.
const MAX_EXAMPLES: usize = 3;

/// The fields of a [`Change`].
const FIELDS: [&str; 8] = [
    "code", "source", "game", "line", "tag", "before", "after", "message",
];

/// A row of a report: a change of a game.
#[derive(Serialize)]
pub(super) struct Change<'c> {
    /// The code of the kind of change.
    pub(super) code: &'static str,
    /// The file of the game; `None` in a database.
    pub(super) source: Option<&'c str>,
    /// The number of the game.
    pub(super) game: u64,
    /// The line on which the game or the changed text begins, from 1; `None` in a database and in a source without
    /// lines.
    pub(super) line: Option<u64>,
    /// The changed tag; `None` for a change of the movetext.
    pub(super) tag: Option<&'c str>,
    /// The original text; `None` if the change adds a text.
    pub(super) before: Option<&'c str>,
    /// The text in the output; `None` if the change leaves it out.
    pub(super) after: Option<&'c str>,
    /// The change in words.
    pub(super) message: &'c str,
}

impl Change<'_> {
    /// The change in words, after its place: the source, the line and the number of the game.
    fn example(&self) -> String {
        let place = match (self.source, self.line) {
            (Some(source), Some(line)) => format!("{source}:{line}: "),
            (Some(source), None) => format!("{source}: "),
            (None, _) => String::new(),
        };

        format!("{place}game {}: {}", self.game, self.message)
    }
}

/// A collector of changes, which are added in the order of the output.
pub(super) struct Changes<'o> {
    report: Option<ReportFile<'o>>,
    kinds: BTreeMap<&'static str, Kind>,
}

/// The number of changes of a kind, and the first of them in words.
#[derive(Default)]
struct Kind {
    count: u64,
    examples: Vec<String>,
}

/// A file that receives every change.
struct ReportFile<'o> {
    out: &'o mut OutputFile,
    is_csv: bool,
}

impl<'o> ReportFile<'o> {
    /// Begins a report; comma-separated values begin with a header.
    fn begin(path: &Path, out: &'o mut OutputFile) -> Result<ReportFile<'o>> {
        let is_csv = path
            .extension()
            .is_some_and(|name| name.eq_ignore_ascii_case("csv"));
        if is_csv {
            write_csv::<Change<'_>>(&FIELDS, &[], CsvCells::default(), out)?;
        }

        Ok(ReportFile { out, is_csv })
    }

    fn write(&mut self, change: &Change<'_>) -> Result<()> {
        if self.is_csv {
            write_csv_rows(&[change], CsvCells::default(), self.out)
        } else {
            write_jsonl(&[change], self.out)
        }
    }
}

impl<'o> Changes<'o> {
    /// A collector that writes each change to a file, if one is given: as comma-separated values if its name ends with
    /// `.csv`, otherwise as JSON Lines.
    pub(super) fn new(report: Option<(&Path, &'o mut OutputFile)>) -> Result<Changes<'o>> {
        let report = match report {
            None => None,
            Some((path, out)) => Some(ReportFile::begin(path, out)?),
        };

        Ok(Changes {
            report,
            kinds: BTreeMap::new(),
        })
    }

    /// Adds a change.
    pub(super) fn add(&mut self, change: &Change<'_>) -> Result<()> {
        let kind = self.kinds.entry(change.code).or_default();
        kind.count += 1;
        if kind.examples.len() < MAX_EXAMPLES {
            kind.examples.push(change.example());
        }

        match &mut self.report {
            None => Ok(()),
            Some(report) => report.write(change),
        }
    }

    /// Prints the number and the examples of each kind of change for which `named` returns a name.
    pub(super) fn say(&self, named: impl Fn(&'static str) -> Option<String>) {
        for (code, kind) in &self.kinds {
            let Some(name) = named(code) else { continue };

            say!("{:>9}  {name}", grouped(kind.count));
            self.say_examples(code);
        }
    }

    /// Prints the examples of the kind with a code.
    pub(super) fn say_examples(&self, code: &str) {
        let Some(kind) = self.kinds.get(code) else {
            return;
        };
        for example in &kind.examples {
            say!("           {example}");
        }
    }
}
