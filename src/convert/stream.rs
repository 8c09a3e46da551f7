//! Batches of games from what can be read only once.

use std::io::{self, Read};

use memchr::memrchr;

use crate::import::{BATCH_BYTES, Batch};
use crate::pgn::{Span, newline, split};

/// Reads as much as makes a batch, and keeps the last game for the next one, since it may go on.
///
/// A file that is cut where a game begins is cut in its parts as it is in one piece: there
/// [`split`] knows nothing any more of what came before. The lines of a file all end in the same way; what
/// is read here is asked for it batch by batch.
pub(super) struct Stream<'e, R> {
    input: R,
    failure: &'e mut Option<io::Error>,
    /// What has been read and belongs to no batch yet.
    left: Vec<u8>,
    line: u64,
    is_done: bool,
}

impl<'e, R: Read> Stream<'e, R> {
    /// Reads to the end, or until reading fails, which is noted in `failure`.
    pub(super) fn new(input: R, failure: &'e mut Option<io::Error>) -> Stream<'e, R> {
        Stream { input, failure, left: Vec::new(), line: 1, is_done: false }
    }

    /// Reads at least as much again as there is, so that a game of any length takes linear time.
    fn fill(&mut self) {
        let wanted = self.left.len().max(BATCH_BYTES);
        self.left.reserve(wanted);
        match self.input.by_ref().take(wanted as u64).read_to_end(&mut self.left) {
            Ok(read) => self.is_done = read < wanted,
            Err(error) => {
                *self.failure = Some(error);
                self.is_done = true;
            }
        }
    }

    /// The spans that will not change, and where the rest begins.
    fn spans(&self) -> (Vec<Span>, usize) {
        if self.is_done {
            return (split(&self.left).collect(), self.left.len());
        }
        let lines = memrchr(newline(&self.left), &self.left).map_or(0, |last| last + 1);
        let mut spans: Vec<Span> = split(&self.left[..lines]).collect();
        let rest = match spans.pop() {
            Some(Span::Game(range) | Span::Text(range)) => range.start,
            None => 0,
        };
        (spans, rest)
    }
}

impl<R: Read> Iterator for Stream<'_, R> {
    type Item = Batch<'static>;

    fn next(&mut self) -> Option<Batch<'static>> {
        while !self.is_done {
            self.fill();
            let (spans, rest) = self.spans();
            if spans.is_empty() {
                continue;
            }
            let left = self.left.split_off(rest);
            let part = std::mem::replace(&mut self.left, left);
            let batch = Batch::of_part(part, spans, self.line);
            self.line += batch.lines();
            return Some(batch);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Batches;

    /// The texts of all games with their lines, from the whole and from pieces.
    #[test]
    fn pieces_are_cut_like_the_whole() {
        let game =
            |n: usize| format!("[Event \"{n}\"]\n\n1. e4 {{ long {n} }} e5 *\n12. Nf3 *\n\n");
        let file: String = (0..60_000).map(game).collect();
        let mut failure = None;
        let parts: Vec<_> = Stream::new(file.as_bytes(), &mut failure).collect();
        assert!(parts.len() > 2);
        let joined: Vec<u8> = parts.iter().flat_map(|part| part.bytes().to_vec()).collect();
        assert_eq!(joined, file.as_bytes());
        let games = |batch: &Batch<'_>| {
            let mut games = 0;
            let readings = crate::replay::Readings::default();
            batch.replay(|_, text| readings.replay(text), |_, _| games += 1);
            games
        };
        assert_eq!(parts.iter().map(games).sum::<i32>(), 60_000);
        assert_eq!(Batches::new(file.as_bytes()).map(|batch| games(&batch)).sum::<i32>(), 60_000);
        assert!(failure.is_none());
    }

    #[test]
    fn a_long_game_stays_whole() {
        let game = format!("[Event \"A\"]\n\n1. e4 {{{}}} *\n", "comment\n".repeat(500_000));
        let mut failure = None;
        let parts: Vec<_> = Stream::new(game.as_bytes(), &mut failure).collect();
        assert_eq!(parts.len(), 1);
        assert_eq!(parts[0].bytes(), game.as_bytes());
    }
}
