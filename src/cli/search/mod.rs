//! `stamma search`

mod listed;
mod written;

use std::io::Write;

use super::meant::with_command;
use super::output::buffered_output;
use super::records::{write_csv, write_csv_rows, write_jsonl};
use super::selection::ReplayBar;
use super::suggestions::say_unknown;
use super::{Outcome, args, args::SearchFormat, fen_list, open_for_positions};
use listed::{Count, columns, write_table};
pub(super) use listed::{Listed, write_rows};
use stamma::board::Position;
use stamma::error::{Error, Result};
use stamma::query::{Query, Results, Watch};
use stamma::storage::Database;
use written::GamesWritten;

/// The number of games in a table by default.
const TABLE_GAMES: usize = 20;

/// The number of games read and written at once.
const BATCH_GAMES: usize = 256;

pub(super) fn run(arguments: &args::Search) -> Result<Outcome> {
    if let Some(list) = &arguments.fen_file {
        return fen_list::run(list, arguments);
    }
    let database = open_for_positions(&arguments.database)?;
    let positions = arguments.position.wanted_if_any(&arguments.fen);
    let positions = positions.map_err(|error| with_command(error, "search", &database))?;
    say_unknown(&database, &arguments.games.filter())?;
    let mut out = buffered_output()?;
    let bar = ReplayBar::default();
    let show = |replayed, all| bar.show(replayed, all);
    let query = query(positions, arguments);
    let results = database.query_watched(&query, Watch::new().progress(&show))?;
    let mut search = Search { database: &database, results, bar: &bar };
    search.write(arguments, &mut out)?;
    out.flush().map_err(Error::Output)?;
    Ok(Outcome::Done)
}

/// The query. For a table it has a limit one higher than the list, to detect further games.
fn query(positions: Option<Vec<Position>>, arguments: &args::Search) -> Query {
    let limit = arguments.limit(TABLE_GAMES);
    let is_table = arguments.format == SearchFormat::Table;
    let limit = if is_table { limit.saturating_add(1) } else { limit };
    let query = arguments.games.query().order(arguments.order.order()).limit(limit);
    match positions {
        Some(positions) => query.positions(positions),
        None => query,
    }
}

/// A search and its results.
struct Search<'d> {
    database: &'d Database,
    results: Results<'d>,
    bar: &'d ReplayBar,
}

impl Search<'_> {
    fn write(&mut self, arguments: &args::Search, out: &mut impl Write) -> Result<()> {
        match arguments.format {
            SearchFormat::Count => {
                writeln!(out, "{}", self.results.count()?).map_err(Error::Output)
            }
            SearchFormat::Jsonl => self.each(|games| write_jsonl(games, out)),
            SearchFormat::Csv => {
                write_csv::<Listed>(self.columns(), &[], out)?;
                self.each(|games| write_csv_rows(games, out))
            }
            SearchFormat::Pgn | SearchFormat::Epd => {
                let mut games = GamesWritten::new(self.database, arguments)?;
                self.each(|some| games.write(some, out))?;
                games.report();
                Ok(())
            }
            SearchFormat::Table => {
                let (games, count) = self.first(arguments.limit(TABLE_GAMES))?;
                let positions = self.results.positions();
                arguments
                    .boards
                    .write_first(positions.unwrap_or_default(), out)
                    .and_then(|()| write_table(positions, count, &games, out))
                    .map_err(Error::Output)
            }
        }
    }

    /// The fields of a game in the list.
    fn columns(&self) -> &'static [&'static str] {
        columns(self.results.has_places(), self.results.finds_variations())
    }

    /// Passes on the games found, in chunks.
    fn each(&mut self, mut take: impl FnMut(&[Listed]) -> Result<()>) -> Result<()> {
        let (database, bar) = (self.database, self.bar);
        let shows_variations = self.results.finds_variations();
        let mut games =
            self.results.hits()?.map(|hit| Listed::hit(database, hit?, shows_variations));
        loop {
            let some: Vec<Listed> = games.by_ref().take(BATCH_GAMES).collect::<Result<_>>()?;
            if some.is_empty() {
                return Ok(());
            }
            bar.give_way();
            take(&some)?;
        }
    }

    /// The first `limit` games, and the number of all as far as it is known without looking at each.
    fn first(&mut self, limit: usize) -> Result<(Vec<Listed>, Count)> {
        let mut games = Vec::new();
        self.each(|more| {
            games.extend_from_slice(more);
            Ok(())
        })?;
        let has_more = games.len() > limit;
        games.truncate(limit);
        let count = match (has_more, self.results.is_counted_quickly()) {
            (false, _) => Count::Known(games.len() as u64),
            (true, true) => Count::Known(self.results.count()?),
            (true, false) => Count::More,
        };
        Ok((games, count))
    }
}
