//! The positions of a game, each with the move that led to it.

use stamma::board::{Color, Move, Position, Setup};
use stamma::game::Game;
use stamma::replay::Mainline;

/// A position of a game.
pub(super) struct ShownPosition {
    pub(super) setup: Setup,
    /// The move that led to the position, with its text such as `12... h6`; `None` at the start.
    pub(super) last: Option<(String, Move)>,
}

/// All positions of the mainline; none for a game whose movetext is kept as text.
pub(super) fn positions(game: &Game<'_>) -> Vec<ShownPosition> {
    let Some(mut line) = Mainline::of(game) else {
        return Vec::new();
    };
    let mut shown = vec![ShownPosition {
        setup: line.position().setup(),
        last: None,
    }];
    while let Some((san, mv)) = line.step() {
        let text = format!("{} {san}", move_number(line.position()));
        line.play(mv);
        shown.push(ShownPosition {
            setup: line.position().setup(),
            last: Some((text, mv)),
        });
    }
    shown
}

/// The next move number: `12.` or `12...`.
fn move_number(position: &Position) -> String {
    let dots = if position.turn() == Color::White {
        "."
    } else {
        "..."
    };
    format!("{}{dots}", position.fullmove_number())
}
