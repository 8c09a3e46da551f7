//! Positions for the benches: some by name, some from Chess960 games, and the rest sampled from the whole file. The
//! same file gives the same positions.

use std::collections::HashSet;

use memchr::{memchr, memmem};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen, san::SanPlus};
use stamma::game::Variant;

use crate::peer::{self, Follow, Game, read_games};
use crate::random::Random;

/// The number of positions from Chess960 games.
const CHESS960_COUNT: usize = 40;
const SEED: u64 = 1737;

/// The tag that begins every game, and that no comment in the corpus contains.
const EVENT_TAG: &[u8] = b"[Event \"";

/// The first is the start; the last is reachable, but was never reached.
const NAMED: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    // Najdorf: 1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    // Ruy Lopez: 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7
    "r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 4 6",
    // 1. h4 a5 2. h5 a4 3. h6 a3 4. hxg7 axb2 5. gxh8=N bxa1=N
    "rnbqkbnN/1ppppp1p/8/8/8/8/P1PPPPP1/nNBQKBNR w Kq - 0 6",
];

/// A position to look up.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) fen: String,
    /// Its key in `shakmaty`, which counts an en passant square only if it can be used.
    pub(crate) key: Zobrist64,
}

impl Question {
    pub(crate) fn new(position: &Chess) -> Question {
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        Question {
            fen,
            key: position.zobrist_hash(EnPassantMode::Legal),
        }
    }
}

/// Different positions for a file; fewer if it has too few games.
pub(crate) fn questions(pgn: &[u8], count: usize) -> Vec<Question> {
    let mut drawn = Drawn {
        pgn,
        random: Random::new(SEED),
        keys: HashSet::new(),
        found: Vec::new(),
    };
    for fen in NAMED {
        drawn.keep(&peer::position(fen.as_bytes()).expect("a legal position"));
    }
    drawn.draw_from_chess960();
    drawn.draw_from_everywhere(count);
    drawn.found
}

/// The positions that have been drawn from a file.
struct Drawn<'p> {
    pgn: &'p [u8],
    random: Random,
    /// The keys of the positions.
    keys: HashSet<Zobrist64>,
    found: Vec<Question>,
}

impl Drawn<'_> {
    /// Keeps a position unless it is already there.
    fn keep(&mut self, position: &Chess) {
        let question = Question::new(position);
        let is_new = self.keys.insert(question.key);
        if is_new {
            self.found.push(question);
        }
    }

    /// Positions of evenly chosen Chess960 games: of the first its start, of the others any position.
    fn draw_from_chess960(&mut self) {
        let games = chess960_games(self.pgn);
        for number in 0..CHESS960_COUNT.min(games.len()) {
            let game = games[number * games.len() / CHESS960_COUNT];
            let line = positions(&self.pgn[game..]);
            let ply = if number == 0 {
                0
            } else {
                self.random.below(line.len())
            };

            // A game that cannot be played has no position.
            if let Some(position) = line.get(ply) {
                self.keep(position);
            }
        }
    }

    /// A position of the game after each of many places, evenly over the file. A repeated position is replaced.
    fn draw_from_everywhere(&mut self, count: usize) {
        let first = self.found.len();
        let places = count.saturating_sub(first);
        for place in 0..places {
            let mut at = place * (self.pgn.len() / places);

            // Until this place has given a new position.
            while self.found.len() <= first + place {
                let Some(game) = next_game(self.pgn, at) else {
                    return;
                };
                at = game + 1;

                let line = positions(&self.pgn[game..]);
                if !line.is_empty() {
                    let ply = self.random.below(line.len());
                    self.keep(&line[ply]);
                }
            }
        }
    }
}

/// The beginning of the next game.
fn next_game(pgn: &[u8], at: usize) -> Option<usize> {
    let next = memmem::find(&pgn[at..], EVENT_TAG)?;
    Some(at + next)
}

/// The beginnings of all games whose `Variant` tag is Chess960.
fn chess960_games(pgn: &[u8]) -> Vec<usize> {
    const VARIANT_TAG: &[u8] = b"\n[Variant \"";

    let event = memmem::FinderRev::new(EVENT_TAG);
    let mut games = Vec::new();
    for tag in memmem::find_iter(pgn, VARIANT_TAG) {
        let rest = &pgn[tag + VARIANT_TAG.len()..];
        let length = memchr(b'"', rest).unwrap_or(0);
        let value = String::from_utf8_lossy(&rest[..length]);
        if Variant::from_tag(&value) != Variant::Chess960 {
            continue;
        }

        // The game begins with the last `Event` tag before.
        games.extend(event.rfind(&pgn[..tag]));
    }
    games
}

/// All positions of a game's mainline; none for a variant of chess.
fn positions(game: &[u8]) -> Vec<Chess> {
    let mut line = Line::default();
    read_games(game, 1, &mut line);
    line.0
}

/// The positions of a mainline, from the start of the game.
#[derive(Default)]
struct Line(Vec<Chess>);

impl Follow for Line {
    fn begin(&mut self, game: &Game) {
        if !game.is_lost && !game.variant.plays_apart() {
            self.0.push(game.position.clone());
        }
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) {
        // Without a start, the game is not played.
        match san.san.to_move(&game.position) {
            Ok(mv) if !self.0.is_empty() => {
                game.position.play_unchecked(mv);
                self.0.push(game.position.clone());
            }
            _ => game.is_lost = true,
        }
    }
}
