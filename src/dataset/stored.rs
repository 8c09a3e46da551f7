//! Writes the games of a database as a part of a data set.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::game_row::GameFrame;
use super::ids::{IdBase, IdBases};
use super::options::{DatasetOptions, WrittenDataset};
use super::part::Part;
use super::position::Played;
use super::problem_row::ProblemRow;
use super::sources::SourceEntry;
use super::table::TableSchema;
use super::worker::{BatchRows, PositionTables, WrittenGame};
use crate::board::Position;
use crate::bug::caught;
use crate::error::{Error, Result};
use crate::game::Game;
use crate::ingest::{Summary, Tally};
use crate::openings::Opening;
use crate::ordered::ordered;
use crate::query::Watch;
use crate::storage::{
    Database, GameId, GameReader, GameSet, OriginReader, Readers, StoredOrigin, StoredProblem,
    StoredSource,
};
use crate::threads;

/// The number of games that one thread reads at once.
const BATCH_GAMES: usize = 512;

/// The number of problems that are read at once.
const BATCH_PROBLEMS: i64 = 4096;

/// The sources of a database by number, with the bases of their ids.
type Sources = BTreeMap<i64, (SourceEntry, IdBase)>;

/// Writes the games of a database that a query matches; see [`write_stored`](super::write_stored).
pub(super) fn write(
    database: Database,
    path: &Path,
    key: &str,
    options: &DatasetOptions,
    mut progress: impl FnMut(&Tally),
) -> Result<WrittenDataset> {
    let name = database.path().to_string_lossy().into_owned();
    let mut part = Part::begin(path, key, options)?;
    let games = chosen_games(&database, options)?;
    let mut sources = sources(database.stored_sources()?, &options.id_salt);
    push_problems(&mut part, &database, &games, &mut sources)?;

    // Up to one connection for each thread, all of one snapshot: the first is the database itself.
    let others = database.open_more_readers(threads::count().saturating_sub(1));
    let readers = Readers::new(std::iter::once(database).chain(others).collect());
    let reading = BatchReader {
        sources: sources.clone(),
        schema: Arc::clone(&part.schemas.games),
        positions: part.position_tables(),
    };

    let mut summary = Summary::default();
    ordered(
        batches(&games),
        options.memory.converted_batches(),
        |games| reading.read(&readers.for_thread(), &games),
        |batch| {
            if options.stop.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }

            push_batch(&mut part, batch?, &mut sources, &mut summary)?;
            progress(&summary.tally);
            Ok(())
        },
    )?;

    // The name of the part depends on the heads of all sources, so that all shards have one name.
    part.sources = sources.into_values().map(|(entry, _)| entry).collect();
    let heads = part.heads();
    part.sources.retain(|source| source.games > 0);

    if part.sources.is_empty() && options.shard.is_none() {
        return Ok(WrittenDataset {
            summary,
            ..WrittenDataset::default()
        });
    }
    part.finish(&name, &heads, summary)
}

/// Writes the rows of a batch, and counts its games in their sources and in the summary.
fn push_batch(
    part: &mut Part<'_>,
    batch: StoredBatch,
    sources: &mut Sources,
    summary: &mut Summary,
) -> Result<()> {
    let StoredBatch {
        rows,
        problems,
        source_of_game,
        left_out,
    } = batch;

    summary.failures.extend(left_out);
    for source in source_of_game {
        if let Some((entry, _)) = sources.get_mut(&source) {
            entry.games += 1;
        }
    }
    summary.tally.games += rows.written.len() as u64;
    part.push(rows, &problems)
}

/// The games that match the query and belong to the shard.
fn chosen_games(database: &Database, options: &DatasetOptions) -> Result<GameSet> {
    let mut games = database
        .query_watched(&options.query, Watch::new())?
        .into_games()?;
    let Some(shard) = options.shard else {
        return Ok(games);
    };

    let Some((first, last)) = database.first_and_last_game()? else {
        return Ok(games);
    };

    // A shard is an equal part of the range of ids, whose bounds may be any 64-bit numbers.
    let first_id = i128::from(first);
    let span = i128::from(last) - first_id + 1;
    let shards = i128::from(shard.count());
    let end_of_shard = |number: u32| first_id + span * i128::from(number) / shards;
    let range = end_of_shard(shard.number() - 1)..end_of_shard(shard.number());

    let others: Vec<GameId> = games
        .iter()
        .filter(|game| !range.contains(&i128::from(game.get())))
        .collect();
    for game in others {
        games.remove(game);
    }
    Ok(games)
}

/// The numbers of games in batches of [`BATCH_GAMES`], which one thread reads at once.
fn batches(games: &GameSet) -> impl Iterator<Item = Vec<GameId>> + Send + '_ {
    let mut numbers = games.iter();

    std::iter::from_fn(move || {
        let batch: Vec<GameId> = numbers.by_ref().take(BATCH_GAMES).collect();
        if batch.is_empty() {
            return None;
        }

        Some(batch)
    })
}

/// The sources by number. A source that continues an earlier source has the base of the earlier source, since both are
/// one file and the offsets of games count from its beginning.
fn sources(stored: Vec<StoredSource>, salt: &str) -> Sources {
    let mut bases = IdBases::new(salt);
    let mut sources = Sources::new();
    for source in stored {
        let continued = source.continues.and_then(|before| sources.get(&before));
        let base = match continued {
            Some(&(_, base)) => base,
            None => bases.next(&source.head_hash),
        };

        let mut head_hash = String::new();
        for byte in &source.head_hash {
            head_hash += &format!("{byte:02x}");
        }
        let entry = SourceEntry {
            path: source.path,
            bytes: source.bytes,
            head_hash,
            base: base.0,
            games: 0,
            problems: 0,
        };
        sources.insert(source.id, (entry, base));
    }
    sources
}

/// Writes the problems of games, and the problems between games.
fn push_problems(
    part: &mut Part<'_>,
    database: &Database,
    games: &GameSet,
    sources: &mut Sources,
) -> Result<()> {
    let mut origins = OriginReader::new(database)?;
    let mut behind = i64::MIN;
    loop {
        let (problems, last) = database.problems_behind(behind, BATCH_PROBLEMS)?;
        let Some(last) = last else { return Ok(()) };
        behind = last;

        let mut ids = Vec::with_capacity(problems.len());
        let mut chosen = Vec::with_capacity(problems.len());
        for problem in problems {
            // A problem between games belongs to no game, so it is always written.
            let is_chosen = match problem.game {
                Some(game) => games.contains(GameId::new(game)),
                None => true,
            };
            if !is_chosen {
                continue;
            }
            let Some((entry, base)) = sources.get_mut(&problem.source) else {
                continue;
            };

            let origin = match problem.game {
                Some(game) => origins.origin(game)?,
                None => None,
            };
            ids.push(origin.map(|origin| base.id(&origin.bytes)));
            entry.problems += 1;
            chosen.push(problem);
        }

        let rows = chosen.iter().zip(ids);
        part.push_problems(rows.map(|(problem, id)| problem_row(problem, id, sources)))?;
    }
}

/// The row of a problem; `game` is the id of its game.
fn problem_row<'p>(
    problem: &'p StoredProblem,
    game: Option<i64>,
    sources: &'p Sources,
) -> ProblemRow<'p> {
    ProblemRow {
        game,
        source: sources
            .get(&problem.source)
            .map_or("", |(entry, _)| &entry.path),
        byte_offset: problem.byte_offset,
        byte_length: problem.byte_length,
        ply: problem.ply,
        kind: &problem.kind,
        text: &problem.text,
        message: &problem.message,
    }
}

/// The rows of some games.
struct StoredBatch {
    rows: BatchRows,
    /// The number of problems of each game.
    problems: Vec<u32>,
    /// The number of the source of each game.
    source_of_game: Vec<i64>,
    /// The errors of games that were left out because of a panic.
    left_out: Vec<Error>,
}

/// Reads batches of games on any thread.
struct BatchReader {
    sources: Sources,
    schema: Arc<TableSchema>,
    positions: PositionTables,
}

impl BatchReader {
    /// Reads a batch. After a panic, the batch is read again without the game in which it happened.
    fn read(&self, database: &Database, games: &[GameId]) -> Result<StoredBatch> {
        let mut games = games.to_vec();
        let mut left_out = Vec::new();
        loop {
            let current = Cell::new(None);
            match caught(|| self.read_games(database, &games, &current)) {
                Ok(batch) => return Ok(StoredBatch { left_out, ..batch? }),
                Err(bug) => {
                    let Some(game) = current.get() else {
                        panic!("{bug}")
                    };
                    games.retain(|&other| other != GameId::new(game));
                    left_out.push(Error::Bug {
                        path: database.path().to_owned(),
                        game,
                        bug,
                    });
                }
            }
        }
    }

    /// Reads games. `current` is set to the number of each game before the work on it, so that a panic can be assigned
    /// to the game.
    fn read_games(
        &self,
        database: &Database,
        games: &[GameId],
        current: &Cell<Option<i64>>,
    ) -> Result<StoredBatch> {
        let mut reader = GameReader::new(database)?;
        let mut origins = OriginReader::new(database)?;
        let mut batch = StoredBatch {
            rows: BatchRows::new(&self.schema, &self.positions),
            problems: Vec::new(),
            source_of_game: Vec::new(),
            left_out: Vec::new(),
        };

        for &id in games {
            current.set(Some(id.get()));
            let (Some(game), Some(origin)) = (reader.game(id)?, origins.origin(id.get())?) else {
                continue;
            };
            self.push_game(database, id, &game, &origin, &mut batch)?;
        }

        // A panic from here on belongs to no game.
        current.set(None);
        batch.rows.divide();
        Ok(batch)
    }

    /// Adds the rows of a game to a batch.
    fn push_game(
        &self,
        database: &Database,
        id: GameId,
        game: &Game<'_>,
        origin: &StoredOrigin,
        batch: &mut StoredBatch,
    ) -> Result<()> {
        let Some((source, base)) = self.sources.get(&origin.source) else {
            return Ok(());
        };

        let replayed = Played::by_replaying(game);
        let game_id = base.id(&origin.bytes);
        let plies = replayed.moves.len();
        let frame = frame(origin, GameId::new(game_id), &source.path, plies);

        let pushed = batch.rows.games.push(game, &[], &frame);
        pushed.map_err(|why| Error::Damaged {
            path: database.path().to_owned(),
            what: format!("game {id}: {why}"),
        })?;
        batch.rows.written.push(WrittenGame {
            number: batch.rows.written.len(),
            id: game_id,
        });
        batch.problems.push(origin.problems);
        batch.source_of_game.push(origin.source);

        let start = match game.start.as_deref() {
            Some(fen) => Position::from_fen(fen).ok(),
            None => None,
        };
        batch.rows.push_positions(
            &self.positions,
            game,
            &replayed,
            start.as_ref(),
            game_id,
            |position| database.evaluation(position),
        )
    }
}

/// The values of a game row that come from the place and the opening of a stored game.
fn frame<'g>(origin: &'g StoredOrigin, id: GameId, source: &'g str, plies: usize) -> GameFrame<'g> {
    let opening = origin.opening.as_ref();
    GameFrame {
        id: id.get(),
        bytes: origin.bytes.clone(),
        moves_hash: origin.moves_hash,
        plies: plies as u32,
        opening: opening.map(|(eco, name)| Opening { eco, name }),
        source,
    }
}
