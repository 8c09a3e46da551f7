//! Parses the bytes of one game into tags, moves, comments, NAGs, variations and a termination marker.
//!
//! Accepts PGN's import format (PGN §3.1) as found in the wild: any bytes yield events, and nonsense yields a
//! [`Fault`]. Each byte is examined a bounded number of times, so parsing takes linear time. The boundaries of the game
//! come from [`split`](super::split()).

mod tag_section;

use memchr::memchr;

use super::blank::{blank_length, is_ascii_blank, line_length, trim_blanks, trim_blanks_end};
use super::result::{Termination, leading_result, spaced_castling};
use super::split::{BYTE_ORDER_MARK, LEGACY_BYTE_ORDER_MARK};
use super::token::{
    Class, MAX_NUMBER_DIGITS, Token, any_token, before_terminator, class, move_number, move_token,
    plain_token,
};
use super::word::{bracket_length, is_fraction, number_apart, number_length, word_length};

/// A syntax error in the text of a game, whatever its moves mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Text in the tag section that is not a tag pair.
    InvalidTag,
    /// A tag pair without its `]`.
    UnclosedTag,
    /// A comment without its `}`; it extends to the end of the game.
    UnclosedComment,
    /// A variation without its `)`; it extends to the end of the game.
    UnclosedVariation,
    /// A `)` without its `(`.
    StrayParenthesis,
    /// A `}` without its `{`.
    StrayBrace,
    /// A `$` not followed by a number from 0 to 255.
    InvalidNag,
    /// A NAG preceded by a backslash, which is ignored.
    EscapedNag,
}

/// Receives the events of [`read_game`], in the order of the text.
///
/// `at` is the offset of the first byte in the game's text. Texts are passed unmodified. All methods do nothing by
/// default.
#[expect(unused_variables, reason = "the names tell implementers what they get")]
pub trait Visitor<'t> {
    /// A tag pair; the value is the raw text between the quotes, see [`unescape`](super::unescape()).
    fn tag(&mut self, name: &'t [u8], value: &'t [u8], at: usize) {}
    /// The start of the movetext: its first token, or the end of a game without movetext, comes next.
    fn movetext(&mut self, at: usize) {}
    /// A token that may be a move.
    fn move_text(&mut self, token: Token<'t>, at: usize) {}
    /// `$6`, or a suffix such as `?!`.
    fn nag(&mut self, nag: u8, at: usize) {}
    /// The text of a comment without its braces or semicolon, on the mainline, in a variation or among the tags; an
    /// unclosed comment ends with the game. Text after the game termination marker is [`Visitor::trailing`].
    fn comment(&mut self, text: &'t [u8], at: usize) {}
    /// `(`: an alternative to the preceding move.
    fn begin_variation(&mut self, at: usize) {}
    /// `)`, or the end of the game inside an open variation.
    fn end_variation(&mut self, at: usize) {}
    /// The game termination marker. Inside a variation, a marker does not end the game.
    fn termination(&mut self, termination: Termination, at: usize) {}
    /// Text between the termination marker and the end of the game.
    fn trailing(&mut self, text: &'t [u8], at: usize) {}
    /// The text after the `%` of an escape line (PGN §6).
    fn escaped_line(&mut self, text: &'t [u8], at: usize) {}
    /// A syntax error; recovered parts of the text are reported by earlier or later events.
    fn fault(&mut self, fault: Fault, text: &'t [u8], at: usize) {}
}

/// Reads one game.
///
/// ```
/// use stamma_chess::pgn::{Token, Visitor, read_game};
///
/// #[derive(Default)]
/// struct Moves(Vec<String>);
///
/// impl Visitor<'_> for Moves {
///     fn move_text(&mut self, token: Token<'_>, _at: usize) {
///         self.0.push(String::from_utf8_lossy(token.text).into_owned());
///     }
/// }
///
/// let mut moves = Moves::default();
/// read_game(b"1.e4 e5 2.Nf3! {the usual} *", &mut moves);
/// assert_eq!(moves.0, ["e4", "e5", "Nf3"]);
/// ```
pub fn read_game<'t, V: Visitor<'t>>(text: &'t [u8], visitor: &mut V) {
    Reader::<false>::new(text).read(visitor);
}

/// Reads the tag section of a game, with the comments in it, and returns the offset of its movetext.
pub fn read_tags<'t, V: Visitor<'t>>(text: &'t [u8], visitor: &mut V) -> usize {
    let mut reader = Reader::<false>::new(text);
    reader.skip_byte_order_mark();
    reader.read_tag_section(visitor);
    reader.pos
}

/// Reads one game in any notation: its move texts are words that may contain dots, brackets and digits.
///
/// `P.4D`, `e8(Q)` and `N(3)-B3` are one text each, and so are `5254`, `2Cf3` and `½-½`. The visitor decides which of
/// them are results, or move numbers without a dot.
pub fn read_words<'t, V: Visitor<'t>>(text: &'t [u8], visitor: &mut V) {
    Reader::<true>::new(text).read(visitor);
}

struct Reader<'t, const WORDS: bool> {
    text: &'t [u8],
    /// The offset of the next byte.
    pos: usize,
    /// The number of open variations.
    depth: usize,
}

impl<'t, const WORDS: bool> Reader<'t, WORDS> {
    /// A reader at the beginning of a game's text.
    #[inline(always)]
    fn new(text: &'t [u8]) -> Reader<'t, WORDS> {
        Reader {
            text,
            pos: 0,
            depth: 0,
        }
    }

    /// Reads the tag section, then the movetext.
    #[inline(always)]
    fn read<V: Visitor<'t>>(&mut self, visitor: &mut V) {
        self.skip_byte_order_mark();
        self.read_tag_section(visitor);
        visitor.movetext(self.pos);
        self.read_movetext(visitor);
    }

    /// The next byte; `None` at the end of the text.
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.get(self.pos).copied()
    }

    /// The text that has not been read.
    #[inline]
    fn rest(&self) -> &'t [u8] {
        self.text.get(self.pos..).unwrap_or_default()
    }

    /// The unread text up to the end of its line.
    fn rest_of_line(&self) -> &'t [u8] {
        let rest = self.rest();
        &rest[..line_length(rest)]
    }

    fn skip_byte_order_mark(&mut self) {
        for mark in [BYTE_ORDER_MARK, LEGACY_BYTE_ORDER_MARK] {
            if self.text.starts_with(mark) {
                self.pos = mark.len();
            }
        }
    }

    /// Skips white space.
    #[inline]
    fn skip_space(&mut self) {
        while self.peek().is_some_and(is_ascii_blank) {
            self.pos += 1;
        }
    }

    /// Skips white space and escape lines.
    fn skip_lines<V: Visitor<'t>>(&mut self, visitor: &mut V) {
        self.skip_space();
        while self.peek() == Some(b'%') && self.is_line_start(self.pos) {
            self.read_escape_line(visitor);
            self.skip_space();
        }
    }

    /// Reads an escape line from its `%` to its line break.
    fn read_escape_line<V: Visitor<'t>>(&mut self, visitor: &mut V) {
        let at = self.pos;
        let line = self.rest_of_line();

        self.pos += line.len();
        visitor.escaped_line(&line[1..], at);
    }

    /// `true` if a line begins at an offset.
    fn is_line_start(&self, at: usize) -> bool {
        at == 0 || matches!(self.text[at - 1], b'\n' | b'\r')
    }

    /// Ensures that each turn of a loop consumes at least one byte. So every loop ends, and the events of a text, and
    /// with them the memory that visitors use, are bounded by the length of the text.
    ///
    /// A turn without progress is a bug, which debug builds report. Release builds skip a byte instead: the byte yields
    /// no event, but the loop ends.
    #[inline]
    fn ensure_progress(&mut self, before: usize) {
        debug_assert!(self.pos > before, "nothing is read at {before}");
        if self.pos <= before {
            self.pos = before + 1;
        }
    }

    /// Reads the movetext, up to the termination marker or the end of the text.
    fn read_movetext<V: Visitor<'t>>(&mut self, visitor: &mut V) {
        loop {
            let before = self.pos;
            self.skip_space();
            let Some(byte) = self.peek() else { break };

            let is_over = match class(byte) {
                _ if WORDS && self.is_at_word(byte) => self.read_word(visitor),
                Class::Text => {
                    let at = self.pos;
                    let token = plain_token(self.rest()).unwrap_or_else(|| move_token(self.rest()));
                    self.pos += token.text.len();
                    visitor.move_text(token, at);
                    false
                }
                Class::Digit => self.read_digits(visitor),
                _ => self.read_mark(byte, visitor),
            };
            if is_over {
                return;
            }
            self.ensure_progress(before);
        }

        // The game has no termination marker outside variations. Open variations are closed here, so that visitors see
        // balanced variations in any text.
        for _ in 0..self.depth {
            visitor.end_variation(self.pos);
        }
        if self.depth > 0 {
            visitor.fault(Fault::UnclosedVariation, b"", self.pos);
        }
    }

    /// The text up to the next space or delimiter.
    fn token(&mut self) -> Token<'t> {
        let token = any_token(self.rest());
        self.pos += token.text.len();
        token
    }

    /// Returns `true` if a word of any notation begins here, which may be a bracket such as `(ep)`.
    fn is_at_word(&self, byte: u8) -> bool {
        match class(byte) {
            Class::Text | Class::Digit => true,
            Class::Mark => bracket_length(self.rest(), false).is_some(),
            Class::Space => false,
        }
    }

    /// Reads a move number with its dot, a termination marker, or a word. Returns `true` when the game is over.
    fn read_word<V: Visitor<'t>>(&mut self, visitor: &mut V) -> bool {
        let at = self.pos;
        if let Some(length) = number_length(self.rest()) {
            self.pos += length;
            return false;
        }
        if let Some((termination, length)) = leading_result(self.rest()) {
            self.pos += length;
            return self.terminate(termination, at, visitor);
        }
        if let Some(length) = blank_length(self.rest()) {
            self.pos += length;
            return false;
        }
        if let Some(length) = spaced_castling(self.rest()) {
            self.pos += length;
            visitor.move_text(Token::new(&self.text[at..self.pos]), at);
            return false;
        }

        let whole = &self.rest()[..word_length(self.rest())];
        let word = before_terminator(whole).unwrap_or(whole);
        // At least one byte, so that `read_movetext` makes progress.
        self.pos += word.len().max(1);
        visitor.move_text(Token::new(word), at);
        false
    }

    /// Reads a move number (at most three digits if it has no dot), a termination marker, or castling with zeros.
    /// Returns `true` when the game is over.
    #[inline]
    fn read_digits<V: Visitor<'t>>(&mut self, visitor: &mut V) -> bool {
        let at = self.pos;
        if let Some(length) = move_number(self.rest()) {
            self.pos += length;
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                self.report_fraction(at, visitor);
            }
            return false;
        }
        if let Some((termination, length)) = leading_result(self.rest()) {
            self.pos += length;
            return self.terminate(termination, at, visitor);
        }
        if let Some(length) = spaced_castling(self.rest()) {
            self.pos += length;
            visitor.move_text(Token::new(&self.text[at..self.pos]), at);
            return false;
        }

        let token = self.token();
        let digits = token
            .text
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();

        match token.text.get(digits) {
            // Castling with zeros, or a damaged result.
            Some(b'-' | b'/') => visitor.move_text(token, at),
            // A year or a rating is text, and so is a move in numeric notation.
            None if digits > MAX_NUMBER_DIGITS => visitor.move_text(token, at),
            // A move number without its dot: `12 Nf3`, `12Nf3`.
            _ => self.pos = at + digits,
        }
        false
    }

    /// Reports a number with a fraction, whose dot has been read, as a text that is not a move.
    #[cold]
    fn report_fraction<V: Visitor<'t>>(&mut self, at: usize, visitor: &mut V) {
        if is_fraction(self.rest()) {
            self.token();
            visitor.move_text(Token::new(&self.text[at..self.pos]), at);
        }
    }

    /// Reads a delimiter. Returns `true` when the game is over.
    fn read_mark<V: Visitor<'t>>(&mut self, mark: u8, visitor: &mut V) -> bool {
        let at = self.pos;
        self.pos += 1;
        match mark {
            b'.' => {}
            b'%' if self.is_line_start(at) => {
                self.pos = at;
                self.read_escape_line(visitor);
            }
            b'{' => self.read_brace_comment(visitor),
            b';' => {
                self.pos = at;
                self.read_line_comment(visitor);
            }
            b'(' => self.read_round_bracket(visitor),
            b')' if self.depth > 0 => {
                self.depth -= 1;
                visitor.end_variation(at);
            }
            b')' => visitor.fault(Fault::StrayParenthesis, b")", at),
            b'}' => visitor.fault(Fault::StrayBrace, b"}", at),
            b'$' => self.read_nag(at, visitor),
            b'\\' if self.peek() == Some(b'$') => {
                self.pos += 1;
                self.read_nag(at, visitor);
            }
            b'!' | b'?' => self.read_suffix(visitor),
            b'*' => return self.terminate(Termination::Unknown, at, visitor),
            _ => {
                self.token();
                visitor.move_text(Token::new(&self.text[at..self.pos]), at);
            }
        }
        false
    }

    /// Reads a variation after its `(`, or a draw offer (FIDE Laws, appendix C).
    fn read_round_bracket<V: Visitor<'t>>(&mut self, visitor: &mut V) {
        let at = self.pos - 1;
        if self.rest().starts_with(b"=)") {
            self.pos += 2;
            return visitor.comment(&self.text[at..self.pos], at);
        }

        self.depth += 1;
        visitor.begin_variation(at);
    }

    /// Reports a termination marker, and the text after it. Returns `true` when the game is over: inside a variation, a
    /// marker does not end the game.
    fn terminate<V: Visitor<'t>>(
        &mut self,
        termination: Termination,
        at: usize,
        visitor: &mut V,
    ) -> bool {
        visitor.termination(termination, at);
        if self.depth > 0 {
            return false;
        }

        self.skip_lines(visitor);
        let rest = trim_blanks(self.rest());
        let trailing = trim_blanks_end(rest);
        if !trailing.is_empty() {
            self.pos = self.text.len() - rest.len();
            visitor.trailing(trailing, self.pos);
        }
        true
    }

    /// Reads a comment from its `;` to the end of the line (PGN §5).
    fn read_line_comment<V: Visitor<'t>>(&mut self, visitor: &mut V) {
        let at = self.pos;
        let line = self.rest_of_line();

        self.pos += line.len();
        visitor.comment(&line[1..], at);
    }

    /// Reads a comment after its `{`; comments do not nest (PGN §5).
    fn read_brace_comment<V: Visitor<'t>>(&mut self, visitor: &mut V) {
        let rest = self.rest();
        let at = self.pos - 1;

        match memchr(b'}', rest) {
            Some(length) => {
                self.pos += length + 1;
                visitor.comment(&rest[..length], at);
            }
            None => {
                self.pos = self.text.len();
                visitor.comment(trim_end(rest), at);
                visitor.fault(Fault::UnclosedComment, b"{", at);
            }
        }
    }

    /// Reads a NAG after its `$`, which a backslash may precede.
    fn read_nag<V: Visitor<'t>>(&mut self, at: usize, visitor: &mut V) {
        let token = self.token();
        // `$ 14` is one invalid NAG, not an invalid NAG and a move number.
        if token.text.is_empty() {
            self.pos += number_apart(self.rest());
        }
        let text = &self.text[at..self.pos];

        // A `u8`, as NAGs go from 0 to 255 (PGN §8.2.4).
        let digits = str::from_utf8(token.text).ok();
        match digits.and_then(|digits| digits.parse().ok()) {
            Some(nag) => {
                if text[0] == b'\\' {
                    visitor.fault(Fault::EscapedNag, text, at);
                }
                visitor.nag(nag, at);
            }
            None => visitor.fault(Fault::InvalidNag, text, at),
        }
    }

    /// Reads a suffix after its first sign: `!` `?` `!!` `??` `!?` `?!` are NAGs 1 to 6 (PGN §8.2.3.8).
    fn read_suffix<V: Visitor<'t>>(&mut self, visitor: &mut V) {
        let at = self.pos - 1;
        let suffix = &self.text[at..];
        let next = suffix.get(1);
        let (nag, length) = match (suffix[0], next) {
            (b'!', Some(b'!')) => (3, 2),
            (b'?', Some(b'?')) => (4, 2),
            (b'!', Some(b'?')) => (5, 2),
            (b'?', Some(b'!')) => (6, 2),
            (b'!', _) => (1, 1),
            _ => (2, 1),
        };

        self.pos = at + length;
        visitor.nag(nag, at);
    }
}

fn trim_end(text: &[u8]) -> &[u8] {
    text.trim_ascii_end()
}
