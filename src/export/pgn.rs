//! A game in PGN's export format (PGN §8).
//!
//! The seven tags of the roster first, then the others as they came; movetext in lines of fewer than
//! 80 characters; `1.` before White's moves, `1...` before Black's only where something stands
//! between; suffixes as NAGs; the terminator that was found.

use super::annotations::{Annotations, At};
use super::game::PgnGame;
use super::moves::{MoveTexts, Unwritable};
use super::plain;
use crate::board::{Color, Setup};
use crate::notation::Style;
use crate::pgn::closing;
use crate::replay::{unbroken, utf8};

/// Lines of movetext have fewer characters (PGN §8.2.1).
pub(super) const LINE_CHARACTERS: usize = 80;

/// The seven tag roster and what stands for an unknown value (PGN §8.1.1).
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Appends a game with a blank line after it, its moves in the style that is asked for.
///
/// # Errors
/// When the game is not as Stamma says it: its annotations, or in another notation its moves.
pub fn write_pgn(
    game: &PgnGame<'_>,
    style: &Style<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Unwritable> {
    write_tags(game, out);
    let annotations = Annotations::read(game.annotations)?;
    let mut movetext = Movetext::new(game, style, out)?;
    if !annotations.0.is_empty() || !movetext.write_plain(game) {
        movetext.mainline(game.moves, &annotations.0)?;
    }
    match game.rest {
        Some(rest) if game.is_played => movetext.comment(&unbroken(rest)),
        Some(rest) => movetext.verbatim(&(rest.to_owned() + &closing(rest.as_bytes()))),
        None => {}
    }
    movetext.word(terminator(game));
    movetext.out.extend_from_slice(b"\n\n");
    Ok(())
}

/// What was found at the end of the game, or where nothing was, the result.
fn terminator<'g>(game: &PgnGame<'g>) -> &'g str {
    game.terminator.filter(|found| !found.is_empty()).unwrap_or(game.result)
}

fn write_tags(game: &PgnGame<'_>, out: &mut Vec<u8>) {
    // Nearly all games have the roster first and in order.
    let leading = game.tags.iter().zip(ROSTER).take_while(|(tag, first)| tag.0 == first.0).count();
    for (name, value) in &game.tags[..leading] {
        write_tag(name, value, out);
    }
    for (name, unknown) in &ROSTER[leading..] {
        let missing = if *name == "Result" { game.result } else { unknown };
        write_tag(name, game.tag(name).unwrap_or(missing), out);
    }
    let mut roster: Vec<&str> = ROSTER[leading..].iter().map(|(name, _)| *name).collect();
    for (name, value) in &game.tags[leading..] {
        match roster.iter().position(|first| first == name) {
            Some(written) => drop(roster.swap_remove(written)),
            None => write_tag(name, value, out),
        }
    }
    if let Some(fen) = &game.fen {
        if game.tag("SetUp").is_none() {
            write_tag("SetUp", "1", out);
        }
        if game.tag("FEN").is_none() {
            write_tag("FEN", fen, out);
        }
    }
    out.push(b'\n');
}

fn write_tag(name: &str, value: &str, out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    let mut rest = value;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r'))
    {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        match rest.as_bytes()[at] {
            b'\n' | b'\r' => out.push(b' '),
            byte => out.extend_from_slice(&[b'\\', byte]),
        }
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest.as_bytes());
    out.extend_from_slice(b"\"]\n");
}

/// Where a move stands: the number of its full move, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveNumber {
    pub(super) number: u32,
    pub(super) turn: Color,
}

impl MoveNumber {
    fn first(fen: Option<&str>) -> MoveNumber {
        let setup = fen.and_then(|fen| Setup::from_fen(fen).ok()).unwrap_or(Setup::EMPTY);
        MoveNumber { number: setup.fullmove_number.max(1), turn: setup.turn }
    }

    fn next(self) -> MoveNumber {
        let number = self.number.saturating_add(u32::from(self.turn == Color::Black));
        MoveNumber { number, turn: !self.turn }
    }
}

/// The parts of a comment between which a line may end: a single space stands there, which a reader
/// makes of the line's end again, and what follows is nothing that means more at a line's beginning.
fn comment_words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let bytes = text.as_bytes();
        let is_break = |&at: &usize| {
            at > 0
                && bytes[at] == b' '
                && bytes[at - 1] != b' '
                && bytes.get(at + 1).is_some_and(|next| !b" [%}".contains(next))
        };
        let at = (0..bytes.len()).find(is_break);
        rest = at.map(|at| &text[at + 1..]);
        Some(&text[..at.unwrap_or(text.len())])
    })
}

struct Movetext<'w, 'l> {
    out: &'w mut Vec<u8>,
    moves: MoveTexts<'l>,
    /// Characters on the line so far.
    column: usize,
    /// Glued to the next word, without a space: `(`.
    prefix: &'static str,
    here: MoveNumber,
    /// The number of the last move of the line, or of its first, when there is none yet.
    previous: MoveNumber,
    /// Whether a move of Black needs its number, since something stands before it.
    interrupted: bool,
}

impl<'w, 'l> Movetext<'w, 'l> {
    fn new(
        game: &PgnGame<'_>,
        style: &Style<'l>,
        out: &'w mut Vec<u8>,
    ) -> Result<Movetext<'w, 'l>, Unwritable> {
        let here = MoveNumber::first(game.fen.as_deref());
        // A game that is not played has no moves, and perhaps a start that cannot be set up.
        let fen = game.fen.as_deref().filter(|_| game.is_played);
        let moves = MoveTexts::new(style, fen, game.annotations.is_some())?;
        Ok(Movetext { out, moves, column: 0, prefix: "", here, previous: here, interrupted: true })
    }

    /// Writes a mainline without annotations, if no position must be looked at.
    fn write_plain(&mut self, game: &PgnGame<'_>) -> bool {
        let style = self.moves.style();
        if style.is_canonical() {
            self.column = plain::write(game.moves, self.here, self.out);
            return true;
        }
        let is_known = style.needs_no_board() && !game.played.is_empty();
        if is_known {
            let played = game.played.iter().copied();
            self.column = plain::rewrite(game.moves, played, style, self.here, self.out);
        }
        is_known
    }

    fn mainline(&mut self, moves: &str, annotations: &[At<'_>]) -> Result<(), Unwritable> {
        let mut annotations = annotations.iter().peekable();
        let mut moves = moves.split_ascii_whitespace();
        for ply in 0.. {
            while let Some(at) = annotations.next_if(|at| at.ply == ply) {
                self.annotations(at)?;
            }
            let Some(san) = moves.next() else { break };
            self.san(san)?;
        }
        // Annotations past the last move cannot come from an import; they are not lost, either.
        annotations.try_for_each(|at| self.annotations(at))
    }

    fn annotations(&mut self, at: &At<'_>) -> Result<(), Unwritable> {
        let mut around = Vec::new();
        for text in &at.texts {
            match text.as_bytes().first() {
                Some(b'{') => self.comment(&text[1..]),
                Some(b'$') => self.word(text),
                Some(b'%') => self.escaped_line(text),
                Some(b'(') => {
                    around.push((self.here, self.previous));
                    self.here = self.previous;
                    self.open_variation();
                }
                Some(b')') => {
                    if let Some(line) = around.pop() {
                        (self.here, self.previous) = line;
                        self.moves.end_variation();
                    }
                    self.close_variation();
                }
                _ => self.san(text)?,
            }
        }
        // An import closes all of them.
        around.iter().for_each(|_| self.moves.end_variation());
        Ok(())
    }

    fn open_variation(&mut self) {
        self.moves.begin_variation();
        self.interrupted = true;
        self.flush_prefix();
        self.prefix = "(";
    }

    /// An empty variation is written as `( )`.
    fn flush_prefix(&mut self) {
        if !self.prefix.is_empty() {
            self.word("");
        }
    }

    /// The parenthesis stands right behind the last word, where there is room for it.
    fn close_variation(&mut self) {
        self.flush_prefix();
        self.interrupted = true;
        if self.column > 0 && self.column + 1 < LINE_CHARACTERS {
            self.column += 1;
            self.out.push(b')');
        } else {
            self.word(")");
        }
    }

    #[inline]
    fn san(&mut self, san: &str) -> Result<(), Unwritable> {
        let MoveNumber { number, turn } = self.here;
        if turn == Color::White {
            self.number(number, ".");
        } else if self.interrupted {
            self.number(number, "...");
        }
        self.previous = self.here;
        self.here = self.here.next();
        self.interrupted = false;
        let text = self.moves.next(san)?;
        let mut line = Line { out: self.out, column: &mut self.column, prefix: &mut self.prefix };
        match text.strip_suffix(" e.p.") {
            Some(text) => {
                line.word(text);
                line.word("e.p.");
            }
            None => line.word(text),
        }
        Ok(())
    }

    /// The number of a move and its dots.
    fn number(&mut self, number: u32, dots: &str) {
        let mut text = [0; 16];
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
        self.word(utf8(&text[start..]));
    }

    /// A brace comment, broken over lines at its spaces; one that holds `}` goes to a line's end.
    fn comment(&mut self, text: &str) {
        self.interrupted = true;
        self.flush_prefix();
        if text.contains('}') {
            return self.line_comment(text);
        }
        let braced = format!("{{{text}}}");
        comment_words(&braced).for_each(|word| self.word(word));
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

    /// A line that begins with `%`.
    fn escaped_line(&mut self, text: &str) {
        self.flush_prefix();
        self.verbatim(&unbroken(text));
    }

    /// Movetext as it was found, with its lines.
    fn verbatim(&mut self, text: &str) {
        if self.column > 0 {
            self.out.push(b'\n');
        }
        self.column = 0;
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
    }

    fn word(&mut self, word: &str) {
        Line { out: self.out, column: &mut self.column, prefix: &mut self.prefix }.word(word);
    }
}

/// The line that is being written.
struct Line<'m> {
    out: &'m mut Vec<u8>,
    column: &'m mut usize,
    prefix: &'m mut &'static str,
}

impl Line<'_> {
    /// A word, on this line where it fits, else on the next.
    #[inline]
    fn word(&mut self, word: &str) {
        let prefix = std::mem::take(self.prefix);
        let length = prefix.len() + characters(word);
        if *self.column > 0 && *self.column + 1 + length < LINE_CHARACTERS {
            self.out.push(b' ');
            *self.column += 1;
        } else if *self.column > 0 {
            self.out.push(b'\n');
            *self.column = 0;
        }
        *self.column += length;
        self.out.extend_from_slice(prefix.as_bytes());
        self.out.extend_from_slice(word.as_bytes());
    }
}

/// How many characters a word has; moves in English are ASCII.
fn characters(word: &str) -> usize {
    if word.is_ascii() { word.len() } else { word.chars().count() }
}
