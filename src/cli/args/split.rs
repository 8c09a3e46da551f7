//! The option for the division of games among files.

use std::path::Path;

use clap::Args;
use clap::builder::TypedValueParser;

use super::usage::{Checked, refuse_if};
use super::values::offered;
use stamma::export::SplitBy;

#[derive(Args, Clone, Copy, Debug)]
pub(in crate::cli) struct Split {
    /// Write a file for each player, event, eco (ECO code) or year, or for each 1,000 games (games:1000); the value
    /// replaces {} in the file name of -o: -o 'out/{}.pgn'
    #[arg(long = "split-by", value_name = "WHAT", requires = "output", value_parser = split_by())]
    #[arg(hide_possible_values = true)]
    pub(in crate::cli) by: Option<SplitBy>,
}

impl Split {
    /// Refuses a division whose output file has not exactly one placeholder for the keys of the files.
    ///
    /// # Errors
    /// When the name of the output file has no placeholder or several.
    pub(super) fn check(self, output: Option<&Path>) -> Checked {
        let Some(output) = output else { return Ok(()) };
        let name = output.file_name().unwrap_or_default().to_string_lossy();
        refuse_if(
            self.by.is_some() && name.matches("{}").count() != 1,
            "--split-by needs {} once in the name of the output file: -o 'out/{}.pgn'",
        )
    }
}

/// The parser of divisions, which suggests the keys.
fn split_by() -> impl TypedValueParser<Value = SplitBy> {
    offered(
        ["player", "event", "eco", "year", "games:1000"],
        str::parse::<SplitBy>,
    )
}
