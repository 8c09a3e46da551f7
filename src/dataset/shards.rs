//! Determines the sources, and the parts of sources, that a shard reads.
//!
//! The inputs are laid end to end by their bytes as stored, and cut into equal parts. A game of a file in memory
//! belongs to the shard in which it begins. A compressed file, an archive or a stream is not cut: it belongs to the
//! shard in which its first byte lies.

use std::collections::VecDeque;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::ids::{IdBase, IdBases};
use super::options::Shard;
use crate::error::{Error, Result};
use crate::ingest::{ReadOptions, begins_game};
use crate::input::{Content, Input, Source, utf16_of};
use crate::storage::HEAD_BYTES;

/// The inputs and sources that a shard reads.
#[derive(Debug, Default)]
pub(super) struct ShardPlan {
    /// The numbers of the inputs that the shard reads.
    pub(super) inputs: Vec<usize>,
    /// The sources that the shard reads, in order.
    pub(super) sources: VecDeque<PlannedSource>,
    /// The hashes of the heads of all sources, including the sources of other shards.
    pub(super) heads: Vec<[u8; 32]>,
}

/// A source that a shard reads.
#[derive(Clone, Debug)]
pub(super) struct PlannedSource {
    name: PathBuf,
    pub(super) base: IdBase,
    /// The byte range to read; `None` to read the whole source.
    pub(super) part: Option<Range<usize>>,
}

impl ShardPlan {
    /// Reads the heads of all sources, and determines the sources that a shard reads.
    ///
    /// # Errors
    /// When the size of an input is unknown, or the only input cannot be cut.
    pub(super) fn new(
        inputs: &[Input],
        shard: Shard,
        salt: &str,
        read: ReadOptions,
    ) -> Result<ShardPlan> {
        let mut sizes = Vec::with_capacity(inputs.len());
        for input in inputs {
            let Some(size) = input.bytes() else {
                return Err(Error::Uncuttable(input.name().to_owned()));
            };
            sizes.push(size);
        }

        // The product of a size and a number of shards may need more than 64 bits.
        let all_bytes = u128::from(sizes.iter().sum::<u64>());
        let shards = u128::from(shard.count());
        let end_of_shard = |number: u32| (all_bytes * u128::from(number) / shards) as u64;
        let wanted = end_of_shard(shard.number() - 1)..end_of_shard(shard.number());

        let mut plan = ShardPlan::default();
        let mut bases = IdBases::new(salt);
        let mut start = 0;
        for (number, (input, &size)) in inputs.iter().zip(&sizes).enumerate() {
            // The wanted bytes, counted from the beginning of the input.
            let from = wanted.start.max(start) - start;
            let to = wanted.end.max(start) - start;
            let wanted_of_input = from.min(size)..to.min(size);

            // A range of no bytes contains no place, so an empty input belongs to the shard that begins there.
            let is_empty_here = size == 0 && wanted.start == start;
            let is_begun_here = wanted.contains(&start) || is_empty_here;
            let planned =
                plan.add_sources(input, &wanted_of_input, is_begun_here, read, &mut bases)?;
            if inputs.len() == 1 && shard.count() > 1 && planned.is_uncuttable {
                return Err(Error::Uncuttable(input.name().to_owned()));
            }
            if planned.is_read {
                plan.inputs.push(number);
            }

            start += size;
        }

        Ok(plan)
    }

    /// Adds the sources of an input. `wanted` is the byte range of the shard in the input. `is_begun_here` is `true` if
    /// the shard contains the first byte of the input, or begins at an empty input.
    fn add_sources(
        &mut self,
        input: &Input,
        wanted: &Range<u64>,
        is_begun_here: bool,
        read: ReadOptions,
        bases: &mut IdBases,
    ) -> Result<PlannedInput> {
        // An input that cannot be opened is reported when the shard reads it.
        let Ok(sources) = input.sources() else {
            return Ok(PlannedInput {
                is_read: is_begun_here,
                is_uncuttable: false,
            });
        };

        let mut planned = PlannedInput {
            is_read: false,
            is_uncuttable: true,
        };
        for source in sources {
            let Ok(source) = source else {
                planned.is_read |= is_begun_here;
                continue;
            };

            let name = source.name.clone();
            let (head, part) = head_and_part(source, wanted, read);
            let head_hash = blake3::hash(&head);
            self.heads.push(head_hash.into());
            // The sources of other shards are numbered, too, so that ids do not depend on the number of shards.
            let base = bases.next(head_hash.as_bytes());

            let is_read = match &part {
                Some(part) => !part.is_empty(),
                None => is_begun_here,
            };
            planned.is_uncuttable &= part.is_none();
            planned.is_read |= is_read;
            if is_read {
                self.sources.push_back(PlannedSource { name, base, part });
            }
        }
        Ok(planned)
    }

    /// The plan of the next source with this name; `None` if the shard does not read the source.
    pub(super) fn take_source(&mut self, name: &Path) -> Option<PlannedSource> {
        let at = self.sources.iter().position(|source| source.name == name)?;

        // The sources before it have become unreadable since the plan was made.
        self.sources.drain(..at);
        self.sources.pop_front()
    }
}

/// The result of planning an input.
struct PlannedInput {
    /// `true` if the shard reads the input, in whole or in part.
    is_read: bool,
    /// `true` if no source of the input can be cut; `false` if the input cannot be opened.
    is_uncuttable: bool,
}

/// The head of a source, and the byte range of the games that begin in the wanted range; `None` if the source cannot be
/// cut.
fn head_and_part(
    source: Source,
    wanted: &Range<u64>,
    read: ReadOptions,
) -> (Vec<u8>, Option<Range<usize>>) {
    match source.content {
        Content::Mapped(file) => {
            let head = file[..HEAD_BYTES.min(file.len())].to_vec();

            // UTF-16 is converted as a stream.
            if utf16_of(&file, read.encoding).is_some() {
                return (head, None);
            }

            let game_at = |place: u64| begins_game(&file, (place as usize).min(file.len()));
            let part = game_at(wanted.start)..game_at(wanted.end);
            (head, Some(part))
        }
        Content::Stream(stream) => {
            let mut head = Vec::new();
            // If reading fails here, it fails again when the shard reads the source, and is reported then.
            let _ = stream.take(HEAD_BYTES as u64).read_to_end(&mut head);
            (head, None)
        }
    }
}
