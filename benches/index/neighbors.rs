//! Neighbours of positions: with a piece removed, or a king moved by one square.

use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, Position as _, Setup, Square, attacks,
};

use crate::random::Random;

/// The number of attempts to find a legal neighbour.
const TRIES: usize = 16;

/// A random legal neighbour of a position; `None` if none is found.
pub(crate) fn neighbor(position: &Chess, random: &mut Random) -> Option<Chess> {
    for _ in 0..TRIES {
        let mut setup = position.to_setup(EnPassantMode::Legal);
        // The pawn that could be taken may be the man that is removed.
        setup.ep_square = None;
        let is_changed = if random.once_in(2) {
            remove_man(&mut setup, random)
        } else {
            move_king(&mut setup, random)
        };
        if !is_changed {
            continue;
        }

        // Illegal neighbours: the side that is not to move may be in check now.
        if let Ok(neighbor) = setup.position(CastlingMode::Chess960) {
            return Some(neighbor);
        }
    }
    None
}

/// Removes any man but a king; `false` if there is none.
fn remove_man(setup: &mut Setup, random: &mut Random) -> bool {
    let men = setup.board.occupied() & !setup.board.kings();
    let Some(square) = choose(men, random) else {
        return false;
    };
    let removed = setup.board.remove_piece_at(square);
    removed.is_some()
}

/// Moves one of the kings to an empty square beside it. Returns `false` if no square beside it is empty, or if there is
/// no such king.
fn move_king(setup: &mut Setup, random: &mut Random) -> bool {
    let color = if random.once_in(2) {
        Color::White
    } else {
        Color::Black
    };
    let Some(from) = setup.board.king_of(color) else {
        return false;
    };

    let empty = attacks::king_attacks(from) & !setup.board.occupied();
    let Some(to) = choose(empty, random) else {
        return false;
    };
    let Some(king) = setup.board.remove_piece_at(from) else {
        return false;
    };
    setup.board.set_piece_at(to, king);
    true
}

/// A random square of a set; `None` if the set is empty.
fn choose(squares: Bitboard, random: &mut Random) -> Option<Square> {
    match squares.count() {
        0 => None,
        count => squares.into_iter().nth(random.below(count)),
    }
}
