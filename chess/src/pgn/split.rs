//! Finds the boundaries of the games in a file.
//!
//! The file is read once, line by line. Outside tag sections and comments, a line with a tag pair begins a game; in a
//! file without tags, move numbers do: a line `1. e4` begins a game after a termination marker, or after a blank line
//! if the game before it has none. Anything else between games is text, including lines that begin with `%` or `;`. The
//! resulting spans are contiguous and cover every byte.
//!
//! Known traps: `[Event "` inside a comment; an unclosed comment, which ends at the next tag pair after a blank line;
//! tag sections with blank lines in them; games without a blank line between them; an Event tag that is not the first
//! of its section; tag lines that are broken or followed by markup; old Macintosh line endings; and endless lines,
//! which are read in pieces, so that only one piece is ever in memory.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr2_iter, memchr3, memrchr};

use super::blank::{trim_blanks, trim_blanks_end};
use super::result::ends_with_result;
use super::tag::{RawTag, begins_first_move, is_broken_tag, is_movetext, is_stray, split_tag};

/// The UTF-8 byte order mark, found at the beginning of a file and inside concatenated files.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// The byte order mark decoded as Windows-1252, because the bytes after it are not UTF-8.
pub(super) const LEGACY_BYTE_ORDER_MARK: &[u8] = "\u{ef}\u{bb}\u{bf}".as_bytes();

/// A range of a file, as byte offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    /// One game: tags, movetext, and white space up to the next span.
    Game(Range<usize>),
    /// Text between games.
    Text(Range<usize>),
}

/// Splits a file into games and texts; the spans cover every byte.
///
/// ```
/// use stamma_chess::pgn::{Span, split};
/// let file = b"from my archive\n[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n";
/// let spans: Vec<Span> = split(file).collect();
/// assert_eq!(spans, [Span::Text(0..16), Span::Game(16..38), Span::Game(38..59)]);
/// ```
pub fn split(file: &[u8]) -> impl Iterator<Item = Span> {
    Spans {
        file,
        splitter: Splitter::new(newline(file)),
        pos: 0,
        start: 0,
    }
}

/// The longest piece of a line that is examined at once.
pub(crate) const LINE_BYTES: usize = 1 << 20;
/// Lines from this length on may have many comments.
const LONG_LINE_BYTES: usize = 128;
/// The size of the prefix that determines the line ending of a file.
pub const NEWLINE_BYTES: usize = 1 << 20;

/// The byte that ends the lines of a file, judged by its beginning: a line feed, or a carriage return in old Macintosh
/// files, which contain no line feed.
pub fn newline(file: &[u8]) -> u8 {
    let beginning = &file[..file.len().min(NEWLINE_BYTES)];
    let Some(first_break) = memchr2(b'\n', b'\r', beginning) else {
        return b'\n';
    };
    if beginning[first_break] == b'\n' {
        return b'\n';
    }

    // A carriage return that comes first may belong to a `\r\n`.
    match memchr(b'\n', beginning) {
        Some(_) => b'\n',
        None => b'\r',
    }
}

struct Spans<'f> {
    file: &'f [u8],
    splitter: Splitter,
    /// The start of the next line.
    pos: usize,
    /// The start of the current span.
    start: usize,
}

impl Iterator for Spans<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        while let Some(length) = self.splitter.piece(&self.file[self.pos..], true) {
            let here = self.pos;
            self.pos += length;

            let piece = &self.file[here..self.pos];
            if let Some(kind) = self.splitter.take(piece) {
                let start = std::mem::replace(&mut self.start, here);
                return Some(kind.span(start..here));
            }
        }

        let end = self.file.len();
        let start = std::mem::replace(&mut self.start, end);
        if start == end {
            return None;
        }
        Some(self.splitter.kind().span(start..end))
    }
}

/// The kind of a [`Span`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanKind {
    /// The kind of [`Span::Game`].
    Game,
    /// The kind of [`Span::Text`].
    Text,
}

impl SpanKind {
    /// A span of this kind.
    pub fn span(self, range: Range<usize>) -> Span {
        match self {
            SpanKind::Game => Span::Game(range),
            SpanKind::Text => Span::Text(range),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Only white space so far.
    Blank,
    /// In text between games.
    Text,
    /// In a tag section.
    Tags,
    /// In movetext.
    Moves,
}

/// Finds the boundaries of games in a text that is passed line by line: [`split`] for streams. It keeps nothing of the
/// lines except one tag name.
pub struct Splitter {
    newline: u8,
    phase: Phase,
    /// The name of the first tag of the game. If this tag is repeated after a blank line, another game begins.
    first_tag: Vec<u8>,
    /// The tag section has an Event tag.
    has_event: bool,
    /// The line before was blank.
    after_blank: bool,
    in_comment: bool,
    /// The movetext so far ends with a termination marker.
    terminated: bool,
    /// The movetext has a line that begins with a move or a move number.
    has_moves: bool,
    /// The number of open variations.
    depth: usize,
    /// Inside a line whose beginning has been consumed.
    in_line: bool,
    /// The part of the line consumed so far is movetext.
    in_movetext: bool,
}

impl Splitter {
    /// A splitter for a file with this line ending.
    pub fn new(newline: u8) -> Splitter {
        Splitter {
            newline,
            phase: Phase::Blank,
            first_tag: Vec::new(),
            has_event: false,
            after_blank: false,
            in_comment: false,
            terminated: false,
            has_moves: false,
            depth: 0,
            in_line: false,
            in_movetext: false,
        }
    }

    /// The length of the next piece of a text: a line with its ending, or a mebibyte of a longer one. `None` if the
    /// text is too short, unless `is_all` says that no more will come.
    pub fn piece(&self, text: &[u8], is_all: bool) -> Option<usize> {
        let examined = &text[..text.len().min(LINE_BYTES)];
        let line_end = match self.newline {
            b'\n' => memchr(b'\n', examined),
            // Concatenated files may mix line endings.
            _ => memchr2(b'\r', b'\n', examined),
        };

        let is_long_line = examined.len() == LINE_BYTES;
        let is_last_line = is_all && !text.is_empty();
        match line_end {
            Some(end) => Some(end + 1),
            None if is_long_line || is_last_line => Some(examined.len()),
            None => None,
        }
    }

    /// Consumes the next piece. Returns the kind of the span that ends before it, if one does.
    pub fn take(&mut self, piece: &[u8]) -> Option<SpanKind> {
        let line = match piece {
            [line @ .., b'\n' | b'\r'] if self.ends_line(piece) => line,
            _ => piece,
        };
        let goes_on = line.len() == piece.len();

        // Nothing begins in the middle of a line, but its comments and variations count.
        let is_within_line = std::mem::replace(&mut self.in_line, goes_on);
        if is_within_line {
            if self.in_movetext {
                self.consume_movetext(trim_blanks_end(trim_blanks(line)));
            }
            return None;
        }
        self.in_movetext = false;

        let phase = self.consume_line(line)?;
        let was_blank = self.phase == Phase::Blank;
        let kind = self.kind();
        self.phase = phase;
        // White space at the beginning of a file belongs to the first span.
        if was_blank {
            return None;
        }
        Some(kind)
    }

    /// The kind of the current span.
    pub fn kind(&self) -> SpanKind {
        match self.phase {
            Phase::Blank | Phase::Text => SpanKind::Text,
            Phase::Tags | Phase::Moves => SpanKind::Game,
        }
    }

    /// `true` if a piece ends with a line break.
    fn ends_line(&self, piece: &[u8]) -> bool {
        piece
            .last()
            .is_some_and(|&last| last == self.newline || last == b'\n')
    }

    /// Consumes one line. Returns the new phase if a new span begins before the line.
    fn consume_line(&mut self, line: &[u8]) -> Option<Phase> {
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        let text = trim_blanks_end(trim_blanks(line));
        if text.is_empty() {
            self.after_blank = true;
            return None;
        }

        if line[0] == b'%' && !self.in_comment {
            return self.is_between_games().then_some(Phase::Text);
        }

        let begins = self.consume_text_line(text);
        self.after_blank = false;
        begins
    }

    /// Consumes a line whose text is not empty. Returns the new phase if a new span begins before the line.
    fn consume_text_line(&mut self, text: &[u8]) -> Option<Phase> {
        if text[0] == b'[' && (!self.in_comment || self.after_blank) {
            if self.continues_tags(text) {
                return None;
            }
            if let Some(tag) = split_tag(text) {
                return self.consume_tag_line(tag, text);
            }
        }
        if self.phase == Phase::Tags && is_broken_tag(text) {
            return None;
        }

        let begins = if self.in_comment {
            None
        } else {
            self.begun_by_text(text)
        };
        if begins.is_some() {
            self.begin_movetext();
        }

        match begins {
            Some(Phase::Text) => {}
            None if self.phase == Phase::Text => {}
            // A comment after the termination marker.
            None if text[0] == b';' => {}
            _ => self.consume_movetext(text),
        }
        begins
    }

    /// Returns `true` if no game has begun, or the last one ended before a blank line.
    fn is_between_games(&self) -> bool {
        match self.phase {
            Phase::Blank => true,
            Phase::Moves => self.terminated && self.after_blank,
            Phase::Text | Phase::Tags => false,
        }
    }

    /// Fast path: returns `true` for an ordinary line of a tag section.
    fn continues_tags(&self, text: &[u8]) -> bool {
        self.phase == Phase::Tags
            && !self.after_blank
            && !text.starts_with(b"[Event")
            && text.ends_with(b"\"]")
    }

    /// Consumes a line that begins with a tag pair. Returns the new phase if a game begins before the line.
    fn consume_tag_line(&mut self, tag: RawTag<'_>, text: &[u8]) -> Option<Phase> {
        let begins = self.tag_begins_game(tag.name);
        if begins {
            self.first_tag.clear();
            self.first_tag.extend_from_slice(tag.name);
            self.has_event = false;
            self.in_comment = false;
            self.begin_movetext();
        }
        self.has_event |= tag.name == b"Event";

        // Movetext may begin on the line of the last tag pair.
        let behind = after_tags(tag, text);
        let has_no_moves = behind.is_empty() || is_stray(behind);
        let phase = if has_no_moves {
            Phase::Tags
        } else {
            self.consume_movetext(behind);
            Phase::Moves
        };

        if begins {
            Some(phase)
        } else {
            self.phase = phase;
            None
        }
    }

    /// Forgets the movetext of the preceding span.
    fn begin_movetext(&mut self) {
        self.terminated = false;
        self.has_moves = false;
        self.depth = 0;
    }

    /// `true` if a tag pair with this name begins a game.
    fn tag_begins_game(&self, name: &[u8]) -> bool {
        match self.phase {
            Phase::Blank | Phase::Text | Phase::Moves => true,
            Phase::Tags if self.after_blank => name == b"Event" || name == self.first_tag,
            Phase::Tags => name == b"Event" && self.has_event,
        }
    }

    /// The phase of the span that begins before a line, if one does. The line is outside comments and is not a tag
    /// pair, and its text is not empty.
    fn begun_by_text(&mut self, text: &[u8]) -> Option<Phase> {
        match self.phase {
            // A comment among tags.
            Phase::Tags if text[0] == b';' => None,
            Phase::Tags if text[0] == b'{' && !self.after_blank && is_stray(text) => None,
            Phase::Tags => {
                self.phase = Phase::Moves;
                None
            }
            Phase::Blank | Phase::Text if is_movetext(text) => Some(Phase::Moves),
            Phase::Blank => Some(Phase::Text),
            Phase::Moves if self.terminated => {
                if text.starts_with(b"1.") {
                    return Some(Phase::Moves);
                }
                // Comments, variations and NAGs after a blank line belong to the game that has ended.
                if self.after_blank && !is_movetext(text) && !b"{()$".contains(&text[0]) {
                    return Some(Phase::Text);
                }
                None
            }
            // A game without a termination marker, and then another one without tags.
            Phase::Moves if self.after_blank && self.has_moves && self.depth == 0 => {
                begins_first_move(text).then_some(Phase::Moves)
            }
            Phase::Text | Phase::Moves => None,
        }
    }

    /// Tracks comments and variations through a line, and notes if the text outside comments has moves and ends with a
    /// termination marker.
    fn consume_movetext(&mut self, text: &[u8]) {
        self.in_movetext = true;

        let skipped = if text.len() >= LONG_LINE_BYTES {
            self.inert_part(text)
        } else {
            0
        };
        self.consume_movetext_parts(&text[skipped..]);
    }

    /// The length of the beginning of a line of movetext that can be skipped: up to the end of its last comment. 0 if
    /// the line has to be read in full.
    ///
    /// In a game with clocks, a comment follows each move. If a line has neither variations nor a `;`, only the text
    /// behind its last comment matters. That text is outside comments.
    fn inert_part(&mut self, text: &[u8]) -> usize {
        let Some(last_brace) = memrchr(b'}', text) else {
            return 0;
        };

        // If no text follows the last comment, the text before it decides whether the game has ended.
        let behind = trim_blanks(&text[last_brace + 1..]);
        if matches!(behind.first(), None | Some(b'{')) {
            return 0;
        }
        if memchr3(b';', b'(', b')', text).is_some() {
            return 0;
        }

        // Comments are skipped unread, so only the text before the first one can show that the line has moves.
        if !self.has_moves {
            let first = if self.in_comment { &[][..] } else { text };
            let before_comment = &first[..memchr(b'{', first).unwrap_or(0)];
            if !is_movetext(trim_blanks(before_comment)) {
                return 0;
            }
            self.has_moves = true;
        }

        self.in_comment = false;
        last_brace + 1
    }

    /// Reads a line of movetext, the text before each comment and the comment in turn.
    fn consume_movetext_parts(&mut self, text: &[u8]) {
        let mut rest = text;
        loop {
            if self.in_comment {
                match memchr(b'}', rest) {
                    Some(end) => rest = &rest[end + 1..],
                    None => return,
                }
                self.in_comment = false;
            }

            let comment = memchr2(b'{', b';', rest);
            let outside = trim_blanks_end(&rest[..comment.unwrap_or(rest.len())]);
            if !outside.is_empty() {
                self.terminated = ends_with_result(outside);
                self.has_moves = self.has_moves || is_movetext(trim_blanks(outside));
                self.count_variations(outside);
            }

            match comment {
                Some(begin) if rest[begin] == b'{' => {
                    self.in_comment = true;
                    rest = &rest[begin + 1..];
                }
                // A `;` comments out the rest of the line.
                Some(_) => {
                    self.in_movetext = false;
                    return;
                }
                None => return,
            }
        }
    }

    /// Counts the variations that begin and end in a text without comments.
    fn count_variations(&mut self, text: &[u8]) {
        for at in memchr2_iter(b'(', b')', text) {
            self.depth = match text[at] {
                b'(' => self.depth + 1,
                _ => self.depth.saturating_sub(1),
            };
        }
    }
}

/// The text after the tag pairs of a line.
fn after_tags<'f>(first: RawTag<'f>, line: &'f [u8]) -> &'f [u8] {
    let mut rest = trim_blanks(&line[first.length..]);
    while let Some(tag) = split_tag(rest) {
        rest = trim_blanks(&rest[tag.length..]);
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_skipped_as_it_is_read_in_full() {
        const WORDS: [&str; 20] = [
            "1. e4 ",
            "{ [%clk 0:01:02] } ",
            "e5 ",
            "1-0",
            "*",
            "{",
            "}",
            " ",
            "(",
            ")",
            ";",
            "word ",
            "{ a comment of some length } ",
            "1/2-1/2 ",
            "2. Nf3 ",
            "{a} ",
            "\u{a0}",
            "0-1 ",
            "Nc6 ",
            "{ ; ( } ",
        ];
        let mut seed: u64 = 1;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        let mut skipped = 0;
        for _ in 0..200_000 {
            // Few of the signs that end the short way.
            let words = if random(4) == 0 { WORDS.len() } else { 4 };
            let line: String = (0..random(40)).map(|_| WORDS[random(words)]).collect();
            let mut short = Splitter::new(b'\n');
            (short.in_comment, short.has_moves) = (random(3) == 0, random(2) == 0);
            (short.terminated, short.depth) = (random(2) == 0, random(3));
            let before = (
                short.in_comment,
                short.has_moves,
                short.terminated,
                short.depth,
            );
            let mut full = Splitter::new(b'\n');
            (full.in_comment, full.has_moves, full.terminated, full.depth) = before;
            full.in_movetext = true;

            let text = trim_blanks_end(trim_blanks(line.as_bytes()));
            full.consume_movetext_parts(text);
            short.consume_movetext(text);
            skipped += u32::from(memrchr(b'}', text).is_some_and(|last| last > LONG_LINE_BYTES));

            let state = |one: &Splitter| {
                (
                    one.in_comment,
                    one.has_moves,
                    one.terminated,
                    one.depth,
                    one.in_movetext,
                )
            };
            assert_eq!(state(&short), state(&full), "{before:?} {line}");
        }
        assert!(skipped > 10_000, "{skipped}");
    }

    fn pieces(file: &str) -> Vec<String> {
        let spans: Vec<Span> = split(file.as_bytes()).collect();
        let mut end = 0;
        spans
            .into_iter()
            .map(|span| {
                let (mark, range) = match span {
                    Span::Game(range) => ("", range),
                    Span::Text(range) => ("text: ", range),
                };
                assert_eq!(range.start, end, "spans lie side by side");
                end = range.end;
                format!("{mark}{}", file[range].trim())
            })
            .collect()
    }

    macro_rules! splits {
        ($($name:ident: $file:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(pieces($file), $expected);
            }
        )*};
    }

    splits! {
        nothing: "" => [""; 0];
        one_game: "[Event \"A\"]\n\n1. e4 *\n" => ["[Event \"A\"]\n\n1. e4 *"];
        no_blank_lines: "[Event \"A\"]\n1. e4 *\n[Event \"B\"]\n1. d4 *" =>
            ["[Event \"A\"]\n1. e4 *", "[Event \"B\"]\n1. d4 *"];
        games_without_moves: "[Event \"A\"]\n\n[Event \"B\"]\n[Site \"x\"]\n" =>
            ["[Event \"A\"]", "[Event \"B\"]\n[Site \"x\"]"];
        blank_line_among_tags: "[Event \"A\"]\n\n[Site \"x\"]\n\n1. e4 *" =>
            ["[Event \"A\"]\n\n[Site \"x\"]\n\n1. e4 *"];
        without_event: "[White \"A\"]\n\n[White \"B\"]\n\n1. e4" =>
            ["[White \"A\"]", "[White \"B\"]\n\n1. e4"];
        event_in_comment: "[Event \"A\"]\n\n1. e4 {\n[Event \"B\"]\n} *\n" =>
            ["[Event \"A\"]\n\n1. e4 {\n[Event \"B\"]\n} *"];
        brace_in_line_comment: "[Event \"A\"]\n\n1. e4 ; {\n*\n\n[Event \"B\"]\n*" =>
            ["[Event \"A\"]\n\n1. e4 ; {\n*", "[Event \"B\"]\n*"];
        comment_never_closed: "[Event \"A\"]\n\n1. e4 { oh *\n\n[Event \"B\"]\n\n*" =>
            ["[Event \"A\"]\n\n1. e4 { oh *", "[Event \"B\"]\n\n*"];
        event_in_a_tag_value: "[Event \"A\"]\n[Annotator \"[Event \\\"B\\\"]\"]\n\n1. e4 *" =>
            ["[Event \"A\"]\n[Annotator \"[Event \\\"B\\\"]\"]\n\n1. e4 *"];
        event_in_a_line_of_moves: "1. e4 {[Event \"B\"]} e5 *" => ["1. e4 {[Event \"B\"]} e5 *"];
        comment_never_closed_without_a_blank_line: "[Event \"A\"]\n\n1. e4 {\n[Event \"B\"]\n*" =>
            ["[Event \"A\"]\n\n1. e4 {\n[Event \"B\"]\n*"];
        event_behind_other_tags: "[White \"A\"]\n[Event \"B\"]\n[Site \"x\"]\n\n*\n[White \"C\"]\n[Event \"D\"]\n*" =>
            ["[White \"A\"]\n[Event \"B\"]\n[Site \"x\"]\n\n*", "[White \"C\"]\n[Event \"D\"]\n*"];
        event_twice: "[White \"A\"]\n[Event \"B\"]\n[Event \"C\"]\n*" =>
            ["[White \"A\"]\n[Event \"B\"]", "[Event \"C\"]\n*"];
        event_after_a_blank_line: "[White \"A\"]\n\n[Event \"B\"]\n*" =>
            ["[White \"A\"]", "[Event \"B\"]\n*"];
        markup_behind_tags: "[Event \"A\"]<br>\n[Site \"x\"] <br>\n<br>\n1. e4 *\n[Event \"B\"]<br>\n*" =>
            ["[Event \"A\"]<br>\n[Site \"x\"] <br>\n<br>\n1. e4 *", "[Event \"B\"]<br>\n*"];
        brackets_lost: "[Event \"A\"]\n(Site \"x\")\nWhite \"y\"]\n[Black \"z\"]\n*" =>
            ["[Event \"A\"]\n(Site \"x\")\nWhite \"y\"]\n[Black \"z\"]\n*"];
        value_of_two_lines: "[Event \"A\"]\n[Site \"on\nthe Volga\"]\n[Black \"z\"]\n*" =>
            ["[Event \"A\"]\n[Site \"on\nthe Volga\"]\n[Black \"z\"]\n*"];
        brace_in_a_broken_tag: "[Event \"A\"]\n[Site {x]\n*\n[Event \"B\"]\n*" =>
            ["[Event \"A\"]\n[Site {x]\n*", "[Event \"B\"]\n*"];
        tags_without_event: "[White \"A\"]\n[Black \"B\"]\n1. e4 *\n[White \"C\"]\n*" =>
            ["[White \"A\"]\n[Black \"B\"]\n1. e4 *", "[White \"C\"]\n*"];
        zeros: "\0\0[Event \"A\"]\n\n1. e4\0 e5 *\n\0\n\0\n" =>
            ["\0\0[Event \"A\"]\n\n1. e4\0 e5 *\n\0\n\0"];
        end_of_a_file_of_dos: "1. e4 *\x1a\n\n1. d4 *\n\x1a" => ["1. e4 *\x1a", "1. d4 *\n\x1a"];
        control_characters_behind_tags: "[Event \"A\"]\x0c\n[Site \"x\"]\x01\n[Date \"y\"]\u{2028}\n\n*" =>
            ["[Event \"A\"]\x0c\n[Site \"x\"]\x01\n[Date \"y\"]\u{2028}\n\n*"];
        binary: "\u{7f}ELF\u{1}\0\u{80}\n{\n[\n(((\n" => ["text: \u{7f}ELF\u{1}\0\u{80}\n{\n[\n((("];
        text_first: "hello\n\n[Event \"A\"]\n\n*" => ["text: hello", "[Event \"A\"]\n\n*"];
        text_between: "[Event \"A\"]\n\n1. e4 *\n\nRound two\n\n[Event \"B\"]\n\n*" =>
            ["[Event \"A\"]\n\n1. e4 *", "text: Round two", "[Event \"B\"]\n\n*"];
        signs_first: "% a\n\n[Event \"A\"]\n\n*" => ["text: % a", "[Event \"A\"]\n\n*"];
        signs_between: "[Event \"A\"]\n\n1. e4 *\n\n% a\n\n%b\n[Event \"B\"]\n\n*\n\n%[Event \"C\"]\n" =>
            ["[Event \"A\"]\n\n1. e4 *", "text: % a\n\n%b", "[Event \"B\"]\n\n*", "text: %[Event \"C\"]"];
        signs_between_old_files: "1. e4 *\n\n%1. d4 *\n\n1. c4 *\n" =>
            ["1. e4 *", "text: %1. d4 *", "1. c4 *"];
        signs_in_a_game: "[Event \"A\"]\n%a\n[Site \"x\"]\n\n%b\n1. e4 *\n%c\n\n[Event \"B\"]\n\n1. e4\n\n%d\ne5 *" =>
            ["[Event \"A\"]\n%a\n[Site \"x\"]\n\n%b\n1. e4 *\n%c", "[Event \"B\"]\n\n1. e4\n\n%d\ne5 *"];
        sign_in_a_comment: "1. e4 {a *\n\n%b\n} *\n" => ["1. e4 {a *\n\n%b\n} *"];
        indented_sign: "1. e4 *\n\n %a\n" => ["1. e4 *", "text: %a"];
        line_comment_between: "1. e4 *\n\n; a\n\n1. d4 *" => ["1. e4 *", "text: ; a", "1. d4 *"];
        line_comments_behind: "1. e4 * ; a\n; b\n\n; c\n" => ["1. e4 * ; a\n; b", "text: ; c"];
        comment_behind: "1. e4 *\n{a\nb}\n\nRound two\n" => ["1. e4 *\n{a\nb}", "text: Round two"];
        comment_between_moves: "1. e4 {1-0}\n\ne5 *" => ["1. e4 {1-0}\n\ne5 *"];
        no_tags: "1. e4 e5 1-0\n\n1. d4 d5 0-1\n" => ["1. e4 e5 1-0", "1. d4 d5 0-1"];
        moves_without_numbers: "e4 e5\nNf3\n" => ["e4 e5\nNf3"];
        macintosh: "[Event \"A\"]\r\r1. e4 *\r\r[Event \"B\"]\r\r*\r" =>
            ["[Event \"A\"]\r\r1. e4 *", "[Event \"B\"]\r\r*"];
        broken_tag: "[Event \"A\"]\n[White \"Foo]\n[Black Bar]\n; note\n[Site \"x\"]\n\n1. e4 *" =>
            ["[Event \"A\"]\n[White \"Foo]\n[Black Bar]\n; note\n[Site \"x\"]\n\n1. e4 *"];
        words_behind_a_tag: "[Event \"A\"] lost words\n[Site \"x\"]\n*\n[Event \"B\"]\n*" =>
            ["[Event \"A\"] lost words\n[Site \"x\"]\n*", "[Event \"B\"]\n*"];
        moves_behind_a_tag: "[Event \"A\"] a4(b4$6)a6!?{x\n[Site \"x\"]}*\n" =>
            ["[Event \"A\"] a4(b4$6)a6!?{x\n[Site \"x\"]}*"];
        bracket_behind_a_tag: "[Event \"A\"]\n[White \"B\"]]\n[Black \"C\"]\n\n1. e4 e5 1-0\n" =>
            ["[Event \"A\"]\n[White \"B\"]]\n[Black \"C\"]\n\n1. e4 e5 1-0"];
        comment_behind_a_tag: "[White \"B\"] ; x\n[Black \"C\"] {y}\n{z}\n[Site \"D\"]\n\n*" =>
            ["[White \"B\"] ; x\n[Black \"C\"] {y}\n{z}\n[Site \"D\"]\n\n*"];
        numbers_behind_a_tag: "[White \"B\"] (2500)\n[Black \"C\"] 2500\n[Site \"D\"] Elo1500\n[Round \"1\"]\n*" =>
            ["[White \"B\"] (2500)\n[Black \"C\"] 2500\n[Site \"D\"] Elo1500\n[Round \"1\"]\n*"];
        comment_in_place_of_moves: "[White \"A\"]\n\n{x}\n[White \"B\"]\n\n*" =>
            ["[White \"A\"]\n\n{x}", "[White \"B\"]\n\n*"];
        words_within_a_tag: "[Event \"A\" {x]\n[Site \"x\"]\n*\n[Event \"B\"]\n*" =>
            ["[Event \"A\" {x]\n[Site \"x\"]\n*", "[Event \"B\"]\n*"];
        indented: "  [Event \"A\"]\n  1. e4 *\n\t[Event \"B\"]\n*" =>
            ["[Event \"A\"]\n  1. e4 *", "[Event \"B\"]\n*"];
        indented_with_other_spaces: "\u{a0}[Event \"A\"]\n\u{a0}1. e4 *\n\u{3000}\u{200b}[Event \"B\"]\n*" =>
            ["[Event \"A\"]\n\u{a0}1. e4 *", "\u{200b}[Event \"B\"]\n*"];
        results_in_other_forms: "1. e4 1 - 0\n\nA\n\n1. d4 ½:½\n\nB\n" =>
            ["1. e4 1 - 0", "text: A", "1. d4 ½:½", "text: B"];
        joined_files: "[Event \"A\"]\n\n1. e4 *\n\u{feff}[Event \"B\"]\n\n*" =>
            ["[Event \"A\"]\n\n1. e4 *", "\u{feff}[Event \"B\"]\n\n*"];
        byte_order_mark: "\u{feff}[Event \"A\"]\n\n*" => ["\u{feff}[Event \"A\"]\n\n*"];
        tags_and_moves_on_a_line: "[Event \"A\"] 1. e4 { [ \n[Event \"x\"]\n} *\n[Event \"B\"] *" =>
            ["[Event \"A\"] 1. e4 { [ \n[Event \"x\"]\n} *", "[Event \"B\"] *"];
        without_termination_markers: "1. e4 e5 2. Nf3\n\n1.d4 d5\n2. c4\n \n\n1. O-O *\n" =>
            ["1. e4 e5 2. Nf3", "1.d4 d5\n2. c4", "1. O-O *"];
        without_termination_markers_in_other_notations: "1. e2-e4\n\n1. P-K4 P-K4\n\n1. Sf3\n\n1. 5254\n\n1. ♘f3\n" =>
            ["1. e2-e4", "1. P-K4 P-K4", "1. Sf3", "1. 5254", "1. ♘f3"];
        without_a_termination_marker_behind_tags: "[Event \"A\"]\n\n1. e4 e5\n\n1. d4 d5\n\n[Event \"B\"]\n\n*" =>
            ["[Event \"A\"]\n\n1. e4 e5", "1. d4 d5", "[Event \"B\"]\n\n*"];
        prose_that_begins_with_a_move: "1. e4 e5\n\n1. d4 would be another way.\n\n3. Bb5 a6 *" =>
            ["1. e4 e5\n\n1. d4 would be another way.\n\n3. Bb5 a6 *"];
        first_move_of_the_same_paragraph: "1. e4 e5\n1. d4 d5\n" => ["1. e4 e5\n1. d4 d5"];
        blank_lines_before_moves: "[Event \"A\"]\n\n\n1. e4 e5\n\n2. Nf3 *" =>
            ["[Event \"A\"]\n\n\n1. e4 e5\n\n2. Nf3 *"];
        comments_and_words_before_moves: "[Event \"A\"]\n\n{x}\n\nA fine game\n\n1. e4 *" =>
            ["[Event \"A\"]\n\n{x}\n\nA fine game\n\n1. e4 *"];
        first_move_in_a_comment: "1. e4 {so\n\n1. d4 d5\n} e5 *" => ["1. e4 {so\n\n1. d4 d5\n} e5 *"];
        first_move_in_a_variation: "1. e4 (1. d4 {(}\n\n1. c4 c5\n) e5 *" => ["1. e4 (1. d4 {(}\n\n1. c4 c5\n) e5 *"];
        first_move_of_black: "1. e4\n\n1... e5\n\n1. ... c5 *" => ["1. e4\n\n1... e5\n\n1. ... c5 *"];
        prose_with_the_number_one: "1. e4 e5\n\n1. This opening\n\n1.5 points\n\n1. 1-0\n" =>
            ["1. e4 e5\n\n1. This opening\n\n1.5 points\n\n1. 1-0"];
        variation_ends_with_result: "[Event \"A\"]\n\n1. e4 (1. d4 1-0\n) e5\n*" =>
            ["[Event \"A\"]\n\n1. e4 (1. d4 1-0\n) e5\n*"];
    }
}
