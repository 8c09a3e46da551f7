//! Any text is a FEN or an error; a FEN is written and read back unchanged.

use stamma::board::{FenError, Position, Setup};
use stamma::notation::{LANGUAGES, read_fen};
use stamma::query::expand_partial_fen;

/// Checks any bytes, taken as UTF-8.
///
/// # Panics
/// If the invariant is violated.
pub(crate) fn hold(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);

    // A setup needs no legal position, and is read from FENs that a position refuses.
    setup_comes_back(Setup::from_fen(&text));
    setup_comes_back(read_fen(&text).map(|(setup, _)| setup));

    if let Ok(position) = Position::from_fen(&text) {
        assert_comes_back(&position);
        assert_moves_keep_count(&position);
    }

    // The text as a FEN with the letters of each language.
    for language in LANGUAGES {
        if let Ok(english) = language.letters.fen_in_english(&text) {
            setup_comes_back(Setup::from_fen(&english));
        }
    }
    assert_is_meant(&text);
}

fn setup_comes_back(setup: Result<Setup, FenError>) {
    let Ok(setup) = setup else { return };
    let fen = setup.to_string();
    let again = Setup::from_fen(&fen).expect("what is written is read");
    assert_eq!(again.to_string(), fen);

    // Castling rooks that no letter can distinguish are the same rights.
    let with_rooks = Setup {
        castling: setup.castling,
        ..again
    };
    assert_eq!(with_rooks, setup, "{fen}");
}

fn assert_comes_back(position: &Position) {
    let fen = position.fen();
    let again = Position::from_fen(&fen).expect("what is written is read");
    assert_eq!(again, *position, "{fen}");
    assert_eq!(again.setup(), position.setup(), "{fen}");

    // Equality of positions does not cover what is derived from them.
    assert_eq!(again.checkers(), position.checkers(), "{fen}");
    assert_eq!(again.key(), position.key(), "{fen}");
    assert_eq!(again.check_key(), position.check_key(), "{fen}");
}

/// After every move, incrementally updated values equal freshly computed ones.
fn assert_moves_keep_count(position: &Position) {
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.play(mv);
        assert_comes_back(&after);
    }
}

/// A search for a whole FEN finds its position.
fn assert_is_meant(text: &str) {
    // With fewer fields, a text is a partial FEN, which more positions match.
    if text.split_ascii_whitespace().count() < 4 {
        return;
    }
    if let Ok(position) = Position::from_fen(text) {
        assert_eq!(expand_partial_fen(text, None), Ok(vec![position]), "{text}");
    }
}
