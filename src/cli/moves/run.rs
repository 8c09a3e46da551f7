//! `stamma moves`: the moves of one position, or a tree.

use std::io::Write;

use super::{tree, write_moves};
use crate::cli::intended_command::with_command;
use crate::cli::output::{buffered_output, styled_output};
use crate::cli::selection::ReplayBar;
use crate::cli::suggestions::say_about_names;
use crate::cli::{
    Failure, Outcome, args, args::AnswerFormat, open_all_for_positions, say_all_indexed_plies,
};
use stamma::error::Error;
use stamma::query::Watch;
use stamma::storage::Database;

pub(in crate::cli) fn run(arguments: &args::Moves) -> Result<Outcome, Failure> {
    let request = arguments.resolve()?;
    let mut databases = open_all_for_positions(&request.databases)?;
    let positions = arguments
        .position
        .positions_or_start(&request.position)
        .map_err(|error| with_command(error, "moves", &databases))?;

    let index_plies = say_all_indexed_plies(&databases)?;
    say_about_names(&databases, &request.games.filter)?;

    let query = request.games.query().positions(positions.iter().cloned());
    let names = databases.names().to_vec();
    let bar = ReplayBar::default();
    let show = |replayed, all| bar.show(replayed, all);

    // A table begins with a board, which may be in colours.
    let is_table = arguments.format == AnswerFormat::Table;
    let mut out = if is_table {
        styled_output()?
    } else {
        buffered_output()?
    };
    databases.query(&query, Watch::new().progress(&show), |results| {
        // The first database names the openings.
        let openings = results.read(0, Database::openings)?;
        let Some(depth) = arguments.depth else {
            return write_moves(&names, &openings, results, index_plies, arguments, &mut out);
        };
        let tree = results.move_tree(depth.into(), arguments.min_games)?;
        tree::write(&openings, &positions, arguments, tree, &mut out)
    })?;

    out.flush().map_err(Error::Output)?;
    Ok(Outcome::Done)
}
