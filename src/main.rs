//! The program `stamma`: the command line of the library.

mod cli;
#[cfg(feature = "serve")]
mod serve;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
