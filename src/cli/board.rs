//! `stamma board`

use std::io::Write;
use std::path::Path;

use super::evaluation_line::evaluation_line;
use super::output::{OutputFile, print, styled_output};
use super::{Failure, Outcome, args, diagrams, open_to_ask};
use stamma::board::{Position, Setup};
use stamma::error::{Error, Result};
use stamma::export::SvgBoard;
use stamma::notation::{Diagram, way_of};

pub(super) fn run(arguments: &args::Board) -> Result<Outcome, Failure> {
    arguments.check()?;

    let (setup, moved_before) = match arguments.position.reached(&arguments.fen)? {
        Some(reached) => (reached.position.setup(), reached.last.and_then(way_of)),
        None => {
            let setup = arguments
                .position
                .setup_if_any(&arguments.fen)
                .map_err(Error::from)?;
            (setup.unwrap_or_else(|| Position::start().setup()), None)
        }
    };
    let diagram = Diagram {
        flipped: arguments.flip,
        moved: arguments.last_move.or(moved_before),
        ..Diagram::of(&setup)
    };
    match &arguments.output {
        Some(path) => {
            let picture = SvgBoard {
                diagram,
                size: arguments.size,
                ids: "",
            };
            write_picture(path, &picture)?;
        }
        None => {
            let evaluation = match &arguments.database {
                Some(path) => evaluation(path, &setup)?,
                None => None,
            };
            let drawing = drawing(&setup, diagram, arguments);
            write_drawing(&format!("{drawing}{}", evaluation.unwrap_or_default()))?;
        }
    }

    Ok(Outcome::Done)
}

/// What a database knows of a position, as a line; `None` if it knows nothing, or the position is not legal.
fn evaluation(database: &Path, setup: &Setup) -> Result<Option<String>> {
    let database = open_to_ask(database)?;
    let Ok(position) = Position::from_fen(&setup.to_string()) else {
        return Ok(None);
    };
    let found = database.evaluation(&position)?;
    Ok(found.map(|found| format!("{}\n", evaluation_line(&position, &found))))
}

fn write_drawing(drawing: &str) -> Result<()> {
    let mut out = styled_output()?;
    out.write_all(drawing.as_bytes()).map_err(Error::Output)?;
    out.flush().map_err(Error::Output)
}

fn write_picture(path: &Path, picture: &SvgBoard<'_>) -> Result<()> {
    if path == Path::new("-") {
        return print(picture.to_string());
    }

    let mut out = OutputFile::create(path)?;
    write!(out, "{picture}").map_err(Error::Output)?;
    out.finish(Outcome::Done)
}

/// The board, if boards are shown, and the FEN below it.
fn drawing(setup: &Setup, diagram: Diagram<'_>, arguments: &args::Board) -> String {
    match arguments.boards.signs() {
        Some(signs) => {
            let board = diagrams::drawn(&Diagram { signs, ..diagram });
            format!("{board}\n\n{setup}\n")
        }
        None => format!("{setup}\n"),
    }
}
