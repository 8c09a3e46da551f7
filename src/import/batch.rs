//! Stretches of a file that are replayed at once.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr_iter, memrchr};

use crate::index::BatchPostings;
use crate::input::decode;
use crate::pgn::{Span, newline, read_between, split};
use crate::replay::{Problem, ProblemKind, ReadGame, excerpt};
use crate::storage::ProblemRow;

/// How much of a file is replayed at once.
pub(crate) const BATCH_BYTES: usize = 1 << 20;

/// Some games that follow each other in a file.
pub(crate) struct Batch<'f> {
    /// The file, or a part of it that begins with a line.
    file: Cow<'f, [u8]>,
    spans: Vec<Span>,
    newline: u8,
    /// The line on which the first span begins, from 1.
    first_line: u64,
}

/// What a span of a batch holds.
pub(crate) enum Part<'p, 't> {
    /// A game and its text.
    Game(&'p ReadGame<'t>, &'t str),
    /// What a text between games says.
    Text(String),
}

/// Cuts a file into batches, and counts lines on the way.
pub(crate) struct Batches<'f, I> {
    file: &'f [u8],
    spans: I,
    newline: u8,
    line: u64,
}

impl<'f> Batches<'f, ()> {
    /// All batches of a file.
    pub(crate) fn new(file: &'f [u8]) -> Batches<'f, impl Iterator<Item = Span> + use<'f>> {
        Batches { file, spans: split(file), newline: newline(file), line: 1 }
    }
}

impl<'f, I: Iterator<Item = Span>> Iterator for Batches<'f, I> {
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
        let file = Cow::Borrowed(self.file);
        let batch = Batch { file, spans, newline: self.newline, first_line: self.line };
        self.line += batch.lines();
        (!batch.spans.is_empty()).then_some(batch)
    }
}

fn range(span: &Span) -> Range<usize> {
    match span {
        Span::Game(range) | Span::Text(range) => range.clone(),
    }
}

impl<'f> Batch<'f> {
    /// A part of a file that begins with a line, cut into spans.
    pub(crate) fn of_part(part: Vec<u8>, spans: Vec<Span>, first_line: u64) -> Batch<'f> {
        Batch { newline: newline(&part), file: Cow::Owned(part), spans, first_line }
    }

    /// Where the batch stands in its file.
    pub(crate) fn range(&self) -> Range<usize> {
        let start = self.spans.first().map_or(0, |span| range(span).start);
        start..self.spans.last().map_or(start, |span| range(span).end)
    }

    /// Its text.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.file[self.range()]
    }

    /// How many lines end in it.
    pub(crate) fn lines(&self) -> u64 {
        memchr_iter(self.newline, self.bytes()).count() as u64
    }

    /// Replays all games. `read` is given the number of a game in the batch and its text. Calls `each`
    /// with each part and where it stands in the file; gives the problems of all in their order.
    pub(crate) fn replay(
        &self,
        read: impl for<'t> Fn(usize, &'t str) -> ReadGame<'t>,
        mut each: impl FnMut(Part<'_, '_>, Range<usize>),
    ) -> Vec<ProblemRow> {
        let start = self.range().start;
        let lines = LineCounter {
            file: &self.file,
            newline: self.newline,
            at: start,
            line: self.first_line,
            begins: start,
        };
        let mut problems = Problems { lines, rows: Vec::new() };
        let mut games = 0;
        for span in &self.spans {
            let range = range(span);
            let decoded = decode(&self.file[range.clone()]);
            let mut offsets = decoded.offsets();
            if let Span::Text(_) = span {
                let between = read_between(decoded.text());
                if let Some(stray) = between.stray {
                    let start = range.start + offsets.byte(stray);
                    problems.push(None, start..range.end, stray_text(&decoded.text()[stray..]));
                }
                each(Part::Text(between.text), range);
                continue;
            }
            let mut game = read(games, decoded.text());
            for problem in std::mem::take(&mut game.replay.problems) {
                let at = offsets.byte(problem.at);
                let end = offsets.byte(problem.at + problem.text.len());
                problems.push(Some(games), range.start + at..range.start + end, problem);
            }
            each(Part::Game(&game, decoded.text()), range);
            games += 1;
        }
        problems.rows
    }
}

/// Says that a text belongs to no game and is no `%` line.
fn stray_text(text: &str) -> Problem {
    Problem {
        kind: ProblemKind::TextBetweenGames,
        at: 0,
        ply: 0,
        text: excerpt(text.trim_ascii_end()).to_owned(),
        message: "this text belongs to no game".to_owned(),
    }
}

/// The problems of a batch with their places.
struct Problems<'b> {
    lines: LineCounter<'b>,
    rows: Vec<ProblemRow>,
}

impl Problems<'_> {
    fn push(&mut self, game: Option<usize>, range: Range<usize>, problem: Problem) {
        let (line, column) = self.lines.place(range.start);
        self.rows.push(ProblemRow {
            game,
            byte_offset: range.start as u64,
            byte_length: range.len() as u64,
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
