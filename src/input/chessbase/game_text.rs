//! Writes a game of a ChessBase database as PGN.
//!
//! Damage is replaced by a word that is not a move and names the missing part, so that the replay reports the damage.

use cbvault_chess::decode::{GameRef, start_as_played, walk_from};
use cbvault_chess::start::{Start, start_board};
use cbvault_format::cbh::{GameAnnotations, GameHeader, GameMoves};
use cbvault_format::game::{Date, GameResult};
use encoding_rs::Encoding;
use std::path::Path;

use super::annotations::Notes;
use super::text::append_name;
use super::tree::{NONE, Tree};

/// The file that the library's errors name. These errors are not shown.
const NO_FILE: &str = "";

/// The words in the places of damage. The replay reports them as no moves.
pub(super) const UNREADABLE_GAME: &[u8] = b"unreadable-game";
const UNREADABLE_START: &[u8] = b"unreadable-start-position";
const UNREADABLE_MOVE: &[u8] = b"unreadable-move";
const UNREADABLE_COMMENTS: &[u8] = b"unreadable-comments";

/// The names that a game refers to; `None` for a name that cannot be read.
#[derive(Debug, Default)]
pub(super) struct GameNames {
    pub(super) event: Option<Vec<u8>>,
    pub(super) site: Option<Vec<u8>>,
    pub(super) event_date: Option<Date>,
    pub(super) white: Option<Vec<u8>>,
    pub(super) black: Option<Vec<u8>>,
    pub(super) annotator: Option<Vec<u8>>,
    pub(super) source: Option<Vec<u8>>,
    pub(super) white_team: Option<Vec<u8>>,
    pub(super) black_team: Option<Vec<u8>>,
}

/// The bytes of a game.
#[derive(Debug)]
pub(super) struct GameBytes<'b> {
    /// The record of moves; `None` if it is missing.
    pub(super) moves: Option<&'b [u8]>,
    pub(super) annotations: StoredAnnotations<'b>,
}

/// The bytes of annotations.
#[derive(Debug)]
pub(super) enum StoredAnnotations<'b> {
    /// The game has none.
    None,
    /// The bytes are missing or of an impossible size.
    Unreadable,
    Bytes(&'b [u8]),
}

/// Appends a game.
pub(super) fn write_game(
    header: &GameHeader,
    names: &GameNames,
    encoding: &'static Encoding,
    bytes: &GameBytes<'_>,
    tree: &mut Tree,
    out: &mut Vec<u8>,
) {
    write_tags(header, names, encoding, out);

    let parsed = bytes
        .moves
        .and_then(|moves| GameMoves::parse(Path::new(NO_FILE), moves).ok());
    let Some(game) = parsed else {
        out.push(b'\n');
        return end_game(Some(UNREADABLE_GAME), header, out);
    };

    let reference = GameRef::new(header.id());
    let start = start_as_played(reference, &game);
    let board = start
        .as_ref()
        .ok()
        .and_then(|start| start_board(start).ok());
    let (Ok(start), Some(board)) = (start, board) else {
        out.push(b'\n');
        return end_game(Some(UNREADABLE_START), header, out);
    };

    if start != Start::Standard {
        write_start(&start, &board.to_fen(), out);
    }
    out.push(b'\n');

    tree.clear();
    let are_moves_whole = walk_from(reference, &game, &start, tree).is_ok();
    let notes = read_notes(&bytes.annotations);
    write_movetext(tree, &notes, out);

    let damage = if !are_moves_whole {
        Some(UNREADABLE_MOVE)
    } else if !notes.is_whole() {
        Some(UNREADABLE_COMMENTS)
    } else {
        None
    };
    end_game(damage, header, out);
}

/// The annotations of a game up to the first damaged one.
fn read_notes<'b>(annotations: &StoredAnnotations<'b>) -> Notes<'b> {
    let record = match *annotations {
        StoredAnnotations::None => return Notes::none(),
        StoredAnnotations::Unreadable => return Notes::unreadable(),
        StoredAnnotations::Bytes(record) => record,
    };

    // The library compares the number in a record with the number of the game. Packing a database changes the numbers
    // of games but not of records, so the record is parsed with its own number.
    let own_number = match record {
        [a, b, c, ..] => u32::from_be_bytes([0, *a, *b, *c]),
        _ => 0,
    };
    match GameAnnotations::parse(Path::new(NO_FILE), record, own_number) {
        Ok(annotations) => Notes::read(&annotations),
        Err(_) => Notes::unreadable(),
    }
}

/// A step of the walk through the tree of moves. The walk uses a stack of steps instead of recursion.
enum Step {
    /// Writes the line behind a move.
    Behind(u32),
    /// Writes a variation beside a move, and the variations after it.
    Variations { variation: u32, main: u32 },
    /// Closes a variation.
    Close,
}

/// Appends the moves below the start position, with their annotations.
fn write_movetext(tree: &Tree, notes: &Notes<'_>, out: &mut Vec<u8>) {
    let writer = MoveWriter {
        tree,
        notes,
        moves: tree.moves() as u32,
        last_of_main_line: tree.end_of_main_line(),
    };
    notes.write_of_game(out);
    if writer.moves == 0 {
        notes.write_after(0, Some(1), out);
    }

    let mut steps = vec![Step::Behind(0)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Behind(number) => {
                let main = tree.node(number).map_or(NONE, |node| node.first_child);
                let Some(node) = tree.node(main) else {
                    continue;
                };

                writer.write(main, out);
                steps.push(Step::Variations {
                    variation: node.next_sibling,
                    main,
                });
            }
            Step::Variations { variation, main } => match tree.node(variation) {
                None => steps.push(Step::Behind(main)),
                Some(node) => {
                    steps.push(Step::Variations {
                        variation: node.next_sibling,
                        main,
                    });
                    steps.push(Step::Close);
                    steps.push(Step::Behind(variation));

                    out.push(b'(');
                    writer.write(variation, out);
                }
            },
            Step::Close => out.extend_from_slice(b") "),
        }
    }
}

/// Writes single moves of a game with their annotations.
struct MoveWriter<'t, 'r> {
    tree: &'t Tree,
    notes: &'t Notes<'r>,
    /// The number of moves.
    moves: u32,
    /// The number of the last move of the main line.
    last_of_main_line: u32,
}

impl MoveWriter<'_, '_> {
    /// Appends a move, counted from 1, and its annotations. Nothing is written if there is no such move.
    fn write(&self, number: u32, out: &mut Vec<u8>) {
        // Annotations count moves from 0.
        let (Some(node), Some(index)) = (self.tree.node(number), number.checked_sub(1)) else {
            return;
        };

        self.notes.write_before(index, out);
        out.extend_from_slice(node.san());
        out.push(b' ');

        // Annotations of moves that do not exist follow the last move of the main line, so that no annotation is lost.
        let past = (number == self.last_of_main_line).then_some(self.moves);
        self.notes.write_after(index, past, out);
    }
}

/// Ends a game with the word for its damage, its termination marker and a blank line.
fn end_game(damage: Option<&[u8]>, header: &GameHeader, out: &mut Vec<u8>) {
    if let Some(word) = damage {
        out.extend_from_slice(word);
        out.push(b' ');
    }
    out.extend_from_slice(termination_marker(header).as_bytes());
    out.extend_from_slice(b"\n\n");
}

/// The game termination marker of the stored result.
fn termination_marker(header: &GameHeader) -> &'static str {
    match header.result() {
        // Both lost, for which PGN has no marker.
        GameResult::BothLost => "*",
        result => result.pgn(),
    }
}

/// Appends the tag section, except the tags of a start position.
fn write_tags(
    header: &GameHeader,
    names: &GameNames,
    encoding: &'static Encoding,
    out: &mut Vec<u8>,
) {
    write_roster(header, names, encoding, out);
    write_header_tags(header, names.event_date, out);

    let other_names = [
        ("Annotator", &names.annotator),
        ("Source", &names.source),
        ("WhiteTeam", &names.white_team),
        ("BlackTeam", &names.black_team),
    ];
    for (tag, name) in other_names {
        if let Some(name) = name
            && !name.is_empty()
        {
            write_text_tag(tag, name, encoding, out);
        }
    }

    if let Some(reason) = unplayed_result(header) {
        write_tag("Termination", reason.as_bytes(), out);
    }
    if header.is_deleted() {
        write_tag("ChessBaseFlags", b"deleted", out);
    }
}

/// Appends the seven tag roster.
fn write_roster(
    header: &GameHeader,
    names: &GameNames,
    encoding: &'static Encoding,
    out: &mut Vec<u8>,
) {
    let date = header.played_date().pgn();
    let round_text = round(header.round(), header.subround());

    write_name("Event", &names.event, encoding, out);
    write_name("Site", &names.site, encoding, out);
    write_tag("Date", date.as_bytes(), out);
    write_tag("Round", round_text.as_bytes(), out);
    write_name("White", &names.white, encoding, out);
    write_name("Black", &names.black, encoding, out);
    write_tag("Result", termination_marker(header).as_bytes(), out);
}

/// Appends the known ratings, ECO code and event date.
fn write_header_tags(header: &GameHeader, event_date: Option<Date>, out: &mut Vec<u8>) {
    let elos = [
        ("WhiteElo", header.white_elo()),
        ("BlackElo", header.black_elo()),
    ];
    // An Elo of 0 is unknown.
    for (tag, elo) in elos {
        if elo > 0 {
            write_tag(tag, elo.to_string().as_bytes(), out);
        }
    }

    if let Some(eco) = header.eco().pgn() {
        write_tag("ECO", eco.as_bytes(), out);
    }

    if let Some(known_date) = event_date.filter(|date| date.0 > 0) {
        write_tag("EventDate", known_date.pgn().as_bytes(), out);
    }
}

/// The value of the tag `Termination` for a result that was not decided on the board; `None` for other results.
fn unplayed_result(header: &GameHeader) -> Option<&'static str> {
    match header.result() {
        GameResult::BlackWinsForfeit | GameResult::DrawForfeit | GameResult::WhiteWinsForfeit => {
            Some("forfeit")
        }
        GameResult::BothLost => Some("both players lost"),
        _ => None,
    }
}

/// Appends a tag of the roster. If the name cannot be read, a line that is not a tag pair follows, so that the replay
/// reports it.
fn write_name(tag: &str, name: &Option<Vec<u8>>, encoding: &'static Encoding, out: &mut Vec<u8>) {
    match name {
        Some(name) if !name.is_empty() => write_text_tag(tag, name, encoding, out),
        Some(_) => write_tag(tag, b"?", out),
        None => {
            write_tag(tag, b"?", out);
            out.extend_from_slice(format!("[{tag} unreadable]\n").as_bytes());
        }
    }
}

/// Appends a tag whose value is a text of the database.
fn write_text_tag(tag: &str, value: &[u8], encoding: &'static Encoding, out: &mut Vec<u8>) {
    let mut text = Vec::new();
    append_name(value, encoding, &mut text);
    write_tag(tag, &text, out);
}

/// Appends a tag pair on a line. Quotes and backslashes of the value are escaped (PGN §7).
fn write_tag(tag: &str, value: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(format!("[{tag} \"").as_bytes());
    for &byte in value {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.push(b' '),
            _ => out.push(byte),
        }
    }
    out.extend_from_slice(b"\"]\n");
}

/// The value of the tag `Round`, like `3` or `3.2`.
fn round(round: u8, part: u8) -> String {
    match (round, part) {
        (0, 0) => "?".to_owned(),
        (0, part) => format!("?.{part}"),
        (round, 0) => round.to_string(),
        (round, part) => format!("{round}.{part}"),
    }
}

/// Appends the tags of a start position other than the standard position.
fn write_start(start: &Start, fen: &str, out: &mut Vec<u8>) {
    let is_chess960 = match start {
        Start::Chess960(_) => true,
        Start::Setup(setup) => setup.chess960,
        Start::Standard => false,
    };
    if is_chess960 {
        write_tag("Variant", b"Chess960", out);
    }
    write_tag("SetUp", b"1", out);
    write_tag("FEN", fen.as_bytes(), out);
}

#[cfg(test)]
mod tests {
    use encoding_rs::WINDOWS_1252;

    use super::*;

    #[test]
    fn rounds_have_parts() {
        let rows = [
            (0, 0, "?"),
            (3, 0, "3"),
            (3, 2, "3.2"),
            (0, 2, "?.2"),
            (255, 255, "255.255"),
        ];
        for (number, part, expected) in rows {
            assert_eq!(round(number, part), expected);
        }
    }

    #[test]
    fn values_of_tags_are_escaped_and_on_one_line() {
        let mut out = Vec::new();
        write_tag("Event", b"a \"b\" \\\nc", &mut out);
        let text = String::from_utf8(out).expect("ASCII");
        assert_eq!(text, "[Event \"a \\\"b\\\" \\\\ c\"]\n");
    }

    /// The lines of the tag `White` for a stored name.
    fn white(name: Option<&[u8]>) -> String {
        let stored = name.map(<[u8]>::to_vec);
        let mut out = Vec::new();
        write_name("White", &stored, WINDOWS_1252, &mut out);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn names_that_cannot_be_read_are_followed_by_a_line_to_report() {
        assert_eq!(white(Some(b"Tal, Mihails")), "[White \"Tal, Mihails\"]\n");
        assert_eq!(white(Some(b"Tr\xf6ger")), "[White \"Tröger\"]\n");
        assert_eq!(white(Some(b"")), "[White \"?\"]\n");
        assert_eq!(white(None), "[White \"?\"]\n[White unreadable]\n");
    }
}
