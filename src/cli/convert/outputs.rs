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
    others: Option<OutputFile>,
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
                let beside = [&arguments.duplicates, &arguments.others];
                let beside = beside.into_iter().flatten().map(PathBuf::as_path);
                let refused = inputs
                    .into_iter()
                    .chain(beside)
                    .chain(arguments.form.logs());
                Games::Split(Box::new(SplitOutput::create(path, refused)?))
            }
        };
        let duplicates = arguments
            .duplicates
            .as_deref()
            .map(OutputFile::create)
            .transpose()?;
        let others = arguments
            .others
            .as_deref()
            .map(OutputFile::create)
            .transpose()?;
        Ok(Outputs {
            games,
            duplicates,
            others,
        })
    }

    /// Writes a part of the output.
    pub(super) fn write(&mut self, piece: Piece<'_>) -> Result<()> {
        let beside = match piece {
            Piece::Duplicates(text) => Some((text, &mut self.duplicates)),
            Piece::Others(text) => Some((text, &mut self.others)),
            Piece::Games(_) | Piece::Of(..) => None,
        };
        if let Some((text, file)) = beside {
            let Some(file) = file else { return Ok(()) };
            return file.write_all(text).map_err(Error::Output);
        }

        let written = match (piece, &mut self.games) {
            (Piece::Of(key, text), Games::Split(split)) => return split.write(key, text),
            (piece, Games::Standard(out)) => out.write_all(piece.games()),
            (piece, Games::One(out)) => out.write_all(piece.games()),
            (piece, Games::Split(split)) => return split.write("", piece.games()),
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
        for file in [self.duplicates, self.others].into_iter().flatten() {
            file.finish(outcome)?;
        }
        Ok(())
    }
}
