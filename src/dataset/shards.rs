//! Which sources, and which parts of them, are read by a shard.
//!
//! The inputs are laid end to end by their bytes as stored, and cut into equal parts. A game of a file in memory belongs
//! to the shard in which it begins. A compressed file, an archive or a stream is not cut: all of it belongs to the shard
//! in which it begins.

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

/// The sources that a shard reads.
#[derive(Debug, Default)]
pub(super) struct ShardPlan {
    /// The inputs, by number, that it reads from.
    pub(super) inputs: Vec<usize>,
    /// Their sources in order.
    pub(super) sources: VecDeque<PlannedSource>,
    /// The heads of the sources of all inputs.
    pub(super) heads: Vec<[u8; 32]>,
}

/// A source that a shard reads.
#[derive(Clone, Debug)]
pub(super) struct PlannedSource {
    name: PathBuf,
    pub(super) base: IdBase,
    /// The part to read; `None` for all.
    pub(super) part: Option<Range<usize>>,
}

impl ShardPlan {
    /// Looks at the heads of all sources, and finds what a shard reads.
    ///
    /// # Errors
    /// When an input has no known size, or is the only one and cannot be cut.
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
        let shards = u128::from(shard.of());
        let place = |number: u32| (all_bytes * u128::from(number) / shards) as u64;
        let wanted = place(shard.number() - 1)..place(shard.number());

        let mut plan = ShardPlan::default();
        let mut bases = IdBases::new(salt);
        let mut start = 0;
        for (number, (input, &size)) in inputs.iter().zip(&sizes).enumerate() {
            // The wanted bytes, counted from the beginning of the input.
            let from = wanted.start.max(start) - start;
            let to = wanted.end.max(start) - start;
            let of_input = from.min(size)..to.min(size);

            // A range of no bytes contains no place, so an empty input belongs to the shard that begins there.
            let is_empty_here = size == 0 && wanted.start == start;
            let is_begun_here = wanted.contains(&start) || is_empty_here;
            let planned = plan.add(input, &of_input, is_begun_here, read, &mut bases)?;
            if inputs.len() == 1 && shard.of() > 1 && planned.is_unit {
                return Err(Error::Uncuttable(input.name().to_owned()));
            }
            if planned.is_read {
                plan.inputs.push(number);
            }

            start += size;
        }

        Ok(plan)
    }

    /// Adds the sources of an input.
    fn add(
        &mut self,
        input: &Input,
        wanted: &Range<u64>,
        is_begun_here: bool,
        read: ReadOptions,
        bases: &mut IdBases,
    ) -> Result<Planned> {
        // What cannot be read is reported when it is read.
        let Ok(sources) = input.sources() else {
            return Ok(Planned {
                is_read: is_begun_here,
                is_unit: false,
            });
        };

        let mut planned = Planned {
            is_read: false,
            is_unit: true,
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
            // Sources of other shards count as well, so that an id does not depend on the shards.
            let base = bases.next(head_hash.as_bytes());

            let is_read = match &part {
                Some(part) => !part.is_empty(),
                None => is_begun_here,
            };
            planned.is_unit &= part.is_none();
            planned.is_read |= is_read;
            if is_read {
                self.sources.push_back(PlannedSource { name, base, part });
            }
        }
        Ok(planned)
    }

    /// The plan of the next source with this name.
    pub(super) fn take(&mut self, name: &Path) -> Option<PlannedSource> {
        let at = self.sources.iter().position(|source| source.name == name)?;

        // Sources that have become unreadable since the plan was made are passed over.
        self.sources.drain(..at);
        self.sources.pop_front()
    }
}

/// The plan of an input.
struct Planned {
    /// Whether the shard reads from it.
    is_read: bool,
    /// Whether it cannot be cut.
    is_unit: bool,
}

/// The head of a source, and the part of it that is to be read, if it can be cut.
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
            // A failure comes again when the source is read.
            let _ = stream.take(HEAD_BYTES as u64).read_to_end(&mut head);
            (head, None)
        }
    }
}
