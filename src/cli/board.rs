//! `stamma board`

use std::io::{self, Write};
use std::path::Path;

use super::output::replace_file;
use super::{Outcome, args, diagrams};
use crate::board::{Position, Setup};
use crate::error::{Error, Result};
use crate::export::SvgBoard;
use crate::notation::{Diagram, way_of};

pub(super) fn run(arguments: &args::Board) -> Result<Outcome> {
    let (setup, moved) = match arguments.asked.reached(&arguments.fen)? {
        Some(reached) => (reached.position.setup(), reached.last.and_then(way_of)),
        None => {
            let setup = arguments.asked.setup_if_any(&arguments.fen)?;
            (setup.unwrap_or_else(|| Position::start().setup()), None)
        }
    };
    let moved = arguments.last_move.or(moved);
    let diagram = Diagram { flipped: arguments.flip, moved, ..Diagram::of(&setup) };
    match &arguments.output {
        Some(path) => write_picture(path, &SvgBoard { diagram, size: arguments.size })?,
        None => print(&setup, diagram, arguments).map_err(Error::Output)?,
    }
    Ok(Outcome::Done)
}

fn write_picture(path: &Path, picture: &SvgBoard<'_>) -> Result<()> {
    let write = |out: &mut dyn Write| write!(out, "{picture}").map_err(Error::Output);
    match path == Path::new("-") {
        true => write(&mut io::stdout().lock()),
        false => replace_file(path, |out| write(out)),
    }
}

fn print(setup: &Setup, diagram: Diagram<'_>, arguments: &args::Board) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if let Some(signs) = arguments.boards.signs() {
        writeln!(out, "{}\n", diagrams::drawn(&Diagram { signs, ..diagram }))?;
    }
    writeln!(out, "{setup}")
}
