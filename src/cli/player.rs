//! `stamma player`

mod page;
mod rows;

use std::io::Write;

use super::meant::{quoted, two_players};
use super::output::buffered_output;
use super::records::{write_csv, write_jsonl};
use super::suggestions::say_unknown;
use super::{Outcome, args, args::ListFormat, open_to_ask, say};
pub(super) use page::not_counted;
use page::page;
use rows::{COLUMNS, rows};
use stamma::error::{Error, Result};
use stamma::query::Watch;
use stamma::query::player::PlayerRecord;
use stamma::report::counted;
use stamma::storage::{Database, Heading};

pub(super) fn run(arguments: &args::Player) -> Result<Outcome> {
    let database = open_to_ask(&arguments.database)?;
    let query = arguments.query();
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
    let latest = headings(&database, &record)?;
    let mut out = buffered_output()?;
    match arguments.format {
        ListFormat::Jsonl => write_jsonl(&rows(&record, &latest), &mut out)?,
        ListFormat::Csv => {
            write_csv(&COLUMNS, &rows(&record, &latest), arguments.csv_cells, &mut out)?;
        }
        ListFormat::Table => {
            out.write_all(page(&record, &latest).as_bytes()).map_err(Error::Output)?;
        }
    }
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
    games.map(|game| Ok(database.heading(game)?.unwrap_or_default())).collect()
}
