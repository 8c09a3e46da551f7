//! The positions of a game, one after the other, as identities made of their keys.

use crate::game::Ply;
use crate::replay::PositionKey;
use crate::storage::PlayedGame;

/// The keys by which the position index compares positions, in one number: the key in the upper 64 bits, then the check
/// key of 16 bits. The lowest 32 bits are free.
pub(super) type Identity = u128;

/// The identity of a position by its keys.
pub(super) fn identity(key: PositionKey, check_key: u16) -> Identity {
    u128::from(key.0) << 64 | u128::from(check_key) << 32
}

/// Calls `on_position` with the number of half-moves before each position of a mainline, and the identity of the
/// position, until `on_position` returns `false`.
pub(super) fn each_position(game: &PlayedGame, mut on_position: impl FnMut(Ply, Identity) -> bool) {
    let Some(mut line) = game.mainline() else {
        return;
    };

    loop {
        let position = line.position();
        let key = PositionKey::new(position, game.variant);
        let identity = identity(key, position.check_key());
        if !on_position(line.ply(), identity) {
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
