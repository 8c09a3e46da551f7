//! Batches with running hashes: each batch has the hash of all bytes up to its end.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::ingest::{Batch, Batches, BegunStream, ReadOptions, in_memory, of_file};
use crate::input::MappedFile;
use crate::storage::Mark;

/// A batch and its marks in the source.
pub(super) struct HashedBatch<'f> {
    pub(super) batch: Batch<'f>,
    pub(super) marks: Marks,
}

/// The marks of a batch.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    /// The end of the batch.
    pub(super) end: Mark,
    /// The start of the last game, if the batch has a game.
    pub(super) last_game: Option<Mark>,
    /// The bytes of the batch, from which the mark of any place is computed. `None` if batches are never cut, or the
    /// batch has been cut.
    content: Option<Box<Content>>,
}

impl Marks {
    /// The marks of the part of the batch that ends with a game; `None` if the bytes of the batch have not been kept.
    pub(super) fn ending_with(&self, game: Range<u64>) -> Option<Marks> {
        let content = self.content.as_ref()?;

        Some(Marks {
            end: content.mark(game.end),
            last_game: Some(content.mark(game.start)),
            content: None,
        })
    }
}

/// The bytes of a batch, and the hasher of all bytes before them.
#[derive(Clone, Debug)]
struct Content {
    before: blake3::Hasher,
    start: u64,
    bytes: Vec<u8>,
}

impl Content {
    /// The mark of a place in the batch.
    fn mark(&self, place: u64) -> Mark {
        let offset = place.saturating_sub(self.start) as usize;
        let length = offset.min(self.bytes.len());
        let mut hasher = self.before.clone();
        hasher.update(&self.bytes[..length]);

        Mark {
            bytes: place,
            hash: hasher.finalize().into(),
        }
    }
}

/// The batches of a source.
pub(super) struct HashedBatches<'f> {
    batches: Batches<'f>,
    bytes: Bytes<'f>,
    hasher: blake3::Hasher,
    hashed: u64,
    /// Requested offsets, each with its hash once it has been passed.
    requested: BTreeMap<u64, Option<[u8; 32]>>,
    /// `true` if batches may be cut, and so need a copy of their bytes.
    keeps_content: bool,
}

/// The origin of the bytes to hash.
enum Bytes<'f> {
    File(&'f MappedFile),
    /// The batches, whose text is the bytes of the source.
    Batches,
    /// Copies of the bytes read and not hashed yet. Used for a source in UTF-16, because the text of its batches is
    /// UTF-8.
    Read(Arc<Mutex<Unhashed>>),
}

/// Bytes that were read and are not hashed yet.
#[derive(Default)]
struct Unhashed {
    bytes: Vec<u8>,
    /// The number of bytes at the beginning that are hashed.
    hashed: usize,
}

impl Unhashed {
    /// The bytes that are not hashed yet.
    fn rest(&self) -> &[u8] {
        &self.bytes[self.hashed..]
    }

    /// Marks the next bytes as hashed.
    fn pass(&mut self, bytes: usize) {
        self.hashed += bytes;
        // Removing hashed bytes moves the rest. To keep this cheap, bytes are removed only if fewer bytes are moved
        // than removed.
        if 2 * self.hashed > self.bytes.len() {
            self.bytes.drain(..self.hashed);
            self.hashed = 0;
        }
    }
}

impl<'f> HashedBatches<'f> {
    /// The batches of a file in memory.
    pub(super) fn of_file(file: &'f MappedFile, options: ReadOptions) -> HashedBatches<'f> {
        HashedBatches::new(of_file(file, options), Bytes::File(file))
    }

    /// The batches of a stream, to its end, or until reading fails, which sets `failure`.
    pub(super) fn of_stream(
        input: impl Read + Send + 'f,
        options: ReadOptions,
        failure: &'f mut Option<io::Error>,
    ) -> HashedBatches<'f> {
        let stream = BegunStream::begin(input);
        if !stream.is_utf16(options) {
            return HashedBatches::new(stream.batches(options, failure), Bytes::Batches);
        }

        // The bytes read to detect UTF-16 belong to the source, so they are hashed, too.
        let unhashed = Unhashed {
            bytes: stream.beginning().to_vec(),
            hashed: 0,
        };
        let read = Arc::new(Mutex::new(unhashed));
        let copied = stream.map_rest(|input| Copied {
            input,
            read: Arc::clone(&read),
        });
        HashedBatches::new(copied.batches(options, failure), Bytes::Read(read))
    }

    fn new(batches: Batches<'f>, bytes: Bytes<'f>) -> HashedBatches<'f> {
        HashedBatches {
            batches,
            bytes,
            hasher: blake3::Hasher::new(),
            hashed: 0,
            requested: BTreeMap::new(),
            keeps_content: false,
        }
    }

    /// Sets whether batches keep a copy of their bytes, which [`Marks::ending_with`] needs.
    pub(super) fn keeping_content(mut self, keeps_content: bool) -> HashedBatches<'f> {
        self.keeps_content = keeps_content;
        self
    }

    /// The number of bytes passed.
    pub(super) fn bytes(&self) -> u64 {
        self.hashed
    }

    /// Requests the hash of all bytes before an offset that has not been passed yet.
    pub(super) fn request_hash(&mut self, place: u64) {
        self.requested.insert(place, None);
    }

    /// The hash of all bytes before a requested offset, if it has been passed.
    pub(super) fn hash_at(&self, place: u64) -> Option<[u8; 32]> {
        self.requested.get(&place).copied().flatten()
    }

    /// Hashes up to an offset in the source, which is in a batch or at its end.
    fn mark(&mut self, batch: &Batch<'_>, place: u64) -> Mark {
        // The hasher passes each byte once, so requested offsets on the way get their hashes in passing.
        let passed: Vec<u64> = self
            .requested
            .range(self.hashed..=place)
            .map(|(&requested, _)| requested)
            .collect();
        for requested in passed {
            self.hash_to(batch, requested);
            let hash = self.hasher.finalize().into();
            self.requested.insert(requested, Some(hash));
        }

        self.hash_to(batch, place);
        Mark {
            bytes: place,
            hash: self.hasher.finalize().into(),
        }
    }

    /// Hashes the bytes up to an offset, which is in the batch or at its end.
    fn hash_to(&mut self, batch: &Batch<'_>, place: u64) {
        let range = self.hashed..place;
        self.bytes.between(batch, range.clone(), |bytes| {
            self.hasher.update(bytes);
        });
        self.bytes.pass(range);
        self.hashed = place;
    }

    /// The bytes of a batch, before any of them is hashed.
    fn content(&self, batch: &Batch<'_>) -> Content {
        let range = self.hashed..batch.origin().end;
        let bytes = self.bytes.between(batch, range, <[u8]>::to_vec);

        Content {
            before: self.hasher.clone(),
            start: self.hashed,
            bytes,
        }
    }
}

impl Bytes<'_> {
    /// Calls `work` with the bytes of a range of the source, which begins at the first unhashed byte and is within a
    /// batch.
    ///
    /// This is a callback because the bytes of UTF-16 are behind a lock.
    fn between<R, F>(&self, batch: &Batch<'_>, range: Range<u64>, work: F) -> R
    where
        F: FnOnce(&[u8]) -> R,
    {
        match self {
            Bytes::File(file) => {
                let bytes = file.get(in_memory(range));
                work(bytes.unwrap_or_default())
            }
            Bytes::Batches => {
                let start = batch.origin().start;
                let within = in_memory(range.start - start..range.end - start);
                let bytes = batch.source_bytes().get(within);
                work(bytes.unwrap_or_default())
            }
            Bytes::Read(read) => {
                let read = read.lock().unwrap_or_else(PoisonError::into_inner);
                let rest = read.rest();
                let length = (range.end - range.start) as usize;
                work(&rest[..rest.len().min(length)])
            }
        }
    }

    /// Forgets the bytes of a range, which have been hashed.
    fn pass(&self, range: Range<u64>) {
        if let Bytes::Read(read) = self {
            let mut read = read.lock().unwrap_or_else(PoisonError::into_inner);
            let length = (range.end - range.start) as usize;
            let passed = read.rest().len().min(length);
            read.pass(passed);
        }
    }
}

impl<'f> Iterator for HashedBatches<'f> {
    type Item = HashedBatch<'f>;

    fn next(&mut self) -> Option<HashedBatch<'f>> {
        let batch = self.batches.next()?;
        // The content is copied first, because hashing drops the bytes of a source in UTF-16.
        let content = self.keeps_content.then(|| Box::new(self.content(&batch)));

        let last_game = batch.last_game().map(|place| self.mark(&batch, place));
        let end = self.mark(&batch, batch.origin().end);
        let marks = Marks {
            end,
            last_game,
            content,
        };
        Some(HashedBatch { batch, marks })
    }
}

/// A reader that copies the bytes that it reads.
struct Copied<R> {
    input: R,
    read: Arc<Mutex<Unhashed>>,
}

impl<R: Read> Read for Copied<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.bytes.extend_from_slice(&buffer[..count]);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks_of(batches: HashedBatches<'_>) -> Vec<(Mark, Option<Mark>)> {
        batches
            .map(|HashedBatch { marks, .. }| (marks.end, marks.last_game))
            .collect()
    }

    #[test]
    fn marks_hash_all_bytes_before_them() {
        let game = "[Event \"é\"]\n\n1. e4 { one } *\n\n";
        let text = format!("{}; the end\n", game.repeat(50_000));
        let utf16: Vec<u8> = format!("\u{feff}{text}")
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();

        for bytes in [text.as_bytes(), &utf16] {
            let mut failure = None;
            let batches = HashedBatches::of_stream(bytes, ReadOptions::default(), &mut failure);
            let found = marks_of(batches);

            assert!(found.len() > 1);
            let (end, _) = found[found.len() - 1];
            assert_eq!(end.bytes, bytes.len() as u64);

            for (end, last_game) in &found {
                for mark in [Some(end), last_game.as_ref()].into_iter().flatten() {
                    let before = &bytes[..mark.bytes as usize];
                    assert_eq!(mark.hash, *blake3::hash(before).as_bytes());
                }
            }

            // The mark is in bytes of the source, also for UTF-16; its first two bytes are the byte order mark.
            let (_, last_game) = found[0];
            let start = last_game.expect("a game").bytes as usize;
            let game = if bytes == utf16 {
                &utf16[2..10]
            } else {
                "[Event".as_bytes()
            };
            assert_eq!(bytes[start..start + 4], game[..4]);
        }
    }

    #[test]
    fn a_batch_can_be_cut_behind_any_game() {
        let game = "[Event \"a\"]\n\n1. e4 *\n\n";
        let text = game.repeat(100_000);
        let mut failure = None;
        let options = ReadOptions::default();
        let batches = HashedBatches::of_stream(text.as_bytes(), options, &mut failure);
        let kept: Vec<HashedBatch<'_>> = batches.keeping_content(true).collect();

        assert!(kept.len() > 1);
        let mark_at = |place: u64| Mark {
            bytes: place,
            hash: blake3::hash(&text.as_bytes()[..place as usize]).into(),
        };
        for HashedBatch { batch, marks } in kept {
            let start = batch.origin().start + 3 * game.len() as u64;
            let end = start + game.len() as u64;
            let cut = marks.ending_with(start..end).expect("its bytes are kept");

            assert_eq!(cut.end, mark_at(end));
            assert_eq!(cut.last_game, Some(mark_at(start)));
        }
    }

    #[test]
    fn requested_hashes_are_kept() {
        let text = "[Event \"a\"]\n\n1. e4 *\n\n".repeat(100);
        let mut failure = None;
        let mut batches =
            HashedBatches::of_stream(text.as_bytes(), ReadOptions::default(), &mut failure);
        let behind_end = 1 << 20;
        batches.request_hash(0);
        batches.request_hash(1000);
        batches.request_hash(behind_end);
        assert_eq!(batches.hash_at(1000), None);

        while batches.next().is_some() {}

        let hash_of_nothing: [u8; 32] = blake3::hash(b"").into();
        let hash_of_1000: [u8; 32] = blake3::hash(&text.as_bytes()[..1000]).into();
        assert_eq!(batches.hash_at(0), Some(hash_of_nothing));
        assert_eq!(batches.hash_at(1000), Some(hash_of_1000));
        assert_eq!(batches.hash_at(behind_end), None);
    }
}
