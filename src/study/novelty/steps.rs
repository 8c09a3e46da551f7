//! The positions of a game one after the other, by their keys.

use crate::game::Ply;
use crate::replay::PositionKey;
use crate::storage::PlayedGame;

/// What the position index knows of a position, in one number: its key and its check key. The lowest 32 bits are free.
pub(super) type Identity = u128;

/// The identity of a position by its keys.
pub(super) fn identity(key: PositionKey, check_key: u16) -> Identity {
    u128::from(key.0) << 64 | u128::from(check_key) << 32
}

/// Calls `take` with the number of half-moves before each position of a mainline, and the identity of the position, until
/// `take` returns `false`.
pub(super) fn each_position(game: &PlayedGame, mut take: impl FnMut(Ply, Identity) -> bool) {
    let Some(mut line) = game.mainline() else {
        return;
    };

    loop {
        let position = line.position();
        let key = PositionKey::new(position, game.variant);
        if !take(line.ply(), identity(key, position.check_key())) {
            return;
        }

        match line.step() {
            Some((_, mv)) => line.play(mv),
            None => return,
        }
    }
}

/// The positions of a mainline, each once.
pub(super) fn positions(game: &PlayedGame) -> impl Iterator<Item = Identity> {
    game.visits()
        .into_iter()
        .map(|visit| identity(visit.key, visit.check_key))
}
