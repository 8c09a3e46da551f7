//! Replays a game, and finds the positions of the repertoire that the game reaches.

use super::Repertoire;
use super::graph::NodeId;
use crate::board::Move;
use crate::replay::Visit;
use crate::storage::PlayedGame;

/// The code of the move by which a game leaves a position. A null move is not a choice of a player, so it counts as the
/// end of the game: [`Visit::END`].
pub(super) fn leaving_code(code: u16) -> u16 {
    if code == Move::NULL.code() {
        Visit::END
    } else {
        code
    }
}

impl Repertoire {
    /// The positions that a game's mainline reaches, each once, in the order of the game, and the
    /// [codes](crate::board::Move::code) of the moves played at their first visits, or [`Visit::END`].
    pub(super) fn visits(&self, game: &PlayedGame) -> Vec<(NodeId, u16)> {
        let mut visits: Vec<(NodeId, u16)> = Vec::new();
        if game.variant.plays_apart() {
            return visits;
        }
        let Some(mut line) = game.mainline() else {
            return visits;
        };

        // Most games leave a repertoire early. A game is replayed only as long as its pawns allow a return into the
        // repertoire.
        while self.pawns.is_within_reach(line.position()) {
            let next = line.step();
            if let Some(at) = self.find(line.position())
                && visits.iter().all(|(known, _)| *known as usize != at)
            {
                let code = next.map_or(Visit::END, |(_, mv)| mv.code());
                visits.push((at as NodeId, leaving_code(code)));
            }

            match next {
                Some((_, mv)) => line.play(mv),
                None => break,
            }
        }
        visits
    }
}
