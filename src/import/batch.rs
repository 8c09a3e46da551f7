//! What a worker does: a stretch of a file to rows and postings.

use std::ops::Range;

use memchr::{memchr_iter, memrchr};

use crate::index::BatchPostings;
use crate::input::decode;
use crate::pgn::{Span, newline, split};
use crate::replay::{Problem, ProblemKind, replay};
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

/// A batch with all that is to be written of it.
pub(super) struct Finished {
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

impl Batch<'_> {
    /// Replays all games.
    pub(super) fn replay(self) -> Finished {
        let start = self.spans.first().map_or(0, |span| range(span).start);
        let end = self.spans.last().map_or(start, |span| range(span).end);
        let mut worker = Worker {
            file: self.file,
            builder: RowBuilder::default(),
            lines: LineCounter {
                file: self.file,
                newline: self.newline,
                at: start,
                line: self.first_line,
                begins: start,
            },
            finished: Finished {
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
        worker.finished
    }
}

struct Worker<'f> {
    file: &'f [u8],
    builder: RowBuilder,
    lines: LineCounter<'f>,
    finished: Finished,
}

impl Worker<'_> {
    fn game(&mut self, range: Range<usize>) {
        let decoded = decode(&self.file[range.clone()]);
        let mut replay = replay(decoded.text());
        let mut offsets = decoded.offsets();
        let number = self.finished.games.len();
        for problem in std::mem::take(&mut replay.problems) {
            let at = offsets.byte(problem.at);
            let end = offsets.byte(problem.at + problem.text.len());
            self.problem(Some(number), range.start + at, end - at, problem);
        }
        let place = (range.start as u64, range.len() as u64);
        let row = self.builder.game(&replay, decoded.text(), place, &mut self.finished.texts);
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
