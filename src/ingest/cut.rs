//! Splits a source into batches of games.
//!
//! Files in memory and streams share this code, so that both are split into equal batches. A game or a text larger than
//! [`ReadOptions::game_bytes`](super::ReadOptions::game_bytes) is skipped in parts, so that it is never in memory as a
//! whole.

use std::ops::Range;

use super::batch::range;
use crate::memory::BATCH_BYTES;
use crate::pgn::{Span, SpanKind, Splitter, newline};

/// The next part of a source; offsets count from the beginning of the text passed in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// A batch of these spans.
    Batch(Vec<Span>),
    /// A part of a span that is too large. The kind of the span is known at its last part.
    Skipped(Range<usize>, Option<SpanKind>),
}

/// Splits a text that is passed in incrementally.
pub(crate) struct Cutter {
    /// `None` until the beginning of the text is known.
    splitter: Option<Splitter>,
    game_bytes: usize,
    /// The start of the next line, or of the next piece of a long line.
    at: usize,
    /// The start of the current span, or of the part of it that has not been skipped.
    start: usize,
    /// `true` if the current span is too large and skipped.
    is_skipping: bool,
    spans: Vec<Span>,
    size: BatchSize,
}

/// The maximum number of games and texts in a batch.
pub(crate) const BATCH_SPANS: usize = 1 << 11;

/// The size of a batch.
#[derive(Default)]
struct BatchSize {
    bytes: usize,
    spans: usize,
}

impl BatchSize {
    fn add(&mut self, span: &Span) {
        self.bytes += range(span).len();
        self.spans += 1;
    }

    fn is_full(&self) -> bool {
        self.bytes >= BATCH_BYTES || self.spans >= BATCH_SPANS
    }
}

impl Cutter {
    /// A cutter for games and texts of at most `game_bytes` bytes.
    pub(crate) fn new(game_bytes: usize) -> Cutter {
        Cutter {
            splitter: None,
            game_bytes,
            at: 0,
            start: 0,
            is_skipping: false,
            spans: Vec::new(),
            size: BatchSize::default(),
        }
    }

    /// A cutter for the rest of a text behind `at` bytes.
    #[cfg(feature = "dataset")]
    pub(crate) fn starting_at(self, at: usize) -> Cutter {
        Cutter {
            at,
            start: at,
            ..self
        }
    }

    /// The next part of a text that begins where the last part ended; `None` if more of the text is needed, or, with
    /// `is_all`, at its end. Offsets continue until [`Cutter::forget`].
    pub(crate) fn next(&mut self, text: &[u8], is_all: bool) -> Option<Cut> {
        let mut splitter = match self.splitter.take() {
            Some(splitter) => splitter,
            None => Splitter::new(newline(text)),
        };

        let cut = self.cut(&mut splitter, text, is_all);
        self.splitter = Some(splitter);

        cut
    }

    /// Drops the first `bytes` of the text, which have been cut; offsets are then relative to the rest.
    pub(crate) fn forget(&mut self, bytes: usize) {
        self.at -= bytes;
        self.start -= bytes;
    }

    fn cut(&mut self, splitter: &mut Splitter, text: &[u8], is_all: bool) -> Option<Cut> {
        loop {
            if let Some(cut) = self.complete_part() {
                return Some(cut);
            }

            let Some(length) = splitter.piece(&text[self.at..], is_all) else {
                break;
            };
            let here = self.at;
            self.at += length;

            if let Some(kind) = splitter.take(&text[here..self.at])
                && let Some(cut) = self.end_span(here, kind)
            {
                return Some(cut);
            }
        }

        if !is_all {
            return None;
        }

        // The text ends its last span.
        if (self.start < self.at || self.is_skipping)
            && let Some(cut) = self.end_span(self.at, splitter.kind())
        {
            return Some(cut);
        }

        self.batch()
    }

    /// A part that is complete, if any.
    fn complete_part(&mut self) -> Option<Cut> {
        if self.size.is_full() {
            return self.batch();
        }

        let span_bytes = self.at - self.start;
        if !self.is_skipping && span_bytes > self.game_bytes {
            // The spans before the large span become a separate batch.
            if let Some(before) = self.batch() {
                return Some(before);
            }

            self.is_skipping = true;
        }

        // A skipped span is passed on in parts, so that hashing, progress and stopping work as for other batches.
        if !self.is_skipping || span_bytes < BATCH_BYTES {
            return None;
        }

        let start = std::mem::replace(&mut self.start, self.at);
        Some(Cut::Skipped(start..self.at, None))
    }

    /// Ends the current span; returns the last part of a skipped span.
    fn end_span(&mut self, end: usize, kind: SpanKind) -> Option<Cut> {
        let start = std::mem::replace(&mut self.start, end);

        if std::mem::take(&mut self.is_skipping) {
            return Some(Cut::Skipped(start..end, Some(kind)));
        }

        let span = kind.span(start..end);
        self.size.add(&span);
        self.spans.push(span);
        None
    }

    /// The batch of the spans so far, if there are any.
    fn batch(&mut self) -> Option<Cut> {
        self.size = BatchSize::default();
        let spans = std::mem::take(&mut self.spans);

        if spans.is_empty() {
            None
        } else {
            Some(Cut::Batch(spans))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of a text passed in steps of `step` bytes, each with its number of bytes.
    fn cuts(text: &[u8], step: usize, game_bytes: usize) -> Vec<(String, usize)> {
        let mut cutter = Cutter::new(game_bytes);
        let mut passed_in = 0;
        let mut gone = 0;
        let mut parts = Vec::new();

        while passed_in < text.len() {
            passed_in = text.len().min(passed_in + step);
            let is_all = passed_in == text.len();
            while let Some(cut) = cutter.next(&text[gone..passed_in], is_all) {
                let (name, end) = match &cut {
                    Cut::Batch(spans) => {
                        let name = format!("{} spans", spans.len());
                        (name, spans.last().map_or(0, |span| range(span).end))
                    }
                    Cut::Skipped(range, kind) => (format!("{kind:?}"), range.end),
                };
                parts.push((name, end));
                cutter.forget(end);
                gone += end;
            }
        }

        assert_eq!(gone, text.len());
        parts
    }

    #[test]
    fn oversized_spans_are_skipped_in_parts() {
        let game = "[Event \"A\"]\n\n1. e4 *\n\n";
        let long = format!(
            "[Event \"B\"]\n\n1. e4 {{{}}} *\n\n",
            "comment\n".repeat(400_000)
        );
        let text = format!("{game}{long}{game}");

        let parts = cuts(text.as_bytes(), text.len(), 1 << 20);

        let names: Vec<&str> = parts.iter().map(|(name, _)| &**name).collect();
        assert_eq!(
            names,
            ["1 spans", "None", "None", "None", "Some(Game)", "1 spans"]
        );
        let skipped_bytes: usize = parts[1..5].iter().map(|(_, bytes)| bytes).sum();
        assert_eq!(skipped_bytes, long.len());
    }

    #[test]
    fn steps_change_nothing() {
        let game = "[Event \"A\"]\n\n1. e4 { one } *\n\ntext\n\n";
        let line = "x".repeat(3 << 20);
        let texts = [
            game.repeat(40_000),
            format!("{game}{line}{game}{{{line}\n}} *\n{game}"),
            format!("{line}{line}"),
            "\n".repeat(3 << 20) + game,
            game.replace('\n', "\r").repeat(40_000) + &game.repeat(40_000),
        ];
        for text in &texts {
            for limit in [100, 1 << 20, 1 << 26] {
                let whole = cuts(text.as_bytes(), text.len(), limit);
                // The line ending is determined from the first megabyte.
                for step in [1 << 20, (1 << 20) + 4321] {
                    assert_eq!(cuts(text.as_bytes(), step, limit), whole);
                }
            }
        }
    }
}
