//! `stamma player`: prints a player's record.

mod page;

use std::io::Write;

use super::intended_command::two_players;
use super::output::buffered_output;
use super::quoting::{quoted, quoted_path};
use super::records::write_answer;
use super::suggestions::say_unknown;
use super::{Failure, Outcome, args, open_for_queries, say};
pub(super) use page::not_counted;
use page::page;
use stamma::answer::{self, PlayerGame};
use stamma::error::{Error, Result};
use stamma::query::Watch;
use stamma::query::player::{PlayerQuery, PlayerRecord};
use stamma::report::counted;
use stamma::storage::{Database, Heading};

pub(super) fn run(arguments: &args::Player) -> Result<Outcome, Failure> {
    let query = arguments.query()?;
    let database = open_for_queries(&arguments.database)?;
    remark_on_names(&query, &database)?;

    let record = PlayerRecord::read(&database, &query, &Watch::new())?;
    let latest_games = PlayerGame::read_latest(&database, &record)?;
    let headings = headings(&database, &record)?;
    let answer = answer::Player::new(&query, &record, latest_games);

    let mut out = buffered_output()?;
    let table = || page(&record, &headings);
    write_answer(
        &answer,
        &answer.rows(),
        arguments.format,
        arguments.csv_cells,
        table,
        &mut out,
    )?;
    out.flush().map_err(Error::Output)?;

    if record.against_self > 0 {
        let games = counted(record.against_self, "game is", "games are");
        say!("{games} left out, with this player for both sides");
    }
    Ok(Outcome::Done)
}

/// Warns about names that occur in no game. For two names given as one name, suggests `--against`.
fn remark_on_names(query: &PlayerQuery, database: &Database) -> Result<()> {
    let name = &query.player;
    let may_be_two = query.opponent.is_none() && !name.is_exact;
    if may_be_two && let Some(players) = two_players(&name.text, database) {
        let path = quoted_path(database.path());
        let [player, opponent] = players.map(quoted);
        say!(
            "no player is called \"{}\"; for the games of two: stamma player {path} {player} --against {opponent}",
            name.text,
        );
        return Ok(());
    }
    say_unknown([database], &query.filter_with_names())
}

/// The headings of the latest games, in the order of the record.
fn headings(database: &Database, record: &PlayerRecord) -> Result<Vec<Heading>> {
    let latest = &record.latest.rows;
    let mut headings = Vec::with_capacity(latest.len());
    for ((game, _), _) in latest {
        let heading = database.heading(*game)?;
        headings.push(heading.unwrap_or_default());
    }
    Ok(headings)
}
