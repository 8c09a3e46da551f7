//! `stamma book`: writes an opening book in Polyglot's format.

use super::output::output_of;
use super::player::not_counted;
use super::progress::Progress;
use super::selection::matching_games;
use super::{Failure, Outcome, args, open_for_positions, say};
use stamma::error::{Error, Result};
use stamma::export::{Book, BookMoves};
use stamma::game::Ply;
use stamma::report::counted;

pub(super) fn run(arguments: &args::Book) -> Result<Outcome, Failure> {
    let selection = arguments.games.resolve()?;
    let database = open_for_positions(&arguments.database)?;
    let chosen = matching_games(&database, &selection)?;

    // If a player is named, the replies of the opponents are left out.
    let named = if arguments.both_sides {
        None
    } else {
        selection.filter.named_sides(&database)?
    };
    let others = named.as_ref().map(|named| named.others.clone());
    let moves = BookMoves {
        max_ply: Ply::new(arguments.max_ply),
        sides: named.map(|named| [named.white, named.black]),
    };

    let all = match &chosen {
        Some(games) => games.len(),
        None => database.count_games()?,
    };
    let progress = Progress::of_games(all);
    let mut out = output_of(&database, &arguments.output)?;

    let show = |games| progress.show_games(games);
    let written = match Book::gather(&database, chosen.as_ref(), &moves, show) {
        Ok(book) => book
            .write(arguments.min_games, &mut out)
            .map_err(Error::Output),
        Err(error) => Err(error),
    };
    // The bar is removed before an error is printed.
    progress.finish();
    let size = written?;
    out.finish(Outcome::Done)?;

    say!(
        "{}: {}, {}",
        arguments.output.display(),
        counted(size.positions, "position", "positions"),
        counted(size.moves, "move", "moves"),
    );
    if let Some(others) = others {
        say_named_players(&others);
    }

    Ok(Outcome::Done)
}

/// Reports that the book has the moves of the named players only, and the other players whose names match.
fn say_named_players(others: &[(String, u64)]) {
    say!("moves of the named players only; --both-sides includes the moves of their opponents");
    if !others.is_empty() {
        say!("{}", not_counted(others));
    }
}
