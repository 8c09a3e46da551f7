//! `stamma moves`: the moves of one position, or a tree.

use std::io::Write;

use super::{tree, write_moves};
use crate::cli::meant::with_command;
use crate::cli::output::buffered_output;
use crate::cli::selection::ReplayBar;
use crate::cli::suggestions::say_unknown;
use crate::cli::{Outcome, args, open_for_positions};
use stamma::error::{Error, Result};
use stamma::query::Watch;

pub(in crate::cli) fn run(arguments: &args::Moves) -> Result<Outcome> {
    let database = open_for_positions(&arguments.database)?;
    let positions = arguments.position.wanted(&arguments.fen);
    let positions = positions.map_err(|error| with_command(error, "moves", &database))?;
    say_unknown(&database, &arguments.games.filter())?;
    let bar = ReplayBar::default();
    let show = |replayed, all| bar.show(replayed, all);
    let query = arguments.games.query().positions(positions.iter().cloned());
    let mut results = database.query_watched(&query, Watch::new().progress(&show))?;
    let mut out = buffered_output()?;
    match arguments.depth {
        None => write_moves(&database, &mut results, arguments, &mut out)?,
        Some(depth) => {
            let tree = results.move_tree(depth.into(), arguments.min_games)?;
            tree::write(&database.openings()?, &positions, arguments, tree, &mut out)?;
        }
    }
    out.flush().map_err(Error::Output)?;
    Ok(Outcome::Done)
}
