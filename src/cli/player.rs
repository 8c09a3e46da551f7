//! `stamma player`

mod page;

use std::io::Write;

use super::meant::{quoted, two_players};
use super::output::buffered_output;
use super::records::write_answer;
use super::suggestions::say_unknown;
use super::{Failure, Outcome, args, open_to_ask, say};
pub(super) use page::not_counted;
use page::page;
use stamma::answer::{self, PlayerGame};
use stamma::error::{Error, Result};
use stamma::query::Watch;
use stamma::query::player::PlayerRecord;
use stamma::report::counted;
use stamma::storage::{Database, Heading};

pub(super) fn run(arguments: &args::Player) -> Result<Outcome, Failure> {
    let query = arguments.query()?;
    let database = open_to_ask(&arguments.database)?;
    match two_players(&query.player.text, &database) {
        Some([player, opponent]) if query.opponent.is_none() && !query.player.is_exact => {
            let path = quoted(&arguments.database.display().to_string());
            let [player, opponent] = [player, opponent].map(quoted);
            say!(
                "no player is called \"{}\"; for the games of two: stamma player {path} {player} --against {opponent}",
                query.player.text,
            );
        }
        _ => say_unknown([&database], &query.filter_with_names())?,
    }
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

/// The headings of the latest games.
fn headings(database: &Database, record: &PlayerRecord) -> Result<Vec<Heading>> {
    let games = record.latest.rows.iter().map(|((game, _), _)| *game);
    games
        .map(|game| Ok(database.heading(game)?.unwrap_or_default()))
        .collect()
}
