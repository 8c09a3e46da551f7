//! A batch of games: a part of a source that is replayed at once. Games and problems are mapped to places in the
//! source.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

use memchr::{memchr_iter, memchr2_iter};

use super::places::{Place, Places};
use crate::bug::Bug;
use crate::game::Ply;
use crate::input::{Decoded, Encoding, decode, guessed_name, odd_sign};
use crate::memory::BATCH_BYTES;
use crate::pgn::{Span, SpanKind, read_between};
use crate::replay::{Problem, ProblemKind, ReadGame, excerpt, problem_of};
use crate::source_problem::SourceProblem;

/// A run of consecutive games in a file.
pub(crate) struct Batch<'f> {
    /// The file, or a part of it that begins with a line.
    file: Cow<'f, [u8]>,
    spans: Vec<Span>,
    /// The encodings of the spans, `None` for ASCII; empty if all are ASCII.
    encodings: Vec<Option<Encoding>>,
    /// `true` if the encodings were detected, so that they may be reported as doubtful.
    are_detected: bool,
    newline: u8,
    /// The line on which the first span begins, from 1.
    first_line: u64,
    origin: Origin,
    /// A part of a span that is too large; such a batch has no spans. `None` for all other batches.
    skipped: Option<SkippedPart>,
}

/// A skipped part of a game, or of a text between games, that is too large.
#[derive(Clone, Debug)]
pub(crate) struct SkippedPart {
    /// The number of line endings in the part.
    pub(crate) lines: u64,
    /// The description of the whole game or text, if this is the last part.
    pub(crate) whole: Option<OversizedSpan>,
}

/// A game, or a text between games, that is too large to be read.
#[derive(Clone, Debug)]
pub(crate) struct OversizedSpan {
    pub(crate) kind: SpanKind,
    /// The byte range in the source.
    pub(crate) bytes: Range<u64>,
    /// The line on which the span begins, from 1.
    pub(crate) line: u64,
    /// The first bytes.
    pub(crate) beginning: Vec<u8>,
    /// The size limit.
    pub(crate) limit: u64,
}

/// The content of a span.
pub(crate) enum Part<'p, 't> {
    /// A replayed game, and its origin.
    Game(&'p mut ReadGame<'t>, GameOrigin<'p>),
    /// A game that is passed over, and its encoding; it may have been replayed for its reading.
    PassedOver(Option<&'p ReadGame<'t>>, Option<Encoding>),
    /// A text between games, without its `%`, and its byte range in the source.
    Text(String, Range<u64>),
}

/// The origin of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The byte range in the source.
    pub(crate) bytes: Range<u64>,
    /// `true` if the source is UTF-16, transcoded to UTF-8 here.
    pub(crate) is_utf16: bool,
}

/// A game that has been read, or passed over.
pub(crate) struct MaybeRead<'t> {
    pub(crate) game: Option<ReadGame<'t>>,
    /// `true` if the sink may want the game.
    pub(crate) is_wanted: bool,
}

/// The spans of a batch on which the work has panicked, and the remains of their games.
#[derive(Debug, Default)]
pub(crate) struct Bugs {
    spans: BTreeMap<usize, Remains>,
    /// The number of the span that is being processed; `None` outside of games.
    current: Cell<Option<usize>>,
}

/// The remains of a game on which the work has panicked.
#[derive(Debug)]
enum Remains {
    /// The game as text.
    Text(Bug),
    /// Nothing but the problem of the game.
    Problem(Bug),
}

impl Bugs {
    /// Records a panic in the work on a batch. The caller must then repeat the work.
    ///
    /// # Errors
    /// The bug, if the panic was not in the work on a game, or was again in the work on the remains of a game.
    pub(crate) fn note(&mut self, bug: Bug) -> Result<(), Bug> {
        let Some(span) = self.current.take() else {
            return Err(bug);
        };

        let remains = match self.spans.get(&span) {
            None => Remains::Text(bug),
            Some(Remains::Text(_)) => Remains::Problem(bug),
            Some(Remains::Problem(_)) => return Err(bug),
        };

        self.spans.insert(span, remains);
        Ok(())
    }
}

/// The origin of a replayed game.
pub(crate) struct GameOrigin<'p> {
    /// The index of the game in its batch.
    pub(crate) number: usize,
    /// The byte range in the source.
    pub(crate) bytes: Range<u64>,
    /// The encoding in the source; `None` for ASCII.
    pub(crate) encoding: Option<Encoding>,
    /// Counts the lines up to the beginning of the game.
    count_lines: &'p mut dyn FnMut() -> u64,
}

impl GameOrigin<'_> {
    /// The line of the source on which the game begins, from 1. Lines are counted only when this is called.
    pub(crate) fn line(&mut self) -> u64 {
        (self.count_lines)()
    }
}

/// The byte range of a span in its text.
pub(crate) fn range(span: &Span) -> Range<usize> {
    match span {
        Span::Game(range) | Span::Text(range) => range.clone(),
    }
}

impl<'f> Batch<'f> {
    /// A batch of spans of a file, which begin on a line.
    pub(crate) fn of_file(
        file: &'f [u8],
        spans: Vec<Span>,
        newline: u8,
        first_line: u64,
    ) -> Batch<'f> {
        let range = spanned(&spans);
        let origin = Origin {
            bytes: range.start as u64..range.end as u64,
            is_utf16: false,
        };

        Batch::new(Cow::Borrowed(file), spans, newline, first_line, origin)
    }

    /// A batch of a part of a file that begins with a line, split into spans.
    pub(crate) fn of_part(
        part: Vec<u8>,
        spans: Vec<Span>,
        newline: u8,
        first_line: u64,
        origin: Origin,
    ) -> Batch<'f> {
        Batch::new(Cow::Owned(part), spans, newline, first_line, origin)
    }

    /// A batch for a part of a span that is too large.
    pub(crate) fn of_skipped(
        part: Cow<'f, [u8]>,
        skipped: SkippedPart,
        first_line: u64,
        bytes: Range<u64>,
    ) -> Batch<'f> {
        let origin = Origin {
            bytes,
            is_utf16: false,
        };
        // Lines are counted in `skipped`, so the newline is not used.
        Batch {
            skipped: Some(skipped),
            ..Batch::new(part, Vec::new(), b'\n', first_line, origin)
        }
    }

    /// A batch whose encodings are not known yet.
    fn new(
        file: Cow<'f, [u8]>,
        spans: Vec<Span>,
        newline: u8,
        first_line: u64,
        origin: Origin,
    ) -> Batch<'f> {
        Batch {
            file,
            spans,
            encodings: Vec::new(),
            are_detected: false,
            newline,
            first_line,
            origin,
            skipped: None,
        }
    }

    /// Sets the encodings of the spans, and whether they were guessed from words.
    pub(crate) fn set_encodings(&mut self, encodings: Vec<Option<Encoding>>, are_detected: bool) {
        self.encodings = encodings;
        self.are_detected = are_detected;
    }

    /// The byte range in the source.
    pub(crate) fn origin(&self) -> Range<u64> {
        self.origin.bytes.clone()
    }

    /// The text of the batch; nothing of a part that is skipped.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.file[spanned(&self.spans)]
    }

    /// The bytes of the batch's range in the source, which is not UTF-16.
    pub(crate) fn source_bytes(&self) -> &[u8] {
        if self.skipped.is_some() {
            &self.file
        } else {
            self.bytes()
        }
    }

    /// The texts of the spans.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.spans.iter().map(|span| &self.file[range(span)])
    }

    /// The number of line endings in the batch.
    pub(crate) fn lines(&self) -> u64 {
        match &self.skipped {
            Some(skipped) => skipped.lines,
            None => memchr_iter(self.newline, self.bytes()).count() as u64,
        }
    }

    /// The weight of the batch: its size as a number of batches of usual size.
    pub(crate) fn weight(&self) -> usize {
        // A usual batch may be somewhat longer than `BATCH_BYTES` because of its last game, so up to twice the size
        // counts as one batch. A large game counts as several batches, so that fewer other batches are in progress.
        let usual_bytes = 2 * BATCH_BYTES;
        self.bytes().len().div_ceil(usual_bytes).max(1)
    }

    /// Returns `true` if a game that is too large ends in the batch.
    pub(crate) fn ends_large_game(&self) -> bool {
        let Some(skipped) = &self.skipped else {
            return false;
        };

        match &skipped.whole {
            Some(whole) => whole.kind == SpanKind::Game,
            None => false,
        }
    }

    /// Returns `true` if there is a game in the batch.
    pub(crate) fn has_game(&self) -> bool {
        self.spans.iter().any(|span| matches!(span, Span::Game(_)))
    }

    /// The offset of the last game in the source.
    pub(crate) fn last_game(&self) -> Option<u64> {
        let game = self
            .spans
            .iter()
            .rfind(|span| matches!(span, Span::Game(_)))?;

        Some(self.places().bytes(range(game)).start)
    }

    /// The spans of the batch that begin at or after an offset in the source; `None` if there are no such spans.
    pub(crate) fn starting_at(mut self, place: u64) -> Option<Batch<'f>> {
        if self.skipped.is_some() {
            let is_behind = self.origin.bytes.end > place;
            return is_behind.then_some(self);
        }

        let mut places = self.places();
        let first = self
            .spans
            .iter()
            .position(|span| places.bytes(range(span)).start >= place)?;

        let start = self.places().place(range(&self.spans[first]));
        self.first_line = start.line;
        self.origin.bytes.start = start.bytes.start;
        self.spans.drain(..first);
        // There are no encodings if all spans are ASCII.
        self.encodings.drain(..first.min(self.encodings.len()));

        Some(self)
    }

    /// Returns `true` if there is only white space between an offset in the source and the first span at or after the
    /// offset.
    pub(crate) fn is_cut_at(&self, place: u64) -> bool {
        let mut places = self.places();
        for span in &self.spans {
            let start = places.bytes(range(span)).start;
            if start < place {
                continue;
            }
            if start == place {
                return true;
            }
            // In UTF-16, offsets in the source and in the text do not differ by a constant.
            if self.origin.is_utf16 {
                break;
            }

            let text_end = range(span).start;
            let text_start = text_end.checked_sub((start - place) as usize);
            let between = text_start.and_then(|from| self.file.get(from..text_end));
            return between.is_some_and(|text| text.trim_ascii().is_empty());
        }

        place == self.origin.bytes.end
    }

    /// The encoding of a span; `None` for ASCII.
    fn encoding(&self, span: usize) -> Option<Encoding> {
        self.encodings.get(span).copied().flatten()
    }

    /// The decoded text of a span.
    fn decoded(&self, span: usize) -> Decoded<'_> {
        let bytes = &self.file[range(&self.spans[span])];
        let encoding = self.encoding(span).unwrap_or(Encoding::UTF_8);

        decode(bytes, encoding)
    }

    /// Replays the games and calls `each` with each part; returns the problems of the games that `each` accepts, in
    /// order.
    ///
    /// `read` receives the index of a game in the batch and its text. If the work on the game has panicked, `read` also
    /// receives the bug, and must not replay the game.
    pub(crate) fn replay(
        &self,
        bugs: &Bugs,
        read: impl for<'t> Fn(usize, &'t str, Option<&Bug>) -> MaybeRead<'t>,
        mut each: impl FnMut(Part<'_, '_>) -> bool,
    ) -> Vec<SourceProblem> {
        if let Some(skipped) = &self.skipped {
            return skipped.whole.iter().map(OversizedSpan::problem).collect();
        }

        let mut places = self.places();
        let mut problems = Vec::new();
        let mut games = 0;

        for (span_number, span) in self.spans.iter().enumerate() {
            let bug = match bugs.spans.get(&span_number) {
                None => None,
                Some(Remains::Text(bug)) => Some(bug),
                Some(Remains::Problem(bug)) => {
                    problems.push(self.abandoned_game(span, bug, &mut places));
                    continue;
                }
            };

            match span {
                Span::Game(_) => {
                    // A panic from here on costs this game only.
                    bugs.current.set(Some(span_number));

                    let number = games;
                    games += 1;
                    let problems_of_game = self.replay_game(
                        span_number,
                        number,
                        |text| read(number, text, bug),
                        &mut each,
                        &mut places,
                    );
                    problems.extend(problems_of_game);
                }
                Span::Text(_) => {
                    // A panic from here on is of no game, and ends the work on the batch.
                    bugs.current.set(None);
                    problems.extend(self.pass_text(span_number, &mut each, &mut places));
                }
            }
        }

        bugs.current.set(None);
        problems
    }

    /// The problem of a game on which the work has panicked again, so that nothing else of the game is left.
    fn abandoned_game(&self, span: &Span, bug: &Bug, places: &mut Places<'_>) -> SourceProblem {
        let span_range = range(span);
        let beginning = decode(&self.file[span_range.clone()], Encoding::UTF_8);
        let problem = problem_of(bug, beginning.text().trim_ascii_start());

        source_problem(None, places.place(span_range), problem)
    }

    /// Replays a game with `read`, passes it to `each`, and returns its problems if `each` accepts the game.
    fn replay_game(
        &self,
        span_number: usize,
        number: usize,
        read: impl for<'t> FnOnce(&'t str) -> MaybeRead<'t>,
        each: &mut impl FnMut(Part<'_, '_>) -> bool,
        places: &mut Places<'_>,
    ) -> Vec<SourceProblem> {
        let span_range = range(&self.spans[span_number]);
        let encoding = self.encoding(span_number);
        let decoded = self.decoded(span_number);
        let text = decoded.text();

        let mut game = match read(text) {
            MaybeRead {
                game: Some(game),
                is_wanted: true,
            } => game,
            MaybeRead { game, .. } => {
                each(Part::PassedOver(game.as_ref(), encoding));
                return Vec::new();
            }
        };

        let undecodable = encoding.and_then(|encoding| undecodable(text, encoding));
        let doubtful = match encoding {
            Some(encoding) if self.are_detected => doubtful_encoding(text, encoding),
            _ => None,
        };
        let of_replay = std::mem::take(&mut game.replay.problems);

        // Offsets in the decoded text are mapped back to the bytes of the source. The problems are placed before the
        // sink decides, and dropped if it does not want the game after all.
        let mut offsets = decoded.offsets();
        let mut problems = Vec::new();
        for problem in undecodable.into_iter().chain(doubtful).chain(of_replay) {
            let start = span_range.start + offsets.byte(problem.at);
            let end = span_range.start + offsets.byte(problem.at + problem.text.len());
            problems.push(source_problem(
                Some(number),
                places.place(start..end),
                problem,
            ));
        }

        // Only a conversion names the line of a game, so lines are counted on request.
        let start = span_range.start;
        let bytes = places.bytes(span_range);
        let mut count_lines = || places.place(start..start).line;
        let origin = GameOrigin {
            number,
            bytes,
            encoding,
            count_lines: &mut count_lines,
        };

        let is_accepted = each(Part::Game(&mut game, origin));
        if is_accepted { problems } else { Vec::new() }
    }

    /// Passes a text between games to `each`; returns its problem if a line of it is not an escape line.
    fn pass_text(
        &self,
        span_number: usize,
        each: &mut impl FnMut(Part<'_, '_>) -> bool,
        places: &mut Places<'_>,
    ) -> Option<SourceProblem> {
        let span_range = range(&self.spans[span_number]);
        let decoded = self.decoded(span_number);
        let text = decoded.text();
        let between = read_between(text);

        let mut problem = None;
        if let Some(stray) = between.stray {
            let start = span_range.start + decoded.offsets().byte(stray);
            let place = places.place(start..span_range.end);
            problem = Some(source_problem(None, place, stray_text(&text[stray..])));
        }

        each(Part::Text(between.text, places.bytes(span_range)));
        problem
    }

    /// The places of the batch, before its first span.
    fn places(&self) -> Places<'_> {
        let source = self.origin.bytes.clone();
        let text = spanned(&self.spans);

        Places {
            text: &self.file,
            end: (text.end, source.end),
            is_utf16: self.origin.is_utf16,
            newline: self.newline,
            at: text.start,
            byte: source.start,
            line: self.first_line,
            begins: source.start,
        }
    }
}

impl OversizedSpan {
    /// The problem of a span that is left out because of its size.
    fn problem(&self) -> SourceProblem {
        let what = match self.kind {
            SpanKind::Game => "game",
            SpanKind::Text => "text between games",
        };
        let bytes = self.bytes.end - self.bytes.start;
        let limit = self.limit;
        let beginning = decode(&self.beginning, Encoding::UTF_8);

        let problem = Problem {
            kind: ProblemKind::TooLarge,
            at: 0,
            ply: Ply::START,
            text: excerpt(beginning.text().trim_ascii()).to_owned(),
            message: format!(
                "this {what} of {bytes} bytes is left out; up to {limit} bytes are read"
            ),
        };
        let place = Place {
            bytes: self.bytes.clone(),
            line: self.line,
            column: 1,
        };

        source_problem(None, place, problem)
    }
}

/// The range that spans cover; empty if there are none.
fn spanned(spans: &[Span]) -> Range<usize> {
    match (spans.first(), spans.last()) {
        (Some(first), Some(last)) => range(first).start..range(last).end,
        _ => 0..0,
    }
}

fn source_problem(game: Option<usize>, place: Place, problem: Problem) -> SourceProblem {
    SourceProblem {
        game,
        byte_offset: place.bytes.start,
        byte_length: place.bytes.end - place.bytes.start,
        line: place.line,
        column: place.column,
        problem,
    }
}

/// The problem of a text between games that is not an escape line.
fn stray_text(text: &str) -> Problem {
    Problem {
        kind: ProblemKind::TextBetweenGames,
        at: 0,
        ply: Ply::START,
        text: excerpt(text.trim_ascii_end()).to_owned(),
        message: "this text belongs to no game".to_owned(),
    }
}

/// The problem of an encoding that was guessed from words, or that the words contradict.
fn doubtful_encoding(text: &str, encoding: Encoding) -> Option<Problem> {
    let name = encoding.name();

    let (at, message) = match guessed_name(encoding) {
        Some(option) => {
            let at = text.bytes().position(|byte| !byte.is_ascii())?;
            let message = format!("read as {name}; giving {option} or another encoding settles it");
            (at, message)
        }
        None if encoding.is_unicode() => return None,
        None => {
            let (at, sign) = odd_sign(text)?;
            // A no-break space in a message would look like a space.
            let shown_sign = match sign {
                '\u{a0}' => "U+00A0".to_owned(),
                sign => sign.to_string(),
            };
            let message = format!(
                "{shown_sign} within a word: this may be another encoding than {name}; giving cp850 or another one settles it"
            );
            (at, message)
        }
    };

    // The text of the problem begins with the word, and ends at the end of the tag value or of the line.
    let letters_before = text[..at]
        .rsplit(|letter: char| !letter.is_alphabetic())
        .next();
    let start = at - letters_before.map_or(0, str::len);
    let word = excerpt(&text[start..]).split(['\n', '\r', '"']).next();

    Some(Problem {
        kind: ProblemKind::DoubtfulEncoding,
        at: start,
        ply: Ply::START,
        text: word.unwrap_or_default().to_owned(),
        message,
    })
}

/// The problem of decoded text that has control characters (U+0080 to U+009F), or U+FFFD for undecodable bytes.
fn undecodable(text: &str, encoding: Encoding) -> Option<Problem> {
    // UTF-8 is decoded only if it is valid, so its U+FFFD are characters of the source.
    let is_undecodable = |letter: char| match letter {
        '\u{80}'..='\u{9f}' => true,
        '\u{fffd}' => encoding != Encoding::UTF_8,
        _ => false,
    };

    // In UTF-8, these characters begin with 0xc2 or 0xef.
    let mut undecodable = memchr2_iter(0xc2, 0xef, text.as_bytes()).filter_map(|at| {
        let letter = text.get(at..)?.chars().next()?;
        is_undecodable(letter).then_some((at, letter))
    });

    let (at, first) = undecodable.next()?;
    let others = match undecodable.count() {
        0 => String::new(),
        more => format!(" (and {more} more in this game)"),
    };

    let name = encoding.name();
    let code = u32::from(first);
    Some(Problem {
        kind: ProblemKind::UndecodableByte,
        at,
        ply: Ply::START,
        text: first.to_string(),
        message: format!("this is no text in {name}, and is kept as U+{code:04X}{others}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undecodable_characters_are_counted_from_the_first_one() {
        let rows = [
            ("e4", Encoding::WINDOWS_1252, None),
            ("\u{a0}\u{e9}", Encoding::WINDOWS_1252, None),
            (
                "a\u{81}b\u{9f}",
                Encoding::WINDOWS_1252,
                Some((1, '\u{81}', true)),
            ),
            ("ab\u{85}", Encoding::UTF_8, Some((2, '\u{85}', false))),
            // In UTF-8, this is a character of the source.
            ("\u{fffd}", Encoding::UTF_8, None),
            (
                "\u{fffd}",
                Encoding::WINDOWS_1252,
                Some((0, '\u{fffd}', false)),
            ),
        ];
        for (text, encoding, expected) in rows {
            let found = undecodable(text, encoding);
            let summary = found.map(|problem| {
                let has_more = problem.message.ends_with("(and 1 more in this game)");
                (problem.at, problem.text, has_more)
            });
            let expected = expected.map(|(at, sign, has_more)| (at, sign.to_string(), has_more));
            assert_eq!(summary, expected, "{text:?}");
        }
    }

    #[test]
    fn a_batch_covers_its_spans() {
        assert_eq!(spanned(&[]), 0..0);
        assert_eq!(spanned(&[Span::Game(3..7)]), 3..7);
        assert_eq!(spanned(&[Span::Text(3..7), Span::Game(7..12)]), 3..12);
    }
}
