//! Any bytes are split without gaps, and parsed into events in the order of the text.

use stamma::pgn::{
    Fault, Span, Termination, Token, Visitor, newline, read_game, read_words, split,
};

/// Checks any bytes.
///
/// # Panics
/// If the invariant is violated.
pub(crate) fn hold(bytes: &[u8]) {
    let spans: Vec<Span> = split(bytes).collect();
    assert_no_gaps(bytes, &spans);
    assert_cut_alike_from(bytes, &spans, spans.len() / 2);

    // All bytes as one game, and each game for itself.
    read(bytes);
    for span in &spans {
        if let Span::Game(range) = span {
            read(&bytes[range.clone()]);
        }
    }
}

fn assert_no_gaps(bytes: &[u8], spans: &[Span]) {
    let mut end = 0;
    for Span::Game(range) | Span::Text(range) in spans {
        assert_eq!(range.start, end, "a gap or an overlap");
        assert!(range.end > range.start, "an empty span at {end}");
        end = range.end;
    }
    assert_eq!(end, bytes.len(), "the spans end before the file does");
}

/// The rest of a file from a game or a text on is split as in the whole file.
fn assert_cut_alike_from(bytes: &[u8], spans: &[Span], number: usize) {
    let Some(Span::Game(range) | Span::Text(range)) = spans.get(number) else {
        return;
    };
    let start = range.start;
    let rest = &bytes[start..];
    // The line break of a file is found at its beginning, and may be another one in the rest.
    if newline(rest) != newline(bytes) {
        return;
    }

    let mut moved = Vec::new();
    for span in split(rest) {
        moved.push(match span {
            Span::Game(range) => Span::Game(range.start + start..range.end + start),
            Span::Text(range) => Span::Text(range.start + start..range.end + start),
        });
    }
    assert_eq!(moved, spans[number..], "cut otherwise from {start} on");
}

fn read(text: &[u8]) {
    let mut game_events = Events::of(text);
    read_game(text, &mut game_events);
    game_events.assert_complete();

    let mut word_events = Events::of(text);
    read_words(text, &mut word_events);
    word_events.assert_complete();
}

/// The events of a text so far.
struct Events<'t> {
    text: &'t [u8],
    last: usize,
    depth: usize,
    in_movetext: bool,
    is_over: bool,
}

impl<'t> Events<'t> {
    fn of(text: &'t [u8]) -> Events<'t> {
        Events {
            text,
            last: 0,
            depth: 0,
            in_movetext: false,
            is_over: false,
        }
    }

    fn assert_complete(&self) {
        assert!(
            self.in_movetext && self.depth == 0,
            "{} variations are open",
            self.depth
        );
    }

    fn event(&mut self, at: usize) {
        assert!(
            (self.last..=self.text.len()).contains(&at),
            "at {at} after {}",
            self.last
        );
        self.last = at;
    }

    fn event_of(&mut self, part: &[u8], at: usize) {
        self.event(at);
        assert!(
            self.text[at..].starts_with(part),
            "another text stands at {at}"
        );
    }

    fn event_of_movetext(&mut self, at: usize) {
        assert!(self.in_movetext && !self.is_over, "no movetext at {at}");
        self.event(at);
    }
}

impl<'t> Visitor<'t> for Events<'t> {
    fn tag(&mut self, _: &'t [u8], _: &'t [u8], at: usize) {
        assert!(!self.in_movetext, "a tag in the movetext at {at}");
        self.event_of(b"[", at);
    }

    fn movetext(&mut self, at: usize) {
        self.event(at);
        self.in_movetext = true;
    }

    fn move_text(&mut self, token: Token<'t>, at: usize) {
        self.event_of_movetext(at);
        self.event_of(token.text, at);
        assert!(!token.text.is_empty(), "an empty move text at {at}");
    }

    fn nag(&mut self, _: u8, at: usize) {
        self.event_of_movetext(at);
    }

    fn comment(&mut self, text: &'t [u8], at: usize) {
        // A comment in parentheses has them in its text; braces and a semicolon are left out.
        let begin = if self.text[at] == b'(' { at } else { at + 1 };
        self.event(at);
        assert!(
            self.text[begin..].starts_with(text),
            "another comment stands at {at}"
        );
    }

    fn begin_variation(&mut self, at: usize) {
        self.event_of_movetext(at);
        self.depth += 1;
    }

    fn end_variation(&mut self, at: usize) {
        self.event_of_movetext(at);
        assert!(self.depth > 0, "no variation ends at {at}");
        self.depth -= 1;
    }

    fn termination(&mut self, _: Termination, at: usize) {
        self.event_of_movetext(at);
        self.is_over = self.depth == 0;
    }

    fn trailing(&mut self, text: &'t [u8], at: usize) {
        assert!(self.is_over, "the game is not over at {at}");
        self.event_of(text, at);
    }

    fn fault(&mut self, _: Fault, text: &'t [u8], at: usize) {
        self.event_of(text, at);
    }
}
