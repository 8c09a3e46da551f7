//! A game in PGN's export format (PGN §8).
//!
//! The seven tags of the roster first, then the others as they came; movetext in lines of fewer than
//! 80 characters; `1.` before White's moves, `1...` before Black's only where something stands
//! between; suffixes as NAGs; the terminator that was found.

use std::io::{self, Write};

use crate::board::{Color, Setup};
use crate::replay::unbroken;
use crate::storage::StoredGame;

/// Lines of movetext have fewer characters (PGN §8.2.1).
const LINE_CHARACTERS: usize = 80;

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

/// Writes a game with a blank line after it.
///
/// # Errors
/// When `out` fails; `InvalidData` when the annotations are not as Stamma writes them.
pub fn write_pgn(game: &StoredGame, out: &mut impl Write) -> io::Result<()> {
    write_tags(game, out)?;
    let annotations = match &game.annotations {
        Some(json) => read_annotations(json)?,
        None => Vec::new(),
    };
    let mut movetext = Movetext::new(game, out);
    movetext.mainline(&game.moves, &annotations)?;
    match &game.rest {
        Some(rest) if game.is_played => movetext.comment(&unbroken(rest))?,
        Some(rest) => movetext.verbatim(rest)?,
        None => {}
    }
    movetext.word(terminator(game))?;
    movetext.out.write_all(b"\n\n")
}

/// What was found at the end of the game, or where nothing was, the result.
fn terminator(game: &StoredGame) -> &str {
    game.terminator.as_deref().filter(|found| !found.is_empty()).unwrap_or(&game.result)
}

fn write_tags(game: &StoredGame, out: &mut impl Write) -> io::Result<()> {
    for (name, unknown) in ROSTER {
        let missing = if name == "Result" { game.result.as_str() } else { unknown };
        write_tag(name, game.tag(name).unwrap_or(missing), out)?;
    }
    let mut roster: Vec<&str> = ROSTER.iter().map(|(name, _)| *name).collect();
    for (name, value) in &game.tags {
        match roster.iter().position(|first| first == name) {
            Some(written) => drop(roster.swap_remove(written)),
            None => write_tag(name, value, out)?,
        }
    }
    if let Some(fen) = &game.fen {
        if game.tag("SetUp").is_none() {
            write_tag("SetUp", "1", out)?;
        }
        if game.tag("FEN").is_none() {
            write_tag("FEN", fen, out)?;
        }
    }
    out.write_all(b"\n")
}

fn write_tag(name: &str, value: &str, out: &mut impl Write) -> io::Result<()> {
    write!(out, "[{name} \"")?;
    let mut rest = value;
    while let Some(at) = rest.find(['"', '\\', '\n', '\r']) {
        out.write_all(&rest.as_bytes()[..at])?;
        match rest.as_bytes()[at] {
            b'\n' | b'\r' => out.write_all(b" ")?,
            byte => out.write_all(&[b'\\', byte])?,
        }
        rest = &rest[at + 1..];
    }
    out.write_all(rest.as_bytes())?;
    out.write_all(b"\"]\n")
}

/// The annotations of a game by half-moves played, in their order.
type Annotations = Vec<(u32, Vec<String>)>;

fn read_annotations(json: &str) -> io::Result<Annotations> {
    let by_ply: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json)?;
    let mut annotations = Vec::with_capacity(by_ply.len());
    for (ply, texts) in by_ply {
        let ply = ply.parse().map_err(io::Error::other)?;
        annotations.push((ply, serde_json::from_value(texts)?));
    }
    annotations.sort_by_key(|(ply, _)| *ply);
    Ok(annotations)
}

/// Where a move stands: the number of its full move, and whose it is.
#[derive(Clone, Copy)]
struct MoveNumber {
    number: u32,
    turn: Color,
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

struct Movetext<'w, W> {
    out: &'w mut W,
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

impl<'w, W: Write> Movetext<'w, W> {
    fn new(game: &StoredGame, out: &'w mut W) -> Movetext<'w, W> {
        let here = MoveNumber::first(game.fen.as_deref());
        Movetext { out, column: 0, prefix: "", here, previous: here, interrupted: true }
    }

    fn mainline(&mut self, moves: &str, annotations: &Annotations) -> io::Result<()> {
        let mut annotations = annotations.iter().peekable();
        let mut moves = moves.split_ascii_whitespace();
        for ply in 0.. {
            while let Some((_, texts)) = annotations.next_if(|(at, _)| *at == ply) {
                self.annotations(texts)?;
            }
            let Some(san) = moves.next() else { break };
            self.san(san)?;
        }
        // Annotations past the last move cannot come from an import; they are not lost, either.
        annotations.try_for_each(|(_, texts)| self.annotations(texts))
    }

    fn annotations(&mut self, texts: &[String]) -> io::Result<()> {
        let mut around = Vec::new();
        for text in texts {
            match text.as_bytes().first() {
                Some(b'{') => self.comment(&text[1..])?,
                Some(b'$') => self.word(text)?,
                Some(b'(') => {
                    around.push((self.here, self.previous));
                    self.here = self.previous;
                    self.interrupted = true;
                    self.flush_prefix()?;
                    self.prefix = "(";
                }
                Some(b')') => {
                    if let Some(line) = around.pop() {
                        (self.here, self.previous) = line;
                    }
                    self.close_variation()?;
                }
                _ => self.san(text)?,
            }
        }
        Ok(())
    }

    /// An empty variation is written as `( )`.
    fn flush_prefix(&mut self) -> io::Result<()> {
        if self.prefix.is_empty() { Ok(()) } else { self.word("") }
    }

    /// The parenthesis stands right behind the last word, where there is room for it.
    fn close_variation(&mut self) -> io::Result<()> {
        self.flush_prefix()?;
        self.interrupted = true;
        if self.column > 0 && self.column + 1 < LINE_CHARACTERS {
            self.column += 1;
            self.out.write_all(b")")
        } else {
            self.word(")")
        }
    }

    fn san(&mut self, san: &str) -> io::Result<()> {
        let MoveNumber { number, turn } = self.here;
        if turn == Color::White {
            self.word(&format!("{number}."))?;
        } else if self.interrupted {
            self.word(&format!("{number}..."))?;
        }
        self.previous = self.here;
        self.here = self.here.next();
        self.interrupted = false;
        self.word(san)
    }

    /// A brace comment, broken over lines at its spaces; one that holds `}` goes to a line's end.
    fn comment(&mut self, text: &str) -> io::Result<()> {
        self.interrupted = true;
        self.flush_prefix()?;
        if text.contains('}') {
            return self.line_comment(text);
        }
        let braced = format!("{{{text}}}");
        comment_words(&braced).try_for_each(|word| self.word(word))
    }

    fn line_comment(&mut self, text: &str) -> io::Result<()> {
        let space = if self.column > 0 { " " } else { "" };
        self.column = 0;
        writeln!(self.out, "{space};{text}")
    }

    /// Movetext as it was found, with its lines.
    fn verbatim(&mut self, text: &str) -> io::Result<()> {
        self.column = 0;
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// A word, on this line where it fits, else on the next.
    fn word(&mut self, word: &str) -> io::Result<()> {
        let prefix = std::mem::take(&mut self.prefix);
        let length = prefix.len() + word.chars().count();
        if self.column > 0 && self.column + 1 + length < LINE_CHARACTERS {
            self.out.write_all(b" ")?;
            self.column += 1;
        } else if self.column > 0 {
            self.out.write_all(b"\n")?;
            self.column = 0;
        }
        self.column += length;
        self.out.write_all(prefix.as_bytes())?;
        self.out.write_all(word.as_bytes())
    }
}
