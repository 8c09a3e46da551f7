//! Writes games and their positions as a data set of Parquet files, for engines such as DuckDB, Spark, ClickHouse and
//! Polars.
//!
//! A data set is a folder with a folder for each table. Each run adds a part: a manifest, and files with the name of
//! the part. A repeated run with equal sources and options writes equal files, byte by byte, whatever the number of
//! threads. Parts that were written on different machines are joined by copying their files into one folder, since the
//! ids of games depend only on the content of their sources.
//!
//! `docs/datasets.md` describes the tables.

mod board_row;
mod buckets;
mod checked_pages;
mod column;
mod digest;
mod folder;
mod game_row;
mod ids;
mod macros;
mod manifest;
mod names;
mod options;
mod part;
mod ply_row;
mod position;
mod problem_row;
mod shards;
mod sink;
mod sorted;
mod sources;
mod spill;
mod stored;
mod stream;
mod table;
mod tag_value;
mod worker;

use std::path::Path;
use std::sync::Arc;

pub use crate::ingest::{ReadOptions, Summary, Tally};
pub use digest::Digest;
pub use options::{
    BucketCount, DatasetOptions, Layout, ParseBucketCountError, ParseShardError, Shard,
    WrittenDataset, WrittenTable,
};

use crate::error::{Error, Result};
use crate::ingest::{self, ingest};
use crate::input::Input;
use crate::query::GameMatcher;
use crate::storage::Database;
use ids::{IdBase, IdBases};
use part::Part;
use shards::ShardPlan;
use sink::PartSink;

/// Writes the wanted games of some inputs as a part of the data set in a folder. `progress` is called regularly with
/// the totals so far. [`Summary::failures`] names sources that cannot be read or have no game. All other sources are
/// written, and so are the games before damage.
///
/// # Errors
/// If the folder holds something other than a data set of this form, or cannot be written; if the query needs a
/// database; if the run is stopped. Then the data set is as it was before.
pub fn write(
    inputs: &[Input],
    path: &Path,
    options: &DatasetOptions,
    progress: impl FnMut(&Tally),
) -> Result<WrittenDataset> {
    if let Some(part) = options.query.part_for_databases() {
        return Err(Error::NeedsDatabase(part));
    }
    let matcher = GameMatcher::new(&options.query).map_err(Error::sql)?;

    let plan = shard_plan(inputs, options)?;
    let read_inputs: Vec<&Input> = match &plan {
        Some(plan) => plan.inputs.iter().map(|&number| &inputs[number]).collect(),
        None => inputs.iter().collect(),
    };
    let shard_heads = plan.as_ref().map(|plan| plan.heads.clone());

    let names = inputs.iter().map(Input::name);
    let begun_part = Part::begin(path, &run_key(names, options), options)?;
    let games = Arc::clone(&begun_part.schemas.games);
    let mut sink = PartSink {
        options,
        matcher: matcher.as_ref(),
        part: begun_part,
        games: &games,
        bases: IdBases::new(&options.id_salt),
        plan,
        begun: (String::new(), IdBase(0)),
        progress,
    };

    let reading = ingest::Options {
        readings: options.readings.clone(),
        batches: options.memory.converted_batches(),
        stop: Some(Arc::clone(&options.stop)),
    };
    let mut summary = ingest(read_inputs, reading, &mut sink)?;
    if summary.is_interrupted {
        return Err(Error::Interrupted);
    }

    let part = sink.part;
    if options.shard.is_some() {
        // A source without a game in this shard is no failure: its games may begin in other shards.
        summary
            .failures
            .retain(|failure| !matches!(failure, Error::NoGames(_)));
    } else if part.sources.is_empty() {
        return Ok(WrittenDataset {
            summary,
            ..WrittenDataset::default()
        });
    }

    let heads = shard_heads.unwrap_or_else(|| part.heads());
    part.finish(&name_of_first(inputs), &heads, summary)
}

/// The name of the first input; empty if there is none.
fn name_of_first(inputs: &[Input]) -> String {
    match inputs.first() {
        Some(input) => input.name().to_string_lossy().into_owned(),
        None => String::new(),
    }
}

/// The plan of the shard that is written; `None` if all games are written.
fn shard_plan(inputs: &[Input], options: &DatasetOptions) -> Result<Option<ShardPlan>> {
    let Some(shard) = options.shard else {
        return Ok(None);
    };

    let plan = ShardPlan::new(inputs, shard, &options.id_salt, options.read)?;
    Ok(Some(plan))
}

/// Writes the games of a database that the query matches as a part of the data set in a folder, as [`write()`] does
/// with the files that they were imported from. `database` must be open for reading; further connections to it are
/// opened for all threads.
///
/// # Errors
/// The errors of [`write()`], and if the database cannot be read or is damaged.
pub fn write_stored(
    database: Database,
    path: &Path,
    options: &DatasetOptions,
    progress: impl FnMut(&Tally),
) -> Result<WrittenDataset> {
    let key = run_key(std::iter::once(database.path()), options);
    stored::write(database, path, &key, options, progress)
}

/// The number of hexadecimal digits in the key of a run: 64 bits.
const RUN_KEY_DIGITS: usize = 16;

/// The key of a run: [`RUN_KEY_DIGITS`] digits of a hash over the inputs and the options. It distinguishes runs that
/// write to one folder.
fn run_key<'p>(inputs: impl Iterator<Item = &'p Path>, options: &DatasetOptions) -> String {
    let mut hasher = blake3::Hasher::new();
    for input in inputs {
        hasher
            .update(input.to_string_lossy().as_bytes())
            .update(&[0]);
    }

    hasher.update(names::row_options(options).as_bytes());
    if let Some(shard) = options.shard {
        hasher.update(format!("shard {shard}\n").as_bytes());
    }
    if let Some(name) = &options.name {
        hasher.update(format!("name {name}\n").as_bytes());
    }

    let hash = hasher.finalize().to_hex();
    hash.as_str()[..RUN_KEY_DIGITS].to_owned()
}
