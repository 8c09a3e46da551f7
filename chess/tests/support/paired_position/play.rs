//! Plays a move in both programs.

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, PositionError};
use stamma_chess::board::Move;

use super::Pair;

impl Pair {
    /// Plays one of our moves in both.
    pub(crate) fn play(&mut self, mv: Move) {
        self.theirs = self
            .theirs_after(mv)
            .unwrap_or_else(|| panic!("{mv} in {self}"));
        self.ours.play(mv);
    }

    fn theirs_after(&self, mv: Move) -> Option<Chess> {
        match mv.to_string().parse().ok()? {
            UciMove::Null => self.theirs_after_null_move(),
            uci => {
                let their_move = uci.to_move(&self.theirs).ok()?;
                self.theirs.clone().play(their_move).ok()
            }
        }
    }

    /// A null move counts as a half-move, which shakmaty leaves to its caller.
    pub(super) fn theirs_after_null_move(&self) -> Option<Chess> {
        let mut setup = self.theirs.to_setup(EnPassantMode::Always);
        let black_passes = u32::from(setup.turn.is_black());
        setup.halfmoves += 1;
        setup.fullmoves = setup.fullmoves.saturating_add(black_passes);
        setup.swap_turn();

        setup
            .position(CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .ok()
    }
}
