//! `stamma search`

mod listed;
mod plan;
mod written;

use std::io::Write;

use super::meant::with_command;
use super::output::buffered_output;
use super::records::{write_csv, write_csv_rows, write_jsonl};
use super::suggestions::say_unknown;
use super::{Outcome, args, args::SearchFormat, fen_list, open_for_positions};
use listed::write_table;
pub(super) use listed::{Listed, write_rows};
use plan::Asked;
use stamma::error::{Error, Result};
use stamma::storage::Database;
use written::GamesWritten;

/// How many games a table shows when nobody asks for more.
const TABLE_GAMES: usize = 20;

pub(super) fn run(arguments: &args::Search) -> Result<Outcome> {
    if let Some(list) = &arguments.fen_file {
        return fen_list::run(list, arguments);
    }
    let database = open_for_positions(&arguments.database)?;
    let positions = arguments.asked.wanted_if_any(&arguments.fen);
    let positions = positions.map_err(|error| with_command(error, "search", &database))?;
    say_unknown(&database, &arguments.games.filter())?;
    let mut out = buffered_output()?;
    let asked = Asked::new(&database, positions, arguments)?;
    write(&database, asked, arguments, &mut out)?;
    out.flush().map_err(Error::Output)?;
    Ok(Outcome::Done)
}

fn write(
    database: &Database,
    mut asked: Asked<'_>,
    arguments: &args::Search,
    out: &mut impl Write,
) -> Result<()> {
    let limit = arguments.limit(TABLE_GAMES);
    match arguments.format {
        SearchFormat::Count => writeln!(out, "{}", asked.count()?).map_err(Error::Output),
        SearchFormat::Jsonl => asked.each(limit, &mut |games| write_jsonl(games, out)),
        SearchFormat::Csv => {
            write_csv::<Listed>(asked.columns(), &[], out)?;
            asked.each(limit, &mut |games| write_csv_rows(games, out))
        }
        SearchFormat::Pgn | SearchFormat::Epd => {
            let mut games = GamesWritten::new(database, arguments)?;
            asked.each(limit, &mut |some| games.write(some, out))?;
            games.report();
            Ok(())
        }
        SearchFormat::Table => {
            let (games, count) = asked.first(limit)?;
            let positions = asked.positions.as_deref();
            arguments
                .boards
                .write_first(positions.unwrap_or_default(), out)
                .and_then(|()| write_table(positions, count, &games, out))
                .map_err(Error::Output)
        }
    }
}
