//! A PGN game played through: the typed game, its positions, and what is wrong with it.
//!
//! Pure: text in, [`Replay`] out. Nothing of the text is lost: what is not understood is kept as
//! [`Game::rest`] or as a comment.

mod follow;
mod game_fault;
mod glyphs;
mod key;
mod mainline;
mod material_signature;
mod odd_words;
mod placement;
mod problem;
mod reading;
mod repetition;
mod replayer;
mod script;
mod tag_fault;
mod trusted;
mod utf8;
mod variations;

pub use key::PositionKey;
pub use mainline::{IllegalMove, Mainline};
pub(crate) use material_signature::{PAWN_FILES, USUAL_COUNTS, pawn_rank};
pub use problem::{Effect, Problem, ProblemKind};
pub(crate) use problem::{SourceProblem, excerpt};
pub use reading::{ReadGame, ReadingId, Readings};
pub(crate) use utf8::utf8;
pub(crate) use variations::Variations;
/// Patterns are sought with these; tests and benchmarks hold them to plain replays.
#[doc(hidden)]
pub use {
    material_signature::MaterialSignature,
    placement::{MaterialKey, Placement},
    trusted::{HalfMove, TrustedLine},
};

use crate::board::{Move, Position};
use crate::game::Game;
use crate::pgn::read_game;
use replayer::Replayer;

/// Variations that stand inside each other; more are kept as text, since each takes memory.
const MAX_DEPTH: usize = 1000;

/// A position that stands in a game for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The position's key.
    pub key: PositionKey,
    /// Its [`Position::check_key`].
    pub check_key: u16,
    /// [`Move::code`](crate::board::Move::code) of the move played there, [`Visit::END`] when the game ends,
    /// [`Visit::VARIATION`] when the position stands in variations alone.
    pub next: u16,
}

impl Visit {
    /// Stands for "no move": the game ends here. No move has this code.
    pub const END: u16 = u16::MAX;
    /// Stands for "not played": the position stands in a variation. No move has this code.
    pub const VARIATION: u16 = u16::MAX - 1;
}

/// What is true of the last position of a game, whatever its result says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// `checkmate`, `stalemate` or `insufficient-material`, if it is one.
    pub board: Option<&'static str>,
    /// Half-moves played when the fifty-move rule first applied.
    pub fifty_moves: Option<u32>,
    /// Half-moves played when the seventy-five-move rule first applied.
    pub seventy_five_moves: Option<u32>,
    /// Half-moves played when a position first stood for the third time.
    pub threefold: Option<u32>,
    /// Half-moves played when a position first stood for the fifth time.
    pub fivefold: Option<u32>,
}

/// A game, played through as far as it can be.
#[derive(Debug)]
pub struct Replay<'t> {
    /// The game; its moves end where it could be played no further.
    pub game: Game<'t>,
    /// The position it starts from, when a `FEN` tag gives one.
    pub start: Option<Position>,
    /// The moves of the mainline.
    pub played: Vec<Move>,
    /// The positions of the mainline, start and end included, each at its first visit; empty for a
    /// variant that is not played here.
    pub visits: Vec<Visit>,
    /// A number that is equal for games with the same start and the same moves: FNV-1a with 64 bits
    /// over the start position's key and the [codes](crate::board::Move::code) of the mainline.
    pub moves_hash: u64,
    /// The last position of the mainline.
    pub last: Position,
    /// What is true of it.
    pub ending: Ending,
    /// Everything that was wrong, in the order of the text.
    pub problems: Vec<Problem>,
}

impl Replay<'_> {
    /// Half-moves of the mainline.
    pub fn plies(&self) -> u32 {
        self.played.len() as u32
    }

    /// The key of the last position.
    pub fn last_key(&self) -> PositionKey {
        PositionKey::new(&self.last, self.game.variant)
    }
}

/// Plays a game through whose moves are PGN in English; [`Readings`] try others.
///
/// ```
/// use stamma::replay::replay;
/// let replay = replay("[White \"Morphy\"]\n\n1.e2-e4 e7e5 {usual} 2.Ng1f3 Nf7 3.d4 1-0");
/// assert_eq!(replay.game.moves, "e4 e5 Nf3");
/// assert_eq!(replay.problems[0].kind.code(), "illegal-move");
/// assert_eq!(replay.problems[0].message, "2... Nf7: Black has no legal move that this can mean");
/// ```
pub fn replay(text: &str) -> Replay<'_> {
    play(text, Replayer::new(text))
}

/// The same without positions: [`Replay::visits`] has the start alone, and of the endings only that on the
/// board is known.
fn replay_moves(text: &str) -> Replay<'_> {
    play(text, Replayer::new(text).without_positions())
}

fn play<'t>(text: &'t str, mut replayer: Replayer<'t>) -> Replay<'t> {
    read_game(text.as_bytes(), &mut replayer);
    replayer.finish()
}
