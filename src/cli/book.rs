//! `stamma book`

use super::output::output_of;
use super::progress::Progress;
use super::selection::games;
use super::{Outcome, args, open_for_positions, say};
use stamma::error::{Error, Result};
use stamma::export::Book;
use stamma::report::counted;

pub(super) fn run(arguments: &args::Book) -> Result<Outcome> {
    let database = open_for_positions(&arguments.database)?;
    let chosen = games(&database, &arguments.games)?;
    let all = chosen.as_ref().map_or_else(|| database.count_games(), |games| Ok(games.len()))?;
    let progress = Progress::of_games(all);
    let mut out = output_of(&database, &arguments.output)?;
    let show = |games| progress.show_games(games);
    let book = Book::gather(&database, chosen.as_ref(), arguments.max_ply, show);
    let size =
        book.and_then(|book| book.write(arguments.min_games, &mut out).map_err(Error::Output));
    progress.finish();
    let size = size?;
    out.finish(Outcome::Done)?;
    say!(
        "{}: {}, {}",
        arguments.output.display(),
        counted(size.positions, "position", "positions"),
        counted(size.moves, "move", "moves"),
    );
    Ok(Outcome::Done)
}
