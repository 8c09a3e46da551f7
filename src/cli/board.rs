//! `stamma board`: draws a position on the terminal or as a picture.

use std::io::Write;
use std::path::Path;

use super::evaluation_line::evaluation_line;
use super::output::{OutputFile, print, styled_output};
use super::{Failure, Outcome, args, diagrams, open_for_queries};
use stamma::board::{Position, Setup, Square};
use stamma::error::{Error, Result};
use stamma::export::SvgBoard;
use stamma::notation::{Diagram, way_of};

pub(super) fn run(arguments: &args::Board) -> Result<Outcome, Failure> {
    arguments.check()?;

    let (setup, played) = setup_and_last_move(arguments)?;
    let diagram = Diagram {
        flipped: arguments.flip,
        moved: arguments.last_move.or(played),
        ..Diagram::of(&setup)
    };

    match &arguments.output {
        Some(path) => {
            let picture = SvgBoard {
                diagram,
                size: arguments.size,
                // Ids must be unique in a page with several pictures. This file has a single picture.
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

/// The setup to draw; with moves, also the origin and target of the last move.
fn setup_and_last_move(arguments: &args::Board) -> Result<(Setup, Option<[Square; 2]>)> {
    if let Some(reached) = arguments.position.reached(&arguments.fen)? {
        let played = reached.last.and_then(way_of);
        return Ok((reached.position.setup(), played));
    }

    // A FEN alone is drawn even if the position is not legal.
    let setup = match arguments.position.setup_if_any(&arguments.fen)? {
        Some(setup) => setup,
        None => Position::start().setup(),
    };
    Ok((setup, None))
}

/// The evaluation of a position in a database, as a line; `None` if there is none, or the position is not legal.
fn evaluation(path: &Path, setup: &Setup) -> Result<Option<String>> {
    let database = open_for_queries(path)?;
    let Ok(position) = Position::from_fen(&setup.to_string()) else {
        return Ok(None);
    };

    let evaluation = database.evaluation(&position)?;
    let line = evaluation.map(|evaluation| evaluation_line(&position, &evaluation));
    Ok(line.map(|line| format!("{line}\n")))
}

/// Prints a drawing.
fn write_drawing(drawing: &str) -> Result<()> {
    let mut out = styled_output()?;
    out.write_all(drawing.as_bytes()).map_err(Error::Output)?;
    out.flush().map_err(Error::Output)
}

/// Writes a picture to a file; `-` is standard output.
fn write_picture(path: &Path, picture: &SvgBoard<'_>) -> Result<()> {
    if path == Path::new("-") {
        return print(picture.to_string());
    }

    let mut out = OutputFile::create(path)?;
    write!(out, "{picture}").map_err(Error::Output)?;
    out.finish(Outcome::Done)
}

/// The board, unless boards are turned off, with the FEN below it.
fn drawing(setup: &Setup, diagram: Diagram<'_>, arguments: &args::Board) -> String {
    match arguments.boards.signs() {
        Some(signs) => {
            let board = diagrams::drawn(&Diagram { signs, ..diagram });
            format!("{board}\n\n{setup}\n")
        }
        None => format!("{setup}\n"),
    }
}
