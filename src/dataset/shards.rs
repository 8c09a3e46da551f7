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

/// What a shard reads.
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
        let sizes = inputs.iter().map(|input| {
            input
                .bytes()
                .ok_or_else(|| Error::Uncuttable(input.name().to_owned()))
        });
        let sizes = sizes.collect::<Result<Vec<u64>>>()?;
        let all = u128::from(sizes.iter().sum::<u64>());
        let place = |number: u32| (all * u128::from(number) / u128::from(shard.of())) as u64;
        let wanted = place(shard.number() - 1)..place(shard.number());
        let (mut plan, mut bases, mut start) = (ShardPlan::default(), IdBases::new(salt), 0);
        for (number, (input, &size)) in inputs.iter().zip(&sizes).enumerate() {
            let (from, to) = (
                wanted.start.max(start) - start,
                wanted.end.max(start) - start,
            );
            let is_begun_here = wanted.contains(&start) || (size == 0 && wanted.start == start);
            let of_input = from.min(size)..to.min(size);
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
        let mut planned = Planned {
            is_read: false,
            is_unit: true,
        };
        // What cannot be read is reported when it is read.
        let Ok(sources) = input.sources() else {
            return Ok(Planned {
                is_read: is_begun_here,
                is_unit: false,
            });
        };
        for source in sources {
            let Ok(source) = source else {
                planned.is_read |= is_begun_here;
                continue;
            };
            let name = source.name.clone();
            let (head, part) = looked_at(source, wanted, read);
            let head = blake3::hash(&head);
            self.heads.push(head.into());
            let base = bases.next(head.as_bytes());
            let is_read = part.as_ref().map_or(is_begun_here, |part| !part.is_empty());
            planned.is_unit &= part.is_none();
            planned.is_read |= is_read;
            if is_read {
                self.sources.push_back(PlannedSource { name, base, part });
            }
        }
        Ok(planned)
    }

    /// What was planned of the next source with this name.
    pub(super) fn take(&mut self, name: &Path) -> Option<PlannedSource> {
        let at = self.sources.iter().position(|source| source.name == name)?;
        self.sources.drain(..at);
        self.sources.pop_front()
    }
}

/// What becomes of an input.
struct Planned {
    is_read: bool,
    /// Whether it cannot be cut.
    is_unit: bool,
}

/// The head of a source, and the part of it that is to be read, if it can be cut.
fn looked_at(
    source: Source,
    wanted: &Range<u64>,
    read: ReadOptions,
) -> (Vec<u8>, Option<Range<usize>>) {
    match source.content {
        Content::Mapped(file) => {
            let head = file[..HEAD_BYTES.min(file.len())].to_vec();
            let is_cut = utf16_of(&file, read.encoding).is_none();
            let place = |place: u64| begins_game(&file, (place as usize).min(file.len()));
            (head, is_cut.then(|| place(wanted.start)..place(wanted.end)))
        }
        Content::Stream(stream) => {
            let mut head = Vec::new();
            // A failure comes again when the source is read.
            let _ = stream.take(HEAD_BYTES as u64).read_to_end(&mut head);
            (head, None)
        }
    }
}
