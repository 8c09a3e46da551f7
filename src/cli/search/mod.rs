//! `stamma search`

mod listed;
mod written;

use std::io::Write;

use super::meant::with_command;
use super::output::{buffered_output, styled_output};
use super::records::{write_csv, write_csv_rows, write_jsonl};
use super::selection::ReplayBar;
use super::suggestions::say_about_names;
use super::{
    Outcome, args, args::SearchFormat, fen_list, open_all_for_positions, say, say_indexed_plies,
};
use listed::{Count, Shown, columns, write_table};
pub(super) use listed::{Listed, write_rows};
use stamma::board::Position;
use stamma::error::{Error, Result};
use stamma::query::{CombinedResults, Hit, Query, Watch};
use stamma::storage::Database;
use written::{GamesWritten, Written};

/// The number of games in a table by default.
const TABLE_GAMES: usize = 20;

/// The number of games read and written at once.
const BATCH_GAMES: usize = 256;

pub(super) fn run(arguments: &args::Search) -> Result<Outcome> {
    if let Some(list) = &arguments.fen_file {
        return fen_list::run(list, arguments);
    }
    let mut databases = open_all_for_positions(&arguments.databases()?)?;
    let positions = arguments.position.wanted_if_any(&arguments.fen);
    let positions = positions.map_err(|error| with_command(error, "search", &databases))?;
    if positions.is_some() {
        databases.iter().try_for_each(say_indexed_plies)?;
    }
    say_about_names(&databases, &arguments.games.filter())?;
    // A table begins with a board, which may be in colours; other formats have the texts of the games.
    let is_table = arguments.format == SearchFormat::Table;
    let mut out = if is_table { styled_output()? } else { buffered_output()? };
    let bar = ReplayBar::default();
    let show = |replayed, all| bar.show(replayed, all);
    let query = query(positions, arguments);
    let names = databases.names().to_vec();
    databases.query(&query, Watch::new().progress(&show), |results| {
        say_mixed_variations(&names, results.finds_variations());
        Search { names: &names, results, bar: &bar }.write(arguments, &mut out)
    })?;
    out.flush().map_err(Error::Output)?;
    Ok(Outcome::Done)
}

/// Warns if only some of several databases know the positions of variations.
fn say_mixed_variations(names: &[String], finds_variations: &[bool]) {
    if !finds_variations.contains(&true) {
        return;
    }
    let without = names.iter().zip(finds_variations).filter(|(_, finds)| !**finds);
    for (name, _) in without {
        say!(
            "stamma: {name}: positions in variations are not indexed, those of other databases are"
        );
    }
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
struct Search<'s, 'r> {
    names: &'s [String],
    results: &'s mut CombinedResults<'r>,
    bar: &'s ReplayBar,
}

impl Search<'_, '_> {
    fn write(&mut self, arguments: &args::Search, out: &mut impl Write) -> Result<()> {
        match arguments.format {
            SearchFormat::Count => {
                writeln!(out, "{}", self.results.count()?).map_err(Error::Output)
            }
            SearchFormat::Jsonl => self.each_listed(|games| write_jsonl(&games, out)),
            SearchFormat::Csv => {
                let shown = self.shown();
                write_csv::<Listed>(&columns(shown), &[], arguments.csv_cells, out)?;
                self.each_listed(|games| write_csv_rows(&games, arguments.csv_cells, out))
            }
            SearchFormat::Pgn | SearchFormat::Epd => {
                let mut written = Written::default();
                let games = GamesWritten::new(arguments);
                let read = move |database: &Database, hits| games.read(database, hits);
                self.each(read, |games| {
                    games.into_iter().try_for_each(|(_, game)| written.write(&game, out))
                })?;
                written.report(arguments.format == SearchFormat::Epd);
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

    /// The parts of a game that are shown.
    fn shown(&self) -> Shown {
        Shown {
            database: self.names.len() > 1,
            place: self.results.has_places(),
            variation: self.results.finds_variations().contains(&true),
        }
    }

    /// Passes on the games found, in chunks.
    fn each<T: Send + 'static>(
        &mut self,
        read: impl Fn(&Database, Vec<Hit>) -> Result<Vec<T>> + Send + Sync + 'static,
        mut take: impl FnMut(Vec<(usize, T)>) -> Result<()>,
    ) -> Result<()> {
        let mut games = self.results.hits(read);
        loop {
            let some: Vec<(usize, T)> = games.by_ref().take(BATCH_GAMES).collect::<Result<_>>()?;
            if some.is_empty() {
                return Ok(());
            }
            self.bar.give_way();
            take(some)?;
        }
    }

    fn each_listed(&mut self, mut take: impl FnMut(Vec<Listed>) -> Result<()>) -> Result<()> {
        let (shown, names) = (self.shown(), self.names);
        let read = move |database: &Database, hits: Vec<Hit>| {
            hits.into_iter().map(|hit| Listed::hit(database, hit, shown.variation)).collect()
        };
        self.each(read, |games: Vec<(usize, Listed)>| {
            let named = games.into_iter().map(|(database, game)| match shown.database {
                true => game.in_database(&names[database]),
                false => game,
            });
            take(named.collect())
        })
    }

    /// The first `limit` games, and the number of all as far as it is known without looking at each.
    fn first(&mut self, limit: usize) -> Result<(Vec<Listed>, Count)> {
        let mut games = Vec::new();
        self.each_listed(|more| {
            games.extend(more);
            Ok(())
        })?;
        let has_more = games.len() > limit;
        games.truncate(limit);
        let count = match has_more && self.results.is_counted_quickly()? {
            true => Count::Known(self.results.count()?),
            false if has_more => Count::More,
            false => Count::Known(games.len() as u64),
        };
        Ok((games, count))
    }
}
