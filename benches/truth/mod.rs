//! How many games reach a position, counted without an index: `pgn-reader` and `shakmaty` play the
//! mainline of every game of a file up to its first illegal move. A game counts once for a position;
//! games by other rules than those of chess count for none.

use std::collections::HashMap;

use memchr::memmem;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _, san::SanPlus};

use crate::peer::{Follow, Game, read_games};
use crate::questions::Question;

/// The number of games that reach each of the positions, in their order.
pub(crate) fn truth(pgn: &[u8], questions: &[Question]) -> Vec<u64> {
    let counts = questions.iter().map(|question| (question.key, Count::default())).collect();
    let mut truth = Truth { counts, game: 0, key: Zobrist64(0) };
    let mut text = Vec::new();
    for game in games(pgn) {
        text.clear();
        write_essence(game, &mut text);
        read_games(&text[..], 1, &mut truth);
    }
    questions.iter().map(|question| truth.counts[&question.key].games).collect()
}

struct Truth {
    counts: HashMap<Zobrist64, Count>,
    /// The number of the game that is being read.
    game: u64,
    key: Zobrist64,
}

#[derive(Clone, Copy, Default)]
struct Count {
    games: u64,
    last_game: u64,
}

impl Truth {
    fn visit(&mut self) {
        if let Some(count) = self.counts.get_mut(&self.key)
            && count.last_game != self.game
        {
            *count = Count { games: count.games + 1, last_game: self.game };
        }
    }
}

impl Follow for Truth {
    fn begin(&mut self, game: &Game) {
        self.game += 1;
        if !game.is_lost && !game.variant.plays_apart() {
            self.key = game.position.zobrist_hash(EnPassantMode::Legal);
            self.visit();
        }
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) {
        match san.san.to_move(&game.position) {
            Ok(mv) if !game.variant.plays_apart() => {
                let key = game.position.update_zobrist_hash(self.key, mv, EnPassantMode::Legal);
                game.position.play_unchecked(mv);
                self.key = key.unwrap_or_else(|| game.position.zobrist_hash(EnPassantMode::Legal));
                self.visit();
            }
            _ => game.is_lost = true,
        }
    }
}

/// The games of a file, each from its `Event` tag on; no comment in the corpus holds one.
fn games(pgn: &[u8]) -> impl Iterator<Item = &[u8]> {
    const TAG: &[u8] = b"\n[Event \"";
    let mut rest = pgn;
    std::iter::from_fn(move || {
        let end = memmem::find(rest, TAG).map_or(rest.len(), |at| at + 1);
        let game = rest.split_off(..end)?;
        (!game.is_empty()).then_some(game)
    })
}

/// Writes a game without the tags that do not say what is played: some have values over which
/// `pgn-reader` stumbles.
fn write_essence(game: &[u8], out: &mut Vec<u8>) {
    let mut lines = game.split_inclusive(|&byte| byte == b'\n').peekable();
    while let Some(line) =
        lines.next_if(|line| line.starts_with(b"[") || line.trim_ascii().is_empty())
    {
        if line.starts_with(b"[FEN ") || line.starts_with(b"[Variant ") {
            out.extend_from_slice(line);
        }
    }
    out.push(b'\n');
    lines.for_each(|line| out.extend_from_slice(line));
}
