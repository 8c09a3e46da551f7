//! `stamma search`: finds games.

mod listed;
mod written;

use std::io::Write;

use super::args::{GameSelection, SearchFormat};
use super::intended_command::with_command;
use super::output::{buffered_output, styled_output};
use super::records::{RowWriter, write_jsonl};
use super::selection::ReplayBar;
use super::suggestions::say_about_names;
use super::{Failure, Outcome, args, fen_list, open_all_for_positions, say, say_all_indexed_plies};
pub(super) use listed::write_rows;
use listed::{Count, write_table};
use stamma::answer::{EvaluationRef, FoundGame, Games};
use stamma::board::Position;
use stamma::error::{Error, Result};
use stamma::query::{CombinedResults, Hit, Query, Watch};
use stamma::storage::{Database, PositionEvaluation};
use written::{TextFormat, TextStyle, TextWriter};

/// The number of games in a table by default.
const DEFAULT_TABLE_GAMES: usize = 20;

/// The number of games that are read and written in one batch.
const BATCH_GAMES: usize = 256;

pub(super) fn run(arguments: &args::Search) -> Result<Outcome, Failure> {
    let request = arguments.resolve()?;
    if let Some(list) = &arguments.fen_file {
        return Ok(fen_list::run(list, request.databases, arguments)?);
    }

    let mut databases = open_all_for_positions(&request.databases)?;
    let positions = arguments
        .position
        .positions_if_any(&request.position)
        .map_err(|error| with_command(error, "search", &databases))?;
    let index_plies = match &positions {
        Some(_) => say_all_indexed_plies(&databases)?,
        None => None,
    };
    say_about_names(&databases, &request.games.filter)?;

    // A table begins with a board, which may be in colours. The other formats have text from games, which is sanitized
    // for a terminal.
    let is_table = arguments.format == SearchFormat::Table;
    let mut out = if is_table {
        styled_output()?
    } else {
        buffered_output()?
    };

    let query = query(&request.games, positions, arguments);
    let names = databases.names().to_vec();

    let bar = ReplayBar::default();
    let show = |replayed, all| bar.show(replayed, all);
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

/// Warns if only some of several databases index the positions of variations.
fn say_mixed_variations(names: &[String], finds_variations: &[bool]) {
    if !finds_variations.contains(&true) {
        return;
    }

    for (name, &finds_them) in names.iter().zip(finds_variations) {
        if !finds_them {
            say!(
                "stamma: {name}: positions in variations are not indexed, though other databases index them"
            );
        }
    }
}

/// The query. For a table and a JSON object, its limit is one above the number of games to list, to detect further
/// games.
fn query(
    games: &GameSelection,
    positions: Option<Vec<Position>>,
    arguments: &args::Search,
) -> Query {
    let listed = arguments.limit(DEFAULT_TABLE_GAMES);
    let reports_further_games =
        matches!(arguments.format, SearchFormat::Table | SearchFormat::Json);
    let limit = if reports_further_games {
        listed.saturating_add(1)
    } else {
        listed
    };

    let query = games.query().order(arguments.order.order()).limit(limit);
    match positions {
        Some(positions) => query.positions(positions),
        None => query,
    }
}

/// Reads the games of hits, in order.
fn read_games(database: &Database, hits: Vec<Hit>) -> Result<Vec<FoundGame>> {
    let mut games = Vec::with_capacity(hits.len());
    for hit in hits {
        games.push(FoundGame::read(database, hit)?);
    }
    Ok(games)
}

/// A search and its results.
struct Search<'s, 'r> {
    names: &'s [String],
    results: &'s mut CombinedResults<'r>,
    bar: &'s ReplayBar,
    /// The last half-move after which positions are indexed, if the query has positions and not all are.
    index_plies: Option<u32>,
    /// `true` if there are more games than are listed.
    has_more: bool,
}

impl Search<'_, '_> {
    /// Writes the games in the requested format.
    fn write(&mut self, arguments: &args::Search, out: &mut impl Write) -> Result<()> {
        match arguments.format {
            SearchFormat::Count => {
                let count = self.results.count()?;
                writeln!(out, "{count}").map_err(Error::Output)
            }
            SearchFormat::Jsonl => self.for_each_listed_batch(|games| write_jsonl(&games, out)),
            SearchFormat::Json => self.write_object(arguments, out),
            SearchFormat::Csv => self.write_csv(arguments, out),
            SearchFormat::Pgn => self.write_texts(TextFormat::Pgn, arguments, out),
            SearchFormat::Epd => self.write_texts(TextFormat::Epd, arguments, out),
            SearchFormat::Table => self.write_table(arguments, out),
        }
    }

    /// Writes the games as one JSON object.
    fn write_object(&mut self, arguments: &args::Search, out: &mut impl Write) -> Result<()> {
        let (games, _) = self.first_games(arguments.limit(DEFAULT_TABLE_GAMES))?;
        let next = if self.has_more {
            Some(games.len().to_string())
        } else {
            None
        };
        let evaluation = self.evaluation()?;

        let answer = Games {
            games,
            next,
            evaluation: EvaluationRef::new(evaluation.as_ref()),
            index_plies: self.index_plies,
        };
        write_jsonl(&[answer], out)
    }

    /// Writes the games as comma-separated values.
    fn write_csv(&mut self, arguments: &args::Search, out: &mut impl Write) -> Result<()> {
        let has_several = self.names.len() > 1;
        let cells = arguments.csv_cells;
        let mut writer = RowWriter::new::<FoundGame>(has_several, cells, &mut *out)?;

        self.for_each_listed_batch(|games| {
            for game in &games {
                writer.write(game)?;
            }
            Ok(())
        })?;
        writer.finish()
    }

    /// Writes the games as PGN, or their positions as EPD.
    fn write_texts(
        &mut self,
        format: TextFormat,
        arguments: &args::Search,
        out: &mut impl Write,
    ) -> Result<()> {
        let style = TextStyle::new(format, arguments);
        let read = move |database: &Database, hits| style.texts(database, hits);
        let mut writer = TextWriter::new(format);

        self.for_each_batch(read, |games| {
            for (_, text) in games {
                writer.write(&text, out)?;
            }
            Ok(())
        })?;
        writer.report();
        Ok(())
    }

    /// Writes the first games as a table, below the board.
    fn write_table(&mut self, arguments: &args::Search, out: &mut impl Write) -> Result<()> {
        let (games, count) = self.first_games(arguments.limit(DEFAULT_TABLE_GAMES))?;
        let evaluation = self.evaluation()?;
        let positions = self.results.positions();

        arguments
            .boards
            .write_first(positions.unwrap_or_default(), out)
            .map_err(Error::Output)?;
        write_table(positions, evaluation.as_ref(), count, &games, out).map_err(Error::Output)
    }

    /// The evaluation of the position, if the search has exactly one.
    fn evaluation(&self) -> Result<Option<PositionEvaluation>> {
        let Some([position]) = self.results.positions() else {
            return Ok(None);
        };
        let mut evaluations = self.results.evaluations(vec![Some(position.clone())])?;
        Ok(evaluations.pop().flatten())
    }

    /// Reads the matching games in batches, each game with the index of its database, and passes the batches to `sink`.
    fn for_each_batch<T: Send + 'static>(
        &mut self,
        read: impl Fn(&Database, Vec<Hit>) -> Result<Vec<T>> + Send + Sync + 'static,
        mut sink: impl FnMut(Vec<(usize, T)>) -> Result<()>,
    ) -> Result<()> {
        let mut games = self.results.hits(read);
        loop {
            let mut batch: Vec<(usize, T)> = Vec::new();
            for game in games.by_ref().take(BATCH_GAMES) {
                batch.push(game?);
            }
            if batch.is_empty() {
                return Ok(());
            }

            self.bar.give_way();
            sink(batch)?;
        }
    }

    /// Reads the matching games in batches, with the names of their databases if there are several, and passes the
    /// batches to `sink`.
    fn for_each_listed_batch(
        &mut self,
        mut sink: impl FnMut(Vec<FoundGame>) -> Result<()>,
    ) -> Result<()> {
        let names = self.names;

        self.for_each_batch(read_games, |games: Vec<(usize, FoundGame)>| {
            let mut named = Vec::with_capacity(games.len());
            for (database, mut found) in games {
                // A single database needs no name.
                if names.len() > 1 {
                    found.game.game.database = Some(names[database].clone());
                }
                named.push(found);
            }
            sink(named)
        })
    }

    /// The first `limit` games, and the number of all games if it is known without reading each of them.
    fn first_games(&mut self, limit: usize) -> Result<(Vec<FoundGame>, Count)> {
        let mut games = Vec::new();
        self.for_each_listed_batch(|more| {
            games.extend(more);
            Ok(())
        })?;

        self.has_more = games.len() > limit;
        games.truncate(limit);

        let count = if !self.has_more {
            Count::Known(games.len() as u64)
        } else if self.results.is_counted_quickly()? {
            Count::Known(self.results.count()?)
        } else {
            Count::More
        };
        Ok((games, count))
    }
}
