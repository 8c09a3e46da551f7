//! The program `stamma`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    stamma::cli::run()
}
