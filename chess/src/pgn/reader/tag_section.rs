//! The tag section of a game, and any stray text in it.

use memchr::memchr;

use super::{Fault, Reader, Visitor, trim_end};
use crate::pgn::blank::{blank_length, line_length, trim_blanks, trim_line_blanks};
use crate::pgn::tag::{TagEnd, is_broken_tag, is_stray, split_tag};

impl<'t, const WORDS: bool> Reader<'t, WORDS> {
    /// Reads the tag section, with the comments and stray text in it.
    #[inline]
    pub(super) fn read_tag_section<V: Visitor<'t>>(&mut self, visitor: &mut V) {
        loop {
            let before = self.pos;
            self.skip_lines(visitor);

            // At the beginning of a game there is no tag section yet that could be damaged: any text is movetext.
            let is_behind_start = self.pos > 0;
            match self.peek() {
                Some(b'[') => self.read_tag(visitor),
                Some(b']') => self.pos += 1,
                Some(b';') => self.read_line_comment(visitor),
                Some(b'{') if is_behind_start && self.read_comments_among_tags(visitor) => {}
                Some(b'0'..=b'9' | b'{' | b'*') | None => return,
                Some(0x80..) if blank_length(self.rest()).is_some() => self.skip_blank(),
                Some(_) if is_behind_start && is_broken_tag(trim_end(self.rest_of_line())) => {
                    self.report_broken_tag(visitor)
                }
                Some(_) => return,
            }
            self.ensure_progress(before);
        }
    }

    /// Skips one non-ASCII space, if present.
    fn skip_blank(&mut self) {
        self.pos += blank_length(self.rest()).unwrap_or(0);
    }

    /// Reads a tag pair, or text that only begins like a tag pair.
    fn read_tag<V: Visitor<'t>>(&mut self, visitor: &mut V) {
        let at = self.pos;
        let Some(tag) = split_tag(self.rest()) else {
            return self.report_broken_tag(visitor);
        };

        self.pos += tag.length;
        visitor.tag(tag.name, tag.value, at);

        match tag.end {
            TagEnd::Bracket => self.read_text_after_tag(visitor),
            TagEnd::Missing => {
                let unclosed = trim_end(&self.text[at..self.pos]);
                visitor.fault(Fault::UnclosedTag, unclosed, at);
            }
            TagEnd::Text(tail) => {
                let (start, end) = (at + tail.start, at + tail.end);
                visitor.fault(Fault::InvalidTag, &self.text[start..end], start);
            }
        }
    }

    /// Reads text after a tag pair, on its line, that is neither another tag pair nor movetext.
    #[inline]
    fn read_text_after_tag<V: Visitor<'t>>(&mut self, visitor: &mut V) {
        while !matches!(self.peek(), Some(b'\n' | b'\r' | b'[') | None) {
            let before = self.pos;
            if !self.read_stray_text(visitor) {
                return;
            }
            self.ensure_progress(before);
        }
    }

    /// Reads stray text. Returns `true` if there was any.
    #[cold]
    fn read_stray_text<V: Visitor<'t>>(&mut self, visitor: &mut V) -> bool {
        let rest = trim_line_blanks(self.rest());
        let at = self.text.len() - rest.len();
        let line = &rest[..line_length(rest)];

        match line.first() {
            // Comments are read as comments, and a tag pair may follow a superfluous bracket.
            Some(b'[' | b'{' | b';') | None => return false,
            Some(b']') => {
                let brackets = line.iter().take_while(|&&byte| byte == b']').count();
                self.pos = at + brackets;
                visitor.fault(Fault::InvalidTag, &line[..brackets], at);
            }
            Some(_) if is_stray(line) => {
                self.pos = at;
                self.report_broken_tag(visitor);
            }
            Some(_) => return false,
        }
        true
    }

    /// Reads comments if a tag pair follows them; otherwise returns `false`.
    fn read_comments_among_tags<V: Visitor<'t>>(&mut self, visitor: &mut V) -> bool {
        let mut behind = self.rest();
        while let Some(comment) = behind.strip_prefix(b"{") {
            match memchr(b'}', &comment[..line_length(comment)]) {
                Some(end) => behind = trim_blanks(&comment[end + 1..]),
                None => return false,
            }
        }
        if split_tag(behind).is_none() {
            return false;
        }

        while self.peek() == Some(b'{') {
            self.pos += 1;
            self.read_brace_comment(visitor);
            self.pos = self.text.len() - trim_blanks(self.rest()).len();
        }

        true
    }

    /// Reports the rest of the line as text that is not a tag pair.
    fn report_broken_tag<V: Visitor<'t>>(&mut self, visitor: &mut V) {
        let at = self.pos;
        let line = trim_end(self.rest_of_line());
        self.pos += line.len();
        visitor.fault(Fault::InvalidTag, line, at);
    }
}
