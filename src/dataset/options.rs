//! The options of a data set, and the summary of a part that has been written.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::digest::Digest;
use super::spill::PARTITIONS;
use crate::ingest::{ReadOptions, Summary};
use crate::memory::Memory;
use crate::query::Query;
use crate::replay::Readings;

/// The columns of the table `games`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Stamma's own columns.
    #[default]
    Stamma,
    /// The columns of the data sets that Lichess publishes, without other tables.
    Lichess,
}

impl Layout {
    /// The name in manifests and files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Layout::Stamma => "stamma-1",
            Layout::Lichess => "lichess",
        }
    }

    /// `true` if a data set has the other tables besides `games`.
    pub(super) const fn has_all_tables(self) -> bool {
        matches!(self, Layout::Stamma)
    }
}

/// The maximum number of buckets: each bucket has at least one partition of the positions.
const MAX_BUCKETS: u16 = PARTITIONS as u16;

/// The number of buckets: files among which positions are divided by their keys. A power of two up to 4096.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BucketCount(u16);

impl BucketCount {
    /// The number.
    pub const fn get(self) -> u16 {
        self.0
    }
}

impl Default for BucketCount {
    /// 16.
    fn default() -> BucketCount {
        BucketCount(16)
    }
}

/// A number of buckets that is no power of two, or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give a power of two from 1 to 4096")]
pub struct ParseBucketCountError;

impl FromStr for BucketCount {
    type Err = ParseBucketCountError;

    fn from_str(text: &str) -> Result<BucketCount, ParseBucketCountError> {
        let number: u16 = text.trim().parse().map_err(|_| ParseBucketCountError)?;
        let is_valid = number.is_power_of_two() && number <= MAX_BUCKETS;
        if !is_valid {
            return Err(ParseBucketCountError);
        }
        Ok(BucketCount(number))
    }
}

/// The maximum number of shards. A check whether a data set is complete looks for each shard by its name.
const MAX_SHARDS: u32 = 1_000_000;

/// A shard: one of several equal parts of the sources. Each shard is written by a separate run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Shard(u32, u32);

impl Shard {
    /// The number of this shard, from 1.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The number of shards.
    pub const fn count(self) -> u32 {
        self.1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0, self.1)
    }
}

/// A text that names no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give the number of the shard and the number of shards, like 1/8")]
pub struct ParseShardError;

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Shard, ParseShardError> {
        let (number_text, count_text) = text.split_once('/').ok_or(ParseShardError)?;
        let number: u32 = number_text.trim().parse().map_err(|_| ParseShardError)?;
        let count: u32 = count_text.trim().parse().map_err(|_| ParseShardError)?;

        let is_valid = (1..=count).contains(&number) && count <= MAX_SHARDS;
        if !is_valid {
            return Err(ParseShardError);
        }

        Ok(Shard(number, count))
    }
}

/// Options of a data set.
#[derive(Clone, Debug)]
pub struct DatasetOptions {
    /// The readings of moves to try.
    pub readings: Readings,
    /// The options of reading games from bytes.
    pub read: ReadOptions,
    /// The memory limit.
    pub memory: Memory,
    /// The games to write.
    pub query: Query,
    /// The options that choose and read games, as the command line spells them, such as `--elo 2600`. The names of
    /// files depend on them. Without them, the names depend on the form of `query` and `readings` in memory, which
    /// differs between versions.
    pub spelled: Option<Vec<String>>,
    /// The columns of games.
    pub layout: Layout,
    /// The number of files among which positions are divided.
    pub buckets: BucketCount,
    /// The maximum number of half-moves before a position; later positions are not written.
    pub max_ply: Option<u16>,
    /// `true` to write the FEN of each position.
    pub fen: bool,
    /// `true` to write the table of half-moves.
    pub plies: bool,
    /// `true` to write the evaluations that a database has of the positions in the table of half-moves. For games from
    /// files, these columns are NULL.
    pub evaluations: bool,
    /// `true` to write bloom filters of position keys.
    pub bloom: bool,
    /// The shard to write; `None` to write all games.
    pub shard: Option<Shard>,
    /// The name of the files; `None` to name them by their sources.
    pub name: Option<String>,
    /// A text that changes the ids of games, so that they differ from the ids of another data set.
    pub id_salt: String,
    /// Set from outside to end the run.
    pub stop: Arc<AtomicBool>,
}

impl Default for DatasetOptions {
    /// All games and positions of all sources.
    fn default() -> DatasetOptions {
        DatasetOptions {
            readings: Readings::default(),
            read: ReadOptions::default(),
            memory: Memory::default(),
            query: Query::new(),
            spelled: None,
            layout: Layout::default(),
            buckets: BucketCount::default(),
            max_ply: None,
            fen: false,
            plies: false,
            evaluations: false,
            bloom: false,
            shard: None,
            name: None,
            id_salt: String::new(),
            stop: Arc::default(),
        }
    }
}

/// A table of a data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenTable {
    /// `games`, `positions`, `problems`.
    pub name: &'static str,
    /// The number of rows.
    pub rows: u64,
    /// The total size of the files in bytes.
    pub bytes: u64,
    /// The sum of the hashes of the rows.
    pub digest: Digest,
    /// The paths of the files, relative to the data set.
    pub files: Vec<PathBuf>,
    /// The compressed bytes of each column, in the order of column names.
    pub columns: Vec<(String, u64)>,
}

/// A part of a data set that has been written.
#[derive(Debug, Default)]
pub struct WrittenDataset {
    /// The totals of the games read, and the failures.
    pub summary: Summary,
    /// The name of the part, which is the name of its files.
    pub name: String,
    /// The tables of the part.
    pub tables: Vec<WrittenTable>,
    /// `true` if the data set has all shards of each part.
    pub is_complete: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_counted_from_one() {
        for (text, is_shard) in [
            ("1/8", true),
            (" 8 / 8 ", true),
            ("0/8", false),
            ("9/8", false),
            ("1", false),
            ("1/1000001", false),
        ] {
            assert_eq!(text.parse::<Shard>().is_ok(), is_shard, "{text}");
        }
    }

    #[test]
    fn bucket_counts_divide_the_partitions() {
        for (text, count) in [
            ("1", Some(1)),
            ("4096", Some(4096)),
            ("0", None),
            ("3", None),
            ("8192", None),
        ] {
            let parsed = text.parse::<BucketCount>().ok();
            assert_eq!(parsed.map(BucketCount::get), count, "{text}");
        }
    }
}
