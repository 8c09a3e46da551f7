//! Any bytes replay to legal moves, and problems are at their reported places.

use std::sync::LazyLock;

use stamma::export::write_pgn;
use stamma::game::{Game, Ply};
use stamma::input::{Encoding, decode};
use stamma::notation::{Notation, PieceLetters, Style};
use stamma::pgn::{Span, split};
use stamma::replay::{Mainline, Problem, Readings, Replay};

static READINGS: LazyLock<Readings> = LazyLock::new(Readings::default);

/// Checks any bytes.
///
/// # Panics
/// If the invariant is violated.
pub(crate) fn hold(bytes: &[u8]) {
    for span in split(bytes) {
        let Span::Game(range) = span else { continue };
        let decoded = decode(&bytes[range], Encoding::UTF_8);
        let game = READINGS.replay(decoded.text()).replay;
        assert_legal(&game);
        assert_variations_are_legal(&game.game);
        for problem in &game.problems {
            assert_stands_in(decoded.text(), problem);
        }
    }
}

/// The text of the mainline can be replayed, and gives the same moves and the same end.
fn assert_legal(game: &Replay<'_>) {
    let start = game.game.start.as_deref();
    let mut line = Mainline::new(start, &game.game.moves).expect("a start that was set up");

    // The same moves, one by one.
    for &played in &game.played {
        let next = line.next().expect("a legal move");
        let (_, mv) = next.expect("as many as were played");
        assert_eq!(mv, played, "in {}", line.position().fen());
        line.play(mv);
    }
    assert_eq!(line.next(), Ok(None), "more moves than were played");
    assert_eq!(line.ply(), Ply::new(game.plies()));

    // The moves of an unsupported variant are not played.
    if game.game.is_played {
        assert_eq!(line.position().fen(), game.last.fen());
        assert_eq!(line.position().key(), game.last.key());
    }
}

/// Coordinates are written from the board, which accepts legal moves only.
fn assert_variations_are_legal(game: &Game<'_>) {
    let letters = PieceLetters::english();
    let style = Style {
        notation: Notation::Uci,
        letters,
        chess960: false,
    };
    write_pgn(game, &style, &mut Vec::new()).expect("legal variations");
}

fn assert_stands_in(text: &str, problem: &Problem) {
    let end = problem.at + problem.text.len();
    assert!(text.is_char_boundary(problem.at), "{problem:?}");
    assert!(end <= text.len(), "{problem:?} goes beyond {}", text.len());
}
