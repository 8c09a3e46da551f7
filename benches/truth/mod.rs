//! The games that reach a position, found without an index: `pgn-reader` and `shakmaty` play the mainline of every game
//! of a file up to its first illegal move. A game counts once for a position; games of variants do not count.

use std::collections::HashMap;

use memchr::memmem;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position as _, san::SanPlus};

use crate::peer::{Follow, Game, read_games};

/// The numbers in the file of the games that reach each of the positions with these keys.
pub(crate) fn truth(
    pgn: &[u8],
    keys: impl Iterator<Item = Zobrist64>,
) -> HashMap<Zobrist64, Vec<u32>> {
    let mut truth: HashMap<Zobrist64, Vec<u32>> = HashMap::new();
    for key in keys {
        truth.insert(key, Vec::new());
    }

    replay(pgn, |game, key, _| {
        if let Some(games) = truth.get_mut(&key) {
            push_new(games, game);
        }
    });
    truth
}

/// Adds a game to a list unless it is already the last, since a game may reach a position twice.
pub(crate) fn push_new(games: &mut Vec<u32>, game: u32) {
    if games.last() != Some(&game) {
        games.push(game);
    }
}

/// Calls back with the game number, from 1, and the key of every position of every game; returns the number of games.
pub(crate) fn replay(pgn: &[u8], visit: impl FnMut(u32, Zobrist64, &Chess)) -> u32 {
    let mut replay = Replay {
        visit,
        game: 0,
        key: Zobrist64(0),
    };

    // One by one, so that a game which the peer splits in two still counts as one.
    let mut text = Vec::new();
    for game in games(pgn) {
        text.clear();
        write_essence(game, &mut text);
        replay.game += 1;
        read_games(&text[..], 1, &mut replay);
    }
    replay.game
}

struct Replay<V> {
    visit: V,
    /// The number of the current game.
    game: u32,
    key: Zobrist64,
}

impl<V: FnMut(u32, Zobrist64, &Chess)> Follow for Replay<V> {
    fn begin(&mut self, game: &Game) {
        if game.is_lost || game.variant.plays_apart() {
            return;
        }
        let position = &game.position;
        self.key = position.zobrist_hash(EnPassantMode::Legal);
        (self.visit)(self.game, self.key, position);
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) {
        let position = &mut game.position;
        match san.san.to_move(position) {
            Ok(mv) if !game.variant.plays_apart() => {
                // Not every move can be applied to a key alone.
                let updated = position.update_zobrist_hash(self.key, mv, EnPassantMode::Legal);
                position.play_unchecked(mv);
                self.key = updated.unwrap_or_else(|| position.zobrist_hash(EnPassantMode::Legal));
                (self.visit)(self.game, self.key, position);
            }
            _ => game.is_lost = true,
        }
    }
}

/// The games of a file, each beginning with its `Event` tag, which no comment in the corpus contains.
fn games(pgn: &[u8]) -> impl Iterator<Item = &[u8]> {
    const NEXT_GAME: &[u8] = b"\n[Event \"";

    let mut rest = pgn;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = match memmem::find(rest, NEXT_GAME) {
            // Behind the line feed.
            Some(next) => next + 1,
            None => rest.len(),
        };
        rest.split_off(..end)
    })
}

/// Writes a game without tags that do not affect the moves, since `pgn-reader` fails on some of their values.
fn write_essence(game: &[u8], out: &mut Vec<u8>) {
    let mut lines = game.split_inclusive(|&byte| byte == b'\n').peekable();
    let is_before_moves = |line: &&[u8]| {
        let is_blank = line.trim_ascii().is_empty();
        is_blank || line.starts_with(b"[")
    };
    while let Some(line) = lines.next_if(is_before_moves) {
        let affects_moves = line.starts_with(b"[FEN ") || line.starts_with(b"[Variant ");
        if affects_moves {
            out.extend_from_slice(line);
        }
    }

    // A blank line ends the tags.
    out.push(b'\n');
    for line in lines {
        out.extend_from_slice(line);
    }
}
