//! `stamma search`

use std::io::{self, BufWriter, StdoutLock, Write};

use rusqlite::Connection;
use serde::Serialize;

use super::records::{write_csv, write_csv_rows, write_jsonl};
use super::terminal::{counted, grouped, table, terminal_width};
use super::{Outcome, args, args::SearchFormat, fen_list, open_for_positions};
use crate::board::Position;
use crate::error::{Error, Result};
use crate::notation::diagram;
use crate::query::{PositionSearch, Visited};
use crate::storage::{Database, Heading};

/// How many games a table shows when nobody asks for more.
const TABLE_GAMES: usize = 20;

pub(super) fn run(arguments: &args::Search) -> Result<Outcome> {
    if let Some(list) = &arguments.fen_file {
        return fen_list::run(list, arguments);
    }
    // A FEN without quotes comes as several arguments.
    let positions = arguments.asked.positions(&arguments.fen.join(" "))?;
    let database = open_for_positions(&arguments.database)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let limit = match (arguments.limit, arguments.format) {
        (None, SearchFormat::Table) => TABLE_GAMES,
        (None | Some(0), _) => usize::MAX,
        (Some(limit), _) => limit,
    };
    let fail = |e| database.error(e);
    let search = PositionSearch::new(&database.connection).map_err(fail)?;
    let count = || search.count(&database.connection, &positions).map_err(fail);
    let each = |take: &mut dyn FnMut(&[Listed]) -> Result<()>| {
        each(&database, &search, &positions, limit, take)
    };
    match arguments.format {
        SearchFormat::Count => {
            let count = count()?;
            writeln!(out, "{count}").map_err(Error::Output)?;
        }
        SearchFormat::Jsonl => {
            each(&mut |games| write_jsonl(games, &mut out))?;
        }
        SearchFormat::Csv => {
            write_csv::<Listed>(columns(&search), &[], &mut out)?;
            each(&mut |games| write_csv_rows(games, &mut out))?;
        }
        SearchFormat::Table => {
            let count = count()?;
            let mut games = Vec::new();
            each(&mut |more| {
                games.extend_from_slice(more);
                Ok(())
            })?;
            write_table(&positions, count, &games, &mut out).map_err(Error::Output)?;
        }
    }
    out.flush().map_err(Error::Output)?;
    Ok(Outcome::Done)
}

/// Games that are handed over at once.
const BATCH_GAMES: usize = 256;

/// Hands over the first `limit` games that reach one of the positions, some at a time.
fn each(
    database: &Database,
    search: &PositionSearch,
    positions: &[Position],
    limit: usize,
    take: &mut dyn FnMut(&[Listed]) -> Result<()>,
) -> Result<()> {
    let fail = |e| database.error(e);
    let connection = &database.connection;
    let mut visits = search.visits_of(connection, positions).map_err(fail)?;
    let mut left = limit;
    while left > 0 {
        let games: rusqlite::Result<Vec<Listed>> =
            std::iter::from_fn(|| visits.next(connection).transpose())
                .take(left.min(BATCH_GAMES))
                .map(|visited| Listed::read(connection, search, visited?))
                .collect();
        let games = games.map_err(fail)?;
        if games.is_empty() {
            break;
        }
        left -= games.len();
        take(&games)?;
    }
    Ok(())
}

const COLUMNS: [&str; 9] =
    ["game", "ply", "move", "white", "black", "result", "date", "event", "variation"];

/// The fields of a [`Listed`] game.
fn columns(search: &PositionSearch) -> &'static [&'static str] {
    &COLUMNS[..if search.finds_variations() { 9 } else { 8 }]
}

/// A game in the list of results.
#[derive(Clone, Debug, Serialize)]
struct Listed {
    game: i64,
    ply: u32,
    #[serde(rename = "move")]
    next: Option<String>,
    white: Option<String>,
    black: Option<String>,
    result: String,
    date: Option<String>,
    event: Option<String>,
    /// Whether the position stands in a variation; nothing where these are not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    variation: Option<bool>,
}

impl Listed {
    fn read(
        connection: &Connection,
        search: &PositionSearch,
        visited: Visited,
    ) -> rusqlite::Result<Listed> {
        let heading = Heading::read(connection, visited.game)?.unwrap_or_default();
        Ok(Listed {
            game: visited.game,
            ply: visited.ply,
            next: visited.next.map(|(san, _)| san),
            white: heading.white,
            black: heading.black,
            result: heading.result,
            date: heading.date,
            event: heading.event,
            variation: search.finds_variations().then_some(visited.in_variation),
        })
    }

    fn row(&self) -> Vec<String> {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".to_owned());
        let no_move = if self.variation == Some(true) { "(variation)" } else { "(end)" };
        vec![
            self.game.to_string(),
            text(&self.white),
            text(&self.black),
            self.result.clone(),
            text(&self.date),
            text(&self.event),
            self.ply.to_string(),
            self.next.clone().unwrap_or_else(|| no_move.to_owned()),
        ]
    }
}

type Out<'o> = BufWriter<StdoutLock<'o>>;

fn write_table(
    positions: &[Position],
    count: u64,
    games: &[Listed],
    out: &mut Out<'_>,
) -> io::Result<()> {
    if let Some(position) = positions.first() {
        writeln!(out, "{}\n", diagram(position))?;
    }
    if let [position] = positions {
        writeln!(out, "{}", position.fen())?;
    }
    writeln!(out, "{}", counted(count, "game", "games"))?;
    if games.is_empty() {
        return Ok(());
    }
    let header = ["game", "White", "Black", "result", "date", "event", "ply", "move"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(games.iter().map(Listed::row));
    write!(out, "\n{}", table(&rows, &[0, 6], terminal_width()))?;
    let more = count.saturating_sub(games.len() as u64);
    if more > 0 {
        writeln!(out, "… and {} more; --limit 0 lists all", grouped(more))?;
    }
    Ok(())
}
