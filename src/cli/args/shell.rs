//! Arguments of commands that describe other commands to shells and readers.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

#[derive(Args, Debug)]
pub(in crate::cli) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(in crate::cli) shell: Shell,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Man {
    /// The command whose page to print (default: stamma itself)
    #[arg(conflicts_with = "output")]
    pub(in crate::cli) command: Option<String>,
    /// Write the pages of all commands into a folder, which is created if it does not exist
    #[arg(short, long, value_name = "FOLDER")]
    pub(in crate::cli) output: Option<PathBuf>,
}
