//! Writes movetext in lines of fewer than 80 characters (PGN §8.2).
//!
//! A move number `1.` precedes each move of White. A move number `1...` precedes a move of Black only after an
//! annotation or at the beginning of a line of play. Suffixes are NAGs. Comments are wrapped at their spaces.

use super::form::{Layout, PositionComment, is_suffix};
use super::move_number::MoveNumber;
use super::moves::{MoveTextNeeds, MoveTexts, Unwritable};
use super::plain;
use crate::board::{Color, Move};
use crate::game::{Annotation, Game, Lines, Ply, Step, unwrapped};
use crate::notation::{Notation, Style};
use crate::replay::utf8;

/// `true` if a line may end at a byte of a comment: at a single space, which a reader restores from the newline, and
/// only before text that has no special meaning at the beginning of a line. A comment cannot break at its first byte:
/// `at` is from 1 to the last byte.
fn is_comment_break(text: &[u8], at: usize) -> bool {
    text[at] == b' '
        && text[at - 1] != b' '
        && text.get(at + 1).is_some_and(|next| !b" [%}".contains(next))
}

/// The parts of a comment between which a line may end.
pub(super) fn comment_words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);

    std::iter::from_fn(move || {
        let unread = rest?;
        let bytes = unread.as_bytes();

        let next_break = (1..bytes.len()).find(|&at| is_comment_break(bytes, at));
        rest = next_break.map(|at| &unread[at + 1..]);
        let end = next_break.unwrap_or(unread.len());
        Some(&unread[..end])
    })
}

/// The bytes of the longest move number: `4294967295...`.
const MAX_NUMBER_BYTES: usize = 13;

/// The kind of text before a NAG.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    Move,
    /// One of `!` `?` `!!` `??` `!?` `?!`, attached to a move.
    Suffix,
    Other,
}

/// The last move number written, which stays on one line with its move.
#[derive(Clone, Copy, Debug, Default)]
struct LastNumber {
    /// The offset behind the number in the output.
    end: usize,
    /// The length of the number in bytes; 0 if the number begins its line.
    length: usize,
}

impl LastNumber {
    /// The number at the end of an output, whose last line has `column` characters.
    #[inline]
    fn at_end(out: &[u8], length: usize, column: usize) -> LastNumber {
        LastNumber {
            end: out.len(),
            length: if column > length { length } else { 0 },
        }
    }

    /// Moves the number to a new line, if it ends the output and the word after it fits there. Returns the length of
    /// the new line.
    #[cold]
    fn begin_line(self, out: &mut [u8], word: usize, width: usize) -> Option<usize> {
        let is_last = self.length > 0 && self.end == out.len();
        if !is_last || self.length + 1 + word >= width {
            return None;
        }

        let separator = self.end.checked_sub(self.length + 1)?;
        *out.get_mut(separator)? = b'\n';
        Some(self.length)
    }
}

/// A writer of movetext.
pub(super) struct Movetext<'w, 'l> {
    pub(super) out: &'w mut Vec<u8>,
    moves: MoveTexts<'l>,
    layout: Layout,
    /// Lines are shorter than this number of characters, which is at least 1.
    width: usize,
    /// Characters on the line so far.
    column: usize,
    /// Text to attach to the next word without a space: `(`.
    prefix: &'static str,
    /// The number of the next move of each line.
    numbers: Lines<MoveNumber>,
    /// `true` if a move of Black needs its number because of an interruption.
    interrupted: bool,
    number: LastNumber,
    /// `true` if the comment on the position after the last move is still to be written. This comment follows the NAGs
    /// and comments of the move.
    owes_position: bool,
    /// A buffer for a comment with its braces.
    braced: String,
}

impl<'w, 'l> Movetext<'w, 'l> {
    /// Begins the movetext of a game after previous output.
    pub(super) fn new(
        game: &Game<'_>,
        style: &Style<'l>,
        layout: Layout,
        out: &'w mut Vec<u8>,
    ) -> Result<Movetext<'w, 'l>, Unwritable> {
        // A game without positions has no moves, and possibly an invalid start position.
        let fen = game.start.as_deref().filter(|_| game.is_played);

        let form = layout.movetext;
        let needs = MoveTextNeeds {
            has_variations: !game.annotations.is_empty(),
            follows_positions: form.position_comments.is_some(),
            has_check_signs: form.has_check_signs,
        };
        let moves = MoveTexts::new(style, fen, needs)?;

        let width = match form.line_length {
            Some(length) => length.saturating_add(1),
            None => usize::MAX,
        };
        Ok(Movetext {
            out,
            moves,
            layout,
            width,
            column: 0,
            prefix: "",
            numbers: Lines::new(MoveNumber::first(game.start.as_deref())),
            interrupted: true,
            number: LastNumber::default(),
            owes_position: false,
            braced: String::new(),
        })
    }

    /// Writes a mainline without annotations, if no position is needed; `false` if nothing has been written.
    pub(super) fn write_plain(&mut self, game: &Game<'_>, played: &[Move]) -> bool {
        if !self.layout.movetext.is_export_format() {
            return false;
        }

        let style = self.moves.style();
        let first = *self.numbers.here();
        if style.is_canonical() {
            self.column = plain::write(&game.moves, first, self.out);
            return true;
        }

        if !style.needs_no_board() || played.is_empty() {
            return false;
        }
        let played = played.iter().copied();
        self.column = plain::rewrite(&game.moves, played, style, first, self.out);
        true
    }

    /// Writes a mainline with its annotations.
    pub(super) fn steps(&mut self, game: &Game<'_>) -> Result<(), Unwritable> {
        let mut behind = Behind::Other;
        let mut last_ply = None;

        for (ply, step) in game.steps() {
            if last_ply != Some(ply) {
                last_ply = Some(ply);
                behind = if ply > Ply::START {
                    Behind::Move
                } else {
                    Behind::Other
                };
            }

            match step {
                Step::Mainline(san) => self.san(san)?,
                Step::Annotation(annotation) => behind = self.annotation(annotation, behind)?,
            }
        }

        self.position_comment();
        Ok(())
    }

    /// Writes an annotation; returns the kind of text before the next annotation.
    fn annotation(
        &mut self,
        annotation: Annotation<'_>,
        behind: Behind,
    ) -> Result<Behind, Unwritable> {
        match annotation {
            Annotation::Move(san) => {
                self.san(san)?;
                return Ok(Behind::Move);
            }
            Annotation::Nag(nag) => return Ok(self.nag(nag, behind)),
            Annotation::Comment(text) => self.comment(text),
            Annotation::EscapedLine(text) => self.escaped_line(text),
            Annotation::BeginVariation => self.begin_variation(),
            Annotation::EndVariation => self.end_variation(),
        }

        Ok(Behind::Other)
    }

    /// Writes a NAG in the chosen notation; returns the kind of text before the next annotation. At the beginning of a
    /// variation a NAG is always a number, since `(=)` is a draw offer.
    fn nag(&mut self, nag: u8, behind: Behind) -> Behind {
        self.interrupted |= self.layout.nags_interrupt;

        let sign = match self.layout.nags.sign(nag) {
            Some(sign) if self.prefix.is_empty() => sign,
            _ => {
                self.word(&format!("${nag}"));
                return Behind::Other;
            }
        };

        // A suffix stands directly behind a move only (PGN §8.2.3.8).
        if is_suffix(nag) {
            if behind == Behind::Move && self.attach_to_word(sign) {
                return Behind::Suffix;
            }
            self.word(&format!("${nag}"));
            return Behind::Other;
        }

        let is_attached = self.can_attach_sign(sign, behind) && self.attach_to_word(sign);
        if !is_attached {
            self.word(sign);
        }
        Behind::Other
    }

    /// `true` if a reader recognizes a sign that is attached to the last word. After `Bb5+`, `=` would read as `+=`.
    /// After a move in digits (ICCF), a sign is not recognized. A sign that is a letter would be read as a piece.
    fn can_attach_sign(&self, sign: &str, behind: Behind) -> bool {
        let is_plain = match behind {
            Behind::Move => self.out.last().is_some_and(u8::is_ascii_alphanumeric),
            Behind::Suffix => true,
            Behind::Other => false,
        };
        let is_numeric = self.moves.style().notation == Notation::Iccf;
        let begins_with_letter = sign.starts_with(char::is_alphabetic);

        is_plain && !is_numeric && !begins_with_letter
    }

    /// Attaches a text to the last word, if the line has room for it.
    fn attach_to_word(&mut self, text: &str) -> bool {
        let column = self.column + characters(text);
        let fits = self.column > 0 && column < self.width;
        if !fits {
            return false;
        }

        self.column = column;
        self.out.extend_from_slice(text.as_bytes());

        true
    }

    fn begin_variation(&mut self) {
        self.position_comment();
        self.numbers.begin_variation();
        self.moves.begin_variation();
        self.interrupted = true;
        self.flush_prefix();
        self.prefix = "(";
    }

    /// Writes a pending parenthesis; an empty variation is `( )`.
    fn flush_prefix(&mut self) {
        if !self.prefix.is_empty() {
            self.word("");
        }
    }

    /// Attaches the parenthesis to the last word, if there is room for it.
    fn end_variation(&mut self) {
        self.position_comment();
        self.numbers.end_variation();
        self.moves.end_variation();
        self.flush_prefix();
        self.interrupted = true;

        if !self.attach_to_word(")") {
            self.word(")");
        }
    }

    #[inline]
    fn san(&mut self, san: &str) -> Result<(), Unwritable> {
        self.position_comment();

        let form = self.layout.movetext;
        let MoveNumber { number, turn } = *self.numbers.here();
        if form.has_move_numbers {
            if turn == Color::White {
                self.number(number, ".");
            } else if self.interrupted {
                self.number(number, "...");
            }
        }

        self.numbers.play(|here| *here = here.next());
        self.interrupted = false;
        self.owes_position = form.position_comments.is_some();

        let text = self.moves.next(san)?;
        let mut line = Line {
            out: self.out,
            width: self.width,
            column: &mut self.column,
            prefix: &mut self.prefix,
            number: self.number,
        };
        // A notation may have an en passant mark behind a space. A line may end at this space.
        match text.strip_suffix(" e.p.") {
            Some(text) => {
                line.word(text);
                line.word("e.p.");
            }
            None => line.word(text),
        }
        Ok(())
    }

    /// Writes a move number and its dots, `.` or `...`.
    fn number(&mut self, number: u32, dots: &str) {
        // From the last byte to the first: the dots, and then the digits, of which the lowest comes first.
        let mut text = [0; MAX_NUMBER_BYTES];
        let mut start = text.len() - dots.len();
        text[start..].copy_from_slice(dots.as_bytes());

        let mut left = number;
        loop {
            start -= 1;
            text[start] = b'0' + (left % 10) as u8;
            left /= 10;
            if left == 0 {
                break;
            }
        }

        let length = self.prefix.len() + text.len() - start;
        self.word(utf8(&text[start..]));
        self.number = LastNumber::at_end(self.out, length, self.column);
    }

    /// Writes the comment on the position after the last move, if it is still to be written.
    fn position_comment(&mut self) {
        if !std::mem::take(&mut self.owes_position) {
            return;
        }

        let position = self.moves.position();
        let text = match self.layout.movetext.position_comments {
            Some(PositionComment::Fen) => position.fen(),
            Some(PositionComment::PolyglotKey) => format!("{:016x}", position.key()),
            None => return,
        };
        self.comment(&text);
    }

    /// Writes a brace comment, wrapped at its spaces. A comment that contains `}` becomes a rest-of-line comment (PGN
    /// §5).
    pub(super) fn comment(&mut self, text: &str) {
        self.interrupted = true;
        self.flush_prefix();

        // An import leaves no line breaks, but another program may have stored one.
        let text = &unwrapped(text);
        if text.contains('}') {
            return self.line_comment(text);
        }

        let has_own_lines = self.layout.movetext.has_comment_lines;
        if has_own_lines {
            self.end_line();
        }

        let mut braced = std::mem::take(&mut self.braced);
        braced.clear();
        braced.push('{');
        braced.push_str(text);
        braced.push('}');
        if braced.is_ascii() {
            self.ascii_comment(&braced);
        } else {
            for word in comment_words(&braced) {
                self.word(word);
            }
        }

        self.braced = braced;
        if has_own_lines {
            self.end_line();
        }
    }

    /// Writes a comment in ASCII, a line at a time. The result equals writing it word by word, but is faster: the end
    /// of a line is searched backwards.
    fn ascii_comment(&mut self, mut text: &str) {
        loop {
            let begin = if self.column > 0 { self.column + 1 } else { 0 };
            let room = (self.width - 1).saturating_sub(begin);
            let is_break = |&at: &usize| is_comment_break(text.as_bytes(), at);
            let end_on_line = if text.len() <= room {
                Some(text.len())
            } else {
                // `room` is an index here, since the text is longer.
                (1..=room).rfind(is_break)
            };

            let end = match end_on_line {
                Some(end) => end,
                None if self.column > 0 => {
                    self.end_line();
                    continue;
                }
                // A word that is longer than a line.
                None => (1..text.len()).find(is_break).unwrap_or(text.len()),
            };

            if self.column > 0 {
                self.out.push(b' ');
            }
            self.out.extend_from_slice(&text.as_bytes()[..end]);
            self.column = begin + end;
            if end == text.len() {
                return;
            }

            self.end_line();
            text = &text[end + 1..];
        }
    }

    fn line_comment(&mut self, text: &str) {
        if self.column > 0 {
            self.out.push(b' ');
        }

        self.column = 0;
        self.out.push(b';');
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
    }

    /// Writes an escape line.
    fn escaped_line(&mut self, text: &str) {
        self.position_comment();
        self.flush_prefix();
        self.verbatim(&format!("%{}", unwrapped(text)));
    }

    /// Writes movetext unchanged, with its lines.
    pub(super) fn verbatim(&mut self, text: &str) {
        self.end_line();
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
    }

    pub(super) fn end_line(&mut self) {
        if self.column > 0 {
            self.out.push(b'\n');
        }
        self.column = 0;
    }

    pub(super) fn word(&mut self, word: &str) {
        let mut line = Line {
            out: self.out,
            width: self.width,
            column: &mut self.column,
            prefix: &mut self.prefix,
            number: self.number,
        };

        line.word(word);
    }
}

/// The line being written.
struct Line<'m> {
    out: &'m mut Vec<u8>,
    width: usize,
    column: &'m mut usize,
    prefix: &'m mut &'static str,
    number: LastNumber,
}

impl Line<'_> {
    /// Writes a word on this line if it fits, otherwise on the next, together with its move number.
    #[inline]
    fn word(&mut self, word: &str) {
        let prefix = std::mem::take(self.prefix);
        let length = prefix.len() + characters(word);

        if *self.column > 0 && *self.column + 1 + length < self.width {
            self.out.push(b' ');
            *self.column += 1;
        } else if *self.column > 0 {
            let number_length = self.number.begin_line(self.out, length, self.width);
            match number_length {
                Some(number_length) => {
                    self.out.push(b' ');
                    *self.column = number_length + 1;
                }
                None => {
                    self.out.push(b'\n');
                    *self.column = 0;
                }
            }
        }

        *self.column += length;
        self.out.extend_from_slice(prefix.as_bytes());
        self.out.extend_from_slice(word.as_bytes());
    }
}

/// The number of characters of a word; moves in English are ASCII.
fn characters(word: &str) -> usize {
    if word.is_ascii() {
        word.len()
    } else {
        word.chars().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_games::game;

    /// A comment with its braces, written from a column, and the length of the last line.
    fn written(braced: &str, column: usize, by_words: bool) -> (String, usize) {
        let game = game("");
        let mut out = Vec::new();
        let movetext = Movetext::new(&game, &Style::pgn(), Layout::default(), &mut out);
        let mut movetext = movetext.expect("the usual start");
        movetext.column = column;

        if by_words {
            for word in comment_words(braced) {
                movetext.word(word);
            }
        } else {
            movetext.ascii_comment(braced);
        }

        let last_column = movetext.column;
        (String::from_utf8(out).expect("UTF-8"), last_column)
    }

    proptest::proptest! {
        #[test]
        fn comments_are_broken_as_word_by_word(text in "[a \\[%]{0,300}|[a-z \\[%]{0,300}", column in 0..85_usize) {
            let braced = format!("{{{text}}}");
            assert_eq!(written(&braced, column, false), written(&braced, column, true));
        }
    }
}
