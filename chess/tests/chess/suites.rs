//! Position suites of the corpus: valid and invalid positions, the starts of Chess960, positions with all moves and the
//! FENs after them; and how files are split into games.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, PositionError};
use stamma_chess::board::{Position, perft};
use stamma_chess::notation::san;

use crate::support::paired_position::Pair;
use crate::support::{chess960, corpus};

macro_rules! rampart {
    ($($name:ident: $file:literal
        => $positions:literal positions, $rewritten:literal rewritten;)*) => {$(
        #[test]
        fn $name() {
            if let Some(text) = corpus::read_text(concat!("suites/rampart/", $file)) {
                assert_eq!(compare_moves(&text), ($positions, $rewritten));
            }
        }
    )*};
}

rampart! {
    castling: "castling.json" => 59 positions, 4 rewritten;
    checkmates: "checkmates.json" => 8 positions, 0 rewritten;
    famous: "famous.json" => 2 positions, 0 rewritten;
    pawns: "pawns.json" => 8 positions, 0 rewritten;
    promotions: "promotions.json" => 16 positions, 0 rewritten;
    stalemates: "stalemates.json" => 12 positions, 0 rewritten;
    standard: "standard.json" => 2 positions, 0 rewritten;
    taxing: "taxing.json" => 22 positions, 0 rewritten;
}

/// Compares every position's moves and the FEN after each; returns the number of positions, and of FENs that had to be
/// normalized first.
///
/// One position of `castling.json` names an en passant square after every double step; all others do so only if a pawn
/// can capture, as Stamma does. shakmaty normalizes those FENs.
fn compare_moves(json: &str) -> (usize, usize) {
    let file: Value = serde_json::from_str(json).expect("a file of the suite is JSON");
    let cases = file["testCases"].as_array().expect("testCases");

    let mut rewritten = 0;
    for case in cases {
        let fen = text(&case["start"]["fen"]);
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));

        let expected = expected_moves(&case["expected"], &mut rewritten);
        assert_eq!(moves(&position), expected, "{fen}");
    }
    (cases.len(), rewritten)
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// The FEN after each move, by its SAN.
fn moves(position: &Position) -> BTreeMap<String, String> {
    let mut moves = BTreeMap::new();
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.play(mv);
        moves.insert(san(position, mv), after.fen());
    }
    moves
}

fn expected_moves(list: &Value, rewritten: &mut usize) -> BTreeMap<String, String> {
    let mut moves = BTreeMap::new();
    for mv in list.as_array().expect("a list of moves") {
        let san = text(&mv["move"]);
        let fen = text(&mv["fen"]);
        let normalized = with_legal_en_passant(fen);
        *rewritten += usize::from(normalized != fen);
        moves.insert(san.to_owned(), normalized);
    }
    moves
}

fn with_legal_en_passant(fen: &str) -> String {
    let read: Fen = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let result = read.into_position::<Chess>(CastlingMode::Chess960);

    // Some positions of the suite have more men than a game can lead to.
    let allowed = result.or_else(PositionError::ignore_too_much_material);
    let position = allowed.expect(fen);
    let normalized = Fen::from_position(&position, EnPassantMode::Legal);
    normalized.to_string()
}

#[test]
fn valid_positions() {
    let Some(text) = corpus::read_text("suites/positions/valid.sfens") else {
        return;
    };
    assert_eq!(text.lines().count(), 10_000);
    for fen in text.lines() {
        Pair::from_fen(fen)
            .unwrap_or_else(|error| panic!("{fen}: {error}"))
            .assert_same();
    }
}

/// Of 9,992 invalid positions, 93 are accepted: their fault is the en passant square, which is dropped (the material of
/// some is impossible, too, which Stamma checks less strictly).
#[test]
fn invalid_positions() {
    let Some(text) = corpus::read_text("suites/positions/invalid.sfens") else {
        return;
    };
    let mut accepted = BTreeMap::new();
    for fen in text.lines() {
        if let Ok(pair) = Pair::from_fen(fen) {
            pair.assert_same();
            assert_eq!(pair.ours.en_passant(), None, "{fen}");
            *accepted.entry(their_faults(fen)).or_insert(0) += 1;
        }
    }

    let expected = [
        ("IMPOSSIBLE_CHECK", 30),
        ("IMPOSSIBLE_CHECK TOO_MUCH_MATERIAL", 3),
        ("INVALID_EP_SQUARE", 53),
        ("INVALID_EP_SQUARE TOO_MUCH_MATERIAL", 7),
    ];
    assert_eq!(
        accepted,
        expected
            .map(|(faults, number)| (faults.to_owned(), number))
            .into()
    );
    assert_eq!(text.lines().count(), 9_992);
}

/// shakmaty's faults for the whole FEN, including the en passant square.
fn their_faults(fen: &str) -> String {
    let read: Fen = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let Err(error) = read.into_position::<Chess>(CastlingMode::Chess960) else {
        return String::new();
    };

    let mut names = Vec::new();
    for (name, _) in error.kinds().iter_names() {
        names.push(name);
    }
    names.join(" ")
}

#[test]
fn chess960_starts() {
    let Some(text) = corpus::read_text("suites/positions/chess960_start_positions.sfens") else {
        return;
    };

    // The suite has them in another order.
    let ours: BTreeSet<String> = (0..960).map(chess960::fen).collect();
    let theirs: BTreeSet<String> = text.lines().map(start_as_x_fen).collect();
    assert_eq!(theirs, ours);
}

/// Parses a start position with Shredder-FEN rights, checks it, and writes it with `KQkq`.
fn start_as_x_fen(fen: &str) -> String {
    let pair = Pair::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(pair.ours.castling().count(), 4, "{fen}");

    for depth in 1..=2 {
        let ours = perft(&pair.ours, depth);
        let theirs = shakmaty::perft(&pair.theirs, depth);
        assert_eq!(ours, theirs, "{fen}");
    }
    pair.to_string()
}

macro_rules! cut {
    ($($name:ident: $file:literal => $games:literal games;)*) => {$(
        #[test]
        fn $name() {
            if let Some(games) = corpus::games(concat!("suites/", $file)) {
                assert_eq!(games.len(), $games);
            }
        }
    )*};
}

cut! {
    markup_behind_tags: "break-pgn/Little_17.pgn" => 1 games;
    round_bracket_before_a_tag: "break-pgn/Little_01.pgn" => 1 games;
    mail_between_games: "break-pgn/crafty06_01.pgn" => 2 games;
    letter_in_html: "break-pgn/crafty06_03.pgn" => 0 games;
    unclosed_comment: "annotated-classics/europe_echecs.pgn" => 307 games;
    event_behind_other_tags: "annotated-classics/schiller.pgn" => 8 games;
    blank_lines_among_moves: "kokopu/pgns/misc/database.pgn" => 15 games;
    broken_tags: "kokopu/pgns/syntactic-error-1/database.pgn" => 21 games;
}
