//! What a worker does: a stretch of a file to rows and postings.

use std::collections::BTreeMap;
use std::ops::Range;

use memchr::{memchr_iter, memchr2, memrchr};

use crate::index::BatchPostings;
use crate::input::decode;
use crate::pgn::{Span, newline, split};
use crate::replay::{Problem, ProblemKind, ReadingId, Readings};
use crate::storage::{GameRow, ProblemRow, RowBuilder, TextArena};

/// How much of a file is replayed at once.
pub(super) const BATCH_BYTES: usize = 1 << 20;
/// Text for which there is about one position.
const TEXT_BYTES_A_POSITION: usize = 7;

/// Some games that follow each other in a file.
pub(super) struct Batch<'f> {
    file: &'f [u8],
    spans: Vec<Span>,
    newline: u8,
    /// The line on which the first span begins, from 1.
    first_line: u64,
}

/// A game of which the file's other games may say more.
pub(super) struct Open {
    /// The game's number in its batch.
    pub(super) game: usize,
    /// The readings that explain it equally well; none for a game of PGN in English that may be one of
    /// another language.
    pub(super) equals: Vec<ReadingId>,
    /// Whether they explain all of it.
    pub(super) is_whole: bool,
    /// Whether they give different moves.
    pub(super) differ: bool,
}

/// A batch with all that is to be written of it.
pub(super) struct Finished<'f> {
    pub(super) batch: Batch<'f>,
    /// The games that are not simply PGN in English, or might not be, in their order.
    pub(super) open: Vec<Open>,
    pub(super) games: Vec<GameRow>,
    pub(super) texts: TextArena,
    pub(super) problems: Vec<ProblemRow>,
    pub(super) postings: BatchPostings,
    /// Where the batch stands in its file.
    pub(super) range: Range<usize>,
}

/// Cuts a file into batches, and hashes and counts lines on the way.
pub(super) struct Batches<'f, 'h, I> {
    file: &'f [u8],
    spans: I,
    hasher: &'h mut blake3::Hasher,
    newline: u8,
    line: u64,
}

impl<'f, 'h> Batches<'f, 'h, ()> {
    /// All batches of a file.
    pub(super) fn new(
        file: &'f [u8],
        hasher: &'h mut blake3::Hasher,
    ) -> Batches<'f, 'h, impl Iterator<Item = Span> + use<'f>> {
        Batches { file, spans: split(file), hasher, newline: newline(file), line: 1 }
    }
}

impl<'f, I: Iterator<Item = Span>> Iterator for Batches<'f, '_, I> {
    type Item = Batch<'f>;

    fn next(&mut self) -> Option<Batch<'f>> {
        let mut spans = Vec::new();
        let mut bytes = 0;
        for span in self.spans.by_ref() {
            bytes += range(&span).len();
            spans.push(span);
            if bytes >= BATCH_BYTES || spans.len() >= BatchPostings::MOST_GAMES {
                break;
            }
        }
        let all = range(spans.first()?).start..range(spans.last()?).end;
        let batch = Batch { file: self.file, spans, newline: self.newline, first_line: self.line };
        self.hasher.update(&self.file[all.clone()]);
        self.line += memchr_iter(self.newline, &self.file[all]).count() as u64;
        Some(batch)
    }
}

fn range(span: &Span) -> Range<usize> {
    match span {
        Span::Game(range) | Span::Text(range) => range.clone(),
    }
}

/// The readings that games of a batch are to be given, by their numbers.
pub(super) type Preferred = BTreeMap<usize, ReadingId>;

impl<'f> Batch<'f> {
    /// The bytes of a game.
    pub(super) fn game(&self, number: usize) -> Option<&'f [u8]> {
        let is_game = |span: &&Span| matches!(span, Span::Game(_));
        let span = self.spans.iter().filter(is_game).nth(number)?;
        self.file.get(range(span))
    }

    /// Replays all games.
    pub(super) fn replay(self, readings: &Readings, preferred: &Preferred) -> Finished<'f> {
        let start = self.spans.first().map_or(0, |span| range(span).start);
        let end = self.spans.last().map_or(start, |span| range(span).end);
        let mut worker = Worker {
            file: self.file,
            readings,
            preferred,
            builder: RowBuilder::default(),
            lines: LineCounter {
                file: self.file,
                newline: self.newline,
                at: start,
                line: self.first_line,
                begins: start,
            },
            finished: Finished {
                batch: Batch { spans: Vec::new(), ..self },
                open: Vec::new(),
                games: Vec::new(),
                texts: TextArena::with_capacity(end - start),
                problems: Vec::new(),
                postings: BatchPostings::with_capacity((end - start) / TEXT_BYTES_A_POSITION),
                range: start..end,
            },
        };
        for span in &self.spans {
            match span {
                Span::Game(range) => worker.game(range.clone()),
                Span::Text(range) => worker.text(range.clone()),
            }
        }
        worker.finished.postings.divide();
        worker.finished.batch.spans = self.spans;
        worker.finished
    }
}

struct Worker<'f, 'r> {
    file: &'f [u8],
    readings: &'r Readings,
    preferred: &'r Preferred,
    builder: RowBuilder,
    lines: LineCounter<'f>,
    finished: Finished<'f>,
}

impl Worker<'_, '_> {
    fn game(&mut self, range: Range<usize>) {
        let decoded = decode(&self.file[range.clone()]);
        let number = self.finished.games.len();
        let read = match self.preferred.get(&number) {
            Some(&reading) => self.readings.try_all(decoded.text(), Some(reading)),
            None => self.readings.replay(decoded.text()),
        };
        let mut replay = read.replay;
        if read.reading.is_some() || may_be_foreign(&replay.moves, decoded.text()) {
            let (equals, is_whole, differ) = (read.equals, read.is_whole, read.differ);
            self.finished.open.push(Open { game: number, equals, is_whole, differ });
        }
        let mut offsets = decoded.offsets();
        for problem in std::mem::take(&mut replay.problems) {
            let at = offsets.byte(problem.at);
            let end = offsets.byte(problem.at + problem.text.len());
            self.problem(Some(number), range.start + at, end - at, problem);
        }
        let place = (range.start as u64, range.len() as u64);
        let mut row = self.builder.game(&replay, decoded.text(), place, &mut self.finished.texts);
        (row.notation, row.reading) = (read.notation, read.reading);
        self.finished.postings.push_game(&replay.visits, row.facts(&self.finished.texts));
        self.finished.games.push(row);
    }

    fn text(&mut self, range: Range<usize>) {
        let decoded = decode(&self.file[range.clone()]);
        let text = decoded.text();
        let problem = Problem {
            kind: ProblemKind::TextBetweenGames,
            at: 0,
            ply: 0,
            text: text.to_owned(),
            message: "this text belongs to no game".to_owned(),
        };
        self.problem(None, range.start, range.len(), problem);
    }

    fn problem(&mut self, game: Option<usize>, offset: usize, length: usize, problem: Problem) {
        let (line, column) = self.lines.place(offset);
        self.finished.problems.push(ProblemRow {
            game,
            byte_offset: offset as u64,
            byte_length: length as u64,
            line,
            column,
            problem,
        });
    }
}

/// `true` when a game that was read as English SAN has letters, and none that only English has.
///
/// A `P` is a pawn in English, where nobody writes it, and a knight in Dutch.
fn may_be_foreign(moves: &str, text: &str) -> bool {
    let is_pawn_move = |part: &[u8]| matches!(part, [b'P', b'a'..=b'h', b'1'..=b'8' | b'x']);
    memchr2(b'N', b'Q', moves.as_bytes()).is_none()
        && (moves.bytes().any(|byte| matches!(byte, b'K' | b'R' | b'B'))
            || text.as_bytes().windows(3).any(is_pawn_move))
}

/// Lines and columns of offsets; it walks along, since problems come nearly in their order.
struct LineCounter<'f> {
    file: &'f [u8],
    newline: u8,
    at: usize,
    line: u64,
    /// Where that line begins.
    begins: usize,
}

impl LineCounter<'_> {
    /// Line and column in bytes, both from 1.
    fn place(&mut self, offset: usize) -> (u64, u64) {
        if offset >= self.at {
            let passed = &self.file[self.at..offset];
            self.line += memchr_iter(self.newline, passed).count() as u64;
            if let Some(newline) = memrchr(self.newline, passed) {
                self.begins = self.at + newline + 1;
            }
        } else {
            let passed = &self.file[offset..self.at];
            self.line -= memchr_iter(self.newline, passed).count() as u64;
            if offset < self.begins {
                self.begins =
                    memrchr(self.newline, &self.file[..offset]).map_or(0, |newline| newline + 1);
            }
        }
        self.at = offset;
        (self.line, (offset - self.begins + 1) as u64)
    }
}
