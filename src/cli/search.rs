//! `stamma search`

use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

use super::records::{write_csv, write_csv_rows, write_jsonl};
use super::suggestions::say_unknown_names;
use super::terminal::{counted, grouped, table, terminal_width};
use super::{Outcome, args, args::SearchFormat, fen_list, open_for_positions};
use crate::board::Position;
use crate::error::{Error, Result};
use crate::query::{PositionSearch, Selection, SortKey, Visited};
use crate::storage::{Database, Heading};

/// How many games a table shows when nobody asks for more.
const TABLE_GAMES: usize = 20;

pub(super) fn run(arguments: &args::Search) -> Result<Outcome> {
    let database = open_for_positions(&arguments.database)?;
    say_unknown_names(&database, &arguments.filters.filter())?;
    let mut out = BufWriter::new(io::stdout().lock());
    let outcome = match &arguments.fen_file {
        Some(list) => fen_list::answer(&database, list, arguments, &mut out)?,
        None => search(&database, arguments, &mut out)?,
    };
    out.flush().map_err(Error::Output)?;
    Ok(outcome)
}

fn search(database: &Database, arguments: &args::Search, out: &mut Out<'_>) -> Result<Outcome> {
    let positions = arguments.asked.wanted_if_any(&arguments.fen)?;
    let mut asked = Asked::new(database, positions, arguments)?;
    let limit = match (arguments.limit, arguments.format) {
        (None, SearchFormat::Table) => TABLE_GAMES,
        (None | Some(0), _) => usize::MAX,
        (Some(limit), _) => limit,
    };
    match arguments.format {
        SearchFormat::Count => {
            let count = asked.count()?;
            writeln!(out, "{count}").map_err(Error::Output)?;
        }
        SearchFormat::Jsonl => asked.each(limit, &mut |games| write_jsonl(games, out))?,
        SearchFormat::Csv => {
            write_csv::<Listed>(asked.columns(), &[], out)?;
            asked.each(limit, &mut |games| write_csv_rows(games, out))?;
        }
        SearchFormat::Table => {
            let count = asked.count()?;
            let mut games = Vec::new();
            asked.each(limit, &mut |more| {
                games.extend_from_slice(more);
                Ok(())
            })?;
            let positions = asked.positions.as_deref().unwrap_or_default();
            arguments.boards.write_first(positions, out).map_err(Error::Output)?;
            write_table(positions, count, &games, out).map_err(Error::Output)?;
        }
    }
    Ok(Outcome::Done)
}

/// Games that are handed over at once.
const BATCH_GAMES: usize = 256;

/// What is searched for.
struct Asked<'d> {
    database: &'d Database,
    search: PositionSearch,
    positions: Option<Vec<Position>>,
    /// The games that the filters leave; nothing where there is no filter, and the index alone knows them in their order.
    selection: Option<Selection<'d>>,
    sort: SortKey,
}

impl<'d> Asked<'d> {
    fn new(
        database: &'d Database,
        positions: Option<Vec<Position>>,
        arguments: &args::Search,
    ) -> Result<Asked<'d>> {
        let search = PositionSearch::new(&database.connection).map_err(|e| database.error(e))?;
        let filter = arguments.filters.filter();
        let sort = SortKey::from(arguments.sort);
        let mut selection = None;
        if positions.is_none() || !filter.is_empty() || sort != SortKey::Id {
            let mut found = Selection::new(database, &filter)?;
            if let Some(positions) = &positions {
                found.reach(&search, positions)?;
            }
            selection = Some(found);
        }
        Ok(Asked { database, search, positions, selection, sort })
    }

    /// The fields of a game in the list.
    fn columns(&self) -> &'static [&'static str] {
        match &self.positions {
            None => &COLUMNS_OF_GAME,
            Some(_) if self.search.finds_variations() => &COLUMNS,
            Some(_) => &COLUMNS[..12],
        }
    }

    fn count(&mut self) -> Result<u64> {
        let database = self.database;
        match (&mut self.selection, &self.positions) {
            (Some(selection), _) => Ok(selection.settle()?.len()),
            (None, positions) => {
                let positions = positions.as_deref().unwrap_or_default();
                let count = self.search.count(&database.connection, positions);
                count.map_err(|e| database.error(e))
            }
        }
    }

    /// Hands over the first `limit` games, some at a time.
    fn each(&self, limit: usize, take: &mut dyn FnMut(&[Listed]) -> Result<()>) -> Result<()> {
        match &self.selection {
            Some(selection) => {
                let mut games = selection.in_order(self.sort)?.map(|game| self.listed(game?));
                hand_over(limit, &mut games, take)
            }
            None => {
                let (connection, fail) = (&self.database.connection, |e| self.database.error(e));
                let positions = self.positions.as_deref().unwrap_or_default();
                let mut visits = self.search.visits_of(connection, positions).map_err(fail)?;
                let mut games = std::iter::from_fn(|| visits.next(connection).transpose())
                    .map(|visited| self.visited(visited.map_err(fail)?));
                hand_over(limit, &mut games, take)
            }
        }
    }

    fn listed(&self, game: i64) -> Result<Listed> {
        let (connection, fail) = (&self.database.connection, |e| self.database.error(e));
        let Some(positions) = &self.positions else {
            let heading = Heading::read(connection, game).map_err(fail)?.unwrap_or_default();
            return Ok(Listed::of(game, heading));
        };
        match self.search.visit(connection, game, positions).map_err(fail)? {
            Some(visited) => self.visited(visited),
            None => Err(self.database.damaged(format!("game {game} does not reach the position"))),
        }
    }

    fn visited(&self, visited: Visited) -> Result<Listed> {
        let heading = Heading::read(&self.database.connection, visited.game);
        let heading = heading.map_err(|e| self.database.error(e))?.unwrap_or_default();
        Ok(Listed {
            ply: Some(visited.ply),
            next: Some(visited.next.map(|(san, _)| san)),
            variation: self.search.finds_variations().then_some(visited.in_variation),
            ..Listed::of(visited.game, heading)
        })
    }
}

/// Hands the first `limit` games over, some at a time.
fn hand_over(
    limit: usize,
    games: &mut dyn Iterator<Item = Result<Listed>>,
    take: &mut dyn FnMut(&[Listed]) -> Result<()>,
) -> Result<()> {
    let mut left = limit;
    while left > 0 {
        let some: Vec<Listed> = games.take(left.min(BATCH_GAMES)).collect::<Result<_>>()?;
        if some.is_empty() {
            break;
        }
        left -= some.len();
        take(&some)?;
    }
    Ok(())
}

const COLUMNS: [&str; 13] = [
    "game",
    "ply",
    "move",
    "white",
    "black",
    "result",
    "date",
    "event",
    "white_elo",
    "black_elo",
    "eco",
    "plies",
    "variation",
];

const COLUMNS_OF_GAME: [&str; 10] =
    ["game", "white", "black", "result", "date", "event", "white_elo", "black_elo", "eco", "plies"];

/// A game in the list of results.
#[derive(Clone, Debug, Serialize)]
struct Listed {
    game: i64,
    /// Where the position stands; nothing where no position is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    next: Option<Option<String>>,
    white: Option<String>,
    black: Option<String>,
    result: String,
    date: Option<String>,
    event: Option<String>,
    white_elo: Option<i64>,
    black_elo: Option<i64>,
    eco: Option<String>,
    plies: i64,
    /// Whether the position stands in a variation; nothing where these are not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    variation: Option<bool>,
}

impl Listed {
    fn of(game: i64, heading: Heading) -> Listed {
        Listed {
            game,
            ply: None,
            next: None,
            white: heading.white,
            black: heading.black,
            result: heading.result,
            date: heading.date,
            event: heading.event,
            white_elo: heading.white_elo,
            black_elo: heading.black_elo,
            eco: heading.eco,
            plies: heading.plies,
            variation: None,
        }
    }

    fn row(&self) -> Vec<String> {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".to_owned());
        let mut row = vec![
            self.game.to_string(),
            text(&self.white),
            text(&self.black),
            self.result.clone(),
            text(&self.date),
            text(&self.event),
        ];
        let Some(ply) = self.ply else {
            row.extend([self.eco.clone().unwrap_or_default(), self.plies.to_string()]);
            return row;
        };
        let no_move = if self.variation == Some(true) { "(variation)" } else { "(end)" };
        row.push(ply.to_string());
        row.push(self.next.clone().flatten().unwrap_or_else(|| no_move.to_owned()));
        row
    }
}

type Out<'o> = BufWriter<StdoutLock<'o>>;

fn write_table(
    positions: &[Position],
    count: u64,
    games: &[Listed],
    out: &mut Out<'_>,
) -> io::Result<()> {
    if let [position] = positions {
        writeln!(out, "{}", position.fen())?;
    }
    writeln!(out, "{}", counted(count, "game", "games"))?;
    if games.is_empty() {
        return Ok(());
    }
    let header = match positions {
        [] => ["game", "White", "Black", "result", "date", "event", "ECO", "plies"],
        _ => ["game", "White", "Black", "result", "date", "event", "ply", "move"],
    };
    let right: &[usize] = if positions.is_empty() { &[0, 7] } else { &[0, 6] };
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(games.iter().map(Listed::row));
    write!(out, "\n{}", table(&rows, right, terminal_width()))?;
    let more = count.saturating_sub(games.len() as u64);
    if more > 0 {
        writeln!(out, "… and {} more; --limit 0 lists all", grouped(more))?;
    }
    Ok(())
}
