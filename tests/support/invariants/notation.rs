//! Any text means a legal move or none, in every system and language; moves that were read are written and read back.

use std::sync::LazyLock;

use stamma::board::{Move, MoveKind, Position};
use stamma::notation::{
    LANGUAGES, Notation, PieceLetters, Reading, San, Style, System, is_continuation, read,
};

#[allow(clippy::duplicate_mod, reason = "a fuzz target takes this file alone")]
#[path = "../../../chess/tests/support/chess960.rs"]
mod chess960;

/// The maximum number of moves before the text; more cover nothing new.
const MAX_PLIES: usize = 200;

/// The readings of all languages, without duplicates of letters.
static READINGS: LazyLock<Vec<Reading<'static>>> = LazyLock::new(|| {
    let mut all: Vec<Reading<'_>> = Vec::new();
    for language in LANGUAGES {
        if all.iter().all(|one| *one.letters != language.letters) {
            all.extend(System::ALL.map(|system| Reading {
                letters: &language.letters,
                system,
            }));
        }
    }
    all
});

/// Checks any bytes. The bytes of the first line choose a start position and the moves from it; the other bytes are the
/// text.
///
/// # Panics
/// If the invariant is violated.
pub(crate) fn hold(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let position = place(&bytes[..end]);
    let rest = bytes.get(end + 1..).unwrap_or_default();
    let text = String::from_utf8_lossy(rest);

    for &reading in READINGS.iter() {
        read_as(&text, reading, &position);
    }
    read_as_san(&text, &position);
    read_as_letters(&text, &position);

    // Only that there is no panic.
    let (before, word) = text.split_once(' ').unwrap_or_default();
    is_continuation(before, word);
}

/// The position that some bytes choose. After a `#`, two bytes choose a start position of Chess960.
fn place(choices: &[u8]) -> Position {
    let (number, choices) = match choices {
        [b'#', high, low, choices @ ..] => {
            let number = usize::from(u16::from_be_bytes([*high, *low]));
            (number % 960, choices)
        }
        _ => (chess960::STANDARD, choices),
    };

    let mut position = Position::from_fen(&chess960::fen(number)).expect("a start position");
    for &choice in choices.iter().take(MAX_PLIES) {
        let legal = position.legal_moves();
        let Some(&mv) = legal.get(usize::from(choice) % legal.len().max(1)) else {
            break;
        };
        position.play(mv);
    }
    position
}

fn read_as(text: &str, reading: Reading<'_>, position: &Position) {
    match read(text, reading, position) {
        Ok(resolved) => {
            assert_legal(resolved.mv(), position, text);
            assert_comes_back(resolved.mv(), reading, position);
        }
        Err(error) => {
            // Only that there is no panic.
            error.what_was_legal(position);

            let nearest = error.nearest(position);
            for mv in error.candidates(position).into_iter().chain(nearest) {
                assert_legal(mv, position, text);
            }
        }
    }
}

fn assert_legal(mv: Move, position: &Position, text: &str) {
    let is_legal = match mv.kind {
        MoveKind::Null => !position.is_check(),
        _ => position.legal_moves().contains(&mv),
    };
    assert!(is_legal, "{text:?} as {mv:?} in {}", position.fen());
}

fn assert_comes_back(mv: Move, reading: Reading<'_>, position: &Position) {
    for notation in Notation::ALL {
        let style = Style {
            notation,
            letters: reading.letters,
            chess960: false,
        };
        let text = style.text(position, mv);

        let resolved = read(&text, style.reading(), position);
        let again = resolved.map(|resolved| resolved.mv());
        assert_eq!(again, Ok(mv), "{text:?} in {}", position.fen());
    }
}

fn read_as_san(text: &str, position: &Position) {
    let Some(san) = San::parse(text.as_bytes()) else {
        return;
    };

    if let Ok(resolved) = san.resolve(position) {
        assert_legal(resolved.mv, position, text);
    }
}

/// The text as user-defined letters.
fn read_as_letters(text: &str, position: &Position) {
    let Ok(letters) = PieceLetters::parse(text) else {
        return;
    };
    let reading = Reading {
        letters: &letters,
        system: System::Algebraic,
    };

    for mv in position.legal_moves() {
        for notation in [Notation::San, Notation::Fide, Notation::Lan, Notation::Full] {
            let style = Style {
                notation,
                letters: &letters,
                chess960: false,
            };
            let written = style.text(position, mv);

            let resolved = read(&written, reading, position);
            let again = resolved.map(|resolved| resolved.mv());
            assert_eq!(
                again,
                Ok(mv),
                "{written:?} with {text:?} in {}",
                position.fen()
            );
        }
    }
}
