//! What is said on the command line about where games come from.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::Args;

use crate::error::Error;
use crate::input::{Input, find_inputs};

/// Where games come from.
#[derive(Args, Debug)]
pub(super) struct ReadFrom {
    /// PGN files and archives, compressed or not; folders, in which all of these are meant; patterns like
    /// '*.pgn'; and - for standard input
    paths: Vec<PathBuf>,
    /// Read files as streams instead of mapping them into memory
    #[arg(long)]
    no_mmap: bool,
}

impl ReadFrom {
    /// All that is to be read, in its order; standard input when nothing is named and something is there. What is
    /// wrong with a path goes to `failures`.
    pub(super) fn inputs(&self, failures: &mut Vec<Error>) -> Vec<Input> {
        if self.paths.is_empty() && io::stdin().is_terminal() {
            failures.push(Error::NoInput);
            return Vec::new();
        }
        let inputs = match self.paths.is_empty() {
            true => vec![Input::standard_input()],
            false => find_inputs(&self.paths, failures),
        };
        let open = |input: Input| if self.no_mmap { input.streamed() } else { input };
        inputs.into_iter().map(open).collect()
    }
}
