//! Every legal move, written in any notation and with any letters, reads back as the same move.
//!
//! The positions come from real games and from test suites for move generators, in standard chess and Chess960.

use crate::support::epd;
use crate::support::positions::position;
use stamma_chess::board::{Move, Position};
use stamma_chess::notation::{LANGUAGES, Notation, Note, PieceLetters, San, Style, read, san};
use stamma_chess::pgn::{Span, Token, Visitor, read_game, split};

/// Every position of the games in `tests/data/games`.
#[derive(Default)]
struct GamePositions {
    position: Option<Position>,
    depth: usize,
    all: Vec<Position>,
}

impl Visitor<'_> for GamePositions {
    fn tag(&mut self, name: &[u8], value: &[u8], _at: usize) {
        if name == b"FEN" {
            let fen = str::from_utf8(value).expect("UTF-8");
            self.position = Some(Position::from_fen(fen).expect("a legal position"));
        }
    }

    fn move_text(&mut self, token: Token<'_>, _at: usize) {
        if self.depth > 0 {
            return;
        }
        let Some(san @ (San::Piece { .. } | San::Castle(_))) = San::from_token(token) else {
            return;
        };

        let position = self.position.get_or_insert_default();
        let resolved = san.resolve(position).expect("a legal move");
        self.all.push(position.clone());
        position.play(resolved.mv);
    }

    fn begin_variation(&mut self, _at: usize) {
        self.depth += 1;
    }

    fn end_variation(&mut self, _at: usize) {
        self.depth -= 1;
    }
}

fn game_positions() -> Vec<Position> {
    let files: [&[u8]; 6] = [
        include_bytes!("../data/games/early.pgn"),
        include_bytes!("../data/games/classical.pgn"),
        include_bytes!("../data/games/modern.pgn"),
        include_bytes!("../data/games/today.pgn"),
        include_bytes!("../data/games/chess960.pgn"),
        include_bytes!("../data/games/from-position.pgn"),
    ];
    let mut positions = GamePositions::default();
    for file in files {
        for span in split(file) {
            if let Span::Game(range) = span {
                positions.position = None;
                read_game(&file[range], &mut positions);
            }
        }
    }
    positions.all
}

fn board_positions() -> Vec<Position> {
    epd::perft_fens().map(position).collect()
}

/// All styles, `uci` and `iccf` with both ways of castling.
fn styles() -> impl Iterator<Item = Style<'static>> {
    LANGUAGES.iter().flat_map(|language| {
        let letters = &language.letters;
        Notation::ALL.into_iter().flat_map(move |notation| {
            [false, true].map(|chess960| Style {
                notation,
                letters,
                chess960,
            })
        })
    })
}

/// Writes a move and reads it back; it must be read without any note.
fn assert_round_trip(position: &Position, mv: Move, style: Style<'_>) {
    let text = style.text(position, mv);
    let fen = position.fen();
    let resolved = read(&text, style.reading(), position)
        .unwrap_or_else(|error| panic!("{text}: {error:?} in {fen}"));
    assert_eq!(resolved.mv(), mv, "{text} in {fen}");

    // Descriptive notation names one of two knights by its wing.
    let is_descriptive = style.notation == Notation::Descriptive;
    let is_fair = |note: &Note| is_descriptive && *note == Note::DecidedByWing;
    let notes = &resolved.notes;
    assert!(notes.iter().all(is_fair), "{text}: {notes:?} in {fen}");

    // Nothing but the move has been read into the text.
    assert!(resolved.nags.is_empty(), "{text}");
    assert!(!resolved.draw_offer, "{text}");
}

/// Checks each position in some styles in turn, the first position in all of them.
fn assert_all_round_trip(positions: &[Position], styles_each: usize) {
    let styles: Vec<Style<'_>> = styles().collect();
    for (i, position) in positions.iter().enumerate() {
        let mut moves = position.legal_moves();
        if position.may_pass() {
            moves.push(Move::NULL);
        }

        for k in 0..styles_each {
            let style = styles[(i * styles_each + k) % styles.len()];
            for &mv in &moves {
                assert_round_trip(position, mv, style);
            }
        }
    }
}

#[test]
fn moves_of_games_in_every_notation() {
    let positions = game_positions();
    assert!(positions.len() > 7_900, "{}", positions.len());
    assert_all_round_trip(&positions, 2);
}

#[test]
fn moves_of_boards_in_every_notation() {
    let positions = board_positions();
    assert!(positions.len() > 250, "{}", positions.len());
    assert_all_round_trip(&positions, 9);
}

#[test]
#[ignore = "minutes: every position in every notation and language"]
fn every_move_in_every_notation_and_language() {
    let mut positions = game_positions();
    positions.extend(board_positions());
    assert_all_round_trip(&positions, styles().count());
}

#[test]
fn both_writers_agree_on_english_san() {
    let style = Style {
        notation: Notation::San,
        letters: PieceLetters::english(),
        chess960: false,
    };
    let games = game_positions();
    let boards = board_positions();

    for position in games.iter().step_by(7).chain(&boards) {
        for mv in position.legal_moves() {
            let general = style.text(position, mv);
            let fast = san(position, mv);
            assert_eq!(general, fast, "{}", position.fen());
        }
    }
}
