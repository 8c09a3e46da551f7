//! Writes a game of a Scid database as PGN.
//!
//! The bytes of a game are its extra tags, a byte of flags with the FEN of a start position, the moves with markers for
//! annotations among them, and the comments, each ending with a zero. The rest of the tags are in the index and in the
//! file of names.
//!
//! Moves are written as SAN without numbers and check marks, because the replay reads this form fastest. Reading moves
//! in coordinates takes twice as long. Damage is replaced by a word that is not a move and names the missing part, so
//! that the replay reports the damage.

use super::board::Board;
use super::names::{NameKind, Names};
use super::record::Record;

/// The words in the places of damage. The replay reports them as no moves.
const UNREADABLE_GAME: &[u8] = b"unreadable-game";
const UNREADABLE_TAGS: &[u8] = b"unreadable-tags";
const UNREADABLE_START: &[u8] = b"unreadable-start-position";
const UNREADABLE_MOVE: &[u8] = b"unreadable-move";
const UNREADABLE_COMMENTS: &[u8] = b"unreadable-comments";

/// Names of tags that have a number instead of a text.
const COMMON_TAGS: [&[u8]; 10] = [
    b"WhiteCountry",
    b"BlackCountry",
    b"Annotator",
    b"PlyCount",
    b"EventDate",
    b"Opening",
    b"Variation",
    b"Setup",
    b"Source",
    b"SetUp",
];
/// The maximum length of a tag's name; greater lengths are numbers of [`COMMON_TAGS`].
const MAX_TAG_BYTES: u8 = 240;
/// The number of an event date in an old form, which has three bytes and no length.
const OLD_EVENT_DATE: u8 = 255;
const OLD_EVENT_DATE_BYTES: u8 = 3;

/// The flag of a game with a start position other than the standard position.
const HAS_START: u8 = 1;

/// The markers among the moves: codes that no move of a king has.
const NAG: u8 = 11;
const COMMENT: u8 = 12;
const START_VARIATION: u8 = 13;
const END_VARIATION: u8 = 14;
const END_GAME: u8 = 15;

/// The maximum nesting of variations. The replay keeps deeper variations as text.
const MAX_DEPTH: usize = 2000;

/// Appends a game whose bytes may be missing.
pub(super) fn write_game(record: &Record, names: &Names, game: Option<&[u8]>, out: &mut Vec<u8>) {
    let Some(game) = game else {
        write_index_tags(record, names, &ExtraTags::default(), out);
        end_game(Some(UNREADABLE_GAME), record, out);
        return;
    };

    let mut reader = Bytes { rest: game };
    let extra = ExtraTags::read(&mut reader);
    write_index_tags(record, names, &extra, out);

    // The place of the start position is known only if all extra tags could be read.
    let start = if extra.is_whole {
        read_start(&mut reader)
    } else {
        None
    };
    let fen = match start {
        Some(StartPosition::Fen(fen)) => Some(fen),
        Some(StartPosition::Standard) | None => None,
    };
    extra.write(fen, out);

    let damage = match start {
        None if extra.is_whole => Some(UNREADABLE_START),
        None => Some(UNREADABLE_TAGS),
        Some(StartPosition::Standard) => write_movetext(Board::standard(), reader.rest, out),
        Some(StartPosition::Fen(fen)) => match Board::of_fen(fen) {
            Some(board) => write_movetext(board, reader.rest, out),
            None => Some(UNREADABLE_START),
        },
    };
    end_game(damage, record, out);
}

/// Ends a game with the word for its damage, its termination marker and a blank line.
fn end_game(damage: Option<&[u8]>, record: &Record, out: &mut Vec<u8>) {
    // A game without bytes ends behind its tags, without the blank line.
    if out.last() == Some(&b']') || out.ends_with(b"]\n") {
        out.push(b'\n');
    }
    if let Some(word) = damage {
        out.extend_from_slice(word);
        out.push(b' ');
    }
    out.extend_from_slice(record.result().as_bytes());
    out.extend_from_slice(b"\n\n");
}

/// Appends the tags that the index has, in the order in which Scid writes them. Outside of the seven tag roster, the
/// extra tags of a game have precedence.
fn write_index_tags(record: &Record, names: &Names, extra: &ExtraTags<'_>, out: &mut Vec<u8>) {
    let unreadable_tags = write_roster(record, names, out);
    write_optional_tags(record, extra, out);
    // A line that is no tag pair is reported, and kept as text.
    for tag in unreadable_tags {
        out.extend_from_slice(format!("[{tag} unreadable]\n").as_bytes());
    }
}

/// Appends the seven tag roster; returns the tags whose names cannot be read.
fn write_roster(record: &Record, names: &Names, out: &mut Vec<u8>) -> Vec<&'static str> {
    let mut unreadable_tags = Vec::new();
    let mut write_name = |tag: &'static str, kind, number, out: &mut Vec<u8>| {
        let name = names.get(kind, number);
        if name.is_none() {
            unreadable_tags.push(tag);
        }
        // Scid stores an empty name for a tag that a game does not have (PGN §8.1.1 writes that as a question mark).
        let known = name.filter(|name| !name.is_empty());
        write_tag(tag.as_bytes(), known.unwrap_or(b"?"), out);
    };

    write_name("Event", NameKind::Event, record.event, out);
    write_name("Site", NameKind::Site, record.site, out);
    write_tag(b"Date", record.date.to_pgn().as_bytes(), out);
    write_name("Round", NameKind::Round, record.round, out);
    write_name("White", NameKind::Player, record.white, out);
    write_name("Black", NameKind::Player, record.black, out);
    write_tag(b"Result", record.result().as_bytes(), out);
    unreadable_tags
}

/// Appends the tags of the index that not every game has.
fn write_optional_tags(record: &Record, extra: &ExtraTags<'_>, out: &mut Vec<u8>) {
    let mut write_unless_extra = |tag: &[u8], value: &[u8]| {
        if !extra.has(tag) {
            write_tag(tag, value, out);
        }
    };
    for (color, rating) in [
        ("White", record.white_rating),
        ("Black", record.black_rating),
    ] {
        if rating.points > 0 {
            let tag = format!("{color}{}", rating.kind());
            let points = rating.points.to_string();
            write_unless_extra(tag.as_bytes(), points.as_bytes());
        }
    }

    if let Some(eco) = record.eco() {
        write_unless_extra(b"ECO", eco.as_bytes());
    }
    if !record.event_date.is_unknown() {
        write_unless_extra(b"EventDate", record.event_date.to_pgn().as_bytes());
    }

    let flags: Vec<u8> = record.flags().collect();
    if !flags.is_empty() {
        write_unless_extra(b"ScidFlags", &flags);
    }
    if record.is_chess960 {
        write_unless_extra(b"Variant", b"Chess960");
    }
}

/// The tags of a game that are not in the index.
#[derive(Default)]
struct ExtraTags<'g> {
    pairs: Vec<(&'g [u8], &'g [u8])>,
    is_whole: bool,
}

impl<'g> ExtraTags<'g> {
    /// Reads the tags up to their end, or to damage.
    fn read(reader: &mut Bytes<'g>) -> ExtraTags<'g> {
        let mut pairs = Vec::new();
        let is_whole = ExtraTags::read_pairs(reader, &mut pairs).is_some();
        ExtraTags { pairs, is_whole }
    }

    /// Reads tag pairs up to their end; `None` at damage. The pairs before the damage are in `pairs`.
    fn read_pairs(reader: &mut Bytes<'g>, pairs: &mut Vec<(&'g [u8], &'g [u8])>) -> Option<()> {
        loop {
            let length = reader.byte()?;
            if length == 0 {
                return Some(());
            }

            let name = if length <= MAX_TAG_BYTES {
                Some(reader.take(usize::from(length))?)
            } else {
                let number = usize::from(length - MAX_TAG_BYTES - 1);
                COMMON_TAGS.get(number).copied()
            };
            let value_bytes = if length == OLD_EVENT_DATE {
                OLD_EVENT_DATE_BYTES
            } else {
                reader.byte()?
            };
            let value = reader.take(usize::from(value_bytes))?;

            // Tags whose number is unknown have no name.
            if let Some(name) = name {
                pairs.push((name, value));
            }
        }
    }

    fn has(&self, tag: &[u8]) -> bool {
        self.pairs.iter().any(|(name, _)| *name == tag)
    }

    /// Appends the extra tags, and the tags of a start position, whose FEN overrides an extra tag `FEN`.
    fn write(&self, fen: Option<&[u8]>, out: &mut Vec<u8>) {
        for (name, value) in &self.pairs {
            if fen.is_none() || *name != b"FEN" {
                write_tag(name, value, out);
            }
        }

        if let Some(fen) = fen {
            if !self.has(b"SetUp") {
                write_tag(b"SetUp", b"1", out);
            }
            write_tag(b"FEN", fen, out);
        }
        out.push(b'\n');
    }
}

/// Appends a tag pair on a line: a name without the characters that end names, and a value with escapes (PGN §7).
fn write_tag(name: &[u8], value: &[u8], out: &mut Vec<u8>) {
    out.push(b'[');
    for &byte in name {
        let is_of_names = !byte.is_ascii() || byte.is_ascii_alphanumeric() || byte == b'_';
        out.push(if is_of_names { byte } else { b'_' });
    }

    out.extend_from_slice(b" \"");
    for &byte in value {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' | b'\r' | 0 => out.push(b' '),
            _ => out.push(byte),
        }
    }
    out.extend_from_slice(b"\"]\n");
}

/// The start position of a game.
#[derive(Clone, Copy)]
enum StartPosition<'g> {
    Standard,
    Fen(&'g [u8]),
}

/// Reads the start position; `None` if it cannot be read.
fn read_start<'g>(reader: &mut Bytes<'g>) -> Option<StartPosition<'g>> {
    let flags = reader.byte()?;
    if flags & HAS_START == 0 {
        return Some(StartPosition::Standard);
    }
    reader.text().map(StartPosition::Fen)
}

/// Appends moves and annotations. Returns the word for damage that is written at the end of the game; `None` if
/// everything could be read, or if the word stands where the moves become unreadable.
fn write_movetext(board: Board, game: &[u8], out: &mut Vec<u8>) -> Option<&'static [u8]> {
    let moves = Moves::find(game);
    let mut writer = MovetextWriter {
        out,
        board,
        before: None,
        outer: Vec::new(),
        comments: Bytes { rest: moves.behind },
        marks_left: moves.comments,
        may_have_comment: true,
        lacks_comments: false,
    };
    let is_unreadable = writer.write(moves.bytes).is_err();

    let depth = writer.outer.len();
    let lacks_comments = writer.lacks_comments;
    if is_unreadable {
        out.extend_from_slice(UNREADABLE_MOVE);
        out.push(b' ');
    }

    // Open variations are closed, so that the termination marker stands outside of them.
    out.extend_from_slice(&b") ".repeat(depth));

    let is_cut_short = !moves.is_whole || depth > 0;
    if is_unreadable {
        None
    } else if is_cut_short {
        Some(UNREADABLE_MOVE)
    } else if lacks_comments {
        Some(UNREADABLE_COMMENTS)
    } else {
        None
    }
}

/// The bytes of moves, and the bytes of comments behind them.
struct Moves<'g> {
    bytes: &'g [u8],
    /// The number of markers of comments.
    comments: usize,
    behind: &'g [u8],
    is_whole: bool,
}

impl<'g> Moves<'g> {
    /// Finds the end of the moves. The second byte of a queen's move is never equal to a marker.
    fn find(game: &'g [u8]) -> Moves<'g> {
        let mut comments = 0;
        let mut at = 0;
        while let Some(&byte) = game.get(at) {
            match byte {
                NAG => at += 1,
                COMMENT => comments += 1,
                END_GAME => {
                    return Moves {
                        bytes: &game[..at],
                        comments,
                        behind: &game[at + 1..],
                        is_whole: true,
                    };
                }
                _ => {}
            }

            at += 1;
        }
        Moves {
            bytes: game,
            comments,
            behind: &[],
            is_whole: false,
        }
    }
}

/// A move or a variation that cannot be read.
struct Damage;

struct MovetextWriter<'o, 'g> {
    out: &'o mut Vec<u8>,
    board: Board,
    /// The position before the last move, where its variations begin.
    before: Option<Board>,
    /// The positions of the lines around a variation: after their last move, and before it.
    outer: Vec<(Board, Option<Board>)>,
    comments: Bytes<'g>,
    /// The number of comment markers that are still to come. Scid 5 may omit markers at the end: the comments behind
    /// the last marked comment belong to the following places, one by one.
    marks_left: usize,
    /// `true` behind a move and at the beginning of a line, until a comment.
    may_have_comment: bool,
    lacks_comments: bool,
}

impl MovetextWriter<'_, '_> {
    fn write(&mut self, moves: &[u8]) -> Result<(), Damage> {
        let mut rest = moves;
        while let [byte, behind @ ..] = rest {
            rest = behind;
            match *byte {
                NAG => {
                    let (nag, behind) = rest.split_first().ok_or(Damage)?;
                    rest = behind;
                    self.out.extend_from_slice(format!("${nag} ").as_bytes());
                }
                COMMENT => {
                    // `Moves::find` has counted this marker.
                    self.marks_left -= 1;
                    self.marked_comment();
                }
                START_VARIATION => {
                    self.unmarked_comment();
                    self.start_variation()?;
                }
                END_VARIATION => {
                    self.unmarked_comment();
                    (self.board, self.before) = self.outer.pop().ok_or(Damage)?;
                    self.may_have_comment = false;
                    self.out.extend_from_slice(b") ");
                }
                byte => {
                    self.unmarked_comment();
                    let before = self.board.clone();
                    let second = rest.first().copied();
                    let uses_second = self
                        .board
                        .play(byte, second, self.out)
                        .map_err(|_| Damage)?;
                    rest = &rest[usize::from(uses_second)..];

                    self.before = Some(before);
                    self.may_have_comment = true;
                    self.out.push(b' ');
                }
            }
        }
        self.unmarked_comment();
        Ok(())
    }

    /// Starts a variation of the last move.
    fn start_variation(&mut self) -> Result<(), Damage> {
        let before = self.before.take().ok_or(Damage)?;
        if self.outer.len() >= MAX_DEPTH {
            return Err(Damage);
        }

        let after = std::mem::replace(&mut self.board, before.clone());
        self.outer.push((after, Some(before)));
        self.may_have_comment = true;
        self.out.extend_from_slice(b"( ");
        Ok(())
    }

    /// Writes the comment of a marker.
    fn marked_comment(&mut self) {
        self.may_have_comment = false;
        match self.comments.text() {
            Some(comment) => write_comment(comment, self.out),
            None => self.lacks_comments = true,
        }
    }

    /// Writes the comment of a place without a marker, if all markers have had their comments.
    fn unmarked_comment(&mut self) {
        let is_next = self.may_have_comment && self.marks_left == 0;
        self.may_have_comment = false;
        if is_next && let Some(comment) = self.comments.text() {
            write_comment(comment, self.out);
        }
    }
}

/// Appends a comment on one line: in braces, or as a comment to the end of the line if it contains a brace (PGN §5).
fn write_comment(comment: &[u8], out: &mut Vec<u8>) {
    if comment.is_empty() {
        return;
    }

    let has_brace = comment.contains(&b'}');
    let (before, behind): (&[u8], &[u8]) = if has_brace {
        (b";", b"\n")
    } else {
        (b"{", b"} ")
    };
    out.extend_from_slice(before);
    let line = comment.iter().map(|&byte| match byte {
        b'\n' | b'\r' => b' ',
        _ => byte,
    });
    out.extend(line);
    out.extend_from_slice(behind);
}

/// Bytes that are read from the front.
struct Bytes<'g> {
    rest: &'g [u8],
}

impl<'g> Bytes<'g> {
    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }

    /// The next bytes; `None` if fewer are left.
    fn take(&mut self, bytes: usize) -> Option<&'g [u8]> {
        let (front, rest) = self.rest.split_at_checked(bytes)?;
        self.rest = rest;
        Some(front)
    }

    /// The bytes before the next zero.
    fn text(&mut self) -> Option<&'g [u8]> {
        let end = memchr::memchr(0, self.rest)?;
        let text = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The movetext of a game without tags and start position, with its moves and what is behind them.
    fn movetext(moves: &[u8]) -> String {
        let mut out = Vec::new();
        let game = [&[0, 0][..], moves].concat();
        write_game(&Record::default(), &Names::default(), Some(&game), &mut out);
        let text = String::from_utf8(out).expect("ASCII");
        let (_, movetext) = text.split_once("\n\n").expect("movetext");
        movetext.trim_end().to_owned()
    }

    const E4: u8 = 0xcf;
    const E5: u8 = 0xcf;
    const D5: u8 = 0xbf;

    macro_rules! writes {
        ($($name:ident: $moves:expr => $text:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(movetext($moves), $text);
            }
        )*};
    }

    writes! {
        moves: &[E4, E5, END_GAME] => "e4 e5 *";
        no_moves: &[END_GAME] => "*";
        nags: &[E4, NAG, 1, NAG, 15, END_GAME] => "e4 $1 $15 *";
        a_variation: &[E4, E5, START_VARIATION, D5, END_VARIATION, END_GAME] => "e4 e5 ( d5 ) *";
        nested: &[E4, START_VARIATION, 0xbf, START_VARIATION, 0x67, END_VARIATION, 0xbf, END_VARIATION, E5, END_GAME]
            => "e4 ( d4 ( Nf3 ) d5 ) e5 *";
        two_variations: &[E4, START_VARIATION, 0xbf, END_VARIATION, START_VARIATION, 0x67, END_VARIATION, E5, END_GAME]
            => "e4 ( d4 ) ( Nf3 ) e5 *";
        comments: b"\x0c\xcf\x0c\xcf\x0fbefore\0good\0" => "{before} e4 {good} e5 *";
        comments_of_variations: b"\xcf\xcf\x0d\x0c\xbf\x0c\x0e\x0fbetter\0is\0" => "e4 e5 ( {better} d5 {is} ) *";
        comments_without_marks: b"\xcf\x0c\xcf\xbf\x0fone\0two\0\0" => "e4 {one} e5 {two} d4 *";
        all_comments_without_marks: b"\xcf\xcf\x0f\0one\0two\0" => "e4 {one} e5 {two} *";
        a_comment_with_a_brace: b"\xcf\x0c\xcf\x0fa } b\0" => "e4 ;a } b\ne5 *";
        a_comment_of_lines: b"\xcf\x0c\x0fa\n[Event \"b\"]\0" => "e4 {a [Event \"b\"]} *";
        a_comment_is_missing: b"\xcf\x0c\xcf\x0fcut" => "e4 e5 unreadable-comments *";
        no_end: &[E4, E5] => "e4 e5 unreadable-move *";
        no_move: &[E4, 0x71, E5, END_GAME] => "e4 unreadable-move *";
        a_variation_before_any_move: &[START_VARIATION, E4, END_VARIATION, END_GAME] => "unreadable-move *";
        no_variation_to_end: &[E4, END_VARIATION, END_GAME] => "e4 unreadable-move *";
        an_open_variation: &[E4, START_VARIATION, 0xbf, END_GAME] => "e4 ( d4 ) unreadable-move *";
        damage_in_a_variation: &[E4, START_VARIATION, 0xfa, END_VARIATION, END_GAME] => "e4 ( unreadable-move ) *";
        no_nag: &[E4, NAG] => "e4 unreadable-move *";
        deep: &[&[E4][..], &[START_VARIATION].repeat(3), &[END_GAME]].concat() => "e4 ( unreadable-move ) *";
    }

    /// The tags of a game with these bytes.
    fn tags(game: &[u8]) -> String {
        let mut out = Vec::new();
        ExtraTags::read(&mut Bytes { rest: game }).write(None, &mut out);
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn extra_tags() {
        let named = b"\x05Board\x013\0";
        assert_eq!(tags(named), "[Board \"3\"]\n\n");

        let with_number_and_escapes = b"\xf3\x06\"A\\B\"\n\0";
        assert_eq!(
            tags(with_number_and_escapes),
            "[Annotator \"\\\"A\\\\B\\\" \"]\n\n"
        );

        let before_unknown_numbers = b"\x03a b\x01c\xff123\xfb\x01x\0";
        assert_eq!(tags(before_unknown_numbers), "[a_b \"c\"]\n\n");

        let before_damage = b"\x05Board\x013\x09Bo";
        assert_eq!(tags(before_damage), "[Board \"3\"]\n\n");
    }

    #[test]
    fn extra_tags_have_precedence_over_the_index() {
        let mut out = Vec::new();
        let record = Record {
            is_chess960: true,
            ..Record::default()
        };
        let game = b"\x07Variant\x0efischerandom  \0\0\x0f";

        write_game(&record, &Names::default(), Some(game), &mut out);

        let text = String::from_utf8(out).expect("ASCII");
        assert_eq!(text.matches("[Variant ").count(), 1, "{text}");
        assert!(text.contains("[Variant \"fischerandom  \"]"), "{text}");
    }

    #[test]
    fn a_start_position_has_its_tags() {
        let mut out = Vec::new();
        let game = b"\0\x014k3/8/8/8/8/8/8/4K2R w K - 0 1\0\x0a\x0f";

        write_game(&Record::default(), &Names::default(), Some(game), &mut out);

        let text = String::from_utf8(out).expect("ASCII");
        let end = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\nO-O *\n\n";
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn a_game_whose_bytes_are_missing_keeps_its_tags() {
        let mut out = Vec::new();

        write_game(&Record::default(), &Names::default(), None, &mut out);

        let text = String::from_utf8(out).expect("ASCII");
        assert!(text.starts_with("[Event \"?\"]\n"), "{text}");
        assert!(text.contains("\n[Event unreadable]\n"), "{text}");
        assert!(text.ends_with("]\n\nunreadable-game *\n\n"), "{text}");
    }
}
