//! The peer's side of an import: `pgn-reader` and `shakmaty` play every move, and store nothing.

use std::fs::File;
use std::path::Path;

use shakmaty::{Position as _, san::SanPlus};

use crate::peer::{Follow, Game, read_games};

/// The totals of a replay.
#[derive(Debug, Default)]
pub(crate) struct Replayed {
    pub(crate) games: u64,
    pub(crate) plies: u64,
    /// Games that were not played to their end.
    pub(crate) lost: u64,
}

impl Replayed {
    /// Plays all games of a file on one thread.
    pub(crate) fn read(pgn: &Path) -> Replayed {
        let mut replayed = Replayed::default();
        let file = File::open(pgn).expect("the corpus holds the file");
        read_games(file, usize::MAX, &mut replayed);
        replayed
    }
}

impl Follow for Replayed {
    fn san(&mut self, game: &mut Game, san: SanPlus) {
        match san.san.to_move(&game.position) {
            Ok(mv) => {
                game.position.play_unchecked(mv);
                self.plies += 1;
            }
            Err(_) => game.is_lost = true,
        }
    }

    fn end(&mut self, game: &Game) {
        self.games += u64::from(game.has_event);
        self.lost += u64::from(game.is_lost);
    }
}
