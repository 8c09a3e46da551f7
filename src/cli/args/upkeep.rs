//! What can be said to the commands that keep databases whole, join them, and take sources out.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::memory;
use crate::import::Memory;

#[derive(Args, Debug)]
pub(in crate::cli) struct Optimize {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// How much memory may be taken, like 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory)]
    pub(in crate::cli) memory: Memory,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Check {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// Compare the index with all games (default: with some thousand)
    #[arg(long)]
    pub(in crate::cli) full: bool,
    /// Print a number instead that is equal for equal games and positions, whatever files they came from
    #[arg(long)]
    pub(in crate::cli) digest: bool,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Forget {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// Files by their path, or by their number, as `stamma info` lists them
    #[arg(required = true, value_hint = ValueHint::AnyPath)]
    pub(in crate::cli) sources: Vec<OsString>,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Merge {
    /// The database that takes the games; it is made when there is none
    pub(in crate::cli) database: PathBuf,
    /// The databases whose games it takes, which stay as they are
    #[arg(required = true)]
    pub(in crate::cli) others: Vec<PathBuf>,
    /// How much memory may be taken, like 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory)]
    pub(in crate::cli) memory: Memory,
}
