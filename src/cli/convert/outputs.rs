//! The destinations of a conversion: standard output, a file, or a file for each part of a division.

use std::io::Write;
use std::path::Path;

use crate::cli::output::{OutputFile, StandardOutput, create_if_any, standard_output};
use crate::cli::split_output::SplitOutput;
use crate::cli::{Outcome, args};
use stamma::convert::OutputPart;
use stamma::error::{Error, Result};

/// The output of a conversion. Duplicates and games that do not match the filters may have separate files.
pub(super) struct Outputs {
    games: Games,
    duplicates: Option<OutputFile>,
    others: Option<OutputFile>,
}

/// The destination of games that are not left out.
enum Games {
    Standard(StandardOutput),
    One(OutputFile),
    Split(Box<SplitOutput>),
}

impl Outputs {
    /// Creates the files of the arguments. A file of a division must not overwrite an input or another output.
    pub(super) fn create<'p>(
        arguments: &'p args::Convert,
        inputs: impl IntoIterator<Item = &'p Path>,
    ) -> Result<Outputs> {
        let games = match (&arguments.output, arguments.split.by) {
            (None, _) => {
                let out = standard_output().map_err(Error::Output)?;
                Games::Standard(out)
            }
            (Some(path), None) => Games::One(OutputFile::create(path)?),
            (Some(path), Some(_)) => {
                // The names of the files depend on the games, so each file is checked when it is added.
                let mut refused: Vec<&Path> = inputs.into_iter().collect();
                refused.extend(arguments.duplicates.as_deref());
                refused.extend(arguments.others.as_deref());
                refused.extend(arguments.pgn_options.logs());
                let files = SplitOutput::create(path, refused)?;
                Games::Split(Box::new(files))
            }
        };

        Ok(Outputs {
            games,
            duplicates: create_if_any(arguments.duplicates.as_deref())?,
            others: create_if_any(arguments.others.as_deref())?,
        })
    }

    /// Writes a part of the output.
    pub(super) fn write(&mut self, part: OutputPart<'_>) -> Result<()> {
        match part {
            // Without a division, there is no key.
            OutputPart::Games(text) => self.games.write("", text),
            OutputPart::File(key, text) => self.games.write(key, text),
            OutputPart::Duplicates(text) => write_if_any(&mut self.duplicates, text),
            OutputPart::Others(text) => write_if_any(&mut self.others, text),
        }
    }

    /// The number of files among which games are divided; `None` without a division.
    pub(super) fn files(&self) -> Option<u64> {
        match &self.games {
            Games::Split(split) => Some(split.files()),
            _ => None,
        }
    }

    /// Moves the files to their paths, where they replace earlier files, unless the command has failed.
    pub(super) fn finish(self, outcome: Outcome) -> Result<()> {
        match self.games {
            Games::Standard(_) => {}
            Games::One(file) => file.finish(outcome)?,
            Games::Split(split) => split.finish(outcome)?,
        }

        for file in [self.duplicates, self.others].into_iter().flatten() {
            file.finish(outcome)?;
        }
        Ok(())
    }
}

impl Games {
    /// Writes games. Divided output appends them to the file of the key.
    fn write(&mut self, key: &str, text: &[u8]) -> Result<()> {
        match self {
            Games::Standard(out) => out.write_all(text).map_err(Error::Output),
            Games::One(file) => file.write_all(text).map_err(Error::Output),
            Games::Split(split) => split.write(key, text),
        }
    }
}

/// Writes to a file, if there is one.
fn write_if_any(file: &mut Option<OutputFile>, text: &[u8]) -> Result<()> {
    match file {
        Some(file) => file.write_all(text).map_err(Error::Output),
        None => Ok(()),
    }
}
