//! Where the games of a conversion go.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::cli::output::{OutputFile, StandardOutput, standard_output};
use crate::cli::split_output::SplitOutput;
use crate::cli::{Outcome, args};
use stamma::convert::Piece;
use stamma::error::{Error, Result};

/// The files of a conversion.
pub(super) struct Outputs {
    games: Games,
    duplicates: Option<OutputFile>,
}

enum Games {
    Standard(StandardOutput),
    One(OutputFile),
    Split(Box<SplitOutput>),
}

impl Outputs {
    /// Creates the files that the arguments name; no file of a division may be one of `inputs`.
    pub(super) fn create<'p>(
        arguments: &'p args::Convert,
        inputs: impl IntoIterator<Item = &'p Path>,
    ) -> Result<Outputs> {
        let games = match (&arguments.output, arguments.split.by) {
            (None, _) => Games::Standard(standard_output().map_err(Error::Output)?),
            (Some(path), None) => Games::One(OutputFile::create(path)?),
            (Some(path), Some(_)) => {
                let others = arguments.duplicates.iter().map(PathBuf::as_path);
                let refused = inputs.into_iter().chain(others).chain(arguments.form.problems());
                Games::Split(Box::new(SplitOutput::create(path, refused)?))
            }
        };
        let duplicates = arguments.duplicates.as_deref().map(OutputFile::create).transpose()?;
        Ok(Outputs { games, duplicates })
    }

    /// Writes a part of the output.
    pub(super) fn write(&mut self, piece: Piece<'_>) -> Result<()> {
        let written = match (piece, &mut self.games, &mut self.duplicates) {
            (Piece::Of(key, text), Games::Split(split), _) => return split.write(key, text),
            (Piece::Duplicates(text), _, Some(duplicates)) => duplicates.write_all(text),
            (Piece::Duplicates(_), ..) => Ok(()),
            (piece, Games::Standard(out), _) => out.write_all(piece.games()),
            (piece, Games::One(out), _) => out.write_all(piece.games()),
            (piece, Games::Split(split), _) => return split.write("", piece.games()),
        };
        written.map_err(Error::Output)
    }

    /// The number of files that games are divided among.
    pub(super) fn files(&self) -> Option<u64> {
        match &self.games {
            Games::Split(split) => Some(split.files()),
            _ => None,
        }
    }

    /// Lets the files replace those of their names, unless the command has failed.
    pub(super) fn finish(self, outcome: Outcome) -> Result<()> {
        match self.games {
            Games::Standard(_) => {}
            Games::One(file) => file.finish(outcome)?,
            Games::Split(split) => split.finish(outcome)?,
        }
        self.duplicates.map_or(Ok(()), |file| file.finish(outcome))
    }
}
