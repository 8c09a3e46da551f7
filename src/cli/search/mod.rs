//! `stamma search`

mod listed;
mod written;

use std::io::Write;

use super::args::{SearchFormat, WantedGames};
use super::meant::with_command;
use super::output::{buffered_output, styled_output};
use super::records::{RowWriter, write_jsonl};
use super::selection::ReplayBar;
use super::suggestions::say_about_names;
use super::{
    Failure, Outcome, args, fen_list, indexed_plies, open_all_for_positions, say, say_indexed_plies,
};
pub(super) use listed::write_rows;
use listed::{Count, write_table};
use stamma::answer::{EvaluationRef, FoundGame, Games};
use stamma::board::Position;
use stamma::error::{Error, Result};
use stamma::query::{CombinedResults, Hit, Query, Watch};
use stamma::storage::{Database, PositionEvaluation};
use written::{GamesWritten, Written};

/// The number of games in a table by default.
const TABLE_GAMES: usize = 20;

/// The number of games read and written at once.
const BATCH_GAMES: usize = 256;

pub(super) fn run(arguments: &args::Search) -> Result<Outcome, Failure> {
    let asked = arguments.resolve()?;
    if let Some(list) = &arguments.fen_file {
        return Ok(fen_list::run(list, asked.databases, arguments)?);
    }
    let mut databases = open_all_for_positions(&asked.databases)?;
    let positions = arguments.position.wanted_if_any(&asked.position);
    let positions = positions.map_err(|error| with_command(error, "search", &databases))?;
    if positions.is_some() {
        databases.iter().try_for_each(say_indexed_plies)?;
    }
    say_about_names(&databases, &asked.games.filter)?;
    // A table begins with a board, which may be in colours; other formats have the texts of the games.
    let is_table = arguments.format == SearchFormat::Table;
    let mut out = if is_table {
        styled_output()?
    } else {
        buffered_output()?
    };
    let bar = ReplayBar::default();
    let show = |replayed, all| bar.show(replayed, all);
    let index_plies = match positions {
        Some(_) => indexed_plies(&databases)?,
        None => None,
    };
    let query = query(&asked.games, positions, arguments);
    let names = databases.names().to_vec();
    databases.query(&query, Watch::new().progress(&show), |results| {
        say_mixed_variations(&names, results.finds_variations());
        let mut search = Search {
            names: &names,
            results,
            bar: &bar,
            index_plies,
            has_more: false,
        };
        search.write(arguments, &mut out)
    })?;
    out.flush().map_err(Error::Output)?;
    Ok(Outcome::Done)
}

/// Warns if only some of several databases know the positions of variations.
fn say_mixed_variations(names: &[String], finds_variations: &[bool]) {
    if !finds_variations.contains(&true) {
        return;
    }
    let without = names
        .iter()
        .zip(finds_variations)
        .filter(|(_, finds)| !**finds);
    for (name, _) in without {
        say!(
            "stamma: {name}: positions in variations are not indexed, those of other databases are"
        );
    }
}

/// The query. For a table and an object it has a limit one higher than the list, to detect further games.
fn query(games: &WantedGames, positions: Option<Vec<Position>>, arguments: &args::Search) -> Query {
    let limit = arguments.limit(TABLE_GAMES);
    let is_cut = matches!(arguments.format, SearchFormat::Table | SearchFormat::Json);
    let limit = if is_cut {
        limit.saturating_add(1)
    } else {
        limit
    };
    let query = games.query().order(arguments.order.order()).limit(limit);
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
    /// The last half-move after which positions are indexed, if the query has positions and not all are.
    index_plies: Option<u32>,
    /// Whether there are more games than were read.
    has_more: bool,
}

impl Search<'_, '_> {
    fn write(&mut self, arguments: &args::Search, out: &mut impl Write) -> Result<()> {
        match arguments.format {
            SearchFormat::Count => {
                writeln!(out, "{}", self.results.count()?).map_err(Error::Output)
            }
            SearchFormat::Jsonl => self.each_listed(|games| write_jsonl(&games, out)),
            SearchFormat::Json => {
                let limit = arguments.limit(TABLE_GAMES);
                let (games, _) = self.first(limit)?;
                let next = self.has_more.then(|| games.len().to_string());
                let evaluation = EvaluationRef::new(self.evaluation()?.as_ref());
                let index_plies = self.index_plies;
                write_jsonl(
                    &[Games {
                        games,
                        next,
                        evaluation,
                        index_plies,
                    }],
                    out,
                )
            }
            SearchFormat::Csv => {
                let has_several = self.names.len() > 1;
                let mut writer =
                    RowWriter::new::<FoundGame>(has_several, arguments.csv_cells, &mut *out)?;
                self.each_listed(|games| games.iter().try_for_each(|game| writer.write(game)))?;
                writer.finish()
            }
            SearchFormat::Pgn | SearchFormat::Epd => {
                let mut written = Written::default();
                let games = GamesWritten::new(arguments);
                let read = move |database: &Database, hits| games.read(database, hits);
                self.each(read, |games| {
                    games
                        .into_iter()
                        .try_for_each(|(_, game)| written.write(&game, out))
                })?;
                written.report(arguments.format == SearchFormat::Epd);
                Ok(())
            }
            SearchFormat::Table => {
                let (games, count) = self.first(arguments.limit(TABLE_GAMES))?;
                let evaluation = self.evaluation()?;
                let positions = self.results.positions();
                arguments
                    .boards
                    .write_first(positions.unwrap_or_default(), out)
                    .and_then(|()| write_table(positions, evaluation.as_ref(), count, &games, out))
                    .map_err(Error::Output)
            }
        }
    }

    /// The evaluation of the position, if the search has one alone.
    fn evaluation(&self) -> Result<Option<PositionEvaluation>> {
        let Some([position]) = self.results.positions() else {
            return Ok(None);
        };
        let mut found = self.results.evaluations(vec![Some(position.clone())])?;
        Ok(found.pop().flatten())
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

    fn each_listed(&mut self, mut take: impl FnMut(Vec<FoundGame>) -> Result<()>) -> Result<()> {
        let names = self.names;
        let read = |database: &Database, hits: Vec<Hit>| {
            hits.into_iter()
                .map(|hit| FoundGame::read(database, hit))
                .collect()
        };
        self.each(read, |games: Vec<(usize, FoundGame)>| {
            let mut named = Vec::with_capacity(games.len());
            for (database, mut found) in games {
                if names.len() > 1 {
                    found.game.game.database = Some(names[database].clone());
                }
                named.push(found);
            }
            take(named)
        })
    }

    /// The first `limit` games, and the number of all as far as it is known without looking at each.
    fn first(&mut self, limit: usize) -> Result<(Vec<FoundGame>, Count)> {
        let mut games = Vec::new();
        self.each_listed(|more| {
            games.extend(more);
            Ok(())
        })?;
        let has_more = games.len() > limit;
        self.has_more = has_more;
        games.truncate(limit);
        let count = if !has_more {
            Count::Known(games.len() as u64)
        } else if self.results.is_counted_quickly()? {
            Count::Known(self.results.count()?)
        } else {
            Count::More
        };
        Ok((games, count))
    }
}
