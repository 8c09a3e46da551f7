//! Databases of other programs as streams of PGN text, which all threads write at once.
//!
//! A reader of a format implements [`GameTexts`]: it can write the PGN of any range of its games, independently of the
//! other games. It lists its games in [`Batches`] when it opens the database. [`Unpacker::game_texts`] has the threads
//! of the pool write batches, and passes their texts on in the order of the games, so that the number of threads does
//! not change the stream. The pipeline cuts, replays and hashes this text like the text of any source. So the text of a
//! game must depend only on the game. Otherwise, a later import would not recognize the database.
//!
//! Memory is bounded by the number of batches in progress and the size of a batch.

use std::io;
use std::ops::Range;
use std::path::Path;

use super::ahead::{BlockWriter, ReadAheadEnd, stream};
use super::content::{Content, ForeignDatabase, Source};
use super::unpack::{Stop, Unpacker, Walk};
use crate::ordered::ordered;
use crate::threads;

/// The number of stored bytes at which a batch is full. PGN is three to eight times larger than a compact format.
const BATCH_BYTES: u64 = 1 << 16;
/// The maximum number of games in a batch, whatever their size.
const BATCH_GAMES: u64 = 512;
/// The number of batches in progress for each thread: one that it writes, and one that waits for its turn.
const BATCHES_PER_THREAD: usize = 2;

/// The games of a database that is not text.
pub(super) trait GameTexts: Sync {
    /// Appends the games of a batch as PGN, each with its tags, a termination marker, and a blank line behind it.
    ///
    /// A damaged game is written as far as it can be read. In the place of the damage is a word that is not a move, so
    /// that the replay reports it with the game's number. Nothing is written for a record that is not a game.
    ///
    /// # Errors
    /// If the files cannot be read. The games before the batch are kept, and the games behind it are not read.
    fn write(&self, games: Range<u64>, text: &mut Vec<u8>) -> io::Result<()>;
}

/// Consecutive games in batches of limited size.
#[derive(Debug, Default)]
pub(super) struct Batches {
    whole: Vec<Range<u64>>,
    /// The batch that is not full yet, and its stored bytes.
    last: Range<u64>,
    last_bytes: u64,
}

impl Batches {
    /// Adds the next game. `bytes` is the size of the game in the files.
    pub(super) fn add_game(&mut self, bytes: u64) {
        self.last.end += 1;
        self.last_bytes += bytes;

        let games = self.last.end - self.last.start;
        let is_full = self.last_bytes >= BATCH_BYTES || games >= BATCH_GAMES;
        if is_full {
            let next = self.last.end..self.last.end;
            let full = std::mem::replace(&mut self.last, next);
            self.whole.push(full);
            self.last_bytes = 0;
        }
    }

    /// The ranges of games, in order.
    fn ranges(self) -> impl Iterator<Item = Range<u64>> {
        let last = Some(self.last).filter(|last| !last.is_empty());
        self.whole.into_iter().chain(last)
    }
}

/// The maximum total size of the games of a database: this multiple of the size of the files, plus a constant. In a
/// valid database, no two games share bytes. An index has a few bytes for each game, so a damaged index could repeat a
/// large game without end.
const MAX_REPETITION: u64 = 4;
const MAX_REPEATED_BYTES: u64 = 1 << 28;

/// The maximum total size of the games in files with `file_bytes` bytes.
pub(super) fn max_stored_bytes(file_bytes: u64) -> u64 {
    file_bytes
        .saturating_mul(MAX_REPETITION)
        .saturating_add(MAX_REPEATED_BYTES)
}

/// The games of a database in batches, with their reader.
pub(super) struct ListedGames<'g, G> {
    /// The name of the database: the path of its index.
    pub(super) name: &'g Path,
    pub(super) games: &'g G,
    pub(super) batches: Batches,
    pub(super) database: ForeignDatabase,
    /// The end of the stream after the last game. It is an error if the database is incomplete.
    pub(super) end: io::Result<()>,
}

impl Unpacker {
    /// Passes on the games of a database as one source.
    pub(super) fn game_texts(&self, listed: ListedGames<'_, impl GameTexts>) -> Walk {
        let ListedGames {
            name,
            games,
            batches,
            database,
            end,
        } = listed;

        let (writer, stream) = stream();
        let source = Source {
            name: name.to_owned(),
            size: None,
            content: Content::Stream(stream),
            consumed: self.consumed.clone(),
            is_of_records: true,
            database: Some(database),
        };
        self.send(Ok(source))?;

        match write_all(games, batches, writer, end) {
            ReadAheadEnd::Broken => Err(Stop::Broken),
            ReadAheadEnd::Whole | ReadAheadEnd::Unwanted => Ok(()),
        }
    }
}

/// Writes all games into a stream, in order, on all threads. The stream ends with `end`, or with the first error of
/// reading.
fn write_all(
    games: &impl GameTexts,
    batches: Batches,
    writer: BlockWriter,
    end: io::Result<()>,
) -> ReadAheadEnd {
    let limit = BATCHES_PER_THREAD * threads::count();
    let text_of = |range| {
        let mut text = Vec::new();
        let written = games.write(range, &mut text);
        (text, written)
    };

    let mut failure = None;
    let passed_on = ordered(batches.ranges(), limit, text_of, |(text, written)| {
        if let Err(error) = written {
            failure = Some(error);
            return Err(ReadAheadEnd::Broken);
        }
        writer.write(text)
    });

    match (passed_on, failure) {
        (Ok(()), _) => writer.end(end),
        (Err(_), Some(error)) => writer.end(Err(error)),
        (Err(stopped), None) => stopped,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::thread;

    use super::super::ahead::stream;
    use super::*;

    /// Games whose texts are their numbers; one of them cannot be read.
    struct Numbers {
        unreadable: Option<u64>,
    }

    impl GameTexts for Numbers {
        fn write(&self, games: Range<u64>, text: &mut Vec<u8>) -> io::Result<()> {
            for game in games {
                if Some(game) == self.unreadable {
                    return Err(io::Error::other("unreadable"));
                }
                text.extend_from_slice(format!("{game}\n").as_bytes());
            }
            Ok(())
        }
    }

    fn batches(games: u64, bytes: u64) -> Batches {
        let mut batches = Batches::default();
        for _ in 0..games {
            batches.add_game(bytes);
        }
        batches
    }

    /// The stream of numbers, and the message of the error at its end.
    fn read(
        numbers: &Numbers,
        games: u64,
        end: io::Result<()>,
    ) -> (String, Option<String>, ReadAheadEnd) {
        let (writer, mut stream) = stream();
        thread::scope(|scope| {
            let writing = scope.spawn(|| write_all(numbers, batches(games, 100), writer, end));
            let mut text = String::new();
            let read = stream.read_to_string(&mut text);
            let message = read.err().map(|error| error.to_string());
            (text, message, writing.join().expect("no panic"))
        })
    }

    fn numbers(games: Range<u64>) -> String {
        games.map(|game| format!("{game}\n")).collect()
    }

    #[test]
    fn games_come_in_order() {
        let (text, error, end) = read(&Numbers { unreadable: None }, 100_000, Ok(()));

        assert_eq!((error, end), (None, ReadAheadEnd::Whole));
        assert_eq!(text, numbers(0..100_000));
    }

    #[test]
    fn an_error_comes_behind_the_batches_before_it() {
        let numbers_of = Numbers {
            unreadable: Some(2000),
        };
        let (text, error, end) = read(&numbers_of, 100_000, Ok(()));
        assert_eq!(error.as_deref(), Some("unreadable"));
        assert_eq!(end, ReadAheadEnd::Broken);
        assert_eq!(text, numbers(0..1536), "three batches of 512 games");
    }

    #[test]
    fn what_is_known_to_be_missing_is_an_error_behind_all_games() {
        let end = Err(io::Error::other("cut short"));
        let (text, error, end) = read(&Numbers { unreadable: None }, 3, end);
        assert_eq!((text, error), (numbers(0..3), Some("cut short".to_owned())));
        assert_eq!(end, ReadAheadEnd::Broken);
    }

    #[test]
    fn no_games_are_an_empty_stream() {
        let (text, error, end) = read(&Numbers { unreadable: None }, 0, Ok(()));

        assert_eq!((error, end), (None, ReadAheadEnd::Whole));
        assert_eq!(text, "");
    }

    #[test]
    fn nothing_is_written_for_a_reader_that_is_gone() {
        let numbers = Numbers { unreadable: None };
        let (writer, stream) = stream();
        drop(stream);

        let end = write_all(&numbers, batches(100_000, 100), writer, Ok(()));

        assert_eq!(end, ReadAheadEnd::Unwanted);
    }

    #[test]
    fn large_games_make_small_batches() {
        let ranges: Vec<Range<u64>> = batches(3, BATCH_BYTES).ranges().collect();
        assert_eq!(ranges, [0..1, 1..2, 2..3]);
        let ranges: Vec<Range<u64>> = batches(600, 1).ranges().collect();
        assert_eq!(ranges, [0..512, 512..600]);
    }
}
